"""Laws of layouts: named ones (`NCHW4c`), and tile layouts, against digits of numbers in Python."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from tvmscript.fuzz.arith.evaluate import evaluate
from tvmscript.fuzz.arith.index_laws import Draw, Puzzle, Writer, require_defined
from tvmscript.ir.arith import tile_layouts
from tvmscript.ir.arith.data_layout import Layout, bijective_layout
from tvmscript.ir.tir import Expr, IntImm, Var
from tvmscript.ir.tir import expr as e
from tvmscript.ir.tir.tile import MEMORY, ComposeLayout, LayoutIter, LayoutOffset, TileLayout


def _shuffled(draw: Draw, values: Iterable[str]) -> list[str]:
    rest = list(values)
    return [rest.pop(draw(len(rest))) for _ in range(len(rest))]


def _digits(number: int, extents: Sequence[int]) -> list[int]:
    """Return the digits of a number in row-major order; the first one takes what is left."""
    digits: list[int] = []
    for extent in reversed(extents[1:]):
        digits.insert(0, number % extent)
        number //= extent
    return [number, *digits] if extents else []


# ---- named layouts


def _draw_named(draw: Draw) -> Puzzle:
    w = Writer(draw)
    letters = "NCH"[: 1 + draw(3)]

    def text() -> str:
        parts = [*letters]
        for letter in letters:
            parts += [f"{2 + draw(3)}{letter.lower()}" for _ in range(draw(3))]
        return "".join(_shuffled(draw, parts))

    name = "".join(chr(65 + draw(26)) for _ in range(3)) if draw(9) == 0 else text()
    return w.puzzle(
        "named_layout", [e.StringImm(name), e.StringImm(text())], numbers=tuple(1 + draw(7) for _ in letters)
    )


def _axes(name: str) -> list[tuple[str, int]]:
    return [(part[-1], int(part[:-1] or 0)) for part in re.findall(r"[A-Z]|\d+[a-z]", name)]


def _places(name: str, whole: dict[str, int]) -> list[int]:
    """Return the index in a layout of the element with a number along each axis."""
    places: list[int] = []
    taken: dict[str, int] = {}
    for letter in whole:
        factors = [factor for axis, factor in _axes(name) if factor and axis.upper() == letter]
        first, *rest = _digits(whole[letter], [0, *factors])
        taken[letter] = first
        for number, digit in enumerate(rest):
            taken[f"{letter}{number}"] = digit
    seen = dict.fromkeys(whole, 0)
    for axis, factor in _axes(name):
        letter = axis.upper()
        places.append(taken[f"{letter}{seen[letter]}"] if factor else taken[letter])
        seen[letter] += bool(factor)
    return places


def _blocks(name: str, letter: str) -> int:
    return math.prod(factor for axis, factor in _axes(name) if factor and axis.upper() == letter)


def _named(puzzle: Puzzle) -> None:
    """Check the indices and shapes of `BijectiveLayout` against the digits of each axis."""
    first, second = (text.value for text in puzzle.exprs if isinstance(text, e.StringImm))
    letters = sorted({axis.upper() for axis, _ in _axes(second)})
    if {axis.upper() for axis, _ in _axes(first)} != set(letters) or len(_axes(first)) < len(letters):
        return
    conversion = bijective_layout(first, second)
    sizes = dict(zip(letters, puzzle.numbers, strict=True))
    _check_parts(puzzle, Layout(second), second)
    shapes = [
        [factor or -(-sizes[axis] // _blocks(name, axis)) for axis, factor in _axes(name)] for name in (first, second)
    ]
    padded = {letter: -(-size // _blocks(first, letter)) * _blocks(first, letter) for letter, size in sizes.items()}
    wanted = [factor or -(-padded[axis] // _blocks(second, axis)) for axis, factor in _axes(second)]
    names = [[Var(f"v{place}", "int32") for place in range(len(shape))] for shape in shapes]
    actual = [evaluate(extent, {}) for extent in conversion.forward_shape(shapes[0])]
    if actual != wanted:
        raise puzzle.fail(conversion, f"makes the shape {actual} of {shapes[0]}", {})
    back = [evaluate(extent, {}) for extent in conversion.backward_shape(wanted)]
    again = [
        factor or -(-extent * _blocks(second, axis) // _blocks(first, axis))
        for (axis, factor), extent in zip(
            _axes(first),
            [wanted[[part for part, _ in _axes(second)].index(axis.upper())] for axis, _ in _axes(first)],
            strict=True,
        )
    ]
    if back != again:
        raise puzzle.fail(conversion, f"makes the shape {back} of {wanted} again", {})
    forward, backward = conversion.forward_index(names[0]), conversion.backward_index(names[1])
    for values in itertools.product(*map(range, puzzle.numbers)):
        whole = dict(zip(letters, values, strict=True))
        here, there = _places(first, whole), _places(second, whole)
        for exprs, variables, given, expected in ((forward, names[0], here, there), (backward, names[1], there, here)):
            point = dict(zip(variables, given, strict=True))
            if [evaluate(expr, point) for expr in exprs] != expected:
                raise puzzle.fail(conversion, f"converts to {exprs}, not {expected},", point)


def _check_parts(puzzle: Puzzle, layout: Layout, name: str) -> None:
    axes = [axis for axis, _ in _axes(name)]
    for letter in sorted({*axes, "Z", "z"}):
        factors = _blocks(name, letter.upper()) if letter.upper().lower() in axes else -1
        facts = (layout.index_of(letter), letter in layout, layout.factor_of(letter))
        if facts != (axes.index(letter) if letter in axes else -1, letter in axes, factors):
            raise puzzle.fail(layout, f"has {facts} for the axis {letter}", {})
    if [*layout] != axes or [layout[place] for place in range(len(layout))] != axes:
        raise puzzle.fail(layout, f"has not the axes {axes}", {})


# ---- tile layouts


def _tiles(
    shard: Iterable[tuple[int, int, str]], replica: Iterable[tuple[int, int, str]] = (), **offset: int
) -> TileLayout:
    def iters(parts: Iterable[tuple[int, int, str]]) -> tuple[LayoutIter, ...]:
        return tuple(
            LayoutIter(IntImm("int32", extent), IntImm("int32", stride), axis) for extent, stride, axis in parts
        )

    offsets = tuple(LayoutOffset(IntImm("int32", value), axis) for axis, value in offset.items())
    return TileLayout(iters(shard), iters(replica), offsets)


def _read_tiles(numbers: Sequence[int]) -> tuple[TileLayout, list[int], list[int]]:
    """Make a layout of numbers, with its shape: one dimension an iter, or some iters together."""
    extents = [(1, 2, 2, 3, 4)[numbers[place] % 5] for place in range(1 + numbers[5] % 4)]
    strides: list[int] = []
    step = 1
    for place, extent in reversed(list(enumerate(extents))):
        strides.insert(0, step if numbers[6 + place] % 3 else (0, 1, 5, 8)[numbers[6 + place] % 4])
        step *= extent
    axes = [MEMORY if numbers[10 + place] % 3 else "tx" for place in range(len(extents))]
    offset = {MEMORY: numbers[14] % 4, "tx": numbers[15] % 2} if numbers[14] % 2 else {}
    replica = [(2, 7, "tx")] if numbers[15] % 3 == 0 else []
    joined = [extents[0]]
    for place, extent in enumerate(extents[1:]):
        if numbers[place] % 2:
            joined.append(extent)
        else:
            joined[-1] *= extent
    return _tiles(zip(extents, strides, axes, strict=True), replica, **offset), extents, joined


def _draw_tiles(draw: Draw) -> Puzzle:
    return Writer(draw).puzzle("tile_layout", [], numbers=tuple(draw(60) for _ in range(36)))


def _where(layout: TileLayout, number: int) -> dict[str, int]:
    """Return the places of the coordinate with a number."""
    places = {part.axis: evaluate(part.value, {}) for part in layout.offset}
    extents = [evaluate(part.extent, {}) for part in layout.shard]
    for digit, part in zip(_digits(number, extents), layout.shard, strict=True):
        places[part.axis] = places.get(part.axis, 0) + digit * evaluate(part.stride, {})
    return {axis: place for axis, place in places.items() if place}


def _tile_layout(puzzle: Puzzle) -> None:
    """Check that each function of tile layouts keeps, moves or combines the places of all elements as it says."""
    layout, extents, shape = _read_tiles(puzzle.numbers)
    count = math.prod(extents)
    places = [_where(layout, number) for number in range(count)]

    def expect(what: str, actual: object, expected: object) -> None:
        if actual != expected:
            raise puzzle.fail(layout, f"{what} is {actual}, not {expected}", {})

    def all_places(of: TileLayout) -> list[dict[str, int]]:
        total = math.prod(evaluate(part.extent, {}) for part in of.shard)
        return [_where(of, number) for number in range(total)]

    # of one layout
    expect("size", evaluate(tile_layouts.size(layout), {}), count)
    canonical = tile_layouts.canonicalize(layout)
    expect("canonicalize", all_places(canonical), places)
    units = sum(
        part.extent is not canonical.shard[0].extent and evaluate(part.extent, {}) == 1 for part in canonical.shard
    )
    expect("units of canonicalize", units, 0)
    grouped, ends = tile_layouts.group(layout, shape)
    expect("group", all_places(grouped), places)
    runs = [grouped.shard[first:last] for first, last in itertools.pairwise(ends)]
    expect("runs", [math.prod(evaluate(part.extent, {}) for part in run) for run in runs], shape)
    for axis in (MEMORY, "tx"):
        copies = sum(evaluate(part.stride, {}) for part in layout.replica if part.axis == axis)
        expect(
            f"span of {axis}",
            evaluate(tile_layouts.span(layout, axis), {}),
            max(place.get(axis, 0) for place in places) + copies + 1,
        )
    expect(
        "is_trivial",
        tile_layouts.is_trivial(layout),
        places == [{MEMORY: number} if number else {} for number in range(count)]
        and not layout.replica
        and (count > 1 or (canonical.shard[0].axis == MEMORY and evaluate(canonical.shard[0].stride, {}) == 1)),
    )
    variables = [Var(f"v{place}", "int32") for place in range(len(shape))]
    applied = tile_layouts.apply(layout, variables, shape)
    for number, place in enumerate(places):
        point = dict(zip(variables, _digits(number, shape), strict=True))
        expect(
            f"apply at {number}", {axis: value for axis in applied if (value := evaluate(applied[axis], point))}, place
        )
    stored = tile_layouts.storage(layout)
    assert isinstance(stored, TileLayout)
    expect("storage", {axis for place in all_places(stored) for axis in place} - {MEMORY}, set())
    parts = tile_layouts.unpack(layout, 4)
    assert isinstance(parts, TileLayout)
    unpacked = [{axis: value for axis in (MEMORY, "tx") if (value := 4 * place.get(axis, 0))} for place in places]
    if not layout.offset:
        expect("unpack", all_places(parts)[::4], unpacked)
        packed = tile_layouts.pack(parts, 4)
        assert isinstance(packed, TileLayout)
        expect("pack of unpack", all_places(packed), places)
    order = sorted(range(len(extents)), key=lambda place: puzzle.numbers[16 + place])
    permuted = tile_layouts.permute_dims(layout, order)
    for number, place in enumerate(places):
        digits = _digits(number, extents)
        moved = 0
        for source in order:
            moved = moved * extents[source] + digits[source]
        expect(f"permute_dims at {number}", _where(permuted, moved), place)
    _check_swizzle(puzzle, layout)
    _check_combined(expect, layout, shape, puzzle.numbers[20:], all_places)


def _check_swizzle(puzzle: Puzzle, layout: TileLayout) -> None:
    """Check the places of a swizzle against the definition: some bits of a block's number are exchanged by xor."""
    per_element, length, atom = (puzzle.numbers[32] % 3, 1 + puzzle.numbers[33] % 2, 2 + puzzle.numbers[34] % 2)
    is_inner = puzzle.numbers[35] % 2 == 0
    swizzle = ComposeLayout(per_element, length, atom, swizzle_inner=is_inner, tile_layout=layout)
    number = Var("x", "int32")
    place = tile_layouts.apply(swizzle, [number]).get(MEMORY)
    for value in range(evaluate(tile_layouts.size(layout), {})) if place is not None else ():
        plain = _where(layout, value).get(MEMORY, 0)
        block, rest = divmod(plain, 1 << per_element)
        low, high = block % (1 << length), block >> atom & ((1 << length) - 1)
        block ^= high if is_inner else low << atom
        if place is not None and evaluate(place, {number: value}) != block << per_element | rest:
            raise puzzle.fail(
                swizzle, f"puts an element at {place}, not {block << per_element | rest},", {number: value}
            )


