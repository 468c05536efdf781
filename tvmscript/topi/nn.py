"""Operators of neural networks: TVM's `topi.nn`."""

from __future__ import annotations

from tvmscript.ir.topi.nn.elementwise import (
    leaky_relu,
    prelu,
    relu,
    scale_shift_nchw,
    scale_shift_nchwc,
    scale_shift_nhwc,
)
from tvmscript.ir.topi.nn.matmul import (
    batch_matmul,
    dense,
    matmul,
)
from tvmscript.ir.topi.nn.softmax import (
    fast_softmax,
    log_softmax,
    softmax,
)

__all__ = [
    "batch_matmul",
    "dense",
    "fast_softmax",
    "leaky_relu",
    "log_softmax",
    "matmul",
    "prelu",
    "relu",
    "scale_shift_nchw",
    "scale_shift_nchwc",
    "scale_shift_nhwc",
    "softmax",
]
