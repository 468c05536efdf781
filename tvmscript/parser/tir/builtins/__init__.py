"""The names of `T`, one file per family."""

from __future__ import annotations

from tvmscript.parser.builtins.table import TIR as TIR
from tvmscript.parser.tir import attributes as attributes
from tvmscript.parser.tir.builtins import blocks as blocks
from tvmscript.parser.tir.builtins import buffers as buffers
from tvmscript.parser.tir.builtins import constructors as constructors
from tvmscript.parser.tir.builtins import functions as functions
from tvmscript.parser.tir.builtins import loops as loops
from tvmscript.parser.tir.builtins import operators as operators
from tvmscript.parser.tir.builtins import statements as statements
