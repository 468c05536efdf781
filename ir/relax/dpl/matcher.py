"""The matcher of patterns: depth first, through the bindings of variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations
from typing import Any, ClassVar

from tvmscript.ir.core import GlobalVar, structural_equal
from tvmscript.ir.relax.dpl.pattern import (
    AndPattern,
    AttrPattern,
    CallPattern,
    ConstantPattern,
    DataflowVarPattern,
    DataTypePattern,
    DFPattern,
    ExprPattern,
    ExternFuncPattern,
    FunctionPattern,
    GlobalVarPattern,
    NotPattern,
    OrPattern,
    PrimArrPattern,
    ShapePattern,
    StructInfoPattern,
    TupleGetItemPattern,
    TuplePattern,
    UnorderedTuplePattern,
    VarPattern,
    WildcardPattern,
    extract_matches,
)
from tvmscript.ir.relax.expr import Call, Constant, DataflowVar, ExternFunc, ShapeExpr, Tuple, TupleGetItem, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import shapes_provably_equal
from tvmscript.ir.relax.variables import get_var2val

#: pattern -> what it matched: a value where it is the pattern of one, otherwise the argument as it stands there
Matches = dict[DFPattern, Any]


def extract_matched_expr(pattern: DFPattern, expr: object, var2val: Mapping[Any, Any] | None = None) -> Matches | None:
    """Return what each pattern matched, None where the value does not match. `var2val` has the values of variables."""
    matcher = Matcher(var2val or {})
    return matcher.matches if matcher.match(pattern, expr) else None


extract_matches.fill(extract_matched_expr)


def match_expr(pattern: DFPattern, expr: object, var2val: Mapping[Any, Any] | None = None) -> bool:
    """Return whether a value matches."""
    return extract_matched_expr(pattern, expr, var2val) is not None


class Matcher:
    """What patterns have matched so far."""

    def __init__(self, values: Mapping[Any, Any]) -> None:
        self.values = values
        self.matches: Matches = {}

    def value_of(self, expr: Any) -> Any:
        """Return the value that a variable is bound to, through other variables."""
        while isinstance(expr, Var) and expr in self.values:
            expr = self.values[expr]
        return expr

    def match(self, pattern: DFPattern, expr: Any) -> bool:
        """Match, and record what was matched. Nothing is recorded where the value does not match."""
        value = expr if isinstance(pattern, _OF_ARGUMENTS) else self.value_of(expr)
        if pattern in self.matches:
            return self.value_of(self.matches[pattern]) is self.value_of(value)
        before = dict(self.matches)
        if self.rules[type(pattern)](self, pattern, value):
            self.matches[pattern] = value
            return True
        self.matches = before
        return False

    def _all(self, patterns: tuple[DFPattern, ...], values: tuple[Any, ...]) -> bool:
        return all(self.match(pattern, value) for pattern, value in zip(patterns, values, strict=True))

    def _any(self, pattern: WildcardPattern, expr: Any) -> bool:
        return True

    def _equal(self, pattern: ExprPattern, expr: Any) -> bool:
        return pattern.expr is expr or structural_equal(pattern.expr, expr)

    def _name(self, pattern: VarPattern, expr: Any) -> bool:
        kind = _NAMES[type(pattern)]
        return isinstance(expr, kind) and pattern.name in ("", getattr(expr, "name_hint", ""))

    def _extern(self, pattern: ExternFuncPattern, expr: Any) -> bool:
        return isinstance(expr, ExternFunc) and expr.global_symbol == pattern.global_symbol

    def _constant(self, pattern: ConstantPattern, expr: Any) -> bool:
        return isinstance(expr, Constant)

    def _call(self, pattern: CallPattern, expr: Any) -> bool:
        if not isinstance(expr, Call) or not self.match(pattern.op, expr.op):
            return False
        count = len(pattern.args)
        if len(expr.args) < count or (len(expr.args) > count and not pattern.varg_default_wildcard):
            return False
        args = expr.args[:count]
        if self._all(pattern.args, args):
            return True
        if getattr(expr.op, "name", "") not in _COMMUTATIVE or count != 2:
            return False
        for part in pattern.args:
            self.matches.pop(part, None)
        return self._all(pattern.args, args[::-1])

    def _function(self, pattern: FunctionPattern, expr: Any) -> bool:
        if not isinstance(expr, Function) or len(expr.params) != len(pattern.params):
            return False
        inner = Matcher({**self.values, **get_var2val(expr)})
        inner.matches = self.matches
        is_match = inner._all(pattern.params, expr.params) and inner.match(pattern.body, expr.body.body)
        self.matches = inner.matches
        return is_match

    def _sizes(self, pattern: PrimArrPattern, expr: Any) -> bool:
        return isinstance(expr, ShapeExpr) and bool(shapes_provably_equal(expr.values, pattern.shape))

    def _tuple(self, pattern: TuplePattern, expr: Any) -> bool:
        return (
            isinstance(expr, Tuple)
            and len(expr.fields) == len(pattern.fields)
            and self._all(pattern.fields, expr.fields)
        )

    def _unordered(self, pattern: UnorderedTuplePattern, expr: Any) -> bool:
        if not isinstance(expr, Tuple) or len(expr.fields) != len(pattern.fields):
            return False
        before = dict(self.matches)
        for fields in permutations(expr.fields):
            if self._all(pattern.fields, fields):
                return True
            self.matches = dict(before)
        return False

    def _item(self, pattern: TupleGetItemPattern, expr: Any) -> bool:
        return (
            isinstance(expr, TupleGetItem)
            and pattern.index in (None, expr.index)
            and self.match(pattern.tuple_value, expr.tuple_value)
        )

    def _or(self, pattern: OrPattern, expr: Any) -> bool:
        return self.match(pattern.left, expr) or self.match(pattern.right, expr)

    def _and(self, pattern: AndPattern, expr: Any) -> bool:
        return self.match(pattern.left, expr) and self.match(pattern.right, expr)

    def _not(self, pattern: NotPattern, expr: Any) -> bool:
        return not Matcher(self.values).match(pattern.reject, expr)

    def _attrs(self, pattern: AttrPattern, expr: Any) -> bool:
        attrs: Mapping[str, Any] = getattr(self.value_of(expr), "attrs", None) or {}
        has_all = all(key in attrs and structural_equal(attrs[key], value) for key, value in pattern.attrs.items())
        return has_all and self.match(pattern.pattern, expr)

    def _struct_info(self, pattern: StructInfoPattern, expr: Any) -> bool:
        info = getattr(expr, "struct_info", None)
        return info is not None and pattern.struct_info.is_base_of(info) and self.match(pattern.pattern, expr)

    def _dtype(self, pattern: DataTypePattern, expr: Any) -> bool:
        info = getattr(expr, "struct_info", None)
        has_dtype = isinstance(info, TensorStructInfo) and info.dtype is pattern.dtype
        return has_dtype and self.match(pattern.pattern, expr)

    def _shape(self, pattern: ShapePattern, expr: Any) -> bool:
        info = getattr(expr, "struct_info", None)
        has_shape = isinstance(info, TensorStructInfo) and shapes_provably_equal(info.extents, pattern.shape)
        return has_shape and self.match(pattern.pattern, expr)

    rules: ClassVar[dict[type, Callable[[Any, Any, Any], bool]]] = {
        WildcardPattern: _any,
        ExprPattern: _equal,
        VarPattern: _name,
        DataflowVarPattern: _name,
        GlobalVarPattern: _name,
        ExternFuncPattern: _extern,
        ConstantPattern: _constant,
        CallPattern: _call,
        FunctionPattern: _function,
        PrimArrPattern: _sizes,
        TuplePattern: _tuple,
        UnorderedTuplePattern: _unordered,
        TupleGetItemPattern: _item,
        OrPattern: _or,
        AndPattern: _and,
        NotPattern: _not,
        AttrPattern: _attrs,
        StructInfoPattern: _struct_info,
        DataTypePattern: _dtype,
        ShapePattern: _shape,
    }


#: operators whose arguments match in either order
_COMMUTATIVE = ("relax.add", "relax.multiply")
#: patterns of what stands in a place, whether it is a variable or not; the others see the values of variables
_OF_ARGUMENTS = (
    WildcardPattern,
    VarPattern,
    OrPattern,
    AndPattern,
    NotPattern,
    AttrPattern,
    StructInfoPattern,
    DataTypePattern,
    ShapePattern,
)
_NAMES: dict[type, type] = {VarPattern: Var, DataflowVarPattern: DataflowVar, GlobalVarPattern: GlobalVar}
