"""Statement rules that write notes: each wraps the rule of its node class."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.dispatch import ClassTable
from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.tir.stmt import BlockRealize
from tvmscript.printer.notes import Note, Notes, clean, line_names
from tvmscript.printer.printer import Printer, StmtRule
from tvmscript.printer.text_buffer import DECLARED


def write_notes(p: Printer, notes: Notes) -> None:
    """Let a printer write notes."""
    p.notes = notes
    p.tracks_lines = True
    p.stmt_rules = _noting_stmts(p.stmt_rules, notes)


def _noting_stmts(rules: ClassTable[StmtRule], notes: Notes) -> ClassTable[StmtRule]:
    """Return the rules of statements with their notes."""

    def noting(cls: type) -> StmtRule:
        rule = rules[cls]
        is_definition = issubclass(cls, BaseFunc | IRModule)

        def noted(p: Printer, stmt: Any) -> None:
            before = len(p.lines)
            rule(p, stmt)
            for node in (stmt, stmt.block) if cls is BlockRealize else (stmt,):
                note = notes.take(node)
                if note is not None:
                    _insert(p, note, before if is_definition else p.frames[-1].mark, is_definition)

        return noted

    return ClassTable(noting)


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
