"""Loop tiling and fusion: split, fuse, add_unit_loop."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.errors import WrongArgumentCount
from tvmscript.ir.schedule.analysis.bindings import LoopVarSubstitution, simplify_bindings
from tvmscript.ir.schedule.errors import RootBlockError, ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.random_variables import BlockRV, ExprRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef, children, loops_above, realize_of
from tvmscript.ir.tir import Block, Expr, For, ForKind, Stmt, Var, as_expr, cast, uses
from tvmscript.ir.tir.expr import FloorDiv, FloorMod, IntImm, Range


class HasAnnotationOrThreadBindingError(ScheduleError, code="TS4110"):
    """A loop with annotations or a thread binding cannot be split, fused, merged or partitioned."""

    message = "loop {loop} has annotations or a thread binding"
    advice = "remove the annotations (unannotate), or transform the loop before it is annotated or bound"


class LoopNotStartWithZeroError(ScheduleError, code="TS4111"):
    """The primitive requires loops that start at 0."""

    message = "loop {loop} must start at 0, but starts at {start}"


class NotSingleInferFactorError(ScheduleError, code="TS4112"):
    """Several factors are None: only one can be inferred from the extent."""

    message = "more than one factor of loop {loop} is None"
    advice = "leave at most one factor None"


class NonPositiveFactorError(ScheduleError, code="TS4113"):
    """A factor is zero or negative."""

    message = "factor {index} of loop {loop} is {factor}; factors must be positive"
    advice = "write None for the factor that is inferred from the extent"


class WrongFactorError(ScheduleError, code="TS4114"):
    """The product of the factors of `split` must be at least the extent, or iterations would be lost. The sum of the
    factors of `loop_partition` must be less than the extent, or the last part would be empty.
    """

    message = "factors {factors} do not fit loop {loop} of extent {extent}: {rule}"


class OuterNotInnerParent(ScheduleError, code="TS4115"):
    """Loops to fuse must be directly nested, in the given order."""

    message = "loop {inner} is not directly nested in loop {outer}"


class NotOnlyChildError(ScheduleError, code="TS4116"):
    """The inner one of two loops must be the only statement in the outer one."""

    message = "{inner} is not the only statement in loop {outer}"


class DependentLoopError(ScheduleError, code="TS4117"):
    """Two loops cannot be fused or interchanged if the bounds of one depend on the other."""

    message = "the bounds of loop {inner} depend on loop {outer}"


class Loops(Recorder):
    """Loops."""

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
        """Split a loop into nested serial loops of these extents, outermost first; one factor may be None (inferred).

        If the product of the factors is not the extent, the blocks inside get a predicate, unless
        `disable_predication`. Without `preserve_unit_iters`, loops of extent 1 are removed from block bindings. Raises
        `NotSingleInferFactorError`, `NonPositiveFactorError`, `WrongFactorError`, `HasAnnotationOrThreadBindingError`,
        `LoopNotStartWithZeroError`.
        """
        ref = self.loop(loop)
        extents = _split_extents(ref.loop, [self.evaluate(factor) for factor in factors])
        check_no_annotation_or_binding(ref.loop)
        check_starts_at_zero(ref.loop)
        return self.new_loops(_split(ref, extents, preserve_unit_iters, disable_predication))

    @primitive("Fuse", inputs=("*loops",), attrs=("preserve_unit_iters",), promises=Promises(undone_by="split"))
    def fuse(self, *loops: LoopRV, preserve_unit_iters: bool = True) -> LoopRV:
        """Fuse perfectly nested loops, outermost first, into one serial loop.

        Raises `HasAnnotationOrThreadBindingError`, `OuterNotInnerParent`,
        `NotOnlyChildError`, `LoopNotStartWithZeroError`, `DependentLoopError`, `WrongArgumentCount`.
        """
        if not loops:
            raise WrongArgumentCount(where="fuse", expected="at least one loop", got="none")
        return self.new_loop(_fuse([self.loop(loop) for loop in loops], preserve_unit_iters))

    @primitive("AddUnitLoop", inputs=("block_or_loop",), promises=Promises(undone_by="fuse"))
    def add_unit_loop(self, block_or_loop: LoopRV | BlockRV) -> LoopRV:
        """Insert a loop of extent 1 around a loop or block. Raises `RootBlockError`."""
        ref = self.place(block_or_loop)
        if ref.parent is None:
            raise RootBlockError(primitive="add_unit_loop", at=[ref.block])
        inside: Stmt = realize_of(ref) if ref.is_block else ref.loop
        new_loop = For(Var("u", "int32"), IntImm("int32", 0), IntImm("int32", 1), ForKind.SERIAL, inside)
        ref.tree.replace(ref, new_loop)
        return self.new_loop(ref.tree.refs[new_loop])


# checks


def check_no_annotation_or_binding(loop: For) -> None:
    """Raise `HasAnnotationOrThreadBindingError` if a loop has annotations or a thread binding."""
    if loop.annotations or loop.thread_binding is not None:
        raise HasAnnotationOrThreadBindingError(loop=loop.loop_var.name, at=[loop])


def check_starts_at_zero(loop: For) -> None:
    """Raise `LoopNotStartWithZeroError` unless the loop starts at 0."""
    if not (fold.is_const(loop.min, 0) or Analyzer().can_prove_equal(loop.min, 0)):
        raise LoopNotStartWithZeroError(loop=loop.loop_var.name, start=loop.min, at=[loop])


def check_factors(loop: For, factors: Sequence[object]) -> None:
    """Raise `NotSingleInferFactorError` or `NonPositiveFactorError` for the first invalid factor."""
    is_open = False
    for index, factor in enumerate(factors):
        if factor is None:
            if is_open:
                raise NotSingleInferFactorError(loop=loop.loop_var.name, at=[loop])
            is_open = True
        elif isinstance(factor, int) and factor <= 0:
            raise NonPositiveFactorError(index=index, loop=loop.loop_var.name, factor=factor, at=[loop])


def check_nested(loops: Sequence[StmtRef]) -> None:
    """Raise an error unless the loops are perfectly nested, plain, and have independent bounds."""
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
                legal = f"directly nested in {names[0]}: {', '.join(below)}" if below else None
                inner_name = names[1] if error is OuterNotInnerParent else f"loop {names[1]}"
                raise error(outer=names[0], inner=inner_name, at=[outer.loop, loop], legal=legal)
        outer = ref
        check_starts_at_zero(loop)
        if not isinstance(loop.extent, IntImm):
            for used in uses(loop.extent):
                if used in variables:
                    raise DependentLoopError(outer=used.name, inner=loop.loop_var.name, at=[variables[used], loop])
        variables[loop.loop_var] = loop


# split


def _split_extents(loop: For, factors: Sequence[object]) -> list[Expr]:
    """Return the extents of the new loops; infer the factor that is None."""
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
            shown, rule = f"[{', '.join(map(str, factors))}]", "cannot prove that their product is at least the extent"
            raise WrongFactorError(
                factors=shown,
                loop=loop.loop_var.name,
                extent=extent,
                rule=rule,
                at=[loop],
                legal="write None for one factor to infer it from the extent",
            )
        return [size for size in sizes if size is not None]
    above = fold.sub(fold.add(extent, product), IntImm(extent.dtype, 1))
    rest = analyzer.simplify(fold.make(FloorDiv, above, product))
    return [rest if size is None else size for size in sizes]


def _cast_extent(factor: object, extent: Expr) -> Expr:
    expr = as_expr(factor, extent.dtype)
    return expr if expr.dtype is extent.dtype else cast(extent.dtype, expr)


def _split(
    ref: StmtRef, extents: Sequence[Expr], preserve_unit_iters: bool, disable_predication: bool
) -> list[StmtRef]:
    loop = ref.loop
    dtype = loop.loop_var.dtype
    zero = IntImm(dtype, 0)
    variables = [Var(f"{loop.loop_var.name}_{place}", dtype) for place in range(len(extents))]
    value: Expr = zero
    for variable, extent in zip(variables, extents, strict=True):
        value = fold.add(fold.mul(value, extent), variable)
    inside = value < loop.extent
    is_inside = disable_predication or _is_provable(inside, loop.extent, variables, extents)
    rebinding = LoopVarSubstitution({loop.loop_var: value}, None if is_inside else inside)
    body: Stmt = rebinding.rewrite(loop.body)
    for variable, extent in reversed([*zip(variables, extents, strict=True)]):
        body = For(variable, zero, extent, ForKind.SERIAL, body)
    around = [above.loop for above in loops_above(ref)]
    body = simplify_bindings(body, around, rebinding.blocks, preserve_unit_iters=preserve_unit_iters)
    return insert_loops(ref, body, len(extents), rebinding.blocks)


def _is_provable(inside: Expr, whole: Expr, variables: Sequence[Var], extents: Sequence[Expr]) -> bool:
    """Whether the new loops provably stay inside of the old one."""
    constants = [extent.value for extent in extents if isinstance(extent, IntImm)]
    if isinstance(whole, IntImm) and len(constants) == len(extents):
        return prod(constants) <= whole.value
    analyzer = Analyzer()
    for variable, extent in zip(variables, extents, strict=True):
        analyzer.bind(variable, Range.from_min_extent(IntImm(variable.dtype, 0), extent))
    return analyzer.can_prove(inside)


def insert_loops(ref: StmtRef, nest: Stmt, count: int, blocks: dict[Block, Block]) -> list[StmtRef]:
    """Replace a loop or block by nested loops; return their references, outermost first."""
    tree = ref.tree
    tree.replace(ref, nest, blocks)
    refs: list[StmtRef] = []
    for _ in range(count):
        refs.append(tree.refs[nest])
        nest = refs[-1].loop.body
    return refs


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
    new_loop = For(fused, IntImm(dtype, 0), Analyzer().simplify(total), ForKind.SERIAL, body)
    around = [above.loop for above in loops_above(loops[0])]
    stmt = simplify_bindings(new_loop, around, rebinding.blocks, preserve_unit_iters=preserve_unit_iters)
    return insert_loops(loops[0], stmt, 1, rebinding.blocks)[0]


def _cast_to_var(value: Expr, variable: Var) -> Expr:
    """Cast the value of a loop variable to the dtype of the variable."""
    return value if value.dtype is variable.dtype else cast(variable.dtype, value)
