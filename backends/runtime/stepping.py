"""Programs with a `breakpoint()` as Python functions whose lines are those of the script.

Debuggers step through the user's lines in one frame; they do not see what the lines call.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Final

from tvmscript.backends.runtime.debugger_frames import is_usable
from tvmscript.ir.core import Span


def compile_body(body: list[ast.stmt], name: str, span: Span | None) -> CodeType:
    """Return a function of these statements, which have lines of the script, without parameters."""
    function = ast.FunctionDef(name if is_usable(name) else "program", _NO_PARAMETERS, body or [ast.Pass()], [])
    file, line = ("<tvmscript>", 1) if span is None else (span.source.name, span.line)
    _set_lines(function, line)
    module = compile(ast.Module([function], []), file, "exec", dont_inherit=True)
    return next(constant for constant in module.co_consts if isinstance(constant, CodeType))


_NO_PARAMETERS: Final = ast.arguments([], [], None, [], [], None, [])


def _set_lines(tree: ast.AST, line: int) -> None:
    """Set line numbers that are missing in a tree to that of the enclosing node."""
    if isinstance(tree, (ast.stmt, ast.expr)):
        line = tree.lineno = tree.end_lineno = getattr(tree, "lineno", line)
        tree.col_offset = tree.end_col_offset = 0
    for child in ast.iter_child_nodes(tree):
        _set_lines(child, line)


#: what is run where a program stops, in the words of globals of the function: a debugger that has begun to trace is
#: kept from what runs inside. All but the last is done by C, which it does not see; all stands in one line.
_BREAKPOINT_CALL: Final = (
    "(_before.append(_gettrace()), breakpoint(),"
    " _gettrace() == _before[-1] or (_real.append(_gettrace()), _settrace(_dispatch), _begin()))"
)
#: modules that are hidden, with all that is in them
_HIDDEN: Final = ("tvmscript", "numpy")
#: what `inspect.currentframe` calls, which debuggers would see
_CURRENT_FRAME: Final[Callable[[], FrameType]] = vars(sys)["_getframe"]


class _RenameGlobals(ast.NodeTransformer):
    """Replace the leading underscore of names by a dot, which no name of a program has."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(f".{node.id[1:]}", node.ctx) if node.id.startswith("_") else ast.Name(node.id, node.ctx)


def breakpoint_statement() -> ast.stmt:
    """Return a statement that stops in the debugger, in a function whose globals have `Tracing.names`."""
    call = _RenameGlobals().visit(ast.parse(_BREAKPOINT_CALL, mode="eval").body)
    for node in ast.walk(call):
        for name in ("lineno", "end_lineno"):
            node.__dict__.pop(name, None)
    return ast.Expr(call)


class Tracing:
    """Trace functions that show a debugger the program and the user's own functions only."""

    def __init__(self) -> None:
        self.real: list[Any] = []

    def names(self) -> dict[str, Any]:
        """Return the globals that the breakpoint call needs."""
        return {
            ".before": [],
            ".real": self.real,
            ".gettrace": sys.gettrace,
            ".settrace": sys.settrace,
            ".dispatch": self.dispatch,
            ".begin": self.begin,
        }

    def dispatch(self, frame: FrameType, event: str, argument: object) -> Any:
        """Forward to the debugger's trace function, except for hidden frames."""
        return None if _is_hidden(frame) else self.real[-1](frame, event, argument)

    def begin(self) -> None:
        """Trace the calling function, and nothing hidden."""
        frame = _CURRENT_FRAME().f_back
        if frame is not None:
            frame.f_trace = self.follow
            _hide_callers(frame)

    def follow(self, frame: FrameType, event: str, argument: object) -> Any:
        """Trace the program with the debugger's function, which would continue in the caller at its end."""
        goes_on = self.real[-1](frame, event, argument)
        if event == "return":
            _hide_callers(frame)
        return goes_on and self.follow


def _hide_callers(frame: FrameType) -> None:
    """Stop tracing the hidden functions among the callers of a frame."""
    caller = frame.f_back
    while caller is not None:
        if _is_hidden(caller):
            caller.f_trace = None
        caller = caller.f_back


def _is_hidden(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] in _HIDDEN
