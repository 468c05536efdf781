"""New tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tvmscript.frontend.nn.parameter import get_default_dtype
from tvmscript.frontend.nn.tensor import Tensor, emit
from tvmscript.ir.tir import FloatImm, IntImm
from tvmscript.language import R


def full(shape: Sequence[Any], fill_value: Any, dtype: str = "float32", name: str = "full") -> Tensor:
    """Return a tensor of one value, a tensor of rank 0 or a number."""
    if isinstance(fill_value, Tensor):
        return emit(R.full(shape, fill_value.expr, dtype), name)
    number = fill_value.value if isinstance(fill_value, (FloatImm, IntImm)) else fill_value
    return emit(R.full(shape, R.const(number, dtype=dtype), dtype), name)


def zeros(shape: Sequence[Any], dtype: str = "float32", name: str = "zeros") -> Tensor:
    """Return a tensor of zeros."""
    return emit(R.zeros(shape, dtype), name)


def ones(shape: Sequence[Any], dtype: str = "float32", name: str = "ones") -> Tensor:
    """Return a tensor of ones."""
    return emit(R.ones(shape, dtype), name)


def empty(shape: Sequence[Any], dtype: str = "float32", name: str = "empty") -> Tensor:
    """Return a tensor whose elements are not set."""
    return emit(R.builtin.alloc_tensor(R.shape(shape), dtype, 0), name)


def arange(
    start: int, end: int | None = None, step: int = 1, dtype: str | None = "float32", name: str = "arange"
) -> Tensor:
    """Return numbers from `start` to `end`, which is not included."""
    return emit(R.arange(start, end, step, dtype), name)


def get_timestep_embedding(
    x: Tensor,
    embedding_dim: int,
    flip_sin_to_cos: bool = False,
    downscale_freq_shift: float = 1,
    scale: float = 1,
    max_period: int = 10000,
    name: str = "get_timestep_embedding",
) -> Tensor:
    """Return the sine and the cosine of each timestep at `embedding_dim` / 2 frequencies each.

    An odd `embedding_dim` has a zero behind them, where TVM adds a timestep of zeros.
    """
    half = embedding_dim // 2
    exponent: Any = R.multiply(R.const(-math.log(max_period), "float32"), R.arange(0, half, dtype="float32"))
    exponent = R.divide(exponent, R.const(half - downscale_freq_shift, "float32"))
    steps = R.expand_dims(R.astype(x.expr, "float32"), 1)
    angles: Any = R.multiply(steps, R.expand_dims(R.exp(exponent), 0))
    if scale != 1:
        angles = R.multiply(R.const(scale, "float32"), angles)
    waves = (R.cos(angles), R.sin(angles)) if flip_sin_to_cos else (R.sin(angles), R.cos(angles))
    embedding: Any = R.concat(list(waves), axis=-1)
    if embedding_dim % 2:
        embedding = R.nn.pad(embedding, (0, 0, 0, 1))
    return emit(R.astype(embedding, get_default_dtype()), name)
