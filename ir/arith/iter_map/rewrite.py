"""Rewrite index expressions as sums of digits of iterators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic, fold_sizes, minus, plus, same_size, times
from tvmscript.ir.arith.iter_map.failure_reasons import NotAffine
from tvmscript.ir.arith.iter_map.fuse import Fuser
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel, IterMark, IterSplitExpr, IterSumExpr, Size, as_size
from tvmscript.ir.arith.iter_map.padding import Padding
from tvmscript.ir.tir import Add, BinaryOp, Expr, FloorDiv, FloorMod, IntImm, Mul, Range, SizeVar, Sub, Var, uses

#: A rewritten expression: a sum with iterators, or a size without.
Value: TypeAlias = Size | IterSumExpr


class IterMapRewriter:
    """Rewrites expressions over iterators as sums of digits.

    Sums that were fused before are recognised, and predicates on them are respected. A lenient rewriter leaves other
    expressions in the base of the sum; a strict one raises `NotAffine`.
    """

    def __init__(
        self,
        sizes: ExtentArithmetic,
        input_iters: Mapping[Var, Range],
        level: IterMapLevel,
        *,
        simplify_trivial_iterators: bool,
        is_lenient: bool = False,
    ) -> None:
        self.sizes = sizes
        self.level = level
        self.is_lenient = is_lenient
        self.fuser = Fuser(sizes)
        self.padding = Padding(sizes)
        self.input_marks: list[IterMark] = []
        self.variables: dict[Expr, IterSumExpr] = {}
        for var, domain in input_iters.items():
            first, extent = as_size(domain.min), as_size(domain.extent)
            if simplify_trivial_iterators and extent == 1:
                self.variables[var] = IterSumExpr((), first, var.dtype)
                continue
            mark = IterMark(var if first == 0 else _shifted(var, first), extent)
            self.variables[var] = IterSumExpr((IterSplitExpr(mark, 1, extent, 1),), first, var.dtype)
            self.input_marks.append(mark)

    # -- entries

    def rewrite(self, expr: Expr) -> IterSumExpr:
        """Return the expression as a base and at most one digit. Raises `NotAffine`."""
        total = self.sum_of(expr)
        if not total.args:
            return total
        fused = self.fuser.fuse(total, self.level, may_skip=False)
        if fused is None:
            raise NotAffine("{} cannot be fused to one iterator", expr)
        return fused

    def sum_of(self, expr: Expr) -> IterSumExpr:
        """Return the expression as a sum of digits."""
        value = self.visit(expr)
        return value if isinstance(value, IterSumExpr) else IterSumExpr((), value, expr.dtype)

    def constrain(self, iter_expr: Expr, low: Size | None, high: Size | None) -> None:
        """Assume that the sum lies in [low, high). Raises `NotAffine`."""
        if not self.fuser.constrain(self.sum_of(iter_expr), low, high, self.level):
            raise NotAffine("the predicate on {} does not bound a fused iterator", iter_expr)

    # -- expressions

    def visit(self, expr: Expr) -> Value:
        """Return the rewritten expression."""
        rule = RULES.get(type(expr))
        if rule is not None:
            return rule(self, expr)
        if not uses(expr).isdisjoint(self.variables):
            return self.refuse(expr, "{} is not a sum, quotient or remainder of iterators")
        return expr

    def refuse(self, expr: Expr, why: str, *more: object) -> Expr:
        """Return an expression that is not a sum of digits unchanged. Raises `NotAffine` unless lenient."""
        if self.is_lenient:
            return expr
        raise NotAffine(why, expr, *more)

    def dividend(self, value: IterSumExpr, expr: Expr) -> IterSumExpr | None:
        """Return the sum as a base and one digit, None if a lenient rewriter fails."""
        if len(value.args) == 1 and not self.fuser.is_constrained(value.args[0]):
            return value
        fused = self.fuser.fuse(value, self.level, may_skip=True)
        if fused is None:
            self.refuse(expr, "{} is a division of a sum that cannot be fused to one iterator")
        return fused

    # -- division: (source // lower % size * step + shift) by a divisor

    def quotient(self, split: IterSplitExpr, shift: Size, divisor: Size, node: Expr) -> Value:
        """Return (split + shift) // divisor."""
        sizes = self.sizes
        if divisor == 1:
            return IterSumExpr((split,), shift, split.dtype)
        if split.step != 1:
            step = split.step
            if sizes.divides(divisor, step) and (shift == 0 or sizes.divides(divisor, shift)):
                scaled = split.with_scale(sizes.floordiv(step, divisor))
                return IterSumExpr((scaled,), sizes.floordiv(shift, divisor) if shift != 0 else 0, split.dtype)
            if not self._is_factor(step, divisor, shift):
                return self.refuse(
                    node, "{} divides an iterator with scale {}, which does not divide the divisor", step
                )
            shift = sizes.floordiv(shift, step) if shift != 0 else 0
            divisor, split = sizes.floordiv(divisor, step), split.with_scale(1)
        padded, left = self.padding.pad(split, shift, divisor)
        lower, size = padded.lower, padded.size
        if sizes.divides(divisor, size):
            digit = IterSplitExpr(padded.source, sizes.mul(lower, divisor), sizes.floordiv(size, divisor), padded.step)
        elif lower == 1 and sizes.equal(size, padded.source.size):
            digit = IterSplitExpr(padded.source, divisor, sizes.ceildiv(size, divisor), padded.step)
        else:
            inner = IterMark(IterSumExpr((padded,), 0, split.dtype), size)
            digit = IterSplitExpr(inner, divisor, sizes.ceildiv(size, divisor), 1)
        if shift != 0 or left != 0:
            shift = sizes.floordiv(sizes.sub(shift, left), divisor)
        return IterSumExpr((digit,), shift, split.dtype)

    def _is_factor(self, step: Size, divisor: Size, shift: Size) -> bool:
        """Whether a positive scale divides divisor and shift."""
        if isinstance(step, int) and step < 0:
            return False
        return self.sizes.divides(step, divisor) and (shift == 0 or self.sizes.divides(step, shift))

    def remainder(self, split: IterSplitExpr, shift: Size, divisor: Size, node: Expr) -> Value:
        """Return (split + shift) % divisor."""
        sizes = self.sizes
        if divisor == 1:
            return 0
        step = split.step
        if step != 1:
            if sizes.divides(divisor, step) and (shift == 0 or sizes.divides(divisor, shift)):
                return 0
            if not self._is_factor(step, divisor, shift):
                return self.refuse(
                    node, "{} divides an iterator with scale {}, which does not divide the divisor", step
                )
            shift = sizes.floordiv(shift, step) if shift != 0 else 0
            divisor = sizes.floordiv(divisor, step)
        padded, _ = self.padding.pad(split, shift, divisor)
        if not sizes.divides(divisor, padded.size) and not self.padding.is_whole(padded):
            return self.refuse(node, "{} is a remainder of {} by a divisor that does not divide its extent", padded)
        return IterSumExpr((IterSplitExpr(padded.source, padded.lower, divisor, step),), 0, split.dtype)


