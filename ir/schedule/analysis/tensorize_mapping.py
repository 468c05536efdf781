"""Match the loops of a block with those of the description of a tensor intrinsic."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.schedule.tree import StmtRef, loops_above, realize_of
from tvmscript.ir.tir import BlockRealize, Expr, For, IntImm, PrimFunc, Var, uses


@dataclass(frozen=True)
class TensorizeInfo:
    """How the loops of a block correspond to those of an intrinsic."""

    #: loop of the block -> loop of the intrinsic
    loop_map: dict[StmtRef, For]
    #: loop of the intrinsic -> its place among them
    desc_loop_indexer: dict[For, int]
    #: what the axes of the block have to be multiples of, where that is not so yet
    block_iter_paddings: tuple[int, ...] | None


def tensorize_loop_mapping(block: StmtRef, desc: PrimFunc, *, allow_padding: bool = False) -> TensorizeInfo | None:
    """Return which loops of a block an intrinsic would replace, None if it does not fit.

    The last axes of the block must be bound to loops as those of the intrinsic are. Extents must be multiples of the
    intrinsic's unless padding is allowed.
    """
    desc_loops: list[For] = []
    desc_realize: BlockRealize | None = None
    for stmt in nodes(desc.body):
        if isinstance(stmt, For):
            desc_loops.append(stmt)
        elif isinstance(stmt, BlockRealize):
            desc_realize = stmt
    realize, loops = realize_of(block), loops_above(block)
    assert desc_realize is not None, "a description is a block in loops"
    extra = len(realize.iter_values) - len(desc_realize.iter_values)
    if extra < 0 or len(loops) != len(realize.iter_values):
        return None
    pairs = list(zip(realize.iter_values[extra:], desc_realize.iter_values, strict=True))
    kinds = zip(realize.block.iter_vars[extra:], desc_realize.block.iter_vars, strict=True)
    if any(axis.iter_type is not desc_axis.iter_type for axis, desc_axis in kinds):
        return None
    loop_map: dict[StmtRef, For] = {}
    paddings = [1] * len(realize.iter_values)
    for desc_loop in desc_loops:
        position = next((at for at, (_, bound) in enumerate(pairs) if _is_shifted(bound, desc_loop, desc_loops)), None)
        if position is None:
            return None
        stmts = [loop.loop for loop in loops]
        loop = next((ref for ref in loops if _is_shifted(pairs[position][0], ref.loop, stmts)), None)
        if loop is None or loop in loop_map:
            return None
        extent, wanted = loop.loop.extent, desc_loop.extent
        if not isinstance(extent, IntImm) or not isinstance(wanted, IntImm):
            return None
        if extent.value % wanted.value:
            if not allow_padding:
                return None
            paddings[extra + position] = wanted.value
        loop_map[loop] = desc_loop
    needs_padding = any(size != 1 for size in paddings)
    order = {loop: number for number, loop in enumerate(desc_loops)}
    if not needs_padding:
        return TensorizeInfo(loop_map, order, None)
    extents = [_extent_of(desc_loops, bound) for _, bound in pairs]
    return TensorizeInfo(loop_map, order, (*paddings[:extra], *extents))


def _extent_of(loops: list[For], bound: Expr) -> int:
    extents = [loop.extent.value for loop in loops if isinstance(loop.extent, IntImm) and loop.loop_var in uses(bound)]
    return extents[0] if extents else 1


def _is_shifted(bound: Expr, loop: For, loops: list[For]) -> bool:
    """Return whether a binding is a loop variable plus what no loop of these changes."""
    variables: set[Var] = {other.loop_var for other in loops}
    return loop.loop_var in uses(bound) and variables.isdisjoint(uses(Analyzer().simplify(bound - loop.loop_var)))
