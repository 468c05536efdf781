"""Helpers of inference rules: struct info of arguments and results, axes, broadcasting, and shape arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, mul
from tvmscript.ir.core import INT64, VOID, DType, structural_equal
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.expr import Call, ShapeExpr
from tvmscript.ir.relax.operator import invalid_argument
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.symbolic_shape import provably_equal
from tvmscript.ir.tir import NE, Expr, IntImm, match_types

#: extents of a shape, None where unknown
Extents = tuple[Expr, ...] | None

ONE: Final = IntImm(INT64, 1)


def int64(value: int) -> IntImm:
    """Return an int64 constant."""
    return IntImm(INT64, value)


# Arguments


def struct_info_of(call: Call, position: int) -> StructInfo | None:
    """Return the struct info of an argument."""
    return call.args[position].struct_info


def expect_tensor(call: Call, position: int = 0) -> TensorStructInfo:
    """Return the struct info of a tensor argument. Raises `InvalidCall` for other values."""
    info = struct_info_of(call, position)
    if isinstance(info, TensorStructInfo):
        return info
    raise invalid_argument(call, position, "a tensor", describe_kind(info))


def expect_tensors(call: Call, position: int = 0) -> tuple[TensorStructInfo, ...]:
    """Return the struct infos of a nonempty tuple of tensors. Raises `InvalidCall` for other values."""
    info = struct_info_of(call, position)
    if not isinstance(info, TupleStructInfo):
        raise invalid_argument(call, position, "a tuple of tensors", describe_kind(info))
    if not info.fields:
        raise invalid_argument(call, position, "at least one tensor", "none")
    infos: list[TensorStructInfo] = []
    for field in info.fields:
        if not isinstance(field, TensorStructInfo):
            raise invalid_argument(call, position, "a tuple of tensors", f"a tuple that holds {describe_kind(field)}")
        infos.append(field)
    return tuple(infos)


def expect_shape(call: Call, position: int) -> ShapeStructInfo:
    """Return the struct info of a shape argument. Raises `InvalidCall` for other values."""
    info = struct_info_of(call, position)
    if isinstance(info, ShapeStructInfo):
        return info
    raise invalid_argument(call, position, "a shape", describe_kind(info))


def shape_argument(call: Call, position: int) -> RelaxExpr:
    """Return a shape argument. Raises `InvalidCall` for other values."""
    expect_shape(call, position)
    argument = call.args[position]
    assert isinstance(argument, RelaxExpr)  # functions of the module are no shapes
    return argument


def resolve_shape_argument(call: Call, position: int) -> RelaxExpr:
    """Return a shape argument, as a literal where its extents are known. Raises `InvalidCall` for other values."""
    given, values = shape_argument(call, position), expect_shape(call, position).values
    return given if values is None or isinstance(given, ShapeExpr) else ShapeExpr(values)


def expect_prim(call: Call, position: int) -> PrimStructInfo:
    """Return the struct info of a scalar argument. Raises `InvalidCall` for other values."""
    info = struct_info_of(call, position)
    if isinstance(info, PrimStructInfo):
        return info
    raise invalid_argument(call, position, "a scalar (R.prim_value)", describe_kind(info))


_KINDS: Final[dict[type[StructInfo], str]] = {
    TensorStructInfo: "a tensor",
    TupleStructInfo: "a tuple",
    ShapeStructInfo: "a shape",
    PrimStructInfo: "a scalar",
    DTensorStructInfo: "a distributed tensor",
}


def describe_kind(info: StructInfo | None) -> str:
    """Describe the kind of a value for an error message."""
    return "a value without struct info" if info is None else _KINDS.get(type(info), "a value of another kind")


def format_extents(extents: Iterable[Expr]) -> str:
    """Format extents for an error message."""
    return f"({', '.join(str(extent) for extent in extents)})"


# Results


def tensor_of_shape(extents: Iterable[Expr], dtype: DType, vdevice: VDevice | None = None) -> TensorStructInfo:
    """Return the struct info of a tensor of known shape."""
    return TensorStructInfo(tuple(extents), dtype, vdevice=vdevice)


def tensor_of_ndim(ndim: int, dtype: DType, vdevice: VDevice | None = None) -> TensorStructInfo:
    """Return the struct info of a tensor of unknown shape."""
    return TensorStructInfo(None, dtype, ndim, vdevice)


def make_tensor(extents: Extents, ndim: int, dtype: DType, vdevice: VDevice | None = None) -> TensorStructInfo:
    """Return the struct info of a tensor, by its shape where known, else by its number of dimensions."""
    return tensor_of_ndim(ndim, dtype, vdevice) if extents is None else tensor_of_shape(extents, dtype, vdevice)


def with_dtype(like: TensorStructInfo, dtype: DType) -> TensorStructInfo:
    """Return the struct info of a tensor like `like` of another dtype."""
    return TensorStructInfo(like.shape, dtype, like.ndim, like.vdevice)


# Shared rules and checks


def infer_same(call: Call) -> TensorStructInfo:
    """Infer the struct info of the first argument."""
    return expect_tensor(call)


def infer_same_float(call: Call) -> TensorStructInfo:
    """Infer the struct info of the first argument, which must not be known to have a non-float dtype."""
    info = expect_tensor(call)
    check_float(call, 0, info)
    return info


def check_float(call: Call, position: int, info: TensorStructInfo) -> None:
    """Check that the dtype, where known, is a float. Raises `InvalidCall`."""
    if info.dtype is not VOID and not info.dtype.is_floating:
        raise invalid_argument(call, position, "floats", info.dtype)


def check_integer(call: Call, position: int, info: TensorStructInfo) -> None:
    """Check that the dtype, where known, is an integer. Raises `InvalidCall`."""
    if info.dtype is not VOID and not info.dtype.is_integer:
        raise invalid_argument(call, position, "integers", info.dtype)


def check_not_scalar(call: Call, position: int, info: TensorStructInfo) -> None:
    """Check that a tensor may have axes. Raises `InvalidCall`."""
    if info.ndim == 0:
        raise invalid_argument(call, position, "a tensor of at least 1 dimension", "a scalar")


def dtype_attr(call: Call, otherwise: DType, name: str = "dtype") -> DType:
    """Return the dtype in an attribute, `otherwise` where it is void."""
    dtype: DType = call.attrs[name]
    return otherwise if dtype is VOID else dtype


def common_dtype(call: Call, positions: Sequence[int], dtypes: Sequence[DType]) -> DType:
    """Return the common dtype, void where one is unknown. Raises `InvalidCall` where known dtypes differ."""
    first: DType | None = None
    for position, dtype in zip(positions, dtypes, strict=True):
        if dtype is VOID:
            continue
        if first is None:
            first = dtype
        elif dtype is not first:
            raise invalid_argument(call, position, f"{first}, as the tensors before it", dtype)
    return VOID if first is None or VOID in dtypes else first


def unify_vdevices(call: Call, infos: Sequence[TensorStructInfo]) -> VDevice | None:
    """Return the common device, None where all are unknown. Raises `InvalidCall` where known devices differ."""
    first: VDevice | None = None
    for position, info in enumerate(infos):
        if info.vdevice is None:
            continue
        if first is None:
            first = info.vdevice
        elif not structural_equal(first, info.vdevice):
            raise invalid_argument(call, position, f"a tensor on {first}", f"one on {info.vdevice}")
    return first


def common_vdevice(infos: Sequence[TensorStructInfo]) -> VDevice | None:
    """Return the device that all tensors are on, None where they differ or one is unknown."""
    first = infos[0].vdevice
    if first is None:
        return None
    is_same = all(info.vdevice is not None and structural_equal(first, info.vdevice) for info in infos)
    return first if is_same else None


# Axes


def normalize_axis(call: Call, name: str, axis: int, ndim: int) -> int:
    """Return a nonnegative axis; unchanged where the number of dimensions is unknown.

    Raises `InvalidCall` for an axis out of range.
    """
    if ndim == UNKNOWN_NDIM:
        return axis
    if not -ndim <= axis < ndim:
        raise invalid_argument(
            call, name, f"an axis from {-ndim} to {ndim - 1}" if ndim else "no axis, as it is a scalar", axis
        )
    return axis % ndim


def normalize_axes(call: Call, name: str, axes: Sequence[int], ndim: int) -> tuple[int, ...]:
    """Return nonnegative axes. Raises `InvalidCall` for an axis out of range or repeated."""
    normalized = tuple([normalize_axis(call, name, axis, ndim) for axis in axes])
    if ndim != UNKNOWN_NDIM and len(set(normalized)) != len(normalized):
        raise invalid_argument(call, name, "different axes", list(axes))
    return normalized


# Arithmetic


def num_elements(extents: Iterable[Expr]) -> Expr:
    """Return the product of extents, not simplified."""
    product: Expr = ONE
    for extent in extents:
        product = extent if product is ONE else mul(*match_types(product, extent))
    return product


def sum_of_extents(extents: Iterable[Expr]) -> Expr:
    """Return the sum of extents, not simplified."""
    total: Expr | None = None
    for extent in extents:
        total = extent if total is None else add(*match_types(total, extent))
    return int64(0) if total is None else total


def are_identical(a: Sequence[Expr], b: Sequence[Expr] | None) -> bool:
    """Whether two shapes have identical extent objects."""
    return b is not None and len(a) == len(b) and all(map(operator.is_, a, b))


def provably_differ(a: Expr, b: Expr) -> bool:
    """Whether two extents can be proved different."""
    if isinstance(a, IntImm) and isinstance(b, IntImm):
        return a.value != b.value
    return a is not b and Analyzer().can_prove(NE(*match_types(a, b)))


def is_one(extent: Expr) -> bool:
    """Whether an extent is the constant 1."""
    return isinstance(extent, IntImm) and extent.value == 1


def shapes_provably_differ(a: Sequence[Expr], b: Sequence[Expr]) -> bool:
    """Whether two shapes can be proved different."""
    return len(a) != len(b) or any(provably_differ(left, right) for left, right in zip(a, b, strict=True))


def broadcast_extents(call: Call, position: int, a: Sequence[Expr], b: Sequence[Expr]) -> Extents:
    """Return the broadcast shape of two shapes.

    None where two extents can neither be proved equal nor are constant; as in TVM, axes before them are not checked.
    Raises `InvalidCall` where constants differ, for the argument that has the second shape.
    """
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    reversed_extents: list[Expr] = []
    for left, right in zip(reversed(a), reversed(b), strict=False):
        if is_one(left):
            reversed_extents.append(right)
        elif is_one(right) or provably_equal(left, right):
            reversed_extents.append(left)
        elif isinstance(left, IntImm) and isinstance(right, IntImm):
            raise invalid_argument(
                call, position, f"a shape that broadcasts with {format_extents(a)}", format_extents(b)
            )
        else:
            return None
    return (*longer[: len(longer) - len(shorter)], *reversed(reversed_extents))


def max_ndim(*ndims: int) -> int:
    """Return the largest number of dimensions, unknown where one is."""
    return UNKNOWN_NDIM if UNKNOWN_NDIM in ndims else max(ndims)
