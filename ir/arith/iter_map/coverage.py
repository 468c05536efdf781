"""Check that digits cover their iterators without overlaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic
from tvmscript.ir.arith.iter_map.failure_reasons import reason
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel, IterMark, IterSplitExpr, IterSumExpr, Size
from tvmscript.ir.arith.iter_map.padding import Padding

Problem = Callable[[], str]
Digits = dict[IterMark, list[IterSplitExpr]]


def collect_digits(indices: Sequence[IterSumExpr]) -> Digits:
    """Return all digits in the indices, grouped by iterator."""
    digits_of: Digits = {}
    for index in indices:
        _add_digits(digits_of, index)
    return digits_of


def _add_digits(digits_of: Digits, total: IterSumExpr) -> None:
    for split in total.args:
        mark = split.source
        splits = digits_of.get(mark)
        if splits is None:
            splits = digits_of[mark] = []
            if isinstance(mark.source, IterSumExpr):
                _add_digits(digits_of, mark.source)
        splits.append(split)


def check_mapping(
    sizes: ExtentArithmetic,
    padding: Padding,
    input_marks: Sequence[IterMark],
    indices: Sequence[IterSumExpr],
    level: IterMapLevel,
    *,
    may_miss_ends: bool = False,
) -> Problem | None:
    """Return why the indices are not independent (or not bijective, if that is the level), None if they are.

    With `may_miss_ends`, the only digit of a padded iterator need not take its first and last value.
    """
    digits = collect_digits(indices)
    for mark, splits in digits.items():
        problem = _find_problem(sizes, padding, mark, splits, level, may_miss_ends)
        if problem is not None:
            return problem
    if level is IterMapLevel.Bijective:
        for mark in input_marks:
            if mark not in digits and mark.size != 1:
                return reason("the iterator {} is not used", mark)
    return None


def _find_problem(
    sizes: ExtentArithmetic,
    padding: Padding,
    mark: IterMark,
    splits: list[IterSplitExpr],
    level: IterMapLevel,
    may_miss_ends: bool,
) -> Problem | None:
    covered = _count_covered(sizes, splits, level)
    if covered is None:
        return reason("digits of {} overlap, or do not cover it", mark)
    is_full = sizes.equal(covered, mark.size)
    if level is IterMapLevel.Bijective:
        return None if is_full else reason("digits of {} do not cover it", mark)
    is_divisor = is_full or sizes.divides(covered, mark.size)
    origin = padding.origins.get(mark)
    if origin is None:
        return (
            None
            if is_divisor
            else reason("the number of values that its digits cover does not divide the extent of {}", mark)
        )
    if level is IterMapLevel.NoCheck:
        return None
    # padding adds no values: the rest must still take all values
    if not is_divisor:
        return reason("the number of values that its digits cover does not divide the extent of {}", mark)
    if sizes.at_most(covered, origin.size):
        return None
    if not is_full or len(splits) != 1:
        return reason("digits of the padded {} depend on each other", mark)
    if splits[0].lower != 1 and (may_miss_ends or _reaches_all(sizes, mark, origin, splits[0])):
        return None
    return reason("{} does not take its first or last value", mark)


def _reaches_all(sizes: ExtentArithmetic, mark: IterMark, origin: IterMark, split: IterSplitExpr) -> bool:
    """Whether the topmost digit of a padded iterator takes its first and last value outside of the padding."""
    left = mark.source.shift if isinstance(mark.source, IterSumExpr) else 0
    edge = sizes.add(left, origin.size)
    last = sizes.sub(mark.size, split.lower)
    return sizes.less(left, split.lower) and sizes.less(last, edge)


def _count_covered(sizes: ExtentArithmetic, splits: list[IterSplitExpr], level: IterMapLevel) -> Size | None:
    """Return the number of values that the digits distinguish, None if they overlap.

    Digits between others may be missing unless the level is `Bijective`.
    """
    if len(splits) == 1 and splits[0].lower == 1:
        return splits[0].size
    waiting = list(splits)
    expected: Size = 1
    while waiting:
        lowest = next((split for split in waiting if sizes.equal(split.lower, expected)), None)
        if lowest is None:
            if level is IterMapLevel.Bijective:
                return None
            for split in waiting:
                if sizes.divides(expected, split.lower) and (
                    lowest is None or sizes.divides(split.lower, lowest.lower)
                ):
                    lowest = split
            if lowest is None:
                return None
        waiting.remove(lowest)
        expected = sizes.mul(lowest.lower, lowest.size)
    return expected
