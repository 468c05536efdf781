"""Layouts of 0.27: forms as TVM 0.27 prints them, and places that stay when the form changes."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.arith import tile_layouts as layouts
from tvmscript.ir.arith.tile_layouts import ComposeLayout, TileLayout
from tvmscript.ir.core.errors import WrongArgumentCount, WrongType
from tvmscript.ir.tir import Expr, IntImm
from tvmscript.ir.tir.tile import LayoutIter

HEAD = "# from tvm.script import tirx as T\n# from tvm.tirx.layout import Axis\n\n@T.prim_func\ndef f(n: T.int32):\n"


def parse(text: str) -> Any:
    """Return the layout that a text computes: that of a buffer in a function."""
    body = f'    A = T.alloc_buffer((64,), "float32", layout={text})\n    T.evaluate(A.data)\n'
    func: Any = tvmscript.from_source(HEAD + body, check_well_formed=False)
    return func.body.body.buffer.layout


def printed(layout: Any) -> str:
    return str(layout.script(dialect="0.27", comments=False)).split("\n")[-1]


RM, CM = "T.TileLayout(T.S[(8, 4):(4, 1)])", "T.TileLayout(T.S[(8, 4):(1, 8)])"
LANES = "T.TileLayout(T.S[(8, 4, 2):(4 @ Axis.laneid, 1 @ Axis.laneid, 1)])"
SWIZZLE = "T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(64, 64):(64, 1)]))"
#: what is computed, and what TVM 0.27 prints for it
COMPUTED = {
    "canonical": (f"{LANES}.canonicalize()", "T.TileLayout(T.S[(32, 2):(1 @ Axis.laneid, 1)])"),
    "unit iters": ("T.TileLayout(T.S[(8, 1, 4):(1, 3, 8)]).canonicalize()", CM),
    "zero offset": (
        "T.TileLayout(T.S[(8, 4):(1, 8)] + 0 @ Axis.laneid + 5).canonicalize()",
        "T.TileLayout(T.S[(8, 4):(1, 8)] + 5)",
    ),
    "swizzle": (f"{SWIZZLE}.canonicalize()", "T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[4096:1]))"),
    "storage": (f"{LANES}.storage()", "T.TileLayout(T.S[2:1])"),
    "nothing stored": (
        "T.TileLayout(T.S[4:1 @ Axis.warpid] + 5 @ Axis.TLane).storage()",
        'T.TileLayout.from_iters(offset={"TLane": 5})',
    ),
    "groups of many": (f"{RM}.group_many([[4, 8], [32]])[0]", "T.TileLayout(T.S[(4, 2, 4):(8, 4, 1)])"),
    "groups of units": (
        "T.TileLayout(T.S[(4, 3):(1, 4)]).group_many([[4, 1, 3], [2, 6]])[0]",
        "T.TileLayout(T.S[(2, 2, 1, 3):(2, 1, 12, 4)])",
    ),
    "inner of tiles": (
        f"{RM}.is_tile_inner({RM}.tile(T.TileLayout(T.S[(2, 3)]), [2, 3], [8, 4]), [16, 12], [8, 4])",
        "T.TileLayout(T.S[6:1])",
    ),
    "outer of tiles": (
        f"T.TileLayout(T.S[(2, 3)]).is_tile_outer({CM}.tile(T.TileLayout(T.S[(2, 3)]), [2, 3], [8, 4]), [16, 12], "
        "[2, 3])",
        CM,
    ),
    "part of a sum": (
        f"{RM}.is_direct_sum_right({RM}.direct_sum(T.TileLayout(T.S[(2, 3):(96, 32)]), [2, 3], [8, 4]), [16, 12], "
        "[8, 4])",
        "T.TileLayout(T.S[6:32])",
    ),
    "unpack": (f"{CM}.unpack(2)", "T.TileLayout(T.S[(8, 4, 2):(2, 16, 1)])"),
    "pack": ("T.TileLayout(T.S[(8, 4):(6, 1)]).pack(2)", "T.TileLayout(T.S[(8, 2):(3, 1)])"),
    "pack swizzle": (f"{SWIZZLE}.pack(2)", "T.ComposeLayout(2, 3, 3, T.TileLayout(T.S[(64, 32):(32, 1)]))"),
    "broadcast": (f"{CM}.broadcast(3)", "T.TileLayout(T.S[(8, 4, 3):(1, 8, 0)])"),
    "broadcast first": (
        f'{CM}.broadcast(3, 0, "laneid")',
        "T.TileLayout(T.S[(3, 8, 4):(0 @ Axis.laneid, 1, 8)])",
    ),
    "permute_dims": (f"{LANES}.permute_dims([2, 0, 1])",
                     "T.TileLayout(T.S[(2, 8, 4):(1, 4 @ Axis.laneid, 1 @ Axis.laneid)])"),
    "permute_by_groups": (f"{LANES}.permute_by_groups([0, 2, 3], [1, 0])",
                          "T.TileLayout(T.S[(2, 8, 4):(1, 4 @ Axis.laneid, 1 @ Axis.laneid)])"),
    "group": (f"{CM}.group([2, 16])[0]", "T.TileLayout(T.S[(2, 4, 4):(4, 1, 8)])"),
    "group by units": (f"{CM}.group([1, 8, 1, 4, 1])[0]", "T.TileLayout(T.S[(1, 8, 1, 4, 1):(8, 1, 1, 8, 8)])"),
    "tile": (f"{LANES}.tile(T.TileLayout(T.S[2, 3]), [2, 3], [8, 8])",
             "T.TileLayout(T.S[(2, 8, 3, 4, 2):(6, 4 @ Axis.laneid, 2, 1 @ Axis.laneid, 1)])"),
    "tile by lanes": (f"{RM}.tile(T.TileLayout(T.S[(2, 3):(1 @ Axis.laneid, 1)]), [2, 3], [8, 4])",
                      "T.TileLayout(T.S[(2, 8, 3, 4):(1 @ Axis.laneid, 4, 32, 1)])"),
    "tile of replicas": (f"T.TileLayout(T.S[(8, 4):(4, 1)] + T.R[2:32]).tile({RM}, [8, 4], [8, 4])",
                         "T.TileLayout(T.S[(8, 8, 4, 4):(256, 4, 64, 1)] + T.R[2:32])"),
    "tile of a swizzle": (f"{SWIZZLE}.tile(T.TileLayout(T.S[2, 3]), [2, 3], [64, 64])",
                          "T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(2, 64, 3, 64):(12288, 64, 4096, 1)]))"),
    "tile_to": (f"{CM}.tile_to([16, 12], [8, 4])", "T.TileLayout(T.S[(2, 8, 12):(96, 1, 8)])"),
    "direct_sum": (f"{CM}.direct_sum(T.TileLayout(T.S[(2, 3):(7, 5)]), [2, 3], [8, 4])",
                   "T.TileLayout(T.S[(2, 8, 3, 4):(7, 1, 5, 8)])"),
    "slice": (f"{CM}.slice([8, 4], [(2, 6), (1, 3)])", "T.TileLayout(T.S[(4, 2):(1, 8)] + 10)"),
    "slice of a run": (f"{CM}.slice([32], [(4, 20)])", "T.TileLayout(T.S[(4, 4):(1, 8)] + 1)"),
    "slice at a variable": (f"{RM}.slice([8, 4], [(n, n + 1), (0, 4)])", "T.TileLayout(T.S[(1, 4):(4, 1)] + n * 4)"),
    "slice of a swizzle": (f"{SWIZZLE}.slice([64, 64], [(8, 16), (0, 32)])",
                           "T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(8, 32):(64, 1)] + 512))"),
    "steps": ('T.TileLayout.from_iters([T.Iter(8, 2, "laneid")], [T.Iter(2, 1, Axis.warpid)], {"m": 4, Axis.tx: 1})',
              "T.TileLayout(T.S[8:2 @ Axis.laneid] + T.R[2:1 @ Axis.warpid] + (4 + 1 @ Axis.tx))"),
    "size": (f"T.TileLayout(T.S[({LANES}.size(), {LANES}.size('laneid'), {CM}.span()):(0, 1, 32)])",
             "T.TileLayout(T.S[(64, 32, 32):(0, 1, 32)])"),
    "span": ("T.TileLayout(T.S[T.TileLayout(T.S[(8, 4):(6, 1)] + 2).span():2])", "T.TileLayout(T.S[48:2])"),
    "questions": (f"T.TileLayout(T.S[8 if {RM}.is_trivial() else 4:2 if {SWIZZLE}.is_swizzle() else 1])",
                  "T.TileLayout(T.S[8:2])"),
    "place": (f'T.TileLayout(T.S[{CM}.apply(3, 2)["m"]:{SWIZZLE}.apply(3, 2)["m"]])', "T.TileLayout(T.S[19:218])"),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPUTED)
def test_as_tvm_prints_it(name: str) -> None:
    text, wanted = COMPUTED[name]
    layout = parse(text)
    assert printed(layout) == wanted
    assert printed(parse(wanted)) == wanted


REFUSED: dict[str, tuple[Callable[[], object], type[Exception]]] = {
    "group": (lambda: layouts.group(parse(CM), [5, 7]), WrongType),
    "group of too few": (lambda: layouts.group(parse(CM), [8]), WrongType),
    "pack": (lambda: layouts.pack(parse(CM), 2), WrongType),
    "pack a swizzle": (lambda: layouts.pack(parse(SWIZZLE), 16), WrongType),
    "power": (lambda: layouts.unpack(parse(SWIZZLE), 3), WrongType),
    "order": (lambda: layouts.permute_dims(parse(CM), [0, 0]), WrongType),
    "order of groups": (lambda: layouts.permute_by_groups(parse(CM), [0, 2], [1]), WrongType),
    "coordinate": (lambda: layouts.apply(parse(LANES), [IntImm("int32", 1)] * 2), WrongArgumentCount),
    "ranks": (lambda: layouts.tile(parse(CM), layouts.row_major([2]), [2], [8, 4]), WrongArgumentCount),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    compute, error = REFUSED[name]
    with pytest.raises(error):
        compute()


def test_no_layout_of_a_part() -> None:
    """A part that ends in the middle of a run has none."""
    run = [(IntImm("int32", 2), IntImm("int32", 6))]
    assert layouts.cut(parse(CM), [32], run) is None
    assert layouts.cut(parse(SWIZZLE.replace("(64, 1)", "(1, 64)")), [4096], run) is not None
    assert not layouts.is_trivial(parse(SWIZZLE))


# laws


def random_layout(source: random.Random) -> TileLayout:
    iters = [
        LayoutIter(IntImm("int32", source.choice((1, 2, 3, 4))), IntImm("int32", source.randrange(9)), axis)
        for axis in source.choices(("m", "m", "laneid", "TCol"), k=source.randint(1, 4))
    ]
    return TileLayout(tuple(iters))


def places(layout: layouts.Layout, number: int) -> dict[str, int]:
    found = layouts.apply(layout, [IntImm("int32", number)])
    values = {axis: value_of(value) for axis, value in found.items()}
    return {axis: value for axis, value in values.items() if value}


def value_of(expr: Expr) -> int:
    assert isinstance(expr, IntImm)
    return expr.value


@pytest.mark.parametrize("seed", range(40))
def test_forms_keep_places(seed: int) -> None:
    source = random.Random(seed)
    layout = random_layout(source)
    count = value_of(layouts.size(layout))
    shape = [int(value_of(part.extent)) for part in layout.shard]
    grouped, ends = layouts.group(layout, [count])
    assert ends == [0, len(grouped.shard)]
    unpacked = layouts.unpack(layout, 2)
    short = layouts.canonicalize(layout)
    for number in range(count):
        wanted = places(layout, number)
        assert places(short, number) == wanted
        assert places(grouped, number) == wanted
        assert places(unpacked, 2 * number + 1) == {**(part := {a: 2 * v for a, v in wanted.items()}),
                                                    "m": part.get("m", 0) + 1}  # fmt: skip
    order = source.sample(range(len(shape)), len(shape))
    moved = layouts.permute_dims(layout, order)
    for coordinate in itertools.product(*map(range, shape)):
        numbers = [IntImm("int32", item) for item in coordinate]
        there, here = [layouts.apply(*each) for each in ((moved, [numbers[item] for item in order]), (layout, numbers))]
        assert {axis: value_of(item) for axis, item in there.items()} == {a: value_of(b) for a, b in here.items()}


@pytest.mark.parametrize("seed", range(40))
def test_tiles_are_copies(seed: int) -> None:
    """An element of a tile lies where it lies in the first one, moved by as much as the tile is."""
    source = random.Random(seed)
    inner = random_layout(source)
    size, tiles = value_of(layouts.size(inner)), source.randint(1, 4)
    tiled = layouts.tile(inner, layouts.row_major([tiles]), [tiles], [size])
    moves = any(part.axis == "m" for part in layouts.canonicalize(inner).shard)
    scale = value_of(layouts.span(inner, "m")) if moves else 1
    for tile, number in itertools.product(range(tiles), range(size)):
        wanted = places(inner, number)
        wanted["m"] = wanted.get("m", 0) + tile * scale
        assert places(tiled, tile * size + number) == {axis: value for axis, value in wanted.items() if value}


@pytest.mark.parametrize("seed", range(40))
def test_parts_keep_places(seed: int) -> None:
    source = random.Random(seed)
    layout = random_layout(source)
    shape = [value_of(part.extent) for part in layout.shard]
    bounds = [sorted(source.sample(range(extent + 1), 2)) for extent in shape]
    part = layouts.cut(layout, shape, [(IntImm("int32", a), IntImm("int32", b)) for a, b in bounds])
    assert isinstance(part, TileLayout)
    extents = [b - a for a, b in bounds]
    for number, coordinate in enumerate(itertools.product(*map(range, extents))):
        whole = 0
        for item, (begin, _), extent in zip(coordinate, bounds, shape, strict=True):
            whole = whole * extent + item + begin
        assert places(part, number) == places(layout, whole)


def test_swizzles() -> None:
    """A swizzle permutes the elements."""
    for inner in (True, False):
        layout = ComposeLayout(2, 2, 3, layouts.row_major([256]), inner)
        assert sorted(places(layout, number).get("m", 0) for number in range(256)) == list(range(256))
        assert places(layout, 32) == ({"m": 36} if inner else {"m": 32})


def test_what_is_no_tile() -> None:
    inner, outer = parse(CM), parse("T.TileLayout(T.S[(2, 3)])")
    tiles = layouts.tile(parse(RM), outer, [2, 3], [8, 4])
    facts = {"is_inner": True, "is_tiled": True}
    assert layouts.complement(inner, tiles, [16, 12], [8, 4], **facts) is None
    assert layouts.complement(inner, tiles, [16, 12], [5, 4], **facts) is None


def test_ends_of_many_groups() -> None:
    """Each shape has the ends of its own dimensions, the last one those of all iters."""
    layout = parse("T.TileLayout(T.S[8:2])")
    grouped, ends = layouts.group_many(layout, [[2, 2, 2, 1], [2, 1, 1, 2, 2], [8]])
    assert printed(grouped) == "T.TileLayout(T.S[(2, 1, 1, 2, 2, 1):(8, 8, 8, 4, 2, 2)])"
    assert ends == [[0, 1, 4, 5, 6], [0, 1, 2, 3, 4, 6], [0, 6]]
    with pytest.raises(WrongType, match="a shape of 8 coordinates"):
        layouts.group_many(layout, [[2, 4], [3, 5]])
