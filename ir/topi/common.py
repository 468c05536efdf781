"""What operators share: functions of expressions, axes, integers of shapes, and computes with TVM's names of axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import round_to_dtype
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.core import FLOAT32
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, IntImm, cast, const
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.topi.errors import InvalidOperand

ELEMWISE: Final = "elemwise"
BROADCAST: Final = "broadcast"
INJECTIVE: Final = "injective"
COMM_REDUCE: Final = "comm_reduce"
COMM_REDUCE_INDEX: Final = "comm_reduce_idx"

Shape = Sequence[Any]
Operator = Callable[..., Any]


def named(name: str, doc: str) -> Callable[[Operator], Operator]:
    """Return a decorator that gives an operator of a family its own name and docstring."""

    def rename(operator: Operator) -> Operator:
        operator.__name__ = operator.__qualname__ = name
        operator.__doc__ = doc
        return operator

    return rename


def function(name: str) -> Callable[..., Any]:
    """Return the function of expressions of this name, which folds constants as TVM's does."""
    return FUNCTIONS.get(name) or SURFACE[name]


def define(
    shape: Shape,
    value: Callable[..., Any],
    name: str,
    tag: str = INJECTIVE,
    attrs: Mapping[str, Any] | None = None,
    prefix: str = "ax",
) -> Any:
    """Return a compute whose axes are ax0, ax1, ..."""
    extents = tuple(shape)
    names = [f"{prefix}{i}" for i in range(len(extents))]
    return compute(extents, lambda *i: value(*i), name, tag, attrs, names)


def normalize_axis(axis: Any, rank: int, where: str) -> int:
    """Return an axis counted from the front. Raises `InvalidOperand`."""
    number = as_int(axis, where)
    if not -rank <= number < max(rank, 1):
        raise InvalidOperand(where=where, reason=f"the axis {number} is none of {rank} dimensions")
    return number % rank if rank else 0


def normalize_axes(axes: Any, rank: int, where: str) -> list[int]:
    """Return axes in ascending order, each once; of None all. Raises `InvalidOperand`."""
    if axes is None:
        return list(range(rank))
    items = list(axes) if isinstance(axes, Sequence) else [axes]
    return sorted({normalize_axis(axis, rank, where) for axis in items})


def as_int(value: Any, where: str) -> int:
    """Return an integer that is known. Raises `WrongType`."""
    known = known_int(value)
    if known is None:
        raise WrongType(where=f"topi.{where}", expected="a known integer", got=repr(value))
    return known


def known_int(value: Any) -> int | None:
    """Return the integer that an expression is, None if it is not known."""
    if isinstance(value, Expr):
        simple = value if isinstance(value, IntImm) else Analyzer().simplify(value)
        return simple.value if isinstance(simple, IntImm) else None
    return int(value)


def simplify(value: Any) -> Any:
    """Return an extent in its simplest form."""
    return Analyzer().simplify(value) if isinstance(value, Expr) and not isinstance(value, IntImm) else value


def product(values: Shape) -> Any:
    """Return the product of extents, 1 of none."""
    result: Any = 1
    for value in values:
        result = result * value
    return result


def as_list(value: Any) -> list[Any]:
    """Return one or several values as a list."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def sum_products(dtype: Any, left: Any, right: Any, axis: Any) -> Any:
    """Return the sum of the products of elements that are converted to a dtype."""
    return reduction.sum(cast(dtype, left) * cast(dtype, right), axis=axis)


def shape_of(data: Tensor) -> list[Any]:
    """Return the extents of a tensor."""
    return list(data.shape)


def single(value: float, dtype: Any) -> Any:
    """Return a constant that is rounded to float32."""
    rounded = round_to_dtype(value, FLOAT32)
    assert rounded is not None
    return const(rounded, dtype)
