"""Passes as text, and passes by name."""

from __future__ import annotations

import pytest

from tvmscript.ir.core.errors import TVMScriptError, UnknownName, WrongArgumentCount, WrongType
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.ir.transform.loops.unroll_loop.unroll_loop import UnrollLoop
from tvmscript.ir.transform.loops.vectorize_loop.vectorize_loop import VectorizeLoop
from tvmscript.ir.transform.pass_text import BadPassText, ParsedPass, read_passes
from tvmscript.ir.transform.registry import get_pass, get_passes, pass_class, pass_modules


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("tir.Simplify", [ParsedPass("tir.Simplify")]),
        ("tir.Simplify{}", [ParsedPass("tir.Simplify")]),
        ("a.B{x=1}, C(2, y='z')", [ParsedPass("a.B", (), {"x": 1}), ParsedPass("C", (2,), {"y": "z"})]),
        ("A{x=true,y=false,z=none,w=word}", [ParsedPass("A", (), {"x": True, "y": False, "z": None, "w": "word"})]),
        ("A{x={'k': [1, -2]}, y=\"{,}\"}", [ParsedPass("A", (), {"x": {"k": [1, -2]}, "y": "{,}"})]),
        ("A,\nB", [ParsedPass("A"), ParsedPass("B")]),
    ],
)
def test_read(text: str, expected: list[ParsedPass]) -> None:
    assert read_passes(text) == expected


@pytest.mark.parametrize("text", ["A{", "A{x=1", "3", "A{x=llvm -m}", "A{x=f()}", "A}", "A B", "A.b(1)(2)"])
def test_refused(text: str) -> None:
    with pytest.raises(BadPassText) as caught:
        get_passes(text)
    assert caught.value.code == "TS4084"


def test_passes() -> None:
    assert get_passes("tir.Simplify,tir.UnrollLoop{auto_max_step=16}") == (Simplify(), UnrollLoop(auto_max_step=16))
    assert get_pass("tir.UnrollLoop{auto_max_step=16}", explicit_unroll=False) == UnrollLoop(16, explicit_unroll=False)
    assert get_pass("tir.VectorizeLoop", False) == VectorizeLoop(False)
    assert get_pass(UnrollLoop(auto_max_step=3).text) == UnrollLoop(auto_max_step=3)


@pytest.mark.parametrize("name", ["tirx.StmtSimplify", "s_tir.Simplify", "tir.transform.Simplify"])
def test_other_spellings(name: str) -> None:
    assert get_pass(name) == Simplify()


@pytest.mark.parametrize(
    ("text", "error", "message", "hint"),
    [
        ("tir.UnrolLoop", UnknownName, "there is no pass named tir.UnrolLoop", "did you mean tir.UnrollLoop?"),
        ("tir.UnrollLoop{auto_max_stp=1}", UnknownName, "no option of tir.UnrollLoop", "did you mean auto_max_step?"),
        (
            "tir.UnrollLoop{auto_max_step=x}",
            WrongType,
            "tir.UnrollLoop.auto_max_step takes an integer, but got 'x'",
            None,
        ),
        ("tir.LiftThreadBinding{x=1}", UnknownName, "no option of tir.LiftThreadBinding named x", "it has no options"),
        ("tir.LiftThreadBinding(1)", WrongArgumentCount, "tir.LiftThreadBinding takes 0 options, but got 1", None),
        ("tir.Simplify{},tir.RemoveNoOp", BadPassText, "expected one pass, got several", None),
    ],
)
def test_errors(text: str, error: type[TVMScriptError], message: str, hint: str | None) -> None:
    with pytest.raises(error, match=message) as caught:
        get_pass(text)
    assert hint is None or caught.value.hint == hint


@pytest.mark.parametrize("name", sorted(pass_modules()))
def test_every_pass_is_found_by_its_name(name: str) -> None:
    cls = pass_class(name)
    assert cls.name == name
    assert cls.__name__ == name.rpartition(".")[2]
    assert issubclass(cls, Pass)
    summary = cls.summary()
    assert summary.endswith("."), "the first line of the file describes the pass"
    assert len(summary) <= 120
    assert cls.__doc__, "the class says what it does"
    assert not cls.__doc__.startswith(f"{cls.__name__}("), "that is what a dataclass says for itself"
