"""Statements as lines."""

from __future__ import annotations

from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core.types import PrimType
from tvmscript.ir.tir import stmt as S
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import Call, IntImm, IterVar, SizeVar, StringImm, Var
from tvmscript.ir.tir.te_nodes import BufferRealize
from tvmscript.printer.attribute_values import dictionary, value
from tvmscript.printer.constants import constant_data
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer, stmt_rule
from tvmscript.printer.tir.buffers import (
    Defines,
    access,
    all_slices,
    buffer_hint,
    declaration,
    declare_buffer,
    has_usual_data,
    name_parts,
)
from tvmscript.printer.tir.exprs import creation, var_type


def inner(p: Printer, node: Stmt, body: Stmt) -> None:
    """The body, indented, as the scope of a node."""
    p.open(node)
    p.body(body)
    p.close()


def scoped(p: Printer, node: Stmt, body: Stmt, call: str, concise: bool) -> None:
    """A statement that holds for its body and defines nothing: a line of its own, or `with`."""
    p.write(call if concise else f"with {call}:")
    p.open(node, deeper=not concise)
    p.body(body)
    p.close()


def defining(p: Printer, node: Stmt, body: Stmt, name: str, call: str, concise: bool) -> None:
    """A statement that defines a name for its body: an assignment, or `with ... as`. Its scope is open already."""
    indent = p.frames[-2].indent
    p.lines.append(f"{indent}{name} = {call}" if concise else f"{indent}with {call} as {name}:")
    p.body(body)
    p.close()


@stmt_rule(S.SeqStmt)
def _seq(p: Printer, node: S.SeqStmt) -> None:
    p.open(node, deeper=False)
    p.body(node)
    p.close()


@stmt_rule(S.Evaluate)
def evaluate(p: Printer, node: S.Evaluate) -> None:
    item = node.value
    is_return = p.sugar and type(item) is Call and _is_return(item)
    if type(item) is not Call or (p.scope_root is node and not is_return):
        # a call alone would be read as that call
        p.write(f"{p.tir}evaluate({p.expr(item)})")
    elif is_return:
        p.write(f"return {p.expr(item.args[0])}")
    else:
        p.write(p.expr(item))


def _is_return(call: Call) -> bool:
    return (
        getattr(call.op, "name", "") == "tir.ret" and len(call.args) == 1 and call.args[0].dtype is call.dtype
    )  # fmt: skip


@stmt_rule(S.BufferStore)
def store(p: Printer, node: S.BufferStore) -> None:
    if node.predicate is not None:
        buffer = p.expr(node.buffer)
        indices = p.exprs(node.indices)
        p.write(f"{buffer}.vstore([{indices}], {p.expr(node.value)}, predicate={p.expr(node.predicate)})")
        return
    if node.buffer not in p.names:
        declare_buffer(p, node.buffer)
    # free names are declared in TVM's order: those of the value first
    text = p.expr(node.value)
    p.lines.append(f"{p.indent}{access(p, node.buffer, node.indices)} = {text}")


@stmt_rule(S.IfThenElse)
def _if(p: Printer, node: S.IfThenElse) -> None:
    p.write(f"if {p.expr(node.condition)}:")
    inner(p, node.then_case, node.then_case)
    if node.else_case is not None:
        p.write("else:")
        inner(p, node.else_case, node.else_case)


@stmt_rule(S.While)
def _while(p: Printer, node: S.While) -> None:
    p.write(f"while {p.expr(node.condition)}:")
    inner(p, node, node.body)


@stmt_rule(S.AssertStmt)
def _assert(p: Printer, node: S.AssertStmt) -> None:
    condition, message = p.expr(node.condition), p.expr(node.message)
    if p.concise(node):
        scoped(p, node, node.body, f"assert {condition}, {message}", True)
    else:
        scoped(p, node, node.body, f"{p.tir}Assert({condition}, {message})", False)


@stmt_rule(S.LetStmt)
def _let(p: Printer, node: S.LetStmt) -> None:
    concise = p.concise(node)
    var, text = node.var, p.expr(node.value)
    if type(var) is SizeVar and var not in p.names:
        # only an explicit declaration says that it is a size
        p.write(f"{p.define(var, var.name or 'v')} = {creation(p, var)}")
    known = p.names.get(var)
    if known is not None:
        scoped(p, node, node.body, f"{p.tir}LetStmt({text}, var={known})", False)
        return
    annotation = var_type(p, var)
    p.open(node, deeper=not concise)
    name = p.bind(var, var.name or "v")
    if p.marks is not None:
        name = p.marks.wrap(var, name)
    indent = p.frames[-2].indent
    if concise:
        p.lines.append(f"{indent}{name}: {annotation} = {text}")
    elif var.type_annotation is None or isinstance(var.type_annotation, PrimType):
        p.lines.append(f"{indent}with {p.tir}LetStmt({text}) as {name}:")
    else:
        p.lines.append(f"{indent}with {p.tir}LetStmt({text}, {annotation}) as {name}:")
    p.body(node.body)
    p.close()


@stmt_rule(S.DeclBuffer)
def _decl_buffer(p: Printer, node: S.DeclBuffer) -> None:
    _declared_buffer(p, node, Defines.NOTHING)


def _declared_buffer(p: Printer, node: S.DeclBuffer, defines: Defines) -> None:
    concise = p.concise(node)
    outer = p.frames[-1]
    call = declaration(p, node.buffer, "decl_buffer", outer, defines)
    frame = p.open(node, deeper=not concise)
    name = p.define(node.buffer, buffer_hint(node.buffer))
    name_parts(p, node.buffer, name, frame)
    defining(p, node, node.body, name, call, concise)


