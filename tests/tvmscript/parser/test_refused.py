"""Hundreds of wrong programs: what we say to each, and what real TVM says.

A file of `tests/cases/refused` begins with the heading that indented cases get. Then each case: its name, our verdict,
TVM's. A verdict is `read`, or the codes of the errors (TVM has none: `refused`). Where the two differ, a third column
says why. What is said about each case is in the file of the same name that ends in `.messages`;
`UPDATE_GOLDEN=1 pytest` writes it anew: read what it wrote.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tvmscript
from tests.golden import is_updating
from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError

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


def errors_of(text: str) -> tuple[TVMScriptError, ...]:
    """The errors of a text; a text without errors can be printed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's own, about its syntax
        try:
            tvmscript.from_source(text).script()
        except DiagnosticError as error:
            return error.errors
    return ()


def our_verdict(text: str) -> str:
    """`read`, or the codes of all errors."""
    return " ".join(error.code for error in errors_of(text)) or "read"


def told(case: Case) -> str:
    """The errors of a case: place, what is underlined, message, notes and hint."""
    lines = [case.name]
    for error in errors_of(case.text):
        span = error.span
        assert span is not None
        line = span.source.line(span.line)
        end = span.end_column - 1 if span.end_line == span.line else len(line)
        lines.append(f"    {error.code} {span.line}:{span.column} `{line[span.column - 1 : end]}` {error.text}")
        lines += [f"        note: {note}{f' ({at.line}:{at.column})' if at else ''}" for at, note in error.notes]
        lines += [f"        hint: {error.hint}"] if error.hint else []
    return "\n".join(lines)


def tvm_verdict(tvm: Any, text: str) -> str:
    """`read` or `refused`."""
    try:
        tvm.print(text)
    except Exception as error:  # the oracle is loaded from a file: its class has no name here
        if type(error).__name__ != "OracleError":
            raise
        return "refused"
    return "read"


@pytest.mark.parametrize("path", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_our_verdict(path: Path) -> None:
    cases = read(path)
    assert {case.name: our_verdict(case.text) for case in cases} == {case.name: case.ours for case in cases}


@pytest.mark.parametrize("path", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_messages(path: Path) -> None:
    golden = path.with_suffix(".messages")
    messages = "\n".join(told(case) for case in read(path) if case.ours != "read") + "\n"
    if is_updating():
        golden.write_text(messages)
    assert messages == golden.read_text()


def test_differences_have_a_reason() -> None:
    assert len(ALL) >= 400
    for case in ALL:
        assert ((case.ours == "read") == (case.tvm == "read")) == (case.why == ""), name(case)


def check_with_tvm(tvm: Any, cases: list[Case]) -> None:
    assert {name(case): tvm_verdict(tvm, case.text) for case in cases} == {name(case): case.tvm for case in cases}


@pytest.mark.oracle
def test_verdict_of_tvm(oracle: Any) -> None:
    check_with_tvm(oracle, ALL[::10])


@pytest.mark.fuzz
@pytest.mark.oracle
def test_all_verdicts_of_tvm(oracle: Any) -> None:
    check_with_tvm(oracle, ALL)
