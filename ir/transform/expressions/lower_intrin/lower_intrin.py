"""Lower intrinsics, floor divisions and fused multiply-adds to operations of the target."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir import tir
from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import CallEffect, Op, Target, on
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import NoTarget
from tvmscript.ir.transform.expressions.lower_intrin.floor_division import FloorDivision
from tvmscript.ir.transform.expressions.lower_intrin.rules import fuses, rules_for
from tvmscript.ir.transform.expressions.lower_intrin.rules_cpu_cuda import Rules
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter


class _IntrinLowering(AnalyzedRewriter):
    def __init__(self, rules: Rules, *, fuses: bool) -> None:
        super().__init__()
        self.rules_of_target = rules
        self.fuses = fuses
        self.division = FloorDivision(self.analyzer, self.lower)

    # -- calls

    @on(tir.Call)
    def call(self, node: tir.Call) -> tir.Expr:
        name = node.op.name if isinstance(node.op, Op) else ""
        rule = self.rules_of_target.get(name)
        if rule is not None and (lowered := rule(node)) is not None:
            return self.lower(lowered)
        return super().call(node)

    def select_values(self, condition: tir.Expr, yes: tir.Expr, no: tir.Expr) -> tuple[tir.Expr, tir.Expr]:
        """Rewrite each value under the assumption that it is selected; the rounding of the other does not matter."""
        if condition.dtype.lanes != 1:
            return super().select_values(condition, yes, no)
        with self.analyzer.constraint(condition):
            yes = self.rewrite(yes)
        with self.analyzer.constraint(condition, False):
            no = self.rewrite(no)
        return yes, no

    @on(tir.LetStmt)
    def let(self, node: tir.LetStmt) -> tir.Stmt:
        value: tir.Expr = self.rewrite(node.value)
        if node.value.dtype.is_integer and node.value.dtype.lanes == 1 and tir.effect_of(node.value) <= CallEffect.PURE:
            self.analyzer.bind(node.var, node.value, allow_override=True)
        return node.rebuild(value=value, body=self.rewrite(node.body))

    # -- divisions

    @on(tir.FloorDiv)
    def quotient(self, node: tir.FloorDiv) -> tir.Expr:
        if node.dtype.is_floating:
            return self.lower(_floor(node))
        return self.division.quotient(node)

    @on(tir.FloorMod)
    def remainder(self, node: tir.FloorMod) -> tir.Expr:
        if node.dtype.is_floating:
            return self.lower(tir.Sub(node.a, tir.Mul(_floor(node), node.b)))
        return self.division.remainder(node)

    def lower(self, node: tir.Expr) -> tir.Expr:
        """Lower the result of a rule."""
        return self.rewrite(node)

    @on(tir.Max)
    def greater(self, node: tir.Max) -> tir.Expr:
        a, b = node.a, node.b
        # the rounding of negative quotients does not matter
        if isinstance(a, tir.FloorDiv) and isinstance(b, tir.IntImm) and b.value >= 0 and self.division.is_natural(a.b):
            return make(tir.Max, self.rewrite(make(tir.Div, a.a, a.b)), b)
        return super().binary(node)

    @on(tir.EQ, tir.NE)
    def equal(self, node: tir.CompareOp) -> tir.Expr:
        a, b = node.a, node.b
        # whether a remainder is 0 does not depend on rounding
        if isinstance(a, tir.FloorMod) and isinstance(b, tir.IntImm) and b.value == 0 and a.dtype.is_integer:
            return make(type(node), self.rewrite(make(tir.Mod, a.a, a.b)), b)
        return super().binary(node)

    # -- a * b + c

    @on(tir.Add)
    def sum(self, node: tir.Add) -> tir.Expr:
        product, rest = (node.b, node.a) if isinstance(node.b, tir.Mul) else (node.a, node.b)
        if not isinstance(product, tir.Mul):
            return super().binary(node)
        a, b = _widen_last(product.a), _widen_last(product.b)
        if self.fuses and node.dtype.code == "float":
            return self.lower(tir.Call(node.dtype, Op.get("tir.fma"), (a, b, rest), node.span))
        if a is not product.a or b is not product.b:
            return tir.Add(self.rewrite(tir.Mul(a, b)), self.rewrite(rest), span=node.span)
        return super().binary(node)


def _floor(node: tir.FloorDiv | tir.FloorMod) -> tir.Expr:
    """Return the floor of a quotient of floats."""
    return tir.Call(node.dtype, Op.get("tir.floor"), (tir.Div(node.a, node.b),))


def _widen_last(value: tir.Expr) -> tir.Expr:
    """Move a widening cast outside of a broadcast: machines have widening vector multiplies."""
    if not isinstance(value, tir.Broadcast) or not isinstance(value.value, tir.Cast):
        return value
    wide, narrow = value.value.dtype, value.value.value.dtype
    is_wider = wide.is_integer and narrow.is_integer and wide.bits > narrow.bits
    if not is_wider and wide.bits != 2 * narrow.bits:
        return value
    return tir.Cast(value.dtype, tir.Broadcast(value.value.value, value.lanes), value.span)


@dataclass(frozen=True)
class LowerIntrin(PrimFuncPass):
    """Replace intrinsics by calls that the target of the function has, or by expressions of such calls.

    For LLVM, `exp` becomes `llvm.exp`, and `a * b + c` of floats becomes `llvm.fmuladd`; for CUDA, `exp` of float32
    becomes `__expf`; for C, `expf`. An intrinsic without a rule is not changed. Floor divisions become truncating
    divisions, shifts and masks, depending on the known signs of the operands. Raises `NoTarget`.

    rewrite:
        B[i] = i // 4 + n % 3   -->   B[i] = shift_right(i, 2) + (truncmod(n, 3) + (3 & (truncmod(n, 3) >> 31)))
    """

    name = "tir.LowerIntrin"
    #: a second run lowers the results of rules
    is_idempotent = False
    takes = Form.LOOPS
    is_exact = False

    def transform(self, func: tir.PrimFunc) -> tir.PrimFunc:
        target = func.attrs.get("target")
        if not isinstance(target, Target):
            symbol = func.attrs.get("global_symbol", "a function")
            raise NoTarget(name=self.name, function=getattr(symbol, "value", symbol), span=func.span)
        lowering = _IntrinLowering(rules_for(target.kind), fuses=fuses(target.kind))
        return func.with_body(lowering.rewrite(func.body))
