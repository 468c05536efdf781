"""Algebra of the layouts of TVM 0.27: sizes, canonical forms, groups by a shape, tiles, slices.

A layout maps a coordinate to places along axes. Its iters split the coordinate, the first one outermost. Functions that
need a relation between extents raise `WrongType` where it does not provably hold.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from typing import TypeAlias

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import structural_equal
from tvmscript.ir.core.errors import WrongArgumentCount, WrongType
from tvmscript.ir.tir import Expr, IntImm
from tvmscript.ir.tir.expr import FloorDiv, FloorMod
from tvmscript.ir.tir.operators import match_types
from tvmscript.ir.tir.tile import MEMORY, LayoutIter, LayoutOffset
from tvmscript.ir.tir.tile import ComposeLayout as ComposeLayout
from tvmscript.ir.tir.tile import TileLayout as TileLayout

Layout: TypeAlias = "TileLayout | ComposeLayout"
#: axes of places in a memory; the others number threads and blocks
MEMORY_AXES = frozenset((MEMORY, "P", "F", "Bank", "TCol", "TLane"))


# arithmetic


def _number(value: int) -> Expr:
    return IntImm("int32", value)


def _expr(value: Expr | int) -> Expr:
    return value if isinstance(value, Expr) else _number(value)


def _simplified(value: Expr) -> Expr:
    return value if isinstance(value, IntImm) else Analyzer().simplify(value)


def sum_of(a: Expr, b: Expr) -> Expr:
    """Return a + b, simplified."""
    return _simplified(fold.add(*match_types(a, b)))


def product_of(a: Expr, b: Expr) -> Expr:
    """Return a * b, simplified."""
    return _simplified(fold.mul(*match_types(a, b)))


def quotient_of(a: Expr, b: Expr) -> Expr:
    """Return a // b, simplified."""
    return _simplified(fold.make(FloorDiv, *match_types(a, b)))


def difference_of(a: Expr, b: Expr) -> Expr:
    """Return a - b, simplified."""
    return _simplified(fold.sub(*match_types(a, b)))


def _mod(a: Expr, b: Expr) -> Expr:
    return _simplified(fold.make(FloorMod, *match_types(a, b)))


def _is_one(value: Expr) -> bool:
    return fold.is_const(value, 1)


def same(a: Expr, b: Expr) -> bool:
    """Whether two extents are provably equal."""
    return Analyzer().can_prove_equal(a, b)


def divides(b: Expr, a: Expr) -> bool:
    """Whether `a` is provably a multiple of `b`."""
    return fold.is_const(_mod(a, b), 0)


def _product(values: Iterable[Expr]) -> Expr:
    return reduce(product_of, values, _number(1))


# sizes


def size(layout: Layout, axis: str | None = None) -> Expr:
    """Return the number of coordinates of a layout, or of those that move along an axis."""
    if isinstance(layout, ComposeLayout):
        return size(layout.tile_layout, axis)
    return _product([part.extent for part in layout.shard if axis is None or part.axis == axis])


def span(layout: Layout, axis: str | None = None) -> Expr:
    """Return the number of places from the first to the last along an axis, by default in memory."""
    if isinstance(layout, ComposeLayout):
        return span(layout.tile_layout, axis)
    axes = MEMORY_AXES if axis is None else {axis}
    total = _number(1)
    for part in (*layout.shard, *layout.replica):
        if part.axis in axes:
            total = sum_of(total, product_of(difference_of(part.extent, _number(1)), part.stride))
    for offset in layout.offset:
        if offset.axis in axes:
            total = sum_of(total, offset.value)
    return total


def is_trivial(layout: Layout) -> bool:
    """Whether a layout numbers the coordinates."""
    if isinstance(layout, ComposeLayout):
        return False
    short = canonicalize(layout)
    if len(short.shard) != 1 or short.replica or short.offset:
        return False
    [only] = short.shard
    return only.axis in MEMORY_AXES and _is_one(only.stride)


def is_swizzle(layout: Layout) -> bool:
    """Whether a layout does nothing but swizzle."""
    return isinstance(layout, ComposeLayout) and is_trivial(layout.tile_layout)


# forms


def canonicalize(layout: TileLayout) -> TileLayout:
    """Return the layout without unit iters and zero offsets, with iters joined that make one."""
    shard: list[LayoutIter] = []
    for part in layout.shard:
        if _is_one(part.extent):
            continue
        last = shard[-1] if shard else None
        if last is not None and last.axis == part.axis and same(last.stride, product_of(part.extent, part.stride)):
            shard[-1] = part.replace(extent=product_of(last.extent, part.extent))
        else:
            shard.append(part)
    return layout.replace(
        shard=tuple(shard) or (LayoutIter(_number(1), _number(1), layout.shard[0].axis if layout.shard else MEMORY),),
        offset=tuple([part for part in layout.offset if not fold.is_const(part.value, 0)]),
    )


