"""`rewrite_call`: replace values that match a pattern."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.core import IRModule, on, structural_equal
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.dpl.matcher import Matches, extract_matched_expr
from tvmscript.ir.relax.dpl.pattern import DFPattern
from tvmscript.ir.relax.expr import Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.normal_form.canonicalize_bindings import CanonicalizeBindings
from tvmscript.ir.relax.transform.normal_form.eliminate_common_subexpr import EliminateCommonSubexpr

#: (value, what each pattern matched) -> its replacement, or the value itself
Rewrite = Callable[[Any, Matches], Any]


def rewrite_call(pattern: DFPattern, rewriter: Rewrite, func: Function) -> Function:
    """Replace the bound values that match a pattern, until no replacement changes the function.

    After each round bindings are canonicalized, equal values merged, and unused bindings removed.
    """
    mod = IRModule()
    while True:
        rewritten: Function = _PatternRewriter(pattern, rewriter).rewrite(func)
        if structural_equal(rewritten, func):
            return func
        while True:
            canonical = CanonicalizeBindings().transform(rewritten, mod)
            cleaned = remove_all_unused(EliminateCommonSubexpr().transform(canonical, mod))
            if structural_equal(cleaned, rewritten):
                break
            rewritten = cleaned
        if structural_equal(cleaned, func):
            return func
        func = cleaned


class _PatternRewriter(RelaxRewriter):
    """Replaces values once, in program order."""

    def __init__(self, pattern: DFPattern, rewriter: Rewrite) -> None:
        super().__init__()
        self.pattern = pattern
        self.rewriter = rewriter
        #: variable -> its value
        self.values: dict[Var, Any] = {}

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        value: Any = self.value(node.value)
        matches = extract_matched_expr(self.pattern, value, self.values)
        if matches is not None:
            value = self.rewriter(value, matches)
        if value is node.value:
            self.builder.emit_normalized(node)
            self.values[node.var] = value
            return
        value = self.builder.normalize(value)
        var = self.bound(node.var, value)
        self.builder.emit_normalized(node.replace(var=var, value=value))
        self.values[var] = value
