"""Rewrite programs so that no operation is undefined."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import Rewriter, on
from tvmscript.ir.tir import EQ, Call, Div, Expr, FloorDiv, FloorMod, IntImm, Let, Mod, Or, Select, Var


class Defined(Rewriter):
    """Replaces divisors 0 and -1 (whose quotient may overflow), and wraps shift amounts to the width."""

    @on(FloorDiv, FloorMod, Div, Mod)
    def division(self, node: Any) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        divisor = Var("divisor", b.dtype)
        bad: Expr = EQ(divisor, IntImm(b.dtype, 0))
        if b.dtype.code == "int":
            bad = Or(bad, EQ(divisor, IntImm(b.dtype, -1)))
        safe = IntImm(b.dtype, min(3, b.dtype.max_value))
        quotient: Expr = type(node)(a, Let(divisor, b, Select(bad, safe, divisor)))
        return quotient

    @on(Call)
    def call(self, node: Call) -> Expr:
        new_call = self.descend(node)
        if getattr(node.op, "name", "") in ("tir.shift_left", "tir.shift_right"):
            amount = FloorMod(new_call.args[1], IntImm(new_call.dtype, new_call.dtype.bits))
            return Call(new_call.dtype, new_call.op, (new_call.args[0], amount))
        return new_call
