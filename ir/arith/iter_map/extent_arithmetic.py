"""Arithmetic of extents and factors: Python integers if constant, simplified expressions otherwise."""

from __future__ import annotations

from collections.abc import Hashable
from math import lcm

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import make
from tvmscript.ir.arith.iter_map.iter_sum import Size, as_size
from tvmscript.ir.arith.value_numbering import expr_deep_equal, structural_key
from tvmscript.ir.tir import LE, LT, Add, BinaryOp, Expr, FloorDiv, FloorMod, IntImm, Max, Min, Mul, Sub, match_types


def same_size(a: Size, b: Size) -> bool:
    """Whether two sizes have the same structure."""
    if isinstance(a, int) or isinstance(b, int):
        return a is b or (type(a) is type(b) and a == b)
    return expr_deep_equal(a, b)


def size_key(value: Size) -> Hashable:
    """Return a key that is equal for sizes of the same structure."""
    return value if type(value) is int else structural_key(value)


def match_sizes(a: Size, b: Size) -> tuple[Expr, Expr]:
    """Convert both to expressions of one dtype; at least one is an expression."""
    if isinstance(a, int):
        if isinstance(b, int):
            return match_types(a, b)
        return IntImm(b.dtype, a), b
    if isinstance(b, int):
        return a, IntImm(a.dtype, b)
    return match_types(a, b)


def fold_sizes(cls: type[BinaryOp], a: Size, b: Size) -> Size:
    """Return the operation, folded but not simplified."""
    return as_size(make(cls, *match_sizes(a, b)))


def plus(a: Size, b: Size) -> Size:
    """Return a + b, folded."""
    return a + b if type(a) is int and type(b) is int else fold_sizes(Add, a, b)


def minus(a: Size, b: Size) -> Size:
    """Return a - b, folded."""
    return a - b if type(a) is int and type(b) is int else fold_sizes(Sub, a, b)


def times(a: Size, b: Size) -> Size:
    """Return a * b, folded, with a constant on the right, as in TVM."""
    if type(a) is int:
        return a * b if type(b) is int else fold_sizes(Mul, b, a)
    return fold_sizes(Mul, a, b)


def times_in_order(a: Size, b: Size) -> Size:
    """Return a * b, folded, in this order, as where TVM counts the values of digits."""
    return a * b if type(a) is int and type(b) is int else fold_sizes(Mul, a, b)


class ExtentArithmetic:
    """Arithmetic of sizes under the facts of an analyzer, which is created on first use."""

    __slots__ = ("_analyzer",)

    def __init__(self, analyzer: Analyzer | None = None) -> None:
        self._analyzer = analyzer

    @property
    def analyzer(self) -> Analyzer:
        if self._analyzer is None:
            self._analyzer = Analyzer()
        return self._analyzer

    def simplify(self, value: Size) -> Size:
        """Return the simplified value."""
        return value if isinstance(value, int) else as_size(self.analyzer.simplify_index(value))

    def _compute(self, cls: type[BinaryOp], a: Size, b: Size) -> Size:
        return as_size(self.analyzer.simplify_index(make(cls, *match_sizes(a, b))))

    def mul(self, a: Size, b: Size) -> Size:
        """Return a * b."""
        if type(a) is int and type(b) is int:
            return a * b
        if type(a) is int:
            a, b = b, a
        return b if a == 1 else a if b == 1 else self._compute(Mul, a, b)

    def add(self, a: Size, b: Size) -> Size:
        """Return a + b."""
        return a + b if type(a) is int and type(b) is int else self._compute(Add, a, b)

    def sub(self, a: Size, b: Size) -> Size:
        """Return a - b."""
        return a - b if type(a) is int and type(b) is int else self._compute(Sub, a, b)

    def floordiv(self, a: Size, b: Size) -> Size:
        """Return a // b."""
        if type(a) is int and type(b) is int and b:
            return a // b
        return a if b == 1 else self._compute(FloorDiv, a, b)

    def floormod(self, a: Size, b: Size) -> Size:
        """Return a % b."""
        return a % b if type(a) is int and type(b) is int and b else self._compute(FloorMod, a, b)

    def ceildiv(self, a: Size, b: Size) -> Size:
        """Return a / b, rounded up."""
        if type(a) is int and type(b) is int and b:
            return -(-a // b)
        return a if b == 1 else self.floordiv(self.sub(self.add(a, b), 1), b)

    def least(self, a: Size, b: Size) -> Size:
        """Return min(a, b)."""
        return min(a, b) if isinstance(a, int) and isinstance(b, int) else self._compute(Min, a, b)

    def greatest(self, a: Size, b: Size) -> Size:
        """Return max(a, b)."""
        return max(a, b) if isinstance(a, int) and isinstance(b, int) else self._compute(Max, a, b)

    def common_multiple(self, a: Size, b: Size) -> Size:
        """Return a common multiple: the least one of constants, one of the two if it is a multiple, or the product."""
        if isinstance(a, int) and isinstance(b, int):
            return lcm(a, b)
        return a if self.divides(b, a) else b if self.divides(a, b) else self.mul(a, b)

    def equal(self, a: Size, b: Size) -> bool:
        """Whether both are provably equal."""
        if type(a) is int and type(b) is int:
            return a == b
        return a is b or self.analyzer.can_prove_equal(*match_sizes(a, b))

    def divides(self, divisor: Size, value: Size) -> bool:
        """Whether the value is provably a multiple of the divisor."""
        if type(divisor) is int and type(value) is int:
            return divisor != 0 and value % divisor == 0
        if divisor == 0:
            return False
        return divisor == 1 or divisor is value or self.equal(self._compute(FloorMod, value, divisor), 0)

    def at_most(self, a: Size, b: Size) -> bool:
        """Whether a <= b is provable."""
        if isinstance(a, int) and isinstance(b, int):
            return a <= b
        return self.analyzer.can_prove(LE(*match_sizes(a, b)))

    def less(self, a: Size, b: Size) -> bool:
        """Whether a < b is provable."""
        if isinstance(a, int) and isinstance(b, int):
            return a < b
        return self.analyzer.can_prove(LT(*match_sizes(a, b)))
