"""`tvmscript.testing.roundtrip`: silent where the law holds, telling where printer or parser are made to break it."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.dtype import FLOAT32
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.expr import Add, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.testing import round_trip, roundtrip
from tvmscript.testing.errors import IdentityLost, NotPrinted, NotReadBack, PrintsDifferent, ReadsBackDifferent

pytestmark = pytest.mark.usefixtures("unobserved")

TEXT = """
@T.prim_func
def f(A: T.Buffer((4,), "float32"), n: T.int32):
    for i in range(4):
        A[i] = A[i] * T.float32(0.1) + T.Cast("float32", n)
"""


def program(text: str = TEXT) -> PrimFunc:
    made = tvmscript.from_source(text)
    assert isinstance(made, PrimFunc)
    return made


def breaking(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Let the parser that the check uses read another text than was printed."""

    def read(text: str, **options: Any) -> Node:
        assert old in text
        made: Node = tvmscript.from_source(text.replace(old, new), **options)
        return made

    monkeypatch.setattr(round_trip, "from_source", read)


@pytest.mark.parametrize(
    "options",
    [{}, {"syntax_sugar": False}, {"tir_prefix": "tir", "indent_spaces": 2}, {"name": "g"}],
    ids=["default", "no sugar", "prefix", "name"],
)
def test_programs_read_back(options: dict[str, Any]) -> None:
    assert roundtrip(program(), **options) is None  # type: ignore[func-returns-value]


def test_modules_read_back() -> None:
    assert roundtrip(tvmscript.IRModule({"f": program()})) is None  # type: ignore[func-returns-value]


def test_parts_of_programs_read_back() -> None:
    x = Var("x", FLOAT32)
    roundtrip(Add(x, x))
    roundtrip(program().body)


def test_a_dropped_part_is_told_with_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, "T.float32(0.1", "T.float32(0.2")
    with pytest.raises(ReadsBackDifferent) as info:
        roundtrip(program())
    assert info.value.code == "TS8003"
    assert info.value.facts["path"] == "<root>.body.body.value.a.b.value"
    assert "* T.float32(0.1" in info.value.text
    assert "* T.float32(0.2" in info.value.text


def test_two_variables_that_print_alike_are_not_one(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "@T.prim_func\ndef f(x: T.int32, y: T.int32):\n    T.evaluate(x + y)\n"
    breaking(monkeypatch, "x + y", "x + x")
    with pytest.raises(ReadsBackDifferent) as info:
        roundtrip(program(text))
    assert str(info.value.facts["path"]).startswith("<root>.body.value")


def test_identity_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were equality to overlook a variable, the number of variables still tells."""
    text = "@T.prim_func\ndef f(x: T.int32, y: T.int32):\n    T.evaluate(x + y)\n"
    breaking(monkeypatch, "def f(x: T.int32, y: T.int32)", "def f(x: T.int32, y: T.int32, z: T.int32)")
    monkeypatch.setattr(round_trip, "first_difference", lambda *_, **__: None)
    with pytest.raises(IdentityLost, match="the program has 2 of Var, its text reads back with 3"):
        roundtrip(program(text))


def test_text_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, "in range(4)", "in rnage(4)")
    with pytest.raises(NotReadBack) as info:
        roundtrip(program())
    assert "rnage is not defined" in info.value.text
    assert "for i in range(4):" in info.value.text


def test_text_that_is_no_normal_form(monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, "for i in", "for j in")
    monkeypatch.setattr(
        round_trip, "from_source", lambda *_, **__: program(TEXT.replace("[i]", "[j]").replace(" i ", " j "))
    )
    with pytest.raises(PrintsDifferent, match="for j in range"):
        roundtrip(program())


def test_program_that_cannot_be_printed() -> None:
    with pytest.raises(NotPrinted, match="the program cannot be printed"):
        roundtrip(program().replace(attrs={"odd": Node()}))
