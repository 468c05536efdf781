"""Work that is done must not become more: calls of Python functions, and bytes held at most, of some tasks.

Mutants that only cost (a cache that is never used, a part that is visited twice) change no result. The limits are a
tenth (of bytes a quarter) above what Python 3.11 needs; newer ones call fewer functions. A change that makes a task
cheaper lowers them.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Final

import pytest

import tvmscript
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.tir import Range, Var
from tvmscript.ir.tir import expr as e
from tvmscript.relax.transform import LegalizeOps
from tvmscript.schedule import Schedule


def product(size: int) -> str:
    """Return the text of a product of matrices."""
    return f"""@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    A = T.match_buffer(a, ({size}, {size}))
    B = T.match_buffer(b, ({size}, {size}))
    C = T.match_buffer(c, ({size}, {size}))
    for i, j, k in T.grid({size}, {size}, {size}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""


def graph(size: int) -> str:
    """Return the text of a graph of three operators."""
    return f"""@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(({size}, 8), "float32"), w: R.Tensor((8, 4), "float32")):
        y = R.matmul(x, w)
        z = R.nn.softmax(y)
        return R.add(z, z)
"""


def read(size: int) -> None:
    tvmscript.from_source(product(size))


def print_again(size: int) -> None:
    tvmscript.from_source(product(size)).script()


def simplify(size: int) -> None:
    facts = Analyzer()
    names = [Var(name, "int32") for name in "ijk"]
    for var in names:
        facts.bind(var, Range.from_min_extent(0, size))
    i, j, k = names
    total = (i * size + j) * size + k
    for divisor in (size, size * size, 3):
        facts.simplify(e.FloorDiv(total, e.IntImm("int32", divisor)))
        facts.simplify(e.FloorMod(total, e.IntImm("int32", divisor)))
        facts.can_prove(total < size**3)


def schedule(size: int) -> None:
    sch = Schedule(tvmscript.from_source(product(size)))
    i, j, k = sch.get_loops("C")
    outer, inner = sch.split(i, [None, 8])
    sch.reorder(outer, j, k, inner)
    sch.cache_write("C", 0, "local")
    sch.parallel(outer)
    sch.decompose_reduction("C", k)


def lower(size: int) -> None:
    tvmscript.lower(tvmscript.from_source(product(size)), "llvm")


def legalize(size: int) -> None:
    LegalizeOps()(tvmscript.from_source(graph(size)))


#: task -> calls of functions of the package, and kilobytes held at most
BUDGETS: Final[dict[Callable[[int], None], tuple[int, int]]] = {
    read: (1_130, 120), print_again: (1_410, 120), simplify: (850, 25), schedule: (5_400, 120), lower: (5_400, 120),
    legalize: (8_900, 125),
}  # fmt: skip


def count_calls(task: Callable[[int], None], size: int) -> int:
    """Count the calls of functions of the package."""
    count = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_globals.get("__name__", "").startswith("tvmscript")

    before = sys.getprofile()
    gc.disable()
    sys.setprofile(note)
    try:
        task(size)
    finally:
        sys.setprofile(before)
        gc.enable()
    return count


def kilobytes(task: Callable[[int], None], size: int) -> int:
    """Return how many kilobytes a task holds at most."""
    gc.collect()
    tracemalloc.start()
    try:
        task(size)
        return tracemalloc.get_traced_memory()[1] // 1024
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("task", BUDGETS, ids=lambda task: task.__name__)
def test_budgets(task: Callable[[int], None]) -> None:
    most_calls, most_kilobytes = BUDGETS[task]
    task(32)  # what is imported and cached once does not count
    assert count_calls(task, 48) <= most_calls
    assert kilobytes(task, 64) <= most_kilobytes
