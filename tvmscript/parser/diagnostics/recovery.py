"""Going on behind a statement that is wrong."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.parser.diagnostics.errors import DefinedAgain, UndefinedName, refused
from tvmscript.parser.diagnostics.hints import tell_definition
from tvmscript.parser.diagnostics.report import POISON, defined_names, uses_poison
from tvmscript.parser.frames import BlockFrame, IfFrame

if TYPE_CHECKING:
    from tvmscript.parser.programs import ProgramReader
    from tvmscript.parser.relax.body import RelaxBodyParser
    from tvmscript.parser.tir.body import BodyParser


class Place(NamedTuple):
    """What the parser is in while it reads the statements of a body."""

    statements: list[Any]
    #: statements that stand before it
    begin: int
    depth: int
    level: int
    blocks: int
    conditionals: int


def report_error(parser: BodyParser | ProgramReader | RelaxBodyParser, node: Any, error: TVMScriptError) -> None:
    """Let the report have an error, unless it follows from another one. Without a report it is raised."""
    span = parser.span(node)
    if parser.report is None:
        if isinstance(error, DiagnosticError):
            raise error
        raise refused(error, span) from error
    if isinstance(error, UndefinedName | DefinedAgain):
        tell_definition(parser.tree, error)
    quiet = uses_poison(node, parser.names) or parser.report.is_inside(span)
    parser.report.add(error, error.span or span, quiet)
    if isinstance(error, UndefinedName | DefinedAgain) and not quiet:
        # one error for a name that is missing, not one for each use
        parser.names[str(error.facts["name"])] = POISON


def recover(parser: BodyParser, node: ast.stmt, error: TVMScriptError, place: Place) -> None:
    """Forget what a failed statement left behind, and read on: first the statements in it, then those after it."""
    _go_back(parser, place)
    report_error(parser, node, error)
    names = defined_names(node)
    for name in names:
        parser.scope.replace(name, POISON)
    bodies = [body for body in (getattr(node, "body", None), getattr(node, "orelse", None)) if body]
    if not isinstance(node, ast.For | ast.While | ast.If | ast.With) or any(
        parser.last_body is body for body in bodies
    ):
        return
    span = parser.span(node)
    if isinstance(node, ast.With):
        # nothing in the body may be wrong because it stands outside of what was to be opened
        parser.blocks.append(BlockFrame("", False, span, _never))
        parser.conditionals.append(IfFrame(span, _never))
    for body in bodies:
        parser.scoped(body)
    _go_back(parser, place)


def _never(*_: Any) -> Any:
    raise AssertionError("a scope that failed has no statement")


def _go_back(parser: BodyParser, place: Place) -> None:
    parser.statements = place.statements
    opened = place.statements[place.begin :]
    parser.depth = place.depth
    parser.vector_slices = False
    parser.scope.leave(place.level)
    parser.blocks[place.blocks :] = [item for item in opened if isinstance(item, BlockFrame)]
    parser.conditionals[place.conditionals :] = [item for item in opened if isinstance(item, IfFrame)]
