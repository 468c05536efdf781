"""Statement rules that write notes: each wraps the rule of its node class."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import BaseFunc, IRModule
from tvmscript.ir.core.dispatch import ClassTable
from tvmscript.ir.tir import BlockRealize
from tvmscript.printer.notes import Note, Notes, line_names, without_marks
from tvmscript.printer.printer import Printer, StmtRule
from tvmscript.printer.text_buffer import DECLARED


def write_notes(p: Printer, notes: Notes) -> None:
    """Make a printer write notes."""
    p.notes = notes
    p.tracks_lines = True
    p.stmt_rules = _noting_stmts(p.stmt_rules, notes)


def _noting_stmts(rules: ClassTable[StmtRule], notes: Notes) -> ClassTable[StmtRule]:
    """Return the rules of statements with their notes."""

    def noting_rule(cls: type) -> StmtRule:
        rule = rules[cls]
        is_definition = issubclass(cls, (BaseFunc, IRModule))

        def write(p: Printer, stmt: Any) -> None:
            before = len(p.lines)
            rule(p, stmt)
            for node in (stmt, stmt.block) if cls is BlockRealize else (stmt,):
                note = notes.take(node)
                if note is not None:
                    _insert(p, note, before if is_definition else p.frames[-1].mark, is_definition)

        return write

    return ClassTable(noting_rule)


def _insert(p: Printer, note: Note, begin: int, is_definition: bool) -> None:
    """Insert a note around the statement whose lines begin at `begin` and end with the last line."""
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
    lines += [_indent(indent, text) for text in note.below]
    inner = indent + p.step
    heading = [(names, without_marks(text), is_behind) for names, text, is_behind in note.heading]
    unplaced = [text for names, text, is_behind in heading
                if not _insert_in_heading(lines, first, inner, names, text, is_behind)]  # fmt: skip
    lines[first + 1 : first + 1] = [inner + text for text in unplaced]
    lines[first + 1 : first + 1] = [_indent(inner, text) for text in note.head]
    if behind:
        lines[first] = "  ".join([lines[first], *[without_marks(text) for text in behind]])
    lines[begin:begin] = [_indent(indent, text) for text in above]


def _indent(indent: str, text: str) -> str:
    """Indent all lines of a note, which may be a string statement of several lines."""
    return "\n".join(indent + line if line else "" for line in without_marks(text).split("\n"))


def _insert_in_heading(
    lines: list[str], first: int, indent: str, names: frozenset[str], text: str, is_behind: bool
) -> bool:
    """Insert a text at the first line of the body that defines or calls one of the names. False where none does."""
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
