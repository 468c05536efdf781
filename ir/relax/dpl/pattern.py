"""Patterns of graph values (TVM's `relax.dpl`).

A pattern is an object: where it occurs twice, it matches one value. Inside a `PatternContext`, patterns are vertices of
a graph; the arguments of calls and `used_by` are its edges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from tvmscript.ir.core import DType, Op
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.dpl.constraints import Constraints, Edge
from tvmscript.ir.tir import Expr, as_expr


class DFPattern:
    """Base class of patterns."""

    __slots__ = ()

    def __call__(
        self, *args: DFPattern, varg_default_wildcard: bool = False, add_constraint: bool = True
    ) -> CallPattern:
        """Return the pattern of a call of this. With `varg_default_wildcard`, further arguments are accepted.

        Without `add_constraint`, the context does not record that the arguments are used by the call.
        """
        return CallPattern(self, tuple(args), varg_default_wildcard, add_constraint)

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
        return ShapePattern(self, _sizes(shape))

    def optional(self, option: Callable[[DFPattern], DFPattern]) -> DFPattern:
        """Return the pattern of this value, or of what `option` makes of it."""
        return self | option(self)

    def match(self, expr: object, var2val: Mapping[Any, Any] | None = None) -> bool:
        """Return whether a value matches. `var2val` has the values of variables."""
        return extract_matches(self, expr, var2val) is not None

    def extract_matched_expr(
        self, expr: object, var2val: Mapping[Any, Any] | None = None
    ) -> dict[DFPattern, Any] | None:
        """Return what each pattern matched, None where the value does not match."""
        return extract_matches(self, expr, var2val)

    def used_by(self, other: DFPattern | PatternSeq, index: int = -1) -> PatternSeq:
        """Require that `other` uses this value, as its argument `index` unless that is -1. Raises `BuilderMisuse`."""
        return PatternSeq((self,)).used_by(other, index)

    def only_used_by(self, other: DFPattern | PatternSeq, index: int = -1) -> PatternSeq:
        """Require that `other` alone uses this value. Raises `BuilderMisuse`."""
        return PatternSeq((self,)).only_used_by(other, index)

    def __xor__(self, other: DFPattern | PatternSeq) -> PatternSeq:
        return self.used_by(other)

    def __rshift__(self, other: DFPattern | PatternSeq) -> PatternSeq:
        return self.only_used_by(other)

    def fork_to(self, *args: DFPattern) -> None:
        """Require that all of these use this value. Raises `BuilderMisuse`."""
        for arg in args:
            self.used_by(arg)

    def same_shape_as(self, *args: DFPattern) -> None:
        """Require that these tensors have one shape. Raises `BuilderMisuse`."""
        Constraints.required("same_shape_as").same_shapes.append((self, *args))

    def dup(self) -> DFPattern:
        """Return another pattern of the same values, without constraints."""
        return _copy_pattern(self, {})


@hook
def extract_matches(
    pattern: DFPattern, expr: object, var2val: Mapping[Any, Any] | None, /
) -> dict[DFPattern, Any] | None:
    """Return what each pattern matched, None where the value does not match."""
    raise NotImplementedError


def _copy_pattern(pattern: DFPattern, copies: dict[DFPattern, DFPattern]) -> DFPattern:
    """Return a copy of a pattern and of those inside; a pattern that occurs twice has one copy."""
    if pattern not in copies:
        parts = {name: _copy_part(value, copies) for name, value in vars(pattern).items()}
        copies[pattern] = copy(pattern)
        vars(copies[pattern]).update(parts)
    return copies[pattern]


def _copy_part(value: Any, copies: dict[DFPattern, DFPattern]) -> Any:
    if isinstance(value, tuple):
        return tuple(_copy_part(item, copies) for item in value)
    return _copy_pattern(value, copies) if isinstance(value, DFPattern) else value


class PatternSeq:
    """A chain of patterns, each used by the next one. With `only_use` it has no other uses. Raises `BuilderMisuse`."""

    def __init__(self, patterns: Sequence[DFPattern], only_use: bool = False) -> None:
        self.patterns = tuple(patterns)
        self._edges = tuple(
            Edge(producer, consumer, is_only_use=only_use)
            for producer, consumer in zip(self.patterns, self.patterns[1:], strict=False)
        )
        self._record(self._edges)

    def _record(self, edges: Sequence[Edge]) -> None:
        if edges:
            Constraints.required("used_by").edges.extend(edges)

    def _join(self, other: DFPattern | PatternSeq, index: int, is_only_use: bool) -> PatternSeq:
        """Return the chain of both, whose edge between them is recorded."""
        chain = other if isinstance(other, PatternSeq) else PatternSeq((other,))
        edge = Edge(self.patterns[-1], chain.patterns[0], index, is_only_use)
        self._record((edge,))
        return self._of((*self.patterns, *chain.patterns), (*self._edges, edge, *chain._edges))

    @staticmethod
    def _of(patterns: tuple[DFPattern, ...], edges: tuple[Edge, ...]) -> PatternSeq:
        """Return a chain whose edges are recorded."""
        chain = PatternSeq(())
        chain.patterns, chain._edges = patterns, edges
        return chain

    def used_by(self, other: DFPattern | PatternSeq, index: int = -1) -> PatternSeq:
        """Require that the first of `other` uses the value of the last. Raises `BuilderMisuse`."""
        return self._join(other, index, False)

    def only_used_by(self, other: DFPattern | PatternSeq, index: int = -1) -> PatternSeq:
        """Require that the first of `other` alone uses the value of the last. Raises `BuilderMisuse`."""
        return self._join(other, index, True)

    def __xor__(self, other: DFPattern | PatternSeq) -> PatternSeq:
        return self.used_by(other)

    def __rshift__(self, other: DFPattern | PatternSeq) -> PatternSeq:
        return self.only_used_by(other)

    def __getitem__(self, index: int) -> DFPattern:
        return self.patterns[index]

    def __len__(self) -> int:
        return len(self.patterns)

    def dup(self) -> PatternSeq:
        """Return a chain of copies, with the same constraints between them. Raises `BuilderMisuse`."""
        copies: dict[DFPattern, DFPattern] = {}
        patterns = tuple(_copy_pattern(pattern, copies) for pattern in self.patterns)
        edges = tuple(
            replace(edge, producer=copies[edge.producer], consumer=copies[edge.consumer]) for edge in self._edges
        )
        self._record(edges)
        return self._of(patterns, edges)


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
    #: whether an open context records that the arguments are used by the call
    add_constraint: bool = True

    def __post_init__(self) -> None:
        context = Constraints.current()
        if self.add_constraint and context is not None:
            context.edges += [Edge(arg, self, index) for index, arg in enumerate(self.args)]


@dataclass(frozen=True, eq=False)
class FunctionPattern(DFPattern):
    """A function with parameters and a result that match these."""

    params: tuple[DFPattern, ...]
    body: DFPattern


@dataclass(frozen=True, eq=False)
class PrimArrPattern(DFPattern):
    """A shape with these sizes."""

    shape: tuple[Expr, ...]


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


def _sizes(shape: Sequence[Expr | int]) -> tuple[Expr, ...]:
    return tuple(as_expr(size, DType("int64")) for size in shape)


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


def is_shape(shape: Sequence[Expr | int]) -> PrimArrPattern:
    """Return the pattern of shapes with these sizes."""
    return PrimArrPattern(_sizes(shape))


def reject(pattern: DFPattern) -> NotPattern:
    """Return the pattern of values that do not match."""
    return NotPattern(pattern)


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


def is_call_tir(
    name: str, args: Sequence[DFPattern] | TuplePattern | None = None, tir_vars: DFPattern | None = None
) -> CallPattern:
    """Return the pattern of the calls of a kernel of the module, with the sizes `tir_vars` if they are given."""
    return _call("relax.call_tir", GlobalVarPattern(name), args, () if tir_vars is None else (tir_vars,))


def is_call_dps_packed(name: str, args: Sequence[DFPattern] | TuplePattern | None = None) -> CallPattern:
    """Return the pattern of the calls of an external function in destination-passing style."""
    return _call("relax.call_dps_packed", ExternFuncPattern(name), args)


def is_call_packed(name: str, args: Sequence[DFPattern] | None = None) -> CallPattern:
    """Return the pattern of the calls of an external function."""
    callee = ExternFuncPattern(name)
    return callee(varg_default_wildcard=True) if args is None else callee(*args)


def _call(
    op_name: str,
    callee: DFPattern,
    args: Sequence[DFPattern] | TuplePattern | None,
    others: tuple[DFPattern, ...] = (),
) -> CallPattern:
    arguments = wildcard() if args is None else args if isinstance(args, DFPattern) else is_tuple(args)
    call = is_op(op_name)(callee, arguments, *others, varg_default_wildcard=True, add_constraint=False)
    context = Constraints.current()
    if context is not None and isinstance(arguments, TuplePattern):
        context.edges += [Edge(field, call, index) for index, field in enumerate(arguments.fields)]
    return call


def make_fused_bias_activation_pattern(
    op_name: str, with_bias: bool = False, activation: str | None = None
) -> DFPattern:
    """Return the pattern of an operator of two arguments, a bias that is added, and an activation."""
    pattern: DFPattern = is_op(op_name)(wildcard(), wildcard())
    if with_bias:
        pattern = is_op("relax.add")(pattern, wildcard())
    return pattern if activation is None else is_op(activation)(pattern)
