"""Convolutions and products of quantized tensors are those of integers, and have NumPy's values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import tvmscript
from benchmarks.convolution_programs import Convolution
from tvmscript import relax
from tvmscript.relax.frontend.onnx import from_onnx

onnx: Any = pytest.importorskip("onnx", reason="onnx is an optional library")
helper: Any = onnx.helper

INTEGERS = 'out_dtype="int32"'


def model(nodes: list[Any], inputs: dict[str, Any], constants: dict[str, Any], output: str) -> Any:
    """Return a model of nodes, whose result is `y`."""

    def info(name: str, dtype: str, shape: Any) -> Any:
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)

    tensors = [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()]
    given = [info(name, str(value.dtype), value.shape) for name, value in inputs.items()]
    graph = helper.make_graph(nodes, "graph", given, [info("y", output, None)], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def run(mod: Any, inputs: dict[str, Any]) -> Any:
    built = relax.build(relax.get_pipeline("zero")(mod), "llvm")
    return relax.VirtualMachine(built, tvmscript.cpu())["main"](*inputs.values()).numpy()


@dataclass(frozen=True)
class Layer:
    """A convolution, and the zero points of its data and weights, which have these dtypes."""

    shape: Convolution
    zero: int = 0
    dtype: str = "uint8"
    weights: str = "int8"
    zero_of_weights: int = 0
    #: whether the integers are multiplied as they are
    is_narrow: bool = True

    def values(self) -> tuple[Any, Any]:
        rng, shapes = np.random.default_rng(0), self.shape.shapes()
        ranges = np.iinfo(self.dtype), np.iinfo(self.weights)
        x, w = (rng.integers(each.min, each.max + 1, shape) for each, shape in zip(ranges, shapes, strict=False))
        return x.astype(self.dtype), w.astype(self.weights)

    def expected(self) -> Any:
        """Return the convolution without zero points, which is exact in float64."""
        x, w = self.values()
        return self.shape.expected(x.astype("int64") - self.zero, w.astype("int64") - self.zero_of_weights)

    def attrs(self) -> dict[str, Any]:
        count = len(self.shape.sizes)
        return {
            "kernel_shape": self.shape.kernel,
            "strides": [self.shape.stride] * count,
            "pads": [self.shape.padding] * 2 * count,
            "dilations": [self.shape.dilation] * count,
            "group": self.shape.groups,
        }


PLAIN = Convolution(1, 16, 20, (9, 7), (3, 3), padding=1)
LAYERS = [
    Layer(PLAIN, 121),
    Layer(PLAIN, -3, "int8"),
    Layer(PLAIN, 255),
    Layer(replace(PLAIN, padding=0)),
    Layer(PLAIN, 7, weights="uint8", zero_of_weights=128),
    # weights of 9 bits
    Layer(PLAIN, 7, weights="uint8", zero_of_weights=3, is_narrow=False),
    Layer(PLAIN, 7, zero_of_weights=-5, is_narrow=False),
    Layer(Convolution(2, 3, 8, (11, 10), (5, 5), 2, 2), 100),
    Layer(Convolution(1, 12, 12, (8, 8), (3, 3), 2, 1, groups=12), 128),
    Layer(Convolution(1, 12, 18, (8, 8), (3, 3), groups=3), 9),
    Layer(Convolution(1, 16, 16, (17,), (3,), padding=2, dilation=2), 50),
    Layer(Convolution(1, 4, 16, (3, 4, 5), (2, 2, 2), padding=1), 50),
]


def name_of(layer: Layer) -> str:
    return f"{layer.shape.name} {layer.dtype} - {layer.zero}, {layer.weights} - {layer.zero_of_weights}"


@pytest.mark.parametrize("layer", LAYERS, ids=name_of)
def test_convolutions_of_integers(layer: Layer) -> None:
    x, w = layer.values()
    constants = {
        "w": w,
        "zx": np.array(layer.zero, layer.dtype),
        "zw": np.array(layer.zero_of_weights, layer.weights),
    }
    node = helper.make_node("ConvInteger", ["x", "w", "zx", "zw"], ["y"], **layer.attrs())
    mod = from_onnx(model([node], {"x": x}, constants, "int32"))
    assert (INTEGERS in mod.script()) is layer.is_narrow
    np.testing.assert_array_equal(run(mod, {"x": x}), layer.expected())


@pytest.mark.parametrize("layer", LAYERS, ids=name_of)
def test_quantized_convolutions(layer: Layer) -> None:
    """The result is at most a step away from the quotient in float64, rounded: factors are rounded to float32."""
    x, w = layer.values()
    rng, count = np.random.default_rng(1), layer.shape.outputs
    bias = rng.integers(-5000, 5000, count).astype("int32")
    scales = rng.uniform(0.001, 0.01, count).astype("float32")
    step = 0.1 * (layer.shape.inputs / layer.shape.groups * np.prod(layer.shape.kernel)) ** 0.5
    constants = {
        "sx": np.float32(0.02),
        "zx": np.array(layer.zero, layer.dtype),
        "w": w,
        "sw": scales,
        "zw": np.full(count, layer.zero_of_weights, layer.weights),
        "sy": np.float32(step),
        "zy": np.uint8(100),
        "b": bias,
    }
    node = helper.make_node("QLinearConv", ["x", *constants], ["y"], **layer.attrs())
    result = run(from_onnx(model([node], {"x": x}, constants, "uint8")), {"x": x})
    shape = (1, count, *[1] * len(layer.shape.sizes))
    exact = (layer.expected() + bias.reshape(shape)) * scales.reshape(shape).astype("float64") * 0.02 / step
    wanted = np.clip(np.rint(exact) + 100, 0, 255)
    assert np.ptp(wanted) > 20
    assert np.abs(result - wanted).max() <= 1
    assert np.mean(result != wanted) < 0.001


@pytest.mark.parametrize(("runtime", "is_narrow"), [("", True), ("w", False), ("zx", False)])
def test_weights_and_zero_points_that_are_not_known(runtime: str, is_narrow: bool) -> None:
    layer = Layer(PLAIN, 121)
    x, w = layer.values()
    constants = {"w": w, "zx": np.array(121, "uint8")}
    inputs = {"x": x} | ({runtime: constants.pop(runtime)} if runtime else {})
    node = helper.make_node("ConvInteger", ["x", "w", "zx"], ["y"], **layer.attrs())
    mod = from_onnx(model([node], inputs, constants, "int32"))
    assert (INTEGERS in mod.script()) is is_narrow
    np.testing.assert_array_equal(run(mod, inputs), layer.expected())


@pytest.mark.parametrize(
    ("axis", "shape_of_scales", "is_narrow"), [(0, (20,), True), (0, (), True), (0, (1,), True), (1, (16,), False)]
)
def test_convolutions_between_dequantization_and_quantization(
    axis: int, shape_of_scales: tuple[int, ...], is_narrow: bool
) -> None:
    layer = Layer(PLAIN, 121)
    x, w = layer.values()
    rng = np.random.default_rng(2)
    scales = rng.uniform(0.001, 0.01, shape_of_scales).astype("float32")
    bias = rng.uniform(-1, 1, 20).astype("float32")
    constants = {"sx": np.float32(0.02), "zx": np.uint8(121), "w": w, "sw": scales, "b": bias}
    constants["zw"] = np.zeros(shape_of_scales, "int8")
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "sx", "zx"], ["fx"]),
        helper.make_node("DequantizeLinear", ["w", "sw", "zw"], ["fw"], axis=axis),
        helper.make_node("Conv", ["fx", "fw", "b"], ["y"], **layer.attrs()),
    ]
    mod = from_onnx(model(nodes, {"x": x}, constants, "float32"))
    assert (INTEGERS in mod.script()) is is_narrow
    spread = scales.reshape([-1 if place == axis else 1 for place in range(4)]).astype("float64")
    wide = layer.shape.expected((x.astype("int64") - 121) * 0.02, w * spread) + bias.reshape(1, -1, 1, 1)
    np.testing.assert_allclose(run(mod, {"x": x}), wide, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
@pytest.mark.parametrize(
    ("op", "attrs", "axis", "count", "is_narrow"),
    [
        ("MatMul", {}, 1, 24, True),
        ("MatMul", {}, 1, 1, True),
        ("MatMul", {}, 0, 40, False),
        ("Gemm", {}, 1, 24, True),
        ("Gemm", {"transB": 1}, 0, 24, True),
        ("Gemm", {"transA": 1, "transB": 1}, 0, 1, True),
        ("Gemm", {"transB": 1}, 1, 40, False),
        ("Gemm", {"alpha": 0.5}, 1, 24, False),
    ],
)
def test_products_of_dequantized_matrices(
    op: str, attrs: dict[str, Any], axis: int, count: int, is_narrow: bool, dtype: str
) -> None:
    rng, range_ = np.random.default_rng(3), np.iinfo(dtype)
    a = rng.integers(range_.min, range_.max + 1, (9, 40)).astype(dtype)
    b = rng.integers(-128, 128, (40, 24)).astype("int8")
    a, b = (np.ascontiguousarray(x.T) if attrs.get(name) else x for x, name in ((a, "transA"), (b, "transB")))
    scales = rng.uniform(0.001, 0.01, count).astype("float32")
    zeros = rng.integers(-2, 3, count).astype("int8")
    constants = {"sa": np.float32(0.02), "za": np.array(11, dtype), "b": b, "sb": scales, "zb": zeros}
    nodes = [
        helper.make_node("DequantizeLinear", ["a", "sa", "za"], ["fa"]),
        helper.make_node("DequantizeLinear", ["b", "sb", "zb"], ["fb"], axis=axis),
        helper.make_node(op, ["fa", "fb"], ["y"], **attrs),
    ]
    mod = from_onnx(model(nodes, {"a": a}, constants, "float32"))
    assert (INTEGERS in mod.script()) is is_narrow
    shape = (-1, 1) if axis == 0 else (1, -1)
    wide_a, wide_b = (a.astype("int64") - 11) * 0.02, (b - zeros.reshape(shape).astype("int64")) * scales.reshape(shape)
    wide_a, wide_b = (x.T if attrs.get(name) else x for x, name in ((wide_a, "transA"), (wide_b, "transB")))
    wanted = wide_a @ wide_b.astype("float64") * attrs.get("alpha", 1.0)
    np.testing.assert_allclose(run(mod, {"a": a}), wanted, rtol=1e-5, atol=1e-4)


def test_other_users_of_dequantized_tensors_read_floats() -> None:
    a, b = np.arange(12, dtype="uint8").reshape(3, 4), np.arange(8, dtype="int8").reshape(4, 2)
    constants = {"s": np.float32(0.5), "za": np.uint8(3), "b": b, "zb": np.int8(1)}
    nodes = [
        helper.make_node("DequantizeLinear", ["a", "s", "za"], ["fa"]),
        helper.make_node("DequantizeLinear", ["b", "s", "zb"], ["fb"]),
        helper.make_node("MatMul", ["fa", "fb"], ["p"]),
        helper.make_node("ReduceSum", ["fa"], ["r"], keepdims=1),
        helper.make_node("Add", ["p", "r"], ["y"]),
    ]
    wide_a, wide_b = (a - 3.0) / 2, (b - 1.0) / 2
    result = run(from_onnx(model(nodes, {"a": a}, constants, "float32")), {"a": a})
    np.testing.assert_array_equal(result, wide_a @ wide_b + wide_a.sum())
