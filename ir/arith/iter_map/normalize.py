"""Convert iteration maps to expressions."""

from __future__ import annotations

from tvmscript.ir.arith.fold import make
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic, plus, same_size, times, times_in_order
from tvmscript.ir.arith.iter_map.iter_sum import IterMapExpr, IterSplitExpr, IterSumExpr, Size, as_index
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Add, Expr, FloorDiv, FloorMod, IntImm, Mul, cast


def normalize_iter_map_to_expr(expr: IterMapExpr | Expr, sizes: ExtentArithmetic | None = None) -> Expr:
    """Return a digit or a sum of digits as an expression, without simplification."""
    if isinstance(expr, Expr):
        return expr
    sizes = ExtentArithmetic() if sizes is None else sizes
    return _sum(expr, sizes) if isinstance(expr, IterSumExpr) else _split(expr, sizes)


def _sum(total: IterSumExpr, sizes: ExtentArithmetic) -> Expr:
    expr: Expr | None = None
    for split in total.args:
        part = _split(split, sizes)
        expr = part if expr is None else make(Add, *_match_dtypes(expr, part))
    if expr is None:
        return total.base
    return as_index(plus(expr, total.shift), expr.dtype) if total.shift != 0 else expr


def _match_dtypes(a: Expr, b: Expr) -> tuple[Expr, Expr]:
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
        value = _divide_by(FloorDiv, value, lower)
    else:
        value = _divide_by(FloorMod, value, times_in_order(lower, size))
        if lower != 1:
            value = _divide_by(FloorDiv, value, lower)
    return as_index(times(value, split.step), split.dtype) if split.step != 1 else value


def _is_product(whole: Size, lower: Size, size: Size, sizes: ExtentArithmetic) -> bool:
    """Whether the product of the sizes is the whole. As in TVM, n * m is not m * n."""
    factors = _unknown(lower) + _unknown(size)
    if len(factors) > 1:
        others = _unknown(whole)
        if len(others) == len(factors) and not all(map(same_size, factors, others)):
            return False
    return sizes.equal(whole, sizes.mul(lower, size))


def _unknown(size: Size) -> list[Size]:
    """Return the factors of a size that are not constant."""
    if isinstance(size, Mul):
        return _unknown(size.a) + _unknown(size.b)
    return [] if isinstance(size, (int, IntImm)) else [size]


def _divide_by(cls: type[FloorDiv | FloorMod], value: Expr, by: int | Expr) -> Expr:
    return make(cls, *_match_dtypes(value, as_index(by, value.dtype)))
