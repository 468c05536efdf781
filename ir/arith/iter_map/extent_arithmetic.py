"""Arithmetic of extents and factors: Python integers where they are constant, simplified expressions otherwise."""

from __future__ import annotations

from collections.abc import Hashable
from math import lcm

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import make
from tvmscript.ir.arith.iter_map.iter_sum import Size, as_size
from tvmscript.ir.arith.value_numbering import expr_deep_equal, structural_key
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import (
    LE,
    LT,
    Add,
    BinaryOp,
    FloorDiv,
    FloorMod,
    IntImm,
    Max,
    Min,
    Mul,
    Sub,
)
from tvmscript.ir.tir.operators import match_types


def same_size(a: Size, b: Size) -> bool:
    """Whether both are written the same."""
    if isinstance(a, int) or isinstance(b, int):
        return a is b or (type(a) is type(b) and a == b)
    return expr_deep_equal(a, b)


def key_of_size(value: Size) -> Hashable:
    """Equal for sizes that are written the same."""
    return value if type(value) is int else structural_key(value)


def operands(a: Size, b: Size) -> tuple[Expr, Expr]:
    """Both as expressions of one dtype; at least one is an expression."""
    if isinstance(a, int):
        if isinstance(b, int):
            return match_types(a, b)
        return IntImm(b.dtype, a), b
    if isinstance(b, int):
        return a, IntImm(a.dtype, b)
    return match_types(a, b)


def folded(cls: type[BinaryOp], a: Size, b: Size) -> Size:
    """The operation, folded where operands are constants or neutral, and simplified no further."""
    return as_size(make(cls, *operands(a, b)))


def plus(a: Size, b: Size) -> Size:
    """a + b, folded."""
    return a + b if type(a) is int and type(b) is int else folded(Add, a, b)


def minus(a: Size, b: Size) -> Size:
    """a - b, folded."""
    return a - b if type(a) is int and type(b) is int else folded(Sub, a, b)


def times(a: Size, b: Size) -> Size:
    """a * b, folded; a constant stands behind, as in TVM."""
    if type(a) is int:
        return a * b if type(b) is int else folded(Mul, b, a)
    return folded(Mul, a, b)


def in_order(a: Size, b: Size) -> Size:
    """a * b, folded; a constant stands where it is written, as where TVM counts digits of a part."""
    return a * b if type(a) is int and type(b) is int else folded(Mul, a, b)


class ExtentArithmetic:
    """Sizes under the facts of an analyzer, which is made when the first size that is not constant comes."""

    __slots__ = ("_analyzer",)

    def __init__(self, analyzer: Analyzer | None = None) -> None:
        self._analyzer = analyzer

    @property
    def analyzer(self) -> Analyzer:
        if self._analyzer is None:
            self._analyzer = Analyzer()
        return self._analyzer

    def simplified(self, value: Size) -> Size:
        """The value in its simplest form."""
        return value if type(value) is int else as_size(self.analyzer.simplify_index(value))  # type: ignore[arg-type]

    def _made(self, cls: type[BinaryOp], a: Size, b: Size) -> Size:
        return as_size(self.analyzer.simplify_index(make(cls, *operands(a, b))))

    def mul(self, a: Size, b: Size) -> Size:
        """a * b"""
        if type(a) is int and type(b) is int:
            return a * b
        if type(a) is int:
            a, b = b, a
        return b if a == 1 else a if b == 1 else self._made(Mul, a, b)

    def add(self, a: Size, b: Size) -> Size:
        """a + b"""
        return a + b if type(a) is int and type(b) is int else self._made(Add, a, b)

    def sub(self, a: Size, b: Size) -> Size:
        """a - b"""
        return a - b if type(a) is int and type(b) is int else self._made(Sub, a, b)

    def floordiv(self, a: Size, b: Size) -> Size:
        """a // b"""
        if type(a) is int and type(b) is int and b:
            return a // b
        return a if b == 1 else self._made(FloorDiv, a, b)

    def floormod(self, a: Size, b: Size) -> Size:
        """a % b"""
        return a % b if type(a) is int and type(b) is int and b else self._made(FloorMod, a, b)

    def ceildiv(self, a: Size, b: Size) -> Size:
        """a / b, rounded up."""
        if type(a) is int and type(b) is int and b:
            return -(-a // b)
        return a if b == 1 else self.floordiv(self.sub(self.add(a, b), 1), b)

    def least(self, a: Size, b: Size) -> Size:
        """min(a, b)"""
        return min(a, b) if isinstance(a, int) and isinstance(b, int) else self._made(Min, a, b)

    def greatest(self, a: Size, b: Size) -> Size:
        """max(a, b)"""
        return max(a, b) if isinstance(a, int) and isinstance(b, int) else self._made(Max, a, b)

    def common_multiple(self, a: Size, b: Size) -> Size:
        """A multiple of both: the least one of constants, one of them where it is a multiple, or the product."""
        if isinstance(a, int) and isinstance(b, int):
            return lcm(a, b)
        return a if self.divides(b, a) else b if self.divides(a, b) else self.mul(a, b)

    def equal(self, a: Size, b: Size) -> bool:
        """Whether both are known to be equal."""
        if type(a) is int and type(b) is int:
            return a == b
        return a is b or self.analyzer.can_prove_equal(*operands(a, b))

    def divides(self, divisor: Size, value: Size) -> bool:
        """Whether the value is known to be a multiple of the divisor."""
        if type(divisor) is int and type(value) is int:
            return divisor != 0 and value % divisor == 0
        if divisor == 0:
            return False
        return divisor == 1 or divisor is value or self.equal(self._made(FloorMod, value, divisor), 0)

    def at_most(self, a: Size, b: Size) -> bool:
        """Whether a <= b is known."""
        if isinstance(a, int) and isinstance(b, int):
            return a <= b
        return self.analyzer.can_prove(LE(*operands(a, b)))

    def less(self, a: Size, b: Size) -> bool:
        """Whether a < b is known."""
        if isinstance(a, int) and isinstance(b, int):
            return a < b
        return self.analyzer.can_prove(LT(*operands(a, b)))
