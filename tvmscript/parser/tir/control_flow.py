"""Parsers of loops, branches and `with`."""

from __future__ import annotations

import ast
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.core import BOOL, Span
from tvmscript.ir.tir import Buffer, Expr, FloorDiv, For, ForKind, IfThenElse, LetStmt, Stmt, While, seq
from tvmscript.ir.tir.expr import BufferRegion, IntImm, IterKind, IterVar, Range, Var
from tvmscript.parser.diagnostics.describe import construct_name, describe
from tvmscript.parser.diagnostics.errors import CannotAssign, InvalidCondition, NotAContext, NotALoop, UnsupportedSyntax
from tvmscript.parser.diagnostics.hints import about_context, about_loop
from tvmscript.parser.frames import Allocation, BodyReader, Frame, Loop, Loops
from tvmscript.parser.names.name_hints import name_if_unnamed
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.python.literals import bind_target, iterate, unpack
from tvmscript.parser.python.macro_expansion import count_expanded

_AFTER = "write its statements after the loop"


def loop(parser: BodyReader, node: ast.For) -> None:
    """Parse `for target in loops:`."""
    if node.orelse:
        raise UnsupportedSyntax(what="else after for", span=parser.span(node.orelse[0]), hint=_AFTER)
    loops_ = parser.value(node.iter)
    if type(loops_) is not Loops:
        unroll(parser, node, loops_)
        return
    span = parser.span(node.target)
    whole = Span(span.source, span.line, span.column, *_end(parser.span(node.iter)))
    loops = loops_.loops
    variables = [parser.make(whole, Var, "", loop.extent.dtype) for loop in loops]
    targets = node.target.elts if type(node.target) is ast.Tuple else [node.target]
    for position, (target, var) in enumerate(zip(targets, variables, strict=False)):
        if type(target) is ast.Name and target.id in parser.scope.names:
            variables[position] = parser.variable(target.id, var)
    mark = parser.scope.enter()
    bind_loop(parser, node.target, variables if len(variables) != 1 else variables[0])
    for loop, var in zip(loops, variables, strict=True):
        if loop.step is None:
            parser.loop_ranges[var] = parser.make(whole, Range.from_min_extent, loop.min, loop.extent)
    body = parser.body(node.body)
    for var in variables:
        parser.loop_ranges.pop(var, None)
    parser.scope.leave_body(mark)
    for loop, var in zip(reversed(loops), reversed(variables), strict=True):
        body = parser.make(whole, _for, var, loop, body)
    parser.statements.append(body)


class LoopFrame(Frame):
    """`with T.serial(16) as i:`, another spelling of a loop."""

    __slots__ = ("loops",)

    def __init__(self, loops: Loops, span: Span) -> None:
        variables = [Var("", loop.extent.dtype, None, span) for loop in loops.loops]
        super().__init__(variables if len(variables) != 1 else variables[0], span)
        self.loops = list(zip(loops.loops, variables, strict=True))

    def enter(self, parser: BodyReader) -> None:
        for loop, var in self.loops:
            parser.loop_ranges[var] = parser.make(self.span, Range.from_min_extent, loop.min, loop.extent)

    def exit(self, parser: BodyReader, body: Stmt) -> Stmt:
        for loop, var in reversed(self.loops):
            name_if_unnamed(var, "v")
            parser.loop_ranges.pop(var, None)
            body = parser.make(self.span, _for, var, loop, body)
        return body


def bind_loop(parser: BodyReader, target: Any, value: object) -> None:
    """Bind the target of a loop to its variables."""
    if type(target) is ast.Name:
        if isinstance(value, list):
            for position, var in enumerate(value):
                name_if_unnamed(var, f"{target.id}_{position}")
        else:
            name_if_unnamed(value, target.id)
        parser.define(target.id, value, target)
    elif type(target) in (ast.Tuple, ast.List):
        variables = value if isinstance(value, list) else [value]
        for part, var in unpack(parser, target, variables):
            bind_loop(parser, part, var)
    else:
        raise CannotAssign(what=construct_name(target), span=parser.span(target))


def unroll(parser: BodyReader, node: Any, values: object) -> None:
    """Unroll a loop over Python values."""
    if isinstance(values, (Expr, Buffer, Frame, Builtin, BufferRegion)) or not (
        isinstance(values, (tuple, list, range, dict)) or (parser.closure is not None and hasattr(values, "__iter__"))
    ):
        raise NotALoop(what=describe(values), span=parser.span(node.iter), hint=about_loop(values))
    for item in iterate(parser, values, node.iter):
        count_expanded(parser, node)
        mark = parser.scope.enter()
        bind_target(parser, node.target, item)
        parser.statements.append(parser.body(node.body))
        parser.scope.leave_body(mark)


