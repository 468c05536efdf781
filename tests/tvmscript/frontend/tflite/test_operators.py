"""Operators of TFLite compute what Google's interpreter computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.tvmscript.frontend.tflite.models import Call, Scale, compare, interpret, write
from tvmscript import relax
from tvmscript.frontend.tflite.operators import OPERATORS
from tvmscript.relax.frontend.tflite import from_tflite

_RNG = np.random.default_rng(0)


def floats(*shape: int, low: float = -2) -> Any:
    return _RNG.uniform(low, 2, shape).astype("float32")


def ints(*numbers: int) -> Any:
    return np.array(numbers, "int32")


def flags(*shape: int) -> Any:
    return _RNG.integers(0, 2, shape).astype("bool")


@dataclass(frozen=True)
class Case:
    """An operator: its inputs `x0`, `x1`... come before its constants `c0`, `c1`..., or behind them."""

    inputs: Sequence[Any]
    constants: Sequence[Any] = ()
    table: str = ""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    dtypes: Sequence[str] = ("float32",)
    #: whether the constants come before the inputs
    constants_first: bool = False
    name: str = ""


_X, _Y, _P = floats(2, 3, 4), floats(3, 4), floats(2, 3, 4, low=0.1)
_I, _J = _RNG.integers(-9, 9, (2, 3)).astype("int32"), _RNG.integers(1, 5, (2, 3)).astype("int32")
_IMAGE = floats(2, 7, 6, 4)
_SAME, _VALID = {"padding": 0}, {"padding": 1}
_STRIDES = {"strideH": 2, "strideW": 1}
_OF_FLOATS = [
    "ABS",
    "CEIL",
    "COS",
    "EXP",
    "FLOOR",
    "NEG",
    "RELU",
    "RELU6",
    "RELU_N1_TO_1",
    "RELU_0_TO_1",
    "SIGN",
    "SIN",
    "SQUARE",
    "TANH",
    "LOGISTIC",
    "ELU",
    "ROUND",
    "HARD_SWISH",
    "ZEROS_LIKE",
    "LOG_SOFTMAX",
]
_FOR_BINARY = ("ADD", "DIV", "MAXIMUM", "MINIMUM", "MUL", "SQUARED_DIFFERENCE", "SUB")
_COMPARISONS = ("EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "NOT_EQUAL")
_POOL = {"filterHeight": 3, "filterWidth": 2, **_STRIDES}
_SLICE = floats(4, 5, 6)


def _strided(begin: Any, end: Any, step: Any, **masks: int) -> Case:
    return Case([_SLICE], [ints(*begin), ints(*end), ints(*step)], "StridedSliceOptions", masks, name="STRIDED_SLICE")


_CONV = floats(5, 3, 2, 4), floats(5)
_NO_BORDER = {**_VALID, "strideH": 1, "strideW": 1, "dilationHFactor": 2}
_MIRROR = np.array([[1, 0], [2, 3]], "int32")


def _conv(constants: Sequence[Any], options: Mapping[str, Any]) -> Case:
    return Case([_IMAGE], constants, "Conv2DOptions", options, name="CONV_2D")


def _transposed(shape: Any, padding: Mapping[str, int]) -> Case:
    constants = shape, floats(2, 3, 3, 4)
    options = {**padding, "strideH": 2, "strideW": 2}
    return Case(
        [floats(1, 4, 3, 4)], constants, "TransposeConvOptions", options, constants_first=True, name="TRANSPOSE_CONV"
    )


def _mirror(mode: int) -> Case:
    return Case([_Y], [_MIRROR], "MirrorPadOptions", {"mode": mode}, name="MIRROR_PAD")


def _resize(name: str, **options: bool) -> Case:
    table = "ResizeBilinearOptions" if name == "RESIZE_BILINEAR" else "ResizeNearestNeighborOptions"
    return Case([_IMAGE], [ints(11, 4)], table, options, name=name)


def _reduce(name: str, x: Any, axes: Any, keeps: bool, dtype: str = "float32") -> Case:
    return Case([x], [ints(*axes)], "ReducerOptions", {"keepDims": keeps}, (dtype,), name=name)


CASES = {
    **{name: Case([_X]) for name in _OF_FLOATS},
    **{name: Case([_P]) for name in ("LOG", "RSQRT", "SQRT")},
    **{f"{name} broadcast": Case([_X, _Y], name=name) for name in _FOR_BINARY},
    **{name: Case([np.round(_X), np.round(_Y)], dtypes=("bool",)) for name in _COMPARISONS},
    **{name: Case([flags(2, 3), flags(2, 3)], dtypes=("bool",)) for name in ("LOGICAL_AND", "LOGICAL_OR")},
    **{f"{name} integers": Case([_I, _J], dtypes=("int32",), name=name) for name in ("DIV", "FLOOR_DIV", "FLOOR_MOD")},
    "ROUND ties": Case([np.arange(-7, 8, dtype="float32") / 2], name="ROUND"),
    "FLOOR_DIV": Case([_X, _P]),
    "FLOOR_MOD": Case([_X, _P]),
    "LOGICAL_NOT": Case([flags(2, 3)], dtypes=("bool",)),
    "POW": Case([_P, _X]),
    "ATAN2": Case([_X, _P]),
    "BITWISE_XOR": Case([_I, _J], dtypes=("int32",), table="BitwiseXorOptions"),
    "RIGHT_SHIFT": Case([_I, _J], dtypes=("int32",), table="RightShiftOptions"),
    "ADD relu6": Case([_X, _Y], (), "AddOptions", {"fusedActivationFunction": 3}, name="ADD"),
    "SUB tanh": Case([_X, _Y], (), "SubOptions", {"fusedActivationFunction": 1}, name="SUB"),
    "GELU": Case([_X], (), "GeluOptions", {"approximate": False}),
    "GELU approximate": Case([_X], (), "GeluOptions", {"approximate": True}, name="GELU"),
    "LEAKY_RELU": Case([_X], (), "LeakyReluOptions", {"alpha": 0.2}),
    "PRELU": Case([_IMAGE], [floats(1, 1, 4)]),
    "SOFTMAX": Case([_X], (), "SoftmaxOptions", {"beta": 1.0}),
    "SOFTMAX beta": Case([_X], (), "SoftmaxOptions", {"beta": 0.5}, name="SOFTMAX"),
    "ADD_N": Case([_X, _P, _X]),
    "SELECT": Case([flags(2), _X, _P]),
    "SELECT_V2": Case([flags(3, 4), _X, _P]),
    "CAST": Case([_X], dtypes=("int32",)),
    "L2_NORMALIZATION": Case([_IMAGE], (), "L2NormOptions"),
    "FAKE_QUANT": Case([_X], (), "FakeQuantOptions", {"min": -1.1, "max": 1.3, "numBits": 4}),
    "CONV_2D same": _conv(_CONV, {**_SAME, **_STRIDES, "fusedActivationFunction": 1}),
    "CONV_2D dilated": _conv([floats(5, 2, 2, 4), floats(5)], _NO_BORDER),
    "CONV_2D groups": _conv([floats(6, 3, 3, 2), floats(6)], {**_SAME, **_STRIDES}),
    "DEPTHWISE_CONV_2D": Case(
        [_IMAGE],
        [floats(1, 3, 3, 8), floats(8)],
        "DepthwiseConv2DOptions",
        {**_SAME, "strideH": 2, "strideW": 2, "depthMultiplier": 2},
    ),
    "TRANSPOSE_CONV same": _transposed(ints(1, 8, 5, 2), _SAME),
    "TRANSPOSE_CONV valid": _transposed(ints(1, 9, 7, 2), _VALID),
    "MAX_POOL_2D": Case([_IMAGE], (), "Pool2DOptions", {**_SAME, **_POOL}),
    "AVERAGE_POOL_2D": Case([_IMAGE], (), "Pool2DOptions", {**_SAME, **_POOL}),
    "AVERAGE_POOL_2D valid": Case([_IMAGE], (), "Pool2DOptions", {**_VALID, **_POOL}, name="AVERAGE_POOL_2D"),
    "FULLY_CONNECTED": Case([floats(2, 3, 4)], [floats(5, 4), floats(5)], "FullyConnectedOptions"),
    "FULLY_CONNECTED keeps axes": Case(
        [floats(2, 3, 4)], [floats(5, 4)], "FullyConnectedOptions", {"keepNumDims": True}, name="FULLY_CONNECTED"
    ),
    "BATCH_MATMUL": Case([floats(2, 3, 4), floats(2, 5, 4)], (), "BatchMatMulOptions", {"adjY": True}),
    **{
        f"{name} {key}": _resize(name, **({key: True} if key else {}))
        for name in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
        for key in ("", "alignCorners", "halfPixelCenters")
    },
    "LOCAL_RESPONSE_NORMALIZATION": Case(
        [_IMAGE], (), "LocalResponseNormalizationOptions", {"radius": 1, "bias": 1.0, "alpha": 0.5, "beta": 0.75}
    ),
    **{name: _reduce(name, _X, (0, -1), False) for name in ("MEAN", "SUM", "REDUCE_PROD", "REDUCE_MAX", "REDUCE_MIN")},
    "SUM keeps axes": _reduce("SUM", _X, (1,), True),
    **{name: _reduce(name, flags(3, 4), (1,), False, "bool") for name in ("REDUCE_ANY", "REDUCE_ALL")},
    "ARG_MAX": Case([_X], [ints(1)], "ArgMaxOptions", {"outputType": 2}, ("int32",)),
    "ARG_MIN": Case([_X], [ints(-1)], "ArgMinOptions", {"outputType": 4}, ("int64",)),
    "TOPK_V2": Case([_X], [np.array(2, "int32")], dtypes=("float32", "int32")),
    "CUMSUM": Case([_X], [ints(1)], "CumsumOptions", {"exclusive": True}),
    "CUMSUM reverse": Case([_X], [ints(2)], "CumsumOptions", {"reverse": True}, name="CUMSUM"),
    "RESHAPE": Case([_X], [ints(4, -1)]),
    "SQUEEZE": Case([floats(1, 3, 1, 2)], (), "SqueezeOptions", {"squeezeDims": [0]}),
    "EXPAND_DIMS": Case([_X], [np.array(-1, "int32")]),
    "SHAPE": Case([_X], (), "ShapeOptions", {"outType": 2}, ("int32",)),
    "RANK": Case([_X], dtypes=("int32",)),
    "TRANSPOSE": Case([_X], [ints(2, 0, 1)]),
    "CONCATENATION": Case([_X, _P], (), "ConcatenationOptions", {"axis": -1}),
    "PACK": Case([_X, _P], (), "PackOptions", {"axis": 1, "valuesCount": 2}),
    "UNPACK": Case([_X], (), "UnpackOptions", {"axis": 1, "num": 3}, ("float32",) * 3),
    "SPLIT": Case(
        [floats(2, 6)], [np.array(1, "int32")], "SplitOptions", {"numSplits": 2}, ("float32",) * 2, constants_first=True
    ),
    "SPLIT_V": Case(
        [floats(2, 6)], [ints(1, -1, 2), np.array(1, "int32")], "SplitVOptions", {"numSplits": 3}, ("float32",) * 3
    ),
    "SLICE": Case([_SLICE], [ints(1, 0, 2), ints(2, -1, 3)]),
    "STRIDED_SLICE ranges": _strided((0, -4, 5), (3, 5, 0), (2, 1, -2)),
    "STRIDED_SLICE masks": _strided((1, 1, 1), (2, 3, 4), (1, 1, 1), beginMask=1, endMask=2, shrinkAxisMask=4),
    "STRIDED_SLICE ellipsis": _strided((1, 0, 0, 1), (2, 0, 0, 5), (1, 1, 1, 2), ellipsisMask=2, newAxisMask=4),
    "STRIDED_SLICE backward": _strided((3, 0, 0), (0, 5, 6), (-1, 1, 1), endMask=1),
    "REVERSE_V2": Case([_X], [ints(1)]),
    "TILE": Case([_Y], [ints(2, 3)]),
    "BROADCAST_TO": Case([_Y], [ints(2, 3, 4)], "BroadcastToOptions"),
    "FILL": Case([np.array(2.5, "float32")], [ints(2, 3)], constants_first=True),
    "GATHER": Case([_X], [np.array([[0, 2], [1, 1]], "int32")], "GatherOptions", {"axis": 1}),
    "GATHER_ND": Case([_X], [np.array([[0, 2], [1, 1]], "int32")]),
    "EMBEDDING_LOOKUP": Case([ints(2, 0)], [_Y]),
    "ONE_HOT": Case(
        [ints(2, 0, 3)],
        [np.array(4, "int32"), np.array(2, "float32"), np.array(-1, "float32")],
        "OneHotOptions",
        {"axis": -1},
    ),
    "PAD": Case([_Y], [np.array([[1, 0], [2, 3]], "int32")]),
    "PADV2": Case([_Y], [np.array([[1, 0], [2, 3]], "int32"), np.array(3, "float32")]),
    "MIRROR_PAD reflect": _mirror(0),
    "MIRROR_PAD symmetric": _mirror(1),
    "SPACE_TO_DEPTH": Case([floats(1, 4, 6, 3)], (), "SpaceToDepthOptions", {"blockSize": 2}),
    "DEPTH_TO_SPACE": Case([floats(1, 2, 3, 12)], (), "DepthToSpaceOptions", {"blockSize": 2}),
    "SPACE_TO_BATCH_ND": Case([floats(2, 5, 4, 3)], [ints(2, 2), np.array([[1, 0], [2, 0]], "int32")]),
    "BATCH_TO_SPACE_ND": Case([floats(8, 3, 2, 3)], [ints(2, 2), np.array([[1, 0], [0, 1]], "int32")]),
    "SCATTER_ND": Case([floats(3, 4)], [np.array([[1], [0], [1]], "int32"), ints(3, 4)], name="SCATTER_ND"),
}


@pytest.mark.parametrize("name", CASES)
def test_operators(name: str) -> None:
    case = CASES[name]
    inputs = {f"x{place}": array for place, array in enumerate(case.inputs)}
    constants = {f"c{place}": array for place, array in enumerate(case.constants)}
    names = [*constants, *inputs] if case.constants_first else [*inputs, *constants]
    if case.name == "SCATTER_ND":
        names = ["c0", "x0", "c1"]
    outputs = {f"y{place}": dtype for place, dtype in enumerate(case.dtypes)}
    call = Call(case.name or name, names, list(outputs), case.table, case.options)
    compare(write([call], inputs, constants, outputs), inputs)


def test_every_operator_has_a_case() -> None:
    elsewhere = {"QUANTIZE", "DEQUANTIZE", "RANGE"}
    elsewhere |= {"IF", "WHILE", "CALL_ONCE", "VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE"}  # test_control_flow.py
    elsewhere |= {name for name in OPERATORS if "LSTM" in name or "RNN" in name} | {"SVDF"}  # test_recurrent.py
    assert set(OPERATORS) - {case.name or name for name, case in CASES.items()} == elsewhere


def test_quantized_layers() -> None:
    """A convolution of 8 bits with scales for channels, pooling, a dense layer: at most one step from TFLite's."""
    image = _RNG.integers(-128, 128, (1, 6, 6, 3)).astype("int8")
    weight, dense = (_RNG.integers(-127, 128, shape).astype("int8") for shape in ((4, 3, 3, 3), (5, 36)))
    calls = [
        Call(
            "CONV_2D",
            ["x", "w", "b"],
            ["a"],
            "Conv2DOptions",
            {**_SAME, "strideH": 1, "strideW": 1, "fusedActivationFunction": 1},
        ),
        Call(
            "MAX_POOL_2D",
            ["a"],
            ["p"],
            "Pool2DOptions",
            {**_VALID, "filterHeight": 2, "filterWidth": 2, "strideH": 2, "strideW": 2},
        ),
        Call("RESHAPE", ["p", "shape"], ["r"]),
        Call("FULLY_CONNECTED", ["r", "v", ""], ["y"], "FullyConnectedOptions"),
        Call("DEQUANTIZE", ["y"], ["z"]),
    ]
    channels = [0.01, 0.02, 0.015, 0.01]
    bias = _RNG.integers(-500, 500, 4).astype("int32")
    constants = {"w": weight, "b": bias, "shape": ints(1, 36), "v": dense}
    scales = {
        "x": Scale(0.05, 3),
        "w": Scale(channels),
        "b": Scale([0.05 * scale for scale in channels]),
        "a": Scale(0.1, -128),
        "p": Scale(0.1, -128),
        "r": Scale(0.1, -128),
        "v": Scale(0.01),
        "y": Scale(0.5, 2),
    }
    dtypes = {**dict.fromkeys(("a", "p", "r", "y"), "int8"), "z": "float32"}
    model = write(calls, {"x": image}, constants, dtypes, scales)
    (expected,) = interpret(model, {"x": image})
    result = relax.VirtualMachine(relax.build(from_tflite(model)), tvmscript.cpu())["main"](image).numpy()
    assert np.abs(result - expected).max() <= 0.5 + 1e-6


