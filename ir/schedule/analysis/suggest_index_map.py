"""Layouts in which the elements of a buffer lie in the order in which loops access them."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import offset_of, row_major_strides
from tvmscript.ir.arith.iter_map.simplify import normalize_to_iter_sum
from tvmscript.ir.tir import Buffer, Expr, For, IntImm, Range, Var, as_expr, uses
from tvmscript.ir.tir.index_map import IndexMap


def suggest_index_map(
    buffer: Buffer, indices: Sequence[Expr | int], loops: Sequence[For], predicate: Expr
) -> IndexMap | None:
    """Return the layout of a buffer in the order of the loops that access it, outermost first.

    None unless the offset of the element is a sum of digits of loop variables. The predicate does not restrict them.
    """
    ranges = {loop.loop_var: Range.from_min_extent(loop.min, loop.extent) for loop in loops}
    offset = offset_of(buffer.shape, row_major_strides(buffer.shape), [as_expr(index) for index in indices])
    places = {loop.loop_var: place for place, loop in enumerate(loops)}
    digits: list[tuple[int, int, int]] = []  # place of the loop, divisor of the digit, number of values
    total = normalize_to_iter_sum(offset, ranges)
    if not uses(total.base).isdisjoint(places):
        return None
    for split in total.args:
        source = split.source.source
        if not isinstance(source, Var) or not isinstance(split.lower, int) or not isinstance(split.size, int):
            return None
        digits.append((places[source], split.lower, split.size))
    # the last digit varies fastest
    weights, weight = [0] * len(digits), 1
    for position in reversed(range(len(digits))):
        weights[position] = weight
        weight *= digits[position][2]
    order = sorted(range(len(digits)), key=lambda position: (digits[position][0], -digits[position][1]))
    extents = [digits[position][2] for position in order]
    analyzer = Analyzer()

    def variables(bounds: Sequence[Expr | int]) -> list[Var]:
        names = [Var(f"i{number}", "int32") for number in range(len(bounds))]
        for var, extent in zip(names, bounds, strict=True):
            analyzer.bind(var, Range(0, extent))
        return names

    axes = variables(buffer.shape)
    element = offset_of(buffer.shape, row_major_strides(buffer.shape), axes)
    new_indices = [analyzer.simplify(element // weights[position] % digits[position][2]) for position in order]
    new_axes = variables(extents)
    element = IntImm("int32", 0)
    for position, axis in sorted(zip(order, new_axes, strict=True)):
        element = element + axis * weights[position]
    inverse = [
        analyzer.simplify(element // stride % extent)
        for stride, extent in zip(row_major_strides(buffer.shape), buffer.shape, strict=True)
    ]
    return IndexMap(tuple(axes), tuple(new_indices), IndexMap(tuple(new_axes), tuple(inverse)))
