"""Bytes that a function allocates: by storage scope, at its peak, and for constants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tvmscript.ir.core import DType, IRModule, Visitor, on
from tvmscript.ir.tir import Allocate, AllocateConst, Expr, IntImm, PrimFunc


def calculate_allocated_bytes(func_or_mod: PrimFunc | IRModule) -> dict[str, dict[str, int]]:
    """Return the peak bytes of the allocations of each function by storage scope; a single function is `main`.

    Memory whose size is not known before the program runs counts as none.
    """
    if isinstance(func_or_mod, PrimFunc):
        return {"main": _allocated(func_or_mod)}
    return {var.name_hint: _allocated(func) for var, func in func_or_mod.items() if isinstance(func, PrimFunc)}


def calculate_workspace_bytes(func: PrimFunc, workspace_byte_alignment: int) -> int:
    """Return the peak bytes of the allocations of a function, each rounded up to the alignment."""
    walk = _Allocations(workspace_byte_alignment)
    walk.visit(func.body)
    return walk.most_together


def calculate_constant_bytes(func: PrimFunc, constant_byte_alignment: int) -> int:
    """Return the bytes of the constants of a function, each rounded up to the alignment."""
    walk = _Allocations(constant_byte_alignment)
    walk.visit(func.body)
    return walk.constants


def _allocated(func: PrimFunc) -> dict[str, int]:
    walk = _Allocations(1)
    walk.visit(func.body)
    return walk.most


def bytes_of(dtype: DType, extents: Sequence[Expr]) -> int:
    """Return the bytes of a buffer; 0 if an extent is not constant."""
    size = dtype.itemsize * dtype.lanes
    for extent in extents:
        size *= extent.value if isinstance(extent, IntImm) else 0
    return size


class _Allocations(Visitor):
    def __init__(self, alignment: int) -> None:
        self.alignment = alignment
        self.now: defaultdict[str, int] = defaultdict(int)
        #: scope -> the most that was allocated at once
        self.most: dict[str, int] = {}
        self.together = self.most_together = self.constants = 0

    def rounded(self, dtype: DType, extents: Sequence[Expr]) -> int:
        return -(-bytes_of(dtype, extents) // self.alignment) * self.alignment

    @on(Allocate)
    def allocate(self, node: Allocate) -> None:
        scope, size = node.buffer_var.storage_scope, self.rounded(node.dtype, node.extents)
        self.now[scope] += size
        self.together += size
        self.most[scope] = max(self.most.get(scope, 0), self.now[scope])
        self.most_together = max(self.most_together, self.together)
        self.visit(node.body)
        self.now[scope] -= size
        self.together -= size

    @on(AllocateConst)
    def constant(self, node: AllocateConst) -> None:
        self.constants += self.rounded(node.dtype, node.extents)
        self.visit(node.body)
