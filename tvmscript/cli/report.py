"""What a command found: told to a person as it comes, or to a program as one JSON document at the end."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Final

from tvmscript.cli.errors import Trouble
from tvmscript.ir.core.errors import TVMScriptError, excerpt
from tvmscript.ir.core.span import Span
from tvmscript.printer.errors import InvalidOption, UnknownOption

#: exit codes
FINE: Final = 0
FINDINGS: Final = 1
TROUBLE: Final = 2

#: errors of other layers that are the fault of the command line
_USAGE = (Trouble, OSError, InvalidOption, UnknownOption)


def exit_code_of(error: Exception) -> int:
    """2 for what is wrong with the command or its files, 1 for what is wrong with a program."""
    return TROUBLE if isinstance(error, _USAGE) else FINDINGS


class Report:
    """Collects findings. `facts` are what the command tells in JSON beyond them."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.command: str = options.command
        self.as_json: bool = getattr(options, "json", False)
        self.exit_code = FINE
        self.facts: dict[str, Any] = {}
        self._findings: list[dict[str, Any]] = []

    def error(self, error: TVMScriptError, file: str | None = None) -> None:
        """Something is wrong. `file` is where, if the error itself does not know."""
        self.exit_code = max(self.exit_code, exit_code_of(error))
        self._add(error, "error", file)

    def note(self, error: TVMScriptError, file: str | None = None) -> None:
        """Something that a person may want to know; the exit code does not change."""
        self._add(error, "note", file)

    def _add(self, error: TVMScriptError, severity: str, file: str | None) -> None:
        if self.as_json:
            self._findings.append(finding(error, severity, file))
        else:
            sys.stdout.flush()
            print(render(error, severity), file=sys.stderr, end="\n\n")

    def say(self, text: str) -> None:
        """A line for a person."""
        if not self.as_json:
            print(text)

    def output(self, text: str) -> None:
        """A text that is the answer itself, as it is."""
        if not self.as_json:
            sys.stdout.write(text)

    def finish(self) -> int:
        """The exit code, after the JSON document, where one was asked for."""
        if self.as_json:
            document = {
                "command": self.command,
                "exit_code": self.exit_code,
                "findings": self._findings,
                **self.facts,
            }
            print(json.dumps(document, indent=2))
        return self.exit_code


def render(error: TVMScriptError, severity: str) -> str:
    """One error with its excerpt; a note is shown shortly."""
    if severity == "error":
        return error.render_alone()
    lines = [f"note[{error.code}]: {error.text}"]
    if error.span is not None:
        lines.append(excerpt(error.span))
    if error.hint:
        lines.append(f"hint: {error.hint}")
    return "\n".join(lines)


def finding(error: TVMScriptError, severity: str, file: str | None = None) -> dict[str, Any]:
    """An error in the stable form that grammar_docs/cli.md describes."""
    return {
        "severity": severity,
        "code": error.code,
        "message": error.text,
        **_place(error.span, file or _file_of(error)),
        "hint": error.hint,
        "notes": [{"message": text, **_place(span, None)} for span, text in error.notes],
    }


def _file_of(error: TVMScriptError) -> str | None:
    file = error.facts.get("file")
    return None if file is None else str(file)


def _place(span: Span | None, file: str | None) -> dict[str, Any]:
    if span is None:
        return {"file": file, "line": None, "column": None, "end_line": None, "end_column": None}
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
