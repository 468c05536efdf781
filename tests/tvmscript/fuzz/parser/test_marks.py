"""Comments, underlines, notes and numbers of lines leave a text as it is."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tvmscript.fuzz.parser.marks import MarksWrong, check_comments, check_marks, commented
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.parser.entry import from_source

TEXT = """\
@T.prim_func
def f(A: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(4):
        if n < i:
            A[i] = n + 1
        else:
            A[i] = 0
    T.evaluate(n)
"""


@pytest.mark.parametrize("seed", range(12))
def test_comments(seed: int) -> None:
    text = commented(TEXT, random.Random(seed))
    assert from_source(text).script(comments=False) == from_source(TEXT).script()
    check_comments(text)


def test_lost_comments_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    script = PrimFunc.script
    monkeypatch.setattr(PrimFunc, "script", lambda self, **options: script(self, comments=False))
    with pytest.raises(MarksWrong, match="the comments are not those of"):  # TS8058
        check_comments(TEXT.replace("    T.evaluate", "    # remark 0\n    T.evaluate"))


@pytest.mark.parametrize("seed", range(12))
def test_marks(seed: int) -> None:
    check_marks(from_source(TEXT), random.Random(seed))


def test_wrong_underlines_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    script = PrimFunc.script

    def moved(self: PrimFunc, **options: Any) -> str:
        return script(self, **options).replace("^", " ^")

    program = from_source(TEXT)
    monkeypatch.setattr(PrimFunc, "script", moved)
    assert sum(_is_told(program, seed) for seed in range(20)) > 5


def _is_told(program: Node, seed: int) -> bool:
    try:
        check_marks(program, random.Random(seed))
    except MarksWrong:
        return True
    return False
