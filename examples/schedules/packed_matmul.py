"""A schedule, step by step: a matrix product that uses the caches, the vector unit and all cores of a CPU.

The kernel says what is computed, in the order that is easiest to read. The schedule says how: every step makes a new
program that computes the same. Run it with `python examples/schedules/packed_matmul.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

import tvmscript
from tvmscript import T

N = 512
#: how long each program is timed
SECONDS = 0.5
#: rows and columns of a tile of C: it fits into the vector registers of a core
ROWS, COLUMNS = 8, 32


@T.prim_func
def matmul(
    A: Annotated[T.Buffer, (512, 512), "float32"],
    B: Annotated[T.Buffer, (512, 512), "float32"],
    C: Annotated[T.Buffer, (512, 512), "float32"],
) -> None:
    T.func_attr({"tir.noalias": T.bool(True)})
    # with T.block("root"):
    for i, j, k in T.grid(512, 512, 512):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk], B[vk, vj])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]


def schedule(sch: tvmscript.Schedule) -> None:
    """Tiled, packed, vectorized, parallel."""
    product = sch.get_block("C")

    # Tiles: C is computed in pieces of 8 x 32. All of k is summed up for one piece before the next one begins, so the
    # piece stays in registers, and each element of A and B that was loaded is used many times.
    i, j, k = sch.get_loops(product)
    i_tile, i_in_tile = sch.split(i, [None, ROWS])
    j_tile, j_in_tile = sch.split(j, [None, COLUMNS])
    sch.reorder(i_tile, j_tile, k, i_in_tile, j_in_tile)

    # Packed: a piece of C reads 32 columns of B, which are far apart in memory. A copy has them one behind the other:
    # element (k, j) of B is at (j // 32, k, j % 32) of the copy, which is made once, before everything else.
    packed = sch.cache_read(product, 1, "global")
    sch.transform_layout(packed, ("write", 0), lambda k, j: (j // COLUMNS, k, j % COLUMNS))
    rows_of_copy, columns_of_copy = sch.get_loops(packed)
    _, columns_in_tile = sch.split(columns_of_copy, [None, COLUMNS])
    sch.vectorize(columns_in_tile)
    sch.parallel(rows_of_copy)

    # The piece is summed up in memory of its own, and written to C when it is complete.
    written = sch.cache_write(product, 0, "local")
    sch.reverse_compute_at(written, j_tile)
    sch.vectorize(sch.get_loops(written)[-1])

    # Vectorized: 32 columns at once. Unrolled: the 8 rows become straight code. Parallel: cores share the tiles.
    sch.vectorize(j_in_tile)
    sch.unroll(i_in_tile)
    sch.parallel(i_tile)

    # The zeros come before the loop over k, and not in it with a test whether this is the first iteration.
    sch.decompose_reduction(product, k)


def seconds(function: Callable[..., Any], *arrays: Any) -> float:
    """The time of the fastest call within a while; on a busy machine the threads wait for each other."""
    times: list[float] = []
    while len(times) < 3 or sum(times) < SECONDS:
        start = time.perf_counter()
        function(*arrays)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Check both programs against NumPy, and tell how much faster the second one is."""
    sch = tvmscript.Schedule(matmul)
    schedule(sch)
    print(sch.mod.script())

    generator = np.random.default_rng(0)
    a, b = (generator.uniform(-1, 1, (N, N)).astype("float32") for _ in range(2))
    times: dict[str, float] = {}
    for name, program in (("as written", matmul), ("scheduled", sch.mod)):
        kernel = tvmscript.build(program)
        function = next(iter(kernel.functions.values()))
        c = np.zeros((N, N), "float32")
        function(a, b, c)
        np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-4)
        times[name] = seconds(function, a, b, c)
        print(f"{name}: {times[name] * 1e3:.2f} ms, {2 * N**3 / times[name] * 1e-9:.1f} GFLOP/s")
    print(f"{times['as written'] / times['scheduled']:.0f} times as fast")


if __name__ == "__main__":
    main()
