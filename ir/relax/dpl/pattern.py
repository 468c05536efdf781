"""Patterns of graph values (TVM's `relax.dpl`).

A pattern is an object: where it occurs twice, it matches one value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tvmscript.ir.core import DType, Op
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.tir import Expr, as_expr


class DFPattern:
    """Base class of patterns."""

    __slots__ = ()

    def __call__(self, *args: DFPattern, varg_default_wildcard: bool = False) -> CallPattern:
        """Return the pattern of a call of this. With `varg_default_wildcard`, further arguments are accepted."""
        return CallPattern(self, tuple(args), varg_default_wildcard)

    def __or__(self, other: DFPattern) -> OrPattern:
        return OrPattern(self, other)

    def __and__(self, other: DFPattern) -> AndPattern:
        return AndPattern(self, other)

    def __invert__(self) -> NotPattern:
        return NotPattern(self)

    def __add__(self, other: DFPattern) -> CallPattern:
        return is_op("relax.add")(self, other)

    def __sub__(self, other: DFPattern) -> CallPattern:
        return is_op("relax.subtract")(self, other)

    def __mul__(self, other: DFPattern) -> CallPattern:
        return is_op("relax.multiply")(self, other)

    def __truediv__(self, other: DFPattern) -> CallPattern:
        return is_op("relax.divide")(self, other)

    def has_attr(self, attrs: Mapping[str, object]) -> AttrPattern:
        """Return the pattern of the same values with these attributes."""
        return AttrPattern(self, dict(attrs))

    def has_struct_info(self, struct_info: StructInfo) -> StructInfoPattern:
        """Return the pattern of the same values whose struct info is at least as precise."""
        return StructInfoPattern(self, struct_info)

    def has_dtype(self, dtype: str) -> DataTypePattern:
        """Return the pattern of the same values of a dtype."""
        return DataTypePattern(self, DType(dtype))

    def has_shape(self, shape: Sequence[Expr | int]) -> ShapePattern:
        """Return the pattern of the same values of a shape."""
        return ShapePattern(self, tuple(as_expr(size, DType("int64")) for size in shape))

    def optional(self, option: Callable[[DFPattern], DFPattern]) -> DFPattern:
        """Return the pattern of this value, or of what `option` makes of it."""
        return self | option(self)


@dataclass(frozen=True, eq=False)
class WildcardPattern(DFPattern):
    """Every value."""


@dataclass(frozen=True, eq=False)
class ExprPattern(DFPattern):
    """A value that is structurally equal to this, such as an operator."""

    expr: Any


@dataclass(frozen=True, eq=False)
class VarPattern(DFPattern):
    """A variable, of this name if there is one."""

    name: str = ""


@dataclass(frozen=True, eq=False)
class DataflowVarPattern(VarPattern):
    """A DataflowVar."""


@dataclass(frozen=True, eq=False)
class GlobalVarPattern(VarPattern):
    """A function of the module."""


@dataclass(frozen=True, eq=False)
class ExternFuncPattern(DFPattern):
    """An external function of this name."""

    global_symbol: str


@dataclass(frozen=True, eq=False)
class ConstantPattern(DFPattern):
    """A constant."""


@dataclass(frozen=True, eq=False)
class CallPattern(DFPattern):
    """A call with these arguments."""

    op: DFPattern
    args: tuple[DFPattern, ...]
    varg_default_wildcard: bool = False


@dataclass(frozen=True, eq=False)
class TuplePattern(DFPattern):
    """A tuple with these fields, in order."""

    fields: tuple[DFPattern, ...]


@dataclass(frozen=True, eq=False)
class UnorderedTuplePattern(TuplePattern):
    """A tuple with these fields in any order."""


@dataclass(frozen=True, eq=False)
class TupleGetItemPattern(DFPattern):
    """An item of a tuple; the index None stands for any."""

    tuple_value: DFPattern
    index: int | None = None


@dataclass(frozen=True, eq=False)
class OrPattern(DFPattern):
    """Values that match one of two patterns; the left one is tried first."""

    left: DFPattern
    right: DFPattern


@dataclass(frozen=True, eq=False)
class AndPattern(DFPattern):
    """Values that match both patterns."""

    left: DFPattern
    right: DFPattern


@dataclass(frozen=True, eq=False)
class NotPattern(DFPattern):
    """Values that do not match a pattern."""

    reject: DFPattern


@dataclass(frozen=True, eq=False)
class AttrPattern(DFPattern):
    """Calls and functions with attributes."""

    pattern: DFPattern
    attrs: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, eq=False)
class StructInfoPattern(DFPattern):
    """Values with struct info at least as precise as this."""

    pattern: DFPattern
    struct_info: StructInfo


@dataclass(frozen=True, eq=False)
class DataTypePattern(DFPattern):
    """Tensors of a dtype."""

    pattern: DFPattern
    dtype: DType


@dataclass(frozen=True, eq=False)
class ShapePattern(DFPattern):
    """Tensors of a shape."""

    pattern: DFPattern
    shape: tuple[Expr, ...]


def wildcard() -> WildcardPattern:
    """Return the pattern of every value."""
    return WildcardPattern()


def is_var(name: str = "") -> VarPattern:
    """Return the pattern of variables."""
    return VarPattern(name)


def is_dfv(name: str = "") -> DataflowVarPattern:
    """Return the pattern of variables of dataflow blocks."""
    return DataflowVarPattern(name)


def is_gv(name: str = "") -> GlobalVarPattern:
    """Return the pattern of functions of the module."""
    return GlobalVarPattern(name)


def is_const() -> ConstantPattern:
    """Return the pattern of constants."""
    return ConstantPattern()


def is_expr(expr: RelaxExpr) -> ExprPattern:
    """Return the pattern of values that are structurally equal to this."""
    return ExprPattern(expr)


def is_op(op_name: str) -> ExprPattern:
    """Return the pattern of an operator, such as `relax.add`. Raises `UnknownName`."""
    return ExprPattern(Op.get(op_name))


def is_tuple(fields: Sequence[DFPattern], unordered: bool = False) -> TuplePattern:
    """Return the pattern of tuples with these fields."""
    return (UnorderedTuplePattern if unordered else TuplePattern)(tuple(fields))


def is_tuple_get_item(tuple_value: DFPattern, index: int | None = None) -> TupleGetItemPattern:
    """Return the pattern of an item of a tuple, of any where `index` is None."""
    return TupleGetItemPattern(tuple_value, index)


def has_dtype(dtype: str, pattern: DFPattern | None = None) -> DataTypePattern:
    """Return the pattern of values of a dtype."""
    return (pattern or wildcard()).has_dtype(dtype)


def has_attr(attrs: Mapping[str, object], pattern: DFPattern | None = None) -> AttrPattern:
    """Return the pattern of calls and functions with attributes."""
    return (pattern or wildcard()).has_attr(attrs)


def is_call_tir(name: str, args: Sequence[DFPattern] | TuplePattern | None = None) -> CallPattern:
    """Return the pattern of the calls of a kernel of the module."""
    return _call("relax.call_tir", GlobalVarPattern(name), args)


def is_call_dps_packed(name: str, args: Sequence[DFPattern] | TuplePattern | None = None) -> CallPattern:
    """Return the pattern of the calls of an external function in destination-passing style."""
    return _call("relax.call_dps_packed", ExternFuncPattern(name), args)


def is_call_packed(name: str, args: Sequence[DFPattern] | None = None) -> CallPattern:
    """Return the pattern of the calls of an external function."""
    callee = ExternFuncPattern(name)
    return callee(varg_default_wildcard=True) if args is None else callee(*args)


def _call(op_name: str, callee: DFPattern, args: Sequence[DFPattern] | TuplePattern | None) -> CallPattern:
    arguments = wildcard() if args is None else args if isinstance(args, DFPattern) else is_tuple(args)
    return is_op(op_name)(callee, arguments, varg_default_wildcard=True)


def make_fused_bias_activation_pattern(
    op_name: str, with_bias: bool = False, activation: str | None = None
) -> DFPattern:
    """Return the pattern of an operator of two arguments, a bias that is added, and an activation."""
    pattern: DFPattern = is_op(op_name)(wildcard(), wildcard())
    if with_bias:
        pattern = is_op("relax.add")(pattern, wildcard())
    return pattern if activation is None else is_op(activation)(pattern)
