"""Base of loop passes that ask which pointers may overlap."""

from __future__ import annotations

from tvmscript.ir.core import on
from tvmscript.ir.tir import Stmt, Var
from tvmscript.ir.tir.rewrite import StatementRewriter
from tvmscript.ir.tir.stmt import Allocate, AllocateConst


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
