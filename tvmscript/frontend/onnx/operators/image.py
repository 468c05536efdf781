"""Images of other sizes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.resize_weights import Resize, nearest_places, weights
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import Size, dtype_of, rank_of, shape_expr, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


@operator("Upsample", 7)
@operator("Upsample", 9)
def upsample(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor enlarged by scales, an attribute or an input."""
    scales = node.reals("scales") if "scales" in node.attrs else _scales(node, 1)
    mode = node.text("mode", "nearest")
    x = node.tensor(0)
    lengths = node.static(sizes_of(x), "its size")
    sizes = [int(size * scale) for size, scale in zip(lengths, scales, strict=True)]
    plan = Resize("linear" if mode == "bilinear" else mode, "asymmetric", "floor")
    return resize_axes(context, x, list(range(len(sizes))), sizes, list(scales), plan)


@operator("Resize", 10)
def resize_by_scales(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor in other sizes by scales."""
    x, scales = node.tensor(0), _scales(node, 1)
    lengths = node.static(sizes_of(x), "its size")
    sizes = [int(size * scale) for size, scale in zip(lengths, scales, strict=True)]
    return resize_axes(context, x, list(range(len(sizes))), sizes, scales, _plan(node, "asymmetric"))


@operator("Resize", 11)
def resize(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor in other sizes, by scales or sizes."""
    x = node.tensor(0)
    own = sizes_of(x)
    axes = [node.axis(axis, len(own)) for axis in node.integers("axes", range(len(own)))]
    lengths = [own[axis] for axis in axes]
    plan = _plan(node, "half_pixel")
    if node.has(3) and sizes_of(node.tensor(3)) != [0]:
        sizes = [int(size) for size in node.numbers(3, "sizes")]
        scales = [size / length for size, length in zip(sizes, node.static(lengths, "its size"), strict=True)]
        scales, sizes = _keep_ratio(node, lengths, sizes, scales)
    else:
        scales = _scales(node, 2)
        if not all(isinstance(length, int) for length in lengths):
            return _symbolic(node, x, axes, scales)
        sizes = [
            int(np.floor(np.float32(length) * np.float32(scale))) for length, scale in zip(lengths, scales, strict=True)
        ]
    node.static(sizes, "its result")
    regions = [float(value) for value in node.numbers(1, "roi")] if node.has(1) and plan.crops else []
    return resize_axes(context, x, axes, sizes, scales, plan, regions)


def _symbolic(node: Node, x: RelaxExpr, axes: list[int], scales: list[float]) -> RelaxExpr:
    """Return images of symbolic sizes enlarged by whole numbers."""
    factors = dict(zip(axes, scales, strict=True))
    if rank_of(x) != 4 or any(factor != int(factor) for factor in scales) or factors.get(0, 1) * factors.get(1, 1) != 1:
        raise node.invalid("sizes that are not known can be scaled for images, by whole numbers")
    height, width = sizes_of(x)[2:]
    size = [height * int(factors.get(2, 1)), width * int(factors.get(3, 1))]
    method = {"nearest": "nearest_neighbor", "linear": "linear", "cubic": "cubic"}[node.text("mode", "nearest")]
    coordinates = node.text("coordinate_transformation_mode", "half_pixel")
    rounding = node.text("nearest_mode", "round_prefer_floor")
    return R.image.resize2d(x, shape_expr(size), layout="NCHW", method=method,
                            coordinate_transformation_mode=coordinates, rounding_method=rounding,
                            cubic_alpha=node.number("cubic_coeff_a", -0.75))  # fmt: skip


def _scales(node: Node, index: int) -> list[float]:
    return [float(scale) for scale in node.numbers(index, "scales")]


def _plan(node: Node, coordinates: str) -> Resize:
    default = "round_prefer_floor" if node.version >= 11 else "floor"
    return Resize(
        node.text("mode", "nearest"),
        node.text("coordinate_transformation_mode", coordinates),
        node.text("nearest_mode", default),
        node.number("cubic_coeff_a", -0.75),
        bool(node.integer("exclude_outside", 0)),
        bool(node.integer("antialias", 0)),
        node.number("extrapolation_value", 0.0),
    )


def _keep_ratio(
    node: Node, lengths: list[Size], sizes: list[int], scales: list[float]
) -> tuple[list[float], list[int]]:
    """Return scales and sizes of a policy that keeps the ratio of sizes."""
    policy = node.text("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return scales, sizes
    scale = min(scales) if policy == "not_larger" else max(scales)
    return [scale] * len(scales), [int(length * scale + 0.5) for length in lengths]


def resize_axes(
    context: Context,
    x: RelaxExpr,
    axes: list[int],
    sizes: list[int],
    scales: list[float],
    plan: Resize,
    regions: list[float] = [],  # noqa: B006  # never changed
) -> RelaxExpr:
    """Return the tensor with other sizes of axes: one after the other, each a product with few weights."""
    dtype = dtype_of(x)
    outside: list[tuple[int, Any]] = []
    is_plain = plan.mode != "nearest" and dtype == "float32"
    original = x
    for place, axis in enumerate(axes):
        length = sizes_of(original)[axis]
        if not plan.crops and scales[place] == 1 and sizes[place] == length:
            continue
        assert isinstance(length, int), "sizes that are resized are known"
        region = (regions[place], regions[place + len(axes)]) if plan.crops else (0.0, 1.0)
        if plan.mode == "nearest":
            x = R.take(x, R.const(nearest_places(plan, length, sizes[place], scales[place], region), "int64"), axis)
            continue
        table, is_outside = weights(plan, length, sizes[place], scales[place], region)
        if is_outside.any():
            outside.append((axis, is_outside))
        x = _product(x if is_plain else R.astype(x, "float32"), table, axis)
        is_plain = True
    x = x if dtype_of(x) == dtype else R.astype(x, dtype)
    for axis, is_outside in outside:
        shape = [1] * rank_of(x)
        shape[axis] = len(is_outside)
        x = R.where(R.const(is_outside.reshape(shape), "bool"), R.const(plan.extrapolation, dtype), x)
    return x


def _product(x: RelaxExpr, table: Any, axis: int) -> RelaxExpr:
    """Return the product of an axis with a matrix (old size, new size)."""
    rank = rank_of(x)
    matrix = R.const(table.astype("float32"), "float32")
    if axis == rank - 1:
        return R.matmul(x, matrix)
    order = [index for index in range(rank) if index != axis] + [axis]
    moved = R.matmul(R.permute_dims(x, order), matrix)
    back = [order.index(index) for index in range(rank)]
    return R.permute_dims(moved, back)
