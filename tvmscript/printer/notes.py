"""Lines of text for people at the statements they belong to: user's comments, annotations that were asked for.

A note's lines stand above its statement, at the end of the statement's first line, below the statement, below the
`def` line (docstrings), or at a line of the statement's heading (`T.reads(...)`), which is found by its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tvmscript.ir.core.node import Node

_CONTROL = re.compile("[\x01-\x04]")
_DEFINES = re.compile(r"[\s\x01-\x04\d]*(?P<names>\w+(?:\s*,\s*\w+)*)\s*(?::[^=]*)?=[^=]")
_CALLS = re.compile(r"[\s\x01-\x04\d]*(?:\w+\.)*(?P<name>\w+)\(")


@dataclass(slots=True)
class Note:
    """What is written at one statement. Texts begin with `#`, or are string statements."""

    above: list[str] = field(default_factory=list)
    first_line: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    #: names of a line of the heading, the text, whether it stands behind the line and not above it
    heading: list[tuple[frozenset[str], str, bool]] = field(default_factory=list)
    #: annotations: above a compound statement, behind a simple one
    beside: list[str] = field(default_factory=list)


class Notes:
    """Statement -> note; each is written once, however often its statement stands in the program."""

    def __init__(self) -> None:
        self.of: dict[Node, Note] = {}
        self.annotated: set[Node] = set()
        self._written: list[Node] = []

    def at(self, node: Node) -> Note:
        """The note of a statement, made where there is none yet."""
        found = self.of.get(node)
        if found is None:
            found = self.of[node] = Note()
        return found

    def stands_at(self, *nodes: Node) -> bool:
        """Whether one of the statements has a note, so that it needs lines of its own."""
        return any(node in self.of for node in nodes)

    def begin(self) -> int:
        """A place that `restart` goes back to."""
        return len(self._written)

    def restart(self, place: int) -> None:
        """Forget that notes were written since `begin`: what they stand in is written once more."""
        del self._written[place:]

    def take(self, node: Node) -> Note | None:
        """The note of a statement that is being written; None where it has none, or was written before."""
        note = self.of.get(node)
        if note is None or node in self._written:
            return None
        self._written.append(node)
        return note


def line_names(line: str) -> frozenset[str]:
    """What a line of a heading is known by: the names that it defines, or the function that it calls."""
    defined = _DEFINES.match(line)
    if defined is not None:
        return frozenset(re.split(r"\s*,\s*", defined["names"]))
    called = _CALLS.match(line)
    return frozenset([called["name"]]) if called is not None else frozenset()


def clean(text: str) -> str:
    """A text without the characters that marks are made of."""
    return _CONTROL.sub(" ", text)
