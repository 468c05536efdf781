"""Operators that make tensors from numbers and sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts, register
from tvmscript.frontend.torch.values import Operand, Size, constant, is_floating
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.op import create, manipulate, unary
from tvmscript.ir.relax.op.search import argmax
from tvmscript.ir.relax.op.sort import topk
from tvmscript.ir.tir import Expr

Sizes = Sequence[Size]


def _register_filled(name: str, value: float) -> None:
    def convert(ctx: Context, size: Sizes, dtype: str | None = None) -> RelaxExpr:
        return ctx.full(size, value, dtype or ctx.default_dtype)

    def convert_new(ctx: Context, x: RelaxExpr, size: Sizes, dtype: str | None = None) -> RelaxExpr:
        return ctx.full(size, value, dtype or ctx.dtype(x))

    register(convert, name, sizes="size")
    register(convert_new, f"new_{name}", sizes="size")


_register_filled("ones", 1)
_register_filled("zeros", 0)


@converts("empty", "empty_permuted", "empty_strided", sizes="size")
def _empty(ctx: Context, size: Sizes, *_: object, dtype: str | None = None) -> RelaxExpr:
    return ctx.call(create.zeros, ctx.sizes(size), dtype or ctx.default_dtype)


@converts("new_empty", sizes="size")
def _new_empty(ctx: Context, x: RelaxExpr, size: Sizes, dtype: str | None = None) -> RelaxExpr:
    return ctx.call(create.zeros, ctx.sizes(size), dtype or ctx.dtype(x))


@converts("empty_like", "zeros_like", "zero")
def _zeros_like(ctx: Context, x: RelaxExpr, dtype: str | None = None) -> RelaxExpr:
    return ctx.call(create.zeros_like, x, dtype)


@converts("ones_like")
def _ones_like(ctx: Context, x: RelaxExpr, dtype: str | None = None) -> RelaxExpr:
    return ctx.call(create.ones_like, x, dtype)


@converts("full")
def _full(ctx: Context, size: Sizes, fill_value: Operand, dtype: str | None = None) -> RelaxExpr:
    return ctx.full(size, fill_value, dtype or ctx.common_dtype(fill_value))


@converts("new_full")
def _new_full(ctx: Context, x: RelaxExpr, size: Sizes, fill_value: Operand, dtype: str | None = None) -> RelaxExpr:
    return ctx.full(size, fill_value, dtype or ctx.dtype(x))


@converts("full_like")
def _full_like(ctx: Context, x: RelaxExpr, fill_value: Operand, dtype: str | None = None) -> RelaxExpr:
    return ctx.call(create.full_like, x, ctx.tensor(fill_value, dtype or ctx.dtype(x)), dtype)


@converts("fill")
def _fill(ctx: Context, x: RelaxExpr, value: Operand) -> RelaxExpr:
    return ctx.full(ctx.shape(x), value, ctx.dtype(x))


@converts("scalar_tensor")
def _scalar_tensor(ctx: Context, value: Operand, dtype: str | None = None) -> RelaxExpr:
    value = _tensor(ctx, value, dtype)
    return ctx.emit(value) if isinstance(value, Constant) else value


@converts("tensor", "as_tensor")
def _tensor(ctx: Context, value: object, dtype: str | None = None) -> RelaxExpr:
    if isinstance(value, RelaxExpr):
        return ctx.cast(value, dtype) if dtype else value
    if isinstance(value, Expr):
        return ctx.full([], value, dtype or "int64")
    array = np.asarray(value)
    usual = {"f": ctx.default_dtype, "b": "bool"}.get(array.dtype.kind, "int64")
    return constant(value, dtype or usual)


@converts("arange")
def _arange(
    ctx: Context, start: Operand, end: Operand | None = None, step: Operand = 1, dtype: str | None = None
) -> RelaxExpr:
    start, end = (0, start) if end is None else (start, end)
    if dtype is None:
        floats = any(isinstance(bound, float) for bound in (start, end, step))
        dtype = ctx.default_dtype if floats else "int64"
    if not is_floating(dtype):  # torch converts the bounds first
        start, end, step = (int(bound) if isinstance(bound, float) else bound for bound in (start, end, step))
    return ctx.call(create.arange, start, end, step, dtype=dtype)


@converts("linspace")
def _linspace(ctx: Context, start: Operand, end: Operand, steps: int, dtype: str | None = None) -> RelaxExpr:
    dtype = dtype or ctx.default_dtype
    if not isinstance(start, (int, float)) or not isinstance(end, (int, float)):
        first, last = (ctx.tensor(bound, ctx.default_dtype) for bound in (start, end))
        shares = constant(np.arange(steps) / max(steps - 1, 1), ctx.default_dtype)
        return ctx.cast(ctx.emit(first + ctx.emit(last - first) * shares), dtype)
    values = np.linspace(start, end, steps, dtype="float64")
    return constant(values if is_floating(dtype) else np.trunc(values), dtype)


@converts("eye")
def _eye(ctx: Context, n: Size, m: Size | None = None, dtype: str | None = None) -> RelaxExpr:
    return ctx.call(create.eye, n, m, 0, dtype=dtype or ctx.default_dtype)


@converts("tril")
def _tril(ctx: Context, x: RelaxExpr, diagonal: int = 0) -> RelaxExpr:
    return _triangle(ctx, x, diagonal, lower=True)


@converts("triu")
def _triu(ctx: Context, x: RelaxExpr, diagonal: int = 0) -> RelaxExpr:
    return _triangle(ctx, x, diagonal, lower=False)


def _triangle(ctx: Context, x: RelaxExpr, diagonal: int, lower: bool) -> RelaxExpr:
    dtype = ctx.dtype(x)
    operator = create.tril if lower else create.triu
    if dtype == "bool":
        return ctx.cast(ctx.call(operator, ctx.cast(x, "int8"), diagonal), "bool")
    return ctx.call(operator, x, diagonal)


@converts("hamming_window")
def _hamming_window(
    ctx: Context,
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    dtype: str | None = None,
) -> RelaxExpr:
    return ctx.call(create.hamming_window, window_length, periodic, alpha, beta, dtype=dtype or ctx.default_dtype)


@converts("randn", "normal_functional", sizes="size")
def _randn(ctx: Context, size: Sizes, dtype: str | None = None) -> Constant:
    """Draw the numbers now, as TVM does: a graph has no generator of random numbers."""
    return _draw(ctx, np.random.default_rng().standard_normal, size, dtype or ctx.default_dtype)


@converts("randn_like")
def _randn_like(ctx: Context, x: RelaxExpr, dtype: str | None = None) -> Constant:
    return _randn(ctx, ctx.shape(x), dtype or ctx.dtype(x))


@converts("rand", sizes="size")
def _rand(ctx: Context, size: Sizes, dtype: str | None = None) -> Constant:
    return _draw(ctx, np.random.default_rng().random, size, dtype or ctx.default_dtype)


@converts("rand_like")
def _rand_like(ctx: Context, x: RelaxExpr, dtype: str | None = None) -> Constant:
    return _rand(ctx, ctx.shape(x), dtype or ctx.dtype(x))


@converts("exponential")
def _exponential(ctx: Context, x: RelaxExpr, lambd: float = 1) -> Constant:
    return _draw(ctx, np.random.default_rng().exponential, ctx.shape(x), ctx.dtype(x), 1 / lambd)


@converts("multinomial")
def _multinomial(ctx: Context, x: RelaxExpr, num_samples: int, replacement: bool = False) -> RelaxExpr:
    """Return the categories of the largest perturbed logarithms of weights: samples of a draw that is made now.

    W. Kool et al., "Stochastic Beams and Where to Find Them", 2019.
    """
    *batch, count = ctx.shape(x)
    logarithms = ctx.call(unary.log, x)
    draw = np.random.default_rng().gumbel
    if not replacement:
        noise = _draw(ctx, draw, [*batch, count], ctx.dtype(x))
        return ctx.call(topk, ctx.emit(logarithms + noise), k=num_samples, ret_type="indices", dtype="int64")
    noise = _draw(ctx, draw, [*batch, num_samples, count], ctx.dtype(x))
    rows = ctx.call(manipulate.expand_dims, logarithms, -2)
    return ctx.call(argmax, ctx.emit(rows + noise), -1)


def _draw(ctx: Context, draw: object, size: Sizes, dtype: str, scale: float = 1) -> Constant:
    shape = [ctx.static(extent, "the shape of random numbers") for extent in size]
    assert callable(draw)
    return constant(np.asarray(draw(size=shape)) * scale, dtype)


@converts("tril_indices")
def _tril_indices(ctx: Context, row: int, col: int, offset: int = 0, dtype: str | None = None) -> Constant:
    return constant(np.stack(np.tril_indices(row, offset, col)), dtype or "int64")


@converts("triu_indices")
def _triu_indices(ctx: Context, row: int, col: int, offset: int = 0, dtype: str | None = None) -> Constant:
    return constant(np.stack(np.triu_indices(row, offset, col)), dtype or "int64")
