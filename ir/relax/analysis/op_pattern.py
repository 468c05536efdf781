"""Fusion patterns of kernels: how the elements that a kernel reads relate to the element that it writes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from tvmscript.ir.core import Node, Visitor, nodes, on
from tvmscript.ir.tir import Add, Block, Buffer, BufferLoad, BufferStore, Expr, IntImm, IterKind, Mul, PrimFunc, Var


class OpPatternKind(IntEnum):
    """Fusion patterns, the most restrictive last (TVM's OpPatternKind)."""

    #: reads the element at the index that it writes
    ELEM_WISE = 0
    #: reads at a subsequence of the written index
    BROADCAST = 1
    #: reads at any function of the written index, which depends on no data
    INJECTIVE = 2
    #: reduces along whole axes
    COMM_REDUCE = 3
    #: reduces products or windows; elementwise operations may follow in the same kernel
    OUT_ELEM_WISE_FUSABLE = 4
    #: cannot be fused
    OPAQUE = 8


def op_pattern(func: PrimFunc) -> OpPatternKind:
    """Return the fusion pattern of a kernel: the most restrictive of its blocks.

    An elementwise, broadcast or injective block that writes a result after a reduction, as in a softmax, makes the
    kernel OUT_ELEM_WISE_FUSABLE.
    """
    analyzer = _PatternAnalyzer(set(func.buffer_map.values()))
    analyzer.visit(func.body)
    return analyzer.kind


class _PatternAnalyzer(Visitor):
    """Combines the patterns of blocks in program order."""

    def __init__(self, params: set[Buffer]) -> None:
        self.params = params
        self.kind = OpPatternKind.ELEM_WISE

    @on(Block)
    def block(self, node: Block) -> None:
        if node.name_hint == "root":
            self.visit(node.body)
            return
        pattern = _block_pattern(node)
        is_injective = pattern <= OpPatternKind.INJECTIVE
        writes_result = any(region.buffer in self.params for region in node.writes)
        if is_injective and writes_result and self.kind is OpPatternKind.COMM_REDUCE:
            self.kind = OpPatternKind.OUT_ELEM_WISE_FUSABLE
        else:
            self.kind = max(self.kind, pattern)


def _block_pattern(block: Block) -> OpPatternKind:
    """Return the pattern of a block. A block without a store, or with stores at several indices, is opaque."""
    stores = [part for part in nodes(block.body) if isinstance(part, BufferStore)]
    if not stores or not all(_same_indices(store.indices, stores[0].indices) for store in stores):
        return OpPatternKind.OPAQUE
    loads = [part for part in nodes(block.body) if isinstance(part, BufferLoad)]
    patterns = [_access_pattern(stores[0], load) for load in loads]
    worst = max(patterns, default=OpPatternKind.ELEM_WISE)
    if worst is OpPatternKind.BROADCAST and OpPatternKind.ELEM_WISE in patterns:
        return OpPatternKind.ELEM_WISE
    if worst is not OpPatternKind.OPAQUE:
        return worst
    reduced = {axis.var for axis in block.iter_vars if axis.iter_type is IterKind.COMM_REDUCE}
    if not reduced:
        return OpPatternKind.OPAQUE
    if _is_multiply_add(block.body) or not all(_reduces_whole_axes(load.indices, reduced) for load in loads):
        return OpPatternKind.OUT_ELEM_WISE_FUSABLE
    return OpPatternKind.COMM_REDUCE


def _access_pattern(store: BufferStore, load: BufferLoad) -> OpPatternKind:
    if _same_indices(store.indices, load.indices):
        return OpPatternKind.ELEM_WISE
    if _is_broadcast(store, load):
        return OpPatternKind.BROADCAST
    written = set(store.indices)
    if not all(isinstance(index, Var) for index in written):
        return OpPatternKind.OPAQUE
    parts = [part for index in load.indices for part in nodes(index)]
    is_injective = all(part in written for part in parts if isinstance(part, (Var, BufferLoad)))
    return OpPatternKind.INJECTIVE if is_injective else OpPatternKind.OPAQUE


def _same_indices(left: Sequence[Expr], right: Sequence[Expr]) -> bool:
    return len(left) == len(right) and all(a is b for a, b in zip(left, right, strict=True))


def _is_broadcast(store: BufferStore, load: BufferLoad) -> bool:
    """Whether the indices of a load are a subsequence of those of the store. Unit axes do not count."""
    rest = iter(store.indices)
    return all(
        any(index is written for written in rest)
        for index, extent in zip(load.indices, load.buffer.shape, strict=True)
        if not (_is_constant(extent, 1) and _is_constant(index, 0))
    )


def _is_constant(value: Expr, number: int) -> bool:
    return isinstance(value, IntImm) and value.value == number


def _is_multiply_add(body: Node) -> bool:
    """Whether a statement adds a product of two elements to the element that it writes."""
    value = body.value if isinstance(body, BufferStore) else None
    return (
        isinstance(body, BufferStore)
        and isinstance(value, Add)
        and isinstance(value.a, BufferLoad)
        and value.a.buffer is body.buffer
        and _same_indices(value.a.indices, body.indices)
        and isinstance(value.b, Mul)
        and isinstance(value.b.a, BufferLoad)
        and isinstance(value.b.b, BufferLoad)
    )


def _reduces_whole_axes(indices: Sequence[Expr], reduced: set[Var]) -> bool:
    """Whether each index with a reduced variable is that variable alone."""
    return all(index in reduced or reduced.isdisjoint(nodes(index)) for index in indices)
