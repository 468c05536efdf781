"""Base of loop passes that ask which pointers may overlap."""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.vectorizable_loops import address_terms
from tvmscript.ir.core import nodes, on
from tvmscript.ir.tir import BufferLoad, Call, Expr, Stmt, Var, uses
from tvmscript.ir.tir.rewrite import StatementRewriter
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, BufferStore


class MemoryRewriter(StatementRewriter):
    """Base of passes over statements that know the allocations around them."""

    def __init__(self, memory: dict[Var, bool]) -> None:
        super().__init__()
        #: data variables of whole allocations or arguments; whether others overlap them not at all, or as a whole
        self.memory = memory

    @on(Allocate, AllocateConst)
    def allocation(self, node: Allocate | AllocateConst) -> Stmt:
        self.memory[node.buffer_var] = True
        stmt: Stmt = self.descend(node)
        return stmt

    def is_alone(self, store: BufferStore, var: Var) -> bool:
        """Return whether a store is to the same element in all iterations, which nothing else reaches."""
        return (
            self.memory.get(store.buffer.data, False)
            and var not in uses(address_terms(store))
            and not any(reads_memory(index) for index in store.indices)
        )


def reads_memory(expr: Expr) -> bool:
    """Return whether an expression loads an element, or calls a function."""
    return any(isinstance(part, (BufferLoad, Call)) for part in nodes(expr))
