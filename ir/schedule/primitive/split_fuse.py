"""Loops cut into loops, joined to one, and put around a statement: split, fuse, add_unit_loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.errors import WrongArgumentCount
from tvmscript.ir.schedule.analysis.bindings import LoopVarSubstitution, simplify_bindings
from tvmscript.ir.schedule.errors import RootBlockError, ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.random_variables import BlockRV, ExprRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef, children, loops_above, realize_of
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import FloorDiv, FloorMod, IntImm, Range
from tvmscript.ir.tir.operators import as_expr, cast
from tvmscript.ir.tir.stmt import Block, For, ForKind
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var


class HasAnnotationOrThreadBindingError(ScheduleError):
    """A loop with annotations or a thread axis is cut or joined: what becomes of them would be unclear."""

    code = "TS4110"
    message = "the loop {loop} has annotations or a thread binding"
    advice = "remove them first (unannotate), or change the loop before it is annotated or bound"


class LoopNotStartWithZeroError(ScheduleError):
    """The primitive takes loops that start at 0."""

    code = "TS4111"
    message = "the loop {loop} starts at {start}, not at 0"


class NotSingleInferFactorError(ScheduleError):
    """More than one factor is left open: only one can be found from the extent."""

    code = "TS4112"
    message = "several factors of the loop {loop} are None"
    advice = "leave at most one factor open"


class NonPositiveFactorError(ScheduleError):
    """A factor is zero or negative."""

    code = "TS4113"
    message = "factor {index} of the loop {loop} is {factor}"
    advice = "factors are positive; None stands for what is left"


class WrongFactorError(ScheduleError):
    """The factors of `split` multiply to less than the extent of the loop, so that iterations would be lost; or those
    of `loop_partition` add up to the extent or more, so that nothing is left for the last part.
    """

    code = "TS4114"
    message = "the factors {factors} do not fit the loop {loop} of extent {extent}: {rule}"


class OuterNotInnerParent(ScheduleError):
    """Loops that are fused stand in each other, in the order in which they are given."""

    code = "TS4115"
    message = "the loop {inner} does not stand directly in the loop {outer}"


class NotOnlyChildError(ScheduleError):
    """A loop that is joined with the loop around it is the only statement in that loop."""

    code = "TS4116"
    message = "the loop {inner} is not all that is in the loop {outer}"


class DependentLoopError(ScheduleError):
    """The bounds of a loop use the variable of another one: the two can be neither joined nor exchanged."""

    code = "TS4117"
    message = "the bounds of the loop {inner} depend on the loop {outer}"


class Loops(Recorder):
    """split, fuse, add_unit_loop."""

    @primitive(
        "Split",
        inputs=("loop", "*factors"),
        attrs=("preserve_unit_iters", "disable_predication"),
        promises=Promises(undone_by="fuse"),
    )
    def split(
        self,
        loop: LoopRV,
        factors: Sequence[int | ExprRV | Expr | None],
        preserve_unit_iters: bool = True,
        disable_predication: bool = False,
    ) -> list[LoopRV]:
        """Replace a loop by nested loops of these extents, the outermost first; one may be None: what is left.

        Where the factors do not divide the extent, the blocks below get a predicate, unless `disable_predication`.
        The new loops are serial. Without `preserve_unit_iters`, loops of one iteration do not occur in the bindings
        of blocks. Raises `NotSingleInferFactorError`, `NonPositiveFactorError`, `WrongFactorError`,
        `HasAnnotationOrThreadBindingError`, `LoopNotStartWithZeroError`.
        """
        ref = self.loop(loop)
        extents = _split_extents(ref.loop, [self.number(factor) for factor in factors])
        check_no_annotation_or_binding(ref.loop)
        check_starts_at_zero(ref.loop)
        return self.new_loops(_split(ref, extents, preserve_unit_iters, disable_predication))

    @primitive("Fuse", inputs=("*loops",), attrs=("preserve_unit_iters",), promises=Promises(undone_by="split"))
    def fuse(self, *loops: LoopRV, preserve_unit_iters: bool = True) -> LoopRV:
        """Replace loops, each the only statement in the one before it, by a single loop over all their iterations.

        It is serial. Raises `HasAnnotationOrThreadBindingError`, `OuterNotInnerParent`,
        `NotOnlyChildError`, `LoopNotStartWithZeroError`, `DependentLoopError`, `WrongArgumentCount`.
        """
        if not loops:
            raise WrongArgumentCount(where="fuse", expected="at least one loop", got="none")
        return self.new_loop(_fuse([self.loop(loop) for loop in loops], preserve_unit_iters))

    @primitive("AddUnitLoop", inputs=("block_or_loop",), promises=Promises(undone_by="fuse"))
    def add_unit_loop(self, block_or_loop: LoopRV | BlockRV) -> LoopRV:
        """Put a loop of one iteration around a loop or a block. Raises `RootBlockError`."""
        ref = self.place(block_or_loop)
        if ref.parent is None:
            raise RootBlockError(primitive="add_unit_loop", at=[ref.block])
        inside: Stmt = realize_of(ref) if ref.is_block else ref.loop
        made = For(Var("u", "int32"), IntImm("int32", 0), IntImm("int32", 1), ForKind.SERIAL, inside)
        ref.tree.replace(ref, made)
        return self.new_loop(ref.tree.refs[made])


# checks


def check_no_annotation_or_binding(loop: For) -> None:
    """Raise `HasAnnotationOrThreadBindingError` where a loop has annotations or a thread axis."""
    if loop.annotations or loop.thread_binding is not None:
        raise HasAnnotationOrThreadBindingError(loop=loop.loop_var.name, at=[loop])


def check_starts_at_zero(loop: For) -> None:
    """Raise `LoopNotStartWithZeroError` unless the loop starts at 0."""
    if not (fold.is_const(loop.min, 0) or Analyzer().can_prove_equal(loop.min, 0)):
        raise LoopNotStartWithZeroError(loop=loop.loop_var.name, start=loop.min, at=[loop])


def check_factors(loop: For, factors: Sequence[Any]) -> None:
    """Raise `NotSingleInferFactorError` and `NonPositiveFactorError`, the first that applies from left to right."""
    is_open = False
    for index, factor in enumerate(factors):
        if factor is None:
            if is_open:
                raise NotSingleInferFactorError(loop=loop.loop_var.name, at=[loop])
            is_open = True
        elif isinstance(factor, int) and factor <= 0:
            raise NonPositiveFactorError(index=index, loop=loop.loop_var.name, factor=factor, at=[loop])


def check_nested(loops: Sequence[StmtRef]) -> None:
    """Raise an error unless each loop is all that stands in the one before it, and none has bounds of another."""
    variables: dict[Var, For] = {}
    outer: StmtRef | None = None
    for ref in loops:
        loop = ref.loop
        check_no_annotation_or_binding(loop)
        if outer is not None:
            error = OuterNotInnerParent if ref.parent is not outer else NotOnlyChildError
            if outer.loop.body is not loop:
                names = outer.loop.loop_var.name, loop.loop_var.name
                below = [item.loop.loop_var.name for item in children(outer) if not item.is_block]
                legal = f"directly in it: {', '.join(below)}" if below else None
                raise error(outer=names[0], inner=names[1], at=[outer.loop, loop], legal=legal)
        outer = ref
        check_starts_at_zero(loop)
        if not isinstance(loop.extent, IntImm):
            for used in uses(loop.extent):
                if used in variables:
                    raise DependentLoopError(outer=used.name, inner=loop.loop_var.name, at=[variables[used], loop])
        variables[loop.loop_var] = loop


# split


def _split_extents(loop: For, factors: Sequence[Any]) -> list[Expr]:
    """The extents of the parts of a loop."""
    check_factors(loop, factors)
    extent = loop.extent
    sizes = [None if factor is None else _cast_extent(factor, extent) for factor in factors]
    product: Expr = IntImm(extent.dtype, 1)
    for size in sizes:
        if size is not None:
            product = fold.mul(product, size)
    analyzer = Analyzer()
    if None not in sizes:
        if not analyzer.can_prove(product >= extent):
            shown, rule = f"[{', '.join(map(str, factors))}]", "their product is not known to reach it"
            raise WrongFactorError(
                factors=shown,
                loop=loop.loop_var.name,
                extent=extent,
                rule=rule,
                at=[loop],
                legal="leave one of them open (None): it becomes what is left",
            )
        return [size for size in sizes if size is not None]
    above = fold.sub(fold.add(extent, product), IntImm(extent.dtype, 1))
    rest = Analyzer().simplify(fold.make(FloorDiv, above, product))
    return [rest if size is None else size for size in sizes]


def _cast_extent(factor: Any, extent: Expr) -> Expr:
    made = as_expr(factor, extent.dtype)
    return made if made.dtype is extent.dtype else cast(extent.dtype, made)


def _split(
    ref: StmtRef, extents: Sequence[Expr], preserve_unit_iters: bool, disable_predication: bool
) -> list[StmtRef]:
    loop = ref.loop
    dtype = loop.loop_var.dtype
    zero = IntImm(dtype, 0)
    variables = [Var(f"{loop.loop_var.name}_{place}", dtype) for place in range(len(extents))]
    analyzer = Analyzer()
    value: Expr = zero
    for variable, extent in zip(variables, extents, strict=True):
        analyzer.bind(variable, Range.from_min_extent(zero, extent))
        value = fold.add(fold.mul(value, extent), variable)
    inside = value < loop.extent
    is_inside = disable_predication or analyzer.can_prove(inside)
    rebinding = LoopVarSubstitution({loop.loop_var: value}, None if is_inside else inside)
    body: Stmt = rebinding.rewrite(loop.body)
    for variable, extent in reversed([*zip(variables, extents, strict=True)]):
        body = For(variable, zero, extent, ForKind.SERIAL, body)
    around = [above.loop for above in loops_above(ref)]
    body = simplify_bindings(body, around, rebinding.blocks, preserve_unit_iters=preserve_unit_iters)
    return insert_loops(ref, body, len(extents), rebinding.blocks)


def insert_loops(ref: StmtRef, made: Stmt, count: int, blocks: dict[Block, Block]) -> list[StmtRef]:
    """Put nested loops in the place of a loop or block, and find them there."""
    tree = ref.tree
    tree.replace(ref, made, blocks)
    found: list[StmtRef] = []
    for _ in range(count):
        found.append(tree.refs[made])
        made = found[-1].loop.body
    return found


# fuse


def _fuse(loops: Sequence[StmtRef], preserve_unit_iters: bool) -> StmtRef:
    check_nested(loops)
    parts = [ref.loop for ref in loops]
    outermost = parts[0]
    dtype = max((part.loop_var.dtype for part in parts), key=lambda dtype: dtype.bits)
    fused = Var("_".join([*(part.loop_var.name for part in parts), "fused"]), dtype)
    extents = [_cast_extent(part.extent, IntImm(dtype, 0)) for part in parts]
    values: dict[Var, Expr] = {}
    lower: Expr = IntImm(dtype, 1)
    for part, extent in zip(reversed(parts[1:]), reversed(extents[1:]), strict=True):
        above = fold.mul(lower, extent)
        digit = fold.make(FloorDiv, fold.make(FloorMod, fused, above), lower)
        values[part.loop_var] = IntImm(dtype, 0) if fold.is_const(extent, 1) else digit
        lower = above
    first = IntImm(dtype, 0) if fold.is_const(extents[0], 1) else fold.make(FloorDiv, fused, lower)
    values[outermost.loop_var] = first
    total: Expr = IntImm(dtype, 1)
    for extent in extents:
        total = fold.mul(total, extent)
    narrowed = {variable: _cast_to_var(value, variable) for variable, value in values.items()}
    rebinding = LoopVarSubstitution(narrowed)
    body = rebinding.rewrite(parts[-1].body)
    made = For(fused, IntImm(dtype, 0), Analyzer().simplify(total), ForKind.SERIAL, body)
    around = [above.loop for above in loops_above(loops[0])]
    stmt = simplify_bindings(made, around, rebinding.blocks, preserve_unit_iters=preserve_unit_iters)
    return insert_loops(loops[0], stmt, 1, rebinding.blocks)[0]


def _cast_to_var(value: Expr, variable: Var) -> Expr:
    """A value in the dtype of the variable that it stands for."""
    return value if value.dtype is variable.dtype else cast(variable.dtype, value)