def test_other_scales_of_integers() -> None:
    x = floats(3, 4)
    calls = [Call("QUANTIZE", ["x"], ["q"]), Call("QUANTIZE", ["q"], ["r"]), Call("DEQUANTIZE", ["r"], ["y"])]
    scales = {"q": Scale(0.02, 10), "r": Scale(0.03, 120)}
    compare(write(calls, {"x": x}, {}, {"q": "int8", "r": "uint8", "y": "float32"}, scales), {"x": x})


def test_sizes_are_computed_at_import() -> None:
    """What converters write for a reshape by the batch: SHAPE, STRIDED_SLICE, PACK."""
    x = floats(2, 3, 4)
    calls = [
        Call("SHAPE", ["x"], ["s"], "ShapeOptions", {"outType": 2}),
        Call("STRIDED_SLICE", ["s", "zero", "one", "one"], ["n"], "StridedSliceOptions", {"shrinkAxisMask": 1}),
        Call("PACK", ["n", "rest"], ["shape"], "PackOptions", {"valuesCount": 2}),
        Call("RESHAPE", ["x", "shape"], ["y"]),
        Call("RANGE", ["begin", "end", "step"], ["places"]),
        Call("GATHER", ["y", "places"], ["z"], "GatherOptions", {"axis": 1}),
    ]
    numbers = {"begin": 0, "end": 12, "step": 5, "rest": 12}
    constants = {"zero": ints(0), "one": ints(1), **{name: np.array(n, "int32") for name, n in numbers.items()}}
    dtypes = {**dict.fromkeys(("s", "n", "shape", "places"), "int32"), "y": "float32", "z": "float32"}
    model = write(calls, {"x": x}, constants, dtypes)
    compare(model, {"x": x})
    text = from_tflite(model, shape_dict={"x": (5, 3, 4)}).script()
    assert "R.reshape(x, R.shape([5, 12]))" in text


def test_constants_that_are_folded() -> None:
    """RESHAPE has its shape in its options; RELU is a part of ADD."""
    calls = [
        Call("RESHAPE", ["c"], ["r"], "ReshapeOptions", {"newShape": [2, 2]}),
        Call("ADD", ["r", "r"], ["a"], "AddOptions", {"fusedActivationFunction": 1}),
        Call("MUL", ["a", "x"], ["y"], "MulOptions"),
    ]
    x = np.array([[1, 2], [3, 4]], "int32")
    compare(write(calls, {"x": x}, {"c": ints(-1, 2, -3, 4)}, dict.fromkeys(("r", "a", "y"), "int32")), {"x": x})
