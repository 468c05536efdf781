"""Operators of ONNX, one file a family: `operator(name, since)` registers the converter of a node."""

from __future__ import annotations

from tvmscript.frontend.onnx.operators import (
    activation,
    binary,
    contrib,
    control_flow,
    convolution,
    create,
    detection,
    fused,
    image,
    index,
    linear,
    ngrams,
    normalization,
    pooling,
    quantization,
    random,
    recurrent,
    reduction,
    sequence,
    shape,
    signal,
    slices,
    sort,
    training,
    unary,
)
from tvmscript.frontend.onnx.operators.table import OPERATORS, find_converter

#: the files, whose import fills the table
FAMILIES = (
    activation, binary, contrib, control_flow, convolution, create, detection, fused, image, index, linear,
    ngrams, normalization, pooling, quantization, random, recurrent, reduction, sequence, shape, signal, slices, sort,
    training, unary,
)  # fmt: skip

__all__ = ["FAMILIES", "OPERATORS", "find_converter"]
