"""Barrier statements."""

from __future__ import annotations

from tvmscript.ir.tir import Evaluate, Stmt, StringImm
from tvmscript.ir.tir.intrin.sync import tvm_storage_sync


def barrier(scope: str) -> Stmt:
    """Return a barrier of the threads that share memory of the scope."""
    return Evaluate(tvm_storage_sync(StringImm(scope)))
