"""Rows of products that are windows of an array, as in convolutions: boxes that tensor maps describe."""

from __future__ import annotations

from itertools import product as combinations
from math import prod
from typing import Final

from tvmscript.ir.schedule.default.gpu.flat_product import Product
from tvmscript.ir.tir import Block, IntImm, Var, uses

#: rows of tiles in shared memory after which their permutation repeats
_PATTERN_ROWS: Final = 8


def row_box(stmt: Block, product: Product, rows: int) -> dict[Var, int]:
    """Return how many neighbours along each axis of rows are a box of at most so many rows, of which tiles consist.

    A box is as large as it can be, of powers of two that divide the extents, and reads as little as possible. It is
    empty where rows of the left operand are none of windows, or are no whole tiles.
    """
    extents = {
        axis.var: axis.dom.extent.value
        for axis in stmt.iter_vars
        if axis.dom is not None and isinstance(axis.dom.extent, IntImm)
    }
    region = stmt.reads[product.operands[0]].region
    terms = set(product.terms)
    windows = dict.fromkeys(product.rows, 1)
    for dimension in region:
        used = uses(dimension.min)
        for var in used & set(windows):
            windows[var] += sum(extents.get(term, 1) - 1 for term in used & terms)
    sizes = [extents.get(var, 0) for var in product.rows]
    if max(windows.values()) == 1 or region[-1].min not in terms or not prod(sizes) or prod(sizes) % rows:
        return {}
    powers = [[1 << place for place in range(rows.bit_length()) if size % (1 << place) == 0] for size in sizes]
    boxes = [box for box in combinations(*powers) if prod(box) <= rows]

    def rank(box: tuple[int, ...]) -> tuple[int, int]:
        reads = prod(size + window - 1 for size, window in zip(box, windows.values(), strict=True))
        return -prod(box), reads

    best = min(boxes, key=rank)
    if prod(best) % _PATTERN_ROWS:
        return {}
    return {var: size for var, size in zip(product.rows, best, strict=True) if size > 1}
