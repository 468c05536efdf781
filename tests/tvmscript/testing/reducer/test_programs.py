"""`reduce`: results that hold nothing but what fails, and the promises about candidates."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.tir.expr import Call, FloorMod
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP
from tvmscript.ir.tir.stmt import Block, For
from tvmscript.ir.tir.verify import verify
from tvmscript.testing import expect, reduce, reduce_trace
from tvmscript.testing.graph_strategies import graph_modules
from tvmscript.testing.reducer.programs import NothingFails
from tvmscript.testing.strategies import block_funcs, prim_funcs

LONG = tvmscript.from_source("""
@I.ir_module
class Module:
    @T.prim_func
    def other(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
    @T.prim_func
    def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), n: T.int32):
        T.func_attr({"tir.noalias": T.bool(True), "odd": 3})
        S = T.alloc_buffer((128, 128), "float32")
        U = T.alloc_buffer((128, 128), "float32")
        for i, j in T.grid(128, 128):
            with T.block("S"):
                T.block_attr({"pragma": 1})
                vi, vj = T.axis.remap("SS", [i, j])
                S[vi, vj] = A[vi, vj] * T.float32(2)
        for i in T.parallel(128, annotations={"x": 1}):
            for j in T.vectorized(128):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.where(i < 100)
                    if vi < n:
                        B[vi, vj] = S[vi, vj] + T.exp(A[vi, vj] - T.float32(3)) + T.Cast("float32", (vi + 5) % 7)
                    else:
                        B[vi, vj] = T.float32(0)
""")


def has(program: Any, *classes: type) -> bool:
    found = {type(node) for node in nodes(program)}
    return set(classes) <= found


def test_a_modulo_is_all_that_is_left() -> None:
    small = reduce(LONG, lambda mod: has(mod, FloorMod))
    (func,) = small.functions.values()
    expect(
        func,
        """
        @T.prim_func
        def main():
            T.evaluate(T.FloorMod(0, 0))
        """,
    )


def test_structure_is_kept_where_it_matters() -> None:
    """A call inside of a block inside of a loop."""

    def fails(mod: IRModule) -> bool:
        loops = [node for node in nodes(mod) if isinstance(node, For)]
        blocks = [node for loop in loops for node in nodes(loop) if isinstance(node, Block)]
        return any(isinstance(node, Call) for block in blocks for node in nodes(block))

    small = reduce(LONG, fails)
    (func,) = small.functions.values()
    expect(
        func,
        """
        @T.prim_func
        def main():
            for j in range(0):
                with T.block("S"):
                    T.reads()
                    T.writes()
                    T.evaluate(T.exp(T.float32(0)))
        """,
    )


def test_nothing_can_be_taken_away() -> None:
    """Reducing the result gives the result."""

    def fails(mod: IRModule) -> bool:
        return "T.exp" in mod.script() and "S" in mod.script()

    small = reduce(LONG, fails)
    assert reduce(small, fails).script() == small.script()
    assert len(small.script()) < len(LONG.script()) / 2


def test_candidates_are_well_formed_and_told() -> None:
    told: list[int] = []
    seen: list[str] = []

    def fails(mod: IRModule) -> bool:
        verify(mod)
        seen.append(mod.script(comments=False))
        return has(mod, FloorMod)

    text = LONG.script()
    reduce(LONG, fails, told=lambda program, tried: told.append(tried))
    assert len(set(seen)) == len(seen), "a program is tried once"
    assert told == sorted(told)
    assert told
    assert LONG.script() == text


def test_what_does_not_fail_is_refused() -> None:
    with pytest.raises(NothingFails):
        reduce(LONG, lambda mod: False)


def test_errors_of_the_predicate_end_it() -> None:
    def fails(mod: IRModule) -> bool:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        reduce(LONG, fails)


@settings(max_examples=30)
@given(func=prim_funcs() | block_funcs())
def test_any_kernel(func: PrimFunc) -> None:
    """To nothing at all, where everything fails."""
    small = reduce(func, lambda candidate: True)
    assert not small.params
    assert structural_equal(small.body, NOOP)


@settings(max_examples=15)
@given(module=graph_modules())
def test_any_graph(module: IRModule) -> None:
    """Well formed all the way, down to a function without bindings."""
    small = reduce(module, lambda candidate: True)
    assert len(small.functions) == 1
    assert len(small.script(show_meta=False).splitlines()) <= 20


def test_graph_bindings_that_do_not_matter_go() -> None:
    module = tvmscript.from_source("""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        with R.dataflow():
            a = R.add(x, y)
            b = R.nn.relu(a)
            c = R.multiply(b, b)
            d = R.exp(c)
            R.output(d)
        return d
""")
    small = reduce(module, lambda mod: "R.nn.relu" in mod.script())
    assert "R.exp" not in small.script()
    assert "R.multiply" not in small.script()


def test_traces_lose_the_steps_that_do_not_matter() -> None:
    program = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i, j, k in T.grid(16, 16, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
""")
    sch = tvmscript.Schedule(program)
    block = sch.get_block("C")
    i, j, k = sch.get_loops(block)
    i0, i1 = sch.split(i, [None, 4])
    j0, j1 = sch.split(j, [None, 8])
    sch.reorder(i0, j0, k, i1, j1)
    sch.vectorize(j1)
    sch.annotate(block, "note", 1)
    sch.unroll(i1)

    def vectorizes(trace: Any) -> bool:
        other = tvmscript.Schedule(program)
        try:
            trace.apply_to_schedule(other)
        except ScheduleError:
            return False
        return "T.vectorized" in other.mod.script()

    small = reduce_trace(sch.trace, vectorizes)
    assert [inst.kind.name for inst in small.insts] == ["GetBlock", "GetLoops", "Split", "Vectorize"]
    with pytest.raises(NothingFails):
        reduce_trace(sch.trace, lambda trace: False)


def test_graph_branches_that_do_not_matter_go() -> None:
    """A branch stands for the whole choice, and a name for what it is another name of."""
    module = tvmscript.from_source("""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,)), c: R.Tensor((), "bool")) -> R.Tensor((2,)):
        if c:
            y = R.add(x, x)
            z = y
        else:
            y = x
            z = R.exp(y)
        return z
""")
    small = reduce(module, lambda mod: "R.exp" in mod.script())
    assert "if" not in small.script(show_meta=False)
    assert "R.exp(x)" in small.script(show_meta=False)