@stmt_rule(S.Allocate)
def _allocate(p: Printer, node: S.Allocate) -> None:
    if _is_allocated_buffer(node) and not (p.notes is not None and p.notes.stands_at(node.body)):
        _declared_buffer(p, node.body, Defines.DATA)  # type: ignore[arg-type]  # it is a DeclBuffer
        return
    concise = p.concise(node)
    scope = node.buffer_var.storage_scope
    arguments = [f"[{p.exprs(node.extents)}]", f'"{node.dtype}"', string(scope)]
    if not is_true(node.condition):
        arguments.append(p.expr(node.condition))
    if node.annotations:
        arguments.append(f"annotations={dictionary(p, node.annotations)}")
    p.open(node, deeper=not concise)
    name = p.bind(node.buffer_var, node.buffer_var.name or "v")
    defining(p, node, node.body, name, f"{p.tir}allocate({', '.join(arguments)})", concise)


def _is_allocated_buffer(node: S.Allocate) -> bool:
    """Whether T.decl_buffer without data means this allocation and the buffer in it."""
    body = node.body
    if not isinstance(body, S.DeclBuffer) or body.buffer.data is not node.buffer_var:
        return False
    buffer = body.buffer
    return (
        node.dtype is buffer.dtype
        and is_true(node.condition)
        and not node.annotations
        and has_usual_data(buffer)
        and len(node.extents) == len(buffer.shape)
        and all(expr_deep_equal(a, b) for a, b in zip(node.extents, buffer.shape, strict=True))
    )


@stmt_rule(S.AllocateConst)
def _allocate_const(p: Printer, node: S.AllocateConst) -> None:
    concise = p.concise(node)
    shape = tuple([item.value for item in node.extents if isinstance(item, IntImm)])
    fits = len(shape) == len(node.extents)
    arguments = [
        constant_data(p, node.data, node.dtype, shape if fits else None),
        f'"{node.dtype}"',
        f"[{p.exprs(node.extents)}]",
    ]
    if node.annotations:
        arguments.append(f"annotations={dictionary(p, node.annotations)}")
    p.open(node, deeper=not concise)
    name = p.define(node.buffer_var, node.buffer_var.name or "v")
    defining(p, node, node.body, name, f"{p.tir}allocate_const({', '.join(arguments)})", concise)


@stmt_rule(S.AttrStmt)
def attr(p: Printer, node: S.AttrStmt) -> None:
    concise = p.concise(node)
    axis = node.node
    if isinstance(axis, IterVar) and _is_launch(p, node, axis):
        _launch(p, node, axis, concise)
        return
    body, scope = node.body, node.value
    if isinstance(body, BufferRealize) and _is_realize_scope(node, body) and isinstance(scope, StringImm):
        realize(p, body, scope)
        return
    subject, fact = value(p, axis), p.expr(node.value)
    scoped(p, node, node.body, f"{p.tir}attr({subject}, {string(p.spelling.key(node.attr_key))}, {fact})", concise)


def _is_realize_scope(node: S.AttrStmt, body: BufferRealize) -> bool:
    return node.attr_key == "realize_scope" and body.buffer is node.node


@stmt_rule(BufferRealize)
def realize(p: Printer, node: BufferRealize, scope: StringImm | None = None) -> None:
    """`T.realize(A[0:4], "shared")`: a realization, and the attribute around it that tells its scope."""
    arguments = [all_slices(p, node.buffer, node.bounds)]
    if scope is not None:
        arguments.append(string(scope.value))
    if not is_true(node.condition):
        arguments.append(f"condition={p.expr(node.condition)}")
    scoped(p, node, node.body, f"{p.tir}realize({', '.join(arguments)})", p.concise(node))


def _is_launch(p: Printer, node: S.AttrStmt, axis: IterVar) -> bool:
    """Whether `T.launch_thread` says it: the launches before have the same device axis and extent for the variable."""
    if node.attr_key != S.launch_key(axis.thread_tag):
        return False
    tag, before = p.launched.setdefault(axis.var, (axis.thread_tag, node.value))
    known, extent = (each.value if isinstance(each, IntImm) else None for each in (before, node.value))
    return tag == axis.thread_tag and (known is None or extent is None or known == extent)


def _launch(p: Printer, node: S.AttrStmt, axis: IterVar, concise: bool) -> None:
    """`T.launch_thread("threadIdx.x", 16) as tx`, or a thread variable that several launches share."""
    extent = p.expr(node.value)
    known = p.names.get(axis.var)
    if known is None and not _holds_all_uses(p, node, axis.var):
        frame = p.scope_of(axis.var)
        known = p.define(axis.var, axis.var.name or "v", frame)
        p.put(frame, f"{known} = {p.tir}env_thread({string(axis.thread_tag)})")
    if known is not None:
        scoped(p, node, node.body, f"{p.tir}launch_thread({known}, {extent})", concise)
        return
    p.open(node, deeper=not concise)
    name = p.define(axis.var, axis.var.name or "v")
    call = f"{p.tir}launch_thread({string(axis.thread_tag)}, {extent})"
    defining(p, node, node.body, name, call, concise)


def _holds_all_uses(p: Printer, node: S.AttrStmt, var: Var) -> bool:
    scope = p.innermost(var)
    while scope is not None and scope.node is not node:
        scope = scope.outer
    return scope is not None