def _check_combined(
    expect: Callable[[str, object, object], None],
    inner: TileLayout,
    inner_shape: list[int],
    numbers: Sequence[int],
    all_places: Callable[[TileLayout], list[dict[str, int]]],
) -> None:
    """Check tiles of a layout, sums, what is left without one of both, and regions."""
    counts = [(1, 2, 3)[numbers[place] % 3] for place in range(len(inner_shape))]
    outer = tile_layouts.row_major(counts)
    expect("row_major", all_places(outer), [{MEMORY: place} if place else {} for place in range(math.prod(counts))])
    if numbers[5] % 2:
        outer = outer.replace(
            shard=tuple(part.replace(stride=IntImm("int32", 1 + numbers[6] % 9)) for part in outer.shard)
        )
    shape = [count * extent for count, extent in zip(counts, inner_shape, strict=True)]
    scale = (
        evaluate(tile_layouts.span(inner, MEMORY), {})
        if any(part.axis == MEMORY for part in tile_layouts.canonicalize(inner).shard)
        else 1
    )
    for name, combine, factor in (("tile", tile_layouts.tile, scale), ("direct_sum", tile_layouts.direct_sum, 1)):
        whole = combine(inner, outer, counts, inner_shape)
        assert isinstance(whole, TileLayout)
        wanted: list[dict[str, int]] = []
        for coordinate in itertools.product(*map(range, shape)):
            tile, part = 0, 0
            for item, count, extent in zip(coordinate, counts, inner_shape, strict=True):
                tile, part = tile * count + item // extent, part * extent + item % extent
            place = _where(inner, part)
            place[MEMORY] = place.get(MEMORY, 0) + factor * _where(outer, tile).get(MEMORY, 0)
            wanted.append({axis: value for axis, value in place.items() if value})
        expect(name, all_places(whole), wanted)
        for known, is_inner in ((inner, True), (outer, False)):
            known_shape = inner_shape if is_inner else counts
            other = tile_layouts.complement(
                known, whole, shape, known_shape, is_inner=is_inner, is_tiled=name == "tile"
            )
            if other is not None:
                inner_layout, outer_layout = (known, other) if is_inner else (other, known)
                assert isinstance(outer_layout, TileLayout)
                again = combine(inner_layout, outer_layout, counts, inner_shape)
                assert isinstance(again, TileLayout)
                expect(f"{name} of a complement", all_places(again), wanted)
    begins = [numbers[7 + axis] % extent for axis, extent in enumerate(inner_shape)]
    ends = [
        1 + begin + numbers[8 + axis] % (extent - begin)
        for axis, (begin, extent) in enumerate(zip(begins, inner_shape, strict=True))
    ]
    region: list[tuple[Expr, Expr]] = [
        (IntImm("int32", begin), IntImm("int32", end)) for begin, end in zip(begins, ends, strict=True)
    ]
    cut = tile_layouts.cut(inner, inner_shape, region)
    if cut is not None:
        assert isinstance(cut, TileLayout)
        places = []
        for coordinate in itertools.product(*(range(begin, end) for begin, end in zip(begins, ends, strict=True))):
            number = 0
            for item, extent in zip(coordinate, inner_shape, strict=True):
                number = number * extent + item
            places.append(_where(inner, number))
        expect(f"cut {begins} to {ends}", all_places(cut), places)


#: law -> (draw a puzzle, check it)
LAWS: Final[dict[str, tuple[Callable[[Draw], Puzzle], Callable[[Puzzle], None]]]] = {
    "named_layout": (_draw_named, require_defined(_named)),
    "tile_layout": (_draw_tiles, require_defined(_tile_layout)),
}
