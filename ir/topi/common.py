"""What operators share: functions of expressions, axes, integers of shapes, and computes with TVM's names of axes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Final, TypeAlias, TypeVar, overload

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import round_to_dtype
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.core import FLOAT32
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr, IntImm, IterVar, cast, const
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.topi.errors import InvalidOperand

ELEMWISE: Final = "elemwise"
BROADCAST: Final = "broadcast"
INJECTIVE: Final = "injective"
COMM_REDUCE: Final = "comm_reduce"
COMM_REDUCE_INDEX: Final = "comm_reduce_idx"

#: one for all dimensions, or one for each
Extents: TypeAlias = Extent | Sequence[Extent]
#: widths of padding, or "VALID" or "SAME"
Padding: TypeAlias = Extents | str
Operator = Callable[..., Tensor]
F = TypeVar("F", bound=Callable[..., Any])


def named(name: str, doc: str) -> Callable[[F], F]:
    """Return a decorator that gives an operator of a family its own name and docstring."""

    def rename(operator: F) -> F:
        operator.__name__ = operator.__qualname__ = name
        operator.__doc__ = doc
        return operator

    return rename


def function(name: str) -> Callable[..., Expr]:
    """Return the function of expressions of this name, which folds constants as TVM's does."""
    return FUNCTIONS.get(name) or SURFACE[name]


def define(
    shape: Sequence[Extent],
    value: Callable[..., Operand],
    name: str,
    tag: str = INJECTIVE,
    attrs: Mapping[str, Any] | None = None,
    prefix: str = "ax",
) -> Tensor:
    """Return a compute whose axes are ax0, ax1, ..."""
    return compute(shape, lambda *i: value(*i), name, tag, attrs, _axis_names(prefix, len(shape)))


def define_several(
    shape: Sequence[Extent], value: Callable[..., Sequence[Operand]], name: str, tag: str
) -> tuple[Tensor, ...]:
    """Return the results of a compute of two or more values, whose axes are ax0, ax1, ..."""
    return compute(shape, lambda *i: value(*i), name, tag, varargs_names=_axis_names("ax", len(shape)))


def _axis_names(prefix: str, rank: int) -> list[str]:
    return [f"{prefix}{i}" for i in range(rank)]


def normalize_axis(axis: Extent, rank: int, where: str) -> int:
    """Return an axis counted from the front. Raises `InvalidOperand`."""
    number = as_int(axis, where)
    if not -rank <= number < max(rank, 1):
        raise InvalidOperand(where=where, reason=f"the axis {number} is none of {rank} dimensions")
    return number % rank if rank else 0


def normalize_axes(axes: Extents | None, rank: int, where: str) -> list[int]:
    """Return axes in ascending order, each once; of None all. Raises `InvalidOperand`."""
    if axes is None:
        return list(range(rank))
    return sorted({normalize_axis(axis, rank, where) for axis in as_list(axes)})


def as_int(value: Extent, where: str) -> int:
    """Return a constant extent as an integer. Raises `WrongType`."""
    integer = known_int(value)
    if integer is None:
        raise WrongType(where=f"topi.{where}", expected="a known integer", got=repr(value))
    return integer


def known_int(value: Extent) -> int | None:
    """Return the integer that an extent simplifies to, None if it is symbolic."""
    if isinstance(value, Expr):
        simple = value if isinstance(value, IntImm) else Analyzer().simplify(value)
        return simple.value if isinstance(simple, IntImm) else None
    return int(value)


@overload
def simplify(value: Expr) -> Expr: ...
@overload
def simplify(value: int) -> int: ...
def simplify(value: Extent) -> Extent:
    """Return an extent in its simplest form."""
    return Analyzer().simplify(value) if isinstance(value, Expr) and not isinstance(value, IntImm) else value


def product(values: Iterable[Extent]) -> Extent:
    """Return the product of extents, 1 of none."""
    result: Extent = 1
    for value in values:
        result = result * value
    return result


def as_list(value: Extents) -> list[Extent]:
    """Return one or several values as a list."""
    return list(value) if isinstance(value, Sequence) else [value]


def sum_of(terms: Iterable[Expr]) -> Expr:
    """Return the sum of one or more expressions, from the first on."""
    return reduce(lambda a, b: a + b, terms)


def sum_products(dtype: str, left: Expr, right: Expr, axis: IterVar | Sequence[IterVar]) -> Expr:
    """Return the sum of the products of elements that are converted to a dtype."""
    return reduction.sum(cast(dtype, left) * cast(dtype, right), axis=axis)


def single(value: float, dtype: str) -> Expr:
    """Return a constant that is rounded to float32."""
    rounded = round_to_dtype(value, FLOAT32)
    assert rounded is not None
    return const(rounded, dtype)
