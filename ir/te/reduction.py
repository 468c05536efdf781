"""Reductions of tensor expressions: `comm_reducer`, and `sum`, `max`, `min`, `prod`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import reduce
from typing import Any, Final, Protocol, overload

from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.core import DType
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import WrongArgumentCount, WrongType
from tvmscript.ir.te.generator import expand
from tvmscript.ir.tir import CommReducer, Expr, IterVar, Var, as_expr, const
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.tir.intrin.derived import max_value, min_value
from tvmscript.ir.tir.operators import logical_and
from tvmscript.ir.tir.te_nodes import Reduce

#: combines two values, or two groups of values
Combine = Callable[[Any, Any], Any]
#: dtypes -> the values that leave others as they are
Identity = Callable[..., Any]
#: axes of a reduction, or an operand where values are combined
Axes = IterVar | Sequence[IterVar] | Operand


class Reducer(Protocol):
    """A commutative reduction of values, of tuples of values, or of a generator: see `comm_reducer`."""

    @overload
    def __call__(
        self,
        expr: tuple[Operand, ...] | list[Operand],
        axis: Axes | None = None,
        where: Operand | None = None,
        init: Sequence[Operand] | None = None,
        *args: Operand,
    ) -> tuple[Expr, ...]: ...
    @overload
    def __call__(
        self,
        expr: Operand | Generator[Operand, None, None],
        axis: Axes | None = None,
        where: Operand | None = None,
        init: Operand | None = None,
        *args: Operand,
    ) -> Expr: ...


def comm_reducer(fcombine: Combine, fidentity: Identity, name: str = "reduce") -> Reducer:
    """Return a commutative reduction: `comm_reducer(lambda x, y: x * y, lambda dtype: te.const(1, dtype), "prod")`.

    The result takes a value, or a tuple of values, and its axes: `prod(A[i, k], axis=k)`, also with a condition `where`
    and an initial value `init`; or a generator, `prod(A[i, k] for k in range(K))`; or two or more values to combine,
    `prod(a, b)`.
    """

    def reducer(expr: Any, axis: Any = None, where: Any = None, init: Any = None, *args: Any) -> Any:
        if axis is None and isinstance(expr, Generator):
            return _reduce_generator(fcombine, fidentity, expr, name, where, init)
        if isinstance(axis, (IterVar, list, tuple)):
            axes = tuple(axis) if isinstance(axis, (list, tuple)) else (axis,)
            return _reduction(fcombine, fidentity, expr, axes, where, init)
        values = [value for value in (expr, axis, where, init, *args) if value is not None]
        if len(values) < 2:
            raise WrongArgumentCount(where=f"te.{name}", expected="axes, or two or more values", got="one value")
        return reduce(fcombine, values)

    reducer.__name__ = reducer.__qualname__ = name
    return reducer


def _reduction(
    fcombine: Combine, fidentity: Identity, expr: Any, axes: tuple[IterVar, ...], where: Operand | None, init: Any
) -> Expr | tuple[Expr, ...]:
    """Return a reduction as a value, or one for each value of a tuple. Raises `WrongType`."""
    is_tuple = isinstance(expr, (list, tuple))
    source = tuple([as_expr(value) for value in (expr if is_tuple else (expr,))])
    dtypes = [value.dtype for value in source]
    combiner = _combiner(fcombine, fidentity, dtypes, is_tuple)
    condition = TRUE if where is None else as_expr(where)
    start = (
        ()
        if init is None
        else tuple([as_expr(value, dtype) for value, dtype in zip(init if is_tuple else (init,), dtypes, strict=True)])
    )
    results = tuple([Reduce(combiner, source, axes, condition, index, start) for index in range(len(source))])
    return results if is_tuple else results[0]


def _combiner(fcombine: Combine, fidentity: Identity, dtypes: list[DType], is_tuple: bool) -> CommReducer:
    """Return the combiner of values of these dtypes, with variables that are named as the function names them."""
    code = getattr(fcombine, "__code__", None)
    if code is None or code.co_argcount != 2:
        raise WrongType(where="te.comm_reducer", expected="a function of two values", got=repr(fcombine))
    lhs, rhs = [
        tuple([Var(f"{name}_{i}" if is_tuple else name, dtype) for i, dtype in enumerate(dtypes)])
        for name in code.co_varnames[:2]
    ]
    if is_tuple:
        result, identity = fcombine(lhs, rhs), fidentity(*map(str, dtypes))
    else:
        result, identity = (fcombine(lhs[0], rhs[0]),), (fidentity(str(dtypes[0])),)
    return CommReducer(lhs, rhs, tuple(map(as_expr, result)), tuple(map(as_expr, identity)))


def _reduce_generator(
    fcombine: Combine,
    fidentity: Identity,
    generator: Generator[Any, None, None],
    name: str,
    where: Operand | None,
    init: Any,
) -> Expr | tuple[Expr, ...]:
    """Reduce the elements of a generator. One in its element is joined with it where both combine alike."""
    element, axes, condition = expand(generator, name)
    if where is not None:
        condition = as_expr(where) if condition is TRUE else logical_and(condition, where)
    if isinstance(element, Reduce) and _is_alike(element.combiner, fcombine, fidentity) and not element.init:
        axes += element.axis
        if element.condition is not TRUE:
            condition = element.condition if condition is TRUE else logical_and(condition, element.condition)
        element = element.source[0]
    return _reduction(fcombine, fidentity, element, tuple(axes), None if condition is TRUE else condition, init)


def _is_alike(combiner: CommReducer, fcombine: Combine, fidentity: Identity) -> bool:
    """Return whether a combiner of single values is what the functions make."""
    dtypes = [value.dtype for value in combiner.identity_element]
    return len(dtypes) == 1 and structural_equal(combiner, _combiner(fcombine, fidentity, dtypes, False))


sum: Final = comm_reducer(lambda x, y: x + y, lambda dtype: const(0, dtype), "sum")
prod: Final = comm_reducer(lambda x, y: x * y, lambda dtype: const(1, dtype), "prod")
max: Final = comm_reducer(lambda x, y: FUNCTIONS["max"](x, y), min_value, "max")
min: Final = comm_reducer(lambda x, y: FUNCTIONS["min"](x, y), max_value, "min")
