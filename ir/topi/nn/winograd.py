"""Winograd's minimal filtering: convolutions of stride 1 by products of transformed tiles.

A tile of m outputs of a filter of r taps takes m + r - 1 products: `A.T @ ((G @ g) * (B.T @ d))`
(A. Lavin and S. Gray, Fast Algorithms for Convolutional Neural Networks, 2015, arXiv:1509.09308).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any, Final

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import LAYOUT_FREE, Extent, Index, Tensor
from tvmscript.ir.tir import Expr, IterVar
from tvmscript.ir.topi.common import Extents, Padding, as_int, function, known_int, simplify, sum_products
from tvmscript.ir.topi.constants import const_matrix
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import pad
from tvmscript.ir.topi.nn.windows import each, pad_tuple

#: points of evaluation for up to 7 products, and for more; the last point is always infinity
_FEW: Final = tuple(map(Fraction, ("0", "-1", "1", "1/2", "-2", "-1/2")))
_MANY: Final = tuple(map(Fraction, ("0", "-1", "1", "1/2", "-1/2", "2", "-2", "-1/4", "4")))
_TILE: Final = 4

#: axis -> its extent
Sizes = Mapping[str, Extent]
#: axis -> index
Places = Mapping[str, Index]


@dataclass(frozen=True)
class _Order:
    """The axes of the tensors of a layout: tiles of the input, transformed ones, the product, tiles of the output."""

    tile: str
    data: str
    kernel: str
    gemm: str
    inverse: str
    cache: str | list[int]


_ORDERS: Final = {
    "NCHW": _Order("ci p eps nu", "eps nu ci p", "eps nu ci co", "eps nu co p", "co p vh vw", ""),
    "NHWC": _Order("eps nu p ci", "eps nu p ci", "eps nu co ci", "eps nu p co", "vh vw p co", [2]),
}


def winograd_transform_matrices(tile_size: int, kernel_size: int, out_dtype: str) -> tuple[Tensor, Tensor, Tensor]:
    """Return A, B and G of a tile of outputs and a filter, by Cook and Toom's interpolation at rational points."""
    count = tile_size + kernel_size - 2
    points = (_FEW if count < 7 else _MANY)[:count]
    if not 3 <= count <= len(_MANY):
        where, reason = "nn.winograd_transform_matrices", f"a tile has 2 to 8 outputs of 3 taps, not {tile_size}"
        raise InvalidOperand(where=where, reason=reason)
    evaluation = [[point**power for power in range(tile_size)] for point in points]
    taps, columns = [], []
    for point in points:
        others = [other for other in points if other != point]
        scale = prod((point - other for other in others), start=Fraction(1))
        sign = -1 if point == 0 and scale < 0 else 1
        taps.append([sign * point**power / scale for power in range(kernel_size)])
        columns.append([sign * number for number in (*_coefficients(others), Fraction(0))])
    columns.append(_coefficients(points))
    matrices = {
        "A": [*evaluation, _last(tile_size)],
        "B": [list(row) for row in zip(*columns, strict=True)],
        "G": [*taps, _last(kernel_size)],
    }
    first, second, third = (
        const_matrix([[float(number) for number in row] for row in rows], name, dtype=out_dtype)
        for name, rows in matrices.items()
    )
    return first, second, third


def _last(size: int) -> list[Fraction]:
    return [Fraction(place == size - 1) for place in range(size)]


def _coefficients(roots: Sequence[Fraction]) -> list[Fraction]:
    """Return the coefficients of the monic polynomial of these roots, from the constant on."""
    result = [Fraction(1)]
    for root in roots:
        result = [low - root * high for low, high in zip([Fraction(0), *result], [*result, Fraction(0)], strict=True)]
    return result


def _define(
    axes: str,
    sizes: Sizes,
    value: Callable[[Places], Expr],
    name: str,
    tag: str = "",
    attrs: Mapping[str, Any] | None = None,
) -> Tensor:
    """Return a compute over named axes."""
    names = axes.split()
    shape = [sizes[axis] for axis in names]
    return compute(shape, lambda *i: value(dict(zip(names, i, strict=True))), name, tag, attrs, names)


def _read(tensor: Tensor, axes: str, at: Places) -> Expr:
    return tensor(*[at[axis] for axis in axes.split()])


def _axes(size: int, *names: str) -> list[IterVar]:
    return [reduce_axis((0, size), name) for name in names]


