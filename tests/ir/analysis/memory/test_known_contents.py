"""What is known of the elements of buffers behind stores, assumptions, loops and branches."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.analysis.memory.known_contents import Contents, is_assumption
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import BufferLoad, BufferStore, Evaluate, For, IfThenElse, IntImm, SeqStmt, Stmt, Var
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import Call, Range

HEAD = """@T.prim_func
def main(A: T.Buffer((64,), "int32"), M: T.Buffer((8, 8), "int32"), B: T.Buffer((64,), "int32"), n: T.int32,
         m: T.int32):
    P = T.decl_buffer((64,), "int32", data=A.data)
"""


def _run(contents: Contents, stmt: Stmt) -> None:
    """Follow the statements of a program as passes do."""
    match stmt:
        case SeqStmt():
            for each in stmt.seq:
                _run(contents, each)
        case BufferStore():
            contents.store(stmt)
        case For():
            contents.analyzer.bind(stmt.loop_var, Range.from_min_extent(stmt.min, stmt.extent))
            before = contents.enter(stmt)
            _run(contents, stmt.body)
            contents.leave(stmt, before)
        case IfThenElse():
            start = contents.state
            _run(contents, stmt.then_case)
            then_state, contents.state = contents.state, start
            if stmt.else_case is not None:
                _run(contents, stmt.else_case)
            contents.join(stmt.condition, then_state, contents.state)
        case Evaluate(value=Call() as call) if is_assumption(call):
            contents.assume(call.args[0])
        case Evaluate():
            contents.forget()
        case _:
            raise TypeError(type(stmt))


def _known(body: str, load: str = "A[5]", where: str = "n == n") -> str:
    """The value of an element behind some statements, where a condition holds."""
    lines = "\n".join(f"    {line}" for line in [*body.splitlines(), f"if {where}:", f"    B[0] = {load}"])
    program: Any = tvmscript.from_source(HEAD + lines, check_well_formed=False)
    *stmts, last = program.body.body.seq
    contents = Contents(Analyzer())
    for stmt in stmts:
        _run(contents, stmt)
    (element,) = [node for node in nodes(last.then_case.value) if isinstance(node, BufferLoad)]
    with contents.analyzer.constraint(last.condition):
        value = contents.value(element)
    return str(value if value is None else contents.analyzer.simplify(value))


@pytest.mark.parametrize(
    ("body", "load", "value"),
    [
        ("A[5] = 3", "A[5]", "3"),
        ("A[5] = 3", "A[6]", "None"),
        ("A[5] = 3", "B[5]", "None"),
        ("A[n] = m", "A[n]", "m"),
        ("A[n] = m", "A[m]", "None"),
        ("A[5] = 3\nA[5] = 4", "A[5]", "4"),
        ("A[5] = 3\nA[6] = 4", "A[5]", "3"),
        ("A[5] = 3\nA[n] = 4", "A[5]", "None"),
        ("A[5] = 3\nP[9] = 4", "A[5]", "None"),
        ("A[5] = 3\nB[9] = 4", "A[5]", "3"),
        ("A[5] = 3\nB[A[5]] = 4", "B[3]", "None"),
        ("A[5] = 3\nA[6] = A[5]", "A[6]", "3"),
        ("A[5] = A[6]", "A[5]", "None"),
        ("A[5] = 3\nA[B[0]] = 4", "A[5]", "None"),
        ("A[5] = 3\nA[T.Ramp(4, 1, 4)] = T.Broadcast(1, 4)", "A[5]", "None"),
        ("M[2, 3] = 3\nM[2, B[0]] = 4", "M[2, 3]", "None"),
        ("M[2, 3] = 3\nM[5, B[0]] = 4", "M[2, 3]", "None"),
        ("M[2, 3] = 3\nM[B[0], 4] = 4", "M[2, 3]", "None"),
        ("M[2, 3] = 3\nM[2, B[0]] = 4\nB[0] = 7", "M[2, 3]", "None"),
        ("M[2, 3] = 3\nM[5, T.Ramp(0, 1, 4)] = T.Broadcast(1, 4)", "M[2, 3]", "None"),
        ("M[2, 3] = 3", "M[2, 3]", "3"),
        ("M[2, 3] = 3\nM[2, 4] = 1\nM[1, 3] = 2", "M[2, 3]", "3"),
        ("M[2, 3] = 3\nM[n, 3] = 1", "M[2, 3]", "None"),
        ("A[5] = 3\nT.evaluate(T.call_extern('int32', 'f'))", "A[5]", "None"),
    ],
)
def test_stores(body: str, load: str, value: str) -> None:
    assert _known(body, load) == value


@pytest.mark.parametrize(
    ("condition", "load", "value"),
    [
        ("A[5] == 3", "A[5]", "3"),
        ("3 == A[5]", "A[5]", "3"),
        ("A[5] == 3 and A[6] == 4", "A[5]", "3"),
        ("A[5] == 3 and A[6] == 4", "A[6]", "4"),
        ("A[5] == 3 or 1 < 0", "A[5]", "3"),
        ("0 < 1 or A[5] == 3", "A[5]", "None"),
        ("A[5] < 3", "A[5]", "None"),
        ("A[5] == A[6]", "A[5]", "None"),
    ],
)
def test_assumptions(condition: str, load: str, value: str) -> None:
    assert _known(f"T.assume({condition})", load) == value


def _loop(*body: str, extent: str = "8") -> str:
    return "\n".join([f"for i in range({extent}):", *(f"    {line}" for line in body)])


@pytest.mark.parametrize(
    ("body", "load", "value"),
    [
        (_loop("A[i] = 3"), "A[5]", "3"),
        (_loop("A[i] = 3"), "A[8]", "None"),
        (_loop("A[i] = i"), "A[5]", "5"),
        (_loop("A[7 - i] = i"), "A[5]", "2"),
        (_loop("A[i * 2] = i"), "A[6]", "None"),
        (_loop("A[i] = 3", extent="n"), "A[5]", "None"),
        (_loop("A[i] = 3", "A[i + 1] = 4"), "A[5]", "None"),
        (_loop("A[i] = 3", "P[9] = 4"), "A[5]", "None"),
        (_loop("A[i] = 3", "B[9] = 4"), "A[5]", "3"),
        (_loop("A[i] = 3", "A[i] = 4"), "A[5]", "4"),
        (_loop("A[i] = 3", "T.evaluate(T.call_extern('int32', 'f'))"), "A[5]", "None"),
        (_loop("A[20] = 3"), "A[20]", "3"),
        (_loop("A[20] = 3", extent="n"), "A[20]", "None"),
        ("A[20] = 1\n" + _loop("A[i] = 3"), "A[20]", "1"),
        ("A[5] = 1\n" + _loop("A[i] = 3"), "A[5]", "3"),
        ("A[5] = 1\n" + _loop("A[i] = 3", extent="n"), "A[5]", "None"),
        ("A[20] = 1\n" + _loop("A[i] = 3", "A[i + 1] = 3"), "A[20]", "None"),
        ("A[20] = 1\n" + _loop("P[i] = 3"), "A[20]", "None"),
        ("A[20] = 1\n" + _loop("B[i] = 3"), "A[20]", "1"),
        ("A[20] = 1\n" + _loop("T.evaluate(T.call_extern('int32', 'f'))"), "A[20]", "None"),
        ("A[20] = 1\n" + _loop("T.assume(B[i] == 1)"), "A[20]", "1"),
        ("A[9] = 1\n" + _loop("B[i] = A[9]", "A[i] = 2"), "B[5]", "1"),
        ("A[5] = 1\n" + _loop("B[i] = A[5]", "A[i] = 2"), "B[5]", "None"),
        (_loop("P[5] = 4", "A[i] = 3"), "A[5]", "None"),
        (_loop("A[7 - i] = 4", "A[i] = 3"), "A[2]", "None"),
        (_loop("A[20] = 3", extent="1"), "A[20]", "3"),
        ("A[20] = 1\n" + _loop("B[i] = 3", extent="n"), "A[20]", "1"),
        ("A[20] = 1\n" + _loop("B[i] = T.abs(i)"), "A[20]", "1"),
        ("A[9] = 1\n" + _loop("B[i] = A[9]"), "B[5]", "1"),
        ("A[9] = 1\nM[0, 0] = 2\n" + _loop("B[i] = M[0, 0]"), "B[5]", "2"),
        (_loop("M[i, 3] = i", "T.assume(M[i, 4] == 1)"), "M[5, 4]", "None"),
        (_loop("M[i, 3] = i"), "M[5, 3]", "5"),
        (_loop("M[i, 3] = i", "M[i, 4] = 1"), "M[5, 3]", "None"),
    ],
)
def test_loops(body: str, load: str, value: str) -> None:
    assert _known(body, load) == value


@pytest.mark.parametrize(
    ("body", "where", "value"),
    [
        ("if n < 3:\n    A[5] = 1", "n == n", "None"),
        ("if n < 3:\n    A[5] = 1", "n < 2", "1"),
        ("if n < 3:\n    A[5] = 1\nelse:\n    A[5] = 2", "n < 2", "1"),
        ("if n < 3:\n    A[5] = 1\nelse:\n    A[5] = 2", "n > 5", "2"),
        ("A[5] = 1\nif n < 3:\n    A[5] = 2", "n > 5", "1"),
        ("A[5] = 1\nif n < 3:\n    A[5] = 2", "n == n", "None"),
        ("A[5] = 1\nif n < 3:\n    B[6] = 2", "n == n", "1"),
        ("if B[0] < 3:\n    A[5] = 1", "B[0] < 3", "None"),
    ],
)
def test_branches(body: str, where: str, value: str) -> None:
    """What one branch alone stores is known where its condition holds, unless that reads memory."""
    assert _known(body, where=where) == value


def test_what_is_forgotten() -> None:
    contents = Contents(Analyzer())
    a, b = (make_buffer((IntImm("int32", 4),), "int32", name) for name in "ab")
    var, zero = Var("x", "int32"), IntImm("int32", 0)

    def known() -> list[str]:
        return [str(contents.value(BufferLoad(buffer, (zero,)))) for buffer in (a, b)]

    def learn() -> None:
        contents.state = ()
        contents.learn(a, (zero,), var)
        contents.learn(b, (zero,), zero)
        assert known() == ["x", "0"]

    learn()
    contents.forget([a.data])
    assert known() == ["None", "0"]
    contents.forget()
    assert known() == ["None", "None"]
    learn()
    contents.forget_name(var)
    assert known() == ["None", "0"]
