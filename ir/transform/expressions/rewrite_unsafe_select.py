"""Replace Selects with unsafe operands by `T.if_then_else`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import CallEffect, Op, on
from tvmscript.ir.tir import BufferLoad, Call, Expr, PrimFunc, Select, TirRewriter
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.transform.base import PrimFuncPass


def is_unsafe(expr: Expr) -> bool:
    """Return whether evaluating an expression may read out of bounds or have a side effect.

    Operands of an inner Select or `T.if_then_else` are guarded by its condition and do not count.
    """
    stack: list[Any] = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Select):
            stack.append(node.condition)
        elif isinstance(node, BufferLoad):
            return True
        elif isinstance(node, Call):
            if not isinstance(node.op, Op):
                return True
            if node.op.name == "tir.if_then_else":
                stack.append(node.args[0])
            elif node.op.name == "tir.address_of" and isinstance(node.args[0], BufferLoad):
                stack += node.args[0].indices
            elif node.op.effect > CallEffect.PURE:
                return True
            else:
                stack += node.args
        elif not node.is_name:
            stack += [part for part in _children(node) if isinstance(part, Expr)]
    return False


def _children(node: Expr) -> list[Any]:
    children: list[object] = []
    for field in node.schema.children:
        value = getattr(node, field)
        children += value if isinstance(value, tuple) else (value,)
    return children


class _UnsafeSelectRewriter(TirRewriter):
    @on(Select)
    def select(self, node: Select) -> Expr:
        new_select = self.descend(node)
        if new_select.condition.dtype.lanes != 1 or not (
            is_unsafe(new_select.true_value) or is_unsafe(new_select.false_value)
        ):
            return new_select
        args = (new_select.condition, new_select.true_value, new_select.false_value)
        return Call(new_select.dtype, if_then_else_, args, node.span)


@dataclass(frozen=True)
class RewriteUnsafeSelect(PrimFuncPass):
    """Replace a Select whose operands load from memory or call functions by `T.if_then_else`, which evaluates only one.

    A Select with a vector condition is not changed.

    rewrite:
        B[i] = T.Select(i < 4, A[i], 0)  -->  B[i] = T.if_then_else(i < 4, A[i], 0)
    """

    name = "tir.RewriteUnsafeSelect"
    is_idempotent = True
    looks_for_in_values = frozenset({Select})

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_UnsafeSelectRewriter().rewrite(func.body))
