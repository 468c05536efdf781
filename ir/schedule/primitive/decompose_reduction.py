"""Split a reduction into init and update blocks: decompose_reduction."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.analysis.blocks.block_access import block_access
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.analysis.block_properties import (
    NotReductionBlockError,
    check_reduction_block,
    enclosing_scope,
)
from tvmscript.ir.schedule.analysis.overlapping_iterations import check_no_overlaps, check_not_repeated
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.primitive.for_kind import copy_thread_binding
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef, loops_above, realize_of, replace_child
from tvmscript.ir.tir import And, Block, BlockRealize, BufferLoad, Expr, For, IntImm, IterKind, Stmt, Var, seq
from tvmscript.ir.tir.substitute import substitute, uses


class LoopPositionError(ScheduleError, code="TS4124"):
    """The loop must contain the block, in the same scope."""

    message = "loop {loop} is not a loop of block {block}"


class LoopHeightError(ScheduleError, code="TS4125"):
    """The init would run again in every iteration of an outer reduction loop."""

    message = (
        "the init of block {block} cannot be placed before loop {loop}: reduction axis {axis} depends on "
        "outer loop {outer}"
    )


class DecomposeReduction(Recorder):
    """Reductions and padding."""

    @primitive("DecomposeReduction", inputs=("block", "loop"))
    def decompose_reduction(self, block: BlockRV | str, loop: LoopRV) -> BlockRV:
        """Move the init of a reduction into a block before a loop around it.

        Block `B` becomes `B_init`, which is returned, and `B_update`, the new value of `block`. Raises
        `RootBlockError`, `LoopPositionError`, `NotReductionBlockError`, `LoopHeightError`, `RepeatedUpdateError`,
        `OverlappingStepsError`.
        """
        ref, place = self.block(block), self.loop(loop)
        enclosing_scope(ref, "decompose_reduction")
        loops = loops_above(ref)
        check_loop_above_block(ref, place, loops)
        if self.enable_check:
            check_reduction_block(ref)
            _check_height(ref, place, loops)
            check_not_repeated(ref, loops[loops.index(place) :])
            check_no_overlaps(ref, loops[loops.index(place) :])
        elif ref.block.init is None:
            raise NotReductionBlockError(block=ref.block.name_hint, why="it has no init", at=[ref.block])
        return self.new_block(_decompose_at(ref, loops[loops.index(place) :]))


def check_loop_above_block(block: StmtRef, loop: StmtRef, loops: Sequence[StmtRef]) -> None:
    """Raise `LoopPositionError` unless the loop is one of the loops of the block."""
    if loop not in loops:
        names = listed([item.loop.loop_var.name for item in loops])
        raise LoopPositionError(
            loop=loop.loop.loop_var.name,
            block=block.block.name_hint,
            at=[loop.loop, block.block],
            legal=f"the loops of {block.block.name_hint} are: {names}"
            if loops
            else f"{block.block.name_hint} has no loops",
        )


def _check_height(block: StmtRef, place: StmtRef, loops: Sequence[StmtRef]) -> None:
    """Raise `LoopHeightError` if a reduction axis depends on a loop outside of `place`."""
    stmt = block.block
    outer = [item.loop for item in loops[: loops.index(place)]]
    for axis, value in zip(stmt.iter_vars, realize_of(block).iter_values, strict=True):
        if axis.iter_type is not IterKind.COMM_REDUCE:
            continue
        used = uses(value)
        for loop in outer:
            if loop.loop_var in used:
                highest = next(n for n, item in enumerate(outer) if item is loop)
                names = [item.loop.loop_var.name for item in loops[: highest + 1]]
                raise LoopHeightError(
                    axis=axis.var.name,
                    block=stmt.name_hint,
                    outer=loop.loop_var.name,
                    loop=place.loop.loop_var.name,
                    at=[place.loop, loop, stmt],
                    legal=f"decompose_reduction works for: {listed(names)}",
                )


def _decompose_at(ref: StmtRef, below: Sequence[StmtRef]) -> StmtRef:
    """Insert the init before the first of the loops; `below` are the loops from there down to the block."""
    stmt = ref.block
    init = _make_init_nest(stmt, realize_of(ref), [item.loop for item in below])
    read = {region.buffer for region in stmt.reads}
    update = stmt.replace(
        name_hint=f"{stmt.name_hint}_update",
        init=None,
        # the update reads the accumulator
        reads=(*(region for region in stmt.writes if region.buffer not in read), *stmt.reads),
    )
    old: For | Block = stmt
    new_stmt: For | Block = update
    for item in reversed(below):
        old, new_stmt = item.loop, item.loop.replace(body=replace_child(item.loop.body, old, new_stmt))
    ref.tree.replace(below[0], seq(init, new_stmt), {update: stmt})
    result: Stmt = init
    while isinstance(result, For):
        result = result.body
    assert isinstance(result, BlockRealize), "loops around the init"
    return ref.tree.refs[result.block]


def _make_init_nest(stmt: Block, realize: BlockRealize, loops: Sequence[For]) -> Stmt:
    """Make the init block, in copies of the loops that its axes depend on."""
    axes = [*zip(stmt.iter_vars, realize.iter_values, strict=True)]
    spatial = [(axis, value) for axis, value in axes if axis.iter_type is IterKind.DATA_PAR]
    fresh: dict[Var, Expr] = {axis.var: axis.var.replace() for axis, _ in spatial}
    assert stmt.init is not None, "a reduction block has an init"
    block = Block(
        tuple([axis.replace(var=fresh[axis.var]) for axis, _ in spatial]),
        (),
        tuple([substitute(region, fresh) for region in stmt.writes]),
        f"{stmt.name_hint}_init",
        substitute(stmt.init, fresh),
        annotations=stmt.annotations,
    )
    reads = {node.buffer.data: node.buffer for node in nodes(block.body) if isinstance(node, BufferLoad)}
    if reads:
        block = block.replace(reads=block_access(block, reads)[0])
    values = tuple([value for _, value in spatial])
    used = uses(values)
    kept = [loop for loop in loops if loop.loop_var in used]
    dropped = [loop for loop in loops if loop.loop_var not in used]
    body: Stmt = BlockRealize(values, drop_conditions_on(realize.predicate, dropped), block)
    copies: dict[Var, Expr] = {}
    for loop in reversed(kept):
        variable = Var(f"{loop.loop_var.name}_init", loop.loop_var.dtype)
        copies[loop.loop_var] = variable
        body = For(variable, loop.min, loop.extent, loop.kind, body, copy_thread_binding(loop))
    return substitute(body, copies)


def drop_conditions_on(predicate: Expr, loops: Sequence[For]) -> Expr:
    """Return a predicate outside of `loops`: unit loops take their only value, conditions on other loops are dropped.

    The order of conditions is reversed, as in TVM; TVM also drops conditions on unit loops.
    """
    once: dict[Var, Expr] = {loop.loop_var: loop.min for loop in loops if fold.is_const(loop.extent, 1)}
    gone = {loop.loop_var for loop in loops} - once.keys()
    kept: list[Expr] = []
    rest = predicate
    while isinstance(rest, And):
        kept.append(rest.b)
        rest = rest.a
    expr: Expr = IntImm("bool", 1)
    for condition in (*kept, rest):
        used = uses(condition)
        if not used.isdisjoint(gone):
            continue
        expr = fold.logical_and(
            expr, condition if used.isdisjoint(once) else Analyzer().simplify(substitute(condition, once))
        )
    return expr
