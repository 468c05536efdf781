"""Constants, variables, casts, logic, selects and lets."""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.arithmetic import select
from tvmscript.backends.llvm.codegen.codegen import Codegen, rule
from tvmscript.backends.llvm.codegen.comparisons import emit_first_lanes
from tvmscript.backends.llvm.codegen.unrolled_loops import fold_condition
from tvmscript.backends.llvm.types import element_bytes, float_constant, integer_constant, is_encoded, value_type
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import FLOAT64, DType, nodes
from tvmscript.ir.tir import Expr, uses
from tvmscript.ir.tir import expr as tir


def evaluates_safely(expr: Expr) -> bool:
    """Return whether a value can be evaluated speculatively: it contains no load and no call with an effect."""
    return not any(isinstance(part, tir.BufferLoad) or _has_effect(part) for part in nodes(expr))


def reads_safely(cg: Codegen, expr: Expr) -> bool:
    """Return whether a value can be evaluated speculatively: all of its loads are of memory that may be read."""
    return not any(
        _has_effect(part) or (isinstance(part, tir.BufferLoad) and not _is_inside(cg, part)) for part in nodes(expr)
    )


def _is_inside(cg: Codegen, load: tir.BufferLoad) -> bool:
    """Return whether an element lies in memory that may be read, in all iterations.

    An element of memory that the function allocates has to be the same one in the innermost loop, where a register
    holds it. Another one is an accumulator of its own: a branch that is predicted does not wait for it.
    """
    buffer = load.buffer
    is_flat = len(load.indices) == 1 and not buffer.strides and is_const(buffer.elem_offset, 0)
    if not is_flat or load.dtype.is_vector:
        return False
    (index,) = load.indices
    size = cg.readable.get(buffer.data, 0)
    if not size and cg.accesses.innermost not in uses(index):
        size = cg.allocated.get(buffer.data, 0)
    least, most = cg.ranges.range_of(index)
    return least >= 0 and (most + 1) * element_bytes(buffer.dtype) <= size


def _has_effect(part: object) -> bool:
    return isinstance(part, tir.Call) and not _is_bitwise(part)


def _is_bitwise(call: tir.Call) -> bool:
    name = getattr(call.op, "name", "")
    return name.startswith(("tir.bitwise_", "tir.shift_", "tir.likely", "tir.isnan", "tir.reinterpret"))


@rule(tir.IntImm)
def emit_int_imm(cg: Codegen, node: tir.IntImm) -> str:
    return integer_constant(node.dtype, node.value)


@rule(tir.FloatImm)
def emit_float_imm(cg: Codegen, node: tir.FloatImm) -> str:
    return float_literal(cg, node.dtype, node.value)


def float_literal(cg: Codegen, dtype: DType, value: float) -> str:
    """Return a constant of any floating-point dtype."""
    if is_encoded(dtype):
        wide = FLOAT64.with_lanes(dtype.lanes)
        return cg.convert.cast(float_constant(wide, value), wide, dtype)
    return float_constant(dtype, value)


@rule(tir.StringImm)
def emit_string_imm(cg: Codegen, node: tir.StringImm) -> str:
    return cg.program.text.string(node.value)


@rule(tir.Var, tir.SizeVar)
def emit_var(cg: Codegen, node: tir.Var) -> str:
    return cg.lookup(node)


@rule(tir.Cast)
def emit_cast(cg: Codegen, node: tir.Cast) -> str:
    return cg.convert.cast(cg.expr(node.value), node.value.dtype, node.dtype)


@rule(tir.And)
def emit_and(cg: Codegen, node: tir.And) -> str:
    first_lanes = emit_first_lanes(cg, node) if node.dtype.is_vector else None
    return first_lanes or _emit_logical(cg, node, "and", "false")


@rule(tir.Or)
def emit_or(cg: Codegen, node: tir.Or) -> str:
    return _emit_logical(cg, node, "or", "true")


def _emit_logical(cg: Codegen, node: tir.LogicalOp, op: str, decided: str) -> str:
    """Evaluate b only where a does not decide, unless it can be evaluated speculatively."""
    kind = value_type(node.dtype)
    a = cg.expr(node.a)
    if node.dtype.is_vector or reads_safely(cg, node.b):
        return cg.text.value(f"{op} {kind} {a}, {cg.expr(node.b)}")
    start = cg.text.block
    more, done = cg.text.label("more"), cg.text.label("decided")
    yes, no = (more, done) if op == "and" else (done, more)
    cg.text.branch(a, yes, no)
    cg.text.place(more)
    b = cg.expr(node.b)
    end = cg.text.block
    cg.text.jump(done)
    cg.text.place(done)
    return cg.text.value(f"phi i1 [ {decided}, %{start} ], [ {b}, %{end} ]")


@rule(tir.Not)
def emit_not(cg: Codegen, node: tir.Not) -> str:
    true = integer_constant(node.dtype, 1)
    return cg.text.value(f"xor {value_type(node.dtype)} {cg.expr(node.a)}, {true}")


@rule(tir.Select)
def emit_select(cg: Codegen, node: tir.Select) -> str:
    flag = cg.expr(node.condition)
    a, b = cg.expr(node.true_value), cg.expr(node.false_value)
    return select(cg, flag, a, b, node.dtype, node.condition.dtype.lanes)


def emit_choice(cg: Codegen, condition: Expr, yes: Expr, no: Expr) -> str:
    """Write the value of one of two expressions; only that one is evaluated."""
    condition = fold_condition(cg, condition)
    if isinstance(condition, tir.IntImm):
        return cg.expr(yes if condition.value else no)
    if evaluates_safely(yes) and evaluates_safely(no):
        flag = cg.expr(condition)
        return select(cg, flag, cg.expr(yes), cg.expr(no), yes.dtype, condition.dtype.lanes)
    flag = cg.expr(condition)
    first, second, done = cg.text.label("then"), cg.text.label("else"), cg.text.label("chosen")
    cg.text.branch(flag, first, second)
    arrived: list[str] = []
    for label, value in ((first, yes), (second, no)):
        cg.text.place(label)
        operand = cg.expr(value)
        arrived.append(f"[ {operand}, %{cg.text.block} ]")
        cg.text.jump(done)
    cg.text.place(done)
    return cg.text.value(f"phi {value_type(yes.dtype)} {', '.join(arrived)}")


@rule(tir.Let)
def emit_let(cg: Codegen, node: tir.Let) -> str:
    cg.bind(node.var, node.value)
    return cg.expr(node.body)
