"""Laws of accesses: slices, regions, vectors of elements, offsets, distances, index maps, against Python's integers."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from tvmscript.fuzz.arith.evaluate import Undefined, evaluate, lanes_of
from tvmscript.fuzz.arith.index_laws import Writer
from tvmscript.fuzz.laws import Law, require, require_refusal
from tvmscript.ir.core import DType, WrongType, structural_equal
from tvmscript.ir.core.errors import UnknownName, WrongRank
from tvmscript.ir.tir import (
    Buffer,
    BufferLoad,
    BufferRegion,
    Expr,
    IntImm,
    Range,
    Var,
    make_buffer,
    slices,
)
from tvmscript.ir.tir import expr as e
from tvmscript.ir.tir.index_distance import distance, step_of
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.ir.tir.ir_builder import unravel_position
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.tile import MEMORY, LayoutIter, LayoutOffset, TileLayout, is_row_major

Point = Mapping[Var, int]


def _writer(rng: random.Random) -> Writer:
    return Writer(lambda count: rng.randrange(count), rng.choice(("int32", "int32", "int64")))


def _points(w: Writer) -> list[dict[Var, int]]:
    ranges = [range(low, low + extent) for low, extent in w.loops.values()]
    points = [dict(zip(w.loops, values, strict=True)) for values in itertools.product(*ranges)]
    return points[:: max(len(points) // 6, 1)]


# ---- distances


def _distance(rng: random.Random) -> None:
    """Differences and coefficients are those of the values, and known where the terms are the same."""
    w = _writer(rng)
    low = w.affine()
    shift = rng.randint(-5, 9)
    high = rng.choice((e.Add(low, w.const(shift)), e.Add(w.const(shift), low), e.Sub(low, w.const(-shift)), w.affine()))
    if rng.randrange(3) == 0:
        extra = e.FloorDiv(w.affine(), w.const(3))
        low, high = e.Add(low, extra), e.Add(extra, high)
    constant = distance(low, high)
    differences = {evaluate(high, point) - evaluate(low, point) for point in _points(w)}
    if constant is not None:
        require("distance", f"from {low} to {high}", sorted(differences), [constant])
    elif rng.randrange(2):
        moved = e.Add(low, w.const(shift))
        require("distance", f"from {low} to {moved}", distance(low, moved), shift)
    index = rng.choice((low, e.Mul(w.const(3), low), e.Mul(low, w.const(-2)), e.Mul(low, w.pick(*w.names))))
    for var in w.loops:
        step = step_of(index, var)
        if step is not None:
            for point in _points(w):
                after = evaluate(index, {**point, var: point[var] + 1})
                require("step", f"of {index} by {var}", step, after - evaluate(index, point))
    linear = w.affine()
    for var in w.loops:
        point = _points(w)[0]
        growth = evaluate(linear, {**point, var: point[var] + 1}) - evaluate(linear, point)
        require("step", f"of the sum {linear} by {var}", step_of(linear, var), growth)


# ---- buffers


def _buffer(rng: random.Random, w: Writer) -> tuple[Buffer, list[int], list[int], int]:
    """Draw a buffer of rank 1 to 3, its strides in elements and its offset."""
    shape = [rng.randint(1, 5) for _ in range(rng.randint(1, 3))]
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    given = rng.randrange(3) == 0
    if given:
        strides = [stride + rng.randrange(3) for stride in strides]
    offset = rng.choice((0, 0, 3))
    separators = [axis for axis in range(1, len(shape)) if rng.randrange(3) == 0]
    buffer = make_buffer(
        tuple(shape), rng.choice(("float32", "int8", "float16x2")), "A",
        strides=tuple(map(w.const, strides)) if given else (), elem_offset=w.const(offset),
        axis_separators=None if given else separators,
    )  # fmt: skip
    return buffer, shape, strides, offset


def _width(dtype: str) -> int:
    return DType(dtype).bits


def _offsets(rng: random.Random) -> None:
    """Offsets, flattened shapes and access pointers are those of the strides."""
    w = _writer(rng)
    buffer, shape, strides, offset = _buffer(rng, w)
    indices = [rng.choice((w.affine(), w.const(rng.randrange(extent)))) for extent in shape]
    (place,) = buffer.offset_of(indices if len(indices) > 1 or rng.randrange(2) else indices[0])
    for point in _points(w):
        numbers = [evaluate(index, point) for index in indices]
        wanted = offset + sum(number * stride for number, stride in zip(numbers, strides, strict=True))
        require("offset", f"of {indices} in {buffer}", evaluate(place, point), wanted)
    require("offset", f"the dtype of {place}", str(place.dtype), max((w.dtype, "int32"), key=_width))
    require_refusal("offset", "another rank", WrongRank, lambda: buffer.offset_of([*indices, 0]))
    flat = buffer.get_flattened_buffer()
    borders = [0, *map(int, buffer.axis_separators), len(shape)]
    groups = [math.prod(shape[first:end]) for first, end in itertools.pairwise(borders)]
    if buffer.strides:
        groups = [strides[0] * shape[0]]
    require("flattened", buffer, [evaluate(extent, {}) for extent in flat.shape], groups)
    require("flattened", "its separators", [*map(int, flat.axis_separators)], [*range(1, len(groups))])
    size = strides[0] * shape[0] if buffer.strides else math.prod(shape)
    skip, lanes = rng.choice((0, 0, 2)), rng.choice((1, 1, 2, 4))
    mask = rng.choice(("r", "w", "rw", "wr", 1, 2, 3))
    extent = rng.choice((None, None, 5))
    call: Any = buffer.access_ptr(mask, content_lanes=lanes, offset=skip, extent=extent)
    annotation, data, start, count, flags = call.args
    facts = (str(annotation.dtype), data is buffer.data, evaluate(start, {}), evaluate(count, {}), evaluate(flags, {}))
    wanted_dtype = buffer.dtype.with_lanes(buffer.dtype.lanes * lanes)
    left = size - skip
    wanted_count = extent if extent is not None else int(left / lanes)
    bits = mask if isinstance(mask, int) else ("r" in mask) + 2 * ("w" in mask)
    wanted_facts = (str(wanted_dtype), True, int((offset + skip) / lanes), wanted_count, bits)
    require("access pointer", f"{buffer} from {skip} on, {lanes} lanes", facts, wanted_facts)
    require_refusal("access pointer", "mode x", UnknownName, lambda: buffer.access_ptr("x"))


def _load(buffer: Buffer, *arguments: Any) -> BufferLoad:
    load = buffer.vload(*arguments)
    assert isinstance(load, BufferLoad)
    return load


def _vectors(rng: random.Random) -> None:
    """Loads and stores of several elements have their indices one after the other."""
    w = _writer(rng)
    buffer, shape, _, _ = _buffer(rng, w)
    begin: list[Expr] = [w.affine() for _ in shape]
    count = rng.choice((1, 2, 4))
    dtype = buffer.dtype.with_lanes(buffer.dtype.lanes * count)
    load: Any = buffer.vload(begin, str(dtype))
    accesses: list[Any] = [load, buffer.vstore(begin, load)]
    for access in accesses:
        point = _points(w)[0]
        first = evaluate(begin[-1], point)
        require("vectors", access, lanes_of(access.indices[-1], point), [*range(first, first + count)])
        require("vectors", "the other indices", [*access.indices[:-1]] == begin[:-1], True)
        require("vectors", "a mask", access.predicate, None)
    require("vectors", "the dtype", load.dtype, dtype)
    mask = e.Broadcast(IntImm("bool", 1), count) if count > 1 else IntImm("bool", 1)
    require("vectors", "a mask", _load(buffer, begin, str(dtype), mask).predicate is mask, True)
    require("vectors", "the default", buffer.vload(begin).dtype, buffer.dtype)
    wrong = "float64x4" if buffer.dtype.lanes == 1 else str(buffer.dtype.element)
    require_refusal("vectors", wrong, WrongType, lambda: buffer.vload(begin, wrong))
    ramp = e.Ramp(w.const(1), w.const(2), 4)
    if buffer.dtype.lanes == 1:
        require("vectors", "a vector as index", _load(buffer, [*begin[:-1], ramp]).indices[-1] is ramp, True)


# ---- slices


def _slices(rng: random.Random) -> None:
    """Slices are the elements that Python's slices of a list are."""
    w = _writer(rng)
    buffer, shape, _, _ = _buffer(rng, w)
    extent = shape[-1]
    start, stop = rng.randrange(extent), rng.randint(1, extent)
    low: Any = rng.choice((start, w.const(start), e.Add(w.affine(), w.const(start))))
    size = max(stop - start, 1)
    high: Any = start + size if isinstance(low, int) else e.Add(low, w.const(size))
    if isinstance(low, IntImm):
        high = w.const(start + size)
    indices: list[Any] = [rng.choice((0, w.affine())) for _ in shape[:-1]]
    region = buffer[(*indices, slice(low, high))]
    assert isinstance(region, BufferRegion)
    point = _points(w)[0]
    base = low if isinstance(low, int) else evaluate(low, point)
    last = region.region[-1]
    require("slices", region, (evaluate(last.min, point), evaluate(last.extent, point)), (base, size))
    others = [(evaluate(each.min, point), evaluate(each.extent, point)) for each in region.region[:-1]]
    wanted = [(index if isinstance(index, int) else evaluate(index, point), 1) for index in indices]
    require("slices", "other axes", others, wanted)
    load = slices.region_load(region)
    require("slices", load, lanes_of(load.indices[-1], point), [*range(base, base + size)])
    back = slices.region_of(load)
    ranges = [(evaluate(each.min, point), evaluate(each.extent, point)) for each in back.region]
    require("slices", "the region of the load", ranges, [*wanted, (base, size)])
    step = rng.choice((1, 2, 3))
    strided: Any = buffer[(*indices, slice(low, high, step))]
    require("slices", strided, lanes_of(strided.indices[-1], point), [*range(base, base + size, step)])
    rest: Any = buffer[(*indices, slice(None))]
    whole = rest.region[-1]
    require("slices", "a whole axis", (evaluate(whole.min, {}), evaluate(whole.extent, {})), (0, extent))
    require_refusal("slices", "no end", WrongType, lambda: buffer[(*indices, slice(0, None, 2))])
    require_refusal("slices", "a step of 0", WrongType, lambda: buffer[(*indices, slice(0, 4, 0))])
    unknown = w.pick(*w.names)
    require_refusal("slices", "no length", WrongType, lambda: buffer[(*indices, slice(0, unknown, 2))])
    strange = e.Ramp(w.const(0), w.const(2), 2)
    require_refusal("slices", "a region with steps", WrongType, lambda: slices.single(strange))
    ends = sorted((rng.randint(-5, 9), rng.randint(-5, 9)))
    between = Range(*ends)
    require("ranges", ends, (evaluate(between.min, {}), evaluate(between.extent, {})), (ends[0], ends[1] - ends[0]))


