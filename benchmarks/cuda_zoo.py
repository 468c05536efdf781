"""What two processes take to build and compile a zoo of 100 kernels for sm_90a: `python -m benchmarks cuda_zoo`.

Nothing is cached. CPU milliseconds of the slowest kernels are printed, and the sums of both steps.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final

os.environ["TVMSCRIPT_CACHE"] = "0"

import tvmscript
from tvmscript import te, topi

Maker = Callable[[], Any]
_KERNELS, _PROCESSES, _SHOWN = 100, 2, 10
_TARGET: Final = "cuda -arch=sm_90a"
_UNARY: Final = (
    "abs", "ceil", "cos", "erf", "exp", "floor", "log", "negative", "rsqrt", "sigmoid", "sin", "sqrt", "tanh", "sign",
)  # fmt: skip


def _kernel(dtype: str, function: Callable[..., Any], *shapes: tuple[int, ...]) -> Maker:
    def make() -> Any:
        inputs = [te.placeholder(shape, dtype, f"A{number}") for number, shape in enumerate(shapes)]
        results = function(*inputs)
        return te.create_prim_func([*inputs, *(results if isinstance(results, list) else [results])])

    return make


def _zoo() -> Iterator[tuple[str, Maker]]:
    matrix, image = (1024, 1000), (8, 64, 56, 56)
    for dtype in ("float32", "float16"):
        for name in _UNARY:
            yield f"{name} {dtype}", _kernel(dtype, getattr(topi, name), matrix)
        for name in ("add", "multiply", "maximum", "divide", "subtract"):
            yield f"{name} {dtype}", _kernel(dtype, getattr(topi, name), matrix, matrix)
            yield f"{name} of rows {dtype}", _kernel(dtype, getattr(topi, name), matrix, (1000,))
        for name in ("sum", "max", "min"):
            for axis in (0, 1, None):
                yield f"{name} {axis} {dtype}", _kernel(dtype, lambda a, n=name, x=axis: getattr(topi, n)(a, x), matrix)
        yield f"softmax {dtype}", _kernel(dtype, topi.nn.softmax, matrix)
        yield f"log softmax {dtype}", _kernel(dtype, topi.nn.log_softmax, matrix)
        norm = _kernel(dtype, lambda a, b, c: topi.nn.layer_norm(a, b, c, [1]), matrix, (1000,), (1000,))
        yield f"layer norm {dtype}", norm
        yield f"RMS norm {dtype}", _kernel(dtype, lambda a, b: topi.nn.rms_norm(a, b, [1]), matrix, (1000,))
        yield f"transpose {dtype}", _kernel(dtype, lambda a: topi.transpose(a, (1, 0)), matrix)
        yield f"heads first {dtype}", _kernel(dtype, lambda a: topi.transpose(a, (0, 2, 1, 3)), (8, 128, 16, 64))
        yield f"GEMV {dtype}", _kernel(dtype, topi.nn.dense, (1, 4096), (1024, 4096))
        for size in (256, 1024, 2048):
            product = _kernel(dtype, lambda a, b: topi.nn.dense(a, b, out_dtype="float32"), (size, 1024), (size, 1024))
            yield f"dense {size} {dtype}", product
        batches = _kernel(dtype, topi.nn.batch_matmul, (8, 256, 64), (8, 256, 64))
        yield f"batch matmul {dtype}", batches
        windows = _kernel(dtype, lambda a, w: topi.nn.conv2d_nchw(a, w, 1, 1, 1), image, (64, 64, 3, 3))
        yield f"conv2d NCHW {dtype}", windows
        pooled = _kernel(dtype, lambda a: topi.nn.pool2d(a, (2, 2), (2, 2), (1, 1), (0, 0, 0, 0), "max"), image)
        yield f"max pool {dtype}", pooled
        yield f"slice {dtype}", _kernel(dtype, lambda a: topi.strided_slice(a, [0, 8], [1024, 808]), matrix)
    heads = (2, 512, 8, 64)
    attention = _kernel("float16", lambda q, k, v: topi.graph.attention(q, k, v, None, None, None, None), *[heads] * 3)
    yield "attention float16", attention
    channels_last = _kernel(
        "float16", lambda a, w: topi.nn.conv2d_nhwc(a, w, 1, 1, 1, out_dtype="float32"), (8, 56, 56, 64), (3, 3, 64, 64)
    )
    yield "conv2d NHWC float16", channels_last
    yield "cumsum float32", _kernel("float32", lambda a: topi.cumsum(a, 1), matrix)
    yield "argmax float32", _kernel("float32", lambda a: topi.argmax(a, 1), matrix)
    yield "topk float32", _kernel("float32", lambda a: topi.topk(a, 8, 1), (1024, 64))
    yield "sort float32", _kernel("float32", lambda a: topi.sort(a, 1), (16, 1000))


def _compile(number: int) -> tuple[str, float, float]:
    """Build and compile a kernel; return its name and the CPU seconds of both."""
    name, make = list(_zoo())[number]
    func = make()
    start = time.process_time()
    module: Any = tvmscript.build(func, target=_TARGET)
    built = time.process_time()
    module.get_source("ptx")
    return name, built - start, time.process_time() - built


def main() -> None:
    """Compile the zoo, and print what it took."""
    numbers = range(min(_KERNELS, len(list(_zoo()))))
    start = time.perf_counter()
    with ProcessPoolExecutor(_PROCESSES) as pool:
        times = list(pool.map(_compile, numbers, chunksize=1))
    seconds = time.perf_counter() - start
    for name, built, compiled in sorted(times, key=lambda each: -each[1] - each[2])[:_SHOWN]:
        print(f"{name}: build {1e3 * built:.0f} ms, NVRTC {1e3 * compiled:.0f} ms")
    built, compiled = sum([each[1] for each in times]), sum([each[2] for each in times])
    print(f"{len(times)} kernels in {seconds:.1f} s by {_PROCESSES} processes")
    print(f"CPU: build {built:.1f} s, NVRTC {compiled:.1f} s")


if __name__ == "__main__":
    main()
