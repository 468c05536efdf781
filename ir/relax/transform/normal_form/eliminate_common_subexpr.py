"""EliminateCommonSubexpr: compute equal values once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, on, structural_equal
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    Constant,
    DataflowBlock,
    DataflowVar,
    DataTypeImm,
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
from tvmscript.ir.relax.op.builtin import alloc_tensor
from tvmscript.ir.relax.op.memory import alloc_storage
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.variables import is_impure_call

#: values that are bound once; others have bodies of their own
_VALUES = (Call, Tuple, TupleGetItem, Var, Constant, ShapeExpr, PrimValue, StringImm, DataTypeImm)
#: every call allocates memory of its own
_ALLOCATIONS = (alloc_storage, alloc_tensor)


@dataclass(frozen=True)
class EliminateCommonSubexpr(RelaxFunctionPass):
    """Bind a variable to an earlier one that has an equal value and is in scope. With `call_only`, only calls count.

    rewrite:
        lv = R.add(x, y)    -->  lv = R.add(x, y)
        lv1 = R.add(x, y)        lv1 = lv
    """

    name = "relax.EliminateCommonSubexpr"
    call_only: bool = False

    def transform(self, func: Function, mod: IRModule) -> Function:
        rewritten: Function = _Eliminator(self.call_only).rewrite(func)
        return rewritten


class _Eliminator(RelaxRewriter):
    """Rewriter that knows the values in scope."""

    def __init__(self, call_only: bool) -> None:
        super().__init__()
        self.call_only = call_only
        #: hash of a value -> values with the variables that they are bound to
        self.known: dict[int, list[tuple[object, Var]]] = {}
        #: variables of the block that others stand for
        self._replaced: list[Var] = []

    @on(Function)
    def function(self, node: Function) -> Function:
        outside, self.known = self.known, {}
        rewritten = super().function(node)
        self.known = outside
        return rewritten

    @on(If)
    def branches(self, node: If) -> If:
        cond = self.value(node.cond)
        bodies: list[SeqExpr] = []
        for branch in (node.true_branch, node.false_branch):
            outside = {key: list(values) for key, values in self.known.items()}
            bodies.append(self.rewrite(branch))
            self.known = outside
        return node.rebuild(cond=cond, true_branch=bodies[0], false_branch=bodies[1])

    def block(self, node: BindingBlock) -> None:
        if isinstance(node, DataflowBlock):
            self._replaced.clear()
        super().block(node)
        if isinstance(node, DataflowBlock):
            self.known = {
                key: [(value, var) for value, var in values if not isinstance(var, DataflowVar)]
                for key, values in self.known.items()
            }
            # behind the block, an output stands for itself
            for var in self._replaced:
                del self.renamed[var]
            self._replaced.clear()

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        self._bind(node, self.value(node.value), None)

    @on(MatchCast)
    def match_cast(self, node: MatchCast) -> None:
        if self.call_only:
            super().match_cast(node)
        else:
            self._bind(node, self.value(node.value), node.struct_info)

    def _bind(self, node: Any, value: RelaxExpr, info: object) -> None:
        """Emit a binding, or one to the variable that has the value already."""
        is_candidate = info is not None or isinstance(value, Call if self.call_only else _VALUES)
        if isinstance(value, Call) and (is_impure_call(value) or value.op in _ALLOCATIONS):
            is_candidate = False
        key: Any = (value, info)
        entries = self.known.setdefault(structural_hash(value), []) if is_candidate else []
        for other, var in entries:
            if structural_equal(other, key):
                self.renamed[node.var] = var
                self._replaced.append(node.var)
                self.builder.emit_normalized(VarBinding(node.var, var, span=node.span))
                entries.append((key, node.var))  # an output of a block stands for the value behind it
                return
        if value is node.value:
            self.builder.emit_normalized(node)
            entries.append((key, node.var))
            return
        var = node.var if info is not None else self.bound(node.var, value)
        self.builder.emit_normalized(node.replace(var=var, value=value))
        entries.append((key, var))
