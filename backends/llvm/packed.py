"""Calls of packed functions (tvm-ffi's calling convention) and of the module's own functions."""

from __future__ import annotations

from tvmscript.backends.llvm.statements import Statements


class PackedCalls(Statements):
    """Statements with calls of functions."""
