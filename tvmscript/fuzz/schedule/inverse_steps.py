"""Steps that undo another step, for primitives that promise an inverse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from tvmscript.ir.arith.fold import is_const, is_true
from tvmscript.ir.core import TVMScriptError, nodes
from tvmscript.ir.schedule.instruction import Instruction
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import loops_above, realize_of
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, Call, For, ForKind, IntImm, IterKind
from tvmscript.ir.tir.index_map import IndexMap

#: undoes a step in a schedule; None if nothing does
Undoing = Callable[[Schedule], object] | None
#: (schedule before, step, its outputs) -> the function that undoes it
Undo = Callable[[Schedule, Instruction, Sequence[Any]], Undoing]


def given(step: Instruction) -> dict[str, Any]:
    """The arguments of a step by name."""
    named: dict[str, Any] = dict(zip(step.kind.attrs, step.attrs, strict=True))
    rest = list(step.inputs)
    for name in step.kind.inputs:
        named[name] = rest if name.startswith("*") else rest.pop(0)
    return named


def _extents(loops: Sequence[For]) -> list[int] | None:
    """The extents of serial loops; None unless all are constant and positive."""
    sizes = [loop.extent.value for loop in loops if isinstance(loop.extent, IntImm) and loop.kind is ForKind.SERIAL]
    return sizes if sizes and len(sizes) == len(loops) and min(sizes) > 0 else None


def _has_symbolic_loops(before: Schedule) -> bool:
    """Test whether a loop has a symbolic extent: sums of such loops have no canonical form."""
    return any(isinstance(node, For) and not isinstance(node.extent, IntImm) for node in nodes(before.mod))


def _split(before: Schedule, step: Instruction, outputs: Sequence[Any]) -> Undoing:
    """Fuse again, unless a predicate excludes added iterations."""
    (extent,) = _extents([before.get(step.inputs[0])]) or (0,)
    factors = [before.get(factor) for factor in step.inputs[1:]]
    product = 1
    for factor in factors:
        product *= 1 if factor is None else factor
    if not extent or extent % product or (None not in factors and product != extent) or _has_symbolic_loops(before):
        return None
    return lambda sch: sch.fuse(*outputs)


def _fuse(before: Schedule, step: Instruction, outputs: Sequence[Any]) -> Undoing:
    loops: list[For] = [before.get(loop) for loop in step.inputs]
    sizes = _extents(loops)
    if _has_symbolic_loops(before):
        return None
    if sizes is None or len({loop.loop_var.dtype for loop in loops}) > 1 or not given(step)["preserve_unit_iters"]:
        return None
    return lambda sch: sch.split(outputs[0], [*sizes])


def _add_unit_loop(before: Schedule, step: Instruction, outputs: Sequence[Any]) -> Undoing:
    loop = before.get(step.inputs[0])
    if isinstance(loop, Block) or loop.annotations or loop.kind is not ForKind.SERIAL:
        return None
    if not is_const(loop.min, 0) or is_const(loop.extent, 0) or _has_symbolic_loops(before):
        return None
    return lambda sch: sch.fuse(outputs[0], step.inputs[0])


def _reorder(before: Schedule, step: Instruction, _: Sequence[Any]) -> Undoing:
    depth = {loop: len(loops_above(before.loop(loop))) for loop in step.inputs}
    return lambda sch: sch.reorder(*sorted(step.inputs, key=depth.__getitem__))


def _annotate(before: Schedule, step: Instruction, _: Sequence[Any]) -> Undoing:
    args = given(step)
    target, key = args["block_or_loop"], args["ann_key"]
    return None if key in before.get(target).annotations else lambda sch: sch.unannotate(target, key)


def _unannotate(before: Schedule, step: Instruction, _: Sequence[Any]) -> Undoing:
    args = given(step)
    target, key = args["block_or_loop"], args["ann_key"]
    value = before.get(target).annotations[key]
    return lambda sch: sch.annotate(target, key, value)


def _buffer(before: Schedule, block: Any, place: Any) -> Any:
    """The buffer of a block at an index of its writes, or at (side, index)."""
    side, number = (
        (("read", "write")[place[0]] if isinstance(place[0], int) else place[0], place[1])
        if isinstance(place, (list, tuple))
        else ("write", place)
    )
    stmt = before.get(block)
    return (stmt.writes if side == "write" else stmt.reads)[int(number)].buffer


def _is_seen_through(before: Schedule) -> bool:
    """Test whether regions are exact and canonical: no matched buffers, no indices or bounds loaded from memory, and no
    nested blocks, whose predicates do not restrict outer regions.
    """
    inside = [*nodes(before.mod)]
    accesses = [node for node in inside if isinstance(node, (BufferLoad, BufferStore))]
    used = [index for node in accesses for index in node.indices]
    used += [end for node in inside if isinstance(node, For) for end in (node.min, node.extent)]
    reads = any(isinstance(part, BufferLoad) for expr in used for part in nodes(expr))
    roots = {ref.stmt for ref in (tree.root for tree in before.state.trees.values())}
    blocks = [node for node in inside if isinstance(node, Block) and node not in roots]
    nested = any(node.match_buffers or any(isinstance(part, Block) for part in nodes(node.body)) for node in blocks)
    return not reads and not nested


def _cache_read(before: Schedule, step: Instruction, outputs: Sequence[Any]) -> Undoing:
    return (lambda sch: sch.compute_inline(outputs[0])) if _is_seen_through(before) else None


def _cache_write(before: Schedule, step: Instruction, outputs: Sequence[Any]) -> Undoing:
    """Undo by inlining; not for reductions, several stores or other readers, nor under a predicate, which the copy
    keeps.
    """
    args = given(step)
    block: Block = before.get(args["block"])
    if not is_true(realize_of(before.block(args["block"])).predicate):
        return None
    reduces = block.init is not None or any(axis.iter_type is IterKind.COMM_REDUCE for axis in block.iter_vars)
    if reduces or args["consumer_blocks"] or not isinstance(block.body, BufferStore) or not _is_seen_through(before):
        return None
    return lambda sch: sch.reverse_compute_inline(outputs[0])


def _set_scope(before: Schedule, step: Instruction, _: Sequence[Any]) -> Undoing:
    args = given(step)
    block, number = args["block"], args["buffer_index"]
    scope = _buffer(before, block, number).storage_scope
    return lambda sch: sch.set_scope(block, number, scope)


def _set_axis_separator(before: Schedule, step: Instruction, _: Sequence[Any]) -> Undoing:
    args = given(step)
    block, place = args["block"], args["buffer"]
    axes = [*_buffer(before, block, place).axis_separators]
    return lambda sch: sch.set_axis_separator(block, place, axes)


def _inverse(index_map: IndexMap, shape: Sequence[Any]) -> IndexMap | None:
    """The inverse of a bijective map; None for others."""
    try:
        return index_map.inverse(shape)
    except TVMScriptError:
        return None


def _transform_layout(before: Schedule, step: Instruction, _: Sequence[Any]) -> Undoing:
    args = given(step)
    block, place = args["block"], args["buffer"]
    back = _inverse(args["index_map"], _buffer(before, block, place).shape)
    return None if back is None else lambda sch: sch.transform_layout(block, place, back)


def _transform_block_layout(before: Schedule, step: Instruction, _: Sequence[Any]) -> Undoing:
    """Undo by the inverse map, unless loops are not serial, reduction axes have extent 1 (they become spatial), or
    calls are simplified under a condition.
    """
    args = given(step)
    block: Block = before.get(args["block"])
    loops = [ref.loop for ref in loops_above(before.block(args["block"]))]
    sizes = _extents(loops)
    if sizes is None or any(loop.annotations for loop in loops):
        return None
    if 1 in sizes and any(axis.iter_type is not IterKind.DATA_PAR for axis in block.iter_vars):
        return None
    if any(isinstance(node, Call) for node in nodes(block)):
        return None
    back = _inverse(args["index_map"], [axis.dom.extent for axis in block.iter_vars if axis.dom is not None])
    return None if back is None else lambda sch: sch.transform_block_layout(args["block"], back)


def _reorder_block_iter_var(before: Schedule, step: Instruction, _: Sequence[Any]) -> Undoing:
    args = given(step)
    order = [int(before.evaluate(place)) for place in args["new_order"]]
    return lambda sch: sch.reorder_block_iter_var(args["block"], [order.index(place) for place in range(len(order))])


#: primitive -> the function that finds its inverse step
UNDO: Final[dict[str, Undo]] = {
    "split": _split,
    "fuse": _fuse,
    "add_unit_loop": _add_unit_loop,
    "reorder": _reorder,
    "annotate": _annotate,
    "unannotate": _unannotate,
    "cache_read": _cache_read,
    "cache_write": _cache_write,
    "set_scope": _set_scope,
    "set_axis_separator": _set_axis_separator,
    "transform_layout": _transform_layout,
    "transform_block_layout": _transform_block_layout,
    "reorder_block_iter_var": _reorder_block_iter_var,
}


def _same(*axes: Any) -> tuple[Any, ...]:
    return axes


#: primitives that simplify blocks: (schedule before, arguments) -> apply only the simplification
SIMPLIFYING: Final[dict[str, Callable[[Schedule, dict[str, Any]], object]]] = {
    "transform_layout": lambda sch, args: sch.transform_layout(args["block"], args["buffer"], _same),
    "transform_block_layout": lambda sch, args: sch.transform_block_layout(args["block"], _same),
}
