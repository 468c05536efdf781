"""Entry points: parse a text, or a decorated function or class."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from tvmscript.ir.core import IRModule
from tvmscript.ir.core.budget import CURRENT, Budget
from tvmscript.ir.core.observers import Observers
from tvmscript.ir.core.python_settings import deep_recursion, without_collection
from tvmscript.parser.diagnostics.describe import construct_name
from tvmscript.parser.diagnostics.errors import NestedTooDeeply, SeveralDefinitions, UnknownDecorator
from tvmscript.parser.fragments import is_fragment, read_fragment
from tvmscript.parser.global_names import PRINTED_ROOTS, ROOTS, ROOTS_V0_27, TEXT_ROOTS
from tvmscript.parser.programs import Program, ProgramParser
from tvmscript.parser.reader import Session
from tvmscript.parser.source.closure import Closure
from tvmscript.parser.source.header import Header, read_header, write_default_dtypes
from tvmscript.parser.source.tree import SourceTree, text_source

Result = TypeVar("Result")

#: called with every well-formed program that was parsed without `extra_vars`
OBSERVERS: Final[Observers[Program]] = Observers()


@without_collection
def from_source(text: str, check_well_formed: bool = True, extra_vars: Mapping[str, object] | None = None) -> Any:
    """Parse a text, without executing it, and return its program.

    A text without functions and modules is a fragment: an expression, a statement or a type. Fragments are not checked
    for well-formedness. `extra_vars` are additional names: numbers, strings, tuples, expressions, buffers, functions.
    Raises `DiagnosticError` with `.code`, `.line`, `.column` and `.span`.
    """
    tree = SourceTree(text_source(text))
    if is_fragment(tree):
        return _parse_text(tree, False, extra_vars, read_fragment)
    programs = read_program(tree, check_well_formed, extra_vars)
    modules = [program for program in programs.values() if isinstance(program, IRModule)]
    candidates = modules if len(modules) == 1 else list(programs.values())
    if len(candidates) > 1:
        raise SeveralDefinitions(
            names=", ".join(programs),
            span=tree.point(1, 0),
            hint="put them into one class under @I.ir_module, or use parse_program",
        )
    return candidates[0]


@without_collection
def parse_program(
    text: str, check_well_formed: bool = True, extra_vars: Mapping[str, object] | None = None, name: str = "<text>"
) -> dict[str, Program]:
    """Return all functions and modules of a text by name, in source order. Raises `DiagnosticError`."""
    return read_program(SourceTree(text_source(text, name)), check_well_formed, extra_vars)


def read_program(
    tree: SourceTree,
    check_well_formed: bool = True,
    extra_vars: Mapping[str, object] | None = None,
    *,
    keep_names: bool = False,
) -> dict[str, Program]:
    """Return all functions and modules of a syntax tree by name. Raises `DiagnosticError`.

    `keep_names` leaves the names of data and strides as they are written; else they are renamed after their buffers.
    """
    programs = _parse_text(tree, check_well_formed, extra_vars, ProgramParser.program, keep_names)
    if OBSERVERS and check_well_formed and not extra_vars:
        for program in programs.values():
            OBSERVERS.tell(program)
    return programs


def _parse_text(
    tree: SourceTree,
    check_well_formed: bool,
    extra_vars: Mapping[str, object] | None,
    parse: Callable[[ProgramParser], Result],
    keep_names: bool = False,
) -> Result:
    """Apply `parse` to a parser of the text; raise all errors of the text as one."""
    header = read_header(tree.source.text)
    roots = roots_of(header)
    parser = ProgramParser(
        Session(tree, header, {**roots, **extra_vars} if extra_vars else roots, None, check_well_formed, keep_names)
    )

    def parse_with_dtypes() -> Result:
        write_default_dtypes(tree.tree, header)
        return parse(parser)

    return run_parser(parser.session, parse_with_dtypes)


@deep_recursion
def run_parser(session: Session, parse: Callable[[], Result]) -> Result:
    """Call `parse` with a deep stack; raise all errors of the text as one."""

    def bounded() -> Result:
        try:
            return parse()
        except RecursionError:
            raise NestedTooDeeply(limit="thousands of", span=session.tree.point(1, 0)) from None

    outer = CURRENT.set(Budget())
    try:
        return session.report.run(bounded)
    finally:
        CURRENT.reset(outer)


def parse_decorated(tree: SourceTree, closure: Closure, check_well_formed: bool, **options: bool) -> Program:
    """Return the program of a decorated function or class with the source `tree`; `options` of its decorator."""
    session = Session(tree, Header(), ROOTS, closure, check_well_formed)
    parser = ProgramParser(session)

    def parse() -> Program:
        node = tree.definition
        if isinstance(node, ast.ClassDef):
            return parser.module(node)
        if isinstance(node, ast.FunctionDef):
            return parser.python_function(node, options)
        expected = "a decorator of the script"
        raise UnknownDecorator(name=construct_name(node), expected=expected, span=tree.span(node))

    program = run_parser(session, parse)
    if OBSERVERS and check_well_formed:
        OBSERVERS.tell(program)
    return program


def roots_of(header: Header) -> Mapping[str, object]:
    """Return the names that a text may use without defining them."""
    roots = ROOTS_V0_27 if header.is_v0_27 else PRINTED_ROOTS if header.is_printed else TEXT_ROOTS
    return {**roots, **{alias: roots[root] for alias, root in header.aliases.items()}} if header.aliases else roots
