"""Fusion of sums of digits to one iterator: `i * 4 + j` for j in [0, 4) takes the values 0, 1, 2, ..."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic, plus, same_size, size_key
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel, IterMark, IterSplitExpr, IterSumExpr, Size
from tvmscript.ir.tir import Expr, Mul

#: Digits, whatever is added to them.
Key = tuple[tuple[IterMark, Hashable, Hashable, Hashable], ...]


class Fused(NamedTuple):
    """An iterator for a sum of digits: sum = mark + offset."""

    mark: IterMark
    offset: Size


class Fuser:
    """Interned iterators of fused sums. Equal sums are one iterator; predicates narrow it."""

    def __init__(self, sizes: ExtentArithmetic) -> None:
        self.sizes = sizes
        #: flat sums, longer and longer ones, that a predicate was stated about
        self.constrained: list[Sequence[IterSplitExpr]] = []
        self._fused: dict[Key, Fused] = {}

    def constrain(self, total: IterSumExpr, low: Size | None, high: Size | None, level: IterMapLevel) -> bool:
        """Assume that the sum lies in [low, high). Return False if it is not a fused iterator."""
        flattened = self._flatten(self.join_digits(IterSumExpr(total.args, 0, total.dtype)), level)
        if flattened is None or flattened[0].args[0].step != 1:
            return False
        _, flat = flattened
        sizes = self.sizes
        key = _key(flat)
        mark, offset = self._fused[key]
        first, last = offset, sizes.add(offset, mark.size)
        if low is not None:
            first = sizes.greatest(sizes.sub(low, total.shift), first)
        if high is not None:
            last = sizes.least(sizes.sub(high, total.shift), last)
        source = mark.source
        if not sizes.equal(first, offset) and isinstance(source, IterSumExpr):
            source = IterSumExpr(source.args, sizes.add(source.shift, sizes.sub(offset, first)), source.dtype)
        self._fused[key] = Fused(IterMark(source, sizes.sub(last, first)), first)
        self.constrained.append(flat)
        return True

    def is_constrained(self, split: IterSplitExpr) -> bool:
        """Whether a predicate bounds this digit alone."""
        return any(len(flat) == 1 and _is_digit(flat[0], split) for flat in self.constrained)

    def splits_constrained_sum(self, indices: Sequence[IterSumExpr]) -> bool:
        """Whether an index uses a part of a sum that a predicate bounds such that the part loses values."""
        # a digit with one value does not restrict the others
        moving = {_key(flat): [split for split in flat if split.size != 1] for flat in self.constrained}
        stated = {key: flat for key, flat in moving.items() if len(flat) > 1}
        if not stated:
            return False
        sums: list[set[IterMark]] = []
        used = set[IterMark]().union(*[_collect_iterators(index, sums) for index in indices])
        for key, flat in stated.items():
            parts = {split.source for split in flat}
            if not parts & used or any(parts <= one for one in sums):
                continue
            is_shared = any(parts & {split.source for split in other} for name, other in stated.items() if name != key)
            if is_shared or not self._keeps_all_values(key, flat, used):
                return True
        return False

    def _keeps_all_values(self, key: Key, flat: Sequence[IterSplitExpr], used: set[IterMark]) -> bool:
        """Whether the digits in use take all combinations of values while the sum of all digits is in its bounds.

        For each value of theirs, the sum of the other digits has to have one that leads between the bounds.
        """
        sizes = self.sizes
        mark, first = self._fused[key]
        reach: Size = 0
        rest: Size = 0
        gaps: list[Size] = []
        for split in reversed(flat):
            span = sizes.mul(sizes.sub(split.size, 1), split.step)
            if split.source in used:
                reach = sizes.add(reach, span)
            else:
                gaps.append(sizes.sub(split.step, rest))
                rest = sizes.add(rest, span)
        end = sizes.add(first, mark.size)
        if not sizes.less(reach, end) or not sizes.at_most(first, rest):
            return False
        # the least of the others will do where there is no lower bound, the largest where there is no upper one;
        # between two bounds there is one of them where their distances are no larger than that of the bounds
        is_open = sizes.at_most(first, 0) or sizes.less(sizes.add(reach, rest), end)
        return is_open or all(sizes.at_most(gap, mark.size) for gap in gaps)

    def has_compatible_constraints(self) -> bool:
        """Whether any two constrained sums are nested or disjoint."""
        sets = [{(split.source, size_key(split.lower)) for split in flat} for flat in self.constrained]
        return all(
            not (common := a & b) or len(common) == len(a) or len(common) == len(b)
            for place, a in enumerate(sets)
            for b in sets[place + 1 :]
        )

    def fuse(self, total: IterSumExpr, level: IterMapLevel, *, may_skip: bool) -> IterSumExpr | None:
        """Return the sum as a base and one digit of a fused iterator, None if it cannot be fused.

        With `may_skip`, a sum of one digit stays as it is.
        """
        if len(total.args) > 1:
            total = self.join_digits(total)
            if may_skip and len(total.args) <= 1:
                return total
        flattened = self._flatten(total, level)
        return None if flattened is None else flattened[0]

    # -- one iterator

    def _flatten(self, total: IterSumExpr, level: IterMapLevel) -> tuple[IterSumExpr, Sequence[IterSplitExpr]] | None:
        """Return the fused sum, and its digits, outermost first."""
        sizes, args = self.sizes, total.args
        waiting = list(range(len(args)))
        first = _base_digit(args, waiting)
        if first < 0:
            return None
        base_step = args[first].step
        if base_step == 0:
            return None
        flat: list[IterSplitExpr] = []
        grouped: list[IterSplitExpr] = []
        extra: Size = 0
        #: the scale that the next digit has where it stands right above the last one, as TVM counts; what all take
        expected = span = base_step
        overlaps = False
        while waiting:
            place, is_exact = first, True
            if flat:
                place = _with_step(sizes, args, waiting, expected)
                if place < 0 and level is not IterMapLevel.Bijective and base_step == 1:
                    place, is_exact = self._with_smaller_step(args, waiting, expected), False
                if place < 0:
                    return None
            matched = args[place]
            step = expected if is_exact else matched.step
            narrowed = self._constraint_of(matched)
            if narrowed is None:
                waiting.remove(place)
                flat.append(matched)
                grouped.append(matched if base_step == 1 else matched.with_scale(sizes.floordiv(step, base_step)))
                size = matched.size
            else:
                for part in reversed(narrowed):
                    place = self._find(args, waiting, part, step)
                    if place < 0:
                        return None
                    waiting.remove(place)
                    flat.append(args[place])
                mark, offset = self._fused[_key(narrowed)]
                grouped.append(IterSplitExpr(mark, 1, mark.size, sizes.floordiv(step, base_step)))
                extra = sizes.add(extra, sizes.mul(offset, step))
                size = mark.size
            overlaps = overlaps or not is_exact
            expected = sizes.mul(step, size)
            span = sizes.add(span, sizes.mul(sizes.sub(size, 1), step)) if overlaps else expected
        flat.reverse()
        grouped.reverse()
        return self._registered(total, flat, grouped, base_step, span, extra)

    def _registered(
        self,
        total: IterSumExpr,
        flat: list[IterSplitExpr],
        grouped: list[IterSplitExpr],
        base_step: Size,
        span: Size,
        extra: Size,
    ) -> tuple[IterSumExpr, Sequence[IterSplitExpr]] | None:
        sizes = self.sizes
        key = _key(flat)
        fused = self._fused.get(key)
        if fused is None:
            mark = IterMark(IterSumExpr(grouped, 0, total.dtype), sizes.floordiv(span, base_step))
            self._fused[key] = Fused(mark, sizes.floordiv(extra, base_step))
        else:
            mark = fused.mark
            if not sizes.equal(extra, sizes.mul(fused.offset, base_step)):
                return None
        digit = IterSplitExpr(mark, 1, mark.size, base_step)
        return IterSumExpr((digit,), plus(total.shift, extra), total.dtype), flat

    def _with_smaller_step(self, args: Sequence[IterSplitExpr], waiting: list[int], expected: Size) -> int:
        """Return the index of the digit with the largest positive scale up to `expected`, -1 for none."""
        index = -1
        for place in reversed(waiting):
            step = args[place].step
            if (
                self.sizes.at_most(step, expected)
                and self.sizes.less(0, step)
                and (index < 0 or self.sizes.less(args[index].step, step))
            ):
                index = place
        return index

    def _constraint_of(self, innermost: IterSplitExpr) -> Sequence[IterSplitExpr] | None:
        """Return the longest constrained sum that ends with a digit."""
        match: Sequence[IterSplitExpr] | None = None
        for flat in self.constrained:
            if _is_digit(flat[-1], innermost) and (match is None or len(flat) > len(match)):
                match = flat
        return match

    def _find(self, args: Sequence[IterSplitExpr], waiting: list[int], part: IterSplitExpr, step: Size) -> int:
        for place in waiting:
            other = args[place]
            if _is_digit(other, part) and self.sizes.equal(self.sizes.mul(part.step, step), other.step):
                return place
        return -1

    # -- digits of one iterator

    def join_digits(self, total: IterSumExpr) -> IterSumExpr:
        """Merge neighbouring digits of one iterator: `i // 4 % 2 * 4 + i % 4` is `i % 8`."""
        args = total.args
        count: dict[IterMark, int] = {}
        for split in args:
            count[split.source] = count.get(split.source, 0) + 1
        if len(count) == len(args):
            return total
        sizes = self.sizes
        waiting = list(range(len(args)))
        splits: list[IterSplitExpr] = []
        while waiting:
            mark = args[waiting[-1]].source
            if count[mark] == 1:
                splits.append(args[waiting.pop()])
                continue
            same_mark = [place for place in waiting if args[place].source is mark]
            place = _base_digit(args, same_mark)
            low = args[place]
            waiting.remove(place)
            same_mark.remove(place)
            lower, size, step = low.lower, low.size, low.step
            while same_mark:
                place = _with_step(sizes, args, same_mark, sizes.mul(size, step))
                if place < 0 or not sizes.equal(args[place].lower, sizes.mul(lower, size)):
                    break
                waiting.remove(place)
                same_mark.remove(place)
                size = sizes.mul(args[place].size, size)
            splits.append(low if size is low.size else IterSplitExpr(mark, lower, size, step))
        splits.reverse()
        return IterSumExpr(splits, total.shift, total.dtype)


def _key(flat: Sequence[IterSplitExpr]) -> Key:
    return tuple([(split.source, size_key(split.lower), size_key(split.size), size_key(split.step)) for split in flat])


def _is_digit(a: IterSplitExpr, b: IterSplitExpr) -> bool:
    """Whether both are the same digit, ignoring scales."""
    return a.source is b.source and same_size(a.lower, b.lower) and same_size(a.size, b.size)


def _base_digit(args: Sequence[IterSplitExpr], waiting: Sequence[int]) -> int:
    """Return the index of the digit with the smallest constant scale, preferably of extent 1, then the last one.

    Without constant scales, return the one whose scale has the fewest factors.
    """
    base, smallest = -1, 0
    for place in reversed(waiting):
        step = args[place].step
        if isinstance(step, int):
            if base < 0 or step < smallest:
                base, smallest = place, step
            elif step == smallest and args[place].size == 1 and args[base].size != 1:
                base = place
    if base < 0:
        return min(reversed(waiting), key=lambda place: _count_factors(args[place].step), default=-1)
    return base


def _count_factors(value: Size | Expr) -> int:
    return _count_factors(value.a) + _count_factors(value.b) if isinstance(value, Mul) else 1


def _with_step(sizes: ExtentArithmetic, args: Sequence[IterSplitExpr], waiting: Sequence[int], expected: Size) -> int:
    """Return the index of the last digit with this scale, preferably of extent 1; -1 for none."""
    index = -1
    for place in reversed(waiting):
        if sizes.equal(args[place].step, expected):
            if args[place].size == 1:
                return place
            if index < 0:
                index = place
    return index


def _collect_iterators(total: IterSumExpr, sums: list[set[IterMark]]) -> set[IterMark]:
    """Return the iterators that a sum is made of, and add them and those of its parts that are sums to `sums`."""
    marks: set[IterMark] = set()
    for split in total.args:
        source = split.source.source
        marks |= _collect_iterators(source, sums) if isinstance(source, IterSumExpr) else {split.source}
    sums.append(marks)
    return marks
