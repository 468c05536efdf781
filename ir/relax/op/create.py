"""Tensor creation."""

from __future__ import annotations

import math
from types import ModuleType

from tvmscript.ir.arith.fold import cast
from tvmscript.ir.core import FLOAT32, INT64, VOID, DType, Span
from tvmscript.ir.core.values.constant_data import pack
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, Constant, PrimValue
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import NO_GRADIENT, apply
from tvmscript.ir.relax.op.script_functions import convert_to_kind, make_call
from tvmscript.ir.relax.operator import Array, Operator, Reference, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, PrimStructInfo, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import Div, Expr, FloatImm, IntImm
from tvmscript.ir.tir.intrin.math import ceil
from tvmscript.ir.tir.operators import add, floordiv, sub

_NUMBERS = (IntImm, FloatImm)


def _infer_of_shape(call: Call, dtype: DType) -> TensorStructInfo:
    """Infer a tensor of the shape given by the first argument."""
    return TensorStructInfo(rules.shape_argument(call, 0), dtype)


def _infer_filled(call: Call) -> StructInfo:
    if call.attrs["dtype"] is VOID:
        raise invalid_argument(call, "dtype", "a dtype", "none")
    return _infer_of_shape(call, call.attrs["dtype"])


def _infer_full(call: Call) -> StructInfo:
    return _infer_of_shape(call, rules.dtype_attr(call, _expect_scalar(call, 1).dtype))


