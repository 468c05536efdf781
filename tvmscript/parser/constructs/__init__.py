"""What the names of `T` do while a function is read, one file per family."""

from __future__ import annotations

from tvmscript.parser.constructs import blocks as blocks
from tvmscript.parser.constructs import buffers as buffers
from tvmscript.parser.constructs import functions as functions
from tvmscript.parser.constructs import layouts as layouts
from tvmscript.parser.constructs import loops as loops
from tvmscript.parser.constructs import metadata as metadata
from tvmscript.parser.constructs import operators as operators
from tvmscript.parser.constructs import statements as statements
from tvmscript.parser.constructs import tensor_level as tensor_level
from tvmscript.parser.constructs import values as values
from tvmscript.parser.constructs.table import TIR as TIR
