"""`PatternMatchingRewriter`: rules that replace values of graph functions, as passes.

ExprPatternRewriter(pattern, func)      a value that matches a pattern
TupleRewriter(patterns, func)           several values of a block, replaced together
first | second                          rules in order; the first that applies wins
PatternMatchingRewriter.from_module     the functions `pattern` and `replacement` of a module
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule, nodes, on, structural_equal
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.dpl.matcher import Matcher, Matches, extract_matched_expr
from tvmscript.ir.relax.dpl.pattern import DFPattern
from tvmscript.ir.relax.errors import UndefinedGlobal
from tvmscript.ir.relax.expr import BindingBlock, DataflowBlock, DataflowVar, If, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.normal_form.canonicalize_bindings import CanonicalizeBindings
from tvmscript.ir.relax.transform.normal_form.eliminate_common_subexpr import EliminateCommonSubexpr
from tvmscript.ir.relax.transform.rewriters.bindings_in_order import bindings_in_order
from tvmscript.ir.relax.transform.rewriters.rule_from_module import rule_from_module
from tvmscript.ir.relax.transform.rewriters.shared_emitter import SharedEmitter
from tvmscript.ir.relax.variables import contains_impure_call
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassInfo

#: (value, what each pattern matched) -> its replacement; the value itself or None where it stays
RewriteExpr = Callable[[Any, Matches], Any]
#: (values, what each pattern matched) -> their replacements, None where they stay
RewriteTuple = Callable[[list[Any], Matches], "Sequence[Any] | None"]


@dataclass(frozen=True, eq=False)
class PatternMatchingRewriter(Pass):
    """Rules that replace values of graph functions until none changes anything. A pass over modules and functions.

    After each round bindings are canonicalized, equal values merged, and unused bindings removed.
    """

    @staticmethod
    def from_pattern(pattern: DFPattern, func: RewriteExpr) -> PatternMatchingRewriter:
        """Return the rule that replaces each value that matches a pattern by `func(value, matches)`."""
        return ExprPatternRewriter(pattern, func)

    @staticmethod
    def from_module(mod: IRModule) -> PatternMatchingRewriter:
        """Return the rule that replaces the result of the function `pattern` of a module by that of `replacement`.

        Their parameters match any values of their struct info. Functions that `replacement` calls are added to the
        module that is rewritten. A tuple as the result stands for several values. Raises `BadRewriteRule`.
        """
        rule = rule_from_module(mod)
        if rule.is_tuple:
            return TupleRewriter(rule.patterns, rule.replace_all, rule.functions)
        return ExprPatternRewriter(rule.patterns[0], rule.replace_one, rule.functions)

    def __or__(self, other: PatternMatchingRewriter) -> PatternMatchingRewriter:
        return OrRewriter(self, other)

    @cached_property
    def info(self) -> PassInfo:
        """The name `PatternMatchingRewriter`."""
        return PassInfo(0, "PatternMatchingRewriter", text="PatternMatchingRewriter", is_exact=False)

    @property
    @abstractmethod
    def rules(self) -> tuple[ExprPatternRewriter | TupleRewriter, ...]:
        """The rules in order."""

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        """Return the module with its graph functions rewritten."""
        builder = BlockBuilder(mod)
        new_names: dict[GlobalVar, GlobalVar] = {}
        for var, func in mod.functions_items():
            if isinstance(func, Function):
                rewritten = self.rewrite(func)
                if rewritten is not func:
                    builder.update_func(var, self._with_functions(rewritten, builder, new_names))
        return builder.get()

    def __call__(self, program: object) -> Any:
        """Return the rewritten module or function. Raises `WrongType` for anything else, `UndefinedGlobal` for a
        function whose replacement calls functions.
        """
        rewritten = super().__call__(program)
        added = {name.name_hint for rule in self.rules for name in rule.functions}
        if isinstance(program, Function) and added:
            missing = {part.name_hint for part in nodes(rewritten) if isinstance(part, GlobalVar)} & added
            for name in sorted(missing):
                raise UndefinedGlobal(name=name)
        return rewritten

    def _with_functions(self, func: Function, builder: BlockBuilder, new_names: dict[GlobalVar, GlobalVar]) -> Function:
        """Add the functions that replacements call to the module, and return the function with their names there."""
        functions = {name: added for rule in self.rules for name, added in rule.functions.items()}
        used = [part for part in nodes(func) if isinstance(part, GlobalVar) and part in functions]
        for name in used:
            if name not in new_names:
                new_names[name] = builder.add_func(functions[name], name.name_hint)
        return _Renamer(new_names).rewrite(func) if used else func

    def rewrite(self, func: Function) -> Function:
        """Return the function with all rules applied until nothing changes, and without unused bindings."""
        while True:
            rewritten: Function = _RuleRewriter(self.rules).rewrite(func)
            if structural_equal(rewritten, func):
                return remove_all_unused(func)
            cleaned = _cleaned(rewritten)
            if structural_equal(cleaned, func):
                return remove_all_unused(func)
            func = cleaned


@dataclass(frozen=True, eq=False)
class ExprPatternRewriter(PatternMatchingRewriter):
    """Replace each bound value that matches a pattern by `func(value, matches)`."""

    pattern: DFPattern
    func: RewriteExpr
    #: functions that replacements call
    functions: Mapping[GlobalVar, BaseFunc] = field(default_factory=dict[GlobalVar, BaseFunc])

    @property
    def rules(self) -> tuple[ExprPatternRewriter]:
        """The rule itself."""
        return (self,)


@dataclass(frozen=True, eq=False)
class TupleRewriter(PatternMatchingRewriter):
    """Replace different values of a block that match patterns together by `func(values, matches)`."""

    patterns: Sequence[DFPattern]
    func: RewriteTuple
    #: functions that replacements call
    functions: Mapping[GlobalVar, BaseFunc] = field(default_factory=dict[GlobalVar, BaseFunc])

    @property
    def rules(self) -> tuple[TupleRewriter]:
        """The rule itself."""
        return (self,)


@dataclass(frozen=True, eq=False)
class OrRewriter(PatternMatchingRewriter):
    """Apply the left rules, then the right ones where none of them applies."""

    lhs: PatternMatchingRewriter
    rhs: PatternMatchingRewriter

    @property
    def rules(self) -> tuple[ExprPatternRewriter | TupleRewriter, ...]:
        """The rules of both."""
        return self.lhs.rules + self.rhs.rules


def _cleaned(func: Function) -> Function:
    """Canonicalize bindings, merge equal values and remove unused bindings until nothing changes."""
    mod = IRModule()
    while True:
        canonical = CanonicalizeBindings().transform(func, mod)
        cleaned = remove_all_unused(EliminateCommonSubexpr().transform(canonical, mod))
        if structural_equal(cleaned, func):
            return cleaned
        func = cleaned


class _Renamer(RelaxRewriter):
    """Replaces names of functions."""

    def __init__(self, names: Mapping[GlobalVar, GlobalVar]) -> None:
        super().__init__()
        self.names = names

    @on(GlobalVar)
    def name(self, node: GlobalVar) -> GlobalVar:
        return self.names.get(node, node)


class _RuleRewriter(RelaxRewriter):
    """Replaces values once, in program order; several values at a time first."""

    def __init__(self, rules: Sequence[ExprPatternRewriter | TupleRewriter]) -> None:
        super().__init__()
        self.value_rules = [rule for rule in rules if isinstance(rule, ExprPatternRewriter)]
        self.tuple_rules = [rule for rule in rules if isinstance(rule, TupleRewriter)]
        #: variable -> its value
        self.values: dict[Var, Any] = {}

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        value: Any = self.value(node.value)
        new_value = self._replacement(value)
        if new_value is node.value:
            self.builder.emit_normalized(node)
            self.values[node.var] = new_value
            return
        if new_value is not value:
            new_value = SharedEmitter(self.builder, self.renamed).outermost(new_value)
        new_value = self.builder.normalize(new_value)
        var = self.bound(node.var, new_value)
        self.builder.emit_normalized(node.replace(var=var, value=new_value))
        self.values[var] = new_value

    def _replacement(self, value: Any) -> Any:
        for rule in self.value_rules:
            matches = extract_matched_expr(rule.pattern, value, self.values)
            new_value = None if matches is None else rule.func(value, matches)
            if new_value is not None and new_value is not value:
                return new_value
        return value

    def block(self, node: BindingBlock) -> None:
        """Emit the bindings of a block; its runs of pure bindings may be reordered."""
        if self.tuple_rules:
            self.builder.begin_block(isinstance(node, DataflowBlock))
            for run in _pure_runs(node.bindings):
                self._run(run)
        else:
            super().block(node)
        if isinstance(node, DataflowBlock):  # its variables are not seen behind it
            self.values = {
                var: value
                for var, value in self.values.items()
                if not any(isinstance(part, DataflowVar) for part in nodes(value))
            }

    def _run(self, bindings: Sequence[Any]) -> None:
        """Emit bindings whose order is free."""
        current = [binding.replace(value=self.value(binding.value)) for binding in bindings]
        for rule in self.tuple_rules:
            new_values = self._new_values(rule, current)
            order = bindings_in_order(current, new_values) if new_values else None
            if order is None:
                continue
            emitter = SharedEmitter(self.builder, self.renamed)
            for binding in order:
                if binding.var not in new_values:
                    self.rewrite(binding)
                    continue
                value = emitter.outermost(new_values[binding.var])
                self.builder.emit_normalized(binding.replace(var=self.bound(binding.var, value), value=value))
            return
        for binding in bindings:
            self.rewrite(binding)

    def _new_values(self, rule: TupleRewriter, bindings: Sequence[Any]) -> dict[Var, Any]:
        """Return the new values of the first bindings that match the patterns of a rule together."""
        values = {binding.var: binding.value for binding in bindings if isinstance(binding, VarBinding)}
        matcher = Matcher({**self.values, **values})
        new_values: dict[Var, Any] = {}

        def search(chosen: tuple[Var, ...]) -> bool:
            if len(chosen) == len(rule.patterns):
                olds = [values[var] for var in chosen]
                news = rule.func(olds, dict(matcher.matches))
                if news is None or all(new is old for new, old in zip(news, olds, strict=True)):
                    return False
                new_values.update(zip(chosen, news, strict=True))
                return True
            for var in values:
                if var in chosen:
                    continue
                before = dict(matcher.matches)
                if matcher.match(rule.patterns[len(chosen)], values[var]) and search((*chosen, var)):
                    return True
                matcher.matches = before
            return False

        search(())
        return new_values


def _pure_runs(bindings: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield bindings in runs whose order is free: an impure call, a cast or a conditional stands alone."""
    run: list[Any] = []
    for binding in bindings:
        if isinstance(binding, VarBinding) and not isinstance(binding.value, If) and not contains_impure_call(binding):
            run.append(binding)
            continue
        if run:
            yield run
        yield [binding]
        run = []
    if run:
        yield run
