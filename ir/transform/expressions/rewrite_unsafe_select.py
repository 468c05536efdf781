"""No Select has an operand that may only be evaluated where it is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import BufferLoad, Call, Select
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.function_features import Features


def is_unsafe(expr: Expr) -> bool:
    """Whether evaluating an expression may read out of bounds or do something.

    What a Select or `T.if_then_else` inside chooses from is guarded by its condition, or will be.
    """
    stack: list[Any] = [expr]
    while stack:
        item = stack.pop()
        if isinstance(item, Select):
            stack.append(item.condition)
        elif isinstance(item, BufferLoad):
            return True
        elif isinstance(item, Call):
            if not isinstance(item.op, Op):
                return True
            if item.op.name == "tir.if_then_else":
                stack.append(item.args[0])
            elif item.op.name == "tir.address_of" and isinstance(item.args[0], BufferLoad):
                stack += item.args[0].indices
            elif item.op.effect > CallEffect.PURE:
                return True
            else:
                stack += item.args
        elif not item.is_name:
            stack += [part for part in _parts(item) if isinstance(part, Expr)]
    return False


def _parts(node: Expr) -> list[Any]:
    found: list[Any] = []
    for field in node.schema.children:
        value = getattr(node, field)
        found += value if isinstance(value, tuple) else (value,)
    return found


class _Guarding(TirRewriter):
    @on(Select)
    def select(self, node: Select) -> Expr:
        made = self.descend(node)
        if made.condition.dtype.lanes != 1 or not (is_unsafe(made.true_value) or is_unsafe(made.false_value)):
            return made
        args = (made.condition, made.true_value, made.false_value)
        return Call(made.dtype, if_then_else_, args, node.span)


@dataclass(frozen=True)
class RewriteUnsafeSelect(PrimFuncPass):
    """A Select whose operands load or call evaluates one of them alone: it is a `T.if_then_else`.

    A vector of conditions has no such form, and stays.

    rewrite:
        B[i] = T.Select(i < 4, A[i], 0)  -->  B[i] = T.if_then_else(i < 4, A[i], 0)
    """

    name: ClassVar[str] = "tir.RewriteUnsafeSelect"
    looks_for_in_values: ClassVar[Features | None] = frozenset({Select})

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Guarding().rewrite(func.body))
