"""Statements written as calls."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import Span, Type, WrongType
from tvmscript.ir.core.attrs import attribute
from tvmscript.ir.tir import Buffer, BufferStore, Expr, Stmt, operators
from tvmscript.ir.tir.expr import IntImm, IterKind, IterVar, Let, Range, StringImm, Var, type_of
from tvmscript.ir.tir.slices import buffer_store
from tvmscript.ir.tir.stmt import LAUNCHES, AssertStmt, AttrStmt, Evaluate, IfThenElse, LetStmt, While, launch_key
from tvmscript.parser.builtins.argument_checks import extent_of, text, thread_tag_of, truth_of, value_of
from tvmscript.parser.builtins.table import construct
from tvmscript.parser.diagnostics.errors import NotInside
from tvmscript.parser.frames import BranchFrame, IfFrame, KernelReader, Wrapper
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.tir.builtins.constructors import as_dtype


@construct("evaluate")
def evaluate(parser: KernelReader, span: Span, value: object) -> Stmt:
    """Evaluate an expression for its side effect."""
    return Evaluate(value_of(value, span), span=span)


@construct("customized_code")
def customized_code(parser: KernelReader, span: Span, code: str) -> Stmt:
    """Source code that a backend emits verbatim (BitBLAS)."""
    return Evaluate(StringImm(text("T.customized_code", code), span=span), span=span)


@construct("buffer_store")
def store(
    parser: KernelReader, span: Span, buffer: Buffer, value: object, indices: object, predicate: object = None
) -> Stmt:
    """Store an element of a buffer."""
    if not isinstance(buffer, Buffer):
        raise WrongType(where="T.buffer_store", expected="a buffer", got=repr(buffer), span=span)
    items = list(indices) if isinstance(indices, (tuple, list)) else [indices]
    expr = value if isinstance(value, Expr) else value_of(value, span, buffer.dtype.element)
    stmt = buffer_store(buffer, expr, items, span)
    if predicate is None:
        return stmt
    return BufferStore(stmt.buffer, stmt.value, stmt.indices, value_of(predicate, span), span=span)


@construct("attr")
def attr(parser: KernelReader, span: Span, node: Any, attr_key: str, value: object) -> Wrapper:
    """Attach an attribute of a node to the body."""
    if not isinstance(attr_key, str):
        raise WrongType(where="T.attr", expected="a key", got=repr(attr_key), span=span)
    expr = value_of(value, span)
    is_launch = isinstance(node, Var) and attr_key in LAUNCHES
    subject = parser.thread_axes.get(node) if is_launch else None
    if subject is None:
        subject = attribute(node)
    return Wrapper(None, span, lambda body: AttrStmt(subject, attr_key, expr, body, span=span))


@construct("Assert")
def assert_(parser: KernelReader, span: Span, condition: object, message: object) -> Wrapper:
    """Abort with a message unless the condition holds."""
    test = operators.as_expr(condition, None, span)
    text_ = StringImm(message) if isinstance(message, str) else operators.as_expr(message, None, span)
    return Wrapper(None, span, lambda body: AssertStmt(test, text_, body, span=span))


@construct("let")
def let(parser: KernelReader, span: Span, v: Var, value: object, body: object = None) -> Any:
    """Bind a variable to a value: a LetStmt over the rest of the body, or a Let if a body is given."""
    if not isinstance(v, Var):
        raise WrongType(where="T.let", expected="a variable", got=repr(v), span=span)
    expr = value_of(value, span, v.dtype)
    if body is not None:
        return Let(v, expr, value_of(body, span), span=span)
    return Wrapper(v, span, lambda rest: LetStmt(v, expr, rest, span=span))


@construct("LetStmt")
def let_stmt(
    parser: KernelReader, span: Span, value: object, type_annotation: object = None, *, var: Var | None = None
) -> Wrapper:
    """Bind a variable to a value, for the body."""
    if isinstance(type_annotation, Builtin):
        type_annotation = as_dtype(type_annotation)
    elif isinstance(type_annotation, Var):  # what T.handle("float32") makes outside of a signature
        type_annotation = type_of(type_annotation)
    if var is None:
        expr = value_of(value, span)
        kind = type_annotation if isinstance(type_annotation, (Type, str)) else expr.dtype
        var = Var("", kind, None, span)
    else:
        expr = value_of(value, span, var.dtype)
    bound: Var = var
    return Wrapper(bound, span, lambda body: LetStmt(bound, expr, body, span=span))


@construct("While")
def while_(parser: KernelReader, span: Span, condition: object) -> Wrapper:
    """Open a while loop."""
    test = truth_of("T.While", condition, span)
    return Wrapper(None, span, lambda body: While(test, body, span=span))


@construct("If")
def if_(parser: KernelReader, span: Span, condition: object) -> IfFrame:
    """Open a branch with the parts `T.Then` and `T.Else`."""
    test = truth_of("T.If", condition, span)

    def finish(frame: IfFrame) -> Stmt:
        if frame.then_case is None:
            raise NotInside(what="T.If without T.Then", place="no program", span=span, hint="write with T.Then():")
        return IfThenElse(test, frame.then_case, frame.else_case, span=span)

    return IfFrame(span, finish)


def _branch(parser: KernelReader, span: Span, name: str, slot: str) -> BranchFrame:
    if not parser.conditionals:
        raise NotInside(what=name, place="T.If", span=span, hint="open one: with T.If(condition):")
    return BranchFrame(parser.conditionals[-1], slot, span)


@construct("Then")
def then(parser: KernelReader, span: Span) -> BranchFrame:
    """Open the part of `T.If` for a true condition."""
    return _branch(parser, span, "T.Then", "then_case")


@construct("Else")
def else_(parser: KernelReader, span: Span) -> BranchFrame:
    """Open the part of `T.If` for a false condition."""
    return _branch(parser, span, "T.Else", "else_case")


@construct("env_thread")
def env_thread(parser: KernelReader, span: Span, thread_tag: str, dtype: object = "int32") -> Var:
    """The variable of a thread axis; `T.launch_thread` sets its extent."""
    var = Var("", as_dtype(dtype), None, span)
    parser.thread_axes[var] = IterVar(None, var, IterKind.THREAD_INDEX, thread_tag_of(thread_tag, span), span=span)
    return var


@construct("launch_thread")
def launch_thread(parser: KernelReader, span: Span, thread: Any, extent: object) -> Wrapper:
    """Launch the body on a thread axis."""
    size = extent_of("T.launch_thread", extent, span)
    if isinstance(thread, str):
        thread = env_thread(parser, span, thread, size.dtype)
    axis = parser.thread_axes.get(thread)
    if axis is None:
        raise WrongType(where="T.launch_thread", expected="a thread axis", got=repr(thread), span=span)
    before = parser.launched.setdefault(axis.var, size)
    if isinstance(before, IntImm) and isinstance(size, IntImm) and before.value != size.value:
        expected = f"one extent for {axis.thread_tag}, which has {before.value}"
        raise WrongType(where="T.launch_thread", expected=expected, got=size.value, span=span)
    thread_axis = IterVar(
        Range.from_min_extent(operators.const(0, size.dtype), size),
        axis.var,
        axis.iter_type,
        axis.thread_tag,
        span=span,
    )
    key = launch_key(axis.thread_tag)
    return Wrapper(axis.var, span, lambda body: AttrStmt(thread_axis, key, size, body, span=span))
