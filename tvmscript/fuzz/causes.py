"""Deduplicate failures by error class, error code and innermost function of the package."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path

from tvmscript.ir.core import TVMScriptError

_PACKAGE = str(Path(__file__).parents[1])
_TESTING = (str(Path(__file__).parent), str(Path(__file__).parents[1] / "testing"))
#: facts of check errors that identify the faulty part
_TELLING = ("name", "primitive", "law")


@dataclass(frozen=True)
class Cause:
    """The cause of a failure; failures of one cause are most likely one bug."""

    error: str
    code: str
    place: str

    def __str__(self) -> str:
        words = f"{self.error}[{self.code}]" if self.code else self.error
        return f"{words} at {self.place}"

    @property
    def file_name(self) -> str:
        """The cause as a part of a file's name."""
        text = f"{self.code or self.error}-{self.place}"
        return "".join(c if c.isalnum() else "-" for c in text).strip("-")[-80:].strip("-").lower()


def cause_of(error: BaseException) -> Cause:
    """Determine the cause of a failure. A chained error is attributed to the origin of its cause."""
    source: BaseException = error
    while source.__cause__ is not None:
        source = source.__cause__
    code = error.code if isinstance(error, TVMScriptError) else ""
    telling = ""
    if isinstance(error, TVMScriptError) and code.startswith("TS80"):
        telling = " ".join(str(error.facts[key]) for key in _TELLING if key in error.facts)
    return Cause(type(error).__name__, code, " ".join(filter(None, [telling, _place(source)])))


def _place(error: BaseException) -> str:
    """Find the innermost frame of the package in the traceback; a frame of the checks if there is no other."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(_PACKAGE)]
    ours = [frame for frame in frames if not frame.filename.startswith(_TESTING)]
    chosen = ours or frames
    if not chosen:
        return "outside of the package"
    return f"{Path(chosen[-1].filename).relative_to(_PACKAGE)}:{chosen[-1].name}"
