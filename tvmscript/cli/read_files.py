"""Read the programs of files as text, without executing them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tvmscript.cli.errors import FileFailed, NeedsPython, NoPrograms
from tvmscript.cli.files import File, find
from tvmscript.ir.core import DiagnosticError, TVMScriptError
from tvmscript.parser.entry import read_program
from tvmscript.parser.programs import Program
from tvmscript.parser.python_file import Definition, definitions_of, is_python, read_definition
from tvmscript.parser.source.tree import SourceTree, text_source

#: in every file with a definition; others need no parsing
_MAYBE = re.compile(r"prim_func|ir_module|\.function\b")


@dataclass
class Script:
    """The definitions of a file, their programs, and errors."""

    file: File
    #: whether memory keeps its name, and is not renamed after its buffers
    keeps_names: bool = False
    #: whether each definition is read by itself, with what it uses, and not as a part of the whole text
    reads_each_alone: bool = False
    tree: SourceTree | None = None
    is_python: bool = False
    definitions: list[Definition] = field(default_factory=list[Definition])
    #: the programs without errors
    programs: dict[Definition, Program] = field(default_factory=dict[Definition, Program])
    errors: list[TVMScriptError] = field(default_factory=list[TVMScriptError])
    #: definitions that cannot be read without executing the file
    notes: list[TVMScriptError] = field(default_factory=list[TVMScriptError])


def read_all(
    names: Sequence[str],
    failed: Callable[[FileFailed], None],
    *,
    keep_names: bool = False,
    allow_repeated: bool = False,
) -> Iterator[Script]:
    """Read the files of the given paths that contain definitions; a named file without any has an error.

    `failed` is called for files that cannot be read. With `keep_names`, memory is not renamed after its buffers. With
    `allow_repeated`, a text may define a name several times.
    """
    for file in find(names):
        if isinstance(file, FileFailed):
            failed(file)
            continue
        script = read(file, keep_names=keep_names, allow_repeated=allow_repeated)
        if script.definitions or script.errors:
            yield script


def read(file: File, *, keep_names: bool = False, allow_repeated: bool = False) -> Script:
    """Read the programs of a file; errors are part of the result. The options are those of `read_all`."""
    script = Script(file, keeps_names=keep_names)
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
    names = [definition.name for definition in script.definitions]
    script.reads_each_alone = script.is_python or (allow_repeated and len(set(names)) < len(names))
    (_read_each if script.reads_each_alone else _read_text)(script, tree)
    return script


def _read_text(script: Script, tree: SourceTree) -> None:
    """Read a file that consists only of programs; anything else is an error."""
    try:
        programs = read_program(tree, keep_names=script.keeps_names)
    except DiagnosticError as error:
        script.errors += error.errors
        return
    script.programs = {entry: programs[entry.name] for entry in script.definitions if entry.name in programs}


def _read_each(script: Script, tree: SourceTree) -> None:
    """Read the definitions of a file one by one; those that use other Python code are noted."""
    for entry in script.definitions:
        if entry.needs:
            names, span = ", ".join(entry.needs), tree.heading(entry.node)
            script.notes.append(NeedsPython(name=entry.name, names=names, span=span))
            continue
        try:
            script.programs[entry] = read_definition(tree, entry, keep_names=script.keeps_names)
        except DiagnosticError as error:
            # the errors of a macro are reported once, also if several definitions use it
            reported = {_place(item) for item in script.errors}
            script.errors += [item for item in error.errors if _place(item) not in reported]


def _place(error: TVMScriptError) -> tuple[str, int | None, int | None, str]:
    return error.code, error.line, error.column, error.text
