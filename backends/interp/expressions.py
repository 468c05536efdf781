"""Expressions as closures: specialized code for common scalar cases, `scalars` for all others."""

from __future__ import annotations

from typing import Any

from tvmscript.backends.interp.compiler import Code, Compiler, Frame, rule
from tvmscript.backends.interp.scalars import binary, caster, exact, finisher, rounder, wrapper
from tvmscript.backends.runtime.errors import DivisionByZero, UndefinedVariable
from tvmscript.ir.core import BOOL, FLOAT32
from tvmscript.ir.tir import Expr, SizeVar, Var
from tvmscript.ir.tir import expr as tir


@rule(Var, SizeVar)
def variable(compiler: Compiler, node: Var) -> Code:
    constant = compiler.constant(node)
    if constant is not None:
        return lambda frame: constant
    if compiler.is_free(node):
        raise UndefinedVariable(name=node.name, span=node.span)
    slot = compiler.slot(node)
    return lambda frame: frame[slot]


@rule(tir.IntImm)
def integer(compiler: Compiler, node: tir.IntImm) -> Code:
    value = bool(node.value) if node.dtype is BOOL else node.value
    return lambda frame: value


@rule(tir.FloatImm)
def floating(compiler: Compiler, node: tir.FloatImm) -> Code:
    round_ = rounder(node.dtype)
    value = node.value if round_ is None else round_(node.value)
    return lambda frame: value


@rule(tir.StringImm)
def string(compiler: Compiler, node: tir.StringImm) -> Code:
    value = node.value
    return lambda frame: value


@rule(tir.Add, tir.Sub, tir.Mul)
def arithmetic(compiler: Compiler, node: tir.BinaryOp) -> Code:
    dtype = node.dtype
    if dtype.lanes == 1:
        if dtype is FLOAT32:
            return _rounded_to_single(raw(compiler, node))
        if dtype.is_integer:
            return _integer_arithmetic(compiler, node)
    return _general(compiler, node)


def raw(compiler: Compiler, node: Expr) -> Code:
    """Return code for the value in double precision, not yet rounded to the dtype, for users that round it."""
    if type(node) not in (tir.Add, tir.Sub, tir.Mul) or node.dtype is not FLOAT32 or not isinstance(node, tir.BinaryOp):
        return compiler.code(node)
    a, b = compiler.code(node.a), compiler.code(node.b)
    if isinstance(node, tir.Add):
        return lambda frame: a(frame) + b(frame)
    if isinstance(node, tir.Sub):
        return lambda frame: a(frame) - b(frame)
    return lambda frame: a(frame) * b(frame)


def _rounded_to_single(value: Code) -> Code:
    def rounded(frame: Frame) -> float:
        cell = frame[0]
        cell[0] = value(frame)
        result: float = cell[0]
        return result

    return rounded


def _integer_arithmetic(compiler: Compiler, node: tir.BinaryOp) -> Code:
    dtype = node.dtype
    low, high, wrap = dtype.min_value, dtype.max_value, wrapper(dtype)
    a, b = compiler.code(node.a), compiler.code(node.b)
    right_constant = compiler.constant(node.b)

    def add(frame: Frame) -> int:
        value: int = a(frame) + b(frame)
        return value if low <= value <= high else wrap(value)

    def add_constant(frame: Frame) -> int:
        value: int = a(frame) + right_constant
        return value if low <= value <= high else wrap(value)

    def subtract(frame: Frame) -> int:
        value: int = a(frame) - b(frame)
        return value if low <= value <= high else wrap(value)

    def multiply(frame: Frame) -> int:
        value: int = a(frame) * b(frame)
        return value if low <= value <= high else wrap(value)

    def multiply_by_constant(frame: Frame) -> int:
        value: int = a(frame) * right_constant
        return value if low <= value <= high else wrap(value)

    if isinstance(node, tir.Add):
        return add if right_constant is None else add_constant
    if isinstance(node, tir.Sub):
        return subtract
    return multiply if right_constant is None else multiply_by_constant


@rule(tir.Min, tir.Max)
def _general(compiler: Compiler, node: tir.BinaryOp) -> Code:
    """Apply an operator that cannot fail to scalars or lane by lane."""
    element = node.a.dtype.element
    operate = binary(type(node), element)
    a, b = compiler.code(node.a), compiler.code(node.b)
    if node.dtype.lanes != 1:
        return lambda frame: tuple(map(operate, a(frame), b(frame)))
    return lambda frame: operate(a(frame), b(frame))


#: How the script writes the divisions.
_SPELLING: dict[type[Expr], str] = {tir.Div: "T.truncdiv", tir.Mod: "T.truncmod", tir.FloorDiv: "//", tir.FloorMod: "%"}


@rule(tir.Div, tir.Mod, tir.FloorDiv, tir.FloorMod)
def division(compiler: Compiler, node: tir.BinaryOp) -> Code:
    if node.dtype.is_floating:
        return _general(compiler, node)
    if node.dtype.lanes == 1 and (divisor := compiler.constant(node.b)) and divisor > 0:
        return _division_by_constant(compiler, node, divisor)
    inner, span, name = _general(compiler, node), node.span, _SPELLING[type(node)]

    def divide(frame: Frame) -> Any:
        try:
            return inner(frame)
        except ZeroDivisionError:
            raise DivisionByZero(operator=name, span=span) from None

    return divide


