"""Ways in: a text, or a decorated function or class, and what it means."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.observers import Observers
from tvmscript.ir.core.recursion import deep_recursion, without_collection
from tvmscript.parser.diagnostics.describe import construct_name
from tvmscript.parser.diagnostics.errors import (
    NestedTooDeeply,
    SeveralDefinitions,
    UnknownDecorator,
)
from tvmscript.parser.diagnostics.report import Report
from tvmscript.parser.global_names import PRINTED_ROOTS, ROOTS, ROOTS_V0_27, TEXT_ROOTS
from tvmscript.parser.programs import Program, ProgramReader
from tvmscript.parser.python.closure import Closure
from tvmscript.parser.source.dialect import is_printed, is_v0_27
from tvmscript.parser.source.header import root_aliases, write_dtypes
from tvmscript.parser.source.tree import SourceTree, text_source
from tvmscript.parser.tir.fragments import is_fragment, read_fragment

Found = TypeVar("Found")

#: Called with every function and module that was read, is well formed, and has nothing of its reader (`extra_vars`).
OBSERVERS: Final[Observers[Program]] = Observers()


def from_source(text: str, check_well_formed: bool = True, extra_vars: Mapping[str, Any] | None = None) -> Any:
    """The program that a text describes. The text is read, never run.

    A text that defines no function and no module is a part of a program: an expression, a statement, a type
    (`fragments`), which is not checked further.
    `extra_vars` are more names that it may use: numbers, strings, tuples, expressions, buffers, functions.
    Raises `DiagnosticError`, with `.code`, `.line`, `.column` and `.span`, for whatever is wrong with the text.
    """
    tree = SourceTree(text_source(text))
    if is_fragment(tree):
        part: Any = _read(tree, False, extra_vars, read_fragment)
        return part
    found = read_program(tree, check_well_formed, extra_vars)
    modules = [program for program in found.values() if isinstance(program, IRModule)]
    chosen = modules if len(modules) == 1 else list(found.values())
    if len(chosen) > 1:
        raise SeveralDefinitions(
            names=", ".join(found),
            span=tree.point(1, 0),
            hint="put them into one class under @I.ir_module, or use parse_program",
        )
    return chosen[0]


def parse_program(
    text: str,
    check_well_formed: bool = True,
    extra_vars: Mapping[str, Any] | None = None,
    name: str = "<text>",
) -> dict[str, Program]:
    """All functions and modules that a text defines, by name, in its order. Raises `DiagnosticError`."""
    return read_program(SourceTree(text_source(text, name)), check_well_formed, extra_vars)


def read_program(
    tree: SourceTree, check_well_formed: bool = True, extra_vars: Mapping[str, Any] | None = None
) -> dict[str, Program]:
    """`parse_program` of a text whose syntax is read already."""
    found = _read(tree, check_well_formed, extra_vars, ProgramReader.program)
    if OBSERVERS and check_well_formed and not extra_vars:
        for program in found.values():
            OBSERVERS.tell(program)
    return found


def _read(
    tree: SourceTree,
    check_well_formed: bool,
    extra_vars: Mapping[str, Any] | None,
    read: Callable[[ProgramReader], Found],
) -> Found:
    """What a function makes of a reader of the text; all errors of the text are raised as one."""
    text = tree.source.text
    roots = roots_of(text)
    reader = ProgramReader(tree, {**roots, **extra_vars} if extra_vars else roots, None, check_well_formed, Report())

    def complete() -> Found:
        write_dtypes(tree.tree, text)
        return read(reader)

    with without_collection(len(text)):
        return _told(reader, complete)


def _told(reader: ProgramReader, read: Callable[[], Found]) -> Found:
    """What a function reads, however deep it nests; all errors are raised as one."""

    def bounded() -> Found:
        try:
            return read()
        except RecursionError:
            raise NestedTooDeeply(limit="thousands of", span=reader.tree.point(1, 0)) from None

    with deep_recursion():
        return reader.report.told(bounded)


def parse_decorated(tree: SourceTree, captured: Closure, check_well_formed: bool, **options: bool) -> Program:
    """The program of one decorated function or class, whose text is `tree`. Options are those of its decorator."""
    reader = ProgramReader(tree, ROOTS, captured, check_well_formed, Report())

    def read() -> Program:
        node = tree.definition
        if isinstance(node, ast.ClassDef):
            return reader.module(node)
        if isinstance(node, ast.FunctionDef):
            return reader.python_function(node, options)
        expected = "a decorator of the script"
        raise UnknownDecorator(name=construct_name(node), expected=expected, span=tree.span(node))

    made = _told(reader, read)
    if OBSERVERS and check_well_formed:
        OBSERVERS.tell(made)
    return made


def roots_of(text: str) -> Mapping[str, Any]:
    """What the names mean that a text may use without defining them."""
    roots = ROOTS_V0_27 if is_v0_27(text) else PRINTED_ROOTS if is_printed(text) else TEXT_ROOTS
    given = root_aliases(text, roots)
    return {**roots, **given} if given else roots
