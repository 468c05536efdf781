"""Splitting, fusing and ordering loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.visit import on
from tvmscript.ir.schedule.base import Recorder, primitive
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_variables import ExprRV, LoopRV
from tvmscript.ir.schedule.tree import Ref
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import FloorDiv, IntImm, Range
from tvmscript.ir.tir.operators import as_expr, match_types
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import BlockRealize, For, ForKind
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.var import Var


class HasAnnotationOrThreadBindingError(ScheduleError):
    """A loop with annotations or a thread axis is cut or joined: what becomes of them would be unclear."""

    code = "TS4110"
    message = "the loop {loop} has annotations or a thread binding"
    advice = "remove them first (unannotate), or split before binding"


class LoopNotStartWithZeroError(ScheduleError):
    """The primitive takes loops that start at 0."""

    code = "TS4111"
    message = "the loop {loop} starts at {start}, not at 0"


class NotSingleInferFactorError(ScheduleError):
    """More than one factor is left open: only one can be found from the extent."""

    code = "TS4112"
    message = "{count} factors of the loop {loop} are None"
    advice = "leave at most one factor open"


class NonPositiveFactorError(ScheduleError):
    """A factor is zero or negative."""

    code = "TS4113"
    message = "factor {index} of the loop {loop} is {factor}"


class WrongFactorError(ScheduleError):
    """The factors do not cover the loop."""

    code = "TS4114"
    message = "the factors {factors} of the loop {loop} do not cover its extent {extent}"


class Loops(Recorder):
    """split, fuse, reorder, ..."""

    @primitive("Split", inputs=("loop", "*factors"), attrs=("preserve_unit_iters", "disable_predication"))
    def split(
        self,
        loop: LoopRV,
        factors: Sequence[int | ExprRV | Expr | None],
        preserve_unit_iters: bool = True,
        disable_predication: bool = False,
    ) -> list[LoopRV]:
        """Replace a loop by nested loops of these extents, the outermost first; one may be None: what is left.

        Where the factors do not divide the extent, the blocks below get a predicate, unless `disable_predication`.
        Raises `HasAnnotationOrThreadBindingError`, `LoopNotStartWithZeroError`, `NotSingleInferFactorError`,
        `NonPositiveFactorError`, `WrongFactorError`.
        """
        ref = self.loop(loop)
        extents = _extents(ref.loop, [self.number(factor) for factor in factors])
        return self.new_loops(_split(ref, extents, disable_predication))


def _extents(loop: For, factors: Sequence[Any]) -> list[Expr]:
    name = loop.loop_var.name
    if loop.annotations or loop.kind is ForKind.THREAD_BINDING:
        raise HasAnnotationOrThreadBindingError(loop=name, at=[loop])
    check_starts_at_zero(loop)
    # -1 is TVM's other spelling of None
    known = [None if item is None or item == -1 else item for item in factors]
    if known.count(None) > 1:
        raise NotSingleInferFactorError(count=known.count(None), loop=name, at=[loop])
    for index, factor in enumerate(known):
        if isinstance(factor, int) and factor <= 0:
            raise NonPositiveFactorError(index=index, loop=name, factor=factor, at=[loop])
    sizes = [None if item is None else match_types(as_expr(item), loop.extent)[0] for item in known]
    product: Expr = IntImm(loop.extent.dtype, 1)
    for size in sizes:
        if size is not None:
            product = fold.mul(product, size)
    analyzer = Analyzer()
    rest = analyzer.simplify(
        fold.make(FloorDiv, fold.add(loop.extent, fold.sub(product, IntImm(product.dtype, 1))), product)
    )
    if None not in sizes and not analyzer.can_prove(product >= loop.extent):
        raise WrongFactorError(factors=f"[{', '.join(map(str, known))}]", loop=name, extent=loop.extent, at=[loop])
    return [rest if size is None else size for size in sizes]


def check_starts_at_zero(loop: For) -> None:
    """Raise `LoopNotStartWithZeroError` unless the loop starts at 0."""
    if not (isinstance(loop.min, IntImm) and loop.min.value == 0):
        raise LoopNotStartWithZeroError(loop=loop.loop_var.name, start=loop.min, at=[loop])


def _split(ref: Ref, extents: Sequence[Expr], disable_predication: bool) -> list[Ref]:
    loop = ref.loop
    dtype = loop.loop_var.dtype
    variables = [Var(f"{loop.loop_var.name}_{place}", dtype) for place in range(len(extents))]
    analyzer = Analyzer()
    value: Expr = IntImm(dtype, 0)
    for variable, extent in zip(variables, extents, strict=True):
        analyzer.bind(variable, Range(IntImm(dtype, 0), extent))
        value = fold.add(fold.mul(value, extent), variable)
    body = substitute(loop.body, {loop.loop_var: value})
    inside = value < loop.extent
    if not disable_predication and not analyzer.can_prove(inside):
        body = WithPredicate(inside).rewrite(body)
    for variable, extent in reversed([*zip(variables, extents, strict=True)]):
        body = For(variable, IntImm(dtype, 0), extent, loop.kind, body)
    ref.tree.replace(ref, body)
    outer = ref.tree.refs[body]
    made = [outer]
    for _ in extents[1:]:
        made.append(ref.tree.refs[made[-1].loop.body])
    return made


class WithPredicate(TirRewriter):
    """Outermost blocks run only where a condition holds as well."""

    def __init__(self, condition: Expr) -> None:
        super().__init__()
        self.condition = condition

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        return node.replace(predicate=fold.logical_and(node.predicate, self.condition))
