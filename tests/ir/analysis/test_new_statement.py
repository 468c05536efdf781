"""A statement that no pass has heard of: analyses read from its schema what it binds, guards and repeats."""

from __future__ import annotations

import pytest

from tvmscript.ir.analysis.access.access_walk import AccessWalk, Guard, Step, Value
from tvmscript.ir.analysis.memory.liveness import MemoryOrder
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.analysis.undefined_vars import undefined_vars
from tvmscript.ir.analysis.verify.ssa import verify_ssa
from tvmscript.ir.core.node import binds, guards, node, repeats
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.errors import UndefinedVariable
from tvmscript.ir.tir.expr import LT, BufferLoad, IntImm, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BufferStore, Evaluate, SeqStmt
from tvmscript.ir.tir.verify import verify


@node
class LetUnless(Stmt):
    """Run `otherwise` where `condition` holds, else `body`; `var` stands for `value` in both."""

    var: Var = binds(to="value")
    value: Expr
    condition: Expr = guards("otherwise", "body")
    body: Stmt
    otherwise: Stmt | None = None


@node
class RepeatUntil(Stmt):
    """Run `body` until `condition` holds."""

    condition: Expr = repeats()
    body: Stmt


BUFFER = make_buffer((4,), "int32", "A")
VAR = Var("x", "int32")
FREE = Var("n", "int32")


def store(value: Expr) -> Stmt:
    return BufferStore(BUFFER, value, (IntImm("int32", 0),))


def function(body: Stmt) -> PrimFunc:
    handle = Var("a", "handle")
    return PrimFunc((handle, FREE), body, None, {handle: BUFFER})


def program(value: Expr = FREE) -> Stmt:
    return LetUnless(VAR, value, LT(FREE, IntImm("int32", 3)), store(VAR), store(FREE))


def test_the_schema_says_what_a_node_binds_guards_and_repeats() -> None:
    schema = LetUnless.schema
    assert schema.definitions == {"var": "value"}
    assert schema.guards == {"otherwise": ("condition", True), "body": ("condition", False)}
    assert (schema.values, schema.bodies) == (("value", "condition"), ("body", "otherwise"))
    assert RepeatUntil.schema.repeats


def test_the_variable_is_in_scope_in_the_bodies_alone() -> None:
    verify(function(program()))
    with pytest.raises(UndefinedVariable, match="x"):
        verify(function(program(VAR)))
    assert undefined_vars(program()) == [FREE, BUFFER.data]
    assert undefined_vars(program(VAR)) == [VAR, FREE, BUFFER.data]
    assert not verify_ssa(function(SeqStmt((program(), program()))))


def test_accesses_have_the_values_and_conditions_around_them() -> None:
    paths: list[list[Step]] = []

    class Walk(AccessWalk):
        def access(self, node: BufferLoad | BufferStore) -> None:
            paths.append(list(self.path))

    func = function(SeqStmt((program(), RepeatUntil(LT(FREE, IntImm("int32", 3)), store(FREE)))))
    Walk(func).visit(func.body)
    first, second, third = paths
    assert [type(step) for step in first] == [type(step) for step in second] == [Value, Guard]
    assert isinstance(first[1], Guard)
    assert isinstance(second[1], Guard)
    assert (str(first[1].condition), str(second[1].condition)) == ("not n < 3", "n < 3")
    assert [type(step) for step in third] == [Guard]


def test_liveness_sees_a_statement_around_others() -> None:
    steps = MemoryOrder(program()).steps
    assert [step.stmt.__class__ for step in steps if step.other] == [LetUnless, LetUnless]


def test_its_statements_are_found() -> None:
    body = program(IntImm("int32", 1))
    assert [type(stmt) for stmt in statements(SeqStmt((body, Evaluate(FREE))))] == [
        SeqStmt, LetUnless, BufferStore, BufferStore, Evaluate,
    ]  # fmt: skip