def simplified(layout: Layout) -> Layout:
    """Return the canonical form of a layout, with its swizzle."""
    return on_tiles(layout, canonicalize)


def on_tiles(layout: Layout, change: Callable[[TileLayout], TileLayout]) -> Layout:
    """Return a layout with its tile layout changed."""
    if isinstance(layout, ComposeLayout):
        return layout.replace(tile_layout=change(layout.tile_layout))
    return change(layout)


def group(layout: TileLayout, shape: Sequence[Expr | int]) -> tuple[TileLayout, list[int]]:
    """Split iters so that each extent of a shape is a run of them; return the layout and where the runs end."""
    extents = [_expr(item) for item in shape]
    shard: list[LayoutIter] = []
    ends = [0]
    done = _number(1)  # the product of the iters in the current run
    for part in layout.shard:
        rest = part
        while not _is_one(rest.extent):
            if len(ends) > len(extents):
                raise _ungrouped(layout, shape)
            wanted = quotient_of(extents[len(ends) - 1], done)
            if _is_one(extents[len(ends) - 1]):
                shard.append(_unit(shard, layout.shard[0]))
            elif divides(rest.extent, wanted):
                shard.append(rest)
                done = product_of(done, rest.extent)
                rest = rest.replace(extent=_number(1))
                if not same(done, extents[len(ends) - 1]):
                    continue
            elif divides(wanted, rest.extent):
                left = quotient_of(rest.extent, wanted)
                shard.append(rest.replace(extent=wanted, stride=product_of(left, rest.stride)))
                rest = rest.replace(extent=left)
            else:
                raise _ungrouped(layout, shape)
            ends.append(len(shard))
            done = _number(1)
    first = layout.shard[0] if layout.shard else LayoutIter(_number(1), _number(1))
    while len(ends) <= len(extents) and _is_one(done) and _is_one(extents[len(ends) - 1]):
        shard.append(_unit(shard, first))
        ends.append(len(shard))
    if len(ends) <= len(extents):
        raise _ungrouped(layout, shape)
    return layout.replace(shard=tuple(shard)), ends


