"""Choose examples of a fuzzer: each executes lines that those before it do not."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any, Final

from tools.records.tests_as_sessions import Case, NotASession, cases, pack
from tvmscript.fuzz.areas import area as find_area
from tvmscript.fuzz.engine import fuzz, limited
from tvmscript.fuzz.errors import TakesTooLong
from tvmscript.fuzz.records.scripts import Recorded, outcome_of, outcome_of_call, read
from tvmscript.fuzz.records.sessions import check_session

#: area -> folders whose lines count, in the package
PACKAGES: Final = {
    "parser": ("parser",), "printer": ("printer",), "relax": ("ir/relax",),
    "graphs": ("ir/relax", "ir/topi", "backends/vm", "ir/te"), "te": ("ir/te", "ir/topi"),
    "passes": ("ir/transform",), "schedule": ("ir/schedule",), "builds": ("ir/schedule",),
    "codegen": ("backends/llvm",), "cuda": ("backends/cuda", "backends/interp"),
    "runtime": ("backends/runtime", "backends/vm", "backends/interp"), "frontends": ("tvmscript/frontend",),
    "nodes": ("ir/core", "ir/tir"), "arith": ("ir/arith",), "analysis": ("ir/analysis",),
}  # fmt: skip
#: characters of a script
_LONGEST: Final = 6000
#: seconds of a script
_LIMIT: Final = 2
#: errors of tests that need more than a session has
_BROKEN: Final = ("NameError", "ImportError", "ModuleNotFoundError", "AssertionError", "FileNotFoundError")


class _Lines:
    """Tells whether new lines ran since it was asked last."""

    def __init__(self, folders: tuple[str, ...], disable: object) -> None:
        self.is_noted = False
        self._folders = tuple(f"/{folder}/" for folder in folders)
        self._codes: dict[CodeType, bool] = {}
        self._count = 0
        self._disable = disable

    def note(self, code: CodeType, line: int) -> object:
        counts = self._codes.get(code)
        if counts is None:
            name = code.co_filename
            counts = any(folder in name for folder in self._folders) and "/fuzz/" not in name
            self._codes[code] = counts
        if counts and not self.is_noted:
            return None  # the strategy runs it: the check may do so, too
        self._count += counts
        return self._disable

    def take(self) -> int:
        count, self._count = self._count, 0
        return count


@contextmanager
def _lines(folders: tuple[str, ...]) -> Generator[_Lines]:
    if sys.version_info < (3, 12):
        raise RuntimeError("sys.monitoring came with Python 3.12")
    lines, monitoring = _Lines(folders, sys.monitoring.DISABLE), sys.monitoring
    monitoring.use_tool_id(monitoring.COVERAGE_ID, "records")
    monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, lines.note)
    monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)
    try:
        yield lines
    finally:
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.NO_EVENTS)
        monitoring.free_tool_id(monitoring.COVERAGE_ID)


def choose(area: str, minutes: float, rounds: int, seed: int, texts: Path | None) -> list[Recorded]:
    """Choose examples of an area, beside the recorded ones: of some scripts, and of what the area draws.

    A line that is executed counts anew in the next round.
    """
    fuzzer = find_area(area)
    recorded = read(area)
    scripts: list[str] = [] if texts is None else json.loads(texts.read_text("utf-8"))
    chosen: dict[str, Recorded] = {}
    if sys.version_info < (3, 12):
        raise RuntimeError("sys.monitoring came with Python 3.12")
    with _lines(PACKAGES[area]) as lines:

        def attempt(script: Callable[[], str], check: Callable[[], tuple[str, ...]]) -> None:
            lines.take()
            lines.is_noted = True
            try:
                with limited(_LIMIT):
                    outcome = check()
            finally:
                lines.is_noted = False
            if lines.take() and len(body := script()) < _LONGEST and "pickle" not in body:
                chosen.setdefault(body, Recorded(body, outcome))

        sys.monitoring.restart_events()
        lines.is_noted = True
        for each in recorded:
            if each.can_run:
                chosen[each.script] = replace(each, outcome=outcome_of(each.script))
            else:
                chosen[each.script] = each
        for number in range(rounds):
            if number:
                sys.monitoring.restart_events()
            for script in [each for each in scripts if each not in chosen]:
                try:
                    attempt(partial(str, script), partial(outcome_of, script))
                except Exception as error:  # noqa: BLE001  # whatever a script raises: it is not chosen
                    print(f"{type(error).__name__}: {error}", file=sys.stderr)
            print(f"{area}: {len(chosen) - len(recorded)} of {len(scripts)} scripts", file=sys.stderr)

            def check(example: Any) -> None:
                attempt(
                    lambda: fuzzer.write(example),
                    lambda: outcome_of_call(lambda: fuzzer.check(example)),
                )

            began = len(chosen)
            tally = fuzz(
                [replace(fuzzer, check=check)],
                seed=seed + number,
                minutes=minutes / rounds,
                clock=time.process_time,
                has_records=False,
            )
            print(
                f"{area}: {len(chosen) - began} of {tally}", *(each.script for each in tally.failures), file=sys.stderr
            )
    return list(chosen.values())


def choose_tests(area: str, folder: Path) -> list[Recorded]:
    """Choose tests below a folder, beside the recorded examples: each executes lines that those before do not."""
    recorded = read(area)
    chosen: list[Case] = []
    modules = [".".join(file.with_suffix("").parts) for file in sorted(folder.rglob("test_*.py"))]
    with _lines(PACKAGES[area]) as lines:
        lines.is_noted = True
        for each in recorded:
            if each.can_run:
                outcome_of(each.script)
        for case in (each for module in modules for each in cases(module)):
            lines.take()
            try:
                with limited(_LIMIT):
                    outcome = outcome_of_call(partial(check_session, case.text))
            except (NotASession, TakesTooLong):
                continue
            if outcome and lines.take() and not any(note.startswith(_BROKEN) for note in outcome):
                chosen.append(case)
    sessions = [(script, outcome_of(script)) for script in map(_script, pack(chosen))]
    stable = [Recorded(script, outcome) for script, outcome in sessions if outcome_of(script) == outcome]
    print(f"{area}: {len(stable)} of {len(sessions)} sessions of {len(chosen)} tests", file=sys.stderr)
    return [*recorded, *stable]


def _script(session: str) -> str:
    return f"from tvmscript.fuzz.records.sessions import check_session\n\ncheck_session({session!r})\n"
