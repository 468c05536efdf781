"""Check that merging and reordering loop nests keeps the order of dependent accesses."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, takewhile

from tvmscript.ir.analysis.access.access_conflicts import Answer, Apart, Instance, collision
from tvmscript.ir.analysis.access.access_summary import Touch, touches_of
from tvmscript.ir.analysis.access.access_walk import Guard, Loop, is_pure_call
from tvmscript.ir.analysis.memory.buffer_lca import buffer_scopes
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.analysis.regions import symbolic_sizes
from tvmscript.ir.schedule.tree import StmtRef, blocks_below, loops_above, realize_of
from tvmscript.ir.tir import (
    Block,
    Buffer,
    BufferLoad,
    BufferRegion,
    BufferStore,
    Call,
    Expr,
    IntImm,
    Let,
    LetStmt,
    PrimFunc,
    Range,
    Var,
    uses,
)

#: loops of a nest, outermost first
Nest = Sequence[StmtRef]


def find_reversed_dependence(func: PrimFunc, nests: Sequence[Nest]) -> tuple[Touch, Touch] | None:
    """Return two dependent accesses whose order a merge of loop nests may reverse; None if it keeps all orders.

    The merged nest runs the bodies in the order of `nests`, at the place of the last one. The loops of a nest match
    those of the others in order.
    """
    summary, sizes = touches_of(func), _sizes(func)
    inside = [[touch for touch in summary.touches if _loop_of(touch, nest[0]) is not None] for nest in nests]
    for moved in inside[:-1]:
        crossed = _crossed(summary.touches, moved, inside)
        for pair in _dependent_pairs(moved, crossed):
            return pair
    for place, other in combinations(range(len(nests)), 2):
        is_in_order = _first_order(inside[place]) < _first_order(inside[other])
        for a, b in _dependent_pairs(inside[place], inside[other]):
            if not is_in_order or not _keeps_order(a, b, nests[place], nests[other], sizes):
                return a, b
    return None


def find_reordered_dependence(
    func: PrimFunc, blocks: Sequence[StmtRef], before: Sequence[Var], after: Sequence[Var]
) -> tuple[Touch, Touch] | None:
    """Return two dependent accesses of different blocks in a nest whose order another order of its loops may reverse.

    `before` and `after` are the loop variables of the nest, outermost first. Memory that each iteration of the nest
    writes before it reads it, and that nothing else uses, makes no iterations dependent.
    """
    sizes = _sizes(func)
    inverted = [(p, q) for p, q in combinations(before, 2) if after.index(q) < after.index(p)]
    owners = {stmt: block for block in blocks for stmt in statements(block.block)}
    touches = touches_of(func).touches
    inside = [touch for touch in touches if touch.stmt in owners]
    temporaries: dict[Var, bool] = {}
    for a, b in _dependent_pairs(inside, inside):
        if owners[a.stmt] is owners[b.stmt]:
            continue
        if a.data not in temporaries:
            used = [touch for touch in touches if touch.data is a.data]
            temporaries[a.data] = all(touch.stmt in owners for touch in used) and _is_temporary(func, a.data, used)
        if temporaries[a.data]:
            continue
        if not _is_comparable(a, b):
            return a, b
        for p, q in inverted:
            same = {*before[: before.index(p)], *after[: after.index(q)]}
            around = [step.var for step in a.path if isinstance(step, Loop) and step in b.path]
            equal = tuple((var, var, 0) for var in around if var not in before or var in same)
            first, second = Instance(a.indices, a.path), Instance(b.indices, b.path)
            # one run is earlier by the outer loop, and later by the inner one
            earlier = collision(first, second, Apart(((p, p),), equal, is_ordered=True), sizes)
            later = collision(second, first, Apart(((q, q),), equal, is_ordered=True), sizes)
            if Answer.NEVER not in (earlier.answer, later.answer):
                return a, b
    return None


def reads_earlier_iterations(reader: StmtRef, writer: StmtRef, buffer: Buffer) -> bool:
    """Whether a block may read what a later block wrote in an earlier iteration of the loops around both."""
    around = [ref for ref in loops_above(reader) if ref in loops_above(writer)]
    if not around:
        return False
    func = reader.tree.func
    sizes, shared = _sizes(func), [ref.loop.loop_var for ref in around]
    stmts = [{*statements(ref.block)} for ref in (writer, reader)]
    touches = [touch for touch in touches_of(func).touches if touch.data is buffer.data]
    stores, loads = ([touch for touch in touches if touch.stmt in own] for own in stmts)
    for store, load in _dependent_pairs(stores, loads):
        if not _is_comparable(store, load):
            return True
        common = [step.var for step in store.path if isinstance(step, Loop) and step in load.path]
        first, second = Instance(store.indices, store.path), Instance(load.indices, load.path)
        for place, var in enumerate(common):
            apart = Apart(((var, var),), tuple((each, each, 0) for each in common[:place]), is_ordered=True)
            if var in shared and collision(first, second, apart, sizes).answer is not Answer.NEVER:
                return True
    return False


def find_carried_dependence(ref: StmtRef) -> tuple[Touch, Touch] | None:
    """Return accesses of different blocks in a loop that certainly meet in different iterations, or None.

    Memory that is allocated inside of the loop when blocks are lowered is one of each iteration.
    """
    blocks = blocks_below(ref)
    func, exchanged = ref.tree.func, _exchanged_memory(blocks) if len(blocks) > 1 else set()
    if not exchanged or exchanged <= _memory_inside(func, ref):
        return None
    owners = {stmt: block for block in blocks for stmt in statements(block.block)}
    inside = [touch for touch in touches_of(func).touches if touch.stmt in owners]
    for store, other in _dependent_pairs(inside, inside):
        loop = _loop_of(store, ref)
        if loop is None or owners[store.stmt] is owners[other.stmt] or not _is_comparable(store, other):
            continue
        if store.is_private(loop) or loop not in other.path:
            continue
        outer = [step.var for step in store.path[: store.path.index(loop)] if isinstance(step, Loop)]
        apart = Apart(((loop.var, loop.var),), tuple((var, var, 0) for var in outer))
        first, second = Instance(store.indices, store.path), Instance(other.indices, other.path)
        if collision(first, second, apart, _sizes(func)).answer is Answer.FOUND:
            return store, other
    return None


def _exchanged_memory(blocks: Sequence[StmtRef]) -> set[Var]:
    """Return the data variables of what a block writes and another one uses."""
    used = [uses(block.block) for block in blocks]
    exchanged: set[Var] = set()
    for place, block in enumerate(blocks):
        stores = [stmt.buffer for stmt in statements(block.block) if isinstance(stmt, BufferStore)]
        written = {buffer.data for buffer in (*stores, *[region.buffer for region in block.block.writes])}
        others = [names for other, names in enumerate(used) if other != place]
        exchanged.update([data for data in written if any(data in names for names in others)])
    return exchanged


def _memory_inside(func: PrimFunc, ref: StmtRef) -> set[Var]:
    """Return the data variables of what is allocated inside of a loop when blocks are lowered."""
    inside = {*statements(ref.loop)}
    return {buffer.data for buffer, place in buffer_scopes(func.body).items() if place in inside}


def find_shared_axis(writer: StmtRef, buffer: Buffer, loops: Collection[Var]) -> Var | None:
    """Return an axis of a block that is bound to one of the loops, and iterates over stores to the same element.

    A block in the loop that uses the buffer depends on the value of its own iteration.
    """
    realize = realize_of(writer)
    regions = [region for region in writer.block.writes if region.buffer is buffer]
    for axis, value in zip(writer.block.iter_vars, realize.iter_values, strict=True):
        if not uses(value).isdisjoint(loops) and not all(_determines(region, axis.var, writer) for region in regions):
            return axis.var
    return None


def _determines(region: BufferRegion, axis: Var, writer: StmtRef) -> bool:
    """Whether an element of a region that a block writes determines the value of an axis."""
    path = [Loop(item.var, item.dom, None) for item in writer.block.iter_vars if item.dom is not None]
    indices: list[Expr] = []
    for part in region.region:
        if fold.is_const(part.extent, 1):
            indices.append(part.min)
        else:
            offset = Var("offset", part.min.dtype)
            path.append(Loop(offset, Range.from_extent(part.extent), None))
            indices.append(fold.add(part.min, offset))
    if axis in indices:
        return True
    store = Instance(tuple(indices), tuple(path))
    return collision(store, store, Apart(((axis, axis),), is_ordered=True), {}).answer is Answer.NEVER


def _is_temporary(func: PrimFunc, data: Var, touches: Sequence[Touch]) -> bool:
    """Whether memory is allocated by a block, and each element is stored before it is loaded in the same iteration."""
    parts = [*nodes(func.body)]
    allocated = {buffer.data for node in parts if isinstance(node, Block) for buffer in node.alloc_buffers}
    escapes = any(isinstance(node, (Call, Let, LetStmt)) and _takes_address(node, data) for node in parts)
    if data not in allocated or escapes:
        return False
    stores = [touch for touch in touches if isinstance(touch.node, BufferStore) and touch.node.predicate is None]
    return all(touch.is_write or any(_comes_first(store, touch) for store in stores) for touch in touches)


def _takes_address(node: Call | Let | LetStmt, data: Var) -> bool:
    """Whether a call or a let may hand on the address of memory."""
    if not isinstance(node, Call):
        return data in uses(node.value) and node.value.dtype.is_handle
    loads = [arg for arg in node.args if isinstance(arg, BufferLoad) and arg.buffer.data is data]
    return any(arg is data for arg in node.args) or (bool(loads) and (node.dtype.is_handle or not is_pure_call(node)))


def _comes_first(store: Touch, load: Touch) -> bool:
    """Whether a store always runs before a load of the same element, in each iteration of the loops around both."""
    shared = sum(1 for _ in takewhile(lambda steps: steps[0] is steps[1], zip(store.path, load.path, strict=False)))
    return (
        store.order < load.order
        and _is_comparable(store, load)
        and all(map(expr_deep_equal, store.indices, load.indices))
        and all(isinstance(step, Guard) and _holds(step.condition) for step in store.path[shared:])
    )


def _holds(condition: Expr | None) -> bool:
    return condition is not None and fold.is_true(condition)


def _sizes(func: PrimFunc) -> dict[Var, int | None]:
    """Return the variables of one value in the whole function, with the smallest that they can have."""
    sizes: dict[Var, int | None] = {var: None for var in func.params if var.dtype.is_integer}
    return sizes | dict.fromkeys(symbolic_sizes(func), 0)


def _first_order(touches: Sequence[Touch]) -> int:
    return min((touch.order for touch in touches), default=0)


def _crossed(touches: Sequence[Touch], moved: Sequence[Touch], inside: Sequence[Sequence[Touch]]) -> list[Touch]:
    """Return the accesses between a nest that moves and the last nest, which are in none of the nests."""
    members = {touch for group in inside for touch in group}
    places = [touch.order for touch in (*moved, *inside[-1])]
    return [touch for touch in touches if touch not in members and places and min(places) < touch.order < max(places)]


def _dependent_pairs(some: Sequence[Touch], others: Sequence[Touch]) -> Iterator[tuple[Touch, Touch]]:
    """Yield the pairs of accesses of one memory of which at least one may write."""
    for a in some:
        for b in others:
            if a.data is b.data and (a.is_write or b.is_write or a.is_opaque or b.is_opaque):
                yield a, b


def _loop_of(touch: Touch, ref: StmtRef) -> Loop | None:
    return next((step for step in touch.path if isinstance(step, Loop) and step.node is ref.stmt), None)


def _keeps_order(a: Touch, b: Touch, first: Nest, second: Nest, sizes: dict[Var, int | None]) -> bool:
    """Whether no later iteration of the first nest touches what an earlier one of the second nest touches."""
    if not _is_comparable(a, b):
        return False
    pairs = [(ref.loop.loop_var, other.loop.loop_var) for ref, other in zip(first, second, strict=True)]
    if all(isinstance(ref.loop.extent, IntImm) and ref.loop.extent.value < 2 for ref in first):
        return True
    around = [step for step in a.path if isinstance(step, Loop) and step in b.path]
    equal = tuple((loop.var, loop.var, 0) for loop in around)
    # the run of the second nest is the earlier one
    apart = Apart(tuple((right, left) for left, right in pairs), equal, is_ordered=True)
    return collision(Instance(b.indices, b.path), Instance(a.indices, a.path), apart, sizes).answer is Answer.NEVER


def _is_comparable(a: Touch, b: Touch) -> bool:
    """Whether indices tell which elements two accesses touch."""
    if a.is_opaque or b.is_opaque or a.is_loose or b.is_loose or len(a.indices) != len(b.indices):
        return False
    return a.buffer is b.buffer or (
        a.buffer.dtype == b.buffer.dtype
        and len(a.buffer.shape) == len(b.buffer.shape)
        and all(map(expr_deep_equal, a.buffer.shape, b.buffer.shape))
    )
