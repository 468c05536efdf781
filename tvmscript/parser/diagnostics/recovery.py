"""Error recovery: resume parsing after a failed statement."""

from __future__ import annotations

import ast
from typing import NamedTuple, NoReturn

from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.tir import Stmt
from tvmscript.parser.diagnostics.errors import DefinedAgain, UndefinedName
from tvmscript.parser.diagnostics.hints import add_definition_note
from tvmscript.parser.diagnostics.poison import POISON, defined_names, uses_poison
from tvmscript.parser.frames import BlockFrame, BodyReader, Frame, IfFrame, PythonFrame
from tvmscript.parser.reader import Reader


class Checkpoint(NamedTuple):
    """State of a parser before a statement."""

    statements: list[Stmt | Frame]
    #: the parser's list of frames that Python code has opened, and those of the time
    python_frames: list[PythonFrame]
    opened: tuple[PythonFrame, ...]
    #: number of such frames, and of statements in the innermost one, before the body
    begin: tuple[int, int]
    depth: int
    level: int
    blocks: int
    conditionals: int


def report_error(parser: Reader, node: ast.expr | ast.stmt | ast.arg, error: TVMScriptError) -> None:
    """Add an error to the report, unless it follows from another one."""
    span = parser.span(node)
    report = parser.session.report
    if isinstance(error, (UndefinedName, DefinedAgain)):
        add_definition_note(parser.tree, error)
    quiet = uses_poison(node, parser.names) or report.has_failure_in(span)
    report.add(error, error.span or span, quiet)
    if isinstance(error, (UndefinedName, DefinedAgain)) and not quiet:
        # one error for a missing name, not one for each use
        parser.names[str(error.facts["name"])] = POISON


def recover(parser: BodyReader, node: ast.stmt, error: TVMScriptError, checkpoint: Checkpoint) -> None:
    """Undo the effects of a failed statement, report the error, and read the statements nested in it."""
    _restore(parser, checkpoint)
    report_error(parser, node, error)
    for name in defined_names(node):
        parser.scope.replace(name, POISON)
    bodies = _unread_bodies(parser, node)
    if bodies and isinstance(node, ast.With):
        span = parser.span(node)
        # parts of a block or branch in the body are not reported as misplaced
        parser.blocks.append(BlockFrame("", False, span, _never))
        parser.conditionals.append(IfFrame(span, _never))
    for body in bodies:
        parser.scoped(body)
    _restore(parser, checkpoint)


def _unread_bodies(parser: BodyReader, node: ast.stmt) -> list[list[ast.stmt]]:
    """Return the bodies of a compound statement behind the one that was read last."""
    bodies = [node.body] if isinstance(node, (ast.For, ast.While, ast.If, ast.With)) else []
    if isinstance(node, (ast.For, ast.While, ast.If)) and node.orelse:
        bodies.append(node.orelse)
    read = next((place for place, body in enumerate(bodies, 1) if parser.last_body is body), 0)
    return bodies[read:]


def _never(*_: object) -> NoReturn:
    raise AssertionError("the frame of a failed statement is never closed")


def _restore(parser: BodyReader, checkpoint: Checkpoint) -> None:
    # frames that the statement has closed stay closed
    parser.python_frames = checkpoint.python_frames
    del parser.python_frames[len(checkpoint.opened) :]
    closed = checkpoint.opened[len(parser.python_frames) :]
    parser.statements = closed[0].around if closed else checkpoint.statements
    opened = _opened_frames(parser, *checkpoint.begin)
    parser.depth = checkpoint.depth
    parser.vector_slices = False
    parser.scope.leave(checkpoint.level)
    parser.blocks[checkpoint.blocks :] = [item for item in opened if isinstance(item, BlockFrame)]
    parser.conditionals[checkpoint.conditionals :] = [item for item in opened if isinstance(item, IfFrame)]


def _opened_frames(parser: BodyReader, python_frame: int, statement: int) -> list[Stmt | Frame]:
    """Return what has been read since a place: statements, and frames that are open."""
    opened: list[Stmt | Frame] = []
    for _, frame, around in parser.python_frames[python_frame:]:
        opened += [*around[statement:], frame]
        statement = 0
    return opened + parser.statements[statement:]
