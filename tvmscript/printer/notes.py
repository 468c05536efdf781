"""Notes at statements: comments of the source, and annotations that the caller asks for.

A note is written above its statement, at the end of its first line, below it, below the `def` line (docstrings), or
at a line of its heading such as `T.reads(...)`, which is found by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tvmscript.ir.core import Node

_CONTROL = re.compile("[\x01-\x04]")
_DEFINES = re.compile(r"[\s\x01-\x04\d]*(?P<names>\w+(?:\s*,\s*\w+)*)\s*(?::[^=]*)?=[^=]")
_CALLS = re.compile(r"[\s\x01-\x04\d]*(?:\w+\.)*(?P<name>\w+)\(")


@dataclass(slots=True)
class Note:
    """The notes at one statement. Texts begin with `#`, or are string statements."""

    above: list[str] = field(default_factory=list)
    first_line: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    #: names of a line of the heading, the text, whether it is written behind the line instead of above
    heading: list[tuple[frozenset[str], str, bool]] = field(default_factory=list)
    #: annotations: above a compound statement, behind a simple one
    beside: list[str] = field(default_factory=list)


class Notes:
    """Notes by statement. Each is written once, also where its statement occurs several times."""

    def __init__(self) -> None:
        self.of: dict[Node, Note] = {}
        self.annotated: set[Node] = set()
        self._written: list[Node] = []

    def at(self, node: Node) -> Note:
        """Return the note of a statement, a new one where it has none."""
        note = self.of.get(node)
        if note is None:
            note = self.of[node] = Note()
        return note

    def has_any(self, *nodes: Node) -> bool:
        """Whether one of the statements has a note, and so needs lines of its own."""
        return any(node in self.of for node in nodes)

    def begin(self) -> int:
        """Return a place for `restart`."""
        return len(self._written)

    def restart(self, place: int) -> None:
        """Forget which notes were written since `begin`, as their function is written again."""
        del self._written[place:]

    def take(self, node: Node) -> Note | None:
        """Return the note of a statement, None where it has none or was written before."""
        note = self.of.get(node)
        if note is None or node in self._written:
            return None
        self._written.append(node)
        return note


def line_names(line: str) -> frozenset[str]:
    """Return the names that a line of a heading defines, else that of the function it calls."""
    definition = _DEFINES.match(line)
    if definition is not None:
        return frozenset(re.split(r"\s*,\s*", definition["names"]))
    call = _CALLS.match(line)
    return frozenset([call["name"]]) if call is not None else frozenset()


def without_marks(text: str) -> str:
    """Return the text without the control characters of marks."""
    return _CONTROL.sub(" ", text)
