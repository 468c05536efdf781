"""Definitions of tensor expressions are observed: functions, what these do not show of operations, and errors."""

from __future__ import annotations

import pytest

from tvmscript.fuzz.records.operators import check_definitions
from tvmscript.fuzz.records.scripts import outcome_of_call

TEXT = """\
def definitions():
    A = te.placeholder(({extent},), name="A")
    B = te.compute((4,), lambda i: A[i] + 1.0, name="B", tag={tag!r}, attrs={{"level": {level}}})
    yield "one", [A, B]
    yield "sizes", {{"ops": [A, B], "index_dtype_override": {dtype!r}}}
    yield "scalar", [te.var("n"), A, B]
    yield "nothing", []


def calls():
    yield "called", "x:float32[n,{extent}]", topi.nn.relu, None
    yield "sorted", "x:float32[{extent}]", topi.sort, None, {{"scheduled": True}}
"""
NAMES = [f"definitions.{name}" for name in ("one", "sizes", "scalar", "nothing")] + ["calls.called", "calls.sorted"]


def _outcome(name: str, **options: object) -> tuple[str, ...]:
    values = {"extent": 4, "tag": "elemwise", "level": 3, "dtype": "int64"} | options
    return outcome_of_call(lambda: check_definitions(TEXT.format(**values), [name]))


@pytest.mark.parametrize("name", NAMES)
def test_the_same_is_observed_again(name: str) -> None:
    assert _outcome(name) == _outcome(name) != ()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("definitions.one", {"extent": 8}), ("definitions.one", {"tag": ""}), ("definitions.one", {"level": 4}),
        ("definitions.sizes", {"dtype": "int32"}), ("calls.called", {"extent": 8}), ("calls.sorted", {"extent": 8}),
    ],
)  # fmt: skip
def test_other_definitions_are_observed_as_others(name: str, options: dict[str, object]) -> None:
    assert _outcome(name) != _outcome(name, **options)
