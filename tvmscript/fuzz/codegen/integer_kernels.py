"""Kernels that evaluate random integer expressions."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tvmscript.ir.core import BOOL, DType
from tvmscript.ir.tir import Buffer, BufferStore, Expr, For, ForKind, LetStmt, PrimFunc, Stmt, Var, make_buffer, seq
from tvmscript.ir.tir.expr import Add, Call, Cast, Div, FloorDiv, FloorMod, IntImm, Let, Max, Min, Mod, Mul, Select, Sub
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.testing.defined import Defined
from tvmscript.testing.strategies.expressions import BIT_OPS, COMPARISONS, INTEGER_OPS, INTEGERS, constants

#: Values of each variable; an expression is evaluated in every row.
ROWS = 24


@st.composite
def integer_exprs(draw: st.DrawFn, dtype: DType, variables: list[Var], depth: int) -> Expr:
    """Draw integer and bool expressions of every operator that Python integers can evaluate."""
    leaves = [v for v in variables if v.dtype is dtype]
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        wants_variable: bool = draw(st.booleans())
        return draw(st.sampled_from(leaves)) if leaves and wants_variable else draw(constants(dtype))

    def sub(of: DType = dtype) -> Expr:
        return draw(integer_exprs(of, variables, depth - 1))

    kind = draw(st.sampled_from(["binary", "binary", "bits", "shift", "cast", "if", "let", "not"]))
    if dtype is BOOL and kind in ("binary", "bits", "shift", "not"):
        of = draw(st.sampled_from(INTEGERS))
        return draw(st.sampled_from(COMPARISONS))(sub(of), sub(of))
    if kind == "cast":
        return Cast(dtype, sub(draw(st.sampled_from([*INTEGERS, BOOL]))))
    if kind == "if":
        name = draw(st.sampled_from(["tir.if_then_else"]))
        return Call(dtype, Intrinsic.get(name), (sub(BOOL), sub(), sub()))
    if kind == "let":
        var = Var("x", draw(st.sampled_from(INTEGERS)))
        return Let(var, sub(var.dtype), draw(integer_exprs(dtype, [*variables, var], depth - 1)))
    if kind == "bits":
        return Call(dtype, Intrinsic.get(draw(st.sampled_from(BIT_OPS))), (sub(), sub()))
    if kind == "shift":
        name = draw(st.sampled_from(["tir.shift_left", "tir.shift_right"]))
        return Call(dtype, Intrinsic.get(name), (sub(), sub()))
    if kind == "not":
        return Call(dtype, Intrinsic.get("tir.bitwise_not"), (sub(),))
    return draw(st.sampled_from(INTEGER_OPS))(sub(), sub())


def _limited(draw: st.DrawFn, dtype: DType, variables: list[Var], depth: int) -> Expr:
    """Draw a value with a known property: non-negative, a digit, within a range around zero."""
    leaf = draw(st.sampled_from([v for v in variables if v.dtype is dtype]))
    low, high = sorted(draw(_NEAR_ZERO) for _ in range(2))
    if not dtype.is_signed:
        low, high = abs(low), max(abs(high), abs(low))

    def number(value: int) -> Expr:
        return IntImm(dtype, min(max(value, dtype.min_value), dtype.max_value))

    def sub() -> Expr:
        return _limited(draw, dtype, variables, depth - 1) if depth else leaf

    kind = draw(
        st.sampled_from(
            ["clamp", "clamp", "above", "below", "digit", "digit", "rest", "choice", "sum", "sum", "bits", "cast"]
        )
    )
    if kind == "clamp":
        return Max(Min(sub(), number(high)), number(low))
    if kind == "above":
        return Max(sub(), number(low))
    if kind == "below":
        return Min(sub(), number(high))
    if kind == "digit":
        return draw(st.sampled_from([FloorMod, FloorMod, FloorDiv, Mod, Div]))(sub(), number(draw(_DIGITS)))
    if kind == "rest":  # of what is below zero, on one side or on both
        first, last = sorted(draw(_BELOW_ZERO) for _ in range(2))
        below = Min(leaf, number(last))
        dividend = Max(below, number(first)) if draw(st.integers(0, 3)) else below
        return draw(st.sampled_from([FloorMod, FloorMod, Mod]))(dividend, number(draw(_DIGITS)))
    if kind == "choice":
        bounds = (number(low), number(high)) if draw(st.booleans()) else (sub(), number(high))
        return Select(draw(st.sampled_from(COMPARISONS))(leaf, number(low)), *bounds)
    if kind == "sum":
        operands = (sub(), number(low)) if draw(st.booleans()) else (number(draw(_NEAR_ZERO)), sub())
        return draw(st.sampled_from([Add, Sub, Sub, Mul]))(*operands)
    if kind == "bits":
        name = draw(st.sampled_from(["tir.bitwise_and", "tir.shift_right"]))
        amount = number(draw(st.integers(0, min(3, dtype.bits - 1))) if name != "tir.bitwise_and" else high)
        return Call(dtype, Intrinsic.get(name), (sub(), amount))
    other = draw(st.sampled_from([each for each in INTEGERS if any(v.dtype is each for v in variables)]))
    return Cast(dtype, _limited(draw, other, variables, 0))


_NEAR_ZERO = st.sampled_from([-8, -3, -2, -1, -1, 0, 0, 1, 2, 3, 5, 9])
_BELOW_ZERO = st.sampled_from([-9, -7, -4, -3, -2, -1])
_DIGITS = st.sampled_from([2, 3, 4, 5, 8, 1])


@st.composite
def limited_exprs(draw: st.DrawFn, dtype: DType, variables: list[Var]) -> Expr:
    """Draw quotients, remainders, comparisons and sums of values with known properties. Divisors may be 0."""
    a = _limited(draw, dtype, variables, draw(st.integers(0, 2)))
    b = _limited(draw, dtype, variables, draw(st.integers(0, 2)))
    if draw(st.integers(0, 3)) == 0:
        a, b = b, draw(st.sampled_from([v for v in variables if v.dtype is dtype]))
    operators = [FloorDiv, FloorMod, Div, Mod, FloorDiv, FloorMod, Add, Sub, Mul, Max]
    expr: Expr = draw(st.sampled_from(operators))(a, b)
    if draw(st.integers(0, 3)) == 0:
        expr = draw(st.sampled_from(COMPARISONS))(expr, _limited(draw, dtype, variables, 0))
    return expr


Evaluation = tuple[PrimFunc, list[Var], list[Expr], list[list[int]]]


@st.composite
def kernels(draw: st.DrawFn) -> Evaluation:
    """Draw a function that evaluates expressions on rows of inputs; its variables, expressions, inputs."""
    variables = _variables()
    wanted = draw(st.lists(st.sampled_from([*INTEGERS, BOOL]), min_size=4, max_size=8))
    expressions = [Defined().rewrite(draw(integer_exprs(dtype, variables, 4))) for dtype in wanted]
    return _kernel(variables, expressions, draw(st.integers(0, 2**32 - 1)))


@st.composite
def limited_kernels(draw: st.DrawFn) -> Evaluation:
    """Like `kernels`, on values with known properties. Quotients by 0 have no value."""
    variables = _variables()
    wanted = draw(st.lists(st.sampled_from(INTEGERS), min_size=8, max_size=14))
    expressions = [draw(limited_exprs(dtype, variables)) for dtype in wanted]
    return _kernel(variables, expressions, draw(st.integers(0, 2**32 - 1)))


def _variables() -> list[Var]:
    return [Var(f"x{k}", dtype) for k, dtype in enumerate(INTEGERS)]


def _kernel(variables: list[Var], expressions: list[Expr], seed: int) -> Evaluation:
    rows = _inputs(variables, seed)
    row = Var("row", "int32")
    inputs = [make_buffer((IntImm("int32", ROWS),), var.dtype, f"X{k}") for k, var in enumerate(variables)]
    outputs = [make_buffer((IntImm("int32", ROWS),), expr.dtype, f"O{k}") for k, expr in enumerate(expressions)]
    body: Stmt = seq(*(BufferStore(out, expr, (row,)) for out, expr in zip(outputs, expressions, strict=True)))
    for var, buffer in zip(variables, inputs, strict=True):
        body = LetStmt(var, buffer[row], body)
    loop = For(row, IntImm("int32", 0), IntImm("int32", ROWS), ForKind.SERIAL, body)
    buffers: list[Buffer] = [*inputs, *outputs]
    params = tuple(Var(f"p{k}", "handle") for k in range(len(buffers)))
    func = PrimFunc(params, loop, None, dict(zip(params, buffers, strict=True)), {"global_symbol": "main"})
    return func, variables, expressions, rows


def _inputs(variables: list[Var], seed: int) -> list[list[int]]:
    """Draw values of each variable: limits of its dtype, small numbers, random numbers."""
    generator = np.random.default_rng(seed)
    columns: list[list[int]] = []
    for var in variables:
        low, high = var.dtype.min_value, var.dtype.max_value
        edges = [v for v in (0, 1, -1, 2, 3, -2, 7, low, high, low + 1, high - 1) if low <= v <= high]
        while len(edges) < ROWS:
            edges.append(low + int(generator.integers(0, 2**63)) % (high - low + 1))
        generator.shuffle(edges)
        columns.append(edges[:ROWS])
    return columns
