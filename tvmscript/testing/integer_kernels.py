"""Kernels that evaluate integer expressions: every operator that Python's integers can say."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tvmscript.ir.core.dtype import BOOL, DType
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import Call, Cast, IntImm, Let, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.entry import Intrinsic
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind, LetStmt, seq
from tvmscript.testing.defined import Defined
from tvmscript.testing.strategies import BIT_OPS, COMPARISONS, INTEGER_OPS, INTEGERS, constants

#: Values of each variable; an expression is evaluated in every row.
ROWS = 24


@st.composite
def integer_exprs(draw: st.DrawFn, dtype: DType, variables: list[Var], depth: int) -> Expr:
    """Expressions over integers and bool alone: every operator that Python's integers can say."""
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


@st.composite
def kernels(draw: st.DrawFn) -> tuple[PrimFunc, list[Var], list[Expr], list[list[int]]]:
    """A function that evaluates several expressions on rows of inputs; its variables, expressions and inputs."""
    variables = [Var(f"x{k}", dtype) for k, dtype in enumerate(INTEGERS)]
    wanted = draw(st.lists(st.sampled_from([*INTEGERS, BOOL]), min_size=4, max_size=8))
    expressions = [Defined().rewrite(draw(integer_exprs(dtype, variables, 4))) for dtype in wanted]
    seed = draw(st.integers(0, 2**32 - 1))
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
    """Values of each variable: the edges of its range, small numbers, and random ones."""
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
