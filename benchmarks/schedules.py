"""Schedules over a matrix product and over modules of many blocks, written so that both sides run them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from measure import best

#: blocks of the modules
SIZES = (10, 100, 1_000)

MATMUL = """@T.prim_func
def main(A: T.Buffer((512, 512), "float32"), B: T.Buffer((512, 512), "float32"), C: T.Buffer((512, 512), "float32")):
    for i, j, k in T.grid(512, 512, 512):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""


def module(blocks: int) -> str:
    """One function of pairs of blocks: the first of each is inlined into the second, which is read by the next pair."""
    names = [f"B{number}" for number in range(blocks)]
    parts = ["@T.prim_func", 'def main(A: T.Buffer((64, 64), "float32"), D: T.Buffer((64, 64), "float32")):']
    parts += [f'    {name} = T.alloc_buffer((64, 64), "float32")' for name in names[:-1]]
    for number, name in enumerate(names):
        source, target = names[number - 1] if number else "A", name if number < blocks - 1 else "D"
        parts += [
            "    for i, j in T.grid(64, 64):",
            f'        with T.block("{name}"):',
            '            vi, vj = T.axis.remap("SS", [i, j])',
            f"            {target}[vi, vj] = {source}[vi, vj] * T.float32(0.5) + T.float32({number + 1})",
        ]
    return "\n".join(parts) + "\n"


def _block(sch: Any, name: str) -> Any:
    """A block by name: TVM 0.27 calls it a schedulable block."""
    return sch.get_block(name) if hasattr(sch, "get_block") else sch.get_sblock(name)


def matmul(sch: Any) -> None:
    """Twelve steps that make a matrix product tiled, cached, vectorized and parallel."""
    block = _block(sch, "C")
    i, j, k = sch.get_loops(block)
    i0, i1 = sch.split(i, [None, 32])
    j0, j1 = sch.split(j, [None, 32])
    k0, k1 = sch.split(k, [None, 4])
    sch.reorder(i0, j0, k0, i1, k1, j1)
    written = sch.cache_write(block, 0, "global")
    sch.reverse_compute_at(written, j0)
    packed = sch.cache_read(block, 1, "global")
    sch.compute_at(packed, k0)
    sch.vectorize(j1)
    fused = sch.fuse(i0, j0)
    sch.parallel(fused)
    sch.decompose_reduction(block, k0)


def programs() -> dict[str, str]:
    """What is scheduled, in the dialect of TVM 0.17."""
    return {"matrix product": MATMUL, **{f"{size:,} blocks": module(size) for size in SIZES}}


def measure(texts: dict[str, str], read: Callable[[str], Any], schedule: Callable[[Any], Any]) -> dict[str, float]:
    """Seconds of each schedule; reading the program is not in them."""
    times: dict[str, float] = {}
    for name, text in texts.items():
        times[name] = best(partial(_schedule, read(text), schedule, text.count("axis.remap")), least=2)
    return times


def _schedule(program: Any, schedule: Callable[[Any], Any], blocks: int) -> None:
    sch = schedule(program)
    if blocks == 1:
        matmul(sch)
    else:
        every_block(sch, blocks)


def every_block(sch: Any, blocks: int) -> None:
    """Per pair of blocks: the first is inlined, the second is tiled; the one behind is moved into its outer loop."""
    for number in range(0, blocks - 1, 2):
        sch.compute_inline(_block(sch, f"B{number}"))
    for number in range(1, blocks, 2):
        block = _block(sch, f"B{number}")
        i, j = sch.get_loops(block)
        i0, i1 = sch.split(i, [None, 8])
        j0, j1 = sch.split(j, [None, 16])
        sch.reorder(i0, j0, i1, j1)
        sch.vectorize(j1)
        sch.parallel(i0)
        if number > 1 and number % 4 == 3:
            sch.reverse_compute_at(_block(sch, f"B{number}"), sch.get_loops(_block(sch, f"B{number - 2}"))[0])
