"""Statements: sequences, branches, loops, assertions."""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.allocation import emit_workspace, is_workspace
from tvmscript.backends.llvm.codegen.codegen import Codegen, rule
from tvmscript.backends.llvm.codegen.loops import emit_bound, emit_loop, loop_type, no_wrap_flag
from tvmscript.backends.llvm.codegen.memory import emit_streaming_stores
from tvmscript.backends.llvm.codegen.parallel import emit_parallel_loop
from tvmscript.backends.llvm.codegen.streaming_stores import STREAMING
from tvmscript.backends.llvm.codegen.unrolled_loops import emit_iterations, fold_condition
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.runtime.errors import KernelAssertion
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.tir import Expr, stmt
from tvmscript.ir.tir import expr as tir


@rule(stmt.SeqStmt)
def emit_seq(cg: Codegen, node: stmt.SeqStmt) -> None:
    for part in node.seq:
        cg.statement(part)


@rule(stmt.Evaluate)
def emit_evaluate(cg: Codegen, node: stmt.Evaluate) -> None:
    if not isinstance(node.value, tir.IntImm):
        cg.expr(node.value)


@rule(stmt.LetStmt)
def emit_let_stmt(cg: Codegen, node: stmt.LetStmt) -> None:
    if isinstance(node.value, tir.Call) and is_workspace(node.value):
        emit_workspace(cg, node.var, node.value, node.body)
        return
    cg.bind(node.var, node.value)
    cg.statement(node.body)


@rule(stmt.AttrStmt)
def emit_attr(cg: Codegen, node: stmt.AttrStmt) -> None:
    if node.attr_key in ("thread_extent", "virtual_thread"):
        raise NotSupportedByLLVM(what=f"the attribute {node.attr_key}: a CPU has no such threads", span=node.span)
    if node.attr_key == STREAMING:
        emit_streaming_stores(cg, node.body)
    elif node.attr_key == "compute_scope":
        cg.emit_compute_scope(node)
    else:
        cg.statement(node.body)


@rule(stmt.DeclBuffer)
def emit_decl_buffer(cg: Codegen, node: stmt.DeclBuffer) -> None:
    cg.statement(node.body)


@rule(stmt.IfThenElse)
def emit_if(cg: Codegen, node: stmt.IfThenElse) -> None:
    condition = fold_condition(cg, node.condition)
    if isinstance(condition, tir.IntImm):
        if condition.value:
            cg.statement(node.then_case)
        elif node.else_case is not None:
            cg.statement(node.else_case)
        return
    then, done = cg.text.label("then"), cg.text.label("endif")
    other = cg.text.label("else") if node.else_case is not None else done
    branch = cg.text.branch_likely if _is_likely(node.condition) else cg.text.branch
    branch(cg.expr(node.condition), then, other)
    values_before = cg.text.known
    cg.text.place(then, values_before)
    cg.statement(node.then_case)
    cg.text.jump(done)
    if node.else_case is not None:
        cg.text.place(other, values_before)
        cg.statement(node.else_case)
        cg.text.jump(done)
    cg.text.place(done, values_before)


@rule(stmt.While)
def emit_while(cg: Codegen, node: stmt.While) -> None:
    cg.program.has_scalar_loops = True
    test, body, done = cg.text.label("while"), cg.text.label("body"), cg.text.label("endwhile")
    cg.text.jump(test)
    cg.text.place(test)
    cg.text.branch(cg.expr(node.condition), body, done)
    cg.text.place(body)
    cg.statement(node.body)
    cg.text.jump(test)
    cg.text.place(done)


@rule(stmt.For)
def emit_for(cg: Codegen, node: stmt.For) -> None:
    if node.kind is stmt.ForKind.THREAD_BINDING:
        raise NotSupportedByLLVM(what="a loop that is bound to threads of a device", span=node.span)
    if node.kind is stmt.ForKind.PARALLEL and emit_parallel_loop(cg, node):
        return
    cg.ranges.bind(node.loop_var, tir.Range.from_min_extent(node.min, node.extent))
    if node.kind is stmt.ForKind.UNROLLED and emit_iterations(cg, node):
        return
    if isinstance(node.extent, tir.IntImm) and node.extent.value <= 1:
        if node.extent.value == 1:
            cg.bind(node.loop_var, node.min)
            cg.statement(node.body)
        return
    first, extent = emit_bound(cg, node, node.min), emit_bound(cg, node, node.extent)
    if not is_const(node.min, 0):
        extent = cg.text.value(f"add {no_wrap_flag(node)} {loop_type(node)} {first}, {extent}")
    emit_loop(cg, node, first, extent, isinstance(node.extent, tir.IntImm))


@rule(stmt.AssertStmt)
def emit_assert(cg: Codegen, node: stmt.AssertStmt) -> None:
    if not isinstance(node.message, tir.StringImm):
        raise NotSupportedByLLVM(what="an assertion whose message is no constant", span=node.span)
    good, bad = cg.text.label("holds"), cg.text.label("fails")
    cg.text.branch_likely(cg.expr(node.condition), good, bad)
    cg.text.place(bad)
    cg.fail(KernelAssertion, text=node.message.value)
    cg.text.place(good)
    cg.statement(node.body)


def _is_likely(expr: Expr) -> bool:
    return isinstance(expr, tir.Call) and getattr(expr.op, "name", "") == "tir.likely"
