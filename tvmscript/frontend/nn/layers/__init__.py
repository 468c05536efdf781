"""The layers of models."""

from __future__ import annotations

from tvmscript.frontend.nn.layers.activation import GELU, Identity, ReLU, SiLU
from tvmscript.frontend.nn.layers.attention import Attention, TimestepEmbedding, Timesteps
from tvmscript.frontend.nn.layers.conv import Conv1D, Conv2D, Conv3D, ConvTranspose1D
from tvmscript.frontend.nn.layers.kv_cache import KVCache
from tvmscript.frontend.nn.layers.linear import Embedding, Linear, MultiLinear
from tvmscript.frontend.nn.layers.norm import GroupNorm, LayerNorm, RMSNorm

__all__ = [
    "GELU",
    "Attention",
    "Conv1D",
    "Conv2D",
    "Conv3D",
    "ConvTranspose1D",
    "Embedding",
    "GroupNorm",
    "Identity",
    "KVCache",
    "LayerNorm",
    "Linear",
    "MultiLinear",
    "RMSNorm",
    "ReLU",
    "SiLU",
    "TimestepEmbedding",
    "Timesteps",
]
