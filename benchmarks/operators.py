"""CPU time to define 100 operators of `topi` and to lower their classic schedules, side by side with TVM 0.17.

    python benchmarks/operators.py                            # this package
    python benchmarks/operators.py --peer COMMAND ...         # and TVM, of `COMMAND ... benchmarks/operators.py`

The command is a Python that has TVM, or `python ../shared/oracle/oracle.py exec`.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

_PEER = "--peer"
#: of how many runs the fastest counts
_ROUNDS = 7

try:
    tvm: Any = importlib.import_module("tvm")
except ImportError:
    tvm = importlib.import_module("tvmscript")
te, topi, nn = (importlib.import_module(f"{tvm.__name__}.{name}") for name in ("te", "topi", "topi.nn"))

_UNARY = (
    "exp log sqrt tanh sigmoid abs floor ceil round trunc sin cos tan erf rsqrt negative sign identity fast_exp "
    "fast_tanh"
)
_BINARY = "add subtract multiply divide maximum minimum power equal not_equal greater less greater_equal less_equal mod"


def operators() -> Iterator[tuple[list[Any], Callable[[], Any]]]:
    """Inputs of each operator, and the operator."""
    A, B, V = (te.placeholder(shape, name=name) for name, shape in (("A", (64, 64)), ("B", (64, 64)), ("V", (64,))))
    image, kernel = te.placeholder((1, 8, 14, 14), name="I"), te.placeholder((16, 8, 3, 3), name="W")
    for name in _UNARY.split():
        yield [A], lambda name=name: getattr(topi, name)(A)
    for name in _BINARY.split():
        yield [A, B], lambda name=name: getattr(topi, name)(A, B)
        yield [A, V], lambda name=name: getattr(topi, name)(A, V)
    for name in ("sum", "max", "min", "prod"):
        for axis in (None, 0, 1, (0, 1)):
            yield [A], lambda name=name, axis=axis: getattr(topi, name)(A, axis=axis)
    for stride in (1, 2):
        for padding in (0, 1):
            yield [image, kernel], lambda stride=stride, padding=padding: nn.conv2d(image, kernel, stride, padding, 1)
    for function in (
        nn.softmax, nn.log_softmax, nn.relu, lambda x: nn.leaky_relu(x, 0.1), topi.transpose,
        lambda x: topi.reshape(x, (16, 256)), lambda x: topi.expand_dims(x, 0), lambda x: topi.flip(x, 0),
        lambda x: topi.strided_slice(x, [0, 0], [32, 32], [2, 2]), lambda x: topi.tile(x, (2, 2)),
        lambda x: topi.repeat(x, 2, 0), lambda x: topi.clip(x, 0.0, 6.0), lambda x: topi.cast(x, "int32"),
        lambda x: nn.pad(x, (1, 1), (1, 1), 0.0), lambda x: topi.split(x, 2, 0)[0], lambda x: topi.squeeze(x),
        lambda x: topi.nn.relu(topi.exp(x)),
    ):  # fmt: skip
        yield [A], lambda function=function: function(A)
    for function in (
        nn.matmul, lambda x, y: nn.matmul(x, y, transpose_b=True), nn.dense, lambda x, y: topi.concatenate([x, y], 0),
        lambda x, y: topi.stack([x, y], 0), lambda x, y: topi.where(topi.greater(x, y), x, y),
        lambda x, y: nn.relu(topi.add(x, y)), lambda x, y: topi.elemwise_sum([x, y]),
    ):  # fmt: skip
        yield [A, B], lambda function=function: function(A, B)
    for function in (
        lambda x: topi.squeeze(x, 0), lambda x: topi.layout_transform(x, "NCHW", "NCHW4c"),
        lambda x: nn.global_pool(x, "avg", "NCHW"), lambda x: nn.adaptive_pool(x, (2, 2), "avg", "NCHW"),
        lambda x: nn.pool2d(x, (2, 2), (2, 2), (1, 1), (0, 0, 0, 0), "max"),
    ):  # fmt: skip
        yield [image], lambda function=function: function(image)
    yield [V], lambda: topi.broadcast_to(V, (64, 64))
    yield [], lambda: topi.full((4, 4), "float32", 1.0)


def measure() -> dict[str, Any]:
    """Return the seconds of both, and the number of operators."""
    cases = list(operators())
    times: list[tuple[float, float]] = []
    for _ in range(_ROUNDS):
        begin = time.process_time()
        outputs = [define() for _, define in cases]
        middle = time.process_time()
        for (inputs, _), output in zip(cases, outputs, strict=True):
            tvm.lower(te.create_schedule(output.op), [*inputs, output], simple_mode=True)
        times.append((middle - begin, time.process_time() - middle))
    define, lower = min(times, key=sum)
    return {"name": tvm.__name__, "operators": len(cases), "define": define, "lower": lower}


def main() -> None:
    """Measure here, and of the peer."""
    results = [measure()]
    if _PEER in sys.argv:
        command = [*sys.argv[sys.argv.index(_PEER) + 1 :], __file__]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        results.append(json.loads(output.splitlines()[-1]))
    elif tvm.__name__ == "tvm":
        print(json.dumps(results[0]))
        return
    for each in results:
        print(
            f"{each['name']:10} {each['operators']} operators: define {each['define'] * 1e3:.0f} ms,"
            f" lower {each['lower'] * 1e3:.0f} ms"
        )
    if len(results) > 1:
        ours, theirs = results
        ratios = [f"{step} {ours[step] / theirs[step]:.2f}" for step in ("define", "lower")]
        print(f"time of {ours['name']} / {theirs['name']}: {', '.join(ratios)}")


if __name__ == "__main__":
    main()
