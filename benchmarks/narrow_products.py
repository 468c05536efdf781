"""Products of matrices of 8 and 16 bits with their default schedules, of random shapes, against PyTorch (oneDNN).

python -m benchmarks narrow_products [int8 uint8 bfloat16 float16] [--random N] [--seed S] [--vectors]

One thread each, CPU time of the thread, the best of interleaved rounds; results are checked in float64. The worst ten
are printed.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
from dataclasses import dataclass
from math import inf
from typing import Any, Final

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", TVMSCRIPT_CACHE="0")

import ml_dtypes
import torch
from machine_code import thread_seconds
from rich.console import Console
from rich.table import Table

import tvmscript

#: rounds of both, and the seconds of one in a round
ROUNDS, SECONDS = 4, 0.03
#: dtype of A -> those of B, of the sums and of C
DTYPES: Final = {
    "int8": ("int8", "int32", "int32"),
    "uint8": ("int8", "int32", "int32"),
    "bfloat16": ("bfloat16", "float32", "bfloat16"),
    "float16": ("float16", "float32", "float16"),
}


@dataclass(frozen=True)
class Product:
    """A product of matrices; rows of a transposed B are dot products."""

    dtype: str
    rows: int
    columns: int
    terms: int
    is_transposed: bool

    @property
    def name(self) -> str:
        """The sizes and the layout."""
        return f"{self.rows} x {self.columns} x {self.terms} {'nt' if self.is_transposed else 'nn'} {self.dtype}"

    @property
    def shape_of_b(self) -> tuple[int, int]:
        """The rows and columns of B in memory."""
        return (self.columns, self.terms) if self.is_transposed else (self.terms, self.columns)

    def text(self) -> str:
        """Return the program, as one writes it: what is not stored as it is added up has a block of its own."""
        right, total, stored = DTYPES[self.dtype]
        result = "C" if total == stored else "S"
        lines = [
            "@T.prim_func",
            f'def main(A: T.Buffer(({self.rows}, {self.terms}), "{self.dtype}"), '
            f'B: T.Buffer({self.shape_of_b}, "{right}"), C: T.Buffer(({self.rows}, {self.columns}), "{stored}")):',
            '    T.func_attr({"tir.noalias": T.bool(True)})',
            *([f'    S = T.alloc_buffer(({self.rows}, {self.columns}), "{total}")'] if result == "S" else []),
            f"    for i, j, k in T.grid({self.rows}, {self.columns}, {self.terms}):",
            '        with T.block("product"):',
            '            vi, vj, vk = T.axis.remap("SSR", [i, j, k])',
            "            with T.init():",
            f"                {result}[vi, vj] = T.{total}(0)",
            f'            {result}[vi, vj] = {result}[vi, vj] + T.Cast("{total}", A[vi, vk]) * '
            f'T.Cast("{total}", B[{"vj, vk" if self.is_transposed else "vk, vj"}])',
        ]
        if result == "S":
            lines += [
                f"    for i, j in T.grid({self.rows}, {self.columns}):",
                '        with T.block("rounded"):',
                '            vi, vj = T.axis.remap("SS", [i, j])',
                f'            C[vi, vj] = T.Cast("{stored}", S[vi, vj])',
            ]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Result:
    """Seconds of a product, infinity where PyTorch has none, and of its build."""

    product: Product
    ours: float
    torch: float
    build: float


def _array(shape: tuple[int, ...], dtype: str) -> Any:
    """Return a tensor of small integers: sums of them are exact in float32."""
    low, high = (0, 100) if dtype == "uint8" else (-100, 100) if dtype == "int8" else (-8, 8)
    return torch.randint(low, high, shape).to(getattr(torch, dtype))


def _numpy(tensor: Any) -> Any:
    if tensor.dtype is not torch.bfloat16:
        return tensor.numpy()
    return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)


def measure(product: Product) -> Result:
    """Build, check and time a product."""
    built: list[Any] = []
    build = thread_seconds(lambda: built.append(tvmscript.build(tvmscript.from_source(product.text()))), 0)
    function, (right, total, stored) = built[-1]["main"], DTYPES[product.dtype]
    torch.manual_seed(0)
    a, b = _array((product.rows, product.terms), product.dtype), _array(product.shape_of_b, right)
    c, theirs = (torch.zeros((product.rows, product.columns), dtype=getattr(torch, stored)) for _ in range(2))
    arrays = [_numpy(each) for each in (a, b, c)]
    function(*arrays)
    matrix = b.T if product.is_transposed else b
    expected = a.double() @ matrix.double()
    torch.testing.assert_close(c, expected.to(c.dtype), rtol=0, atol=0, msg=product.name)
    multiply = torch._int_mm if total == "int32" else torch.mm  # PyTorch has no other name for it
    seconds, calls = {"ours": inf, "torch": inf}, {"ours": lambda: function(*arrays)}
    try:
        multiply(a, matrix, out=theirs)
    except RuntimeError:  # it takes not all shapes of bytes
        theirs.zero_()
    if torch.allclose(theirs.double(), expected, rtol=1e-2):  # nor are all results right
        calls["torch"] = lambda: multiply(a, matrix, out=theirs)
    for _ in range(ROUNDS):
        for name, call in calls.items():
            seconds[name] = min(seconds[name], thread_seconds(call, SECONDS))
    return Result(product, seconds["ours"], seconds["torch"], build)


def draw(generator: random.Random, dtype: str, *, is_vector: bool) -> Product:
    """Return a product of at most 150 million terms, half of them of whole vectors."""
    while True:
        rows, columns, terms = (round(2 ** generator.uniform(0, 12)) for _ in range(3))
        if generator.random() < 0.5:
            rows, columns, terms = (size if size <= 8 else -(-size // 16) * 16 for size in (rows, columns, terms))
        rows = generator.randint(1, 8) if is_vector else rows
        if 1e4 < rows * columns * terms < 1.5e8:
            return Product(dtype, rows, columns, terms, generator.random() < 0.5)


def main(dtypes: list[str], count: int, seed: int, *, is_vector: bool) -> None:
    """Print the worst products of each dtype."""
    console = Console(width=100)
    tvmscript.threads(1)
    torch.set_num_threads(1)
    for dtype in dtypes:
        generator = random.Random(seed)
        results = [measure(draw(generator, dtype, is_vector=is_vector)) for _ in range(count)]
        results.sort(key=lambda result: result.torch / result.ours)
        table = Table("product", "us", "GFLOP/s", "of PyTorch", "build ms", title=f"{dtype} (seed {seed})")
        for result in results[:10]:
            work = 2 * result.product.rows * result.product.columns * result.product.terms
            table.add_row(
                result.product.name,
                f"{result.ours * 1e6:.1f}",
                f"{work / result.ours / 1e9:.0f}",
                f"{result.torch / result.ours:.2f}",
                f"{result.build * 1e3:.0f}",
            )
        console.print(table)
        known = [result.torch / result.ours for result in results if result.torch < inf]
        console.print(f"{dtype}: geometric mean {statistics.geometric_mean(known):.2f} of PyTorch, {len(known)} shapes")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dtypes", nargs="*", default=[*DTYPES], help="dtypes of A (all)")
    parser.add_argument("--random", type=int, default=50, help="how many random shapes (50)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30), help="seed of the random shapes")
    parser.add_argument("--vectors", action="store_true", help="up to 8 rows alone")
    options = parser.parse_args()
    main(options.dtypes, options.random, options.seed, is_vector=options.vectors)
