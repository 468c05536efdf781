"""Faults of TVM on their page: TVM still has each, and this package does not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import tvmscript
from tests.ir.schedule.scripts import load_script, script_of
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.schedule import Schedule

_ROOT: Final = Path(__file__).parents[2]
_PAGE: Final = (_ROOT / "grammar_docs" / "peers_bugs.md").read_text("utf-8")
_STEP: Final = re.compile(
    r"^### ([^\n]+)\n\n```python\n(.*?)```\n\n```text step\n(.*?)```\n\n"
    r"TVM writes\n\n```text tvm\n(.*?)```\n\n.*? Here: (.*?)\.\n",
    re.DOTALL | re.MULTILINE,
)
#: title -> program, step, lines of TVM's text, what happens here
STEPS: Final = {match[1]: match.groups()[1:] for match in _STEP.finditer(_PAGE)}
_BUILD: Final = re.compile(r"^\*\*([^\n]+)\*\*: `([^`]+)`[^\n]*\n\n```text build\n(.*?)```", re.DOTALL | re.MULTILINE)
#: title -> what TVM says when it builds a program, the program
BUILDS: Final = {match[1]: match.groups()[1:] for match in _BUILD.finditer(_PAGE)}
CASES: Final = re.findall(r"^\| \[\S+\]\(\.\./(tests/cases/transform/\S+)\)", _PAGE, re.MULTILINE)


def has_lines(text: str, lines: str) -> bool:
    """Return whether a text has some lines, wherever they begin."""
    wanted, found = ([line.strip() for line in each.splitlines()] for each in (lines, text))
    return any(found[at : at + len(wanted)] == wanted for at in range(len(found)))


@pytest.mark.parametrize("title", STEPS)
def test_the_step_here(title: str) -> None:
    program, step, lines, outcome = STEPS[title]
    schedule = Schedule(tvmscript.from_source(program))
    if outcome == "the predicate stays":
        load_script(script_of(step))(schedule)
        assert not has_lines(schedule.mod.script(), lines)
    else:
        with pytest.raises(TVMScriptError) as caught:
            load_script(script_of(step))(schedule)
        assert f"`{caught.value.code}`" == outcome


@pytest.mark.oracle
@pytest.mark.parametrize("title", STEPS)
def test_the_step_in_tvm(title: str, oracle: Any) -> None:
    program, step, lines, _ = STEPS[title]
    assert has_lines(oracle.schedule(script_of(step), program, brief=True)["text"], lines)


def _arrays(program: str) -> list[Any]:
    """Arrays of ones for the parameters of a program."""
    func = tvmscript.from_source(program)
    buffers = [func.buffer_map[param] for param in func.params]
    return [np.ones([int(extent) for extent in buffer.shape], str(buffer.dtype)) for buffer in buffers]


@pytest.mark.parametrize("title", BUILDS)
def test_the_program_is_built_here(title: str) -> None:
    func = tvmscript.from_source(BUILDS[title][1])
    results = [_arrays(BUILDS[title][1]) for _ in range(2)]
    for target, arrays in zip(("interp", "llvm"), results, strict=True):
        tvmscript.build(func, target=target)["main"](*arrays)
    for expected, actual in zip(*results, strict=True):
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.oracle
@pytest.mark.parametrize("title", BUILDS)
def test_the_program_in_tvm(title: str, oracle: Any) -> None:
    message, program = BUILDS[title]
    with pytest.raises(Exception, match=re.escape(message)) as caught:
        oracle.asm(program)
    assert type(caught.value).__name__ == "OracleError"


def test_programs_of_passes() -> None:
    """Each says what is different in TVM; `test_tvm_agrees` does not ask for them."""
    assert len(CASES) > 15
    for name in CASES:
        assert "# differs from TVM: " in (_ROOT / name).read_text("utf-8")


def test_every_step_is_read() -> None:
    assert len(STEPS) == _PAGE.count("\n### ")
    assert len(BUILDS) == _PAGE.count("```text build")
