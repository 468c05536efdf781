"""Iteration maps as expressions again."""

from __future__ import annotations

from tvmscript.ir.arith.fold import make
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic, plus, same_size, times
from tvmscript.ir.arith.iter_map.iter_sum import IterMapExpr, IterSplitExpr, IterSumExpr, Size, as_index
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Add, FloorDiv, FloorMod, IntImm, Mul
from tvmscript.ir.tir.operators import cast


def normalize_iter_map_to_expr(expr: IterMapExpr | Expr, sizes: ExtentArithmetic | None = None) -> Expr:
    """The value of a sum of digits, or of a digit, as an expression that is simplified no further."""
    if isinstance(expr, Expr):
        return expr
    sizes = ExtentArithmetic() if sizes is None else sizes
    return _sum(expr, sizes) if isinstance(expr, IterSumExpr) else _split(expr, sizes)


def _sum(total: IterSumExpr, sizes: ExtentArithmetic) -> Expr:
    expr: Expr | None = None
    for split in total.args:
        part = _split(split, sizes)
        expr = part if expr is None else make(Add, *_matched(expr, part))
    if expr is None:
        return total.base
    return as_index(plus(expr, total.shift), expr.dtype) if total.shift != 0 else expr


def _matched(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    if a.dtype is b.dtype:
        return a, b
    wider: DType = a.dtype if a.dtype.bits > b.dtype.bits else b.dtype
    return cast(wider, a), cast(wider, b)


def _split(split: IterSplitExpr, sizes: ExtentArithmetic) -> Expr:
    mark, lower, size = split.source, split.lower, split.size
    if size == 1 and lower != 1 and sizes.equal(lower, mark.size):
        return IntImm(split.dtype, 0)
    source = mark.source
    value = _sum(source, sizes) if isinstance(source, IterSumExpr) else source
    if lower == 1 and sizes.equal(size, mark.size):
        pass
    elif _is_product(mark.size, lower, size, sizes):
        value = _operation(FloorDiv, value, lower)
    else:
        value = _operation(FloorMod, value, times(lower, size))
        if lower != 1:
            value = _operation(FloorDiv, value, lower)
    return as_index(times(value, split.step), split.dtype) if split.step != 1 else value


def _is_product(whole: Size, lower: Size, size: Size, sizes: ExtentArithmetic) -> bool:
    """Whether the sizes multiply to the whole; as in TVM, the order of unknown factors counts: n * m is not m * n."""
    factors = _unknown(lower) + _unknown(size)
    if len(factors) > 1:
        others = _unknown(whole)
        if len(others) == len(factors) and not all(map(same_size, factors, others)):
            return False
    return sizes.equal(whole, sizes.mul(lower, size))


def _unknown(size: Size) -> list[Size]:
    """The factors of a size that are not constant."""
    if isinstance(size, Mul):
        return _unknown(size.a) + _unknown(size.b)
    return [] if isinstance(size, int | IntImm) else [size]


def _operation(cls: type[FloorDiv | FloorMod], value: Expr, by: int | Expr) -> Expr:
    return make(cls, *_matched(value, as_index(by, value.dtype)))
