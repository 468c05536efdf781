"""Operators of ONNX Runtime (com.microsoft), of quantized tensors and n-grams compute what onnxruntime computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import relax
from tvmscript.relax.frontend.onnx import from_onnx

onnx: Any = pytest.importorskip("onnx", reason="onnx is an optional library")
runtime: Any = pytest.importorskip("onnxruntime", reason="onnxruntime is an optional library")

_RNG = np.random.default_rng(0)


def floats(*shape: int) -> Any:
    return _RNG.standard_normal(shape, dtype="float32")


def quantized(*shape: int, dtype: str = "uint8") -> Any:
    info = np.iinfo(dtype)
    return _RNG.integers(info.min, info.max + 1, shape).astype(dtype)


def scale(value: float) -> Any:
    return np.array(value, "float32")


def zero(value: int, dtype: str = "uint8") -> Any:
    return np.array(value, dtype)


@dataclass(frozen=True)
class Case:
    """A node; `inputs` that are None are left out. Quantized results may differ by `steps`, where sums are rounded."""

    inputs: tuple[Any, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    outputs: int = 1
    domain: str = "com.microsoft"
    op: str | None = None
    steps: int = 0


_X, _SKIP, _GAMMA, _BETA = floats(2, 3, 8), floats(2, 3, 8), floats(8), floats(8)
_A, _B = (quantized(2, 6), scale(0.02), zero(120)), (quantized(2, 6), scale(0.03), zero(130))
_IMAGE = quantized(1, 2, 5, 5), scale(0.02), zero(125)
_RESULT = scale(0.05), zero(128)
_IDS = np.array([[1, 2, 3], [4, 0, 2]], "int32")
_SEGMENTS = np.array([[0, 0, 1], [1, 1, 0]], "int32")
_EMBEDDINGS = floats(5, 8), floats(4, 8), floats(2, 8)
_QKV = floats(8, 24), floats(24)
_PAST = floats(2, 2, 2, 4, 4)

CASES = {
    "Attention": Case((_X, *_QKV), {"num_heads": 2}),
    "Attention with lengths": Case((_X, *_QKV, np.array([3, 2], "int32")), {"num_heads": 2}, op="Attention"),
    "Attention with a mask": Case(
        (_X, *_QKV, np.array([[1, 1, 0], [1, 1, 1]], "int32")), {"num_heads": 2}, op="Attention"
    ),
    "Attention with a mask of places": Case(
        (_X, *_QKV, np.array([[[1, 0, 0], [1, 1, 0], [0, 1, 1]], [[1, 1, 1], [1, 0, 1], [0, 0, 1]]], "int32")),
        {"num_heads": 2}, op="Attention",
    ),
    "Attention of wide values": Case(
        (_X, floats(8, 32), floats(32)), {"num_heads": 2, "qkv_hidden_sizes": [8, 8, 16]}, op="Attention"
    ),
    "Attention with a past": Case((_X, *_QKV, None, _PAST), {"num_heads": 2}, 2, op="Attention"),
    "Attention of the past": Case((_X, *_QKV), {"num_heads": 2, "unidirectional": 1}, op="Attention"),
    "BiasGelu": Case((_X, _BETA)),
    "DynamicQuantizeMatMul": Case(
        (floats(3, 4), quantized(4, 5), scale(0.02), zero(100), floats(5))
    ),
    "EmbedLayerNormalization": Case((_IDS, _SEGMENTS, *_EMBEDDINGS, _GAMMA, _BETA), outputs=2),
    "EmbedLayerNormalization with a mask": Case(
        (_IDS, _SEGMENTS, *_EMBEDDINGS, _GAMMA, _BETA, np.array([[1, 1, 0], [1, 1, 1]], "int32")), {}, 2,
        op="EmbedLayerNormalization",
    ),
    "FastGelu": Case((_X, _BETA)),
    "FusedConv": Case(
        (floats(1, 2, 5, 5), floats(3, 2, 3, 3), floats(3)), {"activation": "Relu", "pads": [1, 1, 1, 1]}
    ),
    "FusedConv with a sum": Case(
        (floats(1, 2, 5, 5), floats(3, 2, 3, 3), floats(3), floats(1, 3, 3, 3)), {"activation": "LeakyRelu",
        "activation_params": [0.2]}, op="FusedConv",
    ),
    "FusedGemm": Case((floats(3, 4), floats(5, 4), floats(5)), {"transB": 1, "activation": "Tanh", "alpha": 0.5}),
    "FusedMatMul": Case((floats(2, 4, 3), floats(2, 5, 4)), {"transA": 1, "transB": 1, "alpha": 0.5}),
    "Gelu": Case((_X,)),
    "MatMulInteger": Case((quantized(70, 50), quantized(50, 90, dtype="int8")), domain=""),
    "MatMulInteger without a zero point": Case(
        (quantized(2, 3, 4), quantized(4, 5, dtype="int8"), zero(120)), domain="", op="MatMulInteger"
    ),
    "MatMulInteger without zero points of columns": Case(
        (quantized(70, 50), quantized(50, 90), zero(7), quantized(90)), domain="", op="MatMulInteger"
    ),
    "MatMulInteger of a vector": Case(
        (quantized(4), quantized(4, 5), zero(120), zero(100)), domain="", op="MatMulInteger"
    ),
    "MatMulIntegerToFloat": Case(
        (quantized(3, 4), quantized(4, 5), scale(0.1), scale(0.2), zero(120), zero(100), floats(5))
    ),
    "MatMulNBits": Case(
        (floats(3, 32), quantized(5, 2, 8), floats(10)), {"K": 32, "N": 5, "bits": 4, "block_size": 16}
    ),
    "MatMulNBits with zeros": Case(
        (floats(3, 40), quantized(5, 3, 8), floats(15), quantized(10)), {"K": 40, "N": 5, "bits": 4, "block_size": 16},
        op="MatMulNBits",
    ),
    "MultiHeadAttention": Case((_X, floats(2, 5, 8), floats(2, 5, 8), floats(24)), {"num_heads": 2}),
    "MultiHeadAttention of the past": Case(
        (_X, _X, _X), {"num_heads": 2, "unidirectional": 1}, op="MultiHeadAttention"
    ),
    "QAttention": Case(
        (quantized(2, 3, 8), quantized(8, 24, dtype="int8") // 2, floats(24), scale(0.02), scale(0.01), None, zero(120),
         zero(3, "int8")), {"num_heads": 2},
    ),
    "QGemm": Case((*_A, quantized(6, 4), scale(0.02), zero(110), None, *_RESULT), steps=1),
    "QGemm to floats": Case((*_A, quantized(6, 4), scale(0.02), zero(110)), op="QGemm"),
    "QGemm of scaled columns": Case(
        (
            *_A, quantized(4, 6, dtype="int8"), np.linspace(0.01, 0.04, 4, dtype="float32"), np.zeros(4, "int8"),
            np.array([-500, 0, 70, 900], "int32"), *_RESULT,
        ),
        {"transB": 1, "alpha": 0.5}, op="QGemm", steps=1,
    ),
    "QLinearAdd": Case((*_A, *_B, *_RESULT), steps=1),
    "QLinearAveragePool": Case((*_IMAGE, *_RESULT), {"kernel_shape": [2, 2], "strides": [2, 2]}, steps=1),
    "QLinearConcat": Case((*_RESULT, *_A, *_B), {"axis": 1}, steps=1),
    "QLinearConv": Case(
        (*_IMAGE, quantized(3, 2, 3, 3), scale(0.03), zero(120), scale(0.1), zero(128)), domain="", steps=1
    ),
    "QLinearGlobalAveragePool": Case((*_IMAGE, *_RESULT), steps=1),
    "QLinearLeakyRelu": Case((*_A, *_RESULT), {"alpha": 0.1}, steps=1),
    "QLinearMatMul": Case((*_A, quantized(6, 4), scale(0.02), zero(110), scale(0.1), zero(128)), domain="", steps=1),
    "QLinearMatMul of scaled columns": Case(
        (*_A, quantized(6, 4), np.linspace(0.01, 0.04, 4, dtype="float32"), quantized(4), scale(0.1), zero(128)),
        domain="", op="QLinearMatMul", steps=1,
    ),
    "QLinearMul": Case((*_A, *_B, *_RESULT), steps=1),
    "QLinearSigmoid": Case((*_A, scale(1 / 256), zero(0)), steps=1),
    "QLinearSoftmax": Case((*_A, scale(1 / 256), zero(0)), {"axis": 1, "opset": 13}, steps=1),
    "QuickGelu": Case((_X,), {"alpha": 1.5}),
    "RotaryEmbedding": Case(
        (floats(2, 3, 8), np.array([[0, 1, 2], [1, 2, 3]], "int64"), floats(6, 2), floats(6, 2)), {"num_heads": 2}
    ),
    "RotaryEmbedding of pairs": Case(
        (floats(1, 2, 3, 4), np.array([1], "int64"), floats(6, 2), floats(6, 2)), {"interleaved": 1},
        op="RotaryEmbedding",
    ),
    "SimplifiedLayerNormalization": Case((_X, _GAMMA), {"epsilon": 1e-6}, domain=""),
    "SkipLayerNormalization": Case((_X, _SKIP, _GAMMA, _BETA, floats(8))),
    "SkipSimplifiedLayerNormalization": Case((_X, _SKIP, _GAMMA), {"epsilon": 1e-6}),
    **{
        f"TfIdfVectorizer: {mode}": Case(
            (np.array([[5, 5, 6, 6, 7], [6, 5, 5, 5, 6]], "int32"),),
            {
                "mode": mode, "min_gram_length": 1, "max_gram_length": 2, "max_skip_count": 2, "ngram_counts": [0, 2],
                "ngram_indexes": [3, 0, 1, 5], "pool_int64s": [5, 6, 5, 6, 6, 6], "weights": [10.0, 20.0, 30.0, 40.0],
            },
            domain="", op="TfIdfVectorizer",
        )
        for mode in ("TF", "IDF", "TFIDF")
    },
}  # fmt: skip


def _model(name: str, case: Case) -> tuple[Any, dict[str, Any]]:
    """Return the model of a node, whose first input alone is an input, and what it gets."""
    helper = onnx.helper
    names = [f"i{index}" if value is not None else "" for index, value in enumerate(case.inputs)]
    outputs = [f"o{index}" for index in range(case.outputs)]
    node = helper.make_node(case.op or name, names, outputs, domain=case.domain, **case.attrs)
    weights = [onnx.numpy_helper.from_array(value, key) for key, value in zip(names, case.inputs, strict=True) if key][
        1:
    ]
    first = case.inputs[0]
    kind = helper.np_dtype_to_tensor_dtype(first.dtype)
    results = [helper.make_value_info(key, onnx.TypeProto()) for key in outputs]
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("i0", kind, first.shape)], results, weights)
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=versions, ir_version=8), {"i0": first}


@pytest.mark.parametrize("name", CASES)
def test_values_of_onnxruntime(name: str) -> None:
    case = CASES[name]
    model, feeds = _model(name, case)
    session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = session.run(None, feeds)
    executable = relax.build(from_onnx(model), "interp", exec_mode="bytecode")
    results = relax.VirtualMachine(executable, tvmscript.cpu())["main"](*feeds.values())
    results = results if isinstance(results, list) else [results]
    assert len(results) == len(expected)
    for result, theirs in zip(results, expected, strict=True):
        assert (result.shape, str(result.dtype)) == (theirs.shape, str(theirs.dtype))
        if theirs.dtype.kind == "f":
            np.testing.assert_allclose(result.numpy(), theirs, rtol=1e-3, atol=1e-3)
        else:
            assert np.abs(result.numpy().astype(int) - theirs.astype(int)).max() <= case.steps
