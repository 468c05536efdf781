"""A product of float16 matrices on Hopper: two warp groups, wgmma on swizzled tiles, four stages of copies.

Run it with `python examples/cuda/hopper_matmul.py`: it runs a small size in the interpreter, without a GPU, and says
what the compiler makes of a large one.
"""

from __future__ import annotations

import numpy as np

import tvmscript
from tvmscript.backends.cuda.module import CudaModule
from tvmscript.ir.tir import PrimFunc

#: rows and terms of a tile, stages of copies, tiles whose rows are neighbours in the order of blocks
ROWS, TERMS, STAGES, GROUP = 128, 64, 4, 8

# A is (m, k), B is (n, k). Tiles have rows of 128 bytes, whose eight chunks of 16 bytes change places by the number of
# the row: neither copies nor products have conflicts of banks. A stage is overwritten when both groups have passed the
# barrier after the product that reads it.
KERNEL = """
# from tvm.script import tirx as T
@T.prim_func
def main(A: T.Buffer(({m}, {k}), "float16"), B: T.Buffer(({n}, {k}), "float16"), C: T.Buffer(({m}, {n}), "float16")):
    bx = T.launch_thread("blockIdx.x", {tiles_m} * {tiles_n})
    tx = T.launch_thread("threadIdx.x", 256)
    SA = T.decl_buffer(({stages} * {rows} * 64,), "float16", scope="shared.dyn")
    SB = T.decl_buffer(({stages} * {columns} * 64,), "float16", scope="shared.dyn")
    d = T.decl_buffer(({sums},), "float32", scope="local")
    desc = T.decl_buffer((2,), "uint64", scope="local")
    size: T.let[T.int32] = T.min({group}, {tiles_m} - bx // ({group} * {tiles_n}) * {group})
    row: T.let[T.int32] = (bx // ({group} * {tiles_n}) * {group} + bx % ({group} * {tiles_n}) % size) * {rows}
    column: T.let[T.int32] = bx % ({group} * {tiles_n}) // size * {columns}
    for i in T.unroll({sums}):
        d[i] = T.float32(0)
    for s in T.unroll({stages} - 2):
        if s < {steps}:
{first_copies}
        T.ptx.cp.async_.commit_group()
    for t in range({steps}):
        T.ptx.cp.async_.wait_group({stages} - 3)
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        if t + {stages} - 2 < {steps}:
{copies}
        T.ptx.cp.async_.commit_group()
        T.cuda.wgmma.encode_matrix_descriptor(
            T.address_of(desc[0]), T.address_of(SA[t % {stages} * {rows} * 64 + tx // 128 * 4096]), 1, 64, 3)
        T.cuda.wgmma.encode_matrix_descriptor(
            T.address_of(desc[1]), T.address_of(SB[t % {stages} * {columns} * 64]), 1, 64, 3)
        T.ptx.wgmma.fence.sync.aligned()
        for k in T.unroll(4):
            T.ptx.wgmma.mma_async.sync.aligned.m64n{columns}k16.f32.f16.f16(
                {registers}, desc[0] + T.cast(k * 2, "uint64"), desc[1] + T.cast(k * 2, "uint64"), True, 1, 1, 0, 0)
        T.ptx.wgmma.commit_group.sync.aligned()
        T.ptx.wgmma.wait_group.sync.aligned(1)
    T.ptx.wgmma.wait_group.sync.aligned(0)
    for i in T.unroll({sums} // 2):
        for v in T.vectorized(2):
            C[row + tx // 32 * 16 + i % 2 * 8 + tx % 32 // 4, column + i // 2 * 8 + tx % 4 * 2 + v] = T.cast(
                d[i * 2 + v], "float16")
"""
COPY = """
            for i in T.unroll({rows} // 32):
                T.ptx.cp.async_.cg.shared.global_(
                    T.address_of({shared}[({step}) % {stages} * {rows} * 64 + i * 2048 + tx // 8 * 64
                                          + T.bitwise_xor(tx % 8, tx // 8 % 8) * 8]),
                    T.address_of({given}[{first} + i * 32 + tx // 8, ({step}) * 64 + tx % 8 * 8]), 16)
"""


def hopper_matmul(m: int, n: int, k: int, columns: int = 256) -> PrimFunc:
    """Return the kernel of C = A @ B.T for sizes that are multiples of 128, `columns` and 64; columns of 32."""
    assert columns % 32 == 0
    assert m % ROWS == n % columns == k % TERMS == 0

    def copies(step: str) -> str:
        return "".join(
            COPY.format(shared=shared, given=given, first=first, rows=rows, step=step, stages=STAGES)
            for shared, given, first, rows in (("SA", "A", "row", ROWS), ("SB", "B", "column", columns))
        )

    text = KERNEL.format(
        m=m, n=n, k=k, rows=ROWS, columns=columns, stages=STAGES, group=GROUP, steps=k // TERMS, tiles_m=m // ROWS,
        tiles_n=n // columns, sums=columns // 2, registers=", ".join(f"d[{place}]" for place in range(columns // 2)),
        first_copies=copies("s"), copies=copies(f"t + {STAGES - 2}"),
    )  # fmt: skip
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    return func


def main() -> None:
    """Run a small size, and report on a large one."""
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, shape).astype("float16") for shape in ((128, 128), (32, 128)))
    c = np.zeros((128, 32), "float16")
    tvmscript.build(hopper_matmul(128, 32, 128, columns=32), target="interp")["main"](a, b, c)
    print("equal to NumPy:", np.array_equal(c, a.astype("float32") @ b.T.astype("float32")))
    module = tvmscript.build(hopper_matmul(4096, 4096, 4096), target="cuda -arch=sm_90a")
    assert isinstance(module, CudaModule)
    for report in module.report():
        print(report)


if __name__ == "__main__":
    main()