def _shifted(var: Var, first: Size) -> Expr:
    shifted = minus(var, first)
    return var if isinstance(shifted, int) else shifted


def add_sums(a: IterSumExpr, b: IterSumExpr, sign: int) -> IterSumExpr:
    """Return a + sign * b, with equal digits combined."""
    args = list(a.args)
    for split in b.args:
        for place, other in enumerate(args):
            if (
                other.source is split.source
                and same_size(other.lower, split.lower)
                and same_size(other.size, split.size)
            ):
                step = plus(other.step, split.step) if sign > 0 else minus(other.step, split.step)
                args[place] = split.with_scale(step)
                break
        else:
            args.append(split if sign > 0 else split.with_scale(minus(0, split.step)))
    shift = plus(a.shift, b.shift) if sign > 0 else minus(a.shift, b.shift)
    return IterSumExpr(args, shift, a.dtype)


def _iterator(rewriter: IterMapRewriter, node: Var) -> Value:
    return rewriter.variables.get(node, node)


def _constant(rewriter: IterMapRewriter, node: IntImm) -> Value:
    return node.value


def _sum(sign: int) -> Callable[[IterMapRewriter, Add | Sub], Value]:
    def rule(rewriter: IterMapRewriter, node: Add | Sub) -> Value:
        a, b = rewriter.visit(node.a), rewriter.visit(node.b)
        if isinstance(a, IterSumExpr):
            if isinstance(b, IterSumExpr):
                return add_sums(a, b, sign)
            return IterSumExpr(a.args, plus(a.shift, b) if sign > 0 else minus(a.shift, b), a.dtype)
        if isinstance(b, IterSumExpr):
            return add_sums(IterSumExpr((), a, node.dtype), b, sign)
        return fold_operands(node, a, b)

    return rule


def _product(rewriter: IterMapRewriter, node: Mul) -> Value:
    a, b = rewriter.visit(node.a), rewriter.visit(node.b)
    if isinstance(b, IterSumExpr):
        a, b = b, a
    if not isinstance(a, IterSumExpr):
        return fold_operands(node, a, b) if not isinstance(b, IterSumExpr) else node
    if isinstance(b, IterSumExpr):
        return rewriter.refuse(node, "{} is a product of iterators")
    return IterSumExpr([split.with_scale(times(split.step, b)) for split in a.args], times(a.shift, b), a.dtype)


def _division(is_quotient: bool) -> Callable[[IterMapRewriter, FloorDiv | FloorMod], Value]:
    def rule(rewriter: IterMapRewriter, node: FloorDiv | FloorMod) -> Value:
        a, b = rewriter.visit(node.a), rewriter.visit(node.b)
        if isinstance(b, IterSumExpr):
            return rewriter.refuse(node, "{} is divided by an iterator")
        if not isinstance(a, IterSumExpr):
            return fold_operands(node, a, b)
        if not a.args:
            return node
        value = rewriter.dividend(a, node)
        if value is None:
            return node
        divide = rewriter.quotient if is_quotient else rewriter.remainder
        try:
            return divide(value.args[0], value.shift, b, node)
        except NotAffine:
            if rewriter.is_lenient:
                return node
            raise

    return rule


def fold_operands(node: BinaryOp, a: Size, b: Size) -> Size:
    """Return an operation without iterators, folded."""
    if a is node.a and b is node.b:
        return node
    return fold_sizes(type(node), a, b)


RULES: Final[dict[type[Expr], Callable[[IterMapRewriter, Any], Value]]] = {
    Var: _iterator,
    SizeVar: _iterator,
    IntImm: _constant,
    Add: _sum(1),
    Sub: _sum(-1),
    Mul: _product,
    FloorDiv: _division(True),
    FloorMod: _division(False),
}
