"""`Area`: a fuzzer of one part of the package, as a strategy, a check and a script writer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis.strategies import SearchStrategy

from tvmscript.fuzz.records.outcomes import Outcomes


@dataclass(frozen=True)
class Subjects:
    """The passes or primitives that examples of an area can be restricted to."""

    #: the noun for error messages
    kind: str
    names: Callable[[], Collection[str]]
    #: the strategy of examples about the given subjects
    examples: Callable[[tuple[str, ...]], SearchStrategy[Any]]
    #: subject -> how often it was accepted, and tried, in this process
    accepted: Callable[[], Mapping[str, tuple[int, int]]] | None = None


@dataclass(frozen=True)
class Area:
    """A strategy of examples, a check of one example, and a writer of its reproduction script."""

    #: with subjects: `passes:tir.UnrollLoop`
    name: str
    #: what is tested, in one line
    what: str
    #: draws an example
    examples: Callable[[], SearchStrategy[Any]]
    #: raises if an example shows a bug
    check: Callable[[Any], None]
    #: the Python script that builds and checks an example
    write: Callable[[Any], str]
    #: examples in a batch; fewer for slow checks
    batch: int = 50
    #: whether native code runs, which may crash the process
    is_native: bool = False
    #: the subjects that examples can be restricted to
    subjects: Subjects | None = None
    #: what is compared with a record, before examples are drawn
    outcomes: Outcomes | None = None

    @property
    def whole(self) -> str:
        """The name without subjects."""
        return self.name.partition(":")[0]

    @property
    def subject_names(self) -> tuple[str, ...]:
        """The subjects that the area is restricted to; none: all."""
        return tuple(filter(None, self.name.partition(":")[2].split(",")))