def _infer_full_like(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    _expect_scalar(call, 1)
    return rules.with_dtype(info, rules.dtype_attr(call, info.dtype))


def _expect_scalar(call: Call, position: int) -> TensorStructInfo:
    info = rules.expect_tensor(call, position)
    if info.ndim != 0:
        raise invalid_argument(call, position, "a tensor of no dimension", _describe_ndim(info.ndim))
    return info


def _describe_ndim(ndim: int) -> str:
    return "an unknown number of dimensions" if ndim == UNKNOWN_NDIM else f"{ndim} dimensions"


def _infer_like(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    return rules.with_dtype(info, rules.dtype_attr(call, info.dtype))


def _infer_arange(call: Call) -> StructInfo:
    start, end, step = (_expect_prim_value(call, position) for position in range(3))
    if isinstance(start, _NUMBERS) and isinstance(end, _NUMBERS) and isinstance(step, _NUMBERS) and step.value:
        extent: Expr = rules.int64(max(math.ceil((end.value - start.value) / step.value), 0))
    elif start.dtype.is_integer and end.dtype.is_integer and step.dtype.is_integer:
        if isinstance(step, IntImm) and step.value < 0:
            start, end, step = end, start, IntImm(step.dtype, -step.value)
        extent = floordiv(sub(add(sub(end, start), step), 1), step)
    else:
        extent = cast(INT64, ceil(Div(cast(FLOAT32, sub(end, start)), cast(FLOAT32, step))))
    return rules.tensor_of_shape([simplify_size(extent)], call.attrs["dtype"])


def _expect_prim_value(call: Call, position: int) -> Expr:
    argument = call.args[position]
    if isinstance(argument, PrimValue):
        return argument.value
    raise invalid_argument(
        call, position, "a scalar literal (R.prim_value)", rules.describe_kind(rules.struct_info_of(call, position))
    )


def _script_arange(
    start: object, end: object = None, step: object = 1, dtype: DType | str | None = None, span: Span | None = None
) -> Call:
    """Return numbers from `start` (inclusive, default 0) to `end` (exclusive).

    The dtype is int64 where all three are integers, float32 otherwise.
    """
    start, end = (0, start) if end is None else (start, end)
    if dtype is None:
        given = {"start": start, "end": end, "step": step}
        scalars = [_dtype_of_scalar(name, value, span) for name, value in given.items()]
        dtype = INT64 if all(scalar.is_integer for scalar in scalars) else FLOAT32
    return make_call(arange, (start, end, step, dtype), span=span)


def _dtype_of_scalar(name: str, value: object, span: Span | None) -> DType:
    """Return the dtype of a scalar, float32 where unknown. Raises `InvalidCall`."""
    scalar = convert_to_kind("R.arange", name, "Prim", value, span)
    return scalar.value.dtype if isinstance(scalar, PrimValue) else FLOAT32


def _infer_triangle(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    rules.expect_prim(call, 1)
    if UNKNOWN_NDIM < info.ndim < 2:
        raise invalid_argument(call, 0, "a tensor of at least 2 dimensions", info.ndim)
    return info


def _infer_eye(call: Call) -> StructInfo:
    rows, columns, _ = (_expect_prim_value(call, position) for position in range(3))
    return rules.tensor_of_shape([rows, columns], call.attrs["dtype"])


def _infer_eye_like(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    rules.expect_prim(call, 1)
    if info.ndim not in (2, UNKNOWN_NDIM):
        raise invalid_argument(call, 0, "a tensor of 2 dimensions", info.ndim)
    return rules.with_dtype(info, rules.dtype_attr(call, info.dtype))


def _script_eye(
    n: object, m: object = None, k: object = 0, dtype: DType | str = "float32", span: Span | None = None
) -> Call:
    """Return an (n, m) matrix, m = n by default, with ones on diagonal k and zeros elsewhere."""
    return make_call(eye, (n, n if m is None else m, k, dtype), span=span)


def _infer_hamming(call: Call) -> StructInfo:
    size, dtype = _expect_prim_value(call, 0), call.attrs["dtype"]
    if not dtype.is_floating:
        raise invalid_argument(call, "dtype", "floats", dtype)
    if isinstance(size, IntImm) and size.value <= 0:
        raise invalid_argument(call, 0, "a positive number", size.value)
    return rules.tensor_of_shape([size], dtype)


def _compute_hamming(np: ModuleType, size: int, periodic: int, alpha: float, beta: float, dtype: object) -> Array:
    whole = size if periodic else size - 1
    return (alpha - beta * np.cos(2 * np.pi * np.arange(size) / max(whole, 1))).astype(dtype)


def _initializer(name: str, value: int, reference: Reference, doc: str) -> Operator:
    return Operator(
        name,
        "shape: Shape, dtype: dtype",
        _infer_filled,
        mixed_precision="follow",
        reference=reference,
        legalize=lambda topi, shape, dtype: topi.full(shape, dtype, value),
        gradient=NO_GRADIENT,
        doc=doc,
    )


def _like_initializer(name: str, initializer: Operator, reference: Reference, doc: str) -> Operator:
    def expand(_: object, call: Call) -> Call:
        info = call.struct_info
        assert isinstance(info, TensorStructInfo)
        assert info.shape is not None
        return Call(initializer, (info.shape,), {"dtype": info.dtype})

    return Operator(
        name,
        "x: Expr, dtype: dtype | None = None",
        _infer_like,
        reference=reference,
        expand=expand,
        gradient=NO_GRADIENT,
        doc=doc,
    )


def _triangle_operator(name: str, reference: Reference, is_upper: bool, doc: str) -> Operator:
    return Operator(
        name,
        "x: Expr, k: Prim = 0",
        _infer_triangle,
        reference=reference,
        legalize=lambda topi, x, k: topi.trilu(x, k, is_upper),
        gradient=lambda a: (apply(name, a.gradient, a.y), None),
        doc=doc,
    )


def _expand_arange(_: object, call: Call) -> Constant | None:
    """Return the numbers where all bounds are known."""
    infos = [arg.struct_info for arg in call.args]
    prim_values = [info.value for info in infos if isinstance(info, PrimStructInfo)]
    bounds = [value.value for value in prim_values if isinstance(value, (IntImm, FloatImm))]
    if len(bounds) < len(infos):
        return None
    dtype = call.attrs["dtype"]
    start, end, step = bounds
    values = [start + step * number for number in range(math.ceil((end - start) / step))]
    return Constant(pack(values if not dtype.is_integer else map(int, values), dtype, (len(values),)), dtype)


def _expand_full_like(_: object, call: Call) -> Call:
    info = call.struct_info
    assert isinstance(info, TensorStructInfo)
    assert info.shape is not None
    return Call(full, (info.shape, call.args[1]), {"dtype": info.dtype})


arange = Operator(
    "arange",
    "start: Prim, end: Prim, step: Prim, dtype: dtype",
    _infer_arange,
    script_function=_script_arange,
    mixed_precision="follow",
    reference=lambda np, start, end, step, dtype: np.arange(start, end, step, dtype),
    legalize=lambda topi, start, end, step, dtype: topi.arange(start, end, step, dtype),
    expand=_expand_arange,
    doc="Numbers from start (inclusive) to end (exclusive) with a step.",
)
eye = Operator(
    "eye",
    "n: Prim, m: Prim, k: Prim, dtype: dtype",
    _infer_eye,
    script_function=_script_eye,
    reference=lambda np, n, m, k, dtype: np.eye(n, m, k, dtype),
    legalize=lambda topi, n, m, k, dtype: topi.graph.eye(n, m, k, dtype),
    doc="Ones on a diagonal, zeros elsewhere.",
)
eye_like = Operator(
    "eye_like",
    "x: Expr, k: Prim = 0, dtype: dtype | None = None",
    _infer_eye_like,
    reference=lambda np, x, k, dtype: np.eye(*x.shape, k, x.dtype if dtype is VOID else dtype),
    legalize=lambda topi, x, k, dtype: topi.graph.eye(*x.shape, k, x.dtype if dtype is VOID else dtype),
    doc="Ones on a diagonal, zeros elsewhere, in the shape of another tensor.",
)
hamming_window = Operator(
    "hamming_window",
    "window_size: Prim, periodic: Prim, alpha: Prim, beta: Prim, dtype: dtype",
    _infer_hamming,
    reference=_compute_hamming,
    legalize=lambda topi, size, periodic, alpha, beta, dtype: topi.graph.hamming_window(
        size, periodic, alpha, beta, dtype
    ),
    doc="A Hamming window: alpha - beta * cos(2 pi i / N), where N is the size if periodic, else the size minus 1.",
)
full = Operator(
    "full",
    "shape: Shape, fill_value: Expr, dtype: dtype | None = None",
    _infer_full,
    mixed_precision="follow",
    reference=lambda np, shape, value, dtype: np.full(shape, value, value.dtype if dtype is VOID else dtype),
    legalize=lambda topi, shape, value, dtype: topi.graph.full(shape, value, dtype),
    inlines_scalars=True,
    gradient=lambda a: (None, a.sum_to_argument(a.gradient, 1)),
    doc="A tensor filled with one value.",
)
full_like = Operator(
    "full_like",
    "x: Expr, fill_value: Expr, dtype: dtype | None = None",
    _infer_full_like,
    mixed_precision="follow",
    reference=lambda np, x, value, dtype: np.full(x.shape, value, x.dtype if dtype is VOID else dtype),
    expand=_expand_full_like,
    gradient=lambda a: (None, a.sum_to_argument(a.gradient, 1)),
    doc="A tensor filled with one value, in the shape of another tensor.",
)
ones = _initializer("ones", 1, lambda np, shape, dtype: np.ones(shape, dtype), "A tensor of ones.")
zeros = _initializer("zeros", 0, lambda np, shape, dtype: np.zeros(shape, dtype), "A tensor of zeros.")
ones_like = _like_initializer(
    "ones_like",
    ones,
    lambda np, x, dtype: np.ones(x.shape, x.dtype if dtype is VOID else dtype),
    "Ones in the shape of another tensor.",
)
zeros_like = _like_initializer(
    "zeros_like",
    zeros,
    lambda np, x, dtype: np.zeros(x.shape, x.dtype if dtype is VOID else dtype),
    "Zeros in the shape of another tensor.",
)
tril = _triangle_operator(
    "tril",
    lambda np, x, k: np.tril(x, k),
    False,
    "The lower triangle: elements above diagonal k of the last two axes are zero.",
)
triu = _triangle_operator(
    "triu",
    lambda np, x, k: np.triu(x, k),
    True,
    "The upper triangle: elements below diagonal k of the last two axes are zero.",
)
