"""Remove stores of undefined values."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import Op, nodes, on
from tvmscript.ir.tir import NOOP, BufferStore, Expr, LetStmt, PrimFunc, Stmt, TirRewriter, Var, can_drop
from tvmscript.ir.tir.expr import BufferLoad, Call, Let
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import UndefLeft, UndefWithEffect
from tvmscript.ir.transform.expressions.remove_no_op.remove_no_op import RemoveNoOp


def _is_undef(node: object) -> bool:
    return isinstance(node, Call) and isinstance(node.op, Op) and node.op.name == "tir.undef"


class _UndefStoreRemover(TirRewriter):
    """Remove stores of undefined values. Indices of loads are not searched: an undefined index is an error."""

    def __init__(self) -> None:
        super().__init__()
        self.undefined: set[Var] = set()

    def is_undefined(self, value: Expr) -> bool:
        """Return whether a value depends on `T.undef()`. Raises `UndefWithEffect` if it also has a side effect."""
        is_undef, stack = False, [value]
        while stack and not is_undef:
            node: object = stack.pop()
            if isinstance(node, Let) and self.is_undefined(node.value):
                self.undefined.add(node.var)
            if isinstance(node, BufferLoad):
                continue
            if isinstance(node, tuple):
                stack += node
            elif isinstance(node, Expr):
                is_undef = _is_undef(node) or node in self.undefined
                stack += [] if node.is_name else [getattr(node, field) for field in node.schema.children]
        if is_undef and not can_drop(value):
            raise UndefWithEffect(span=value.span)
        return is_undef

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        return NOOP if self.is_undefined(node.value) else node

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        if self.is_undefined(node.value):
            self.undefined.add(node.var)
        return self.descend(node)


@dataclass(frozen=True)
class RemoveStoreUndef(PrimFuncPass):
    """Remove stores of values that depend on `T.undef()`, then run `tir.RemoveNoOp`.

    Raises `UndefLeft` if `T.undef()` is used elsewhere, such as in an index or a condition, and `UndefWithEffect` if
    the stored value has a side effect.

    rewrite:
        for i in range(16):
            A[i] = T.undef(dtype="int32")   -->     for i in range(16):
            B[i] = 5                                    B[i] = 5
    """

    name = "tir.RemoveStoreUndef"
    is_idempotent = True
    commutes_with = ("tir.UnrollLoop",)

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not any(map(_is_undef, nodes(func.body))):
            return RemoveNoOp().transform(func)
        new_func = RemoveNoOp().transform(func.with_body(_UndefStoreRemover().rewrite(func.body)))
        for node in nodes(new_func.body):
            if _is_undef(node):
                raise UndefLeft(span=node.span)
        return new_func
