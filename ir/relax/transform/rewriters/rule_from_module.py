"""Rewrite rules that a module states: its functions `pattern` and `replacement`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule, Op, nodes, structural_equal
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.dpl.matcher import Matches
from tvmscript.ir.relax.dpl.pattern import (
    CallPattern,
    DFPattern,
    ExprPattern,
    StructInfoPattern,
    TupleGetItemPattern,
    TuplePattern,
    WildcardPattern,
)
from tvmscript.ir.relax.errors import BadRewriteRule
from tvmscript.ir.relax.expr import (
    Call,
    Constant,
    DataTypeImm,
    ExternFunc,
    PrimValue,
    ShapeExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.infer_call import SizeUnifier, erase_to_well_defined
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult
from tvmscript.ir.relax.variables import all_vars, contains_impure_call
from tvmscript.ir.tir import Var as SizeVar
from tvmscript.ir.tir import substitute

_LEAVES = (Constant, ExternFunc, StringImm, DataTypeImm, Op)


@dataclass(frozen=True, eq=False)
class ModuleRule:
    """A rule. `replacement` is evaluated for each match, with what the parameters of `pattern` matched."""

    patterns: tuple[DFPattern, ...]
    is_tuple: bool
    replacement: Function
    #: a pattern for each parameter
    params: tuple[DFPattern, ...]
    #: pattern -> the struct info that its value must have; it may define sizes
    infos: Mapping[DFPattern, StructInfo]
    #: functions that `replacement` calls
    functions: Mapping[GlobalVar, BaseFunc]

    def replace_one(self, value: object, matches: Matches) -> Any:
        """Return the replacement of a value, None where sizes do not fit."""
        return self._replacement(matches)

    def replace_all(self, values: object, matches: Matches) -> tuple[Any, ...] | None:
        """Return the replacements of several values, None where sizes do not fit."""
        new_value = self._replacement(matches)
        if new_value is None or isinstance(new_value, Tuple):
            return None if new_value is None else new_value.fields
        return tuple(TupleGetItem(new_value, index) for index in range(len(self.patterns)))

    def _replacement(self, matches: Matches) -> Any:
        unifier = SizeUnifier()
        for pattern, info in self.infos.items():
            value = matches.get(pattern)
            old_info = getattr(value, "struct_info", None)
            if value is not None and (old_info is None or unifier.check(info, old_info) is not BaseCheckResult.PASS):
                return None
        params = zip(self.replacement.params, self.params, strict=True)
        values: dict[Any, Any] = {param: matches[pattern] for param, pattern in params if pattern in matches}
        sizes = SizeUnifier()
        for param, value in list(values.items()):
            sizes.check(param.struct_info, value.struct_info)
        values.update(sizes.sizes)
        for block in self.replacement.body.blocks:
            for binding in block.bindings:
                assert isinstance(binding, VarBinding)
                values[binding.var] = substitute(binding.value, values)
        return substitute(self.replacement.body.body, values)


def rule_from_module(mod: IRModule) -> ModuleRule:
    """Return the rule of a module. Raises `BadRewriteRule`."""
    pattern, replacement = (_function(mod, name) for name in ("pattern", "replacement"))
    if not structural_equal(pattern.struct_info, replacement.struct_info):
        raise BadRewriteRule(
            reason=f"pattern is {pattern.struct_info}, but replacement is {replacement.struct_info}",
            span=replacement.span,
        )
    _check_body(replacement, "replacement")
    conversion = _Conversion(pattern)
    used_params = set(all_vars(replacement.body)) & set(replacement.params)
    for param, other in zip(pattern.params, replacement.params, strict=True):
        if other in used_params and param not in all_vars(pattern.body):
            raise BadRewriteRule(reason=f"pattern does not use its parameter {param.name_hint}", span=pattern.span)
    result = conversion.result
    used = [part for part in nodes(replacement) if isinstance(part, GlobalVar)]
    functions = {name: mod[name] for name in used if name in mod}
    params = tuple(conversion.patterns[param] for param in pattern.params)
    patterns = result.fields if isinstance(result, TuplePattern) else (result,)
    return ModuleRule(patterns, isinstance(result, TuplePattern), replacement, params, conversion.infos, functions)


def _function(mod: IRModule, name: str) -> Function:
    func = mod.get(name)
    if not isinstance(func, Function):
        raise BadRewriteRule(reason=f"has no graph function {name}")
    return func


def _check_body(func: Function, name: str) -> None:
    """Raise `BadRewriteRule` for a function that is more than pure values."""
    for block in func.body.blocks:
        for binding in block.bindings:
            kinds = (Call, Tuple, TupleGetItem, Var, *_LEAVES, ShapeExpr, PrimValue)
            if not isinstance(binding, VarBinding) or not isinstance(binding.value, kinds):
                raise BadRewriteRule(reason=f"{name} has a binding other than a call or a tuple", span=binding.span)
            if contains_impure_call(binding.value):
                raise BadRewriteRule(reason=f"{name} makes a call with side effects", span=binding.span)


class _Conversion:
    """The patterns of the values of a function."""

    def __init__(self, func: Function) -> None:
        _check_body(func, "pattern")
        self.infos: dict[DFPattern, StructInfo] = {}
        self.patterns: dict[Any, DFPattern] = {param: self._any_value(param.struct_info) for param in func.params}
        for block in func.body.blocks:
            for binding in block.bindings:
                assert isinstance(binding, VarBinding)
                self.patterns[binding.var] = self._pattern(binding.value)
        self.result = self._pattern(func.body.body)
        if isinstance(self.result, (WildcardPattern, StructInfoPattern)):
            raise BadRewriteRule(reason="pattern returns a parameter", span=func.span)

    def _any_value(self, info: StructInfo | None) -> DFPattern:
        """Return the pattern of values with this struct info, up to its sizes, which are checked for each match."""
        if info is None:
            return WildcardPattern()
        erased = erase_to_well_defined(info)
        pattern = StructInfoPattern(WildcardPattern(), erased)
        self.infos[pattern] = info
        return pattern

    def _pattern(self, value: Any) -> DFPattern:
        if isinstance(value, Var):
            return self.patterns[value]
        if isinstance(value, Call):
            call = CallPattern(self._pattern(value.op), tuple(map(self._pattern, value.args)), add_constraint=False)
            return call.has_attr(value.attrs) if value.attrs else call
        if isinstance(value, Tuple):
            return TuplePattern(tuple(map(self._pattern, value.fields)))
        if isinstance(value, TupleGetItem):
            return TupleGetItemPattern(self._pattern(value.tuple_value), value.index)
        if isinstance(value, (ShapeExpr, PrimValue)) and any(isinstance(part, SizeVar) for part in nodes(value)):
            return self._any_value(value.struct_info)
        return ExprPattern(value)
