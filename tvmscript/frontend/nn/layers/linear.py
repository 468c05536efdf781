"""Products with weights: `Linear`, `MultiLinear`, `Embedding`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.frontend.nn import op
from tvmscript.frontend.nn.module import Module
from tvmscript.frontend.nn.parameter import Parameter
from tvmscript.frontend.nn.tensor import Size, Tensor


class Linear(Module):
    """x * transposed weight + bias. With `out_dtype`, the product and the bias have that dtype."""

    def __init__(
        self,
        in_features: Size,
        out_features: Size,
        bias: bool = True,
        dtype: str | None = None,
        out_dtype: str | None = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.out_dtype = out_dtype
        self.weight = Parameter((out_features, in_features), dtype)
        self.bias = Parameter((out_features,), dtype if out_dtype is None else out_dtype) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        product = op.matmul(x, op.permute_dims(self.weight), out_dtype=self.out_dtype)
        return product if self.bias is None else product + self.bias

    def to(self, dtype: str | None = None) -> None:
        """Change the dtype of the weight; that of the bias unless `out_dtype` says it."""
        self.weight.to(dtype=dtype)
        if self.bias is not None and self.out_dtype is None:
            self.bias.to(dtype=dtype)
        if dtype is not None and isinstance(getattr(self, "dtype", None), str):
            self.dtype = dtype


class MultiLinear(Module):
    """Several linear layers on one input, as one product: `forward` returns one result each."""

    def __init__(
        self,
        in_features: int,
        out_features: Sequence[int],
        bias: bool = True,
        dtype: str | None = None,
        out_dtype: str | None = None,
    ) -> None:
        super().__init__()
        self.out_features = list(out_features)
        self.linear = Linear(in_features, sum(self.out_features), bias, dtype, out_dtype)

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        ends = [sum(self.out_features[: count + 1]) for count in range(len(self.out_features) - 1)]
        return op.split(self.linear(x), ends, axis=-1)


class Embedding(Module):
    """The rows of a table at indices."""

    def __init__(self, num: Size, dim: Size, dtype: str | None = None) -> None:
        self.num = num
        self.dim = dim
        self.weight = Parameter((num, dim), dtype=dtype)

    def forward(self, x: Tensor) -> Tensor:
        if x.ndim == 1:
            return op.take(self.weight, x, axis=0)
        flat: Any = op.take(self.weight, op.reshape(x, shape=[-1]), axis=0)
        return op.reshape(flat, shape=[*x.shape, self.dim])