def while_(parser: BodyReader, node: ast.While) -> None:
    """Parse `while condition:`."""
    if node.orelse:
        raise UnsupportedSyntax(what="else after while", span=parser.span(node.orelse[0]), hint=_AFTER)
    condition = parser.condition(parser.expr(node.test), node.test)
    parser.statements.append(parser.make(parser.span(node.test), While, condition, parser.scoped(node.body)))


def conditional_statement(parser: BodyReader, node: ast.If) -> None:
    """Parse `if condition:`; a Python value selects a branch."""
    condition = parser.value(node.test)
    if type(condition) is int and parser.closure is None:
        condition = IntImm(BOOL, int(condition != 0), parser.span(node.test))  # TVM prints `if 0:`
    if isinstance(condition, Expr):
        condition = parser.condition(condition, node.test)
        then_case = parser.scoped(node.body)
        else_case = parser.scoped(node.orelse) if node.orelse else None
        parser.statements.append(parser.make(parser.span(node.test), IfThenElse, condition, then_case, else_case))
    elif isinstance(condition, bool) or (parser.closure is not None and not isinstance(condition, (Frame, Buffer))):
        chosen = node.body if parser.is_true(condition, node.test) else node.orelse
        if chosen:
            mark = parser.scope.enter()
            parser.splice(chosen)
            parser.scope.leave_body(mark)
    else:
        raise InvalidCondition(what=describe(condition), span=parser.span(node.test))


def with_(parser: BodyReader, node: Any) -> None:
    """Parse `with construct as name:`."""
    mark = parser.scope.enter()
    frames: list[Frame] = []
    for item in node.items:
        frame = parser.value(item.context_expr)
        if isinstance(frame, Loops):
            frame = LoopFrame(frame, parser.span(item.context_expr))
        if not isinstance(frame, Frame):
            where = parser.span(item.context_expr)
            raise NotAContext(what=describe(frame), span=where, hint=about_context(frame))
        frame.enter(parser)
        frames.append(frame)
        if isinstance(frame, Allocation) and isinstance(item.optional_vars, ast.Name):
            frame.value = parser.variable(item.optional_vars.id, frame.value)
        if item.optional_vars is not None:
            bind_context(parser, item.optional_vars, frame.value)
    body: Stmt | None = parser.body(node.body)
    for frame in reversed(frames):
        body = parser.finish(frame, body if body is not None else seq())
    parser.scope.leave_body(mark)
    if body is not None:
        parser.statements.append(body)


def bind_context(parser: BodyReader, target: Any, value: object) -> None:
    """Bind the target of `as` to the value of a frame."""
    kind = type(target)
    if kind is ast.Name and value is not None:
        if isinstance(value, (tuple, list)):
            for position, item in enumerate(value):
                name_if_unnamed(item, f"{target.id}_{position}")
        else:
            parser.give_name(value, target.id)
        parser.define(target.id, value, target)
    elif kind in (ast.Tuple, ast.List) and isinstance(value, (tuple, list)):
        for part, item in unpack(parser, target, value):
            bind_context(parser, part, item)
    else:
        raise CannotAssign(what=f"{construct_name(target)} after as", span=parser.span(target))


def _for(var: Var, loop: Loop, body: Stmt, span: Span) -> For:
    if loop.step is not None:
        counter = Var(var.name, var.dtype, None, span)
        first, step, extent = loop.min, loop.step, loop.extent
        if step.dtype is not var.dtype:
            step = fold.cast(var.dtype, step)
        body = LetStmt(var, fold.add(first, fold.mul(counter, step)), body, span=span)
        last = fold.add(extent, fold.sub(step, IntImm(step.dtype, 1)))
        count = fold.make(FloorDiv, last, step)
        return _for(counter, Loop(IntImm(var.dtype, 0), count, loop.kind, loop.annotations, loop.thread), body, span)
    thread = None
    if loop.kind is ForKind.THREAD_BINDING:
        thread = IterVar(None, Var("", var.dtype), IterKind.THREAD_INDEX, loop.thread or "")
    return For(var, loop.min, loop.extent, loop.kind, body, thread, loop.annotations or {}, span=span)


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column
