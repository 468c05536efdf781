"""Reverse-mode differentiation of a block: gradients of the target with respect to the variables, last to first.

C. Elliott, "The simple essence of automatic differentiation", 2018.
"""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import nodes
from tvmscript.ir.relax.anf import is_leaf
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.errors import NotDifferentiable
from tvmscript.ir.relax.expr import Call, Tuple, TupleGetItem, Var, VarBinding
from tvmscript.ir.relax.op.adjoint import Adjoint, apply
from tvmscript.ir.relax.op.call_tir import call_tir, call_tir_with_grad
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.operators.gradient.checkpoints import Checkpoints


class ReverseMode:
    """Emits the gradients of the bindings of a block into a dataflow block of a builder."""

    def __init__(self, builder: BlockBuilder, checkpoints: Checkpoints) -> None:
        self.builder = builder
        self.checkpoints = checkpoints
        #: variable -> the gradient of the target with respect to it, as far as it is summed
        self.adjoints: dict[Var, Var] = {}
        #: parts of tuples that are bound already
        self._bound: dict[RelaxExpr, RelaxExpr] = {}

    def differentiate(self, target: Var, sources: set[Var]) -> None:
        """Emit the gradients with respect to all variables. `sources` are those that the gradient is asked for.

        Raises `NotDifferentiable` for a call between a source and the target whose operator has no gradient.
        """
        info = target.struct_info
        assert isinstance(info, TensorStructInfo)
        self.adjoints[target] = self._bind(apply("ones", (), str(info.dtype)), target)
        dependent = set(sources)
        for binding in self.checkpoints.bindings:
            if any(part in dependent for part in nodes(binding.value)):
                dependent.add(binding.var)
        for binding in reversed(self.checkpoints.bindings):
            if binding.var in self.adjoints:
                self._visit(binding, binding.var in dependent)

    def zeros(self, var: Var) -> Var:
        """Emit a zero gradient of a variable that the target does not depend on."""
        return self._bind(_zeros(var.struct_info, var), var)

    def _visit(self, binding: VarBinding, is_dependent: bool) -> None:
        """Emit what the gradient of a variable adds to the gradients of the variables in its value."""
        value, adjoint = binding.value, self.adjoints[binding.var]
        if isinstance(value, Call):
            self._visit_call(binding.var, value, adjoint, is_dependent)
        elif isinstance(value, TupleGetItem):
            assert isinstance(value.tuple_value, Var)
            self._add_item(value.tuple_value, value.index, adjoint)
        else:
            self._add(value, adjoint)

    def _visit_call(self, var: Var, call: Call, adjoint: Var, is_dependent: bool) -> None:
        gradient = call.op.gradient if isinstance(call.op, Operator) else None
        if gradient is None:
            if is_dependent:
                name = getattr(call.op, "script_name", None) or f"the call of {getattr(call.op, 'name_hint', call.op)}"
                raise NotDifferentiable(what=name, reason="it has no gradient", span=call.span)
            return
        call_again = self.checkpoints.compute_again(call, self._emit_again)
        result = self.checkpoints.compute_again(var, self._emit_again)
        partials = gradient(Adjoint(self.builder, call_again, result, adjoint))
        for argument, partial in zip(call.args, partials, strict=True):
            if partial is not None:
                self._add(argument, partial)

    def _emit_again(self, value: RelaxExpr, name: str) -> Var:
        return self.builder.emit(without_gradient(value), name)

    def _add(self, value: Any, partial: RelaxExpr) -> None:
        """Add a gradient to that of a variable, or to those of the variables in a tuple. Other values have none."""
        if isinstance(value, Var):
            old = self.adjoints.get(value)
            self.adjoints[value] = self._bind(partial if old is None else self._sum(old, partial), value)
        elif isinstance(value, Tuple):
            whole = partial if isinstance(partial, (Var, Tuple)) else self.builder.emit(partial)
            for index, field in enumerate(value.fields):
                self._add(field, whole.fields[index] if isinstance(whole, Tuple) else TupleGetItem(whole, index))

    def _add_item(self, var: Var, index: int, partial: RelaxExpr) -> None:
        """Add a gradient to that of an item of a tuple."""
        info, old = var.struct_info, self.adjoints.get(var)
        assert isinstance(info, TupleStructInfo)
        fields: list[RelaxExpr] = []
        for at, field in enumerate(info.fields):
            if old is None:
                fields.append(partial if at == index else _zeros(field, var))
                continue
            item = TupleGetItem(old, at)
            fields.append(self._leaf(self._sum(item, partial) if at == index else item))
        self.adjoints[var] = self._bind(Tuple(tuple(fields)), var)

    def _sum(self, a: RelaxExpr, b: RelaxExpr) -> RelaxExpr:
        """Return the sum of two gradients of one kind, tuples field by field."""
        info = a.struct_info
        if not isinstance(info, TupleStructInfo):
            return apply("add", self._leaf(a), self._leaf(b))
        pairs = [(_item(a, index), _item(b, index)) for index in range(len(info.fields))]
        return Tuple(tuple([self._leaf(self._sum(*pair)) for pair in pairs]))

    def _leaf(self, value: RelaxExpr) -> RelaxExpr:
        """Return a value, bound to a variable unless it may be an argument."""
        if is_leaf(value):
            return value
        if value not in self._bound:
            item = value
            if isinstance(value, TupleGetItem):
                item = TupleGetItem(self._leaf(value.tuple_value), value.index)
            self._bound[value] = self.builder.emit(item)
        return self._bound[value]

    def _bind(self, value: RelaxExpr, var: Var) -> Var:
        return self.builder.emit(value, f"{var.name_hint}_adjoint")


def without_gradient(value: RelaxExpr) -> RelaxExpr:
    """Return `R.call_tir` for `R.call_tir_with_grad`, any other value itself."""
    if isinstance(value, Call) and value.op is call_tir_with_grad:
        return Call(call_tir, value.args, sinfo_args=value.sinfo_args, span=value.span)
    return value


def _item(value: RelaxExpr, index: int) -> RelaxExpr:
    return value.fields[index] if isinstance(value, Tuple) else TupleGetItem(value, index)


def _zeros(info: StructInfo | None, var: Var) -> RelaxExpr:
    """Return zeros like the values of a struct info. Raises `NotDifferentiable` where a shape is unknown."""
    if isinstance(info, TupleStructInfo):
        return Tuple(tuple([_zeros(field, var) for field in info.fields]))
    if not isinstance(info, TensorStructInfo) or info.extents is None:
        raise NotDifferentiable(what=f"the variable {var.name_hint}", reason=f"it has no zero: {info}", span=var.span)
    return apply("zeros", info.extents, str(info.dtype))
