"""Walks with functions: what is shown to them, in which order, and what becomes of what they return."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript import tir
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import UnknownName, WrongType
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.verify import verify
from tvmscript.tir.stmt_functor import (
    StmtExprMutator,
    StmtExprVisitor,
    ir_transform,
    on,
    post_order_visit,
    pre_order_visit,
    renew_defs,
    substitute,
)

TEXT = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(4):
        A[i + n] = A[i] * {factor} + T.float32(1)
        if i < n:
            A[i] = T.float32(0)
"""


def program(factor: str = "T.float32(2)") -> tir.PrimFunc:
    made = tvmscript.from_source(TEXT.format(factor=factor))
    assert isinstance(made, tir.PrimFunc)
    return made


def names(found: list[Any]) -> list[str]:
    return [getattr(node, "name", None) or type(node).__name__ for node in found]


def test_parts_come_first() -> None:
    found: list[Any] = []
    post_order_visit(program().body, found.append)
    expected = "IntImm IntImm IntImm i BufferLoad FloatImm Mul FloatImm Add n Add BufferStore LT FloatImm BufferStore"
    assert sorted(names(found)) == sorted(f"{expected} IfThenElse SeqStmt For".split()[1:])
    assert names(found)[-1] == "For"
    for place, node in enumerate(found):
        assert all(part not in found[place:] for part in _parts(node))


def _parts(node: Node) -> list[Any]:
    parts = node.schema.parts_of(node)
    return [part for part in parts if isinstance(part, tir.PrimExpr | tir.Stmt)]


def test_parts_are_left_out() -> None:
    found: list[Any] = []

    def visit(node: Any) -> bool:
        found.append(node)
        return not isinstance(node, tir.BufferStore)

    pre_order_visit(program().body, visit)
    assert names(found) == [
        "For",
        "IntImm",
        "IntImm",
        "SeqStmt",
        "BufferStore",
        "IfThenElse",
        "LT",
        "i",
        "n",
        "BufferStore",
    ]


def test_each_once() -> None:
    x = tir.Var("x", "int32")
    found: list[Any] = []
    post_order_visit(x + x * x, found.append)
    assert names(found) == ["x", "Mul", "Add"]


def test_change_after_the_parts() -> None:
    def tripled(node: Any) -> Any:
        return tir.FloatImm("float32", 3) if node.value == 2 else None

    func = program()
    made = ir_transform(func.body, None, tripled, ["tir.FloatImm"])
    assert_structural_equal(func.with_body(made), program("T.float32(3)"))


def test_what_comes_instead_is_not_entered() -> None:
    seen: list[str] = []

    def before(node: Any) -> Any:
        seen.append(type(node).__name__)
        return tir.BufferStore(node.buffer, tir.const(1.0), node.indices) if isinstance(node, tir.BufferStore) else None

    made = ir_transform(program().body, before, None)
    assert seen == [
        "For",
        "IntImm",
        "IntImm",
        "SeqStmt",
        "BufferStore",
        "IfThenElse",
        "LT",
        "Var",
        "Var",
        "BufferStore",
    ]
    assert [node.value.value for node in _stores(made)] == [1.0, 1.0]


def _stores(stmt: Any) -> list[Any]:
    found: list[Any] = []
    post_order_visit(stmt, lambda node: found.append(node) if isinstance(node, tir.BufferStore) else None)
    return found


def test_sequences_stay_flat() -> None:
    def twice(node: Any) -> Any:
        return tir.SeqStmt((node, node)) if isinstance(node.value, tir.FloatImm) else None

    func = program()
    made: Any = ir_transform(func.body, None, twice, ["tir.BufferStore"])
    verify(func.with_body(made))
    assert len(_stores(made)) == 2  # one of them is there twice

    def gone(node: Any) -> Any:
        return tir.Evaluate(tir.const(0))

    made = ir_transform(program().body, None, gone, ["tir.IfThenElse"])
    assert len(made.body.seq) == 2


def test_nothing_changed() -> None:
    body = program().body
    assert ir_transform(body, lambda node: None, lambda node: None) is body


def test_faults() -> None:
    body = program().body
    with pytest.raises(UnknownName) as unknown:
        ir_transform(body, None, None, ["tir.Four"])
    assert "tir.For" in str(unknown.value)
    with pytest.raises(WrongType) as wrong:
        ir_transform(body, None, lambda node: 5)  # type: ignore[arg-type, return-value]
    assert "ir_transform takes a node, or None to keep it, but got 5" in str(wrong.value)


def test_values_of_variables() -> None:
    func = program()
    made = substitute(func.body, {func.params[1]: 3})
    assert "A[i + 3]" in made.script()
    assert substitute(func.body, {}) is func.body


def test_new_definitions() -> None:
    func = program()
    made = renew_defs(func)
    assert_structural_equal(made, func)
    assert {*func.params}.isdisjoint(made.params)


def test_rules() -> None:
    class Doubled(StmtExprMutator):
        @on(tir.BufferLoad)
        def load(self, node: Any) -> Any:
            return self.descend(node) * tir.const(2.0)

    made = Doubled().rewrite(program().body)
    assert "A[i] * T.float32(2) * T.float32(2) + T.float32(1)" in made.script()

    class Counting(StmtExprVisitor):
        def __init__(self) -> None:
            self.stores = 0

        @on(tir.BufferStore)
        def store(self, node: Any) -> None:
            self.stores += 1

    counting = Counting()
    counting.visit(program().body)
    assert counting.stores == 2
