"""Resizing, sampling and cropping of images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from tvmscript.testing.operator_references.convolution import Array

#: planes `[channels, ...]` and indices -> the elements there
Read = Callable[[Array, Sequence[int]], Array]

#: rounding of coordinates: those that are almost integers count as these
ROUNDING: Final[dict[str, Callable[[Array], Array]]] = {
    "round": lambda x: np.sign(x) * np.floor(abs(x) + 0.5),
    "floor": lambda x: np.floor(x + 1e-5),
    "ceil": lambda x: np.ceil(x - 1e-5),
    "round_prefer_floor": lambda x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: np.floor(x + 0.5),
}


def _places(mode: str, extent: int, size: int, box: tuple[float, float]) -> Array:
    """Return the coordinates that the elements of a resized axis have in the input."""
    steps = np.arange(size)
    if mode == "align_corners":
        return steps * ((extent - 1) / (size - 1) if size > 1 else 0.0)
    if mode == "asymmetric":
        return steps * (extent / size)
    if mode == "tf_half_pixel_for_nn":
        return (steps + 0.5) * (extent / size)
    if mode == "tf_crop_and_resize":
        low, high = box
        return low * (extent - 1) + steps * ((high - low) * (extent - 1) / (size - 1))
    if mode == "pytorch_half_pixel" and size == 1:
        return np.zeros(1)
    return (steps + 0.5) * (extent / size) - 0.5


def cubic_weights(t: Array, alpha: float) -> Array:
    """Return Keys' weights of the four neighbors of a place at the fraction `t`."""

    def near(t: Array) -> Array:
        return ((alpha + 2) * t - (alpha + 3)) * t * t + 1

    def far(t: Array) -> Array:
        return ((alpha * t - 5 * alpha) * t + 8 * alpha) * t - 4 * alpha

    return np.stack([far(t + 1), near(t), near(1 - t), far(2 - t)])


def resize_rows(
    x: Array,
    size: int,
    method: str,
    mode: str,
    rounding: str | None = None,
    excludes_outside: bool = False,
    box: tuple[float, float] = (0.0, 0.0),
    alpha: float = -0.5,
) -> Array:
    """Return the last axis in another size, by the formulas of ONNX's Resize."""
    extent = x.shape[-1]
    place = _places(mode, extent, size, box)

    def clip(index: Array) -> Array:
        return np.clip(index, 0, extent - 1).astype(int)

    if method == "nearest_neighbor":
        rounding = rounding or ("round" if mode == "align_corners" else "floor")
        return x[..., clip(ROUNDING[rounding](place.astype("float32")))]
    low = np.floor(place).astype(int)
    if method == "linear":
        return np.asarray(x[..., clip(low)] * (1 - (place - low)) + x[..., clip(low + 1)] * (place - low))
    weights, taps = cubic_weights(place - low, alpha), low + np.arange(-1, 3)[:, None]
    if excludes_outside:
        weights = np.where((taps < 0) | (taps >= extent), 0, weights)
        weights = weights / weights.sum(0)
    return np.asarray((x[..., clip(taps)] * weights).sum(-2))


def resize(x: Array, sizes: Sequence[int], layout: str, method: str, mode: str) -> Array:
    """Return images of other sizes, one spatial axis after the other."""
    axes = [place for place, letter in enumerate(layout) if letter in "DHW"]
    result = x
    for axis, size in zip(axes, sizes, strict=True):
        result = resize_rows(result.swapaxes(axis, -1), size, method, mode).swapaxes(axis, -1)
    return result.astype(x.dtype)


def _resize_by(data: Array, scale: Any, layout: str, method: str, mode: str) -> Array:
    extents = [data.shape[place] for place, letter in enumerate(layout) if letter in "DHW"]
    scales = [scale] * len(extents) if isinstance(scale, (int, float)) else [*scale]
    return resize(data, [round(e * s) for e, s in zip(extents, scales, strict=True)], layout, method, mode)


def resize1d_python(
    data: Array,
    scale: Any,
    layout: str = "NCW",
    method: str = "nearest_neighbor",
    coordinate_transformation_mode: str = "align_corners",
) -> Array:
    return _resize_by(data, scale, layout, method, coordinate_transformation_mode)


def resize2d_python(
    data: Array,
    scale: Any,
    layout: str = "NCHW",
    method: str = "nearest_neighbor",
    coordinate_transformation_mode: str = "align_corners",
) -> Array:
    return _resize_by(data, scale, layout, method, coordinate_transformation_mode)


def resize3d_python(
    data: Array,
    scale: Any,
    layout: str = "NCDHW",
    method: str = "nearest_neighbor",
    coordinate_transformation_mode: str = "align_corners",
) -> Array:
    return _resize_by(data, scale, layout, method, coordinate_transformation_mode)


def read(planes: Array, indices: Sequence[int], outside: float = 0.0) -> Array:
    """Return the elements of planes at indices, or a number outside."""
    is_inside = all(0 <= index < size for index, size in zip(indices, planes.shape[1:], strict=True))
    at: tuple[Any, ...] = (slice(None), *indices)
    return planes[at] if is_inside else np.full(planes.shape[0], outside, planes.dtype)