def _division_by_constant(compiler: Compiler, node: tir.BinaryOp, divisor: int) -> Code:
    """Divide by a positive constant, which cannot fail or overflow."""
    a = compiler.code(node.a)
    if isinstance(node, tir.FloorDiv):
        return lambda frame: a(frame) // divisor
    if isinstance(node, tir.FloorMod):
        return lambda frame: a(frame) % divisor
    operate = exact(type(node), node.dtype)
    return lambda frame: operate(a(frame), divisor)


@rule(tir.EQ, tir.NE, tir.LT, tir.LE, tir.GT, tir.GE)
def comparison(compiler: Compiler, node: tir.BinaryOp) -> Code:
    if node.dtype.lanes != 1:
        return _general(compiler, node)
    a, b = compiler.code(node.a), compiler.code(node.b)
    table: dict[type[Expr], Code] = {
        tir.EQ: lambda frame: a(frame) == b(frame),
        tir.NE: lambda frame: a(frame) != b(frame),
        tir.LT: lambda frame: a(frame) < b(frame),
        tir.LE: lambda frame: a(frame) <= b(frame),
        tir.GT: lambda frame: a(frame) > b(frame),
        tir.GE: lambda frame: a(frame) >= b(frame),
    }
    return table[type(node)]


@rule(tir.And)
def conjunction(compiler: Compiler, node: tir.And) -> Code:
    a, b = compiler.code(node.a), compiler.code(node.b)
    if node.dtype.lanes != 1:
        return lambda frame: tuple(x and y for x, y in zip(a(frame), b(frame), strict=True))
    return lambda frame: a(frame) and b(frame)


@rule(tir.Or)
def disjunction(compiler: Compiler, node: tir.Or) -> Code:
    a, b = compiler.code(node.a), compiler.code(node.b)
    if node.dtype.lanes != 1:
        return lambda frame: tuple(x or y for x, y in zip(a(frame), b(frame), strict=True))
    return lambda frame: a(frame) or b(frame)


@rule(tir.Not)
def negation(compiler: Compiler, node: tir.Not) -> Code:
    a = compiler.code(node.a)
    if node.dtype.lanes != 1:
        return lambda frame: tuple(not x for x in a(frame))
    return lambda frame: not a(frame)


@rule(tir.Cast)
def conversion(compiler: Compiler, node: tir.Cast) -> Code:
    value = compiler.code(node.value)
    convert = caster(node.value.dtype.element, node.dtype.element)
    if node.dtype.lanes != 1:
        return lambda frame: tuple(map(convert, value(frame)))
    return lambda frame: convert(value(frame))


@rule(tir.Select)
def selection(compiler: Compiler, node: tir.Select) -> Code:
    """Evaluate both values, whatever the condition."""
    condition = compiler.code(node.condition)
    chosen, other = compiler.code(node.true_value), compiler.code(node.false_value)

    def select(frame: Frame) -> Any:
        a, b = chosen(frame), other(frame)
        return a if condition(frame) else b

    def select_lanes(frame: Frame) -> Any:
        a, b = chosen(frame), other(frame)
        return tuple(x if c else y for c, x, y in zip(condition(frame), a, b, strict=True))

    return select if node.condition.dtype.lanes == 1 else select_lanes


@rule(tir.Let)
def binding(compiler: Compiler, node: tir.Let) -> Code:
    value = compiler.code(node.value)
    slot = compiler.define(node.var)
    body = compiler.code(node.body)

    def let(frame: Frame) -> Any:
        frame[slot] = value(frame)
        return body(frame)

    return let


@rule(tir.Ramp)
def ramp(compiler: Compiler, node: tir.Ramp) -> Code:
    base, stride, steps = compiler.code(node.base), compiler.code(node.stride), range(node.lanes)
    wrap = finisher(node.base.dtype)

    def vector(frame: Frame) -> tuple[Any, ...]:
        start, step = base(frame), stride(frame)
        lanes = [start + step * k for k in steps]
        return tuple(lanes) if wrap is None else tuple(map(wrap, lanes))

    return vector


@rule(tir.Broadcast)
def broadcast(compiler: Compiler, node: tir.Broadcast) -> Code:
    value, lanes = compiler.code(node.value), node.lanes
    return lambda frame: (value(frame),) * lanes


@rule(tir.Shuffle)
def shuffle(compiler: Compiler, node: tir.Shuffle) -> Code:
    vectors = [(compiler.code(vector), vector.dtype.lanes) for vector in node.vectors]
    indices = [compiler.code(index) for index in node.indices]

    def pick(frame: Frame) -> Any:
        lanes: list[Any] = []
        for vector, count in vectors:
            if count == 1:
                lanes.append(vector(frame))
            else:
                lanes += vector(frame)
        picked = tuple(lanes[index(frame)] for index in indices)
        return picked if len(picked) != 1 else picked[0]

    return pick
