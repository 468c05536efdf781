"""Split a padding block into a fill and a copy of the interior: decompose_padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.schedule.analysis.bindings import analyzer_of_loops, loop_ranges
from tvmscript.ir.schedule.analysis.block_properties import check_complete_block, enclosing_scope, predicate_conjuncts
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.primitive.decompose_reduction import check_loop_above_block
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef, loops_above, realize_of, replace_child
from tvmscript.ir.tir import Block, BlockRealize, BufferStore, Expr, For, ForKind, Stmt, Var, can_drop, seq, substitute
from tvmscript.ir.tir.expr import BufferRegion, Call, FloatImm, IntImm, IterKind, IterVar, Not, Range


class PaddingPatternMatchError(ScheduleError, code="TS4151"):
    """A padding block stores `T.if_then_else(condition, value, constant)`; the condition restricts each axis to a range
    and is not always true.
    """

    message = "block {block} does not match the padding pattern: {why}"


class DecomposePadding(Recorder):
    """Reductions and padding."""

    @primitive("DecomposePadding", inputs=("block", "loop"))
    def decompose_padding(self, block: BlockRV | str, loop: LoopRV) -> BlockRV:
        """Fill with the padding value before a loop around the block, and let the block store the interior only.

        Returns the new block `B_pad_const`; block `B` stores the interior. Raises `RootBlockError`,
        `IncompleteBlockError`, `LoopPositionError`, `PaddingPatternMatchError`.
        """
        ref, place = self.block(block), self.loop(loop)
        return self.new_block(_decompose_at(ref, place, _check_padding_block(ref, place)))

    def can_decompose_padding(self, block: BlockRV | str, loop: LoopRV) -> bool:
        """Whether `decompose_padding` can be applied."""
        refusal = self.attempt("decompose_padding", lambda: _check_padding_block(self.block(block), self.loop(loop)))
        return refusal is None


class _Padding(NamedTuple):
    """A padding block: it stores `value` where the axes are in `inside`, and `constant` elsewhere."""

    value: Expr
    constant: Expr
    inside: tuple[Range, ...]
    #: in terms of the loop variables
    conditions: list[Expr]


def _check_padding_block(ref: StmtRef, place: StmtRef) -> _Padding:
    enclosing_scope(ref, "decompose_padding")
    check_complete_block(ref)
    loops = loops_above(ref)
    check_loop_above_block(ref, place, loops)
    return _match_padding(realize_of(ref), [item.loop for item in loops])


def _match_padding(realize: BlockRealize, loops: Sequence[For]) -> _Padding:
    """Match the padding pattern. Raises `PaddingPatternMatchError`."""
    block = realize.block

    def error(why: str) -> PaddingPatternMatchError:
        return PaddingPatternMatchError(block=block.name_hint, why=why, at=[block])

    store = block.body
    if not isinstance(store, BufferStore):
        raise error("its body is not a single store")
    choice = store.value
    if not isinstance(choice, Call) or getattr(choice.op, "name", "") != "tir.if_then_else":
        raise error("its stored value is not a T.if_then_else")
    condition, value, otherwise = choice.args
    analyzer = analyzer_of_loops(loops)
    constant = analyzer.simplify(otherwise)
    if not isinstance(constant, (IntImm, FloatImm)):
        raise error(f"the padding value {otherwise} is not constant")
    if not can_drop(value):
        raise error("the interior value has side effects")
    values: dict[Var, Expr] = {
        axis.var: value for axis, value in zip(block.iter_vars, realize.iter_values, strict=True)
    }  # fmt: skip
    wanted = predicate_conjuncts(fold.logical_and(substitute(condition, values), realize.predicate))
    # comparisons are matched by form; simplify negations away
    conditions = [analyzer.simplify(part) if isinstance(part, Not) else part for part in wanted]
    together: Expr = IntImm("bool", 1)
    for part in conditions:
        together = fold.logical_and(together, part)
    if analyzer.can_prove(together):
        raise error("its condition is always true")
    sums = detect_iter_map(realize.iter_values, loop_ranges(loops), together).indices
    if not sums:
        raise error("its condition does not restrict each axis to a range")
    inside: list[Range] = []
    for index in sums:
        if not index.args:
            inside.append(Range.from_min_extent(index.base, IntImm(index.dtype, 1)))
            continue
        if index.args[0].step != 1:
            raise error("an axis has a stride other than 1")
        inside.append(Range.from_min_extent(index.base, index.args[0].extent))
    return _Padding(value, constant, tuple(inside), conditions)


def _decompose_at(ref: StmtRef, place: StmtRef, padding: _Padding) -> StmtRef:
    loops = loops_above(ref)
    below = loops[loops.index(place) :]
    analyzer = analyzer_of_loops([item.loop for item in loops])
    realize = realize_of(ref)
    filling, filled = _make_fill_nest(realize, padding, [item.loop for item in below], analyzer)
    # the innermost perfectly nested loops: their ranges can be narrowed
    count = 0
    inner: Stmt = realize
    while count < len(below) and below[-1 - count].loop.body is inner:
        inner = below[-1 - count].loop
        count += 1
    narrowed = [item.loop for item in below[len(below) - count :]]
    stmt, block = _make_interior_nest(realize, padding, narrowed, [item.loop for item in loops])
    old: For | Block = narrowed[0] if narrowed else ref.block
    for item in reversed(below[: len(below) - count]):
        old, stmt = item.loop, item.loop.replace(body=replace_child(item.loop.body, old, stmt))
    ref.tree.replace(place, seq(filling, stmt), {block: ref.block})
    return ref.tree.refs[filled]


def _make_fill_nest(
    realize: BlockRealize, padding: _Padding, loops: Sequence[For], analyzer: Analyzer
) -> tuple[Stmt, Block]:  # fmt: skip
    """Make the fill block, in serial copies of the loops."""
    block = realize.block
    store = block.body
    assert isinstance(store, BufferStore), "a padding block is a store"
    fresh: dict[Var, Expr] = {axis.var: axis.var.replace() for axis in block.iter_vars}
    variables = {loop.loop_var: loop.loop_var.replace() for loop in loops}

    def simple(expr: Expr) -> Expr:
        return analyzer.simplify(substitute(expr, fresh))

    filled = Block(
        tuple([axis.replace(var=fresh[axis.var], iter_type=IterKind.DATA_PAR) for axis in block.iter_vars]),
        (),
        tuple([_substitute_region(region, fresh, analyzer) for region in block.writes]),
        f"{block.name_hint}_pad_const",
        BufferStore(store.buffer, padding.constant, tuple([simple(index) for index in store.indices])),
    )
    values = tuple([analyzer.simplify(substitute(value, variables)) for value in realize.iter_values])
    stmt: Stmt = BlockRealize(values, analyzer.simplify(substitute(realize.predicate, variables)), filled)
    for loop in reversed(loops):
        first, extent = substitute(loop.min, variables), substitute(loop.extent, variables)
        stmt = For(variables[loop.loop_var], first, extent, ForKind.SERIAL, stmt)
    return stmt, filled


def _make_interior_nest(
    realize: BlockRealize, padding: _Padding, narrowed: Sequence[For], loops: Sequence[For]
) -> tuple[For | Block, Block]:
    """Make the interior block in its loops; a loop that is bound to an axis runs over the interior only."""
    block = realize.block
    store = block.body
    assert isinstance(store, BufferStore), "a padding block is a store"
    ranges = loop_ranges(loops)
    around = analyzer_of_loops(loops)
    can_narrow = {loop.loop_var for loop in narrowed}
    axes: list[IterVar] = []
    values: list[Expr] = []
    renamed: dict[Var, Expr] = {}
    shifted: dict[Var, Expr] = {}
    for axis, value, inside in zip(block.iter_vars, realize.iter_values, padding.inside, strict=True):
        variable = axis.var.replace()
        domain = Range.from_min_extent(IntImm(variable.dtype, 0), inside.extent)
        axes.append(IterVar(domain, variable, IterKind.DATA_PAR))
        renamed[axis.var] = fold.add(variable, inside.min)
        if isinstance(value, Var) and value in can_narrow:
            ranges[value] = domain
            shifted[value] = fold.add(value, inside.min)
            values.append(value)
        else:
            values.append(around.simplify(fold.sub(value, inside.min)))
    analyzer = Analyzer()
    for name, domain in ranges.items():
        analyzer.bind(name, domain)
    new_block = Block(
        tuple(axes),
        tuple([_substitute_region(region, renamed, analyzer) for region in block.reads]),
        tuple([_substitute_region(region, renamed, analyzer) for region in block.writes]),
        block.name_hint,
        BufferStore(
            store.buffer,
            analyzer.simplify(substitute(padding.value, renamed)),
            tuple([analyzer.simplify(substitute(index, renamed)) for index in store.indices]),
        ),
    )
    predicate: Expr = IntImm("bool", 1)
    for condition in padding.conditions:
        predicate = fold.logical_and(predicate, analyzer.simplify(substitute(condition, shifted)))
    stmt: Stmt = BlockRealize(tuple(values), predicate, new_block)
    for loop in reversed(narrowed):
        domain = ranges[loop.loop_var]
        stmt = loop.replace(min=domain.min, extent=domain.extent, body=stmt)
    return stmt, new_block  # type: ignore[return-value]  # a loop, or what stands for the block


def _substitute_region(region: BufferRegion, values: dict[Var, Expr], analyzer: Analyzer) -> BufferRegion:
    """Substitute variables in a region and simplify it."""
    box = [
        Range.from_min_extent(
            analyzer.simplify(substitute(part.min, values)), analyzer.simplify(substitute(part.extent, values))
        )
        for part in region.region
    ]
    return BufferRegion(region.buffer, tuple(box))
