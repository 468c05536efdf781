"""Print statements."""

from __future__ import annotations

from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import PrimType
from tvmscript.ir.tir import BufferRealize, Call, Expr, IntImm, IterVar, SizeVar, Stmt, StringImm, Var
from tvmscript.ir.tir import stmt as S
from tvmscript.printer.attribute_values import dictionary, value
from tvmscript.printer.constants import constant_data
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer, stmt_rule
from tvmscript.printer.tir.buffers import (
    access,
    all_slices,
    buffer_hint,
    declaration,
    declare_buffer,
    has_usual_data,
    name_parts,
)
from tvmscript.printer.tir.exprs import creation, var_type


def write_indented(p: Printer, node: Stmt, body: Stmt) -> None:
    """Write the body, indented, as the scope of a node."""
    p.open_scope(node)
    p.write_body(body)
    p.close_scope()


def write_scoped(p: Printer, node: Stmt, body: Stmt, call: str, concise: bool) -> None:
    """Write a statement that has a body and defines nothing: a line of its own, or `with`."""
    p.write(call if concise else f"with {call}:")
    p.open_scope(node, deeper=not concise)
    p.write_body(body)
    p.close_scope()


def write_definition(p: Printer, node: Stmt, body: Stmt, name: str, call: str, concise: bool) -> None:
    """Write a statement that defines a name for its body: an assignment, or `with ... as`. Its scope is open."""
    indent = p.frames[-2].indent
    p.lines.append(f"{indent}{name} = {call}" if concise else f"{indent}with {call} as {name}:")
    p.write_body(body)
    p.close_scope()


@stmt_rule(S.SeqStmt)
def _seq(p: Printer, node: S.SeqStmt) -> None:
    p.open_scope(node, deeper=False)
    p.write_body(node)
    p.close_scope()


@stmt_rule(S.Evaluate)
def evaluate(p: Printer, node: S.Evaluate) -> None:
    item = node.value
    is_return = p.sugar and type(item) is Call and _is_return(item)
    if type(item) is not Call or (p.scope_root is node and not is_return):
        # a text that is only a call is read as an expression
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
    # free names are declared in TVM's order: first those of the value
    text = p.expr(node.value)
    p.lines.append(f"{p.indent}{access(p, node.buffer, node.indices)} = {text}")


@stmt_rule(S.IfThenElse)
def _if(p: Printer, node: S.IfThenElse) -> None:
    branches(p, node, node.condition)


def branches(p: Printer, node: S.IfThenElse, condition: Expr) -> None:
    """Write the branches of a condition."""
    p.write(f"if {p.expr(condition)}:")
    write_indented(p, node.then_case, node.then_case)
    if node.else_case is not None:
        p.write("else:")
        write_indented(p, node.else_case, node.else_case)


@stmt_rule(S.While)
def _while(p: Printer, node: S.While) -> None:
    p.write(f"while {p.expr(node.condition)}:")
    write_indented(p, node, node.body)


@stmt_rule(S.AssertStmt)
def _assert(p: Printer, node: S.AssertStmt) -> None:
    condition, message = p.expr(node.condition), p.expr(node.message)
    if p.is_concise(node):
        write_scoped(p, node, node.body, f"assert {condition}, {message}", True)
    else:
        write_scoped(p, node, node.body, f"{p.tir}Assert({condition}, {message})", False)


@stmt_rule(S.LetStmt)
def _let(p: Printer, node: S.LetStmt) -> None:
    concise = p.is_concise(node)
    var, text = node.var, p.expr(node.value)
    if type(var) is SizeVar and var not in p.names:
        # only an explicit declaration makes it a SizeVar
        p.write(f"{p.define(var, var.name or 'v')} = {creation(p, var)}")
    name = p.names.get(var)
    if name is not None:
        write_scoped(p, node, node.body, f"{p.tir}LetStmt({text}, var={name})", False)
        return
    annotation = var_type(p, var)
    p.open_scope(node, deeper=not concise)
    name = p.bind(var, var.name or "v")
    if p.marks is not None:
        name = p.marks.wrap(var, name)
    indent = p.frames[-2].indent
    if concise:
        p.lines.append(f"{indent}{name}: {annotation} = {text}")
    elif var.pointer_type is None or isinstance(var.pointer_type, PrimType):
        p.lines.append(f"{indent}with {p.tir}LetStmt({text}) as {name}:")
    else:
        p.lines.append(f"{indent}with {p.tir}LetStmt({text}, {annotation}) as {name}:")
    p.write_body(node.body)
    p.close_scope()


@stmt_rule(S.DeclBuffer)
def _decl_buffer(p: Printer, node: S.DeclBuffer) -> None:
    _write_declaration(p, node, defines_data=False)


def _write_declaration(p: Printer, node: S.DeclBuffer, *, defines_data: bool) -> None:
    concise = p.is_concise(node)
    outer = p.frames[-1]
    call = declaration(p, node.buffer, "decl_buffer", outer, defines_data=defines_data)
    frame = p.open_scope(node, deeper=not concise)
    name = p.define(node.buffer, buffer_hint(node.buffer))
    name_parts(p, node.buffer, name, frame)
    write_definition(p, node, node.body, name, call, concise)


