"""Division of an iteration space into an outer and an inner one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import TRUE, make
from tvmscript.ir.arith.iter_map.coverage import Digits, collect_digits
from tvmscript.ir.arith.iter_map.detect import detect
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic, match_sizes, plus, times_in_order
from tvmscript.ir.arith.iter_map.iter_sum import (
    CheckLevel,
    IterMapLevel,
    IterMark,
    IterSplitExpr,
    IterSumExpr,
    Size,
    as_level,
)
from tvmscript.ir.arith.iter_map.normalize import normalize_iter_map_to_expr
from tvmscript.ir.core import DType
from tvmscript.ir.tir import LT, And, Expr, Range, Var


def subspace_divide(
    bindings: Sequence[Expr | int],
    input_iters: Mapping[Var, Range],
    sub_iters: Collection[Var],
    predicate: Expr | bool = True,
    check_level: CheckLevel = IterMapLevel.Surjective,
    simplify_trivial_iterators: bool = True,
    *,
    analyzer: Analyzer | None = None,
    in_each: bool = False,
) -> list[tuple[IterMark, IterMark]]:
    """Return each binding as `outer * inner.extent + inner`; `inner` uses `sub_iters`, `outer` the other iterators.

    The last pair holds the predicates of the outer and the inner space as its extents. The list is empty if the
    bindings cannot be divided. See `detect_iter_map` for `in_each`.
    """
    sizes = ExtentArithmetic(analyzer)
    level = as_level(check_level)
    sums = detect(bindings, input_iters, predicate, level, simplify_trivial_iterators, sizes, in_each=in_each).indices
    divider = _Divider(sizes, collect_digits(sums), frozenset(sub_iters))
    pairs: list[tuple[IterMark, IterMark]] = []
    for total in sums:
        division = divider.binding(total)
        if division is None:
            return []
        pairs.append((IterMark(division.outer, division.outer_size), IterMark(division.inner, division.inner_size)))
    if pairs:
        nothing = IterSumExpr(())
        pairs.append((IterMark(nothing, divider.outer_predicate), IterMark(nothing, divider.inner_predicate)))
    return pairs


class _Kind(Enum):
    OUTER = "outer"
    INNER = "inner"
    MIXED = "mixed"


class _Division(NamedTuple):
    """outer * inner_size + inner"""

    kind: _Kind
    outer: IterSumExpr
    outer_size: Size
    inner: IterSumExpr
    inner_size: Size


class _Divider:
    def __init__(self, sizes: ExtentArithmetic, digits: Digits, sub_iters: frozenset[Var]) -> None:
        self.sizes = sizes
        self.digits = digits
        self.sub_iters = sub_iters
        self.outer_predicate: Expr = TRUE
        self.inner_predicate: Expr = TRUE
        self._divided: dict[IterSplitExpr, tuple[_Kind, IterSplitExpr]] = {}

    def binding(self, total: IterSumExpr) -> _Division | None:
        """Divide an index; its base is inner. None if it cannot be divided."""
        nothing = IterSumExpr((), 0, total.dtype)
        if not total.args:
            return _Division(_Kind.INNER, nothing, 1, total, 1)
        (split,) = total.args
        if split.step != 1:
            return None
        mark = split.source
        if isinstance(mark.source, IterSumExpr) and self._is_whole(split):
            division = self._source(mark.source, mark.size)
        else:
            digit = self._digit(split)
            division = None if digit is None else _one_sided(digit[0], IterSumExpr((digit[1],)), digit[1].size)
        if division is None or total.shift == 0:
            return division
        inner = IterSumExpr(division.inner.args, plus(division.inner.shift, total.shift), total.dtype)
        return division._replace(inner=inner)

    def _is_whole(self, split: IterSplitExpr) -> bool:
        """Whether the digit is the whole iterator and its only digit."""
        mark = split.source
        return split.lower == 1 and len(self.digits[mark]) == 1 and self.sizes.equal(split.size, mark.size)

    def _source(self, total: IterSumExpr, size: Size) -> _Division | None:
        """Divide the sum that an iterator of this extent fuses."""
        sides: dict[_Kind, list[IterSplitExpr]] = {_Kind.OUTER: [], _Kind.INNER: []}
        product: Size = 1
        for split in reversed(total.args):
            digit = self._digit(split)
            if digit is None or (digit[0] is _Kind.INNER and sides[_Kind.OUTER]):
                return None
            sides[digit[0]].append(digit[1])
            product = self.sizes.mul(product, digit[1].size)
        if all(split.step != 1 for split in total.args):
            return None
        is_all = self.sizes.equal(product, size)
        if sides[_Kind.OUTER] and sides[_Kind.INNER]:
            if not is_all:
                return None
            outer, outer_size = self._fuse(sides[_Kind.OUTER], 0, total.dtype)
            inner, inner_size = self._fuse(sides[_Kind.INNER], total.shift, total.dtype)
            return _Division(_Kind.MIXED, outer, outer_size, inner, inner_size)
        kind = _Kind.OUTER if sides[_Kind.OUTER] else _Kind.INNER
        side = IterSumExpr(sides[kind][::-1], total.shift, total.dtype)
        if not is_all and len(total.args) > 1:
            self._restrict(kind, side, size)
        return _one_sided(kind, side, size)

    def _fuse(self, digits: Sequence[IterSplitExpr], base: Size, dtype: DType) -> tuple[IterSumExpr, Size]:
        """Fuse digits, innermost first; return the sum and its number of values."""
        size: Size = 1
        scaled: list[IterSplitExpr] = []
        for digit in digits:
            scaled.append(digit.with_scale(size))
            size = times_in_order(size, digit.size)
        return IterSumExpr(scaled[::-1], base, dtype), size

    def _restrict(self, kind: _Kind, total: IterSumExpr, size: Size) -> None:
        condition = make(LT, *match_sizes(normalize_iter_map_to_expr(total, self.sizes), size))
        if kind is _Kind.OUTER:
            self.outer_predicate = make(And, self.outer_predicate, condition)
        else:
            self.inner_predicate = make(And, self.inner_predicate, condition)

    # -- digits

    def _digit(self, split: IterSplitExpr) -> tuple[_Kind, IterSplitExpr] | None:
        """Return the side of a digit, and the digit there; None if it is on both sides."""
        if split not in self._divided:
            self._divided.update(dict(self._digits_of(split.source)))
        return self._divided.get(split)

    def _digits_of(self, mark: IterMark) -> Iterator[tuple[IterSplitExpr, tuple[_Kind, IterSplitExpr]]]:
        splits, source = self.digits[mark], mark.source
        if isinstance(source, Var):
            kind = _Kind.INNER if source in self.sub_iters else _Kind.OUTER
            yield from ((split, (kind, split)) for split in splits)
        if not isinstance(source, IterSumExpr):
            return
        division = self._source(source, mark.size)
        if division is None:
            return
        if len(splits) == 1:
            if division.kind is not _Kind.MIXED:
                yield splits[0], (division.kind, _on(self._side(division, division.kind), splits[0], splits[0].lower))
            return
        yield from self._between(division, splits)

    def _between(
        self, division: _Division, splits: Sequence[IterSplitExpr]
    ) -> Iterator[tuple[IterSplitExpr, tuple[_Kind, IterSplitExpr]]]:
        """Yield digits below the boundary as inner, those above it as outer; none if no digit ends at the boundary."""
        sizes = self.sizes
        waiting = list(splits)
        is_outer = division.kind is _Kind.OUTER
        divided: list[tuple[IterSplitExpr, tuple[_Kind, IterSplitExpr]]] = []
        below: Size = 1
        reach: Size = 1
        while waiting:
            split = next((split for split in waiting if sizes.equal(split.lower, reach)), None)
            if split is None:
                return
            waiting.remove(split)
            kind = _Kind.OUTER if is_outer else _Kind.INNER
            divided.append((split, (kind, _on(self._side(division, kind), split, sizes.floordiv(split.lower, below)))))
            reach = sizes.mul(reach, split.size)
            if not is_outer and sizes.equal(reach, division.inner_size):
                is_outer, below = True, reach
        if is_outer:
            yield from divided

    def _side(self, division: _Division, kind: _Kind) -> IterMark:
        if kind is _Kind.OUTER:
            return IterMark(division.outer, division.outer_size)
        return IterMark(division.inner, division.inner_size)


def _one_sided(kind: _Kind, total: IterSumExpr, size: Size) -> _Division:
    nothing = IterSumExpr((), 0, total.dtype)
    if kind is _Kind.OUTER:
        return _Division(kind, total, size, nothing, 1)
    return _Division(kind, nothing, 1, total, size)


def _on(mark: IterMark, split: IterSplitExpr, lower: Size) -> IterSplitExpr:
    return IterSplitExpr(mark, lower, split.size, split.step)
