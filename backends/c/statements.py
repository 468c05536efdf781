"""Statements: loops, branches, stores, memory, assertions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from tvmscript.backends.c.codegen import Codegen, rule
from tvmscript.backends.c.expressions import element, write_binding, write_index
from tvmscript.backends.c.types import SUM, Value, declare, float_literal, integer_literal, string_literal
from tvmscript.ir.analysis.access.scalarize import lane
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import INT32, DType, nodes
from tvmscript.ir.tir import Expr, PrimFunc, stmt
from tvmscript.ir.tir import expr as tir

#: bytes of an array of constant size in a function, and of all of them; larger ones are allocated
_ARRAY_BYTES: Final = 8 * 1024
_FRAME_BYTES: Final = 64 * 1024
#: elements of constant data in a line
_IN_LINE: Final = 8


@rule(stmt.SeqStmt)
def write_seq(cg: Codegen, node: stmt.SeqStmt) -> None:
    for part in node.seq[:-1]:
        if isinstance(part, (stmt.LetStmt, stmt.Allocate, stmt.AllocateConst)):
            with cg.block():
                cg.statement(part)
        else:
            cg.statement(part)
    cg.statement(node.seq[-1])


@rule(stmt.Evaluate)
def write_evaluate(cg: Codegen, node: stmt.Evaluate) -> None:
    text = cg.expr(node.value).text
    # what has no effect is not written: constants, variables that hold what a call returned
    if "(" in text:
        cg.line(f"{text};")


@rule(stmt.LetStmt)
def write_let(cg: Codegen, node: stmt.LetStmt) -> None:
    write_binding(cg, node.var, node.value)
    cg.statement(node.body)


@rule(stmt.AttrStmt)
def write_attr(cg: Codegen, node: stmt.AttrStmt) -> None:
    if node.attr_key in stmt.LAUNCHES:
        raise cg.refusal(f"the attribute {node.attr_key}: a CPU has no such threads", node.span)
    cg.statement(node.body)


@rule(stmt.DeclBuffer)
def write_decl_buffer(cg: Codegen, node: stmt.DeclBuffer) -> None:
    cg.statement(node.body)


@rule(stmt.IfThenElse)
def write_if(cg: Codegen, node: stmt.IfThenElse) -> None:
    condition = cg.expr(node.condition).text
    with cg.block(f"if ({condition})", "}" if node.else_case is None else "} else {"):
        cg.statement(node.then_case)
    if node.else_case is not None:
        with cg.block(None):
            cg.statement(node.else_case)


@rule(stmt.While)
def write_while(cg: Codegen, node: stmt.While) -> None:
    condition, lines = cg.capture(node.condition)
    with cg.block("while (true)" if lines else f"while ({condition.text})"):
        if lines:
            cg.lines += lines
            cg.line(f"if (!({condition.text})) {{ break; }}")
        cg.statement(node.body)


@rule(stmt.For)
def write_for(cg: Codegen, node: stmt.For) -> None:
    if node.kind is stmt.ForKind.THREAD_BINDING:
        raise cg.refusal("a loop that is bound to threads of a device", node.span)
    kind = cg.type_name(node.loop_var.dtype, node.span)
    cg.ranges.bind(node.loop_var, tir.Range.from_min_extent(node.min, node.extent))
    first = cg.expr(node.min)
    end = write_index(cg, node.extent if is_const(node.min, 0) else tir.Add(node.min, node.extent))
    if isinstance(node.min, tir.IntImm) and isinstance(node.extent, tir.IntImm):
        end = integer_literal(node.loop_var.dtype, node.min.value + node.extent.value)
    if any(isinstance(part, (tir.BufferLoad, tir.Call)) for part in nodes(node.extent)):
        name = cg.names.fresh(f"{node.loop_var.name}_end")
        cg.line(f"const {declare(end.dtype, name)} = {end.text};")
        end = Value(name, end.level, end.dtype)
    outer, cg.names = cg.names, type(cg.names)(cg.names)
    name = cg.define(node.loop_var)
    with cg.block(f"for ({kind} {name} = {first.text}; {name} < {end.inside(SUM)}; ++{name})"):
        cg.statement(node.body)
    cg.names = outer


@rule(stmt.AssertStmt)
def write_assert(cg: Codegen, node: stmt.AssertStmt) -> None:
    if not isinstance(node.message, tir.StringImm):
        raise cg.refusal("an assertion whose message is no constant", node.span)
    with cg.block(f"if (!({cg.expr(node.condition).text}))"):
        cg.leave(string_literal(node.message.value))
    cg.statement(node.body)


# -- stores


@rule(stmt.BufferStore)
def write_store(cg: Codegen, node: stmt.BufferStore) -> None:
    if node.value.dtype.is_vector:
        _write_vector_store(cg, node)
        return
    if node.predicate is not None:
        raise cg.refusal("a store with a predicate", node.span)
    value = cg.expr(node.value)
    cg.line(f"{element(cg, node.buffer, node.indices)} = {value.text};")


def _write_vector_store(cg: Codegen, node: stmt.BufferStore) -> None:
    """Write a store of a vector as a loop over its lanes; all of them are read before the first is written."""
    dtype = node.value.dtype
    if dtype.is_scalable or node.buffer.dtype.is_vector:
        cg.type_name(dtype, node.span)  # refuses it
    number = tir.Var("lane", INT32)
    value, last = lane(node.value, number), _lane(cg, node.indices[-1], number)
    guard = None if node.predicate is None else _lane(cg, node.predicate, number)
    cg.ranges.bind(number, tir.Range.from_extent(tir.IntImm(INT32, dtype.lanes)))
    with cg.block():
        values = cg.names.fresh("values")
        cg.line(f"{cg.declare(dtype.element, values, node.span)}[{dtype.lanes}];")
        if value is None:
            for place in range(dtype.lanes):
                cg.line(f"{values}[{place}] = {cg.expr(_lane(cg, node.value, tir.IntImm(INT32, place))).text};")
        else:
            for _ in _lanes(cg, number, dtype.lanes):
                cg.line(f"{values}[{cg.lookup(number)}] = {cg.expr(value).text};")
        for name in _lanes(cg, number, dtype.lanes):
            target = element(cg, node.buffer, (*node.indices[:-1], last))
            if guard is None:
                cg.line(f"{target} = {values}[{name}];")
                continue
            with cg.block(f"if ({cg.expr(guard).text})"):
                cg.line(f"{target} = {values}[{name}];")


def _lane(cg: Codegen, vector: Expr, number: Expr) -> Expr:
    """Return a lane of a vector. Raises `NotSupportedByC` for one that has no scalar form."""
    scalar = lane(vector, number)
    if scalar is None:
        raise cg.refusal(f"a vector of {vector.dtype} that is no access lane by lane", vector.span)
    return scalar


def _lanes(cg: Codegen, number: tir.Var, count: int) -> Iterator[str]:
    """Write a loop over lanes; its body is written between two steps."""
    outer, cg.names = cg.names, type(cg.names)(cg.names)
    name = cg.define(number)
    with cg.block(f"for (int32_t {name} = 0; {name} < {count}; ++{name})"):
        yield name
    cg.names = outer


# -- memory


@rule(stmt.Allocate)
def write_allocate(cg: Codegen, node: stmt.Allocate) -> None:
    name = cg.define(node.buffer_var)
    element_type = node.dtype.element
    cg.pointees[node.buffer_var] = element_type
    count = constant_count(node)
    size = None if count is None else count * element_type.itemsize
    kind = cg.type_name(element_type, node.span)
    if size is not None and size <= _ARRAY_BYTES and cg.stack_bytes + size <= _FRAME_BYTES:
        cg.stack_bytes += size
        cg.line(f"{kind} {name}[{max(count or 0, 1)}];")
        cg.statement(node.body)
        return
    allocate = cg.program.helper("allocate", INT32)
    cg.program.headers.add("stdlib.h")
    elements = str(count) if count is not None else write_index(cg, _count(node)).text
    cg.line(f"{kind} *{name} = {allocate}({elements}, sizeof({kind}));")
    message = f"out of memory for the buffer {node.buffer_var.name}"
    cg.program.out_of_memory[message] = node.buffer_var.name
    with cg.block(f"if ({name} == NULL)"):
        cg.leave(string_literal(message))
    cg.owned.append(name)
    cg.statement(node.body)
    cg.owned.pop()
    cg.line(f"free({name});")


def may_allocate(func: PrimFunc) -> bool:
    """Return whether a function may allocate memory, which can fail."""
    total = 0
    for node in nodes(func.body):
        if isinstance(node, stmt.Allocate):
            count = constant_count(node)
            if count is None or count * node.dtype.itemsize > _ARRAY_BYTES:
                return True
            total += count * node.dtype.itemsize
    return total > _FRAME_BYTES


def _count(node: stmt.Allocate) -> Expr:
    count: Expr = tir.IntImm(node.extents[0].dtype, node.dtype.lanes)
    for extent in node.extents:
        count = extent if is_const(count, 1) else tir.Mul(count, extent)
    return count


def constant_count(node: stmt.Allocate) -> int | None:
    count = node.dtype.lanes
    for extent in node.extents:
        if not isinstance(extent, tir.IntImm):
            return None
        count *= extent.value
    return count


@rule(stmt.AllocateConst)
def write_allocate_const(cg: Codegen, node: stmt.AllocateConst) -> None:
    name = cg.define(node.buffer_var)
    cg.pointees[node.buffer_var] = node.dtype
    values = [_literal(node.dtype, value) for value in np.ravel(node.data).tolist()]
    with cg.block(f"static const {cg.declare(node.dtype, name, node.span)}[{max(len(values), 1)}] =", "};"):
        for start in range(0, max(len(values), 1), _IN_LINE):
            cg.line(f"{', '.join(values[start : start + _IN_LINE]) or '0'},")
    cg.statement(node.body)


def _literal(dtype: DType, value: Any) -> str:
    return (float_literal(dtype, value) if dtype.is_floating else integer_literal(dtype, int(value))).text
