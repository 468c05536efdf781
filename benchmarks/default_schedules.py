"""Plain matrix products with their default schedules, against NumPy and the peak of this machine, in one run.

python benchmarks/default_schedules.py [--random N] [--seed S]      # sizes drawn anew; the worst ten are printed
python benchmarks/default_schedules.py --kind softmax               # memory-bound kernels, against PyTorch as well
python benchmarks/default_schedules.py --kind softmax --dtypes bfloat16

One thread each, CPU time of the thread, the best of interleaved rounds; results are checked in float64.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
from dataclasses import dataclass
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", TVMSCRIPT_CACHE="0")

import numpy as np
import plain_kernels
from machine_code import Peak, thread_seconds
from rich.console import Console
from rich.table import Table

import tvmscript

#: rounds of both, and the seconds of one in a round
ROUNDS, SECONDS = 3, 0.03
LAYOUTS = ("nn", "nt", "tn", "tt")
#: rows, columns, terms, layout, dtype, batch
Shape = tuple[int, int, int, str, str, int]
FIXED: tuple[Shape, ...] = (
    *((size, size, size, "nn", "float32", 1) for size in (16, 32, 64, 100, 127, 128, 200, 256, 512, 1000, 1024)),
    *((256, 256, 256, layout, "float32", 1) for layout in LAYOUTS[1:]),
    (256, 256, 256, "nn", "float64", 1),
    (64, 64, 64, "nn", "float32", 12),
    (1, 1024, 1024, "nn", "float32", 1),
    (1024, 1, 1024, "nn", "float32", 1),
    (8, 1024, 1024, "nn", "float32", 1),
    (1024, 8, 1024, "nn", "float32", 1),
)


@dataclass(frozen=True)
class Result:
    """Rates of a shape, in operations a second of one thread."""

    shape: Shape
    ours: float
    numpy: float
    build_seconds: float


def text_of(shape: Shape) -> str:
    """Return the program, as one writes it."""
    rows, columns, terms, layout, dtype, batch = shape
    a_shape, a = ((terms, rows), "vk, vi") if layout[0] == "t" else ((rows, terms), "vi, vk")
    b_shape, b = ((columns, terms), "vj, vk") if layout[1] == "t" else ((terms, columns), "vk, vj")
    return f"""
@T.prim_func
def main(
    A: T.Buffer(({batch}, {a_shape[0]}, {a_shape[1]}), "{dtype}"),
    B: T.Buffer(({batch}, {b_shape[0]}, {b_shape[1]}), "{dtype}"),
    C: T.Buffer(({batch}, {rows}, {columns}), "{dtype}"),
):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for l, i, j, k in T.grid({batch}, {rows}, {columns}, {terms}):
        with T.block("C"):
            vl, vi, vj, vk = T.axis.remap("SSSR", [l, i, j, k])
            with T.init():
                C[vl, vi, vj] = T.{dtype}(0)
            C[vl, vi, vj] = C[vl, vi, vj] + A[vl, {a}] * B[vl, {b}]
"""


def measure(shape: Shape) -> Result:
    """Build, check and time a shape."""
    rows, columns, terms, layout, dtype, batch = shape
    built: list[Any] = []
    build_seconds = thread_seconds(lambda: built.append(tvmscript.build(tvmscript.from_source(text_of(shape)))), 0)
    function, generator = built[-1]["main"], np.random.default_rng(0)
    a, b = (
        generator.random((batch, *(size[::-1] if mark == "t" else size)), dtype)
        for size, mark in zip(((rows, terms), (terms, columns)), layout, strict=True)
    )
    c = np.zeros((batch, rows, columns), dtype)
    left, right = (np.swapaxes(each, 1, 2) if mark == "t" else each for each, mark in zip((a, b), layout, strict=True))
    function(a, b, c)
    np.testing.assert_allclose(c, left.astype("float64") @ right.astype("float64"), rtol=1e-4)
    ours = numpy = float("inf")
    for _ in range(ROUNDS):
        ours = min(ours, thread_seconds(lambda: function(a, b, c), SECONDS))
        numpy = min(numpy, thread_seconds(lambda: np.matmul(left, right, out=c), SECONDS))
    flops = 2 * batch * rows * columns * terms
    return Result(shape, flops / ours, flops / numpy, build_seconds)


def draw(generator: random.Random) -> Shape:
    """Return a shape of at most about a hundred million operations."""
    sizes = [round(2 ** generator.uniform(0, 10)) for _ in range(3)]
    while sizes[0] * sizes[1] * sizes[2] > 1 << 26:
        sizes = [max(size // 2, 1) for size in sizes]
    dtype = generator.choice(("float32", "float32", "float64"))
    return sizes[0], sizes[1], sizes[2], generator.choice(LAYOUTS), dtype, generator.choice((1, 1, 3))


def show(console: Console, title: str, results: list[Result], peak: float) -> None:
    """Print a table of results."""
    table = Table("rows x columns x terms", "GF/s", "of peak", "of NumPy", "build ms", title=title)
    for result in results:
        rows, columns, terms, layout, dtype, batch = result.shape
        best = peak / (2 if dtype == "float64" else 1)
        table.add_row(
            f"{f'{batch} x ' if batch > 1 else ''}{rows} x {columns} x {terms} {layout} {dtype}",
            f"{result.ours / 1e9:.1f}",
            f"{result.ours / best:.2f}",
            f"{result.ours / result.numpy:.2f}",
            f"{result.build_seconds * 1e3:.0f}",
        )
    console.print(table)


def main(count: int, seed: int) -> None:
    """Print the fixed shapes, and the worst of the random ones."""
    console, peak, generator = Console(width=100), Peak(), random.Random(seed)
    tvmscript.threads(1)
    peak.run()
    fixed = [measure(shape) for shape in FIXED]
    drawn = [measure(draw(generator)) for _ in range(count)]
    peak.run()
    show(console, "plain matrix products", fixed, peak.rate)
    if drawn:
        drawn.sort(key=lambda result: result.ours / result.numpy)
        show(console, f"the worst of {count} random shapes (seed {seed})", drawn[:10], peak.rate)
        mean = statistics.geometric_mean([result.ours / result.numpy for result in drawn])
        console.print(f"geometric mean of the random shapes: {mean:.2f} of NumPy")
    console.print(f"peak {peak.rate / 1e9:.1f} GF/s (float32 FMA), one thread")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=200, help="how many random shapes (200)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30), help="seed of the random shapes")
    kinds = ("matmul", *plain_kernels.KINDS)
    parser.add_argument("--kind", choices=kinds, default="matmul", help="what is timed; --random 0: fixed sizes alone")
    parser.add_argument("--dtypes", nargs="*", default=(), help="of memory-bound kernels (float32 and float64)")
    options = parser.parse_args()
    if options.kind == "matmul":
        main(options.random, options.seed)
    else:
        plain_kernels.run(options.kind, options.random, options.seed, options.dtypes)
