"""Inverse of iteration maps: iterators as functions of indices."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.arith.iter_map.coverage import collect_digits
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic, fold_sizes, minus, plus, times
from tvmscript.ir.arith.iter_map.iter_sum import IterMark, IterSplitExpr, IterSumExpr, Size, as_index, as_size
from tvmscript.ir.core.errors import WrongArgumentCount, WrongType
from tvmscript.ir.tir import Expr, FloorDiv, FloorMod, Sub, Var


def inverse_affine_iter_map(iter_map: Sequence[IterSumExpr], outputs: Sequence[Expr]) -> dict[Var, Expr]:
    """Return the value of each iterator for the results of a bijective map.

    rewrite: [i // 16, i % 16] = [a, b]  -->  {i: b + a * 16}

    Raises `WrongType` if digits of a sum overlap.
    """
    if len(iter_map) != len(outputs):
        raise WrongArgumentCount(where="the inverse of a map", expected=f"{len(iter_map)} results", got=len(outputs))
    return solve(iter_map, outputs, ExtentArithmetic())


def solve(iter_map: Sequence[IterSumExpr], outputs: Sequence[Expr], sizes: ExtentArithmetic) -> dict[Var, Expr]:
    """Implement `inverse_affine_iter_map`."""
    return _Inversion(sizes).solve(iter_map, outputs)


class _Inversion:
    def __init__(self, sizes: ExtentArithmetic) -> None:
        self.sizes = sizes
        #: partial sums of the values of iterators
        self.values: dict[IterMark, Size] = {}

    def solve(self, iter_map: Sequence[IterSumExpr], outputs: Sequence[Expr]) -> dict[Var, Expr]:
        """Propagate values from results to iterators, each iterator after all sums that it is in."""
        order = self._in_order(iter_map)
        for total, output in zip(reversed(iter_map), reversed(outputs), strict=True):
            self._split_value(total, as_size(output))
        solution: dict[Var, Expr] = {}
        for mark in reversed(order):
            value = self.values[mark]
            source = mark.source
            if isinstance(source, IterSumExpr):
                self._split_value(source, value)
            elif isinstance(source, Var):
                solution[source] = as_index(value, source.dtype)
            elif isinstance(source, Sub) and isinstance(source.a, Var):
                solution[source.a] = as_index(plus(value, as_size(source.b)), source.dtype)
            else:
                raise WrongType(where="the inverse of an iteration map", expected="iterators", got=source)
        return solution

    def _in_order(self, iter_map: Sequence[IterSumExpr]) -> list[IterMark]:
        """Return all iterators in topological order, parts before fused ones."""
        order: dict[IterMark, None] = {}

        def visit(total: IterSumExpr) -> None:
            for split in total.args:
                if split.source not in order:
                    if isinstance(split.source.source, IterSumExpr):
                        visit(split.source.source)
                    order[split.source] = None

        for total in iter_map:
            visit(total)
        return list(order)

    def _split_value(self, total: IterSumExpr, value: Size) -> None:
        """Split the value of a sum into the values of its digits."""
        if not total.args:
            return
        if total.shift != 0:
            value = minus(value, total.shift)
        if len(total.args) == 1:
            self._add(total.args[0], self._unscale(value, total.args[0].step))
            return
        sizes = self.sizes
        expected = total.args[-1].step
        for place in range(len(total.args) - 1, -1, -1):
            split = total.args[place]
            if not sizes.equal(split.step, expected):
                raise WrongType(
                    where="the inverse of an iteration map", expected="digits that do not overlap", got=repr(total)
                )
            digit = self._unscale(value, split.step)
            if place:
                # the outermost digit needs no remainder
                digit = fold_sizes(FloorMod, digit, split.size)
                expected = sizes.mul(expected, split.size)
            self._add(split, digit)

    def _unscale(self, value: Size, step: Size) -> Size:
        return value if step == 1 else times(value, -1) if step == -1 else fold_sizes(FloorDiv, value, step)

    def _add(self, split: IterSplitExpr, digit: Size) -> None:
        partial_value = self.values.get(split.source)
        value = digit if split.lower == 1 else times(digit, split.lower)
        self.values[split.source] = value if partial_value is None else plus(partial_value, value)


def is_injective(iter_map: Sequence[IterSumExpr], sizes: ExtentArithmetic) -> bool:
    """Whether the digits of each used iterator, which do not overlap, distinguish all its values."""
    for mark, splits in collect_digits(iter_map).items():
        reach: Size = 1
        for split in splits:
            reach = sizes.mul(reach, split.size)
        if not sizes.at_most(mark.size, reach):
            return False
    return True
