"""Plain convolutions with their default schedules, against oneDNN (torch) and onnxruntime where they are installed.

python benchmarks/convolutions.py [WORD ...] [--batch 1 8] [--layout NCHW NHWC] [--random N] [--seed S]

The layers of ResNet-18 (words: resnet) and MobileNet-v2 (pointwise, depthwise), and random shapes, of which the worst
ten are printed. One thread, CPU time of the thread, the best of interleaved rounds; results are checked in float64.
Weights are laid out anew in each call, by all but onnxruntime.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", TVMSCRIPT_CACHE="0")

import numpy as np
from convolution_programs import Convolution, draw
from machine_code import Peak, thread_seconds
from rich.console import Console
from rich.table import Table

import tvmscript

#: rounds of all, and the seconds of one in a round
ROUNDS, SECONDS = 3, 0.05
Call = Callable[[], object]


def _layer(inputs: int, size: int, outputs: int, kernel: int, stride: int, groups: int = 1) -> Convolution:
    return Convolution(1, inputs, outputs, (size, size), (kernel, kernel), stride, kernel // 2, groups=groups)


#: the different layers of each network
LAYERS: Mapping[str, Sequence[Convolution]] = {
    "resnet": [
        _layer(3, 224, 64, 7, 2),
        _layer(64, 56, 64, 3, 1),
        _layer(64, 56, 128, 3, 2),
        _layer(64, 56, 128, 1, 2),
        _layer(128, 28, 128, 3, 1),
        _layer(128, 28, 256, 3, 2),
        _layer(128, 28, 256, 1, 2),
        _layer(256, 14, 256, 3, 1),
        _layer(256, 14, 512, 3, 2),
        _layer(256, 14, 512, 1, 2),
        _layer(512, 7, 512, 3, 1),
    ],
    "pointwise": [
        _layer(inputs, size, outputs, 1, 1)
        for inputs, size, outputs in (
            *((32, 112, 16), (16, 112, 96), (96, 56, 24), (24, 56, 144), (144, 56, 24), (144, 28, 32), (32, 28, 192)),
            *((192, 28, 32), (192, 14, 64), (64, 14, 384), (384, 14, 64), (384, 14, 96), (96, 14, 576), (576, 14, 96)),
            *((576, 7, 160), (160, 7, 960), (960, 7, 160), (960, 7, 320), (320, 7, 1280)),
        )
    ],
    "depthwise": [
        _layer(channels, size, channels, 3, stride, channels)
        for channels, size, stride in (
            *((32, 112, 1), (96, 112, 2), (144, 56, 1), (144, 56, 2), (192, 28, 1), (192, 28, 2)),
            *((384, 14, 1), (576, 14, 1), (576, 14, 2), (960, 7, 1)),
        )
    ],
}


@dataclass(frozen=True)
class Result:
    """Seconds of a layer, ours under the empty name."""

    shape: Convolution
    seconds: Mapping[str, float]
    build_seconds: float

    @property
    def rate(self) -> float:
        """Operations a second."""
        return 2 * self.shape.multiplications / self.seconds[""]

    def ratio(self, peer: str) -> float | None:
        """The time of a peer in ours, None if it did not run."""
        return self.seconds[peer] / self.seconds[""] if peer in self.seconds else None


def _aligned(array: Any) -> Any:
    """Return a copy that starts at a cache line, as the allocators of libraries place arrays."""
    memory = np.zeros(array.nbytes + 64, "uint8")
    start = -memory.ctypes.data % 64
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def torch_call(shape: Convolution, x: Any, w: Any) -> Call | None:
    """Return a call of oneDNN on the same data, None if torch has no such layout."""
    if shape.layout == "NCHWc":
        return None
    import torch

    torch.set_num_threads(1)
    data, weights = torch.from_numpy(x), torch.from_numpy(w)
    if shape.layout == "NHWC":
        data, weights = data.movedim(-1, 1), weights.movedim((-1, -2), (0, 1))
    function = (torch.conv1d, torch.conv2d, torch.conv3d)[len(shape.sizes) - 1]
    stride, padding, dilation, groups = shape.stride, shape.padding, shape.dilation, shape.groups

    def call() -> object:
        with torch.inference_mode():
            return function(data, weights, None, stride, padding, dilation, groups)

    return call


def onnxruntime_call(shape: Convolution, x: Any, w: Any) -> Call | None:
    """Return a call of onnxruntime, whose weights are constant, None for other layouts than its own."""
    if shape.layout != "NCHW" or shape.dtype != "float32":
        return None
    import onnx
    import onnxruntime

    count = len(shape.sizes)
    _, _, output = shape.shapes()
    node = onnx.helper.make_node(
        "Conv",
        ["x", "w"],
        ["y"],
        strides=[shape.stride] * count,
        pads=[shape.padding] * 2 * count,
        dilations=[shape.dilation] * count,
        group=shape.groups,
    )
    kind = onnx.TensorProto.FLOAT
    values = [onnx.helper.make_tensor_value_info(*each) for each in (("x", kind, x.shape), ("y", kind, output))]
    graph = onnx.helper.make_graph([node], "g", values[:1], values[1:], [onnx.numpy_helper.from_array(w, "w")])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, {"x": x})


PEERS: Mapping[str, tuple[Callable[[Convolution, Any, Any], Call | None], Sequence[str]]] = {
    "torch": (torch_call, ("torch",)),
    "onnxruntime": (onnxruntime_call, ("onnx", "onnxruntime")),
}


def measure(shape: Convolution, peers: Sequence[str]) -> Result:
    """Build, check and time a layer."""
    built: list[Any] = []
    build_seconds = thread_seconds(lambda: built.append(tvmscript.build(tvmscript.from_source(shape.text()))), 0)
    function = built[-1]["main"]
    x, w, y = (_aligned(each) for each in shape.arguments(np.random.default_rng(0)))
    function(x, w, y)
    np.testing.assert_allclose(y, shape.expected(x, w), rtol=0, atol=shape.tolerance(), err_msg=shape.name)
    calls: dict[str, Call] = {"": lambda: function(x, w, y)}
    for peer in peers:
        call = PEERS[peer][0](shape, x, w)
        if call is not None:
            calls[peer] = call
    seconds = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            seconds[name] = min(seconds[name], thread_seconds(call, SECONDS))
    return Result(shape, seconds, build_seconds)


def show(console: Console, title: str, results: Sequence[Result], peers: Sequence[str], peak: float) -> None:
    """Print a table of results."""
    table = Table("layer", "GF/s", "of peak", *(f"of {peer}" for peer in peers), "µs", "build ms", title=title)
    for result in results:
        ratios = [result.ratio(peer) for peer in peers]
        best = peak / (2 if result.shape.dtype == "float64" else 1)
        table.add_row(
            result.shape.name,
            f"{result.rate / 1e9:.1f}",
            f"{result.rate / best:.2f}",
            *("" if ratio is None else f"{ratio:.2f}" for ratio in ratios),
            f"{result.seconds[''] * 1e6:.0f}",
            f"{result.build_seconds * 1e3:.0f}",
        )
    console.print(table)
    for peer in peers:
        ratios = [ratio for result in results if (ratio := result.ratio(peer)) is not None]
        if ratios:
            mean, least = statistics.geometric_mean([*ratios]), min(ratios)
            console.print(f"{title}: geometric mean {mean:.2f}, least {least:.2f} of {peer}")


def main(words: Sequence[str], batches: Sequence[int], layouts: Sequence[str], count: int, seed: int) -> None:
    """Print the layers of the networks, and the worst of the random shapes."""
    console, peak, generator = Console(width=120), Peak(), random.Random(seed)
    peers = [name for name, (_, needed) in PEERS.items() if all(map(importlib.util.find_spec, needed))]
    tvmscript.threads(1)
    peak.run()
    for network, layers in LAYERS.items():
        shapes = [
            replace(layer, batch=batch, layout=layout) for batch in batches for layout in layouts for layer in layers
        ]
        if not words or network in words:
            results = [measure(shape, peers) for shape in shapes]
            peak.run()
            show(console, network, results, peers, peak.rate)
    drawn = [measure(draw(generator), peers) for _ in range(count)]
    if drawn:
        drawn.sort(key=lambda result: result.ratio("torch") or result.rate / peak.rate * 4)
        show(console, f"the worst of {count} random shapes (seed {seed})", drawn[:10], peers, peak.rate)
        ratios = [ratio for result in drawn if (ratio := result.ratio("torch")) is not None]
        if ratios:
            console.print(f"geometric mean of the random shapes: {statistics.geometric_mean(ratios):.2f} of torch")
    console.print(f"peak {peak.rate / 1e9:.1f} GF/s (float32 FMA), one thread; peers: {', '.join(peers) or 'none'}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="networks: resnet, pointwise, depthwise (all)")
    parser.add_argument("--batch", type=int, nargs="*", default=[1], help="batch sizes (1)")
    parser.add_argument("--layout", nargs="*", default=["NCHW", "NHWC"], help="layouts (NCHW NHWC)")
    parser.add_argument("--random", type=int, default=0, help="how many random shapes (0)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30), help="seed of the random shapes")
    options = parser.parse_args()
    main(options.words, options.batch, options.layout, options.random, options.seed)
