"""Statements in the order of the text, whatever holds them."""

from __future__ import annotations

from typing import Any

import tvmscript
from tvmscript.ir.analysis.statements import StatementVisitor, statements
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.stmt import BufferStore

PROGRAM: Any = tvmscript.from_source(
    """@T.prim_func
def main(A: T.Buffer((16,), "int32"), n: T.int32):
    with T.block("root"):
        T.reads()
        T.writes(A[0:16])
        for i in range(8):
            if i < n:
                A[i] = 0
            else:
                A[i] = 1
                while A[i] < n:
                    A[i] = 2
            with T.block("inner"):
                vi = T.axis.spatial(8, i)
                with T.init():
                    A[vi] = 3
                A[vi] = 4
        with T.LetStmt(n + 1) as m:
            A[m] = 5
        A[9] = 6
"""
)


def _stored(stmts: Any) -> list[int]:
    return [each.value.value for each in stmts if isinstance(each, BufferStore) and isinstance(each.value, IntImm)]


def test_they_come_in_order() -> None:
    found = list(statements(PROGRAM.body))
    assert _stored(found) == [0, 1, 2, 4, 3, 5, 6]
    assert found == [node for node in nodes(PROGRAM.body) if isinstance(node, Stmt)]


def test_a_visitor_of_statements_sees_no_values() -> None:
    seen: list[BufferStore] = []
    constants: list[IntImm] = []

    class Stores(StatementVisitor):
        @on(BufferStore)
        def store(self, node: BufferStore) -> None:
            seen.append(node)

        @on(IntImm)
        def constant(self, node: IntImm) -> None:
            constants.append(node)

    Stores().visit(PROGRAM.body)
    assert _stored(seen) == [0, 1, 2, 4, 3, 5, 6]
    assert constants == []
