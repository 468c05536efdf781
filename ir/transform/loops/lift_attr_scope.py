"""Merge equal attributes of adjacent statements and lift them out of loops."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.core import Node, on
from tvmscript.ir.tir import Expr, IntImm, PrimFunc, StatementRewriter, Stmt, StringImm, uses
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, AttrStmt, DeclBuffer, For, IfThenElse, LetStmt, SeqStmt, seq
from tvmscript.ir.transform.base import PrimFuncPass


class _AttrLifter(StatementRewriter):
    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key
        #: the attribute around the last rewritten statement
        self.attr: AttrStmt | None = None

    def lift(self, body: Stmt) -> Stmt:
        """Rewrite a statement, and wrap it in its attribute."""
        self.attr = None
        new_body: Stmt = self.rewrite(body)
        return self.wrap(new_body)

    def wrap(self, body: Stmt) -> Stmt:
        attr, self.attr = self.attr, None
        return body if attr is None else attr.replace(body=body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key != self.key:
            return node.rebuild(body=self.rewrite(node.body))
        self.attr = node
        return node.body

    @on(Allocate, AllocateConst)
    def memory(self, node: Allocate | AllocateConst) -> Stmt:
        return node.rebuild(body=self.wrap(self.rewrite(node.body)))

    @on(For, LetStmt, DeclBuffer)
    def binding(self, node: For | LetStmt | DeclBuffer) -> Stmt:
        body: Stmt = self.rewrite(node.body)
        attr = self.attr
        defined = getattr(node, node.schema.binds[0])
        if attr is not None and defined in uses((attr.node, attr.value)):
            body = self.wrap(body)
        return node.rebuild(body=body)

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        groups: list[tuple[AttrStmt | None, list[Stmt]]] = []
        for child in node.seq:
            self.attr = None
            stmt: Stmt = self.rewrite(child)
            if groups and _is_same(groups[-1][0], self.attr):
                groups[-1][1].append(stmt)
            else:
                groups.append((self.attr, [stmt]))
        self.attr = None
        if all(attr is None for attr, _ in groups):
            stmts = [stmt for _, group in groups for stmt in group]
            return node if all(a is b for a, b in zip(stmts, node.seq, strict=True)) else seq(*stmts)
        if len(groups) == 1:
            self.attr = groups[0][0]
            return seq(*groups[0][1])
        return seq(*[seq(*group) if attr is None else attr.replace(body=seq(*group)) for attr, group in groups])

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        then_case: Stmt = self.rewrite(node.then_case)
        else_case = node.else_case
        if else_case is not None:
            first, self.attr = self.attr, None
            else_case = self.rewrite(else_case)
            if not _is_same(first, self.attr):
                then_case = then_case if first is None else first.replace(body=then_case)
                else_case = self.wrap(else_case)
        return node.rebuild(then_case=then_case, else_case=else_case)


def _is_same(a: AttrStmt | None, b: AttrStmt | None) -> bool:
    """Return whether both attributes exist and have the same node, which is not a constant, and the same value."""
    if a is None or b is None or a.node is not b.node:
        return False
    return isinstance(a.node, Node) and not isinstance(a.node, (IntImm, StringImm)) and _is_same_value(a.value, b.value)


def _is_same_value(a: Expr, b: Expr) -> bool:
    if isinstance(a, IntImm) and isinstance(b, IntImm):
        return a.value == b.value and a.dtype is b.dtype
    return a is b


@dataclass(frozen=True)
class LiftAttrScope(PrimFuncPass):
    """Merge attributes with the key `attr_key`, the same node and the same value.

    The merged attribute surrounds adjacent statements, and loops and branches that contain nothing else. Attributes are
    not lifted out of allocations, or out of loops and let bindings whose variable they use.

    rewrite:
        for i in range(8):                          with T.attr(a, "key", 1):
            with T.attr(a, "key", 1):         -->       for i in range(8):
                A[i] = 0                                    A[i] = 0
            with T.attr(a, "key", 1):                       B[i] = 0
                B[i] = 0
    """

    name = "tir.LiftAttrScope"
    #: a lifted attribute may be adjacent to an equal one
    is_idempotent = False

    attr_key: str = ""

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not any(isinstance(stmt, AttrStmt) and stmt.attr_key == self.attr_key for stmt in statements(func.body)):
            return func
        return func.with_body(_AttrLifter(self.attr_key).lift(func.body))
