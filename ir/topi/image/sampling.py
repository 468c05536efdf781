"""Sample images at coordinates: grids, crops, affine maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import EQ, Expr, as_expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import INJECTIVE, Extents, as_int, as_list, function, known_int, sum_of
from tvmscript.ir.topi.errors import InvalidOperand

#: returns the element of an image at indices: the elements below coordinates, and distances from these
Read = Callable[[list[Expr], list[int]], Expr]
#: the order of a sum decides how it is rounded: TVM's
_CORNERS_OF_VOLUMES: Final = (0b000, 0b001, 0b110, 0b111, 0b010, 0b101, 0b100, 0b011)


def beside(below: list[Expr], sides: list[int]) -> list[Expr]:
    """Return indices at distances from others."""
    return [index + side if side else index for index, side in zip(below, sides, strict=True)]


def split_coordinates(coordinates: list[Expr]) -> tuple[list[Expr], list[Expr]]:
    """Return the indices below coordinates, and the distances from these."""
    below = [cast_expr("int32", function("floor")(place)) for place in coordinates]
    return below, [place - cast_expr(place.dtype, index) for place, index in zip(coordinates, below, strict=True)]


def interpolate(read: Read, coordinates: list[Expr]) -> Expr:
    """Return the linear interpolation of an image or a volume between the elements around coordinates."""
    terms: list[Expr] = []
    below, rests = split_coordinates(coordinates)
    is_volume = len(coordinates) == 3
    for corner in _CORNERS_OF_VOLUMES if is_volume else range(4):
        sides = [corner >> n & 1 for n in reversed(range(len(coordinates)))]
        term = read(below, sides)
        weights = [rest if side else const(1.0, rest.dtype) - rest for rest, side in zip(rests, sides, strict=True)]
        for weight in reversed(weights) if is_volume else weights:
            term = term * weight
        terms.append(term)
    return sum_of(terms)


def _interpolate_nested(read: Read, coordinates: list[Expr]) -> Expr:
    """Return the linear interpolation of an image, of the last dimension first."""
    below, rests = split_coordinates(coordinates)

    def along(sides: list[int]) -> Expr:
        if len(sides) == len(rests):
            return read(below, sides)
        rest = rests[len(sides)]
        return along([*sides, 0]) * (const(1.0, rest.dtype) - rest) + along([*sides, 1]) * rest

    return along([])


def _cubic(read: Read, coordinates: list[Expr]) -> Expr:
    """Return the cubic convolution of 4 by 4 elements (R. Keys, 1981), for a = -0.75 as torch."""
    below, fractions = split_coordinates(coordinates)

    def weights(t: Expr) -> list[Expr]:
        a = const(-0.75, t.dtype)
        one, two, three = (const(float(n), t.dtype) for n in (1, 2, 3))

        def near(x: Expr) -> Expr:
            return ((a + two) * x - (a + three)) * x * x + one

        def far(x: Expr) -> Expr:
            return ((a * x - const(5.0, t.dtype) * a) * x + const(8.0, t.dtype) * a) * x - const(4.0, t.dtype) * a

        return [far(t + one), near(t), near(one - t), far(two - t)]

    rows, columns = (weights(t) for t in fractions)
    return sum_of(
        sum_of(read(below, [n - 1, m - 1]) * column for m, column in enumerate(columns)) * row
        for n, row in enumerate(rows)
    )


def affine_grid(data: Tensor, target_shape: Sequence[Extent], align_corners: bool = True) -> Tensor:
    """Return torch.nn.functional.affine_grid with the coordinates second: x, y of images, x, y, z of volumes."""
    sizes = [as_int(extent, "image.affine_grid") for extent in as_list(target_shape)]
    count = len(sizes)
    if data.ndim != 3 or (known_int(data.shape[1]), known_int(data.shape[2])) != (count, count + 1):
        reason = f"the maps are matrices of {count} rows and {count + 1} columns"
        raise InvalidOperand(where="image.affine_grid", reason=reason)

    def coordinate(index: Expr, size: int) -> Expr:
        if align_corners:
            # the last coordinate stays below 1
            begin, step = -1.0, (2 - 1e-7) / max(size - 1, 1)
        else:
            begin, step = 1 / size - 1, 2 / size
        return const(begin, data.dtype) + cast_expr(data.dtype, index) * const(step, data.dtype)

    def value(n: Expr, dim: Expr, *place: Expr) -> Expr:
        places = enumerate(zip(reversed(place), reversed(sizes), strict=True))
        total = sum_of(data(n, dim, column) * coordinate(index, size) for column, (index, size) in places)
        return total + data(n, dim, count)

    names = ["i", "j", "k"][:count]
    return compute((data.shape[0], count, *sizes), value, tag="affine_grid", varargs_names=names)


def _reflect(place: Expr, low: Expr, size: Expr) -> Expr:
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
) -> Tensor:
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
    sizes = list(data.shape[2:])
    dtype = grid.dtype
    zero, one, half = (const(x, dtype) for x in (0.0, 1.0, 0.5))

    def clip(place: Expr, size: Expr) -> Expr:
        return function("min")(function("max")(place, zero), cast_expr(dtype, size - 1))

    def coordinate(g: Expr, size: Expr) -> Expr:
        """Return the coordinate in pixels of one from -1 to 1."""
        extent = cast_expr(dtype, size - 1 if align_corners else size)
        place = (g + one) * extent * half if align_corners else const(-0.5, dtype) + (g + one) * extent * half
        return place if method == "bicubic" else padded(place, size)

    def padded(place: Expr, size: Expr) -> Expr:
        if padding_mode == "border":
            return clip(place, size)
        if padding_mode == "reflection":
            low = zero if align_corners else const(-0.5, dtype)
            extent = cast_expr(dtype, size - 1 if align_corners else size)
            return clip(_reflect(place, low, function("max")(extent, one) if align_corners else extent), size)
        return place

    def value(*i: Expr) -> Expr:
        batch, channel = i[:2]
        # the grid has x before y before z
        places = [coordinate(grid(batch, count - 1 - n, *i[2:]), size) for n, size in enumerate(sizes)]

        def read(below: list[Expr], sides: list[int]) -> Expr:
            if method == "bicubic" and padding_mode == "border":
                dimensions = zip(beside(below, sides), sizes, strict=True)
                clipped = [function("min")(function("max")(index, 0), size - 1) for index, size in dimensions]
                return data(batch, channel, *clipped)
            if method == "bicubic" and padding_mode == "reflection":
                below = [
                    cast_expr("int32", padded(cast_expr(dtype, index), size))
                    for index, size in zip(beside(below, sides), sizes, strict=True)
                ]
                sides = [0] * count
            # a side on the left could be more than the greatest integer
            inside = [index >= -side for index, side in zip(below, sides, strict=True)] + [
                index < size - side for index, size, side in zip(below, sizes, sides, strict=True)
            ]
            element = data(batch, channel, *beside(below, sides))
            return function("if_then_else")(function("all")(*inside), element, const(0.0, data.dtype))

        if method == "nearest":
            return read([cast_expr("int32", function("nearbyint")(place)) for place in places], [0] * count)
        return _cubic(read, places) if method == "bicubic" else interpolate(read, places)

    names = ["n", "c", *("hw" if count == 2 else "dhw")]
    return compute((*data.shape[:2], *grid.shape[2:]), value, tag="grid_sample", varargs_names=names)


def crop_and_resize(
    data: Tensor,
    boxes: Tensor,
    box_indices: Tensor,
    crop_size: Extents,
    layout: str = "NCHW",
    method: str = "bilinear",
    extrapolation_value: float | None = None,
    out_dtype: str | None = None,
) -> Tensor:
    """Return tf.image.crop_and_resize: boxes `y1, x1, y2, x2` of images, each resized to one size.

    Coordinates are from 0 to 1, elements outside have a value, 0 where none is given. The method is "bilinear" or
    "nearest_neighbor".
    """
    where = "image.crop_and_resize"
    if layout not in ("NCHW", "NHWC") or method not in ("bilinear", "nearest_neighbor"):
        raise InvalidOperand(where=where, reason=f"there is no {method!r} for the layout {layout!r}")
    rows, columns, channels = (layout.index(letter) for letter in "HWC")
    targets = as_list(crop_size)
    sizes = [data.shape[rows], data.shape[columns]]
    dtype = boxes.dtype
    outside = const(extrapolation_value or 0.0, out_dtype or data.dtype)
    shape: list[Extent] = list(data.shape)
    shape[0], shape[rows], shape[columns] = boxes.shape[0], *targets

    def value(*i: Expr) -> Expr:
        box = i[0]
        image = box_indices(box)
        places: list[Expr] = []
        for n, axis in enumerate((rows, columns)):
            begin, end = boxes(box, n), boxes(box, n + 2)
            last = cast_expr(dtype, sizes[n] - 1)
            if known_int(targets[n]) == 1:
                places.append(const(0.5, dtype) * (begin + end) * last)
                continue
            step = last * (end - begin) / cast_expr(dtype, as_expr(targets[n]) - 1)
            places.append(begin * last + step * cast_expr(dtype, i[axis]))

        def read(below: list[Expr], sides: list[int]) -> Expr:
            place: list[Expr] = [image] * 4
            place[channels] = i[channels]
            for axis, index, size in zip((rows, columns), beside(below, sides), sizes, strict=True):
                place[axis] = function("max")(function("min")(index, size - 1), 0)
            return cast_expr(outside.dtype, data(*place))

        if method == "bilinear":
            result = _interpolate_nested(read, places)
        else:
            result = read([cast_expr("int32", function("round")(place)) for place in places], [0, 0])
        for n in range(2):
            last = cast_expr(dtype, sizes[n] - 1)
            result = function("if_then_else")(last < places[n], outside, result)
            result = function("if_then_else")(places[n] < const(0.0, dtype), outside, result)
        return result

    return compute(shape, value, name="crop_and_resize", tag=INJECTIVE)
