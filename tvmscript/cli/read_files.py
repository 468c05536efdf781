"""The programs of files, read as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tvmscript.cli.errors import FileFailed, NeedsPython, NoPrograms
from tvmscript.cli.files import File, find
from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.parser.entry import read_program
from tvmscript.parser.programs import Program
from tvmscript.parser.python_file import Definition, definitions_of, is_python, read_definition
from tvmscript.parser.source.tree import SourceTree, text_source

#: what a file with a definition has in it; others need not be read
_MAYBE = re.compile(r"prim_func|ir_module|\.function\b")


@dataclass
class Script:
    """What is known about a file: its definitions, the programs they are, and what is wrong."""

    file: File
    tree: SourceTree | None = None
    is_python: bool = False
    definitions: list[Definition] = field(default_factory=list[Definition])
    #: the programs that could be read
    programs: dict[Definition, Program] = field(default_factory=dict[Definition, Program])
    errors: list[TVMScriptError] = field(default_factory=list[TVMScriptError])
    #: what cannot be told without running the file
    notes: list[TVMScriptError] = field(default_factory=list[TVMScriptError])


def read_all(names: Sequence[str], failed: Callable[[FileFailed], None]) -> Iterator[Script]:
    """The files of the given names that hold definitions, read; named files without any have an error.

    `failed` is told which files cannot be read.
    """
    for item in find(names):
        if isinstance(item, FileFailed):
            failed(item)
            continue
        script = read(item)
        if script.definitions or script.errors:
            yield script


def read(file: File) -> Script:
    """The programs of a file; what is wrong is kept in the result."""
    script = Script(file)
    if not file.is_named and not _MAYBE.search(file.text):
        return script
    try:
        script.tree = tree = SourceTree(text_source(file.text, file.name))
    except DiagnosticError as error:
        script.errors += error.errors
        return script
    script.is_python = is_python(tree)
    script.definitions = definitions_of(tree)
    if not script.definitions and (script.is_python or not file.is_named):
        if file.is_named:
            script.errors.append(NoPrograms(file=file.name))
        return script
    (_read_python if script.is_python else _read_text)(script, tree)
    return script


def _read_text(script: Script, tree: SourceTree) -> None:
    """A text is nothing but programs: whatever else stands in it is an error."""
    try:
        programs = read_program(tree)
    except DiagnosticError as error:
        script.errors += error.errors
        return
    script.programs = {each: programs[each.name] for each in script.definitions if each.name in programs}


def _read_python(script: Script, tree: SourceTree) -> None:
    """Python may stand around definitions, and they may use it: then nothing is said about them."""
    for each in script.definitions:
        if each.needs:
            script.notes.append(NeedsPython(name=each.name, names=", ".join(each.needs), span=tree.heading(each.node)))
            continue
        try:
            script.programs[each] = read_definition(tree, each)
        except DiagnosticError as error:
            # a macro that several definitions use is wrong once
            known = {_place(item) for item in script.errors}
            script.errors += [item for item in error.errors if _place(item) not in known]


def _place(error: TVMScriptError) -> tuple[str, int | None, int | None, str]:
    return error.code, error.line, error.column, error.text
