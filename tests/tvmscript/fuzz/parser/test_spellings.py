"""Texts in other words mean the same; texts with a fault are refused."""

from __future__ import annotations

import pytest

from tvmscript.fuzz.parser import area as parser
from tvmscript.fuzz.parser.area import FaultRead, OtherInOtherWords
from tvmscript.fuzz.parser.faults import Fault, faulty
from tvmscript.fuzz.parser.spellings import spelled
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.parser import from_source

PROGRAM = """\
@T.prim_func
def main(A: T.Buffer((4, 16), "int32"), n: T.int32):
    for i, j in T.grid(4, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SR", [i, j])
            T.where(0 <= i and i < n)
            with T.init():
                A[vi, vj] = 0
            A[vi, vj] = A[vi, vj] - vi
    for t in T.thread_binding(4, thread="threadIdx.x"):
        if t < n:
            for k in T.parallel(2, 4):
                A[t, k] = T.Select(t < k, 1, 2)
"""
OTHER = """\
@T.prim_func
def main(A: T.Buffer((4, 16), 'int32'), n: T.int32):
    for i in T.serial(4):
        for j in T.serial(16):
            with T.block(name='B'):
                vi = T.axis.spatial(4, i)
                vj = T.axis.reduce(16, j)
                T.where(predicate=0 <= i < n)
                with T.init():
                    A[vi, vj] = 0
                A[vi, vj] -= vi
    for t in T.thread_binding(4, 'threadIdx.x'):
        if (2 < 1 or 2 < 3) and 1 < 2:
            if t < n:
                for k in T.parallel(start=2, stop=4):
                    A[t, k] = T.Select(condition=t < k, true_value=1, false_value=2)
"""


def test_other_words() -> None:
    assert spelled(PROGRAM) == OTHER
    assert_structural_equal(from_source(PROGRAM), from_source(OTHER))
    assert spelled("if") == "if"


def test_chains_are_taken_apart() -> None:
    assert spelled("a = 0 < i < n") == "a = 0 < i and i < n\n"


def _with(line: str) -> str:
    return f'@T.prim_func\ndef main(A: T.Buffer((4,), "int32"), n: T.int32):\n    {line}\n'


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("A[n] = 0", "there is an index too many"),
        ("T.evaluate(n + 1)", "a name is not known"),
        ('T.func_attr({"x": 1})', "T.func_attr is there twice"),
    ],
)
def test_faults(line: str, what: str) -> None:
    found = faulty(_with(line))
    assert found is not None
    assert found[0] == what
    with pytest.raises(DiagnosticError):
        from_source(found[1])


def test_no_place_for_a_fault() -> None:
    assert faulty(_with("T.evaluate(0)")) is None
    assert faulty(_with("if 1 < 0: A[n] = 0")) is None  # nobody reads it
    assert faulty("def") is None


def test_what_is_read_as_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    parser.check(PROGRAM)
    monkeypatch.setattr(parser, "spelled", lambda text: text.replace("A[vi, vj] - vi", "vi - A[vi, vj]"))
    with pytest.raises(OtherInOtherWords, match="in other words the text is another program"):
        parser.check(PROGRAM)
    monkeypatch.setattr(parser, "spelled", lambda text: "def")
    with pytest.raises(OtherInOtherWords, match="not valid Python"):
        parser.check(PROGRAM)


def test_faults_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "faulty", lambda text: Fault("nothing is wrong", text, 1))
    with pytest.raises(FaultRead, match="the text was read though nothing is wrong"):
        parser.check(PROGRAM)
