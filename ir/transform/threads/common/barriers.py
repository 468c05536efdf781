"""Barrier statements."""

from __future__ import annotations

from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import StringImm
from tvmscript.ir.tir.intrin.sync import tvm_storage_sync
from tvmscript.ir.tir.stmt import Evaluate


def barrier(scope: str) -> Stmt:
    """Return a barrier of the threads that share memory of the scope."""
    return Evaluate(tvm_storage_sync(StringImm(scope)))
