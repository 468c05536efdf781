"""Normalization layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from types import ModuleType
from typing import Any

from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import INT64
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.layout import literal_extents
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import shapes_provably_equal
from tvmscript.ir.tir import Expr, FloorMod, cast


def _check_parameter(call: Call, position: int, data: TensorStructInfo, ndim: int) -> TensorStructInfo:
    """Return the struct info of a parameter (gamma, beta, ...): the dtype of the data, one dimension for each axis."""
    info = rules.expect_tensor(call, position)
    if info.dtype is not data.dtype:
        raise invalid_argument(call, position, f"{data.dtype}, as the data", info.dtype)
    if info.ndim != ndim:
        got = "one of an unknown number" if info.ndim == UNKNOWN_NDIM else f"one of {info.ndim}"
        raise invalid_argument(call, position, f"a tensor of {ndim} dimension{'s' * (ndim != 1)}", got)
    return info


def _check_parameters(call: Call, data: TensorStructInfo, axes: Sequence[int]) -> bool:
    """Whether the parameters provably have the data's extents along the axes. Raises `InvalidCall` where they provably
    do not.
    """
    infos = [_check_parameter(call, position, data, len(axes)) for position in range(1, len(call.args))]
    extents = literal_extents(data)
    shapes = [(0, tuple([extents[axis] for axis in axes]))] if extents is not None else []
    for position, info in enumerate(infos, 1):
        param_extents = literal_extents(info)
        if param_extents is not None:
            shapes.append((position, param_extents))
    for (_, first), (position, second) in combinations(shapes, 2):
        if rules.shapes_provably_differ(first, second):
            raise invalid_argument(
                call, position, f"a tensor of shape {rules.format_extents(first)}", rules.format_extents(second)
            )
    return all(shapes_provably_equal(shapes[0][1], other) for _, other in shapes[1:])


def _infer_over_axes(call: Call) -> TensorStructInfo:
    data = rules.expect_tensor(call)
    rules.check_float(call, 0, data)
    axes = rules.normalize_axes(call, "axes", call.attrs["axes"], data.ndim)
    return data if _check_parameters(call, data, axes) else rules.tensor_of_ndim(data.ndim, data.dtype, data.vdevice)


def _infer_batch_norm(call: Call) -> TupleStructInfo:
    data, mean, variance = rules.expect_tensor(call), rules.expect_tensor(call, 3), rules.expect_tensor(call, 4)
    rules.check_float(call, 0, data)
    axis = rules.normalize_axis(call, "axis", call.attrs["axis"], data.ndim)
    if _check_parameters(call, data, [axis]):
        return TupleStructInfo((data, mean, variance))
    vector = rules.tensor_of_ndim(1, data.dtype, data.vdevice)
    return TupleStructInfo((rules.tensor_of_ndim(data.ndim, data.dtype, data.vdevice), vector, vector))


def _num_channels(call: Call, data: TensorStructInfo) -> Expr | None:
    """Return the number of channels, None where unknown. Raises `InvalidCall` where `axes` has the channel axis."""
    channel = rules.normalize_axis(call, "channel_axis", call.attrs["channel_axis"], data.ndim)
    axes = rules.normalize_axes(call, "axes", call.attrs["axes"], data.ndim)
    if data.ndim != UNKNOWN_NDIM and channel in axes:
        raise invalid_argument(call, "axes", f"axes other than the channels' ({channel})", list(axes))
    extents = literal_extents(data)
    return extents[channel] if extents is not None else None


def _check_channels(call: Call, data: TensorStructInfo, channels: Expr | None) -> None:
    """Check that gamma and beta have one element for each channel. Raises `InvalidCall`."""
    for position in (1, 2):
        param_extents = literal_extents(_check_parameter(call, position, data, 1))
        if channels is not None and param_extents is not None and rules.provably_differ(param_extents[0], channels):
            raise invalid_argument(call, position, f"{channels} elements, one for each channel", param_extents[0])


def _infer_group_norm(call: Call) -> TensorStructInfo:
    data = rules.expect_tensor(call)
    channels = _num_channels(call, data)
    rules.check_float(call, 0, data)
    groups = call.attrs["num_groups"]
    if groups < 1:
        raise invalid_argument(call, "num_groups", "a positive integer", groups)
    if channels is not None and rules.provably_differ(
        make(FloorMod, cast(INT64, channels), rules.int64(groups)), rules.int64(0)
    ):
        raise invalid_argument(call, "num_groups", f"a divisor of {channels}", groups)
    _check_channels(call, data, channels)
    return data


def _infer_instance_norm(call: Call) -> TensorStructInfo:
    data = rules.expect_tensor(call)
    _check_channels(call, data, _num_channels(call, data))
    return data


def _normalize(np: ModuleType, data: Array, axes: tuple[int, ...], epsilon: float) -> Array:
    mean, variance = data.mean(axis=axes, keepdims=True), data.var(axis=axes, keepdims=True)
    return (data - mean) / np.sqrt(variance + epsilon)


def _align_axes(np: ModuleType, parameter: Array, ndim: int, axes: Sequence[int]) -> Array:
    """Reshape a parameter so that its dimensions align with the axes of the data."""
    order = sorted(range(len(axes)), key=lambda at: axes[at] % ndim)
    places = [axis % ndim for axis in axes]
    shape = [parameter.shape[places.index(at)] if at in places else 1 for at in range(ndim)]
    return np.transpose(parameter, order).reshape(shape)


def _scale_and_shift(
    np: ModuleType, data: Array, gamma: Array, beta: Array, axes: Sequence[int], attrs: Mapping[str, object]
) -> Array:
    """Compute data * gamma + beta, as far as the attributes `scale` and `center` ask for it."""
    data = data * _align_axes(np, gamma, data.ndim, axes) if attrs["scale"] else data
    return data + _align_axes(np, beta, data.ndim, axes) if attrs["center"] else data


def _compute_layer_norm(np: ModuleType, data: Array, gamma: Array, beta: Array, **attrs: Any) -> Array:
    axes = attrs["axes"]
    result = _normalize(np, data, axes, attrs["epsilon"])
    return _scale_and_shift(np, result, gamma, beta, axes, attrs).astype(data.dtype)


def _compute_rms_norm(np: ModuleType, data: Array, weight: Array, axes: tuple[int, ...], epsilon: float) -> Array:
    result = data / np.sqrt(np.square(data).mean(axis=axes, keepdims=True) + epsilon)
    return (result * _align_axes(np, weight, data.ndim, axes)).astype(data.dtype)


def _compute_group_norm(np: ModuleType, data: Array, gamma: Array, beta: Array, **attrs: Any) -> Array:
    groups, channel = attrs["num_groups"], attrs["channel_axis"] % data.ndim
    shape = (*data.shape[:channel], groups, data.shape[channel] // groups, *data.shape[channel + 1 :])
    inner = [axis % data.ndim for axis in attrs["axes"]]
    over = (channel + 1, *[axis + (axis > channel) for axis in inner])
    result = _normalize(np, data.reshape(shape), over, attrs["epsilon"]).reshape(data.shape)
    return _scale_and_shift(np, result, gamma, beta, [channel], attrs).astype(data.dtype)


def _compute_instance_norm(
    np: ModuleType, data: Array, gamma: Array, beta: Array, channel: int, axes: Any, epsilon: float, *flags: bool
) -> Array:
    attrs: dict[str, bool] = dict(zip(("center", "scale"), flags, strict=True))
    return _scale_and_shift(np, _normalize(np, data, axes, epsilon), gamma, beta, [channel], attrs).astype(data.dtype)


def _legalize_instance_norm(
    topi: Any, data: Any, gamma: Any, beta: Any, channel: int, axes: Any, epsilon: float, center: bool, scale: bool
) -> Any:
    """Return the kernel for channels in axis 1."""
    if channel % data.ndim != 1 or any(axis % data.ndim == 1 for axis in axes):
        return NotImplemented
    return topi.graph.instance_norm_of_channels(data, gamma if scale else None, beta if center else None, axes, epsilon)


def _compute_batch_norm(
    np: ModuleType, data: Array, gamma: Array, beta: Array, mean: Array, variance: Array, **attrs: Any
) -> tuple[Array, Array, Array]:
    """Compute inference: the moving mean and variance are unchanged."""
    axes = [attrs["axis"]]
    deviation = np.sqrt(_align_axes(np, variance, data.ndim, axes) + attrs["epsilon"])
    result = (data - _align_axes(np, mean, data.ndim, axes)) / deviation
    return _scale_and_shift(np, result, gamma, beta, axes, attrs).astype(data.dtype), mean, variance


def _legalize_batch_norm(topi: Any, *args: Any) -> Any:
    *rest, momentum, training = args
    return topi.nn.batch_norm(*rest, training, momentum)


batch_norm = Operator(
    "nn.batch_norm",
    "data: Expr, gamma: Expr, beta: Expr, moving_mean: Expr, moving_var: Expr, axis: int, epsilon: float = 1e-05, "
    "center: bool = True, scale: bool = True, momentum: float = 0.1",
    _infer_batch_norm,
    v0_27_parameters="training: bool = True",
    layout="batch_norm",
    reference=_compute_batch_norm,
    legalize=_legalize_batch_norm,
    doc="Batch normalization: the result, the moving mean and the moving variance.",
)
layer_norm = Operator(
    "nn.layer_norm",
    "data: Expr, gamma: Expr, beta: Expr, axes: ints, epsilon: float = 1e-05, center: bool = True, scale: bool = True",
    _infer_over_axes,
    mixed_precision="follow",
    layout="layer_norm",
    reference=_compute_layer_norm,
    legalize=lambda topi, *args: topi.nn.layer_norm(*args[:-2]),
    doc="Layer normalization over some axes.",
)
group_norm = Operator(
    "nn.group_norm",
    "data: Expr, gamma: Expr, beta: Expr, num_groups: int, channel_axis: int, axes: ints, epsilon: float = 1e-05, "
    "center: bool = True, scale: bool = True",
    _infer_group_norm,
    mixed_precision="follow",
    layout="group_norm",
    reference=_compute_group_norm,
    legalize=lambda topi, *args: topi.nn.group_norm(*args[:-2]),
    doc="Group normalization: each group of channels is normalized over its channels and some axes.",
)
instance_norm = Operator(
    "nn.instance_norm",
    "data: Expr, gamma: Expr, beta: Expr, channel_axis: int, axes: ints, epsilon: float = 1e-05, "
    "center: bool = True, scale: bool = True",
    _infer_instance_norm,
    reference=_compute_instance_norm,
    legalize=_legalize_instance_norm,
    doc="Instance normalization: each channel of each batch element is normalized over some axes.",
)
rms_norm = Operator(
    "nn.rms_norm",
    "data: Expr, weight: Expr, axes: ints = -1, epsilon: float = 1e-05",
    _infer_over_axes,
    mixed_precision="follow",
    layout="layer_norm",
    reference=_compute_rms_norm,
    legalize=lambda topi, data, weight, axes, epsilon: topi.nn.rms_norm(data, weight, axes, epsilon),
    doc="Root mean square normalization over some axes, times the weight.",
)
