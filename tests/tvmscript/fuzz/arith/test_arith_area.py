"""The area of arithmetic: every law is asked, about what can decide it, and its examples are scripts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings

from tvmscript.fuzz.arith.area import AREA, Example, Question, write
from tvmscript.fuzz.arith.evaluate import evaluate, overflows
from tvmscript.fuzz.arith.index_expressions import guarded, related
from tvmscript.fuzz.arith.index_laws import LAWS, Draw, Puzzle
from tvmscript.fuzz.arith.strength_laws import LAWS as STRENGTH_LAWS
from tvmscript.fuzz.engine import fuzz
from tvmscript.fuzz.errors import WrongArithmetic
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.intervals.modular import ANY
from tvmscript.ir.tir import expr as e
from tvmscript.ir.tir.var import Var
from tvmscript.testing.choices import Choices, choices


def test_every_law_is_asked_and_written() -> None:
    asked: Counter[str] = Counter()

    def note(example: Example) -> None:
        law = example.law if isinstance(example, Question | Puzzle) else "told"
        asked[law] += 1
        if asked[law] <= 4:
            exec(write(example), {})

    tally = fuzz([replace(AREA, check=note)], seed=3, examples=900)
    assert not tally.failures, tally.failures[0].script
    assert asked.keys() >= {
        "simplify",
        "assumed",
        "proof",
        "bounds",
        "set",
        "data",
        "ways",
        "constants",
        "told",
        *LAWS,
        *STRENGTH_LAWS,
    }
    assert min(asked.values()) >= 4


def test_conditions_decide() -> None:
    """Of conditions on one value many hold for some values and not for others, and choose other numbers there."""
    i, n = Var("i", "int32"), Var("n", "int32")
    points = [{i: first, n: second} for first in range(-4, 9) for second in range(-4, 9)]
    seen: Counter[str] = Counter()

    @settings(max_examples=200, derandomize=True, database=None)
    @given(choices())
    def draw(rng: Choices) -> None:
        condition, number = related(rng, [i, n]), guarded(rng, [i, n])
        seen["open"] += len({evaluate(condition, point) for point in points}) == 2
        seen["chosen"] += len({evaluate(number, point) for point in points}) > 2
        seen["all"] += 1

    draw()
    assert seen["open"] > seen["all"] // 2
    assert seen["chosen"] > seen["all"] // 2


def test_what_overflows() -> None:
    x = Var("x", "int32")
    product = e.Mul(x, x)
    assert not overflows(e.FloorDiv(product, x), {x: 46340})
    assert overflows(e.FloorDiv(product, x), {x: 46341})
    assert not overflows(e.FloorDiv(x, e.Sub(x, x)), {x: 46341})


@pytest.mark.parametrize(
    ("method", "answer", "what"),
    [("can_prove", False, "a proof False"), ("modular", ANY, "residue"), ("simplify", None, "simplifies to")],
)
def test_answers_that_are_right_and_weak(
    monkeypatch: pytest.MonkeyPatch, method: str, answer: object, what: str
) -> None:
    """An analyzer that knows nothing is never wrong: only the laws of strength find it."""
    weak = (lambda _, expr: expr) if answer is None else (lambda *_: answer)
    monkeypatch.setattr(Analyzer, method, weak)
    draw, check = STRENGTH_LAWS["exact_affine"]
    with pytest.raises(WrongArithmetic, match=what):
        _check_many(draw, check)


def _check_many(draw: Callable[[Draw], Puzzle], check: Callable[[Puzzle], None]) -> None:
    rng = random.Random(0)
    for _ in range(200):
        check(draw(rng.randrange))
