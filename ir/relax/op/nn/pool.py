"""Max, average, and adaptive average pooling."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.adjoint import apply
from tvmscript.ir.relax.op.layout import (
    array_from_canonical,
    array_to_canonical,
    canonical_extents,
    from_canonical,
    layout_attr,
)
from tvmscript.ir.relax.op.nn.conv import SPATIAL, check_positive, count_windows, window_extents, window_slices
from tvmscript.ir.relax.op.shape_rules import expect_tensor, int64, tensor_of_ndim, tensor_of_shape
from tvmscript.ir.relax.operator import Array, Gradient, Legalize, Operator, Reference
from tvmscript.ir.relax.struct_info import TensorStructInfo

#: printing order of the attributes of pooling
ATTRIBUTE_ORDER = (
    "pool_size", "strides", "dilation", "padding", "ceil_mode", "count_include_pad", "layout", "out_layout",
)  # fmt: skip


def pool_signature(spatial: int, padding: int, arguments: str) -> str:
    """Return the signature of pooling over `spatial` dimensions, with `padding` zeros as the default padding."""
    ones, zeros = (1,) * spatial, (0,) * padding
    return (
        f"{arguments}, pool_size: ints({spatial}) = {ones}, strides: ints({spatial}) = {ones}, "
        f"padding: padding({spatial}) = {zeros}, dilation: ints({spatial}) = {ones}, ceil_mode: bool = False, "
        f"count_include_pad: bool = False, layout: str = 'NC{SPATIAL[spatial]}', out_layout: str | None = layout"
    )


def _infer(call: Call) -> TensorStructInfo:
    data, attrs = expect_tensor(call), call.attrs
    check_positive(call, "pool_size", "strides", "dilation")
    axes = f"NC{SPATIAL[len(attrs['pool_size'])]}"
    extents, _ = canonical_extents(call, 0, data, "layout", axes)
    out = layout_attr(call, "out_layout", axes)
    if extents is None:
        return tensor_of_ndim(out.ndim, data.dtype, data.vdevice)
    windows = [int64(size) for size in attrs["pool_size"]]
    spatial_extents = window_extents(call, extents[2:], windows, ceil_mode=attrs["ceil_mode"])
    return tensor_of_shape(from_canonical([*extents[:2], *spatial_extents], axes, out), data.dtype, data.vdevice)


def _infer_adaptive(call: Call) -> TensorStructInfo:
    data, attrs = expect_tensor(call), call.attrs
    axes = f"NC{SPATIAL[int(call.op.name[-2])]}"
    extents, source = canonical_extents(call, 0, data, "layout", axes)
    out = layout_attr(call, "out_layout", axes)
    if attrs["output_size"] is None and source == out and data.ndim == out.ndim:
        return data
    if extents is None:
        return tensor_of_ndim(out.ndim, data.dtype, data.vdevice)
    spatial_extents = (
        extents[2:] if attrs["output_size"] is None else tuple([int64(extent) for extent in attrs["output_size"]])
    )
    return tensor_of_shape(from_canonical([*extents[:2], *spatial_extents], axes, out), data.dtype, data.vdevice)


def _compute_max_pool(np: ModuleType, data: Array, **attrs: object) -> Array:
    """Compute max pooling; padding does not take part."""
    low = (np.finfo if data.dtype.kind == "f" else np.iinfo)(data.dtype).min
    return _reduce_windows(np, data, attrs, low, lambda windows, _: windows.max(axis=0))


def _compute_avg_pool(np: ModuleType, data: Array, **attrs: object) -> Array:
    """Compute average pooling; padding counts only if `count_include_pad`."""
    return _reduce_windows(
        np, data, attrs, 0, lambda windows, inside: windows.sum(axis=0) / np.maximum(inside.sum(axis=0), 1)
    )


def _reduce_windows(
    np: ModuleType, data: Array, attrs: dict[str, Any], filling: float, reduce: Callable[[Array, Array], Array]
) -> Array:
    spatial = len(attrs["pool_size"])
    axes = f"NC{SPATIAL[spatial]}"
    data = array_to_canonical(np, data, attrs["layout"], axes)
    before, after = attrs["padding"][:spatial], attrs["padding"][spatial:]
    rest = [stride - 1 if attrs["ceil_mode"] else 0 for stride in attrs["strides"]]
    pads = [(0, 0), (0, 0), *[(low, high + more) for low, high, more in zip(before, after, rest, strict=True)]]
    inside = np.pad(np.ones(data.shape), pads)
    if attrs["count_include_pad"]:
        counted = np.pad(np.ones(data.shape), [(0, 0), (0, 0), *zip(before, after, strict=True)], constant_values=1)
        inside = np.pad(counted, [(0, 0), (0, 0), *[(0, more) for more in rest]])
    padded = np.pad(data, pads, constant_values=filling)
    places = count_windows(padded.shape[2:], attrs["pool_size"], attrs)
    windows: list[tuple[Array, Array]] = []
    for offset in np.ndindex(*attrs["pool_size"]):
        place = (slice(None), slice(None), *window_slices(offset, places, attrs))
        windows.append((padded[place], inside[place]))
    result = reduce(np.stack([values for values, _ in windows]), np.stack([mask for _, mask in windows])).astype(
        data.dtype
    )
    return array_from_canonical(np, result, axes, attrs["out_layout"])


def _compute_adaptive_pool(np: ModuleType, data: Array, **attrs: Any) -> Array:
    """Compute adaptive average pooling over nearly equal parts."""
    axes = "NCDHW" if "D" in attrs["layout"] else "NCHW" if "H" in attrs["layout"] else "NCW"
    result = array_to_canonical(np, data, attrs["layout"], axes)
    for at, count in enumerate(attrs["output_size"] or result.shape[2:]):
        extent = result.shape[2 + at]
        parts = [
            result.take(range(part * extent // count, -(-(part + 1) * extent // count)), axis=2 + at).mean(axis=2 + at)
            for part in range(count)
        ]
        result = np.stack(parts, axis=2 + at).astype(data.dtype)
    return array_from_canonical(np, result, axes, attrs["out_layout"])


def _legalize_pool(function: str, kind: str) -> Legalize:
    """Return the legalization by a function of the inventory for windows of a kind, "max" or "avg"."""

    def legalize(
        topi: Any,
        data: Any,
        pool_size: Any,
        strides: Any,
        dilation: Any,
        padding: Any,
        ceil_mode: bool,
        count_include_pad: bool,
        layout: str,
        out_layout: str,
    ) -> Any:
        if out_layout != layout:
            return NotImplemented
        pool = getattr(topi.nn, function)
        return pool(data, pool_size, strides, dilation, padding, kind, ceil_mode, layout, count_include_pad)

    return legalize


def _legalize_adaptive_pool(topi: Any, data: Any, output_size: Any, layout: str, out_layout: str) -> Any:
    if out_layout != layout or not layout.isalpha():
        return NotImplemented
    axes = [layout.index(letter) for letter in "DHW" if letter in layout]
    pools = {1: topi.nn.adaptive_pool1d, 2: topi.nn.adaptive_pool, 3: topi.nn.adaptive_pool3d}
    size = [data.shape[axis] for axis in axes] if output_size is None else output_size
    return pools[len(axes)](data, size, "avg", layout)


def _differentiate_pool(name: str) -> Gradient:
    """Return the gradient by the operator of `R.grad`."""
    return lambda a: (apply(f"grad.{name}_pool2d_backward", a.gradient, a.x, **a.call.attrs),)


def _pool_operator(name: str, spatial: int, reference: Reference, doc: str) -> Operator:
    return Operator(
        f"nn.{name}_pool{spatial}d",
        pool_signature(spatial, max(spatial, 2), "data: Expr"),
        _infer,
        attribute_order=ATTRIBUTE_ORDER,
        mixed_precision="follow",
        layout="pool",
        reference=reference,
        legalize=_legalize_pool(f"pool{spatial}d", name),
        gradient=_differentiate_pool(name) if spatial == 2 else None,
        doc=doc,
    )


def _adaptive_pool_operator(spatial: int) -> Operator:
    return Operator(
        f"nn.adaptive_avg_pool{spatial}d",
        f"data: Expr, output_size: ints({spatial}) | None = None, layout: str = 'NC{SPATIAL[spatial]}', "
        "out_layout: str | None = layout",
        _infer_adaptive,
        mixed_precision="follow",
        layout="adaptive_pool",
        legalize=_legalize_adaptive_pool,
        reference=_compute_adaptive_pool,
        doc="Adaptive average pooling to an output size.",
    )


max_pool1d = _pool_operator("max", 1, _compute_max_pool, "Max pooling.")
max_pool2d = _pool_operator("max", 2, _compute_max_pool, "Max pooling.")
max_pool3d = _pool_operator("max", 3, _compute_max_pool, "Max pooling.")
avg_pool1d = _pool_operator("avg", 1, _compute_avg_pool, "Average pooling.")
avg_pool2d = _pool_operator("avg", 2, _compute_avg_pool, "Average pooling.")
avg_pool3d = _pool_operator("avg", 3, _compute_avg_pool, "Average pooling.")
adaptive_avg_pool1d = _adaptive_pool_operator(1)
adaptive_avg_pool2d = _adaptive_pool_operator(2)
adaptive_avg_pool3d = _adaptive_pool_operator(3)