def interpolate(planes: Array, place: Sequence[float], read_at: Read = read) -> Array:
    """Return the linear interpolation of planes at a place."""
    low = [int(np.floor(coordinate)) for coordinate in place]
    total = np.zeros(planes.shape[0])
    for corner in np.ndindex(*[2] * len(low)):
        fractions = [c - i if side else 1 - (c - i) for c, i, side in zip(place, low, corner, strict=True)]
        total = total + np.prod(fractions) * read_at(planes, [i + side for i, side in zip(low, corner, strict=True)])
    return total


def _interpolate_cubic(planes: Array, place: Sequence[float], clip: Callable[[float, int], float] | None) -> Array:
    low = [int(np.floor(coordinate)) for coordinate in place]
    rows, columns = (cubic_weights(np.asarray(c - i), -0.75) for c, i in zip(place, low, strict=True))
    total = np.zeros(planes.shape[0])
    for u, v in np.ndindex(4, 4):
        spot: list[float] = [low[0] + u - 1, low[1] + v - 1]
        indices = [int(index if clip is None else clip(index, n)) for n, index in enumerate(spot)]
        total = total + rows[u] * columns[v] * read(planes, indices)
    return total


def _mirrored(coordinate: float, low: float, high: float) -> float:
    while not low <= coordinate <= high:
        coordinate = 2 * low - coordinate if coordinate < low else 2 * high - coordinate
    return coordinate


def grid_sample_python(
    data: Array,
    grid: Array,
    method: str = "bilinear",
    layout: str = "NCHW",
    padding_mode: str = "zeros",
    align_corners: bool = True,
) -> Array:
    """Return images at the coordinates of a grid from -1 to 1 (`torch.nn.functional.grid_sample`)."""
    sizes = data.shape[2:]
    out = np.zeros((*data.shape[:2], *grid.shape[2:]), data.dtype)

    def fit(coordinate: float, n: int) -> float:
        size = sizes[n]
        if padding_mode == "reflection":
            edge = 0.0 if align_corners else 0.5
            coordinate = _mirrored(coordinate, -edge, size - 1 + edge)
        return coordinate if padding_mode == "zeros" else float(np.clip(coordinate, 0, size - 1))

    for spot in np.ndindex(len(data), *grid.shape[2:]):
        given = [grid[(spot[0], len(sizes) - 1 - n, *spot[1:])] for n in range(len(sizes))]
        place = [
            (g + 1) * (size - 1) / 2 if align_corners else ((g + 1) * size - 1) / 2
            for g, size in zip(given, sizes, strict=True)
        ]
        planes = data[spot[0]]
        if method == "bicubic":
            value = _interpolate_cubic(planes, place, None if padding_mode == "zeros" else fit)
        else:
            place = [fit(coordinate, n) for n, coordinate in enumerate(place)]
            is_linear = method == "bilinear"
            value = interpolate(planes, place) if is_linear else read(planes, [int(np.rint(c)) for c in place])
        out[(spot[0], slice(None), *spot[1:])] = value
    return out


def affine_grid_python(data: Array, target_shape: Sequence[int]) -> Array:
    """Return the grid of affine transformations (`torch.nn.functional.affine_grid`)."""
    height, width = target_shape
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    grid = np.einsum("nij,jhw->nihw", data, np.stack([x, y, np.ones_like(x)]))
    return np.asarray(grid, data.dtype)


def crop_and_resize_python(
    image: Array,
    boxes: Array,
    box_indices: Array,
    crop_size: Sequence[int],
    layout: str,
    method: str = "bilinear",
    extrapolation_value: float = 0,
) -> Array:
    """Return crops of images, of one size (`tf.image.crop_and_resize`)."""
    images = image if layout == "NCHW" else image.transpose(0, 3, 1, 2)
    out = np.zeros((len(boxes), images.shape[1], *crop_size), image.dtype)

    def at_edge(planes: Array, indices: Sequence[int]) -> Array:
        return read(planes, [min(index, size - 1) for index, size in zip(indices, planes.shape[1:], strict=True)])

    for k, h, w in np.ndindex(len(boxes), *crop_size):
        box, planes = boxes[k], images[box_indices[k]]
        place = [
            (box[n] + (box[n + 2] - box[n]) * i / (crop_size[n] - 1) if crop_size[n] > 1 else (box[n] + box[n + 2]) / 2)
            * (planes.shape[n + 1] - 1)
            for n, i in enumerate((h, w))
        ]
        if any(c < 0 or c > size - 1 for c, size in zip(place, planes.shape[1:], strict=True)):
            out[k, :, h, w] = extrapolation_value
        elif method == "bilinear":
            out[k, :, h, w] = interpolate(planes, place, at_edge)
        else:
            out[k, :, h, w] = read(planes, [int(np.round(c)) for c in place])
    return out if layout == "NCHW" else out.transpose(0, 2, 3, 1)
