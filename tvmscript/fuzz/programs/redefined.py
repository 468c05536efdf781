"""Programs in which several scopes bind the same variable; no text has this form."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.tir import Allocate, Buffer, For, LetStmt, PrimFunc, Stmt, TirRewriter, Var, uses


def redefined(mod: IRModule) -> IRModule:
    """Merge variables so that many scopes define the same one.

    A nested scope redefines a variable of an outer scope that it does not use.
    """
    functions: dict[Any, Any] = {}
    for var, func in mod.functions.items():
        functions[var] = func.with_body(_Merger().rewrite(func.body)) if isinstance(func, PrimFunc) else func
    return mod.replace(functions=functions)


class _Merger(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: type of variable -> the pool of variables
        self.pool: dict[str, list[Var]] = {}
        #: variable of the pool -> the variables that it replaces, innermost last
        self.standing: dict[Var, list[Var]] = {}

    @contextmanager
    def defined(self, var: Var, body: Stmt) -> Generator[Var]:
        """Replace a variable by one of the pool inside of the body."""
        inside = uses(body)
        merged_vars = self.pool.setdefault(f"{var.dtype} {var.pointer_type}", [])
        free = (each for each in merged_vars if not self.standing.get(each) or self.standing[each][-1] not in inside)
        new_var = next(free, None)
        if new_var is None:
            new_var = var.replace()
            merged_vars.append(new_var)
        self.standing.setdefault(new_var, []).append(var)
        before = dict(self.renamed)
        self.renamed[var] = new_var
        yield new_var
        self.renamed.clear()
        self.renamed.update(before)
        self.standing[new_var].pop()

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        value = self.rewrite(node.value)
        with self.defined(node.var, node.body) as var:
            return LetStmt(var, value, self.rewrite(node.body), span=node.span)

    @on(For)
    def loop(self, node: For) -> Stmt:
        if node.thread_binding is not None:
            return self.descend(node)
        start, extent = self.rewrite(node.min), self.rewrite(node.extent)
        with self.defined(node.loop_var, node.body) as var:
            return node.replace(loop_var=var, min=start, extent=extent, body=self.rewrite(node.body))

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        extents = self.indices(node.extents)
        with self.defined(node.buffer_var, node.body) as var:
            return node.replace(buffer_var=var, extents=extents, body=self.rewrite(node.body))

    @on(Buffer)
    def buffer(self, node: Buffer) -> Any:
        new_node = self.renamed.get(node)
        if new_node is None:
            new_node = self.renamed[node] = self.descend(node)
        return new_node

    def define(self, name: Any) -> Any:
        return self.buffer(name) if isinstance(name, Buffer) else super().define(name)
