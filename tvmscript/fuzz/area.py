"""`Area`: a fuzzer of one part of the package, as a strategy, a check and a script writer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from hypothesis.strategies import SearchStrategy


@dataclass(frozen=True)
class Subjects:
    """What the examples of an area can be about: passes, primitives of schedules."""

    #: what they are, in a word
    kind: str
    names: Callable[[], Collection[str]]
    #: draws an example about one of some of them, or about several
    examples: Callable[[tuple[str, ...]], SearchStrategy[Any]]


@dataclass(frozen=True)
class Area:
    """Examples, and what has to hold for each of them."""

    #: where it is about some subjects, with these: `passes:tir.UnrollLoop`
    name: str
    #: what is looked at, in a line
    what: str
    #: draws an example
    examples: Callable[[], SearchStrategy[Any]]
    #: raises anything where an example shows a bug
    check: Callable[[Any], None]
    #: an example as lines of Python that make and check it
    write: Callable[[Any], str]
    #: examples of a batch: fewer of those that take long
    batch: int = 50
    #: whether machine code runs, which may end the process
    is_native: bool = False
    #: what it can be pointed at, where there is anything
    subjects: Subjects | None = None

    @property
    def whole(self) -> str:
        """The name without subjects."""
        return self.name.partition(":")[0]
