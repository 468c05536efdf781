"""Examples as scripts, and what is observed while each runs: `<area>.jsonl` has one a line.

`python -m tools.records` chooses and records them.
"""

from __future__ import annotations

import io
import json
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from tvmscript.backends.runtime.global_functions import none_registered
from tvmscript.fuzz.observing import observe, observed
from tvmscript.fuzz.records import OutcomeChanged, Record
from tvmscript.fuzz.records.stepping import stop

_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True)
class Recorded:
    """An example as a script, and what was observed when it ran."""

    script: str
    outcome: tuple[str, ...]
    #: the package that it needs, with its version, which the outcome may depend on: "onnx 1.23.2". Builds of a version,
    #: as torch has for the CPU and for devices, are as good as each other
    needed: str = ""

    @property
    def can_run(self) -> bool:
        """Whether the package is there in this version."""
        name, _, version = self.needed.partition(" ")
        return not name or installed_version(name) == version


@cache
def installed_version(name: str) -> str:
    """Return the version of a package without that of its build; empty where it is not installed."""
    try:
        return metadata.version(name).partition("+")[0]
    except metadata.PackageNotFoundError:
        return ""


def read(area: str) -> list[Recorded]:
    """Read the examples of an area; none where it has no record."""
    file = _FOLDER / f"{area}.jsonl"
    if not file.exists():
        return []
    examples = map(json.loads, file.read_text("utf-8").splitlines())
    return [Recorded(each["script"], tuple(each.get("outcome", ())), each.get("needed", "")) for each in examples]


def write(area: str, examples: Iterable[Recorded]) -> None:
    """Write the record of an area."""
    text = "".join(f"{json.dumps({key: value for key, value in asdict(each).items() if value})}\n" for each in examples)
    (_FOLDER / f"{area}.jsonl").write_text(text, "utf-8")


def outcome_of(script: str) -> tuple[str, ...]:
    """Run the script of an example, and return what is observed."""
    names: dict[str, Any] = {"__name__": "recorded"}
    code = compile(script, "<recorded>", "exec")
    return outcome_of_call(lambda: exec(code, names))  # noqa: S102  # a script of this folder


def outcome_of_call(call: Callable[[], object]) -> tuple[str, ...]:
    """Return what is observed during a call, which finds no global functions of this process in Python."""
    output, hook = io.StringIO(), sys.breakpointhook
    sys.breakpointhook = stop
    try:
        with observed() as notes, none_registered(), warnings.catch_warnings(), redirect_stdout(output):
            warnings.simplefilter("ignore")
            call()
            if output.getvalue():
                observe("output", output.getvalue)
    finally:
        sys.breakpointhook = hook
    return tuple(notes)


def records(area: str) -> Iterator[Record]:
    """Enumerate the records of an area that can run here."""
    for example in read(area):
        if example.can_run:
            yield Record(example.script, partial(check, area, example))


def check(area: str, example: Recorded) -> None:
    """Check an example. Raises `OutcomeChanged`; propagates errors of the example's check."""
    outcome = outcome_of(example.script)
    if outcome != example.outcome:
        raise OutcomeChanged(name=f"an example of {area}", actual=list(outcome), expected=list(example.outcome))
