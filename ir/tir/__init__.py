"""The tensor level: expressions, statements, buffers, functions.

Python's operators on expressions and subscripts of buffers work once the package is imported, by any of its modules.
"""

from __future__ import annotations

from tvmscript.ir.tir import intrin as intrin
from tvmscript.ir.tir import operators as operators
from tvmscript.ir.tir import slices as slices
