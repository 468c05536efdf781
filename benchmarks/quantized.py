"""Quantized convolutions and networks from ONNX, against onnxruntime, in one thread.

python -m benchmarks quantized [WORD ...]     # resnet, pointwise, depthwise: layers; networks

Layers are QLinearConv of uint8 by int8 with scales of channels. Networks are a ResNet-18 and a MobileNet of random
weights that onnxruntime quantizes, in operators (`QLinearConv`) and between `QuantizeLinear` and `DequantizeLinear`.
CPU time of the thread, the best of interleaved rounds. Results may differ by a step of the quantization.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import convolutions  # sets the number of threads of libraries
import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnxruntime import quantization
from rich.console import Console
from rich.table import Table

import tvmscript
from tvmscript import relax
from tvmscript.benchmark.timing import Race
from tvmscript.relax.frontend.onnx import from_onnx

SECONDS = 0.4
#: output channels and strides of the pointwise layers of MobileNet
MOBILENET = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *((512, 1),) * 5, (1024, 2), (1024, 1))


@dataclass
class Network:
    """Nodes and constants of an ONNX graph under construction."""

    generator: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    nodes: list[Any] = field(default_factory=list[Any])
    constants: list[Any] = field(default_factory=list[Any])

    def add(self, op: str, inputs: list[str], **attrs: Any) -> str:
        """Return the output of a new node."""
        name = f"{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attrs))
        return name

    def constant(self, values: Any) -> str:
        """Return the name of a new constant."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def conv(self, x: str, shape: tuple[int, int, int], stride: int, groups: int = 1, *, relu: bool = True) -> str:
        """Return a convolution of (input channels, output channels, width of the kernel) with a bias."""
        inputs, outputs, width = shape
        weights = self.generator.standard_normal((outputs, inputs // groups, width, width), dtype="float32")
        weights *= np.float32(math.sqrt(2 * groups / (inputs * width * width)))
        bias = self.constant(0.1 * self.generator.standard_normal(outputs, dtype="float32"))
        pads, sizes = [width // 2] * 4, {"kernel_shape": [width] * 2, "strides": [stride] * 2}
        y = self.add("Conv", [x, self.constant(weights), bias], pads=pads, group=groups, **sizes)
        return self.add("Relu", [y]) if relu else y

    def classify(self, x: str, channels: int) -> Any:
        """Return the model that computes 1,000 classes of a tensor."""
        flat = self.add("Flatten", [self.add("GlobalAveragePool", [x])])
        weights = self.constant(0.05 * self.generator.standard_normal((1000, channels), dtype="float32"))
        self.add("Gemm", [flat, weights, self.constant(np.zeros(1000, "float32"))], transB=1)
        return model(self, ("x", "float32", [1, 3, 224, 224]), ("float32", [1, 1000]))


def model(network: Network, given: tuple[str, str, list[int]], result: tuple[str, list[int]]) -> Any:
    """Return the model of a network, whose last node computes the result."""
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)
        for name, dtype, shape in (given, (network.nodes[-1].output[0], *result))
    ]
    graph = helper.make_graph(network.nodes, "network", infos[:1], infos[1:], network.constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def resnet() -> Any:
    """Return a ResNet-18."""
    network = Network()
    x = network.conv("x", (3, 64, 7), 2)
    x = network.add("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    inputs = 64
    for outputs in (64, 128, 256, 512):
        for stride in (1 if outputs == 64 else 2, 1):
            y = network.conv(network.conv(x, (inputs, outputs, 3), stride), (outputs, outputs, 3), 1, relu=False)
            x = network.conv(x, (inputs, outputs, 1), 2, relu=False) if stride == 2 else x
            x, inputs = network.add("Relu", [network.add("Add", [x, y])]), outputs
    return network.classify(x, inputs)


def mobilenet() -> Any:
    """Return a MobileNet."""
    network = Network()
    x, inputs = network.conv("x", (3, 32, 3), 2), 32
    for outputs, stride in MOBILENET:
        x, inputs = network.conv(network.conv(x, (inputs, inputs, 3), stride, inputs), (inputs, outputs, 1), 1), outputs
    return network.classify(x, inputs)


def quantized(network: Any, form: Any) -> Any:
    """Return a network that onnxruntime quantizes by three random images."""
    rng = np.random.default_rng(0)
    images = iter([{"x": rng.standard_normal((1, 3, 224, 224), dtype="float32")} for _ in range(3)])

    class Reader(quantization.CalibrationDataReader):  # type: ignore[misc]
        def get_next(self) -> Any:
            return next(images, None)

    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("float.onnx", "quantized.onnx")]
        onnx.save(network, paths[0])
        kind = quantization.QuantType.QUInt8
        quantization.quantize_static(*paths, Reader(), quant_format=form, per_channel=True, activation_type=kind)
        return onnx.load(paths[1])


def layer(shape: Any) -> Any:
    """Return the model of a layer."""
    network = Network()
    rng, (x, w, y) = network.generator, shape.shapes()
    constants = (
        *(np.float32(0.02), np.uint8(121), rng.integers(-127, 128, w).astype("int8")),
        *(rng.uniform(0.001, 0.01, w[0]).astype("float32"), np.zeros(w[0], "int8"), np.float32(2), np.uint8(100)),
        rng.integers(-1000, 1000, w[0]).astype("int32"),
    )
    network.add(
        *("QLinearConv", ["x", *map(network.constant, constants)]),
        pads=[shape.padding] * 4,
        strides=[shape.stride] * 2,
        kernel_shape=shape.kernel,
        group=shape.groups,
    )
    return model(network, ("x", "uint8", list(x)), ("uint8", list(y)))


def measure(name: str, program: Any) -> tuple[str, Mapping[str, float]]:
    """Return seconds of a model; results must be alike."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(program.SerializeToString(), options, providers=["CPUExecutionProvider"])
    (info,) = session.get_inputs()
    rng = np.random.default_rng(1)
    is_narrow = "uint8" in info.type
    x = rng.integers(0, 256, info.shape).astype("uint8") if is_narrow else rng.standard_normal(info.shape, "float32")
    built = relax.build(relax.get_pipeline("zero")(from_onnx(program)), "llvm")
    main, given = relax.VirtualMachine(built, tvmscript.cpu())["main"], tvmscript.nd.array(x)
    ours, (theirs,) = main(given).numpy().astype("float64"), session.run(None, {"x": x})
    if np.abs(ours - theirs).max() > (1 if is_narrow else 0.05 * np.abs(theirs).max()):
        raise AssertionError(f"{name}: results differ")
    calls = {"tvmscript": lambda: main(given), "onnxruntime": lambda: session.run(None, {"x": x})}
    return name, {each: timing.best for each, timing in Race(1, 1 << 20).run(calls, SECONDS).items()}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", default=[*convolutions.LAYERS, "networks"])
    words = parser.parse_args().words
    tvmscript.threads(1)
    rows = [measure(shape.name, layer(shape)) for word in words for shape in convolutions.LAYERS.get(word, ())]
    if "networks" in words:
        for name, network in (("ResNet-18", resnet()), ("MobileNet", mobilenet())):
            rows += [measure(f"{name} {form.name}", quantized(network, form)) for form in quantization.QuantFormat]
    table = Table("", "tvmscript", "onnxruntime", "onnxruntime / tvmscript", title="quantized")
    for name, seconds in rows:
        ours, theirs = seconds["tvmscript"], seconds["onnxruntime"]
        table.add_row(name, f"{ours * 1e6:,.0f} us", f"{theirs * 1e6:,.0f} us", f"{theirs / ours:.2f}")
    console = Console()
    console.print(table)
    ratios = [seconds["onnxruntime"] / seconds["tvmscript"] for _, seconds in rows]
    console.print(f"geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, least {min(ratios):.2f}")


if __name__ == "__main__":
    main()
