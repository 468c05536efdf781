"""The area of arithmetic: every law is asked, about what can decide it, and its examples are scripts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings

from tvmscript.fuzz.arith.area import AREA, Example, Question, write
from tvmscript.fuzz.arith.evaluate import evaluate, overflows
from tvmscript.fuzz.arith.index_expressions import guarded, related
from tvmscript.fuzz.arith.index_laws import LAWS, Puzzle
from tvmscript.fuzz.engine import fuzz
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
    assert asked.keys() >= {"simplify", "assumed", "proof", "bounds", "set", "data", "ways", "constants", "told", *LAWS}
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
