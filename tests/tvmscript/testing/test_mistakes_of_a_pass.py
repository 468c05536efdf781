"""The ten commonest mistakes in a user's pass of ten lines: which strategies find each within 200 examples.

grammar_docs/testing.md has the table.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from tvmscript import tir
from tvmscript.ir.core import IRModule
from tvmscript.ir.tir.stmt import seq
from tvmscript.testing import oracles
from tvmscript.testing.kernels import kernels
from tvmscript.testing.scopes import scoped_funcs
from tvmscript.testing.strategies import block_funcs, prim_funcs
from tvmscript.tir.stmt_functor import StmtExprMutator, on, renew_defs, substitute
from tvmscript.tir.transform import Apply

_PAGE: Final = Path(__file__).parents[3] / "grammar_docs" / "testing.md"
_MOST: Final = 200
_CHECKS: Final = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
_NAMES: Final[dict[str, Any]] = {
    "StmtExprMutator": StmtExprMutator, "on": on, "renew_defs": renew_defs, "seq": seq, "substitute": substitute,
    "tir": tir,
}  # fmt: skip
#: strategies, and whether their functions are safe to run
_STRATEGIES: Final[dict[str, tuple[SearchStrategy[Any], bool]]] = {
    "kernels()": (kernels(), True), "block_funcs()": (block_funcs(), True),
    "prim_funcs()": (prim_funcs(), False), "scoped_funcs()": (scoped_funcs(), False),
}  # fmt: skip
#: a mistake -> the right text, and the wrong one
_MISTAKES: Final = {
    "the last iteration is lost": ("range(node.extent.value)", "range(node.extent.value - 1)"),
    "loops begin at 0": ("node.min + tir.const", "tir.const"),
    "iterations run backwards": ("range(node.extent.value)", "reversed(range(node.extent.value))"),
    "only the last copy stays": ("return seq(*copies)", "return copies[-1]"),
    "the loop stays around the copies": ("return seq(*copies)", "return node.replace(body=seq(*copies))"),
    "an empty reduction loses its init": ("1 <= node.extent.value", "0 <= node.extent.value"),
    "the variable stays": ("{node.loop_var: value}", "{}"),
    "copies share definitions": ("renew_defs(", "("),
    "extents are always constants": ("not isinstance(node.extent, tir.IntImm) or ", ""),
    "every copy is the first iteration": ("{node.loop_var: value}", "{node.loop_var: node.min}"),
}


def _pass_on_page() -> str:
    """Return the text of the pass."""
    text = re.search(r"^```python\n(class Unroll.*?)^```", _PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert text is not None
    return text[1]


def _rows_on_page() -> dict[str, list[str]]:
    """Return the rows of the table: a mistake -> for each strategy a number of examples, or nothing."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in _PAGE.read_text("utf-8").splitlines()]
    return {row[0]: row[1:] for row in rows if row[0] in _MISTAKES}


def _examples(text: str, name: str) -> int | None:
    """Return after how many examples of a strategy a pass fails, None if it does not."""
    strategy, is_run = _STRATEGIES[name]
    names = dict(_NAMES)
    exec(text, names)
    unroll = Apply(lambda func: func.with_body(names["Unroll"]().rewrite(func.body)))
    count = 0

    @seed(0)
    @settings(
        max_examples=_MOST, phases=[Phase.generate], deadline=None, database=None, suppress_health_check=_CHECKS,
        report_multiple_bugs=False,
    )  # fmt: skip
    @given(strategy)
    def check(func: Any) -> None:
        nonlocal count
        count += 1
        if is_run:
            oracles.pass_keeps(unroll, func)
        else:
            oracles.well_formed(unroll(IRModule({"main": func})))

    try:
        check()
    except Exception:  # noqa: BLE001  # a pass fails with any error
        return count
    return None


@pytest.mark.parametrize("mistake", _MISTAKES)
def test_the_best_strategy_finds_it(mistake: str) -> None:
    right, wrong = _MISTAKES[mistake]
    text = _pass_on_page()
    assert text.count(right) == 1
    numbers = _rows_on_page()[mistake]
    least = min((number for number in numbers if number), key=int)
    strategy = [*_STRATEGIES][numbers.index(least)]
    assert _examples(text.replace(right, wrong), strategy) is not None


@pytest.mark.long
@pytest.mark.parametrize("name", _STRATEGIES)
def test_the_right_pass_stays(name: str) -> None:
    assert _examples(_pass_on_page(), name) is None
