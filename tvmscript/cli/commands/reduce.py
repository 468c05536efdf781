"""Reduce the program of a file, or a trace, while a command still fails on it."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from tvmscript.cli.errors import FileFailed, InvalidOption, Trouble
from tvmscript.cli.files import read_file, write
from tvmscript.cli.named_programs import one_program
from tvmscript.cli.report import Report, for_stdout
from tvmscript.schedule import Trace
from tvmscript.testing.reducer.programs import reduce
from tvmscript.testing.reducer.traces import reduce_trace

#: the exit code of another failure: neither an exit code nor a signal
_OTHER: Final = -1000


class CommandDoesNotRun(Trouble, code="TS7050"):
    """The command of `tvmscript reduce --fails` cannot be started."""

    message = "the command cannot be run: {reason}"


class CommandSucceeds(Trouble, code="TS7051"):
    """The command of `tvmscript reduce --fails` succeeds on the original file, so there is no failure to preserve.

    A command fails if its exit code is not 0.
    """

    message = "the command succeeds on {file}: there is no failure to preserve"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript reduce`."""
    parser.add_argument("path", metavar="FILE", help="a program (FILE:NAME is one of several), or a trace as JSON")
    parser.add_argument(
        "--fails",
        required=True,
        metavar="COMMAND",
        help="command to run on each candidate, whose file replaces {}; a candidate fails if the exit code is "
        "that of the original file, which must not be 0",
    )
    parser.add_argument(
        "--match",
        metavar="TEXT",
        help="what the output of a failing candidate must contain too: an error code (TS8012), or a regular expression",
    )
    parser.add_argument("-o", "--out", type=Path, metavar="OUT", help="file for the result (default: print it)")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="seconds of one run (default 60)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def main(options: argparse.Namespace) -> int:
    """Reduce the program or trace, and print the sizes."""
    report = Report(options)
    with tempfile.TemporaryDirectory(prefix="tvmscript-reduce-") as folder:
        reduced, before, runs = _reduce(options, Path(folder))
    if options.out is not None:
        write(options.out, reduced + "\n")
    else:
        report.line(for_stdout(reduced))
    after = len(reduced.splitlines())
    report.facts = {"text": reduced, "lines": after, "lines_before": before, "runs": runs}
    print(f"{before} lines became {after}, in {runs} runs of the command", file=sys.stderr)
    return report.finish()


def _reduce(options: argparse.Namespace, folder: Path) -> tuple[str, int, int]:
    """Return the text of the result, the number of original lines, the number of runs."""
    trace = _trace(options.path)
    if trace is not None:
        text, before = _json, _json(trace)
        command = _Command(options, folder / "candidate.json")
        command.expect_failure(before)
        result = text(reduce_trace(trace, lambda candidate: command.fails(text(candidate))))
    else:
        program = one_program(options.path)
        before = program.script(comments=False)
        command = _Command(options, folder / "candidate.py")
        command.expect_failure(before)
        reduced: Any = reduce(program, lambda candidate: command.fails(candidate.script(comments=False)))
        result = reduced.script(comments=False)
    return result, len(before.splitlines()), command.runs


class _Command:
    """The user's command, run on candidates."""

    def __init__(self, options: argparse.Namespace, file: Path) -> None:
        self.words = shlex.split(options.fails)
        if not self.words:
            raise InvalidOption(option="--fails", reason="it is empty")
        if not any("{}" in word for word in self.words):
            self.words.append("{}")
        self.name = options.path
        self.timeout = options.timeout
        self.file = file
        try:
            self.match = None if options.match is None else re.compile(options.match.encode())
        except re.error as error:
            raise InvalidOption(option="--match", reason=f"it is no regular expression: {error}") from error
        #: exit code of the failure
        self.expected = 0
        self.runs = 0

    def expect_failure(self, text: str) -> None:
        self.expected = self._run(text)
        if self.expected == 0:
            raise CommandSucceeds(file=self.name)
        if self.match is not None and self.expected == _OTHER:
            reason = "the output of the command on the original file does not match, or the command takes too long"
            raise InvalidOption(option="--match", reason=reason)

    def fails(self, text: str) -> bool:
        return self._run(text) == self.expected

    def _run(self, text: str) -> int:
        """Return the exit code of the command, `_OTHER` for a failure that is another one."""
        self.file.write_text(text + "\n", "utf-8")
        self.runs += 1
        words = [word.replace("{}", str(self.file)) for word in self.words]
        try:
            process = subprocess.run(
                words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=self.timeout
            )
        except subprocess.TimeoutExpired:
            return _OTHER
        except OSError as error:
            raise CommandDoesNotRun(reason=error, hint="use sh -c for several shell commands") from error
        if process.returncode != 0 and self.match is not None and not self.match.search(process.stdout):
            return _OTHER
        return process.returncode


def _trace(path: str) -> Trace | None:
    """Return the trace of a JSON file, None for other files."""
    if not path.endswith(".json"):
        return None
    file = read_file(Path(path))
    if isinstance(file, FileFailed):
        raise file
    return Trace.from_json(file.text)


def _json(trace: Trace) -> str:
    """Return a trace as text, one step a line."""
    instructions, decisions = trace.as_json()
    steps = ",\n".join(json.dumps(instruction) for instruction in instructions)
    return f"[[\n{steps}\n],\n{json.dumps(decisions)}]"
