"""Graph functions with a `breakpoint()`: the bindings as a Python function with the line numbers of the script.

Branches are Python's; its other lines call the interpreter, its variables are those of the graph function, tensors as
NumPy arrays.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.debugger_frames import is_usable, show_source
from tvmscript.backends.runtime.stepping import Tracing, breakpoint_statement, compile_body
from tvmscript.backends.vm.values import Value, is_true
from tvmscript.ir.core import Op, Span, nodes
from tvmscript.ir.relax.expr import Call, If, MatchCast, SeqExpr, Var, VarBinding
from tvmscript.ir.relax.function import Function

if TYPE_CHECKING:
    from tvmscript.backends.vm.interpreter import Frame

_BREAKPOINT: Final = Op.get("relax.breakpoint")
#: the name of what the lines call, among the function's globals
_CODES: Final = ".codes"


def has_breakpoint(func: Function) -> bool:
    """Return whether a function contains a breakpoint."""
    return any(_is_breakpoint(node) for node in nodes(func.body))


def _is_breakpoint(node: object) -> bool:
    return isinstance(node, Call) and node.op is _BREAKPOINT


def run_with_steps(frame: Frame, func: Function) -> Value:
    """Run the body of a function, whose parameters are bound, as code that a debugger can follow."""
    writer = _Writer(frame, func.span)
    returned = writer.call(lambda: frame.value(func.body.body))
    body = [
        *writer.assign_sizes(),
        *[stmt for param in func.params for stmt in writer.assign(param)],
        *writer.sequence(func.body),
        writer.at_line(func.body.body, ast.Return(returned)),
    ]
    code = compile_body(body, frame.name, func.span)
    show_source(func.span)
    names = {"__name__": frame.name, "__builtins__": builtins, _CODES: writer.codes, **Tracing().names()}
    result: Value = FunctionType(code, names)()
    return result


class _Writer:
    """Translation of bindings to Python statements."""

    def __init__(self, frame: Frame, span: Span | None) -> None:
        self.frame = frame
        #: what the statements call
        self.codes: list[Callable[[], object]] = []
        self._file = None if span is None else span.source.name
        self._line = 1 if span is None else span.line

    def sequence(self, body: SeqExpr) -> list[ast.stmt]:
        """Return the statements of the bindings."""
        return [
            stmt
            for block in body.blocks
            for binding in block.bindings
            if isinstance(binding, (VarBinding, MatchCast))
            for stmt in self._binding(binding)
        ]

    def _binding(self, binding: VarBinding | MatchCast) -> list[ast.stmt]:
        value = binding.value
        if _is_breakpoint(value):
            return [self.at_line(value, breakpoint_statement())]
        if isinstance(binding, VarBinding) and isinstance(value, If):
            choice = self.at_line(value, ast.If(self.call(lambda: is_true(self.frame.value(value.cond))), [], []))
            choice.body = self._branch(value.true_branch, binding.var)
            choice.orelse = self._branch(value.false_branch, binding.var)
            return [choice]
        run = self.at_line(binding, ast.Expr(self.call(lambda: self.frame.run(binding))))
        return [run, *self.assign(binding.var)]

    def _branch(self, body: SeqExpr, var: Var) -> list[ast.stmt]:
        def bind() -> None:
            self.frame.values[var] = self.frame.value(body.body)

        stmts = self.sequence(body)
        return [*stmts, self.at_line(body.body, ast.Expr(self.call(bind))), *self.assign(var)]

    def assign(self, var: Var) -> list[ast.stmt]:
        """Return an assignment that gives the Python function the value of a variable."""
        if not is_usable(var.name_hint):
            return []
        value = self.call(lambda: _shown(self.frame.values[var]))
        return [self.at_line(None, ast.Assign([ast.Name(var.name_hint, ast.Store())], value))]

    def assign_sizes(self) -> list[ast.stmt]:
        """Return assignments of the sizes that the parameters define."""
        return [
            self.at_line(None, ast.Assign([ast.Name(size.name, ast.Store())], ast.Constant(value)))
            for size, value in self.frame.sizes.items()
            if is_usable(size.name)
        ]

    def call(self, code: Callable[[], object]) -> ast.expr:
        """Return a call of a function of the interpreter."""
        self.codes.append(code)
        chosen = ast.Subscript(ast.Name(_CODES, ast.Load()), ast.Constant(len(self.codes) - 1), ast.Load())
        return ast.Call(chosen, [], [])

    def at_line(self, node: Any, stmt: Any) -> Any:
        """Return a statement at the line of a node; the last line where the node has none in this file.

        The span of a variable is where it is defined.
        """
        span = None if isinstance(node, Var) else getattr(node, "span", None)
        if span is not None and span.source.name == self._file:
            self._line = span.line
        stmt.lineno = self._line
        return stmt


def _shown(value: Value) -> object:
    return value.numpy() if isinstance(value, NDArray) else value
