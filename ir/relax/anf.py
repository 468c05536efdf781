"""A-normal form: arguments are variables, constants, or tuples of them; every other value is bound to a variable."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Protocol

from tvmscript.ir.core import GlobalVar, structural_equal
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    Constant,
    DataflowBlock,
    DataflowVar,
    DataTypeImm,
    ExternFunc,
    If,
    MatchCast,
    PrimValue,
    SeqExpr,
    ShapeExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TupleStructInfo

#: expressions that may be arguments
LEAVES = (Var, Constant, ShapeExpr, PrimValue, StringImm, DataTypeImm, ExternFunc, GlobalVar)
#: expressions that must be bound to a variable, or whose parts must be
_NESTED = frozenset((Call, Tuple, TupleGetItem, If, SeqExpr, Function))


def is_leaf(value: object) -> bool:
    """Whether a value may be an argument."""
    return isinstance(value, LEAVES) or (isinstance(value, Tuple) and all(map(is_leaf, value.fields)))


def _is_unit_var(value: Any) -> bool:
    """Whether a value is a variable of the empty tuple, which `R.tuple()` replaces."""
    info = value.struct_info
    return type(info) is TupleStructInfo and not info.fields and isinstance(value, Var)


class BindingEmitter(Protocol):
    """The methods of a builder that normalization uses."""

    def emit(self, expr: RelaxExpr, name_hint: str = "") -> Var: ...

    def emit_argument(self, expr: RelaxExpr) -> Var: ...

    def emit_normalized(self, binding: VarBinding | MatchCast) -> None: ...

    def sequence(self, fill: Callable[[], RelaxExpr], params: tuple[Var, ...] = ()) -> SeqExpr: ...

    def begin_block(self, is_dataflow: bool) -> None: ...

    def current_block_is_dataflow(self) -> bool: ...


class Normalizer:
    """Converts values to A-normal form, and emits new bindings to a builder. Normal values are returned unchanged."""

    def __init__(self, builder: BindingEmitter) -> None:
        # the builder has its normalizer: together they would be garbage that only the collector finds
        self._builder = weakref.ref(builder)

    @property
    def builder(self) -> BindingEmitter:
        """The builder that gets the bindings."""
        builder = self._builder()
        assert builder is not None
        return builder

    def argument(self, value: Any) -> Any:
        """Return a leaf for the value, bound to a new variable where needed."""
        kind = type(value)
        if kind is Tuple:
            return self.tuple_value(value)
        leaf = self.builder.emit_argument(value) if kind in _NESTED else value
        return Tuple(()) if _is_unit_var(leaf) else leaf

    def value(self, value: object) -> Any:
        """Return the value with leaves as arguments."""
        rule = _VALUE_RULES.get(type(value))
        return value if rule is None else rule(self, value)

    def _arguments(self, values: tuple[object, ...]) -> tuple[Any, ...]:
        for value in values:
            if type(value) in _NESTED or _is_unit_var(value):
                leaves = tuple([self.argument(value) for value in values])
                return values if leaves == values else leaves  # == of nodes is identity
        return values

    def variable_value(self, value: Var) -> RelaxExpr:
        return Tuple(()) if _is_unit_var(value) else value

    # struct info is kept: a variable has the struct info of its value

    def tuple_value(self, value: Tuple) -> Tuple:
        fields = self._arguments(value.fields)
        return value if fields is value.fields else value.replace(fields=fields, struct_info=value.struct_info)

    def call_value(self, value: Call) -> Call:
        op = value.op
        if type(op) in _NESTED:
            op = self.argument(op)
        args = self._arguments(value.args)
        if args is value.args and op is value.op:
            return value
        return value.replace(op=op, args=args, struct_info=value.struct_info)

    def item_value(self, value: TupleGetItem) -> TupleGetItem:
        tuple_value = self.argument(value.tuple_value)
        if tuple_value is value.tuple_value:
            return value
        return value.replace(tuple_value=tuple_value, struct_info=value.struct_info)

    def if_value(self, value: If) -> If:
        cond = self.argument(value.cond)
        branches = [self.sequence(branch) for branch in (value.true_branch, value.false_branch)]
        return value.rebuild(cond=cond, true_branch=branches[0], false_branch=branches[1])

    def function_value(self, value: Function) -> Function:
        return value.rebuild(body=self.sequence(value.body, value.params))

    def sequence_value(self, value: SeqExpr) -> RelaxExpr:
        """Inline a sequence into the current body. Inside a dataflow block, its blocks are merged into that block."""
        opens_blocks = not self.builder.current_block_is_dataflow()
        self._emit_bindings(value, opens_blocks)
        if opens_blocks:
            self.builder.begin_block(False)
        result: RelaxExpr = self.value(value.body)
        return result

    def _emit_bindings(self, value: SeqExpr, opens_blocks: bool) -> None:
        for block in value.blocks:
            if opens_blocks:
                self.builder.begin_block(isinstance(block, DataflowBlock))
            for binding in block.bindings:
                self.binding(binding)

    def cast_value(self, value: RelaxExpr) -> Any:
        """Normalize the value of a cast: a leaf or, outside of dataflow blocks, a call or tuple item."""
        if type(value) in (Call, TupleGetItem) and not self.builder.current_block_is_dataflow():
            return self.value(value)
        return self.argument(value)

    def binding(self, binding: Any) -> None:
        """Emit a binding with its value normalized."""
        value = self.cast_value(binding.value) if isinstance(binding, MatchCast) else self.value(binding.value)
        self.builder.emit_normalized(binding if value is binding.value else binding.replace(value=value))

    def sequence(self, value: RelaxExpr, params: tuple[Var, ...] = ()) -> SeqExpr:
        """Return a normalized sequence for a branch or a body."""

        def fill() -> RelaxExpr:
            if not isinstance(value, SeqExpr):
                return value
            self._emit_bindings(value, True)
            return value.body

        sequence = self.builder.sequence(fill, params)
        return value if isinstance(value, SeqExpr) and is_same_sequence(value, sequence) else sequence


def is_same_sequence(old: SeqExpr, new: SeqExpr) -> bool:
    """Whether rebuilding a sequence changed nothing."""
    return (
        old.body is new.body
        and (old.struct_info is new.struct_info or structural_equal(old.struct_info, new.struct_info))
        and len(old.blocks) == len(new.blocks)
        and all(_is_same_block(a, b) for a, b in zip(old.blocks, new.blocks, strict=True))
    )


def _is_same_block(old: BindingBlock, new: BindingBlock) -> bool:
    return (
        type(old) is type(new)
        and len(old.bindings) == len(new.bindings)
        and all(a is b for a, b in zip(old.bindings, new.bindings, strict=True))
    )


_VALUE_RULES: dict[type, Callable[[Any, Any], Any]] = {
    Var: Normalizer.variable_value,
    DataflowVar: Normalizer.variable_value,
    Call: Normalizer.call_value,
    Tuple: Normalizer.tuple_value,
    TupleGetItem: Normalizer.item_value,
    If: Normalizer.if_value,
    Function: Normalizer.function_value,
    SeqExpr: Normalizer.sequence_value,
}
