"""KillAfterLastUse: end the lifetime of tensors and storage after their last use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, nodes, on
from tvmscript.ir.relax.expr import (
    Binding,
    BindingBlock,
    Call,
    DataflowBlock,
    DataflowVar,
    If,
    MatchCast,
    SeqExpr,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.memory import alloc_storage, kill_storage, kill_tensor
from tvmscript.ir.relax.op.vm import kill_object
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.normal_form.canonicalize_bindings import CanonicalizeBindings


@dataclass(frozen=True)
class KillAfterLastUse(RelaxFunctionPass):
    """Remove bindings that only rename a value, then end lifetimes in each sequence of bindings.

    rewrite:
        cls.f(x, y)    -->  cls.f(x, y)
        cls.f(y, z)         cls.f(y, z)
                            R.memory.kill_tensor(y)
    """

    name = "relax.KillAfterLastUse"

    def transform(self, func: Function, mod: IRModule) -> Function:
        killed: Function = _Killer().rewrite(CanonicalizeBindings().transform(func, mod))
        return killed


class _Killer(RelaxRewriter):
    """Rewriter that adds ends of lifetimes."""

    @on(SeqExpr)
    def sequence(self, node: SeqExpr) -> SeqExpr:
        killed = dict(_last_uses(node))
        rewritten = super().sequence(node)
        if not killed:
            return rewritten
        return rewritten.replace(blocks=tuple([_with_ends(block, killed) for block in rewritten.blocks]))


def _with_ends(block: BindingBlock, killed: Mapping[Var, Sequence[tuple[Operator, Var]]]) -> BindingBlock:
    """Return a block with the calls that end lifetimes after the bindings of some variables."""
    bindings: list[Binding] = []
    for binding in block.bindings:
        bindings.append(binding)
        if isinstance(binding, (VarBinding, MatchCast)):
            bindings += [_kill(operator, var, block) for operator, var in killed.get(binding.var, ())]
    return block.replace(bindings=tuple(bindings))


def _kill(operator: Operator, var: Var, block: BindingBlock) -> VarBinding:
    """Return the call that ends the lifetime of a variable; it is no output of a dataflow block."""
    kind = DataflowVar if isinstance(block, DataflowBlock) else Var
    return VarBinding(kind("_", TupleStructInfo(())), Call(operator, [var]))


def _last_uses(body: SeqExpr) -> Iterator[tuple[Var, list[tuple[Operator, Var]]]]:
    """Yield the variable of each binding after which lifetimes end, with the variables and what ends them."""
    bound: dict[Var, Operator] = {}
    last: dict[Var, Var] = {}
    for block in body.blocks:
        for binding in block.bindings:
            if not isinstance(binding, (VarBinding, MatchCast)):
                continue
            for used in _used(binding.value):
                if used in bound:
                    last[used] = binding.var
            operator = _end_of(binding)
            if operator is not None:
                bound[binding.var] = operator
    kept = set(_used(body.body))
    ends: dict[Var, list[tuple[Operator, Var]]] = {}
    for var, operator in sorted(bound.items(), key=lambda item: item[1] is kill_object):
        if var in last and var not in kept:
            ends.setdefault(last[var], []).append((operator, var))
    yield from ends.items()


def _used(value: Any) -> Iterator[Var]:
    return (part for part in nodes(value) if isinstance(part, Var))


def _end_of(binding: VarBinding | MatchCast) -> Operator | None:
    """Return the operator that ends the lifetime of a value, None where it has none of its own."""
    value = binding.value
    if isinstance(value, Call) and value.op is alloc_storage:
        return kill_storage
    if not isinstance(value, (Call, If, Tuple, TupleGetItem)) and not isinstance(binding, MatchCast):
        return None
    info = binding.var.struct_info
    if isinstance(info, TensorStructInfo):
        return kill_tensor
    is_object = isinstance(info, ObjectStructInfo) or (isinstance(info, TupleStructInfo) and len(info.fields) > 0)
    return kill_object if is_object else None
