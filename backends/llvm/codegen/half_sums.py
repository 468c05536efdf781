"""Sums of float16 and bfloat16 in columns: terms that an iteration adds to one element are added in float32.

A reduction axis is the licence, as for lanes (`split_reductions`): the result is rounded once, not after each term.
"""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.backends.llvm.codegen.memory_rewriter import MemoryRewriter
from tvmscript.backends.llvm.codegen.vectorizable_loops import HALVES
from tvmscript.ir.core import FLOAT32, on, structural_equal
from tvmscript.ir.tir import Expr, Stmt, Var, cast, uses
from tvmscript.ir.tir.expr import Add, BufferLoad
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import BufferStore, For, SeqStmt
from tvmscript.ir.transform.blocks.convert_blocks_to_opaque import REDUCTION


class RoundSumsOnce(MemoryRewriter):
    """Join statements of a loop over a reduction axis that add to the same element.

    rewrite:
        C[j] = C[j] + A[j]                        -->     C[j] = T.float16(T.float32(C[j]) + T.float32(A[j])
        C[j] = C[j] + A[j + 64]                                            + T.float32(A[j + 64]))
    """

    def __init__(self, memory: dict[Var, bool]) -> None:
        super().__init__(memory)
        self.is_reducing = False

    @on(For)
    def loop(self, node: For) -> Stmt:
        outer, self.is_reducing = self.is_reducing, self.is_reducing or REDUCTION in node.annotations
        stmt: Stmt = self.descend(node)
        self.is_reducing = outer
        return stmt

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        if not self.is_reducing:
            return super().sequence(node)
        stmts: list[Stmt] = []
        place = 0
        while place < len(node.seq):
            sums = self.sums(node.seq[place:])
            stmts.append(_joined(sums) if len(sums) > 1 else self.rewrite(node.seq[place]))
            place += max(len(sums), 1)
        return flatten_seq(tuple(stmts), node) if len(stmts) < len(node.seq) else super().sequence(node)

    def sums(self, stmts: Sequence[Stmt]) -> list[BufferStore]:
        """Return the first statements that add terms to one element which they do not read."""
        sums: list[BufferStore] = []
        for stmt in stmts:
            if not isinstance(stmt, BufferStore) or not self.is_sum(stmt):
                break
            if sums and not (stmt.buffer is sums[0].buffer and structural_equal(stmt.indices, sums[0].indices)):
                break
            sums.append(stmt)
        return sums

    def is_sum(self, store: BufferStore) -> bool:
        """Return whether a statement adds a term to an element of float16 or bfloat16."""
        value, data = store.value, store.buffer.data
        if not isinstance(value, Add) or store.buffer.dtype not in HALVES or not self.memory.get(data, False):
            return False
        element = value.a
        return (
            isinstance(element, BufferLoad)
            and element.buffer is store.buffer
            and element.predicate is None is store.predicate
            and structural_equal(element.indices, store.indices)
            and data not in uses((value.b, store.indices))
        )


def _joined(sums: Sequence[BufferStore]) -> BufferStore:
    """Return the statement that adds the terms of several ones."""
    first = sums[0]
    dtype = FLOAT32.with_lanes(first.value.dtype.lanes)
    total: Expr = cast(dtype, _operands(first)[0])
    for each in sums:
        total = Add(total, cast(dtype, _operands(each)[1]), span=each.value.span)
    return first.replace(value=cast(first.value.dtype, total))


def _operands(store: BufferStore) -> tuple[Expr, Expr]:
    assert isinstance(store.value, Add)
    return store.value.a, store.value.b
