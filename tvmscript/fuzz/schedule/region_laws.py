"""Law of the regions of blocks: those that are inferred have every access, and of affine indices no more.

The loops inside of a block are short: every access is enumerated for every iteration of the block.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Final

from tvmscript.fuzz.arith.evaluate import evaluate, lanes_of
from tvmscript.fuzz.errors import WrongArithmetic
from tvmscript.fuzz.programs.stages import Pick
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import (
    Block,
    Buffer,
    BufferLoad,
    BufferRegion,
    BufferStore,
    Expr,
    For,
    IfThenElse,
    PrimFunc,
    Stmt,
    Var,
)
from tvmscript.parser import from_source

#: the extent of the dimensions of buffers: indices stay below it
_EXTENT: Final = 96
#: what is added to indices that may be negative
_OFFSET: Final = 32
_VARIABLES: Final = ("vi", "vj", "k", "l")
#: box by buffer: the least and the greatest index of each dimension
Boxes = dict[Buffer, list[tuple[int, int]]]
Point = Mapping[Var, int]


def region_text(pick: Pick) -> str:
    """Write a function with one block that does not state its regions."""

    def affine() -> str:
        factors = [(0, 0, 1, 1, 2, -1)[pick(6)] for _ in _VARIABLES]
        terms = [f"{name} * {factor}" for name, factor in zip(_VARIABLES, factors, strict=True) if factor]
        return " + ".join([*terms, str(_OFFSET + pick(4))])

    def index() -> str:
        form = ("{0}", "{0}", "({0}) // {1}", "({0}) % {1}", "T.min({0}, {2})")[pick(5)]
        return form.format(affine(), 2 + pick(3), affine())

    def last(lanes: int) -> str:
        if lanes == 1:
            return index()
        return f"T.Ramp({affine()}, {1 + pick(3)}, {lanes})" if pick(3) else f"T.Broadcast({index()}, {lanes})"

    lines = [f"for k, l in T.grid({1 + pick(4)}, {1 + pick(3)}):"]
    depth = "    "
    if pick(3) == 0:
        lines.append(f"{depth}if {index()} < {_OFFSET + pick(8)}:")
        depth = "        "
    for _ in range(1 + pick(2)):
        lanes = (1, 1, 2, 4)[pick(4)]
        values = " + ".join(f"{'AB'[pick(2)]}[{index()}, {last(lanes)}]" for _ in range(1 + pick(2)))
        target = affine() if lanes == 1 else f"T.Ramp({affine()}, {1 + pick(2)}, {lanes})"
        lines.append(f"{depth}C[{index()}, {target}] = {values}")
    body = "\n".join(f"            {line}" for line in lines)
    params = ", ".join(f'{name}: T.Buffer(({_EXTENT}, {_EXTENT}), "float32")' for name in "ABC")
    return f"""@T.prim_func
def main({params}):
    for i, j in T.grid({1 + pick(3)}, {1 + pick(3)}):
        with T.block("block"):
            vi, vj = T.axis.remap("SS", [i, j])
{body}
"""


def check_regions(text: str) -> None:
    """Compare the regions of the block with its accesses. Raises `WrongArithmetic`."""
    func: PrimFunc = from_source(text)
    (block,) = (part for part in nodes(func) if isinstance(part, Block) and part.name_hint == "block")
    is_exact = not any(isinstance(part, IfThenElse) for part in nodes(block)) and "%" not in text and "min" not in text
    variables = [axis.var for axis in block.iter_vars]
    extents = [evaluate(axis.dom.extent, {}) for axis in block.iter_vars if axis.dom is not None]
    for values in itertools.product(*map(range, extents)):
        point = dict(zip(variables, values, strict=True))
        reads, writes = Boxes(), Boxes()
        for inner, stmt in _stores(block.body, point):
            _join(writes, stmt.buffer, stmt.indices, inner)
            for load in nodes(stmt.value):
                if isinstance(load, BufferLoad):
                    _join(reads, load.buffer, load.indices, inner)
        for name, boxes, regions in (("reads", reads, block.reads), ("writes", writes, block.writes)):
            _compare(name, boxes, regions, point, is_exact)


def _stores(stmt: Stmt, point: Point) -> Iterator[tuple[Point, BufferStore]]:
    """Enumerate the stores that run, with the values of variables."""
    if isinstance(stmt, For):
        first = evaluate(stmt.min, point)
        for value in range(first, first + evaluate(stmt.extent, point)):
            yield from _stores(stmt.body, {**point, stmt.loop_var: value})
    elif isinstance(stmt, IfThenElse):
        if evaluate(stmt.condition, point):
            yield from _stores(stmt.then_case, point)
    elif isinstance(stmt, BufferStore):
        yield point, stmt
    else:
        for part in getattr(stmt, "seq", ()):
            yield from _stores(part, point)


def _join(boxes: Boxes, buffer: Buffer, indices: tuple[Expr, ...], point: Point) -> None:
    ends = [(min(lanes), max(lanes)) for lanes in (lanes_of(index, point) for index in indices)]
    before = boxes.get(buffer, ends)
    boxes[buffer] = [(min(a, c), max(b, d)) for (a, b), (c, d) in zip(before, ends, strict=True)]


def _compare(name: str, boxes: Boxes, regions: tuple[BufferRegion, ...], point: Point, is_exact: bool) -> None:
    stated: Boxes = {}
    for region in regions:
        starts = [evaluate(part.min, point) for part in region.region]
        counts = [evaluate(part.extent, point) for part in region.region]
        stated[region.buffer] = [(start, start + count - 1) for start, count in zip(starts, counts, strict=True)]
    for buffer, ends in boxes.items():
        region_ends = stated.get(buffer, [])
        is_inside = bool(region_ends) and all(
            low <= first and last <= high for (first, last), (low, high) in zip(ends, region_ends, strict=True)
        )
        if not is_inside or (is_exact and region_ends != ends):
            reason = f"says {region_ends} of {buffer.name} rather than {ends}"
            raise WrongArithmetic(law="regions", expr=f"T.{name}", reason=reason, values=dict(point))
