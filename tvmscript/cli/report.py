"""Reports of commands: text on standard output and error as it comes, or one JSON document at the end."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Final

from tvmscript.cli.errors import Trouble
from tvmscript.ir.core import Span
from tvmscript.ir.core.errors import TVMScriptError, excerpt
from tvmscript.ir.core.visible import visible
from tvmscript.printer.errors import InvalidOption, UnknownOption

#: exit codes
FINE: Final = 0
FINDINGS: Final = 1
TROUBLE: Final = 2

#: errors of usage, also from other layers
_USAGE = (Trouble, OSError, InvalidOption, UnknownOption)


def exit_code_of(error: Exception) -> int:
    """Return 2 for an error of usage or files, 1 for an error in a program."""
    return TROUBLE if isinstance(error, _USAGE) else FINDINGS


class Report:
    """Findings and exit code of a command. `facts` are further entries of the JSON document."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.command: str = options.command
        self.as_json: bool = getattr(options, "json", False)
        self.exit_code = FINE
        self.facts: dict[str, object] = {}
        self._findings: list[dict[str, object]] = []

    def error(self, error: TVMScriptError, file: str | None = None) -> None:
        """Report an error. `file` is its place if the error has none."""
        self.exit_code = max(self.exit_code, exit_code_of(error))
        self._add(error, "error", file)

    def note(self, error: TVMScriptError, file: str | None = None) -> None:
        """Report a note, which does not change the exit code."""
        self._add(error, "note", file)

    def _add(self, error: TVMScriptError, severity: str, file: str | None) -> None:
        if self.as_json:
            self._findings.append(finding(error, severity, file))
        else:
            sys.stdout.flush()
            print(render(error, severity), file=sys.stderr, end="\n\n")

    def line(self, text: str) -> None:
        """Print a line, unless the report is JSON."""
        if not self.as_json:
            print(text)

    def output(self, text: str) -> None:
        """Print a text without adding a line end, unless the report is JSON."""
        if not self.as_json:
            sys.stdout.write(for_stdout(text))

    def finish(self) -> int:
        """Print the JSON document if one is requested, and return the exit code."""
        if self.as_json:
            document = {"command": self.command, "exit_code": self.exit_code, "findings": self._findings, **self.facts}
            print(json.dumps(document, indent=2))
        return self.exit_code


def for_stdout(text: str) -> str:
    """Return a text of a file; a terminal does not obey what it contains."""
    return visible(text) if sys.stdout.isatty() else text


def render(error: TVMScriptError, severity: str) -> str:
    """Return the text of an error with its excerpt, or the short form of a note."""
    if severity == "error":
        return error.render_alone()
    lines = [f"note[{error.code}]: {visible(error.text)}"]
    if error.span is not None:
        lines.append(excerpt(error.span))
    if error.hint:
        lines.append(f"hint: {visible(error.hint)}")
    return "\n".join(lines)


def finding(error: TVMScriptError, severity: str, file: str | None = None) -> dict[str, object]:
    """Return an error as JSON, in the format of grammar_docs/cli.md."""
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


def _place(span: Span | None, file: str | None) -> dict[str, object]:
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
    """Return `1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
