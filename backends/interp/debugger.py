"""Kernels with a `breakpoint()`: the statements as a Python function with the line numbers of the script.

Its loops and branches are Python's, its other lines call the closures of the interpreter, its variables are those of
the kernel. Debuggers therefore step through the user's lines (`n`, `s`, `until`, breakpoints) in one frame; they do not
see the closures. Synchronizing threads run as closures, where `breakpoint()` stops at its own line only.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any, Final

from tvmscript.backends.interp import cooperative_threads, statements
from tvmscript.backends.interp.calls import Returned
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.print_and_breakpoint import array_of
from tvmscript.backends.runtime.debugger_frames import is_usable, show_source
from tvmscript.backends.runtime.stepping import Tracing, breakpoint_statement, compile_body
from tvmscript.ir.core import Span, nodes
from tvmscript.ir.tir import Buffer, Call, CommReducer, Expr, IntImm, IterVar, PrimFunc, Stmt, Var
from tvmscript.ir.tir import stmt as tir
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic

#: Python nests no more loops than 20 in a function
_DEEPEST: Final = 16
_BREAKPOINT: Final = "tir.breakpoint"
_RETURN: Final = "tir.ret"
#: names of the function's globals, which no kernel has: the closures, and the frame of the interpreter
_CODES, _FRAME = ".codes", ".frame"


def has_breakpoint(func: PrimFunc) -> bool:
    """Return whether a function contains a breakpoint."""
    return any(_is_call(node, _BREAKPOINT) for node in nodes(func.body))


def _is_call(node: object, name: str) -> bool:
    return isinstance(node, Call) and isinstance(node.op, Intrinsic) and node.op.name == name


def compile_with_steps(compiler: Compiler, func: PrimFunc, name: str) -> Code:
    """Return the body of a function, whose parameters are bound, as code that a debugger can follow."""
    writer = _Writer(compiler, func.span)
    body = [*writer.assign_variables([*func.params, *func.buffer_map.values()]), *writer.statement(func.body)]
    code, codes = compile_body(body, name, func.span), writer.codes

    def run(frame: Frame) -> None:
        show_source(func.span)
        names = {"__name__": name, "__builtins__": builtins, _CODES: codes, _FRAME: frame, **Tracing().names()}
        returned = FunctionType(code, names)()
        if returned is not None:
            raise Returned(returned)

    return run


class _Writer:
    """Translation of a kernel's statements to Python statements."""

    def __init__(self, compiler: Compiler, span: Span | None) -> None:
        self.compiler = compiler
        #: what the statements call
        self.codes: list[Code] = []
        self._file = None if span is None else span.source.name
        self._line = 1 if span is None else span.line
        self._depth = 0

    def statement(self, node: Stmt) -> list[ast.stmt]:
        """Return the Python statements for a statement."""
        before, self._line = self._line, self._line_of(node.span)
        rule = _RULES.get(type(node), _Writer.closure)
        stmts = rule(self, node)
        self._line = before
        return stmts

    def assign_variables(self, names: Sequence[Var | Buffer]) -> list[ast.stmt]:
        """Return assignments that give the Python function the values of newly bound variables and buffers."""
        stmts: list[ast.stmt] = []
        for name in names:
            if not is_usable(name.name) or (isinstance(name, Var) and name.dtype.is_handle):
                continue
            code = array_of(self.compiler, name) if isinstance(name, Buffer) else self.compiler.code(name)
            stmts.append(self._at(ast.Assign([ast.Name(name.name, ast.Store())], self._call(code))))
        return stmts

    def _line_of(self, span: Span | None) -> int:
        """Return the line of a span in the file of the function; macros of other files have the line of their use."""
        return span.line if span is not None and span.source.name == self._file else self._line

    def _at(self, node: Any) -> Any:
        node.lineno = self._line
        return node

    def _call(self, code: Code) -> ast.expr:
        self.codes.append(code)
        chosen = ast.Subscript(ast.Name(_CODES, ast.Load()), ast.Constant(len(self.codes) - 1), ast.Load())
        return ast.Call(chosen, [ast.Name(_FRAME, ast.Load())], [])

    def _run(self, code: Code) -> ast.stmt:
        stmt: ast.stmt = self._at(ast.Expr(self._call(code)))
        return stmt

    def _value(self, node: Expr) -> ast.expr:
        return self._call(self.compiler.code(node))

    def closure(self, node: Stmt) -> list[ast.stmt]:
        return [self._run(self.compiler.code(node))]

    def sequence(self, node: tir.SeqStmt) -> list[ast.stmt]:
        return [stmt for child in node.seq for stmt in self.statement(child)]

    def loop(self, node: tir.For) -> list[ast.stmt]:
        start, extent = self.compiler.code(node.min), self.compiler.code(node.extent)
        if node.thread_binding is not None:
            arguments = (node.thread_binding, node.loop_var, extent, node, node.body, start)
            launched = cooperative_threads.launch(self.compiler, *arguments)
            if launched is not None:
                return [self._run(launched)]
        return self._iterations(node.loop_var, start, extent, node.body)

    def _iterations(self, var: Var, start: Code, extent: Code, body: Stmt) -> list[ast.stmt]:
        slot = self.compiler.define(var)

        def values(frame: Frame) -> Iterator[int]:
            first = start(frame)
            for index in range(first, first + extent(frame)):
                frame[slot] = index
                yield index

        if self._depth >= _DEEPEST:
            inner = self.compiler.code(body)

            def run(frame: Frame) -> None:
                for _ in values(frame):
                    inner(frame)

            return [self._run(run)]
        self._depth += 1
        target = ast.Name(var.name if is_usable(var.name) else "_", ast.Store())
        loop = ast.For(target, self._call(values), self.statement(body) or [ast.Pass()], [])
        self._depth -= 1
        return [self._at(loop)]

    def while_loop(self, node: tir.While) -> list[ast.stmt]:
        if self._depth >= _DEEPEST:
            return self.closure(node)
        self._depth += 1
        loop = ast.While(self._value(node.condition), self.statement(node.body) or [ast.Pass()], [])
        self._depth -= 1
        return [self._at(loop)]

    def branch(self, node: tir.IfThenElse) -> list[ast.stmt]:
        condition = self._value(node.condition)
        other = [] if node.else_case is None else self.statement(node.else_case)
        return [self._at(ast.If(condition, self.statement(node.then_case) or [ast.Pass()], other))]

    def let(self, node: tir.LetStmt) -> list[ast.stmt]:
        bind = statements.bind_data(self.compiler, node.var, self.compiler.code(node.value))
        return [self._run(bind), *self.assign_variables([node.var]), *self.statement(node.body)]

    def attribute(self, node: tir.AttrStmt) -> list[ast.stmt]:
        if isinstance(node.node, CommReducer):
            self.compiler.combiners.append(node.node)
            stmts = self.statement(node.body)
            self.compiler.combiners.pop()
            return stmts
        if node.attr_key not in statements.THREAD_ATTRIBUTES:
            return self.statement(node.body)
        extent = self.compiler.code(node.value)
        if not isinstance(node.node, IterVar):
            return self._iterations(node.node, lambda frame: 0, extent, node.body)
        launched = cooperative_threads.launch(self.compiler, node.node, node.node.var, extent, node, node.body)
        if launched is not None:
            return [self._run(launched)]
        return self._iterations(node.node.var, lambda frame: 0, extent, node.body)

    def assertion(self, node: tir.AssertStmt) -> list[ast.stmt]:
        return [self._run(statements.check_assertion(self.compiler, node)), *self.statement(node.body)]

    def evaluation(self, node: tir.Evaluate) -> list[ast.stmt]:
        if _is_call(node.value, _BREAKPOINT):
            return [self._at(breakpoint_statement())]
        if _is_call(node.value, _RETURN) and isinstance(node.value, Call):
            return [self._at(ast.Return(self._value(node.value.args[0])))]
        return self.closure(node)

    def memory(self, node: tir.Allocate | tir.AllocateConst | tir.DeclBuffer) -> list[ast.stmt]:
        with statements.bind_allocation(self.compiler, node) as bind:
            buffers = [node.buffer] if isinstance(node, tir.DeclBuffer) else []
            return [self._run(bind), *self.assign_variables(buffers), *self.statement(node.body)]

    def realize(self, node: tir.BlockRealize) -> list[ast.stmt]:
        condition = self._value(node.predicate)
        stmts: list[ast.stmt] = []
        for axis, value in zip(node.block.iter_vars, node.iter_values, strict=True):
            before, self._line = self._line, self._line_of(axis.span)
            if not self.compiler.alias(axis.var, value):
                code = self.compiler.code(value)
                stmts.append(self._run(statements.assign(code, self.compiler.define(axis.var))))
            stmts += self.assign_variables([axis.var])
            self._line = before
        stmts += self.block(node.block)
        if isinstance(node.predicate, IntImm) and node.predicate.value:
            return stmts
        self._line = self._line_of(node.predicate.span)
        return [self._at(ast.If(condition, stmts or [ast.Pass()], []))]

    def block(self, node: tir.Block) -> list[ast.stmt]:
        buffers = [*node.alloc_buffers, *(match.buffer for match in node.match_buffers)]
        with statements.enter_block(self.compiler, node) as codes:
            stmts = [*map(self._run, codes), *self.assign_variables(buffers)]
            if node.init is not None:
                stmts.append(self._at(ast.If(self._call(self._is_first(node)), self.statement(node.init), [])))
            return [*stmts, *self.statement(node.body)]

    def _is_first(self, node: tir.Block) -> Code:
        """Return whether this is the first step of a reduction."""
        slot = self.compiler.fresh()

        def set_flag(frame: Frame) -> None:
            frame[slot] = True

        run_flag = statements.run_at_first_step(self.compiler, node, set_flag)

        def is_first(frame: Frame) -> bool:
            frame[slot] = False
            run_flag(frame)
            return bool(frame[slot])

        return is_first


#: statement -> what it is written as; all others run as they do without a debugger
_RULES: Final[dict[type[Stmt], Callable[[_Writer, Any], list[ast.stmt]]]] = {
    tir.SeqStmt: _Writer.sequence,
    tir.For: _Writer.loop,
    tir.While: _Writer.while_loop,
    tir.IfThenElse: _Writer.branch,
    tir.LetStmt: _Writer.let,
    tir.AttrStmt: _Writer.attribute,
    tir.AssertStmt: _Writer.assertion,
    tir.Evaluate: _Writer.evaluation,
    tir.Allocate: _Writer.memory,
    tir.AllocateConst: _Writer.memory,
    tir.DeclBuffer: _Writer.memory,
    tir.BlockRealize: _Writer.realize,
    tir.Block: _Writer.block,
}
