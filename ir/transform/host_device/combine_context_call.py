"""Evaluate each thread context once."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import on
from tvmscript.ir.tir import AttrStmt, Call, Expr, For, ForKind, LetStmt, PrimFunc, Stmt, TirRewriter, Var
from tvmscript.ir.tir.intrin.packed import tvm_thread_context
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class CombineContextCall(PrimFuncPass):
    """Bind `tvm_thread_context(call)` to a variable, once per function, parallel loop body or thread launch.

    Equal calls share a variable.

    rewrite:
        f(T.tvm_thread_context(ctx()))        -->    ctx_cache_: T.handle = ctx()
        f(T.tvm_thread_context(ctx()))               f(ctx_cache_)
                                                     f(ctx_cache_)
    """

    name = "tir.CombineContextCall"
    is_idempotent = True
    looks_for_in_values = frozenset({"tir.tvm_thread_context"})

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Combiner().scope(func.body))


class _Combiner(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        self.contexts: list[tuple[Expr, Var]] = []

    def scope(self, stmt: Stmt, inside: bool = True) -> Stmt:
        """Rewrite a statement, or its children if not `inside`, and define its contexts around it."""
        outer, self.contexts = self.contexts, []
        new_stmt: Stmt = self.rewrite(stmt) if inside else self.descend(stmt)
        for context, var in reversed(self.contexts):
            new_stmt = LetStmt(var, context, new_stmt)
        self.contexts = outer
        return new_stmt

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key in ("thread_extent", "coproc_uop_scope"):
            return self.scope(node, inside=False)
        return self.descend(node)

    @on(For)
    def loop(self, node: For) -> Stmt:
        return self.scope(node, inside=False) if node.kind is ForKind.PARALLEL else self.descend(node)

    @on(Call)
    def call(self, node: Call) -> Expr:
        if node.op is not tvm_thread_context:
            return self.descend(node)
        context = node.args[0]
        for other, var in self.contexts:
            if expr_deep_equal(other, context):
                return var
        new_var = Var("ctx_cache_", context.dtype)
        self.contexts.append((context, new_var))
        return new_var