@stmt_rule(S.Allocate)
def _allocate(p: Printer, node: S.Allocate) -> None:
    declaration_stmt = _declaration_of(node)
    if declaration_stmt is not None and not (p.notes is not None and p.notes.has_any(declaration_stmt)):
        _write_declaration(p, declaration_stmt, defines_data=True)
        return
    concise = p.is_concise(node)
    scope = node.buffer_var.storage_scope
    arguments = [f"[{p.exprs(node.extents)}]", f'"{node.dtype}"', string(scope)]
    if not is_true(node.condition):
        arguments.append(p.expr(node.condition))
    if node.annotations:
        arguments.append(f"annotations={dictionary(p, node.annotations)}")
    p.open_scope(node, deeper=not concise)
    name = p.bind(node.buffer_var, node.buffer_var.name or "v")
    write_definition(p, node, node.body, name, f"{p.tir}allocate({', '.join(arguments)})", concise)


def _declaration_of(node: S.Allocate) -> S.DeclBuffer | None:
    """Return the declaration below an allocation if T.decl_buffer without data means both, else None."""
    body = node.body
    if not isinstance(body, S.DeclBuffer) or body.buffer.data is not node.buffer_var:
        return None
    buffer = body.buffer
    is_whole = (
        node.dtype is buffer.dtype
        and is_true(node.condition)
        and not node.annotations
        and has_usual_data(buffer)
        and len(node.extents) == len(buffer.shape)
        and all(expr_deep_equal(a, b) for a, b in zip(node.extents, buffer.shape, strict=True))
    )
    return body if is_whole else None


@stmt_rule(S.AllocateConst)
def _allocate_const(p: Printer, node: S.AllocateConst) -> None:
    concise = p.is_concise(node)
    shape = tuple([item.value for item in node.extents if isinstance(item, IntImm)])
    is_constant = len(shape) == len(node.extents)
    arguments = [
        constant_data(p, node.data, node.dtype, shape if is_constant else None),
        f'"{node.dtype}"',
        f"[{p.exprs(node.extents)}]",
    ]
    if node.annotations:
        arguments.append(f"annotations={dictionary(p, node.annotations)}")
    p.open_scope(node, deeper=not concise)
    name = p.define(node.buffer_var, node.buffer_var.name or "v")
    write_definition(p, node, node.body, name, f"{p.tir}allocate_const({', '.join(arguments)})", concise)


@stmt_rule(S.AttrStmt)
def attr(p: Printer, node: S.AttrStmt) -> None:
    concise = p.is_concise(node)
    axis = node.node
    if isinstance(axis, IterVar) and _is_launch(p, node, axis):
        _launch(p, node, axis, concise)
        return
    body, scope = node.body, node.value
    is_scope = node.attr_key == "realize_scope"
    if is_scope and isinstance(scope, StringImm) and isinstance(body, BufferRealize) and body.buffer is axis:
        realize(p, body, scope)
        return
    arguments = [value(p, axis), string(p.spelling.key(node.attr_key)), p.expr(node.value)]
    write_scoped(p, node, node.body, f"{p.tir}attr({', '.join(arguments)})", concise)


@stmt_rule(BufferRealize)
def realize(p: Printer, node: BufferRealize, scope: StringImm | None = None) -> None:
    """Write `T.realize(A[0:4], "shared")`: a BufferRealize, and the scope of the attribute around it."""
    arguments = [all_slices(p, node.buffer, node.bounds)]
    if scope is not None:
        arguments.append(string(scope.value))
    if not is_true(node.condition):
        arguments.append(f"condition={p.expr(node.condition)}")
    write_scoped(p, node, node.body, f"{p.tir}realize({', '.join(arguments)})", p.is_concise(node))


def _is_launch(p: Printer, node: S.AttrStmt, axis: IterVar) -> bool:
    """Whether `T.launch_thread` can express it: all launches of the variable have one device axis and extent."""
    if node.attr_key != S.launch_key(axis.thread_tag):
        return False
    tag, previous = p.launched.setdefault(axis.var, (axis.thread_tag, node.value))
    extent = node.value
    is_same = not isinstance(previous, IntImm) or not isinstance(extent, IntImm) or previous.value == extent.value
    return tag == axis.thread_tag and is_same


def _launch(p: Printer, node: S.AttrStmt, axis: IterVar, concise: bool) -> None:
    """Write `T.launch_thread("threadIdx.x", 16) as tx`, or with a thread variable that several launches share."""
    extent = p.expr(node.value)
    shared = p.names.get(axis.var)
    if shared is None and not _holds_all_uses(p, node, axis.var):
        frame = p.scope_of(axis.var)
        shared = p.define(axis.var, axis.var.name or "v", frame)
        p.insert(frame, f"{shared} = {p.tir}env_thread({string(axis.thread_tag)})")
    if shared is not None:
        write_scoped(p, node, node.body, f"{p.tir}launch_thread({shared}, {extent})", concise)
        return
    p.open_scope(node, deeper=not concise)
    name = p.define(axis.var, axis.var.name or "v")
    call = f"{p.tir}launch_thread({string(axis.thread_tag)}, {extent})"
    write_definition(p, node, node.body, name, call, concise)


def _holds_all_uses(p: Printer, node: S.AttrStmt, var: Var) -> bool:
    scope = p.common_scope(var)
    while scope is not None and scope.node is not node:
        scope = scope.outer
    return scope is not None
