"""Lines of text for people at the statements they belong to: user's comments, annotations that were asked for.

A note's lines stand above its statement, at the end of the statement's first line, below the statement, below the
`def` line (docstrings), or at a line of the statement's heading (`T.reads(...)`), which is found by its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.stmt import BlockRealize
from tvmscript.printer.printer import Printer, StmtRule
from tvmscript.printer.text_buffer import DECLARED

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


def write_notes(p: Printer, notes: Notes) -> None:
    """Let a printer write notes."""
    p.notes = notes
    p.tracks_lines = True
    p.stmt_rules = _NotingStmts(p.stmt_rules, notes)


def line_names(line: str) -> frozenset[str]:
    """What a line of a heading is known by: the names that it defines, or the function that it calls."""
    defined = _DEFINES.match(line)
    if defined is not None:
        return frozenset(re.split(r"\s*,\s*", defined["names"]))
    called = _CALLS.match(line)
    return frozenset([called["name"]]) if called is not None else frozenset()


class _NotingStmts(dict[type, StmtRule]):
    def __init__(self, rules: dict[type, StmtRule], notes: Notes) -> None:
        super().__init__()
        self.rules = rules
        self.notes = notes

    def __missing__(self, cls: type) -> StmtRule:
        rule, notes = self.rules[cls], self.notes
        is_definition = issubclass(cls, BaseFunc | IRModule)

        def noted(p: Printer, stmt: Any) -> None:
            before = len(p.lines)
            rule(p, stmt)
            for node in (stmt, stmt.block) if cls is BlockRealize else (stmt,):
                note = notes.take(node)
                if note is not None:
                    _insert(p, note, before if is_definition else p.frames[-1].mark, is_definition)

        self[cls] = noted
        return noted


def _insert(p: Printer, note: Note, begin: int, is_definition: bool) -> None:
    """Put the lines of a note around the statement whose lines begin there and end at the last one."""
    lines, indent = p.lines, p.indent
    while begin < len(lines) and lines[begin].startswith(DECLARED):
        begin += 1
    first = begin
    while lines[first].startswith(f"{indent}#"):
        first += 1
    if is_definition:
        # decorators stand above the line that has the name
        while not lines[first].startswith((f"{indent}def ", f"{indent}class ")):
            first += 1
    above, behind = list(note.above), list(note.first_line)
    if note.beside:
        is_compound = lines[first].endswith(":")
        (above if is_compound else behind).extend(note.beside)
    lines += [_indented(indent, text) for text in note.below]
    homeless = [clean(text) for names, text, is_behind in note.heading
                if not _insert_in_heading(lines, first, indent + p.step, names, clean(text), is_behind)]  # fmt: skip
    lines[first + 1 : first + 1] = [indent + p.step + text for text in homeless]
    lines[first + 1 : first + 1] = [_indented(indent + p.step, text) for text in note.head]
    if behind:
        lines[first] = "  ".join([lines[first], *[clean(text) for text in behind]])
    lines[begin:begin] = [_indented(indent, text) for text in above]


def _indented(indent: str, text: str) -> str:
    """A note at a level; of a string statement that goes over several lines, all of them are moved."""
    return "\n".join(indent + line if line else "" for line in clean(text).split("\n"))


def _insert_in_heading(
    lines: list[str], first: int, indent: str, names: frozenset[str], text: str, is_behind: bool
) -> bool:
    """Put a text at the first line of the body that defines or calls one of the names; False where none does."""
    place = next(
        (
            number
            for number in range(first + 1, len(lines))
            if lines[number].lstrip(DECLARED).startswith(indent) and names & line_names(lines[number])
        ),
        None,
    )
    if place is None:
        return False
    if is_behind and "\n" not in lines[place]:
        lines[place] += f"  {text}"
    else:
        line = lines[place].lstrip(DECLARED)
        lines.insert(place, line[: len(line) - len(line.lstrip())] + text)
    return True


def clean(text: str) -> str:
    """A text without the characters that marks are made of."""
    return _CONTROL.sub(" ", text)
