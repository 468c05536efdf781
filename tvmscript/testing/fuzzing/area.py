"""What an area of the package is to the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis.strategies import SearchStrategy


@dataclass(frozen=True)
class Area:
    """Examples, and what has to hold for each of them."""

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
