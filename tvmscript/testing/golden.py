"""`expect(program, script)`: compare a program with the script in a test.

    def test_unrolled():
        expect(UnrollLoop()(before), '''
            @T.prim_func
            def main(A: T.Buffer((4,), "float32")):
                A[0] = T.float32(0)
        ''')

Programs are compared structurally, modulo names. `pytest --tvmscript-update` writes the actual scripts into the tests.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

from tvmscript.differ import diff
from tvmscript.ir.core import DiagnosticError, Node, TVMScriptError, structural_equal
from tvmscript.ir.core.span import lines_of
from tvmscript.parser import from_source


class NotAsExpected(TVMScriptError, AssertionError, code="TS8020"):
    """A program differs from the expected script. Lines marked with `-` are expected, those with `+` are actual.
    `pytest --tvmscript-update` writes the actual script into the test.
    """

    message = "the program is not as expected ({where}):\n{difference}"
    advice = "pytest --tvmscript-update writes what came out into the test"


class CannotUpdate(TVMScriptError, code="TS8021"):
    """An expectation cannot be updated: the call of `expect` has no string literal as its second argument, is in no
    file, or gets different programs.
    """

    message = "the expectation at {where} cannot be updated: {reason}"


@dataclass(frozen=True)
class Edit:
    """The replacement of a string literal in a test file."""

    file: str
    line: int
    #: byte offset in the line
    column: int
    end_line: int
    end_column: int
    text: str

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"


class Updates:
    """The pending edits of a test run with `--tvmscript-update`."""

    def __init__(self) -> None:
        self.is_on = False
        self.edits: list[Edit] = []


UPDATES: Final = Updates()


def expect(program: Node, script: str, *, exact: bool = False) -> None:
    """Raise `NotAsExpected` unless the program equals the script.

    `program` is a module, a function, a statement or an expression. Programs are compared structurally, with free
    names mapped; with `exact`, texts are compared. The script may be indented. Raises `CannotUpdate` if expectations
    are being updated and this one cannot be.
    """
    actual, expected = program.script(comments=False).strip(), textwrap.dedent(script).strip()
    if actual == expected:
        return
    difference: str | None = None
    if not exact and expected:
        try:
            other = from_source(expected, check_well_formed=False)
        except DiagnosticError as error:
            difference = f"the expected script cannot be read: {error}"
        else:
            if structural_equal(other, program, map_free_vars=True):
                return
            difference = diff(other, program, map_free_vars=True, names=("expected", "got")).text()
    here = inspect.currentframe()
    frame = here.f_back if here else None
    assert frame is not None
    if UPDATES.is_on:
        UPDATES.edits.append(_edit(frame, actual))
        return
    where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    raise NotAsExpected(where=where, difference=difference or _lines(expected, actual))


def _lines(expected: str, actual: str) -> str:
    """Show both texts if there is no structure to compare."""
    return "\n".join([*(f"-{line}" for line in expected.splitlines()), *(f"+{line}" for line in actual.splitlines())])


def _edit(frame: FrameType, actual: str) -> Edit:
    """Create the edit of the call that a frame executes."""
    file = frame.f_code.co_filename
    where = f"{file}:{frame.f_lineno}"
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    try:
        text = Path(file).read_text("utf-8")
    except OSError:
        raise CannotUpdate(where=where, reason="it is in no file") from None
    calls = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) == positions
    ]
    literal = _literal(calls[0]) if calls else None
    if literal is None or literal.end_lineno is None or literal.end_col_offset is None:
        raise CannotUpdate(where=where, reason="the script is no string literal in the call")
    line = lines_of(text)[calls[0].lineno - 1]
    indent = line[: len(line) - len(line.lstrip())]
    return Edit(
        file, literal.lineno, literal.col_offset, literal.end_lineno, literal.end_col_offset, _quoted(actual, indent)
    )


def _literal(call: ast.Call) -> ast.Constant | None:
    argument: Any = call.args[1] if len(call.args) > 1 else None
    for keyword in call.keywords:
        if keyword.arg == "script":
            argument = keyword.value
    return argument if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None


def _quoted(text: str, indent: str) -> str:
    """Format a multi-line string literal with the indentation of the code."""
    quotes = "'''" if '"""' in text else '"""'
    body = text.replace("\\", "\\\\").replace(quotes, "\\" + "\\".join(quotes))
    inside = textwrap.indent(body, indent + "    ", lambda line: bool(line.strip()))
    return f"{quotes}\n{inside}\n{indent}{quotes}"


def write_edits(edits: Iterable[Edit]) -> list[str]:
    """Apply the edits. Returns the names of the files.

    Raises `CannotUpdate`, before anything is written, where two edits want different texts in one place.
    """
    places: dict[tuple[str, int, int], Edit] = {}
    for edit in edits:
        previous = places.setdefault((edit.file, edit.line, edit.column), edit)
        if previous != edit:
            raise CannotUpdate(where=edit.where, reason="it is called with different programs")
    files: dict[str, list[Edit]] = {}
    for edit in sorted(places.values(), key=lambda each: (each.file, -each.line, -each.column)):
        files.setdefault(edit.file, []).append(edit)
    for name, changes in files.items():
        path = Path(name)
        lines = path.read_bytes().splitlines(keepends=True)
        for edit in changes:  # from the end, so that earlier offsets stay valid
            first, last = lines[edit.line - 1], lines[edit.end_line - 1]
            merged = first[: edit.column] + edit.text.encode() + last[edit.end_column :]
            lines[edit.line - 1 : edit.end_line] = [merged]
        path.write_bytes(b"".join(lines))
    return list(files)
