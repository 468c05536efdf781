"""Sample images at coordinates: grids, crops, affine maps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import EQ, Expr, as_expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import INJECTIVE, as_int, as_list, function, known_int
from tvmscript.ir.topi.errors import InvalidOperand

#: returns the element of an image at indices, 0 outside
Read = Callable[[list[Any]], Any]


def interpolate(read: Read, coordinates: list[Any]) -> Any:
    """Return the linear interpolation of an image between the elements around coordinates."""
    total: Any = None
    below = [cast_expr("int32", function("floor")(place)) for place in coordinates]
    rests = [place - cast_expr(place.dtype, index) for place, index in zip(coordinates, below, strict=True)]
    for corner in range(2 ** len(coordinates)):
        sides = [corner >> n & 1 for n in reversed(range(len(coordinates)))]
        part = read([index + side if side else index for index, side in zip(below, sides, strict=True)])
        for rest, side in zip(rests, sides, strict=True):
            part = part * (rest if side else const(1.0, rest.dtype) - rest)
        total = part if total is None else total + part
    return total


def _cubic(read: Read, coordinates: list[Any]) -> Any:
    """Return the cubic convolution of 4 by 4 elements (R. Keys, 1981), for a = -0.75 as torch."""
    below = [function("floor")(place) for place in coordinates]
    fractions = [place - low for place, low in zip(coordinates, below, strict=True)]

    def weights(t: Any) -> list[Any]:
        a = const(-0.75, t.dtype)
        one, two, three = (const(float(n), t.dtype) for n in (1, 2, 3))

        def near(x: Any) -> Any:
            return ((a + two) * x - (a + three)) * x * x + one

        def far(x: Any) -> Any:
            return ((a * x - const(5.0, t.dtype) * a) * x + const(8.0, t.dtype) * a) * x - const(4.0, t.dtype) * a

        return [far(t + one), near(t), near(one - t), far(two - t)]

    rows, columns = (weights(t) for t in fractions)
    first = [cast_expr("int32", low) for low in below]
    total: Any = None
    for n, row in enumerate(rows):
        line: Any = None
        for m, column in enumerate(columns):
            part = read([first[0] + (n - 1), first[1] + (m - 1)]) * column
            line = part if line is None else line + part
        total = line * row if total is None else total + line * row
    return total


def affine_grid(data: Tensor, target_shape: Any, align_corners: bool = True) -> Any:
    """Return torch.nn.functional.affine_grid with the coordinates second: x, y of images, x, y, z of volumes."""
    sizes = [as_int(extent, "image.affine_grid") for extent in as_list(target_shape)]
    count = len(sizes)
    if data.ndim != 3 or (known_int(data.shape[1]), known_int(data.shape[2])) != (count, count + 1):
        reason = f"the maps are matrices of {count} rows and {count + 1} columns"
        raise InvalidOperand(where="image.affine_grid", reason=reason)

    def coordinate(index: Any, size: int) -> Any:
        if align_corners:
            # the last coordinate stays below 1
            begin, step = -1.0, (2 - 1e-7) / max(size - 1, 1)
        else:
            begin, step = 1 / size - 1, 2 / size
        return const(begin, data.dtype) + cast_expr(data.dtype, index) * const(step, data.dtype)

    def value(n: Any, dim: Any, *place: Any) -> Any:
        total: Any = None
        for column, (index, size) in enumerate(zip(reversed(place), reversed(sizes), strict=True)):
            part = data(n, dim, column) * coordinate(index, size)
            total = part if total is None else total + part
        return total + data(n, dim, count)

    names = ["i", "j", "k"][:count]
    return compute((data.shape[0], count, *sizes), value, tag="affine_grid", varargs_names=names)


def _reflect(place: Any, low: Any, size: Any) -> Any:
    """Return a coordinate that is mirrored at `low` and at `low + size` until it is between them."""
    distance = function("abs")(place - low)
    turns = function("floor")(distance / size)
    rest = distance - turns * size
    is_even = EQ(function("truncmod")(cast_expr("int32", turns), const(2)), const(0))
    return function("if_then_else")(is_even, rest + low, size + low - rest)


def grid_sample(
    data: Tensor,
    grid: Tensor,
    method: str = "bilinear",
    layout: str = "NCHW",
    padding_mode: str = "zeros",
    align_corners: bool = True,
) -> Any:
    """Return torch.nn.functional.grid_sample of images or volumes, with the coordinates of the grid second.

    The method is "nearest", "bilinear" or, for images, "bicubic", the padding "zeros", "border" or "reflection".
    """
    where = "image.grid_sample"
    count = data.ndim - 2
    if layout not in ("NCHW", "NCDHW") or len(layout) != data.ndim or grid.ndim != data.ndim:
        reason = f"the layout {layout} is not that of {data.ndim} dimensions, or the grid has other ones"
        raise InvalidOperand(where=where, reason=reason)
    if method not in ("nearest", "bilinear", "bicubic") or (method == "bicubic" and count == 3):
        raise InvalidOperand(where=where, reason=f"there is no method {method!r} for {count} dimensions")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise InvalidOperand(where=where, reason=f"there is no padding mode {padding_mode!r}")
    sizes: list[Any] = list(data.shape[2:])
    dtype = grid.dtype
    zero, one, half = (const(x, dtype) for x in (0.0, 1.0, 0.5))

    def clip(place: Any, size: Any) -> Any:
        return function("min")(function("max")(place, zero), cast_expr(dtype, size - 1))

    def coordinate(g: Any, size: Any) -> Any:
        """Return the coordinate in pixels of one from -1 to 1."""
        extent = cast_expr(dtype, size - 1 if align_corners else size)
        place = (g + one) * extent * half if align_corners else const(-0.5, dtype) + (g + one) * extent * half
        return place if method == "bicubic" else padded(place, size)

    def padded(place: Any, size: Any) -> Any:
        if padding_mode == "border":
            return clip(place, size)
        if padding_mode == "reflection":
            low = zero if align_corners else const(-0.5, dtype)
            extent = cast_expr(dtype, size - 1 if align_corners else size)
            return clip(_reflect(place, low, function("max")(extent, one) if align_corners else extent), size)
        return place

    def value(*i: Expr) -> Any:
        batch, channel = i[:2]
        # the grid has x before y before z
        places = [coordinate(grid(batch, count - 1 - n, *i[2:]), size) for n, size in enumerate(sizes)]

        def read(indices: list[Any]) -> Any:
            if method == "bicubic" and padding_mode != "zeros":
                indices = [
                    cast_expr("int32", padded(cast_expr(dtype, index), size))
                    for index, size in zip(indices, sizes, strict=True)
                ]
            inside = [index >= 0 for index in indices] + [
                index < size for index, size in zip(indices, sizes, strict=True)
            ]
            element = data(batch, channel, *indices)
            return function("if_then_else")(function("all")(*inside), element, const(0.0, data.dtype))

        if method == "nearest":
            return read([cast_expr("int32", function("nearbyint")(place)) for place in places])
        return interpolate(read, places) if method == "bilinear" else _cubic(read, places)

    names = ["n", "c", *("hw" if count == 2 else "dhw")]
    return compute((*data.shape[:2], *grid.shape[2:]), value, tag="grid_sample", varargs_names=names)


def crop_and_resize(
    data: Tensor,
    boxes: Tensor,
    box_indices: Tensor,
    crop_size: Any,
    layout: str = "NCHW",
    method: str = "bilinear",
    extrapolation_value: float | None = None,
    out_dtype: str | None = None,
) -> Any:
    """Return tf.image.crop_and_resize: boxes `y1, x1, y2, x2` of images, each resized to one size.

    Coordinates are from 0 to 1, elements outside have a value, 0 where none is given. The method is "bilinear" or
    "nearest_neighbor".
    """
    where = "image.crop_and_resize"
    if layout not in ("NCHW", "NHWC") or method not in ("bilinear", "nearest_neighbor"):
        raise InvalidOperand(where=where, reason=f"there is no {method!r} for the layout {layout!r}")
    rows, columns, channels = (layout.index(letter) for letter in "HWC")
    targets = as_list(crop_size)
    sizes: list[Any] = [data.shape[rows], data.shape[columns]]
    dtype = boxes.dtype
    outside = const(extrapolation_value or 0.0, out_dtype or data.dtype)
    shape: list[Any] = list(data.shape)
    shape[0], shape[rows], shape[columns] = boxes.shape[0], *targets

    def value(*i: Expr) -> Any:
        box = i[0]
        image = box_indices(box)
        places: list[Any] = []
        for n, axis in enumerate((rows, columns)):
            begin, end = boxes(box, n), boxes(box, n + 2)
            last = cast_expr(dtype, sizes[n] - 1)
            if known_int(targets[n]) == 1:
                places.append(const(0.5, dtype) * (begin + end) * last)
                continue
            step = last * (end - begin) / cast_expr(dtype, as_expr(targets[n]) - 1)
            places.append(begin * last + step * cast_expr(dtype, i[axis]))

        def read(indices: list[Any]) -> Any:
            place: list[Any] = [image, None, None, None]
            place[channels] = i[channels]
            for axis, index, size in zip((rows, columns), indices, sizes, strict=True):
                place[axis] = function("max")(function("min")(index, size - 1), 0)
            return cast_expr(outside.dtype, data(*place))

        if method == "bilinear":
            result = interpolate(read, places)
        else:
            result = read([cast_expr("int32", function("round")(place)) for place in places])
        for n in range(2):
            last = cast_expr(dtype, sizes[n] - 1)
            result = function("if_then_else")(last < places[n], outside, result)
            result = function("if_then_else")(places[n] < const(0.0, dtype), outside, result)
        return result

    return compute(shape, value, name="crop_and_resize", tag=INJECTIVE)
