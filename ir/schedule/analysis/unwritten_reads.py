"""Reads of elements that no producer writes in the same iteration, found by running through some iterations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from tvmscript.ir.analysis.access.compile_index import Code, NoValue, code_of
from tvmscript.ir.schedule.analysis.block_scope import read_producers
from tvmscript.ir.schedule.analysis.region_cover import bind_region, is_covered, loop_ranges_below
from tvmscript.ir.schedule.tree import StmtRef, common_ancestor, loops_above, realize_of
from tvmscript.ir.tir import Buffer, Expr, IntImm, Range, Var
from tvmscript.ir.tir.expr import BufferRegion

#: accesses of a block in an iteration, and iterations of the loops around, that are looked at
_MOST_ACCESSES: Final = 4096
_MOST_ITERATIONS: Final = 5

Element = tuple[int, ...]


def reads_unwritten(consumer: StmtRef) -> bool:
    """Whether a block is known to read what the producers beside it write in other iterations only.

    Where that cannot be proven by intervals, the first and last iterations of the loops around are compared element by
    element. Loops of variable sizes, and many accesses, are not looked at.
    """
    if is_covered(consumer):
        return False
    for buffer in dict.fromkeys(region.buffer for region in consumer.block.reads):
        producers = [ref for ref in read_producers(consumer) if _regions(ref.block.writes, buffer)]
        places = {common_ancestor([ref, consumer]) for ref in producers}
        if len(places) == 1 and _misses_elements(consumer, producers, buffer, places.pop()):
            return True
    return False


def _regions(regions: Sequence[BufferRegion], buffer: Buffer) -> list[BufferRegion]:
    return [region for region in regions if region.buffer is buffer]


def _misses_elements(consumer: StmtRef, producers: Sequence[StmtRef], buffer: Buffer, around: StmtRef) -> bool:
    if around.is_block:
        return False
    loops = {ref.loop.loop_var: Range.from_min_extent(ref.loop.min, ref.loop.extent) for ref in loops_above(around)}
    loops[around.loop.loop_var] = Range.from_min_extent(around.loop.min, around.loop.extent)
    try:
        read = [_Accesses(consumer, each, around) for each in _regions(consumer.block.reads, buffer)]
        written = [_Accesses(ref, each, around) for ref in producers for each in _regions(ref.block.writes, buffer)]
        shape = _numbers(buffer.shape)
        for values in _some_iterations(loops):
            elements = {element for each in written for element in each.elements(values)}
            for each in read:
                for element in each.elements(values):
                    is_inside = all(0 <= index < size for index, size in zip(element, shape, strict=True))
                    if is_inside and element not in elements:
                        return True
    except NoValue:
        pass
    return False


def _some_iterations(loops: Mapping[Var, Range]) -> list[dict[Var, int]]:
    """Return iterations at the ends of loops, inner ones first. Raises `NoValue`."""
    ends: list[list[int]] = []
    for first, extent in (_numbers((domain.min, domain.extent)) for domain in loops.values()):
        ends.append(sorted({*range(first, first + extent)[:3], *range(first, first + extent)[-2:]}))
    # the last loops are the innermost ones: outer loops stay at their first iteration where there are too many
    while prod(map(len, ends)) > _MOST_ITERATIONS and any(len(each) > 1 for each in ends[:-1]):
        place = next(place for place, each in enumerate(ends) if len(each) > 1)
        ends[place] = ends[place][:1]
    return [dict(zip(loops, values, strict=True)) for values in product(*ends)]


class _Accesses:
    """The elements of a region that a block accesses in one iteration of the loops around. Raises `NoValue`."""

    def __init__(self, block: StmtRef, region: BufferRegion, around: StmtRef) -> None:
        realize = realize_of(block)
        domains = loop_ranges_below(block, around, region.buffer.storage_scope)
        self.loops = [(var, _code(domain.min), _code(domain.extent)) for var, domain in domains.items()]
        parts = bind_region(region, realize)
        self.starts, self.extents = [_code(part.min) for part in parts], _numbers([part.extent for part in parts])
        self.predicate = _code(realize.predicate)

    def elements(self, around: Mapping[Var, int]) -> Iterator[Element]:
        ranges: list[range] = []
        for _, first, extent in self.loops:
            start = first(around)
            ranges.append(range(start, start + extent(around)))
        if prod(map(len, ranges)) * prod(self.extents) > _MOST_ACCESSES:
            raise NoValue
        for point in product(*ranges):
            values = {**around, **{var: value for (var, _, _), value in zip(self.loops, point, strict=True)}}
            if self.predicate(values):
                starts = [code(values) for code in self.starts]
                yield from product(
                    *[range(start, start + extent) for start, extent in zip(starts, self.extents, strict=True)]
                )


def _code(expr: Expr) -> Code:
    code = code_of(expr)
    if code is None:
        raise NoValue
    return code


def _numbers(values: Sequence[object]) -> tuple[int, ...]:
    numbers = tuple([value.value for value in values if isinstance(value, IntImm)])
    if len(numbers) != len(values):
        raise NoValue
    return numbers