def group_many(layout: TileLayout, shapes: Sequence[Sequence[Expr | int]]) -> tuple[TileLayout, list[list[int]]]:
    """Split iters at the ends of the dimensions of all shapes, which are constants; return where the runs of each end.

    Raises `WrongType`.
    """
    boundaries = [_boundaries(layout, shape) for shape in shapes]
    counts = reduce(operator.or_, map(Counter, boundaries), Counter[int]())
    points = sorted(counts.elements())
    grouped, ends = group(layout, [after // before for before, after in pairwise([1, *points])])
    places: dict[int, list[int]] = {}
    for point, end in zip(points, ends[1:], strict=True):
        places.setdefault(point, []).append(end)
    shard = list(grouped.shard)
    for place in reversed(range(len(shard) - 1)):
        if _is_one(shard[place].extent):
            following = shard[place + 1]
            stride = product_of(following.extent, following.stride)
            shard[place] = following.replace(extent=_number(1), stride=stride)
    runs = [[0, *_runs(boundary, places)] for boundary in boundaries]
    return grouped.replace(shard=tuple(shard)), [[*run[:-1], len(shard)] for run in runs]


def _boundaries(layout: TileLayout, shape: Sequence[Expr | int]) -> list[int]:
    """Return the products of the dimensions up to each one."""
    extents = [item.value if isinstance(item, IntImm) else item for item in shape]
    if not all(isinstance(extent, int) for extent in extents):
        raise _ungrouped(layout, shape)
    return list(accumulate([extent for extent in extents if isinstance(extent, int)], operator.mul))


def _runs(boundaries: Sequence[int], places: dict[int, list[int]]) -> Iterator[int]:
    """Return the end of each run; of several ends at one boundary, the first ones first."""
    seen = Counter[int]()
    for boundary in boundaries:
        yield places[boundary][seen[boundary]]
        seen[boundary] += 1


def _unit(before: Sequence[LayoutIter], following: LayoutIter) -> LayoutIter:
    """Return the iter of a dimension of extent 1: a step of the one before, or a whole run of the first one."""
    last = before[-1] if before else following.replace(stride=product_of(following.extent, following.stride))
    return last.replace(extent=_number(1))


def _ungrouped(layout: TileLayout, shape: Sequence[Expr | int]) -> WrongType:
    expected = f"a shape of {size(layout)} coordinates that splits the iters"
    return WrongType(where="group", expected=expected, got=str(tuple(map(str, shape))), span=layout.span)


# combinations


def tile(
    inner: Layout, outer: TileLayout, outer_shape: Sequence[Expr | int], inner_shape: Sequence[Expr | int]
) -> Layout:
    """Return the layout of tiles: `inner` lays out a tile, `outer` the tiles."""
    return _interleave(inner, outer, outer_shape, inner_shape, _scales(inner))


def direct_sum(
    right: Layout, left: TileLayout, left_shape: Sequence[Expr | int], right_shape: Sequence[Expr | int]
) -> Layout:
    """Return the layout whose places are the sum of those of two layouts, dimensions taken in turn."""
    return _interleave(right, left, left_shape, right_shape, {})


def _interleave(
    inner: Layout,
    outer: TileLayout,
    outer_shape: Sequence[Expr | int],
    inner_shape: Sequence[Expr | int],
    scales: dict[str, Expr],
) -> Layout:
    if len(outer_shape) != len(inner_shape):
        got = f"{len(outer_shape)} and {len(inner_shape)} dimensions"
        raise WrongArgumentCount(where="tile", expected="two shapes of one rank", got=got, span=outer.span)
    base = inner.tile_layout if isinstance(inner, ComposeLayout) else inner
    tiles, tile_ends = group(canonicalize(outer), outer_shape)
    parts, part_ends = group(canonicalize(base), inner_shape)
    shard: list[LayoutIter] = []
    for (first, last), (begin, end) in zip(pairwise(tile_ends), pairwise(part_ends), strict=True):
        for part in tiles.shard[first:last]:
            scale = scales.get(part.axis)
            shard.append(part if scale is None else part.replace(stride=product_of(part.stride, scale)))
        shard += parts.shard[begin:end]
    result = TileLayout(
        tuple(shard), (*parts.replica, *tiles.replica), sum_of_offsets(parts.offset, tiles.offset), span=outer.span
    )
    return on_tiles(inner, lambda _: canonicalize(result))


def complement(
    known: Layout,
    combined: Layout,
    shape: Sequence[Expr | int],
    known_shape: Sequence[Expr | int],
    *,
    is_inner: bool,
    is_tiled: bool,
) -> Layout | None:
    """Return the layout that gives the combined one together with a known one, None where there is none.

    The known one is the inner layout of `tile` (`direct_sum`, unless `is_tiled`), or the outer one.
    """
    other_shape = [quotient_of(_expr(total), _expr(part)) for total, part in zip(shape, known_shape, strict=True)]
    outer_shape, inner_shape = (other_shape, known_shape) if is_inner else (known_shape, other_shape)
    whole = canonicalize(combined.tile_layout if isinstance(combined, ComposeLayout) else combined)
    tiles = known.tile_layout if isinstance(known, ComposeLayout) else known
    try:
        parts, ends = group(whole, [item for pair in zip(outer_shape, inner_shape, strict=True) for item in pair])
    except WrongType:
        return None
    runs = list(pairwise(ends))[0 if is_inner else 1 :: 2]
    shard = [part for first, last in runs for part in parts.shard[first:last]]
    if is_inner and is_tiled:
        scales = _scales(known)
        shard = [part.replace(stride=quotient_of(part.stride, scales.get(part.axis, _number(1)))) for part in shard]
    count = len(tiles.replica)
    replica = parts.replica[count:] if is_inner else parts.replica[: len(parts.replica) - count]
    negated = [LayoutOffset(difference_of(_number(0), part.value), part.axis) for part in tiles.offset]
    other = canonicalize(TileLayout(tuple(shard), replica, sum_of_offsets(parts.offset, negated)))
    inner = known if is_inner else on_tiles(combined, lambda _: other)
    outer = other if is_inner else tiles
    combine = tile if is_tiled else direct_sum
    if not structural_equal(combine(inner, outer, outer_shape, inner_shape), simplified(combined)):
        return None
    return other if is_inner else inner


def _scales(inner: Layout) -> dict[str, Expr]:
    """Return by axis what `tile` multiplies strides of the outer layout with."""
    tiles = canonicalize(inner.tile_layout if isinstance(inner, ComposeLayout) else inner)
    axes = {part.axis for part in tiles.shard if isinstance(inner, TileLayout) or part.axis == MEMORY}
    return {axis: span(inner, axis) for axis in axes}


def sum_of_offsets(*given: Sequence[LayoutOffset]) -> tuple[LayoutOffset, ...]:
    """Return offsets with those along one axis added."""
    values: dict[str, Expr] = {}
    for part in [part for offsets in given for part in offsets]:
        values[part.axis] = sum_of(values[part.axis], part.value) if part.axis in values else part.value
    return tuple([LayoutOffset(value, axis) for axis, value in values.items()])


def tile_to(layout: Layout, to_shape: Sequence[Expr | int], current_shape: Sequence[Expr | int]) -> Layout:
    """Return the layout of a larger shape, tiled in row-major order by this one."""
    counts = [quotient_of(_expr(to), _expr(current)) for to, current in zip(to_shape, current_shape, strict=True)]
    return tile(layout, row_major(counts), counts, current_shape)


def row_major(shape: Sequence[Expr | int]) -> TileLayout:
    """Return the layout that numbers the coordinates of a shape."""
    shard: list[LayoutIter] = []
    stride = _number(1)
    for extent in [_expr(item) for item in reversed(shape)]:
        shard.insert(0, LayoutIter(extent, stride))
        stride = product_of(stride, extent)
    return TileLayout(tuple(shard))


# parts


def cut(layout: Layout, shape: Sequence[Expr | int], region: Sequence[tuple[Expr, Expr]]) -> Layout | None:
    """Return the layout of a region, given by begin and end of each dimension of the shape; None if there is none."""
    tiles = layout.tile_layout if isinstance(layout, ComposeLayout) else layout
    part = _cut(tiles, shape, region)
    return None if part is None else on_tiles(layout, lambda _: part)


def _cut(layout: TileLayout, shape: Sequence[Expr | int], region: Sequence[tuple[Expr, Expr]]) -> TileLayout | None:
    grouped, ends = group(canonicalize(layout), shape)
    shard: list[LayoutIter] = []
    offsets: list[LayoutOffset] = []
    for (first, last), (begin, end) in zip(pairwise(ends), region, strict=True):
        length = difference_of(end, begin)
        parts = list(grouped.shard[first:last])
        if len(parts) == 1 and _is_one(parts[0].extent):
            shard.append(parts[0].replace(stride=_number(1)))
            offsets.append(LayoutOffset(_number(0), parts[0].axis))
            continue
        kept: list[LayoutIter] = []
        begin = _simplified(begin)
        while len(parts) > 1 and divides(parts[-1].extent, begin) and divides(parts[-1].extent, length):
            *parts, inner = parts
            kept.insert(0, inner)
            begin, length = quotient_of(begin, inner.extent), quotient_of(length, inner.extent)
        place = begin
        for number, part in reversed(list(enumerate(parts))):
            here = place if number == 0 else _mod(place, part.extent)
            place = quotient_of(place, part.extent)
            offsets.append(LayoutOffset(product_of(here, part.stride), part.axis))
        offsets += [LayoutOffset(_number(0), part.axis) for part in kept]
        if len(parts) > 1 and not _fits(begin, length, parts[-1].extent):
            return None
        shard += [parts[-1].replace(extent=length), *kept]
    return layout.replace(shard=tuple(shard), offset=sum_of_offsets(grouped.offset, offsets))


def _fits(begin: Expr, length: Expr, extent: Expr) -> bool:
    return Analyzer().can_prove(sum_of(_mod(begin, extent), length) <= extent)


def storage(layout: Layout) -> Layout:
    """Return the part of a layout that places elements in memory: what a thread has."""

    def keep(tiles: TileLayout) -> TileLayout:
        return tiles.replace(
            shard=tuple([part for part in tiles.shard if part.axis in MEMORY_AXES]),
            replica=tuple([part for part in tiles.replica if part.axis in MEMORY_AXES]),
            offset=tuple([part for part in tiles.offset if part.axis in MEMORY_AXES]),
        )

    return on_tiles(layout, keep)


def unpack(layout: Layout, count: int) -> Layout:
    """Return the layout of the `count` parts of each element."""

    def split(tiles: TileLayout) -> TileLayout:
        shard = [part.replace(stride=product_of(part.stride, _number(count))) for part in tiles.shard]
        return tiles.replace(shard=(*shard, LayoutIter(_number(count), _number(1))))

    split_layout = on_tiles(layout, split)
    if isinstance(split_layout, ComposeLayout):
        return split_layout.replace(per_element=split_layout.per_element + _exponent(count))
    return split_layout


def pack(layout: Layout, count: int) -> Layout:
    """Return the layout of elements that are `count` of the old ones. Raises `WrongType`."""
    number = _number(count)

    def join(tiles: TileLayout) -> TileLayout:
        last = tiles.shard[-1]
        if not (_is_one(last.stride) and last.axis in MEMORY_AXES and divides(number, last.extent)):
            expected = f"an innermost iter of {count} neighbours"
            raise WrongType(where="pack", expected=expected, got=f"{last.extent}:{last.stride}", span=layout.span)
        shard = [part.replace(stride=quotient_of(part.stride, number)) for part in tiles.shard[:-1]]
        return tiles.replace(shard=(*shard, last.replace(extent=quotient_of(last.extent, number))))

    joined = on_tiles(layout, join)
    if isinstance(joined, ComposeLayout):
        if joined.per_element < _exponent(count):
            raise WrongType(where="pack", expected=f"at most {1 << joined.per_element} elements", got=count)
        return joined.replace(per_element=joined.per_element - _exponent(count))
    return joined


def _exponent(count: int) -> int:
    if count & (count - 1):
        raise WrongType(where="pack", expected="a power of two", got=count)
    return count.bit_length() - 1


def broadcast(layout: Layout, count: int, position: int = -1, axis: str = MEMORY) -> Layout:
    """Return the layout with a new dimension along which nothing moves."""

    def insert(tiles: TileLayout) -> TileLayout:
        shard = list(tiles.shard)
        place = position if position >= 0 else len(shard) + 1 + position
        shard.insert(place, LayoutIter(_number(count), _number(0), axis))
        return tiles.replace(shard=tuple(shard))

    return on_tiles(layout, insert)


def permute_dims(layout: TileLayout, order: Sequence[int]) -> TileLayout:
    """Return the layout with its iters in another order. Raises `WrongType`."""
    if sorted(order) != list(range(len(layout.shard))):
        expected = f"the numbers of {len(layout.shard)} iters"
        raise WrongType(where="permute_dims", expected=expected, got=repr(list(order)), span=layout.span)
    return layout.replace(shard=tuple([layout.shard[item] for item in order]))


def permute_by_groups(layout: TileLayout, ends: Sequence[int], order: Sequence[int]) -> TileLayout:
    """Return the layout with runs of its iters, as `group` returns them, in another order. Raises `WrongType`."""
    runs = list(pairwise(ends))
    if sorted(order) != list(range(len(runs))):
        raise WrongType(where="permute_by_groups", expected=f"the numbers of {len(runs)} runs", got=repr(list(order)))
    return permute_dims(layout, [place for item in order for place in range(*runs[item])])


# places


def apply(layout: Layout, coordinate: Sequence[Expr], shape: Sequence[Expr | int] | None = None) -> dict[str, Expr]:
    """Return the places of an element by axis: its coordinate is a number, in a shape, or one for each iter."""
    tiles = layout.tile_layout if isinstance(layout, ComposeLayout) else layout
    extents = [part.extent for part in tiles.shard]
    if shape is not None:
        number = _number(0)
        for item, extent in zip(coordinate, map(_expr, shape), strict=True):
            number = sum_of(product_of(number, extent), item)
        coordinate = [number]
    if len(coordinate) == 1:
        coordinate = split_number(coordinate[0], extents)
    elif len(coordinate) != len(extents):
        expected = f"{len(extents)} numbers, one for each iter"
        raise WrongArgumentCount(where="apply", expected=expected, got=len(coordinate), span=layout.span)
    places = {part.axis: part.value for part in tiles.offset}
    for item, part in zip(coordinate, tiles.shard, strict=True):
        step = product_of(item, part.stride)
        places[part.axis] = sum_of(places[part.axis], step) if part.axis in places else step
    if isinstance(layout, ComposeLayout) and MEMORY in places:
        places[MEMORY] = _swizzled(layout, places[MEMORY])
    return places


def split_number(number: Expr, extents: Sequence[Expr]) -> list[Expr]:
    """Return a number as one for each extent, in row-major order."""
    items: list[Expr] = []
    for extent in reversed(extents[1:]):
        items.insert(0, _mod(number, extent))
        number = quotient_of(number, extent)
    return [number, *items] if extents else []


def _swizzled(layout: ComposeLayout, place: Expr) -> Expr:
    block = _number(1 << layout.per_element)
    high, low = quotient_of(place, block), _mod(place, block)
    mask = (1 << layout.swizzle_len) - 1
    if layout.swizzle_inner:
        moved = (high & _number(mask << layout.atom_len)) >> _number(layout.atom_len)
    else:
        moved = (high & _number(mask)) << _number(layout.atom_len)
    return sum_of((high ^ moved) << _number(layout.per_element), low)