def _winograd(
    data: Tensor,
    weight: Tensor,
    strides: Extents,
    padding: Padding,
    dilation: Extents,
    out_dtype: str,
    layout: str,
    is_transformed: bool,
) -> Tensor:
    """Return a convolution of stride 1; the kernel is transformed already where `is_transformed`."""
    where, order = f"nn.conv2d_winograd_{layout.lower()}", _ORDERS[layout]
    if data.ndim != 4 or weight.ndim != 4:
        raise InvalidOperand(where=where, reason="the data and the kernel have 4 dimensions")
    batch, channels, *extents = (data.shape[layout.index(letter)] for letter in "NCHW")
    kernel_axes = order.kernel if is_transformed else ("co ci kh kw" if layout == "NCHW" else "kh kw ci co")
    kernel_sizes = dict(zip(kernel_axes.split(), weight.shape, strict=True))
    side = [as_int(kernel_sizes[axis], where) for axis in (("eps", "nu") if is_transformed else ("kh", "kw"))]
    tile, taps = (side[0] - 2, 3) if is_transformed else (_TILE, side[0])
    if side != [side[0]] * 2 or taps != 3:
        raise InvalidOperand(where=where, reason=f"the kernel is of {side[0]} and {side[1]} taps, not 3 and 3")
    if known_int(channels) not in (None, known_int(kernel_sizes["ci"])):
        raise InvalidOperand(where=where, reason=f"{channels} channels, and a kernel of {kernel_sizes['ci']}")
    if any(known_int(step) != 1 for option in (strides, dilation) for step in each(option, 2, where)):
        raise InvalidOperand(where=where, reason="strides and dilations are 1")
    heads, tails = pad_tuple(padding, side if not is_transformed else [taps] * 2, where)
    out = [simplify(x + head + tail - taps + 1) for x, head, tail in zip(extents, heads, tails, strict=True)]
    counts = [simplify(function("indexdiv")(size + tile - 1, tile)) for size in out]
    # whole tiles are read
    widths: list[list[Extent]] = [[0, 0], [0, 0]]
    widths[1] = [simplify(n * tile + taps - 1 - x - head) for n, x, head in zip(counts, extents, heads, strict=True)]
    widths[0] = heads
    before, after = ([{"N": 0, "C": 0, "H": h, "W": w}[letter] for letter in layout] for h, w in widths)
    attrs = {"schedule_rule": "None"}
    padded = pad(data, before, after, name="data_pad", attrs=attrs if layout == "NHWC" else None)
    rows, columns = counts
    products = tile + taps - 1
    sizes: dict[str, Extent] = {
        "ci": channels, "co": kernel_sizes["co"], "p": simplify(batch * rows * columns),
        "eps": products, "nu": products, "vh": tile, "vw": tile,
    }  # fmt: skip
    divide, remainder = function("indexdiv"), function("indexmod")
    a, b, g = winograd_transform_matrices(tile, taps, out_dtype)

    def input_tile(at: Places) -> Expr:
        place = at["p"]
        top = remainder(divide(place, columns), rows) * tile + at["eps"]
        left = remainder(place, columns) * tile + at["nu"]
        image = divide(place, rows * columns)
        return padded(*[{"N": image, "C": at["ci"], "H": top, "W": left}[letter] for letter in layout])

    tiles = _define(order.tile, sizes, input_tile, "input_tile", attrs=attrs)

    def transformed(at: Places) -> Expr:
        first, second = _axes(products, "r_a", "r_b")
        element = _read(tiles, order.tile, {**at, "eps": first, "nu": second})
        return reduction.sum(element * b(first, at["eps"]) * b(second, at["nu"]), axis=[first, second])

    rule = f"conv2d_{layout.lower()}_winograd"
    data_pack = _define(order.data, sizes, transformed, "data_pack", attrs={"schedule_rule": f"{rule}_data_pack"})
    kernel_pack = weight if is_transformed else _transform(weight, kernel_axes, order.kernel, sizes, g, "kernel_pack")
    gemm_attrs: dict[str, Any] = {"meta_schedule.write_cache_level": order.cache}
    if is_transformed:
        gemm_attrs[LAYOUT_FREE] = [weight]

    def product(at: Places) -> Expr:
        channel = reduce_axis((0, channels), "ci")
        inner = {**at, "ci": channel}
        left = _read(data_pack, order.data, inner)
        right = _read(kernel_pack, order.kernel, inner)
        return sum_products(out_dtype, left, right, channel)

    bgemm = _define(order.gemm, sizes, product, "bgemm", attrs=gemm_attrs)

    def outputs(at: Places) -> Expr:
        first, second = _axes(products, "r_a", "r_b")
        element = _read(bgemm, order.gemm, {**at, "eps": first, "nu": second})
        return reduction.sum(element * a(first, at["vh"]) * a(second, at["vw"]), axis=[first, second])

    inverse = _define(order.inverse, sizes, outputs, "inverse", attrs={"schedule_rule": f"{rule}_inverse"})

    def element(at: Places) -> Expr:
        place = at["n"] * rows * columns + divide(at["h"], tile) * columns + divide(at["w"], tile)
        inner = {"p": place, "vh": remainder(at["h"], tile), "vw": remainder(at["w"], tile), "co": at["co"]}
        return _read(inverse, order.inverse, inner)

    shape = {"n": batch, "co": sizes["co"], "h": out[0], "w": out[1]}
    axes = "n co h w" if layout == "NCHW" else "n h w co"
    return _define(axes, shape, element, "conv2d_winograd", tag=f"conv2d_winograd_{layout.lower()}")


