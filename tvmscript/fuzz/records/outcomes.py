"""Outcomes of programs that a subject and a number give: `<area>.txt` has a subject a line.

An outcome is all that functions of `tvmscript.ir` return to a fuzzer, as a digest: no text of the printer, no floats
beyond nine digits.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cached_property, partial
from inspect import CO_GENERATOR
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any, Final

from tvmscript.fuzz.records import OutcomeChanged, Record
from tvmscript.ir.core import DType, Node, Op, Target, TVMScriptError
from tvmscript.ir.core.equality.hashing import digest_of, fingerprint

_RECORDS: Final = Path(__file__).parent
_FUZZERS: Final = str(_RECORDS.parent)
_PACKAGE: Final = str(_RECORDS.parents[1] / "ir")
#: checks an outcome
_SCRIPT: Final = """\
from tvmscript.fuzz.areas import area

area({0!r}).outcomes.check({1!r}, {2})
"""
#: hexadecimal digits of an outcome
_DIGITS: Final = 5
#: what prints, tells objects from each other, or runs once in a process
_OMITTED: Final = frozenset({"__init__", "__str__", "__repr__", "__format__", "__hash__", "script", "<module>"})


@dataclass(frozen=True)
class Refused:
    """The outcome of a program that is refused."""

    code: str
    text: str


#: the outcome of a program that stays as it is
UNCHANGED: Final = "unchanged"


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of the programs of an area."""

    area: str
    #: the subjects that have outcomes
    subjects: Callable[[], Collection[str]]
    #: (subject, source of choices) -> the outcome: a program, `UNCHANGED`, `Refused`; None where laws look at it
    run: Callable[[str, random.Random], Any]
    #: programs of each subject
    count: int = 16
    #: subjects that have a quarter of these
    slow: Collection[str] = ()
    #: whether results that functions return meanwhile belong to it
    is_observed: bool = True

    @cached_property
    def recorded(self) -> Mapping[str, list[str]]:
        """Subject -> the outcomes of its programs."""
        file = _RECORDS / f"{self.area}.txt"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return {name: tokens for name, *tokens in map(str.split, lines)}

    def entries(self, names: Collection[str] = ()) -> Iterator[tuple[str, int]]:
        """Enumerate what is recorded of some subjects, or of all: the first program of each, then the second."""
        chosen = [name for name in self.recorded if not names or name in names]
        for number in range(self.count):
            yield from ((name, number) for name in chosen if number < len(self.recorded[name]))

    def records(self, names: Collection[str] = ()) -> Iterator[Record]:
        """Enumerate what is recorded of some subjects, or of all, as records."""
        for subject, number in self.entries(names):
            yield Record(_SCRIPT.format(self.area, subject, number), partial(self.check, subject, number))

    def check(self, subject: str, number: int) -> None:
        """Raises `OutcomeChanged`; propagates the error of a law that is broken."""
        actual, recorded = self.outcome(subject, number), self.recorded[subject][number]
        if actual != recorded:
            raise OutcomeChanged(name=f"program {number} of {subject}", actual=actual, expected=recorded)

    def outcome(self, subject: str, number: int) -> str:
        """Return the outcome of a program in short form; propagates what `run` raises."""
        results: list[str] = []
        if self.is_observed:  # functions that keep their results do not run again
            self.run(subject, random.Random(f"{subject}/{number}"))
        with _observed(results) if self.is_observed else nullcontext():
            outcome = self.run(subject, random.Random(f"{subject}/{number}"))
        results.append(describe(outcome))
        digest = digest_of("\n".join(results).encode("utf-8", "surrogatepass"))[:_DIGITS]
        mark = "=" if outcome == UNCHANGED else "!" if isinstance(outcome, Refused) else ""
        return mark + digest

    def run_all(self, names: Collection[str] = ()) -> dict[str, list[str]]:
        """Return the outcomes of the programs of some subjects, or of all."""
        return {
            name: [self.outcome(name, number) for number in range(self._programs(name))]
            for name in sorted(self.subjects())
            if not names or name in names
        }

    def _programs(self, subject: str) -> int:
        return self.count // 4 if subject in self.slow else self.count

    def write(self, rows: Mapping[str, Sequence[str]]) -> None:
        """Write the record: subjects and the outcomes of their programs."""
        subjects = self.subjects()
        text = "".join(f"{' '.join([name, *rows[name]])}\n" for name in sorted(rows) if name in subjects)
        (_RECORDS / f"{self.area}.txt").write_text(text, "utf-8")
        self.__dict__.pop("recorded", None)


@contextmanager
def _observed(results: list[str]) -> Generator[None]:
    """Note what functions of `tvmscript.ir` return to fuzzers."""

    def note(frame: FrameType, event: str, value: Any) -> None:
        if event != "return" or frame.f_back is None:
            return
        code = frame.f_code
        caller = frame.f_back.f_code.co_filename
        is_result = code.co_filename.startswith(_PACKAGE) and caller.startswith(_FUZZERS) and caller != __file__
        is_end = value is None and code.co_flags & CO_GENERATOR  # versions of Python differ in who reaches it
        if is_result and not is_end and code.co_name not in _OMITTED and not isinstance(value, FunctionType):
            sys.setprofile(None)
            results.append(f"{code.co_name} {describe(value)}")
            sys.setprofile(note)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


def describe(value: Any) -> str:
    """Describe a value: the same in every process, and on every machine."""
    match value:
        case Node():
            return fingerprint(value) or type(value).__name__
        case float():
            return f"{value:.9g}" if math.isfinite(value) else str(value)
        case None | bool() | int() | str() | bytes() | DType() | Op() | Target() | Enum():
            return str(value)
        case tuple() | list():
            return f"({', '.join(map(describe, value))})"
        case dict():
            return f"{{{', '.join(f'{describe(key)}: {describe(each)}' for key, each in value.items())}}}"
        case set() | frozenset():
            return f"{{{', '.join(sorted(map(describe, value)))}}}"
        case TVMScriptError():
            return f"{value.code} {value.text}"
        case _ if is_dataclass(value) and not isinstance(value, type):
            parts = (describe(getattr(value, field.name, None)) for field in fields(value))
            return f"{type(value).__name__}({', '.join(parts)})"
        case _:
            return type(value).__name__
