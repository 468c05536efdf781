"""Work that is done must not become more: calls of Python functions, lines that run, and bytes held at most, of tasks;
instructions of generated code, and bytes that programs allocate.

Mutants that only cost (a cache that is never used, a part that is visited twice) change no result. The limits are a
tenth (of bytes held a quarter) above what Python 3.11 needs; newer ones call fewer functions. A change that makes a
task cheaper lowers them.
"""

from __future__ import annotations

import gc
import re
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import prod
from textwrap import indent
from types import FrameType
from typing import Any, Final

import pytest

import tvmscript
from tvmscript.backends import llvm
from tvmscript.ir.analysis.access.races import check_races
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import IRModule, nodes, structural_equal
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.relax.expr import Call, ShapeExpr
from tvmscript.ir.tir import Allocate, IntImm, PrimFunc, Range, Var
from tvmscript.ir.tir import expr as e
from tvmscript.relax.transform import CallTIRRewrite, LegalizeOps, RemovePurityChecking, StaticPlanBlockMemory
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


def compare(size: int) -> None:
    first, second = tvmscript.from_source(product(size)), tvmscript.from_source(product(size))
    assert structural_equal(first, second)
    assert structural_hash(first) == structural_hash(second)


def find_races(size: int) -> None:
    rows = "for i in T.parallel({size}):\n    for j in range({size}):\n        B[i, j] = A[j, i] + B[i, j]"
    params = f'A: T.Buffer(({size}, {size}), "float32"), B: T.Buffer(({size}, {size}), "float32")'
    func = tvmscript.from_source(f"@T.prim_func\ndef main({params}):\n{indent(rows.format(size=size), '    ')}\n")
    assert isinstance(func, PrimFunc)
    assert not check_races(func).races


def write_llvm(size: int) -> None:
    llvm_text(product(size))


#: task -> calls of functions of the package, lines of them that run, and kilobytes held at most
BUDGETS: Final[dict[Callable[[int], None], tuple[int, int, int]]] = {
    read: (1_130, 6_300, 120), print_again: (1_410, 7_500, 120), simplify: (850, 3_600, 25),
    schedule: (5_400, 24_900, 120), lower: (5_400, 23_600, 120), legalize: (8_900, 36_000, 125),
    compare: (5_000, 23_700, 135), find_races: (1_180, 5_400, 60), write_llvm: (7_200, 31_300, 120),
}  # fmt: skip


def count_work(task: Callable[[int], None], size: int) -> tuple[int, int]:
    """Count the calls of functions of the package, and the lines of them that run."""
    counts: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> Any:
        if event == "call" and not frame.f_globals.get("__name__", "").startswith("tvmscript"):
            return None
        counts[event] += 1
        return note

    before = sys.gettrace()
    gc.disable()
    sys.settrace(note)
    try:
        task(size)
    finally:
        sys.settrace(before)
        gc.enable()
    return counts["call"], counts["line"]


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
    most_calls, most_lines, most_kilobytes = BUDGETS[task]
    task(32)  # what is imported and cached once does not count
    calls, lines = count_work(task, 48)
    assert calls <= most_calls
    assert lines <= most_lines
    assert kilobytes(task, 64) <= most_kilobytes


def temporaries(size: int) -> str:
    """Return the text of five blocks, each of which needs only the result of the one before."""
    names = ["A", *(f"T{place}" for place in range(4)), "B"]
    lines = [f"{name} = T.alloc_buffer(({size},))" for name in names[1:-1]]
    for source, target in pairwise(names):
        lines += [
            f"for i in range({size}):",
            f'    with T.block("{target}"):',
            f"        v = T.axis.spatial({size}, i)",
            f"        {target}[v] = {source}[{size - 1} - v] + 1.0",
        ]
    body = "".join(f"    {line}\n" for line in lines)
    return f'@T.prim_func\ndef main(A: T.Buffer(({size},), "float32"), B: T.Buffer(({size},), "float32")):\n{body}'


def llvm_text(text: str) -> str:
    """Return the LLVM code of a program before LLVM optimizes it."""
    return str(llvm.build(tvmscript.lower(tvmscript.from_source(text), "llvm")).get_source("input"))


def constant(extent: object) -> int:
    assert isinstance(extent, IntImm)
    return extent.value


def allocated_bytes(module: IRModule) -> int:
    """Return the bytes of all allocations of a lowered module and of all storage of its graph."""
    total = 0
    for node in (node for func in module.functions.values() for node in nodes(func)):
        if isinstance(node, Allocate):
            total += node.dtype.itemsize * node.dtype.lanes * prod(map(constant, node.extents))
        elif isinstance(node, Call) and getattr(node.op, "name", "") == "relax.memory.alloc_storage":
            shape = node.args[0]
            assert isinstance(shape, ShapeExpr)
            total += prod(map(constant, shape.values))
    return total


@pytest.mark.parametrize(("text", "most"), [(product(64), 67), (temporaries(4096), 105)], ids=["product", "chain"])
def test_instructions(text: str, most: int) -> None:
    assert len(re.findall(r"^  \w|^  %", llvm_text(text), re.MULTILINE)) <= most


def test_bytes_of_programs() -> None:
    """Of a chain of equal results only two are alive at a time."""
    size = 4096
    assert allocated_bytes(tvmscript.lower(tvmscript.from_source(temporaries(size)), "llvm")) == 2 * size * 4
    chain = "".join(
        f"        x = R.exp(R.reshape(x, R.shape([{rows}, {size // rows}])))\n" for rows in (2, 4, 8, 16, 32)
    )
    text = f"""@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(({size},), "float32")):
{chain}        return x
"""
    module = tvmscript.from_source(text)
    for each in (LegalizeOps, RemovePurityChecking, CallTIRRewrite, StaticPlanBlockMemory):
        module = each()(module)
    assert allocated_bytes(module) == 2 * size * 4
