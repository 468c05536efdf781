"""Factor a reduction into partial results and their reduction: rfactor."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from functools import reduce
from typing import NamedTuple

from tvmscript.ir.analysis.blocks.reducers import Combination, NoReduction, reduction_of
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import Node
from tvmscript.ir.schedule.analysis import block_properties
from tvmscript.ir.schedule.analysis.bindings import loop_ranges
from tvmscript.ir.schedule.analysis.regions import point_region
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.primitive.decompose_reduction import drop_conditions_on
from tvmscript.ir.schedule.primitive.for_kind import copy_thread_binding
from tvmscript.ir.schedule.primitive.split_fuse import check_starts_at_zero
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef, blocks_below, loops_above, realize_of, replace_child
from tvmscript.ir.tir import Buffer, BufferLoad, BufferRegion, Expr, IntImm, IterKind, IterVar, Range, Stmt, Var
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, For, ForKind, LetStmt, seq
from tvmscript.ir.tir.substitute import substitute, uses


class NotSerialLoopKindError(ScheduleError, code="TS4126"):
    """The factored loop must be serial; change its kind afterwards."""

    message = "loop {loop} cannot be factored: it is {kind}, not serial"


class FactorAxisOutOfRangeError(ScheduleError, code="TS4127"):
    """`factor_axis` is the position of the new dimension in the buffer of partial results; -1 is the last one."""

    message = "factor_axis {axis} is out of range for the partial results of {buffer}"


class NoMatchedReducerError(ScheduleError, code="TS4128"):
    """Only commutative reducers can be factored: sum, product, min, max, a pair of sums, argmin, argmax. The
    accumulator must be the first operand.
    """

    message = "the reduction in block {block} matches no known reducer: identity {identity}, update {update}"
    advice = "start a sum from 0, a product from 1, T.min from T.max_value(dtype), T.max from T.min_value(dtype)"


class RFactorNotApplicableError(ScheduleError, code="TS4129"):
    """The block must be a plain reduction: the init stores the identity of each buffer, the body stores each buffer
    once, at the same indices; several values are computed by `with T.LetStmt` first. Where the predicate of the block
    excludes all steps of an iteration, its variables must be those of axes of the factored block.
    """

    message = "block {block} cannot be factored: {why}"


class LoopPropertyError(ScheduleError, code="TS4150"):
    """Requirements on the loops: the factored one is a reduction loop, no loop determines both spatial and reduction
    axes, the block is the first one in the outermost loop and alone in reduction loops.
    """

    message = "block {block} cannot be factored because of loop {loop}: {why}"


class RFactor(Recorder):
    """Reductions and padding."""

    @primitive("RFactor", inputs=("loop",), attrs=("factor_axis",), promises=Promises(is_exact=False))
    def rfactor(self, loop: LoopRV, factor_axis: int) -> BlockRV:
        """Compute a partial result for each iteration of a loop, then reduce the partial results.

        Block `B` becomes `B_rf`, which is returned and writes the new buffer `B.rf`, and `B`, which reduces it.
        `factor_axis` is the position of the loop in the shape of the new buffer. Iterations of the loop that the
        predicate of the block excludes get the identity of the reduction. Raises `NonSingleChildBlockError`,
        `NotStagePipelineError`, `NotReductionBlockError`, `NotSerialLoopKindError`, `LoopPropertyError`,
        `RFactorNotApplicableError`, `NoMatchedReducerError`, `FactorAxisOutOfRangeError`,
        `LoopNotStartWithZeroError`.
        """
        place = self.loop(loop)
        ref = block_properties.only_block(place)
        scope = block_properties.pipeline_scope(ref, "rfactor")
        if self.enable_check:
            block_properties.check_reduction_block(ref)
        kind = place.loop.kind
        if kind is not ForKind.SERIAL:
            raise NotSerialLoopKindError(loop=place.loop.loop_var.name, kind=kind.name.lower(), at=[place.loop])
        check_starts_at_zero(
            place.loop
        )  # the extent is the number of partial results; TVM writes out of bounds otherwise
        loops = loops_above(ref)
        spatial, reduced = _loop_vars_by_kind(realize_of(ref), {item.loop.loop_var for item in loops})
        _check_loops(ref, loops, place, spatial, reduced)
        excluding = _excluding_conditions(ref, loops, place, reduced)
        updates, combination = _match_reduction(ref.block)
        axis = _normalize_factor_axis(factor_axis, updates[0].buffer, place.loop)
        parts = _FactoredReduction(
            realize_of(ref), [item.loop for item in loops], place.loop, updates, combination, axis, excluding
        )
        return self.new_block(_insert_blocks(scope, ref, loops, place, reduced, parts))


# checks


def _loop_vars_by_kind(realize: BlockRealize, loops: Collection[Var]) -> tuple[set[Var], set[Var]]:
    """Return the loop variables that spatial axes depend on, and those that reduction axes depend on."""
    spatial: set[Var] = set()
    reduced: set[Var] = set()
    for axis, value in zip(realize.block.iter_vars, realize.iter_values, strict=True):
        (spatial if axis.iter_type is IterKind.DATA_PAR else reduced).update(uses(value).intersection(loops))
    return spatial, reduced


def _check_loops(
    block: StmtRef, loops: Sequence[StmtRef], place: StmtRef, spatial: set[Var], reduced: set[Var]
) -> None:
    """Raise `LoopPropertyError`, or `NonSingleChildBlockError`."""

    def refuse(ref: StmtRef, why: str) -> None:
        at = [ref.loop, block.block]
        raise LoopPropertyError(loop=ref.loop.loop_var.name, block=block.block.name_hint, why=why, at=at)

    if blocks_below(loops[0])[0] is not block:
        refuse(loops[0], "another block is the first one in it")
    is_inside = False
    for ref in loops:
        variable = ref.loop.loop_var
        if variable in spatial:
            if ref is place:
                refuse(ref, "a spatial axis depends on it")
            if variable in reduced:
                refuse(ref, "both spatial and reduction axes depend on it")
        elif variable in reduced:
            if not is_inside:
                block_properties.only_block(ref)
            is_inside = True
        elif not (isinstance(ref.loop.extent, IntImm) and ref.loop.extent.value == 1):
            if is_inside:
                refuse(ref, "no axis depends on it, and it is inside of a reduction loop")
            if ref is place:  # TVM repeats the whole reduction in each iteration
                refuse(ref, "no axis depends on it, so each iteration runs the whole reduction")


def _excluding_conditions(block: StmtRef, loops: Sequence[StmtRef], place: StmtRef, reduced: set[Var]) -> list[Expr]:
    """Return the parts of the predicate that may exclude the first step of an iteration of a loop.

    Conditions that do not depend on other reduction loops stay in the block of final results.
    """
    parts = block_properties.predicate_conjuncts(realize_of(block).predicate)
    domains = loop_ranges([ref.loop for ref in loops])
    first: dict[Var, Expr] = {var: domains[var].min for var in reduced - {place.loop.loop_var}}
    inner = {var for var in first if not fold.is_const(domains[var].extent, 1)}
    dropped = [part for part in parts if not uses(part).isdisjoint(inner)]
    if not dropped:
        return []
    analyzer = Analyzer()
    for variable, domain in domains.items():
        analyzer.bind(variable, domain)
    with ExitStack() as known:
        for part in parts:
            if uses(part).isdisjoint(inner):
                known.enter_context(analyzer.constraint(part))
        return [part for part in dropped if not analyzer.can_prove(substitute(part, first))]


def _normalize_factor_axis(axis: int, buffer: Buffer, loop: For) -> int:
    rank = len(buffer.shape)
    if not -rank - 1 <= axis <= rank:
        legal = f"factor_axis must be from {-rank - 1} to {rank}"
        raise FactorAxisOutOfRangeError(axis=axis, buffer=buffer.name, at=[loop], legal=legal)
    return axis + rank + 1 if axis < 0 else axis


def _match_reduction(block: Block) -> tuple[list[BufferStore], Combination]:
    """Return the stores of a block with let values inlined, and the matched reducer."""
    try:
        reduction = reduction_of(block)
    except NoReduction as refused:
        if not refused.values:
            raise RFactorNotApplicableError(block=block.name_hint, why=refused.why, at=[block]) from None
        shown = [", ".join(map(str, values)) for values in refused.values]
        raise NoMatchedReducerError(block=block.name_hint, identity=shown[0], update=shown[1], at=[block]) from None
    return reduction.updates, reduction.combination


# the two blocks


class _AxisList(NamedTuple):
    axes: list[IterVar]
    values: list[Expr]

    def add(self, axis: IterVar, value: Expr) -> None:
        self.axes.append(axis)
        self.values.append(value)

    @property
    def is_reduction(self) -> bool:
        return any(axis.iter_type is IterKind.COMM_REDUCE for axis in self.axes)


class _FactoredReduction:
    """The factored reduction: buffers of partial results, and the blocks that write and reduce them."""

    def __init__(
        self,
        realize: BlockRealize,
        loops: Sequence[For],
        loop: For,
        updates: Sequence[BufferStore],
        combination: Combination,
        axis: int,
        excluding: Sequence[Expr],
    ) -> None:
        self.realize = realize
        self.loops = {item.loop_var: item for item in loops}
        self.loop = loop
        self.updates = updates
        self.combination = combination
        self.axis = axis
        #: parts of the predicate that select the identity instead of the value
        self.excluding = excluding
        self.buffers = [self.partial(store.buffer) for store in updates]
        self.factored = _make_axis(loop, IterKind.DATA_PAR)
        self.first = self.partial_results()
        self.second = self.final_results()

    def partial(self, buffer: Buffer) -> Buffer:
        """Make the buffer of partial results."""
        shape = [*buffer.shape]
        shape.insert(self.axis, self.loop.extent)
        data = Var(f"{buffer.data.name}.rf", buffer.data.dtype, buffer.data.pointer_type)
        offset = buffer.elem_offset
        # the printer omits it if it has the dtype of the first extent
        start = IntImm(shape[0].dtype, offset.value if isinstance(offset, IntImm) else 0)
        return buffer.replace(name=f"{buffer.name}.rf", shape=tuple(shape), strides=(), data=data, elem_offset=start)

    def partial_results(self) -> BlockRealize:
        """Make the block that reduces over all loops but the factored one."""
        old = self.realize.block
        axis_list = _AxisList([self.factored], [self.loop.loop_var])
        substitution: dict[Var, Expr] = {self.loop.loop_var: self.factored.var}
        values: dict[Var, Expr] = {}
        for axis, value in zip(old.iter_vars, self.realize.iter_values, strict=True):
            if axis.iter_type is IterKind.DATA_PAR or self.loop.loop_var not in uses(value):
                axis_list.add(axis, value)
                continue
            # the axis depends on other loops too: bind these to axes of their own and compute it from them
            for variable in _vars_in_order(value):
                if variable in self.loops and variable not in substitution:
                    own = _make_axis(self.loops[variable], IterKind.COMM_REDUCE)
                    substitution[variable] = own.var
                    axis_list.add(own, variable)
            values[axis.var] = substitute(value, substitution)
        indices = [*self.updates[0].indices]
        indices.insert(self.axis, self.factored.var)
        stores = [
            BufferStore(buffer, value, tuple(indices))
            for buffer, value in zip(self.buffers, self.guarded_values(axis_list), strict=True)
        ]
        body = substitute(self.body(stores, axis_list.is_reduction), values)
        init = substitute(self.init(stores), values) if axis_list.is_reduction else None
        instead = {store.buffer: buffer for store, buffer in zip(self.updates, self.buffers, strict=True)}
        block = Block(
            tuple(axis_list.axes),
            tuple([substitute(region, values) for region in old.reads]),
            tuple([self.widened(region, instead[region.buffer], values) for region in old.writes]),
            f"{old.name_hint}_rf",
            body,
            init,
            annotations=old.annotations,
        )
        return BlockRealize(tuple(axis_list.values), self.remaining_predicate(), block)

    def guarded_values(self, axis_list: _AxisList) -> list[Expr]:
        """Return the reduced values, or the identity in excluded iterations. Raises `RFactorNotApplicableError`."""
        rhs = list(self.combination.rhs)
        if not self.excluding:
            return rhs
        axes: dict[Var, Expr] = {
            value: axis.var
            for axis, value in zip(axis_list.axes, axis_list.values, strict=True)
            if isinstance(value, Var)
        }
        for condition in self.excluding:
            if not uses(condition).intersection(self.loops) <= axes.keys():
                block, name = self.realize.block, self.loop.loop_var.name
                why = f"its predicate {condition} may exclude iterations of {name}, and is not one of its axes"
                raise RFactorNotApplicableError(block=block.name_hint, why=why, at=[block])
        condition = substitute(reduce(fold.logical_and, self.excluding), axes)
        start = self.combination.reducer.start([value.dtype for value in rhs])
        return [if_then_else(condition, value, identity) for value, identity in zip(rhs, start, strict=True)]

    def remaining_predicate(self) -> Expr:
        """Return the predicate without the conditions that guard values."""
        if not self.excluding:
            return self.realize.predicate
        remaining: Expr = fold.TRUE
        for part in block_properties.predicate_conjuncts(self.realize.predicate):
            if not any(part is each for each in self.excluding):
                remaining = fold.logical_and(remaining, part)
        return remaining

    def widened(self, region: BufferRegion, buffer: Buffer, values: dict[Var, Expr]) -> BufferRegion:
        """Return the region of partial results for a region of results."""
        box = [*region.region]
        variable = self.factored.var
        box.insert(self.axis, Range.from_min_extent(variable, IntImm(variable.dtype, 1)))
        return BufferRegion(buffer, tuple([substitute(part, values) for part in box]))

    def final_results(self) -> BlockRealize:
        """Make the block that reduces the partial results over the factored loop."""
        old = self.realize.block
        own = _make_axis(self.loop, IterKind.COMM_REDUCE)
        axis_list = _AxisList([own], [self.loop.loop_var])
        values: dict[Var, Expr] = {self.factored.var: own.var}
        for axis, value in zip(old.iter_vars, self.realize.iter_values, strict=True):
            if axis.iter_type is IterKind.DATA_PAR:
                fresh = axis.replace(var=axis.var.replace())
                values[axis.var] = fresh.var
                axis_list.add(fresh, value)
        indices = tuple([substitute(index, values) for index in self.updates[0].indices])
        wider = [*indices]
        wider.insert(self.axis, own.var)
        loads = [BufferLoad(buffer, tuple(wider)) for buffer in self.buffers]
        stores = [
            BufferStore(store.buffer, load, indices) for store, load in zip(self.updates, loads, strict=True)
        ]  # fmt: skip
        block = Block(
            tuple(axis_list.axes),
            tuple([point_region(load.buffer, load.indices) for load in loads]),
            tuple([point_region(store.buffer, store.indices) for store in stores]),
            old.name_hint,
            self.body(stores, True),
            self.init(stores),
            annotations=old.annotations,
        )
        # TVM 0.17 drops the conditions on spatial loops, and writes out of bounds
        reduced = _loop_vars_by_kind(self.realize, self.loops)[1] - {self.loop.loop_var}
        gone = [loop for variable, loop in self.loops.items() if variable in reduced]
        return BlockRealize(tuple(axis_list.values), drop_conditions_on(self.realize.predicate, gone), block)

    def body(self, stores: Sequence[BufferStore], is_reduction: bool) -> Stmt:
        """Make the stores of the values, combined with the accumulators in a reduction."""
        if not is_reduction:
            return seq(*stores)
        so_far = [BufferLoad(store.buffer, store.indices) for store in stores]
        values = self.combination.reducer.combine(so_far, [store.value for store in stores])
        if len(stores) == 1:
            return stores[0].replace(value=values[0])
        names = [Var(f"v_{store.buffer.name}", value.dtype) for store, value in zip(stores, values, strict=True)]
        stmt = seq(*[store.replace(value=name) for store, name in zip(stores, names, strict=True)])
        for name, value in reversed([*zip(names, values, strict=True)]):
            stmt = LetStmt(name, value, stmt)
        return stmt

    def init(self, stores: Sequence[BufferStore]) -> Stmt:
        """Make the stores of the identities."""
        start = self.combination.reducer.start([store.value.dtype for store in stores])
        return seq(*[store.replace(value=value) for store, value in zip(stores, start, strict=True)])


def _make_axis(loop: For, kind: IterKind) -> IterVar:
    """Make an axis with the range of a loop."""
    return IterVar(
        Range.from_min_extent(loop.min, loop.extent), Var(f"v{loop.loop_var.name}", loop.loop_var.dtype), kind
    )


def _vars_in_order(value: Expr) -> list[Var]:
    """Return the distinct variables of an expression, from left to right."""
    variables: dict[Var, None] = {}
    stack: list[Node] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, Var):
            variables[item] = None
        else:
            parts = [getattr(item, name) for name in item.schema.walked]
            stack += [part for part in reversed(parts) if isinstance(part, Node)]
    return [*variables]


def _insert_blocks(
    scope: StmtRef, ref: StmtRef, loops: Sequence[StmtRef], place: StmtRef, reduced: set[Var], parts: _FactoredReduction
) -> StmtRef:
    """Insert both blocks, partial results first, and allocate the buffers."""
    copies: dict[Var, Expr] = {item.loop.loop_var: item.loop.loop_var.replace() for item in loops}
    final: Stmt = parts.second
    partial: Stmt = substitute(parts.first, copies)
    old: For | Block = ref.block
    for item in reversed(loops):
        loop = item.loop
        body = replace_child(loop.body, old, final)
        is_kept = item is place or loop.loop_var not in reduced
        old, final = loop, loop.replace(body=body) if is_kept else body
        partial = loop.replace(
            loop_var=copies[loop.loop_var],
            min=substitute(loop.min, copies),
            extent=substitute(loop.extent, copies),
            body=partial,
            thread_binding=copy_thread_binding(loop),
        )
    body = replace_child(scope.block.body, loops[0].loop, seq(partial, final))
    new_block = scope.block.replace(body=body, alloc_buffers=(*scope.block.alloc_buffers, *parts.buffers))
    scope.tree.replace(scope, new_block, {new_block: scope.block, parts.second.block: ref.block})
    for part in (parts.first, parts.second):
        block_properties.assume_affine_binding(scope.tree.refs[part.block])
    return scope.tree.refs[parts.first.block]