def _transform(weight: Tensor, axes: str, result: str, sizes: Sizes, matrix: Tensor, name: str) -> Tensor:
    """Return `G @ g @ G.T` of a kernel, whose axes `kd kh kw`, or the last two, become `omg eps nu`."""
    pairs = [pair for pair in (("kd", "omg"), ("kh", "eps"), ("kw", "nu")) if pair[1] in result.split()]

    def value(at: Places) -> Expr:
        over = _axes(known_int(matrix.shape[1]) or 3, *[f"r_{tap}" for tap, _ in pairs])
        taps = {tap: axis for (tap, _), axis in zip(pairs, over, strict=True)}
        term = _read(weight, axes, {**at, **taps})
        for tap, place in pairs:
            term = term * matrix(at[place], taps[tap])
        return reduction.sum(term, axis=over)

    return _define(result, sizes, value, name)


def conv2d_winograd_nchw(
    data: Tensor,
    weight: Tensor,
    strides: Extents,
    padding: Padding,
    dilation: Extents,
    out_dtype: str,
    pre_computed: bool = False,
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_original_shape: object = None,
) -> Tensor:
    """Return ONNX's Conv of kernels of 3 by 3 and stride 1, channels second, by Winograd's algorithm.

    A kernel that is `pre_computed` has the axes (products, products, channels, filters).
    """
    return _winograd(data, weight, strides, padding, dilation, out_dtype, "NCHW", pre_computed)


def conv2d_winograd_nhwc(
    data: Tensor,
    weight: Tensor,
    strides: Extents,
    padding: Padding,
    dilation: Extents,
    out_dtype: str,
    pre_computed: bool = False,
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_original_shape: object = None,
) -> Tensor:
    """Return ONNX's Conv of kernels of 3 by 3 and stride 1, channels last, by Winograd's algorithm.

    A kernel that is `pre_computed` has the axes (products, products, filters, channels).
    """
    return _winograd(data, weight, strides, padding, dilation, out_dtype, "NHWC", pre_computed)


def conv2d_winograd_nchw_without_weight_transform(
    data: Tensor,
    weight: Tensor,
    strides: Extents,
    padding: Padding,
    dilation: Extents,
    out_dtype: str,
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_original_shape: object = None,
) -> Tensor:
    """Return `conv2d_winograd_nchw` of a transformed kernel."""
    return _winograd(data, weight, strides, padding, dilation, out_dtype, "NCHW", is_transformed=True)


def conv2d_winograd_nhwc_without_weight_transform(
    data: Tensor,
    weight: Tensor,
    strides: Extents,
    padding: Padding,
    dilation: Extents,
    out_dtype: str,
    auto_scheduler_rewritten_layout: str = "",
    meta_schedule_original_shape: object = None,
) -> Tensor:
    """Return `conv2d_winograd_nhwc` of a transformed kernel."""
    return _winograd(data, weight, strides, padding, dilation, out_dtype, "NHWC", is_transformed=True)


def _transform_weight(kernel: Tensor, tile_size: int, axes: str, result: str, where: str) -> Tensor:
    extents = dict(zip(axes.split(), kernel.shape, strict=True))
    taps = as_int(extents["kw"], where)
    _, _, g = winograd_transform_matrices(tile_size, taps, kernel.dtype)
    products = tile_size + taps - 1
    sizes = {**extents, "d": extents.get("d", 1), "omg": products, "eps": products, "nu": products}
    return _transform(kernel, axes, result, sizes, g, "transform_weight")


def conv2d_winograd_weight_transform(kernel: Tensor, tile_size: int) -> Tensor:
    """Return `G @ g @ G.T` of filters (filters, channels, taps, taps), with the axes of products first."""
    return _transform_weight(kernel, tile_size, "co ci kh kw", "eps nu co ci", "nn.conv2d_winograd_weight_transform")


def conv3d_winograd_weight_transform(kernel: Tensor, tile_size: int) -> Tensor:
    """Return the transform of filters of three dimensions, of the depth too where it is as large as the others."""
    where = "nn.conv3d_winograd_weight_transform"
    if known_int(kernel.shape[2]) == known_int(kernel.shape[3]):
        return _transform_weight(kernel, tile_size, "co ci kd kh kw", "omg eps nu co ci", where)
    return _transform_weight(kernel, tile_size, "co ci d kh kw", "eps nu d co ci", where)
