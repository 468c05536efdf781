"""Whatever the text: a program or a `DiagnosticError` that points into it. Fixed seeds here, more behind `-m fuzz`.

The texts of the cases are changed, where `tvmscript fuzz parser` changes programs that are drawn.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tvmscript.fuzz.parser import CHANGES, functions_of, library, near_valid_texts
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.parser import parse_program

pytestmark = pytest.mark.long

CASES = sorted((Path(__file__).parents[2] / "cases").rglob("*.py"))
TEXTS = [path.read_text().partition("\n# output\n")[0] for path in CASES if "transform" not in path.parts]
_HEALTH: Final[tuple[Any, ...]] = tuple(HealthCheck)
_PLAIN: Final = settings(database=None, phases=[Phase.generate], suppress_health_check=_HEALTH, derandomize=False)


def error_of(text: str) -> DiagnosticError | None:
    """The diagnostic of a text, None where it is read; anything else that is raised fails the test."""
    try:
        parse_program(text)
    except DiagnosticError as error:
        return error
    return None


def check(text: str) -> str:
    """The code of the error of a text, "read" where there is none. An error says where."""
    error = error_of(text)
    if error is None:
        return "read"
    assert error.span is not None
    assert (error.line or 0) >= 1
    assert (error.column or 0) >= 1
    assert str(error).startswith(f"error[{error.code}]")
    return error.code


def codes_of(texts: Sequence[str]) -> Counter[str]:
    """What came of some texts; Python's own warnings about them are not ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Counter(map(check, texts))


def run(change: str, number: int, count: int) -> Counter[str]:
    """What comes of as many texts with changes of a kind."""
    drawn: list[str] = []

    @seed(number)
    @settings(
        max_examples=count, database=None, phases=[Phase.generate], suppress_health_check=_HEALTH, derandomize=False
    )
    @given(near_valid_texts(2, st.sampled_from(TEXTS), change))
    def draw(text: str) -> None:
        drawn.append(text)

    draw()
    return codes_of(drawn)


@pytest.mark.parametrize("change", CHANGES)
def test_changed_programs(change: str) -> None:
    codes = run(change, 20260101, 300)
    # the changes reach the parser: not all of them end at Python's grammar
    assert len(codes) >= 8
    assert codes["read"] >= 20


def test_library() -> None:
    codes = codes_of([text for path in library()[:20] for text in (path.read_text("utf-8"), *functions_of(path))])
    assert len(codes) >= 5


@pytest.mark.fuzz
@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("change", CHANGES)
def test_many_changed_programs(change: str, number: int) -> None:
    codes = run(change, number, 10_000)
    assert codes["read"] >= 100


@pytest.mark.fuzz
def test_whole_library() -> None:
    codes = codes_of([text for path in library() for text in functions_of(path)])
    assert codes.total() > 2000


def test_names_in_brackets_know_their_place() -> None:
    """A find of the mutated programs: `T.Buffer[...]`, the spelling of old texts, is read for every name."""
    with pytest.raises(DiagnosticError) as caught:
        parse_program('@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(tvm.ir.load_json["x"])\n')
    assert (caught.value.code, caught.value.line, caught.value.column) == ("TS2052", 3, 16)


def test_parameters_of_one_name() -> None:
    """Another find: Python's parser reads them, its compiler does not."""
    with pytest.raises(DiagnosticError) as caught:
        parse_program("@T.macro\ndef m(A, B, A):\n    T.evaluate(A)\n")
    assert (caught.value.code, caught.value.line, caught.value.column) == ("TS2008", 2, 13)
