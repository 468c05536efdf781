"""Layers without parameters: activations, `Identity`."""

from __future__ import annotations

from tvmscript.frontend.nn import op
from tvmscript.frontend.nn.module import Module
from tvmscript.frontend.nn.tensor import Tensor


class ReLU(Module):
    """max(x, 0)."""

    def forward(self, x: Tensor) -> Tensor:
        return op.relu(x)


class SiLU(Module):
    """x * sigmoid(x)."""

    def forward(self, x: Tensor) -> Tensor:
        return op.silu(x)


class GELU(Module):
    """The Gaussian error linear unit."""

    def forward(self, x: Tensor) -> Tensor:
        return op.gelu(x)


class Identity(Module):
    """x; it gives a place in a model a name."""

    def forward(self, x: Tensor) -> Tensor:
        return x