# ---- index maps


_MAPS: Final = (
    lambda i, j: (j, i),
    lambda i, j: (i * 4 + j,),
    lambda i, j: (i // 2, j, i % 2),
    lambda i, j: (j // 3, i, j % 3),
    lambda i, j: (i + j, j),
    lambda i, *, j: (j + 1, i),
)


def _index_maps(rng: random.Random) -> None:
    """Maps of indices, boxes and shapes are those of the Python function; equivalent ones are recognized."""
    number = rng.randrange(len(_MAPS))
    function: Any = _MAPS[number]
    of_python: Any = function if number < len(_MAPS) - 1 else lambda i, j: function(i, j=j)
    dtype = rng.choice(("int64", "int32"))
    index_map = IndexMap.from_func(function, rng.choice((None, 2)), index_dtype=dtype)
    place = (rng.randrange(4), rng.randrange(6))
    wanted = list(of_python(*place))
    mapped = index_map.map_indices([IntImm(dtype, each) for each in place])
    require("index maps", f"{index_map} of {place}", [evaluate(each, {}) for each in mapped], wanted)
    plain = index_map.at([IntImm(dtype, each) for each in place])
    require("index maps", f"{index_map} at {place}", [evaluate(each, {}) for each in plain], wanted)
    require("index maps", "the dtype of indices", {str(each.dtype) for each in mapped}, {dtype})
    shape, shape_dtype = (2 * rng.randint(1, 2), 3 * rng.randint(1, 2)), DType(rng.choice(("int32", "int64")))
    results = [of_python(i, j) for i in range(shape[0]) for j in range(shape[1])]
    ranges = index_map.map_ranges([Range.from_min_extent(IntImm(dtype, 0), IntImm(dtype, each)) for each in shape])
    box = [(evaluate(each.min, {}), evaluate(each.extent, {})) for each in ranges]
    exact = [(min(axis), max(axis) - min(axis) + 1) for axis in zip(*results, strict=True)]
    if number not in (2, 3):
        require("index maps", f"the box of {index_map} over {shape}", box, exact)
    if all(low == 0 for low, _ in exact) and number not in (2, 3):
        mapped_shape = index_map.map_shape([IntImm(shape_dtype, each) for each in shape])
        require("index maps", "the dtype of a shape", {each.dtype for each in mapped_shape}, {shape_dtype})
        extents = [evaluate(each, {}) for each in mapped_shape]
        require("index maps", f"the shape of {index_map} over {shape}", extents, [extent for _, extent in exact])
    elif number == len(_MAPS) - 1:
        require_refusal("index maps", "a shape from 1 on", WrongType, lambda: index_map.map_shape(shape))
    for wrong in ([0], [0, 1, 2]):
        require_refusal("index maps", f"{len(wrong)} indices", WrongType, partial(index_map.map_indices, wrong))
    same = IndexMap.from_func(lambda *axes: tuple(each + 0 for each in of_python(*axes)), 2, index_dtype=dtype)
    require("index maps", f"whether {same} is {index_map}", index_map.is_equivalent_to(same), True)
    other = IndexMap.from_func(lambda *axes: tuple(each + 1 for each in of_python(*axes)), 2, index_dtype=dtype)
    require("index maps", f"whether {other} is {index_map}", index_map.is_equivalent_to(other), False)
    separated, separators = IndexMap.from_func_with_separators(lambda i, j: [i, IndexMap.AXIS_SEPARATOR, j])
    require("index maps", "separators", (separators, len(separated.final_indices)), ([1], 2))
    require_refusal("index maps", "a text", WrongType, lambda: IndexMap.from_func(lambda i: "x"))
    require_refusal("index maps", "a flag", WrongType, lambda: IndexMap.from_func(lambda i: True))
    require_refusal("index maps", "any number", WrongType, lambda: IndexMap.from_func(lambda *axes: axes))
    require_refusal("index maps", "another number", WrongType, lambda: IndexMap.from_func(lambda i: i, 2))
    require_refusal(
        "index maps", "a separator", WrongType, lambda: IndexMap.from_func(lambda i: IndexMap.AXIS_SEPARATOR)
    )


def _places(rng: random.Random) -> None:
    """The indices of a position are the digits of it; layouts in row-major order are told."""
    w = _writer(rng)
    shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    position = rng.randrange(math.prod(shape))
    indices = unravel_position(rng.choice((position, e.Add(w.const(position), w.const(0)))), shape)
    digits = [position // math.prod(shape[axis + 1 :]) % extent for axis, extent in enumerate(shape)]
    require("positions", f"{position} in {shape}", [evaluate(index, {}) for index in indices], digits)
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    iters: list[list[Any]] = [[extent, stride, MEMORY] for extent, stride in zip(shape, strides, strict=True)]
    layout = _layout(iters)
    extents = [IntImm("int32", extent) for extent in shape]
    require("layouts", layout, is_row_major(layout, extents), True)
    axis, field = rng.randrange(len(iters)), rng.randrange(3)
    iters[axis][field] = "tx" if field == 2 else int(iters[axis][field]) + 1
    wrong = [_layout(iters), _layout(iters[:-1]), TileLayout(layout.shard, (LayoutIter(w.const(2), w.const(1)),))]
    wrong.append(TileLayout(layout.shard, (), (LayoutOffset(w.const(2), MEMORY),)))
    require("layouts", wrong, [is_row_major(each, extents) for each in wrong], [False] * 4)
    symbolic = [*extents[:-1], w.pick(*w.names)]
    require("layouts", "a symbolic shape", is_row_major(layout, symbolic), False)


def _layout(iters: list[list[Any]]) -> TileLayout:
    return TileLayout(tuple(LayoutIter(IntImm("int32", a), IntImm("int32", b), axis) for a, b, axis in iters))


def _substituted(rng: random.Random) -> None:
    """An expression with values in the places of variables has the value that it has where they have these values."""
    w = _writer(rng)
    expr = rng.choice((w.affine(), w.condition(), e.Select(w.condition(), w.affine(), w.affine())))
    values = {var: w.affine() for var in w.names if rng.randrange(2)}
    result = substitute(expr, values)
    if not values:
        require("substitute", "nothing", result is expr, True)
    require("substitute", f"the dtype of {result}", result.dtype, expr.dtype)
    for point in _points(w):
        moved = {**point, **{var: evaluate(value, point) for var, value in values.items()}}
        try:
            expected = evaluate(expr, moved)
        except Undefined:
            continue
        require("substitute", f"{expr} with {values}", evaluate(result, point), expected)
    require(
        "substitute", "another object", structural_equal(substitute(expr, {Var("z", "int32"): w.const(1)}), expr), True
    )


LAWS: Final[dict[str, Law]] = {
    "distances": _distance,
    "offsets": _offsets,
    "vectors_of_elements": _vectors,
    "slices": _slices,
    "index_maps": _index_maps,
    "places": _places,
    "substitute": _substituted,
}
