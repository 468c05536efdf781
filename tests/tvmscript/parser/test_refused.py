"""Hundreds of wrong programs: what we say to each, and what real TVM says.

A file of `tests/cases/refused` begins with the heading that indented cases get. Then each case: its name, our verdict, TVM's.
A verdict is `read`, or the codes of the errors (TVM has none: `refused`). Where the two differ, a third column says why.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tvmscript
from tvmscript.ir.core.errors import DiagnosticError

CASES = Path(__file__).parents[2] / "cases" / "refused"
HEADING = re.compile(r"^### ", re.MULTILINE)


class Case(NamedTuple):
    """A program and what is said about it."""

    file: str
    name: str
    ours: str
    tvm: str
    why: str
    text: str


def read(path: Path) -> list[Case]:
    """The cases of a file."""
    prelude, *parts = HEADING.split(path.read_text())
    made: list[Case] = []
    for part in parts:
        title, _, body = part.partition("\n")
        name, ours, tvm, why = [*(word.strip() for word in title.split("|")), "", "", ""][:4]
        text = prelude.rstrip() + "\n" + body if body.startswith(" ") else body
        made.append(Case(path.stem, name, ours, tvm, why, text))
    return made


ALL = [case for path in sorted(CASES.glob("*.txt")) for case in read(path)]


def name(case: Case) -> str:
    return f"{case.file}: {case.name}"


def our_verdict(text: str) -> str:
    """`read`, or the codes of all errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's own, about its syntax
        try:
            tvmscript.from_source(text).script()
        except DiagnosticError as error:
            assert all(item.span is not None for item in error.errors)
            return " ".join(item.code for item in error.errors)
    return "read"


def tvm_verdict(tvm: Any, text: str) -> str:
    """`read` or `refused`."""
    try:
        tvm.print(text)
    except Exception as error:  # noqa: BLE001  # the oracle is loaded from a file: its class has no name here
        if type(error).__name__ != "OracleError":
            raise
        return "refused"
    return "read"


@pytest.mark.parametrize("path", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_our_verdict(path: Path) -> None:
    cases = read(path)
    assert {case.name: our_verdict(case.text) for case in cases} == {case.name: case.ours for case in cases}


def test_differences_have_a_reason() -> None:
    assert len(ALL) >= 400
    for case in ALL:
        assert ((case.ours == "read") == (case.tvm == "read")) == (case.why == ""), name(case)


@pytest.mark.oracle
def test_verdict_of_tvm(oracle: Any) -> None:
    assert {name(case): tvm_verdict(oracle, case.text) for case in ALL} == {name(case): case.tvm for case in ALL}
