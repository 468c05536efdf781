"""Padding of iterators to multiples of divisors: (i + 1) // 4 for i in [0, 14) is i' // 4 for i' = i + 1 in [0, 16).

Detection visits indices twice: the first visit collects the divisors of each iterator, the second one uses the padded
iterators.
"""

from __future__ import annotations

from functools import reduce

from tvmscript.ir.arith.fold import FALSE, make
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic, fold_sizes, match_sizes, minus, plus
from tvmscript.ir.arith.iter_map.failure_reasons import NotAffine
from tvmscript.ir.arith.iter_map.iter_sum import IterMark, IterSplitExpr, IterSumExpr, Size
from tvmscript.ir.arith.iter_map.normalize import normalize_iter_map_to_expr
from tvmscript.ir.tir import EQ, GE, LT, NE, And, BinaryOp, Expr, FloorDiv, FloorMod, Or


class _Need:
    """The padding that the divisions of one iterator require, and the padded iterator."""

    __slots__ = ("factor", "left", "padded")

    def __init__(self) -> None:
        #: divisor of the padded extent
        self.factor: Size = 1
        self.left: Size = 0
        self.padded: IterMark | None = None


class Padding:
    """Padded iterators of one detection."""

    def __init__(self, sizes: ExtentArithmetic) -> None:
        self.sizes = sizes
        self.is_collecting = False
        #: whether any iterator has to be longer
        self.is_needed = False
        #: padded iterator -> original iterator
        self.origins: dict[IterMark, IterMark] = {}
        #: holds where a padded iterator is outside of its original
        self.predicate: Expr = FALSE
        self._needs: dict[IterMark, _Need] = {}

    def pad(self, split: IterSplitExpr, shift: Size, divisor: Size) -> tuple[IterSplitExpr, Size]:
        """Return the digit, of a padded iterator if needed, and what to subtract from the shift of its quotient.

        (split + shift) // divisor is (digit + shift - taken) // divisor, and divisor divides shift - taken.
        Raises `NotAffine`.
        """
        sizes = self.sizes
        left = 0 if shift == 0 else sizes.floormod(shift, divisor)
        if self.is_collecting:
            return self._collect(split, left, divisor), left
        need = self._needs.get(split.source)
        if need is None or (need.left == 0 and sizes.divides(need.factor, split.source.size)):
            if left != 0:
                raise NotAffine("the offset {} before a division cannot be removed by padding", shift)
            return split, left
        mark, lower = self._pad(split.source, need), split.lower
        # the digit of the padded iterator counts from an earlier multiple of the divisor than the digit does
        excess = sizes.sub(need.left, sizes.mul(left, lower))
        unit = sizes.mul(lower, divisor)
        if not sizes.divides(unit, excess):
            raise NotAffine("divisions of one iterator need different left paddings: {} and {}", need.left, left)
        size = split.size
        if self.is_whole(split):
            size = sizes.floordiv(mark.size, lower)
        elif not sizes.divides(sizes.mul(lower, size), need.left):
            raise NotAffine("padding changes the digit {}", split)
        return IterSplitExpr(mark, lower, size, split.step), sizes.add(left, sizes.floordiv(excess, lower))

    def _collect(self, split: IterSplitExpr, left: Size, divisor: Size) -> IterSplitExpr:
        """Record the padding that a digit requires, and return the digit as it would be."""
        sizes, lower = self.sizes, split.lower
        need = self._needs.get(split.source)
        if need is None:
            need = self._needs[split.source] = _Need()
        need.factor = sizes.common_multiple(need.factor, sizes.mul(lower, divisor))
        edge = split.size if left == 0 else sizes.add(left, split.size)
        fits = sizes.divides(divisor, edge)
        if fits and left == 0:
            return split
        self.is_needed = True
        if left != 0:
            if not self.is_whole(split):
                raise NotAffine("the offset {} is added to a remainder before a division", left)
            need.left = sizes.greatest(need.left, sizes.mul(left, lower))
        if not fits:
            edge = sizes.mul(sizes.ceildiv(edge, divisor), divisor)
        return IterSplitExpr(split.source, lower, edge, split.step)

    def is_whole(self, split: IterSplitExpr) -> bool:
        """Whether the digit is the topmost one of its iterator."""
        sizes, mark = self.sizes, split.source
        reach = sizes.mul(split.lower, split.size)
        return sizes.at_most(mark.size, reach)

    def _pad(self, mark: IterMark, need: _Need) -> IterMark:
        if need.padded is not None:
            return need.padded
        sizes, left, factor = self.sizes, need.left, need.factor
        edge = plus(mark.size, left)
        right = fold_sizes(FloorMod, minus(0, edge), factor)
        extent = sizes.mul(sizes.ceildiv(edge, factor), factor)
        source = IterSumExpr((IterSplitExpr(mark),), left, mark.dtype)
        need.padded = IterMark(source, extent)
        self.origins[need.padded] = mark
        written = normalize_iter_map_to_expr(source, sizes)
        block, place = fold_sizes(FloorDiv, written, factor), fold_sizes(FloorMod, written, factor)
        in_left = [_compare(NE, left, 0), _compare(EQ, block, 0), _compare(LT, place, left)]
        in_right = [
            _compare(NE, right, 0),
            _compare(EQ, block, fold_sizes(FloorDiv, edge, factor)),
            _compare(GE, place, fold_sizes(FloorMod, edge, factor)),
        ]
        for conditions in (in_left, in_right):
            self.predicate = make(Or, self.predicate, reduce(_and, conditions))
        return need.padded


def _compare(cls: type[BinaryOp], a: Size, b: Size) -> Expr:
    return make(cls, *match_sizes(a, b))


def _and(a: Expr, b: Expr) -> Expr:
    return make(And, a, b)
