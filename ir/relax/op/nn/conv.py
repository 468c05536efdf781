"""Convolutions and transposed convolutions of 1, 2 and 3 spatial dimensions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Final

from tvmscript.ir.arith.fold import add, make, mul, sub
from tvmscript.ir.core import INT64, VOID, DType, nodes
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.errors import NotDifferentiable
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import Adjoint, apply
from tvmscript.ir.relax.op.layout import (
    array_from_canonical,
    array_to_canonical,
    canonical_extents,
    from_canonical,
    layout_attr,
)
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import Add, Expr, FloorDiv, FloorMod, IntImm, Sub, cast

#: number of spatial axes -> their letters
SPATIAL: Final = {1: "W", 2: "HW", 3: "DHW"}


def window_extent(
    extent: Expr, padding: int, window: Expr, dilation: int, stride: int, *, ceil_mode: bool = False
) -> Expr:
    """Return the number of positions of a window along an extent."""
    reach = mul(rules.int64(dilation), sub(window, rules.int64(1)))
    room = sub(sub(add(cast(INT64, extent), rules.int64(padding)), reach), rules.int64(1))
    if ceil_mode:
        room = add(room, rules.int64(stride - 1))
    room = simplify_size(room)
    count = simplify_size(add(make(FloorDiv, room, rules.int64(stride)), rules.int64(1)))
    terms = (room.a, room.b) if isinstance(room, (Add, Sub)) else ()
    is_rest = any(isinstance(term, IntImm) and term.value % stride for term in terms)
    if is_rest and any(isinstance(part, FloorDiv) for part in nodes(count)):
        # TVM's form: the constant that the stride does not divide stays inside the floordiv
        return add(make(FloorDiv, room, rules.int64(stride)), rules.int64(1))
    return count


def window_extents(
    call: Call, extents: Sequence[Expr], windows: Sequence[Expr], *, ceil_mode: bool = False
) -> list[Expr]:
    """Return the numbers of positions of a window along the spatial extents, by the attributes of the call."""
    attrs, spatial = call.attrs, len(extents)
    padding = [attrs["padding"][at] + attrs["padding"][spatial + at] for at in range(spatial)]
    parts = zip(extents, padding, windows, attrs["dilation"], attrs["strides"], strict=True)
    return [window_extent(*part, ceil_mode=ceil_mode) for part in parts]


def check_positive(call: Call, *attributes: str) -> None:
    """Check that integer attributes are positive. Raises `InvalidCall`."""
    for name in attributes:
        value = call.attrs[name]
        if any(item < 1 for item in (value if isinstance(value, tuple) else (value,))):
            raise invalid_argument(call, name, "positive integers", value)


def check_divisible(call: Call, argument: int, what: str, extent: Expr, by: int) -> None:
    """Check that an extent may be a multiple of `by`. Raises `InvalidCall`."""
    if rules.provably_differ(make(FloorMod, cast(INT64, extent), rules.int64(by)), rules.int64(0)):
        raise invalid_argument(call, argument, f"a number of {what} divisible by {by}", extent)


def _infer(call: Call) -> TensorStructInfo:
    """Infer with canonical layouts N, C, spatial of the data and O, I, spatial of the weight."""
    spatial = SPATIAL[len(call.attrs["strides"])]
    return _infer_by(call, f"NC{spatial}", f"OI{spatial}", _conv_extents)


def _infer_transposed(call: Call) -> TensorStructInfo:
    """Infer with canonical layout I, O, spatial of the weight."""
    spatial = SPATIAL[len(call.attrs["strides"])]
    return _infer_by(call, f"NC{spatial}", f"IO{spatial}", _transposed_conv_extents)


def _infer_by(
    call: Call,
    data_axes: str,
    weight_axes: str,
    extents_of: Callable[[Call, tuple[Expr, ...], tuple[Expr, ...]], list[Expr]],
) -> TensorStructInfo:
    data, weight = rules.expect_tensor(call, 0), rules.expect_tensor(call, 1)
    check_positive(call, "strides", "dilation", "groups")
    data_extents, _ = canonical_extents(call, 0, data, "data_layout", data_axes)
    weight_extents, _ = canonical_extents(call, 1, weight, "kernel_layout", weight_axes)
    out = layout_attr(call, "out_layout", data_axes)
    dtype = rules.dtype_attr(call, data.dtype, "out_dtype")
    if call.attrs["out_dtype"].bits == 0:
        dtype = rules.common_dtype(call, (0, 1), (data.dtype, weight.dtype))
    vdevice = rules.unify_vdevices(call, (data, weight))
    if data_extents is None or weight_extents is None:
        return rules.tensor_of_ndim(out.ndim, dtype, vdevice)
    result_extents = extents_of(call, data_extents, weight_extents)
    return rules.tensor_of_shape(from_canonical(result_extents, data_axes, out), dtype, vdevice)


def _conv_extents(call: Call, data: tuple[Expr, ...], weight: tuple[Expr, ...]) -> list[Expr]:
    groups = call.attrs["groups"]
    channels = mul(cast(INT64, weight[1]), rules.int64(groups))
    if rules.provably_differ(data[1], channels):
        raise invalid_argument(
            call, 1, f"weights for {data[1]} channels in {groups} groups", f"for {simplify_size(channels)}"
        )
    check_divisible(call, 1, "output channels", weight[0], groups)
    return [data[0], weight[0], *window_extents(call, data[2:], weight[2:])]


def _transposed_conv_extents(call: Call, data: tuple[Expr, ...], weight: tuple[Expr, ...]) -> list[Expr]:
    attrs, spatial = call.attrs, len(data) - 2
    groups, strides, extra = attrs["groups"], attrs["strides"], attrs["output_padding"]
    if rules.provably_differ(data[1], weight[0]):
        raise invalid_argument(call, 1, f"weights for {data[1]} channels", f"for {weight[0]}")
    check_divisible(call, 0, "channels", data[1], groups)
    check_divisible(call, 1, "input channels", weight[0], groups)
    if any(more >= stride for more, stride in zip(extra, strides, strict=True)):
        raise invalid_argument(call, "output_padding", f"less than the strides {list(strides)}", list(extra))
    result_extents = [data[0], simplify_size(mul(cast(INT64, weight[1]), rules.int64(groups)))]
    for at in range(spatial):
        span = mul(sub(cast(INT64, data[2 + at]), rules.int64(1)), rules.int64(strides[at]))
        reach = mul(rules.int64(attrs["dilation"][at]), sub(cast(INT64, weight[2 + at]), rules.int64(1)))
        rest = extra[at] + 1 - attrs["padding"][at] - attrs["padding"][spatial + at]
        result_extents.append(simplify_size(add(add(span, reach), rules.int64(rest))))
    return result_extents


def _out_dtype(data: Array, attrs: dict[str, Any]) -> str:
    out_dtype = attrs["out_dtype"]
    return str(out_dtype if out_dtype.bits else data.dtype)


def count_windows(shape: Sequence[int], windows: Sequence[int], attrs: Mapping[str, Any]) -> list[int]:
    """Return the number of positions of a window along each axis of a padded array."""
    parts = zip(shape, windows, attrs["dilation"], attrs["strides"], strict=True)
    return [(extent - step * (window - 1) - 1) // stride + 1 for extent, window, step, stride in parts]


def window_slices(offset: Sequence[int], counts: Sequence[int], attrs: Mapping[str, Any]) -> tuple[slice, ...]:
    """Return the elements at one offset inside of all windows, as slices of the spatial axes."""
    parts = zip(offset, attrs["dilation"], counts, attrs["strides"], strict=True)
    return tuple([slice(at * step, at * step + (count - 1) * way + 1, way) for at, step, count, way in parts])


def compute_conv(np: ModuleType, data: Array, weight: Array, **attrs: Any) -> Array:
    """Compute a convolution, one offset of the window at a time."""
    spatial = len(attrs["strides"])
    data_axes, weight_axes = f"NC{SPATIAL[spatial]}", f"OI{SPATIAL[spatial]}"
    data = array_to_canonical(np, data, attrs["data_layout"], data_axes)
    weight = array_to_canonical(np, weight, attrs["kernel_layout"], weight_axes)
    groups = attrs["groups"]
    pads = [(0, 0), (0, 0), *zip(attrs["padding"][:spatial], attrs["padding"][spatial:], strict=True)]
    data = np.pad(data, pads)
    places = count_windows(data.shape[2:], weight.shape[2:], attrs)
    grouped = weight.reshape(groups, weight.shape[0] // groups, *weight.shape[1:])
    result = np.zeros((data.shape[0], groups, grouped.shape[1], *places), _out_dtype(data, attrs))
    for offset in np.ndindex(*weight.shape[2:]):
        patch = data[(slice(None), slice(None), *window_slices(offset, places, attrs))]
        patch = patch.reshape(patch.shape[0], groups, patch.shape[1] // groups, *patch.shape[2:])
        result += np.einsum("ngi...,goi->ngo...", patch, grouped[(..., *offset)]).astype(result.dtype)
    return array_from_canonical(np, result.reshape(result.shape[0], -1, *places), data_axes, attrs["out_layout"])


def compute_conv_transpose(np: ModuleType, data: Array, weight: Array, **attrs: Any) -> Array:
    """Compute a transposed convolution, one offset of the window at a time."""
    spatial = len(attrs["strides"])
    data_axes, weight_axes = f"NC{SPATIAL[spatial]}", f"IO{SPATIAL[spatial]}"
    data = array_to_canonical(np, data, attrs["data_layout"], data_axes)
    weight = array_to_canonical(np, weight, attrs["kernel_layout"], weight_axes)
    groups, strides, dilation = attrs["groups"], attrs["strides"], attrs["dilation"]
    full = [
        (extent - 1) * stride + step * (window - 1) + 1 + more
        for extent, stride, step, window, more in zip(
            data.shape[2:], strides, dilation, weight.shape[2:], attrs["output_padding"], strict=True
        )
    ]
    grouped = weight.reshape(groups, weight.shape[0] // groups, *weight.shape[1:])
    grouped_data = data.reshape(data.shape[0], groups, data.shape[1] // groups, *data.shape[2:])
    result = np.zeros((data.shape[0], groups, weight.shape[1], *full), _out_dtype(data, attrs))
    for offset in np.ndindex(*weight.shape[2:]):
        window = window_slices(offset, data.shape[2:], attrs)
        result[(slice(None), slice(None), slice(None), *window)] += np.einsum(
            "ngi...,gio->ngo...", grouped_data, grouped[(..., *offset)]
        ).astype(result.dtype)
    before, after = attrs["padding"][:spatial], attrs["padding"][spatial:]
    kept = tuple(slice(low, extent - high) for low, extent, high in zip(before, full, after, strict=True))
    result = result.reshape(result.shape[0], -1, *full)[(slice(None), slice(None), *kept)]
    return array_from_canonical(np, result, data_axes, attrs["out_layout"])


def _repeat_default(value: int, spatial: int) -> str:
    """Return a default value as text: a number for one dimension, else a tuple."""
    return str(value if spatial == 1 else (value,) * spatial)


def _legalize_conv(
    topi: Any,
    data: Any,
    weight: Any,
    strides: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    data_layout: str,
    kernel_layout: str,
    out_layout: str,
    out_dtype: DType,
) -> Any:
    spatial = SPATIAL[len(dilation)]
    if out_layout != data_layout or data_layout.replace("N", "").replace("C", "") != spatial:
        return NotImplemented
    if kernel_layout.replace("O", "").replace("I", "") != spatial:
        return NotImplemented
    dtype = None if out_dtype is VOID else out_dtype
    return topi.nn.conv(data, weight, strides, padding, dilation, groups, data_layout, kernel_layout, dtype)


def _legalize_conv_transpose(
    topi: Any,
    data: Any,
    weight: Any,
    strides: Any,
    padding: Any,
    output_padding: Any,
    dilation: tuple[int, ...],
    groups: int,
    data_layout: str,
    kernel_layout: str,
    out_layout: str,
    out_dtype: DType,
) -> Any:
    spatial = SPATIAL[len(dilation)]
    if (data_layout, kernel_layout, out_layout) != (f"NC{spatial}", f"IO{spatial}", f"NC{spatial}"):
        return NotImplemented
    if any(step != 1 for step in dilation):
        return NotImplemented
    transpose = getattr(topi.nn, f"group_conv{len(dilation)}d_transpose_nc{spatial.lower()}")
    dtype = data.dtype if out_dtype is VOID else out_dtype
    return transpose(data, weight, strides, padding, dtype, output_padding, groups)


def _differentiate_conv2d(adjoint: Adjoint) -> tuple[RelaxExpr, RelaxExpr]:
    """Return the transposed convolution of the gradient, and the convolution of the data with the gradient, in which
    strides and dilation change places, and channels and batch.

    Raises `NotDifferentiable` for layouts other than NCHW, OIHW, and for sizes that are not known.
    """
    data, weight, result = (_constant_shape(value) for value in (adjoint.x, adjoint.y, adjoint.gradient))
    attrs = adjoint.call.attrs
    if (attrs["data_layout"], attrs["kernel_layout"], attrs["out_layout"]) != ("NCHW", "OIHW", "NCHW"):
        raise NotDifferentiable(what="R.nn.conv2d", reason="its layouts are not NCHW, OIHW and NCHW")
    strides, padding, dilation, groups = (attrs[name] for name in ("strides", "padding", "dilation", "groups"))
    covered = [
        (result[2 + at] - 1) * strides[at] - padding[at] - padding[2 + at] + dilation[at] * (weight[2 + at] - 1) + 1
        for at in range(2)
    ]
    of_data = apply(
        "nn.conv2d_transpose",
        adjoint.gradient,
        adjoint.y,
        strides=strides,
        padding=padding,
        output_padding=[data[2 + at] - covered[at] for at in range(2)],
        dilation=dilation,
        groups=groups,
    )
    x: RelaxExpr = adjoint.x
    batch, channels, *spatial = data
    if groups > 1:
        x = apply("reshape", x, [batch, groups, channels // groups, *spatial])
        x = apply("permute_dims", x, [1, 0, 2, 3, 4])
        x = apply("reshape", x, [batch * groups, channels // groups, *spatial])
    of_weight = apply(
        "nn.conv2d",
        x,
        adjoint.gradient,
        strides=dilation,
        padding=padding,
        dilation=strides,
        groups=groups,
        data_layout="CNHW",
        kernel_layout="IOHW",
    )
    if _constant_shape(of_weight)[2:] != weight[2:]:
        of_weight = apply(
            "strided_slice", of_weight, axes=[0, 1, 2, 3], begin=[0, 0, 0, 0], end=weight, assume_inbound=False
        )
    return of_data, of_weight


def _constant_shape(value: RelaxExpr) -> tuple[int, ...]:
    """Return the shape of a tensor. Raises `NotDifferentiable` where it is not constant."""
    info = value.struct_info
    assert isinstance(info, TensorStructInfo)
    shape = tuple([extent.value for extent in info.extents or () if isinstance(extent, IntImm)])
    if len(shape) != info.ndim:
        raise NotDifferentiable(what="R.nn.conv2d", reason=f"its sizes are not constant: {info}")
    return shape


def _conv_operator(spatial: int) -> Operator:
    axes, ones, zeros = SPATIAL[spatial], _repeat_default(1, spatial), _repeat_default(0, spatial)
    return Operator(
        f"nn.conv{spatial}d",
        f"data: Expr, weight: Expr, strides: ints({spatial}) = {ones}, padding: padding({spatial}) = {zeros}, "
        f"dilation: ints({spatial}) = {ones}, groups: int = 1, data_layout: str = 'NC{axes}', "
        f"kernel_layout: str = 'OI{axes}', out_layout: str | None = data_layout, out_dtype: dtype | None = None",
        _infer,
        mixed_precision="always",
        layout="conv",
        reference=compute_conv,
        legalize=_legalize_conv,
        gradient=_differentiate_conv2d if spatial == 2 else None,
        doc=f"A convolution over {spatial} dimension{'s' * (spatial > 1)}.",
    )


def _conv_transpose_operator(spatial: int) -> Operator:
    axes, ones, zeros = SPATIAL[spatial], _repeat_default(1, spatial), _repeat_default(0, spatial)
    return Operator(
        f"nn.conv{spatial}d_transpose",
        f"data: Expr, weight: Expr, strides: ints({spatial}) = {ones}, padding: padding({spatial}) = {zeros}, "
        f"output_padding: ints({spatial}) = {zeros}, dilation: ints({spatial}) = {ones}, groups: int = 1, "
        f"data_layout: str = 'NC{axes}', kernel_layout: str = 'IO{axes}', "
        "out_layout: str | None = data_layout, out_dtype: dtype | None = None",
        _infer_transposed,
        reference=compute_conv_transpose,
        legalize=_legalize_conv_transpose,
        doc=f"A transposed convolution over {spatial} dimension{'s' * (spatial > 1)}.",
    )


conv1d = _conv_operator(1)
conv2d = _conv_operator(2)
conv3d = _conv_operator(3)
conv1d_transpose = _conv_transpose_operator(1)
conv2d_transpose = _conv_transpose_operator(2)
conv3d_transpose = _conv_transpose_operator(3)
