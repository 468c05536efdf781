"""Statements in a row, and loops, that are under the same attribute are under one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import IntImm, StringImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, AttrStmt, DeclBuffer, For, IfThenElse, LetStmt, SeqStmt, seq
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.transform.base import PrimFuncPass


class _Lifting(TirRewriter):
    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key
        #: the attribute that the statement which was looked at is under
        self.found: AttrStmt | None = None

    def lifted(self, body: Stmt) -> Stmt:
        """The statement, and the attribute around it."""
        self.found = None
        made: Stmt = self.rewrite(body)
        return self.wrapped(made)

    def wrapped(self, made: Stmt) -> Stmt:
        found, self.found = self.found, None
        return made if found is None else found.replace(body=made)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key != self.key:
            body = self.rewrite(node.body)
            return node if body is node.body else node.replace(body=body)
        self.found = node
        return node.body

    @on(Allocate, AllocateConst)
    def memory(self, node: Any) -> Stmt:
        body = self.wrapped(self.rewrite(node.body))
        return node if body is node.body else node.replace(body=body)  # type: ignore[no-any-return]  # a statement is rebuilt as one

    @on(For, LetStmt, DeclBuffer)
    def binding(self, node: Any) -> Stmt:
        body: Stmt = self.rewrite(node.body)
        found = self.found
        bound = getattr(node, node.schema.binds[0])
        if found is not None and bound in uses((found.node, found.value)):
            body = self.wrapped(body)
        return node if body is node.body else node.replace(body=body)  # type: ignore[no-any-return]  # a statement is rebuilt as one

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        parts: list[tuple[AttrStmt | None, list[Stmt]]] = []
        for each in node.seq:
            self.found = None
            made = self.rewrite(each)
            if parts and _is_same(parts[-1][0], self.found):
                parts[-1][1].append(made)
            else:
                parts.append((self.found, [made]))
        self.found = None
        if all(found is None for found, _ in parts):
            stmts = [stmt for _, group in parts for stmt in group]
            return node if all(a is b for a, b in zip(stmts, node.seq, strict=True)) else seq(*stmts)
        if len(parts) == 1:
            self.found = parts[0][0]
            return seq(*parts[0][1])
        return seq(*[seq(*some) if found is None else found.replace(body=seq(*some)) for found, some in parts])

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        then_case: Stmt = self.rewrite(node.then_case)
        else_case = node.else_case
        if else_case is not None:
            first, self.found = self.found, None
            else_case = self.rewrite(else_case)
            if not _is_same(first, self.found):
                then_case = then_case if first is None else first.replace(body=then_case)
                else_case = self.wrapped(else_case)
        if then_case is node.then_case and else_case is node.else_case:
            return node
        return node.replace(then_case=then_case, else_case=else_case)


def _is_same(a: AttrStmt | None, b: AttrStmt | None) -> bool:
    """Whether both are there, about the same object, with the same value. Constants are no objects."""
    if a is None or b is None or a.node is not b.node:
        return False
    return isinstance(a.node, Node) and not isinstance(a.node, IntImm | StringImm) and _is_same_value(a.value, b.value)


def _is_same_value(a: Expr, b: Expr) -> bool:
    if isinstance(a, IntImm) and isinstance(b, IntImm):
        return a.value == b.value and a.dtype is b.dtype
    return a is b


@dataclass(frozen=True)
class LiftAttrScope(PrimFuncPass):
    """Attributes with the key, about the same object and with the same value, are one around statements in a row, and
    around loops and conditions that have nothing else inside. They stay inside of allocations, and of loops and let
    bindings whose variable they use.

    rewrite:
        for i in range(8):                          with T.attr(a, "key", 1):
            with T.attr(a, "key", 1):         -->       for i in range(8):
                A[i] = 0                                    A[i] = 0
            with T.attr(a, "key", 1):                       B[i] = 0
                B[i] = 0
    """

    name: ClassVar[str] = "tir.LiftAttrScope"
    #: the attribute that ends up outermost may stand next to others like it
    is_idempotent: ClassVar[bool] = False

    attr_key: str = ""

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not any(isinstance(each, AttrStmt) and each.attr_key == self.attr_key for each in statements(func.body)):
            return func
        return func.with_body(_Lifting(self.attr_key).lifted(func.body))
