"""Functions of `T` that build ordinary expressions: division, minimum, limits of dtypes, casts, let."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tvmscript.ir.core import INT32, DType, Span, UnknownName, WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Add, BufferRegion, FloorDiv, IterKind, IterVar, Let, Range, Sub
from tvmscript.ir.tir.intrin.intrinsic import surface
from tvmscript.ir.tir.operators import (
    as_expr,
    cast,
    const,
    floordiv,
    floormod,
    match_types,
    maximum,
    minimum,
    truncdiv,
    truncmod,
)
from tvmscript.ir.tir.slices import range_between, region_load
from tvmscript.ir.tir.substitute import rename_definitions
from tvmscript.ir.tir.var import Var


def _division(name: str, operator: Callable[..., Expr], doc: str) -> None:
    def build(a: object, b: object, dtype: object = None, span: Span | None = None) -> Expr:
        result: Expr = operator(a, b, span)
        if not result.dtype.is_integer:
            raise WrongType(where=f"T.{name}", expected="integers", got=result.dtype, span=span)
        return result

    build.__name__ = build.__qualname__ = name
    build.__doc__ = doc
    surface(name)(build)


_division("truncdiv", truncdiv, "a / b of integers, rounded towards zero.")
_division("floordiv", floordiv, "a / b of integers, rounded down.")
_division("floormod", floormod, "The remainder of floordiv: it has the sign of b.")


@surface("truncmod")
def truncmod_(a: object, b: object, dtype: object = None, span: Span | None = None) -> Expr:
    """The remainder of truncdiv: it has the sign of a. Floats are allowed."""
    result: Expr = truncmod(a, b, span)
    return result


@surface("ceildiv")
def ceildiv(lhs: object, rhs: object, dtype: object = None, span: Span | None = None) -> Expr:
    """lhs / rhs of integers, rounded up: (lhs + rhs - 1) // rhs, computed for numbers."""
    if type(lhs) is int and type(rhs) is int and rhs != 0:
        return const(-(-lhs // rhs), None, span)
    a, b = match_types(lhs, rhs, "T.ceildiv", span)
    if not a.dtype.is_integer:
        raise WrongType(where="T.ceildiv", expected="integers", got=a.dtype, span=span)
    above = Sub(Add(a, b, span=span), const(1, a.dtype, span), span=span)
    # what the divisor defines inside of itself is defined in both places
    return FloorDiv(above, rename_definitions(b), span=span)


@surface("min")
def min_(a: object, b: object, span: Span | None = None) -> Expr:
    """The smaller of the two, converted to one dtype."""
    if span is not None and not isinstance(span, Span):
        raise WrongType(where="T.min", expected="two operands", got="three")
    result: Expr = minimum(a, b, span)
    return result


@surface("max")
def max_(a: object, b: object, span: Span | None = None) -> Expr:
    """The larger of the two, converted to one dtype."""
    if span is not None and not isinstance(span, Span):
        raise WrongType(where="T.max", expected="two operands", got="three")
    result: Expr = maximum(a, b, span)
    return result


@surface("cast")
def cast_(x: object, dtype: str, span: Span | None = None) -> Expr:
    """x converted to a dtype; constants are converted right away."""
    return cast(dtype, x, span)


#: The largest finite value of each floating-point dtype: (2 - 2 ** -mantissa bits) * 2 ** largest exponent.
#: 8-bit and narrower ones: OCP 8-bit Floating Point and Microscaling specifications, ONNX for the fnuz kinds.
LARGEST: dict[str, float] = {
    "float16": 65504.0,
    "bfloat16": (2 - 2**-7) * 2.0**127,
    "float32": (2 - 2**-23) * 2.0**127,
    "float64": (2 - 2**-52) * 2.0**1023,
    "e4m3_float8": 448.0,
    "e5m2_float8": 57344.0,
    "float8_e3m4": 15.5,
    "float8_e4m3": 240.0,
    "float8_e4m3b11fnuz": 30.0,
    "float8_e4m3fnuz": 240.0,
    "float8_e5m2fnuz": 57344.0,
    "float8_e8m0fnu": 2.0**127,
    "float6_e2m3fn": 7.5,
    "float6_e3m2fn": 28.0,
    "float4_e2m1fn": 6.0,
}


def _scalar(where: str, dtype: str, span: Span | None) -> DType:
    checked = DType(dtype)
    if checked.lanes != 1 or not (checked.is_integer or checked.is_floating):
        raise WrongType(where=where, expected="a scalar number type", got=checked, span=span)
    return checked


@surface("max_value")
def max_value(dtype: str, span: Span | None = None) -> Expr:
    """The largest (finite) value of a dtype."""
    kind = _scalar("T.max_value", dtype, span)
    return const(kind.max_value if kind.is_integer else LARGEST[kind], kind, span)


@surface("min_value")
def min_value(dtype: str, span: Span | None = None) -> Expr:
    """The smallest (finite) value of a dtype."""
    kind = _scalar("T.min_value", dtype, span)
    if kind.is_integer:
        return const(kind.min_value, kind, span)
    return const(2.0**-127 if kind == "float8_e8m0fnu" else -LARGEST[kind], kind, span)


@surface("infinity")
def infinity(dtype: str, span: Span | None = None) -> Expr:
    """Infinity of a dtype that has one. Raises `WrongType`."""
    kind = _scalar("T.infinity", dtype, span)
    if not kind.is_floating or (kind.bits < 16 and kind not in ("e5m2_float8", "float8_e4m3", "float8_e3m4")):
        raise WrongType(where="T.infinity", expected="a dtype with infinity", got=kind, span=span)
    return const(math.inf, kind, span)


@surface("Let")
def let(expr: object, where: Mapping[Var, Any], span: Span | None = None) -> Expr:
    """The value of expr where one variable stands for a value: `T.Let(x + 1, where={x: 5})`."""
    if len(where) != 1:
        raise WrongType(where="T.Let", expected="one variable and its value", got=f"{len(where)}", span=span)
    ((var, value),) = where.items()
    if isinstance(value, BufferRegion):
        value = region_load(value)
    return Let(var, as_expr(value, var.dtype, span), as_expr(expr, None, span), span=span)


@surface("Range")
def range_(begin: object, end: object, span: Span | None = None) -> Range:
    """The integers from begin to end, end exclusive; constants are subtracted right away."""
    return range_between(begin, end, span)


_ITER_KINDS = {
    "DataPar": IterKind.DATA_PAR,
    "ThreadIndex": IterKind.THREAD_INDEX,
    "CommReduce": IterKind.COMM_REDUCE,
    "Ordered": IterKind.ORDERED,
    "DimInfo": IterKind.OPAQUE,
    "Opaque": IterKind.OPAQUE,
    "Unrolled": IterKind.UNROLLED,
    "Vectorized": IterKind.VECTORIZED,
    "Parallelized": IterKind.PARALLELIZED,
    "Tensorized": IterKind.TENSORIZED,
}


def iter_domain(dom: object, span: Span | None = None) -> Range | None:
    """The domain of an iteration variable from a range, `(begin, end)` or None. Raises `WrongType`."""
    if dom is None or isinstance(dom, Range):
        return dom
    if isinstance(dom, (tuple, list)) and len(dom) == 2:
        return range_between(dom[0], dom[1], span)
    raise WrongType(where="the domain of an iteration variable", expected="(begin, end)", got=repr(dom), span=span)


@surface("iter_var")
def iter_var(
    v: Var | str, dom: Range | Sequence[object] | None, iter_type: str, thread_tag: str, span: Span | None = None
) -> IterVar:
    """An iteration variable as attributes name it. Raises `UnknownName` for an unknown kind."""
    if not isinstance(iter_type, str) or iter_type not in _ITER_KINDS:
        raise UnknownName(kind="kind of iteration variable", name=repr(iter_type), span=span)
    dom = iter_domain(dom, span)
    var = Var(v, dom.extent.dtype if dom is not None else INT32, span=span) if isinstance(v, str) else v
    return IterVar(dom, var, _ITER_KINDS[iter_type], thread_tag, span=span)
