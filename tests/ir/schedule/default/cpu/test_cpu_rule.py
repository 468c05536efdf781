"""Default schedules of whole functions: what is inlined, which rules see which blocks, traces."""

from __future__ import annotations

import logging
from typing import Any, ClassVar

import numpy as np
import pytest

import tvmscript
from tvmscript import dlight
from tvmscript.ir.core import Target, nodes
from tvmscript.ir.schedule.default.cpu.cpu_rule import BlockRule, CPURule
from tvmscript.ir.schedule.default.unscheduled import is_unscheduled
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, PrimFunc

HEAD = """
@T.prim_func
def main(A: T.Buffer((8, 16), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((8, 16), "float32")):
"""
#: value of T, value of C, whether T is inlined
INLINED = [
    ("T.exp(A[vi, vj])", "X[vi, vj] + B[vj]", True),
    ("A[vi, vj] + B[vj]", "X[vi, vj] * X[vi, vj]", True),
    ("T.exp(A[vi, vj])", "X[vi, vj] * X[vi, vj]", False),
    ("A[vi, vj] / B[vj]", "X[vi, vj] + X[7 - vi, vj]", False),
    ("A[7 - vi, vj] + B[vj]", "X[7 - vi, vj] * X[vi, vj]", True),
    ("T.float32(1)", "X[vi, vj] + A[vi, vj]", True),
    ("T.if_then_else(vi < 4, A[vi, vj], T.float32(0))", "X[vi, vj] + B[vj]", True),
]


def elementwise(first: str, second: str) -> str:
    return f"""{HEAD}
    X = T.alloc_buffer((8, 16), "float32")
    for i, j in T.grid(8, 16):
        with T.block("X"):
            vi, vj = T.axis.remap("SS", [i, j])
            X[vi, vj] = {first}
    for i, j in T.grid(8, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = {second}
"""


def reduction(value: str, term: str) -> str:
    """Return sums of a term of X over rows, for each of 16 columns."""
    return f"""{HEAD}
    X = T.alloc_buffer((8, 16), "float32")
    for i, j in T.grid(8, 16):
        with T.block("X"):
            vi, vj = T.axis.remap("SS", [i, j])
            X[vi, vj] = {value}
    for i, j, k in T.grid(8, 16, 8):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + {term}
"""


def blocks_of(func: PrimFunc) -> list[str]:
    return [node.name_hint for node in nodes(func.body) if isinstance(node, Block)][1:]


def default_schedule(text: str, rule: CPURule | None = None) -> Schedule | None:
    program = tvmscript.from_source(text)
    schedule = (rule or dlight.cpu.Default()).apply(program, Target.make("llvm"), False)
    if schedule is not None:
        again = Schedule(program)
        tvmscript.Trace.from_json(schedule.trace.as_json()).apply_to_schedule(again)
        assert tvmscript.ir.structural_equal(again.mod, schedule.mod)
        check_values(program, schedule.mod["main"])
    return schedule


def check_values(program: Any, scheduled: Any) -> None:
    rng, outputs = np.random.default_rng(0), []
    values = [rng.random((8, 16), "f"), rng.random(16, "f"), np.zeros((8, 16), "f")]
    for func in (program, scheduled):
        arrays = [value.copy() for value in values]
        tvmscript.build(func, target="interp")["main"](*arrays)
        outputs.append(arrays[2])
    np.testing.assert_array_equal(outputs[0], outputs[1])


class NoBlockRules(CPURule):
    """Inlining alone."""


@pytest.mark.parametrize(("first", "second", "is_inlined"), INLINED)
def test_inlining_into_elementwise_blocks(first: str, second: str, is_inlined: bool) -> None:
    schedule = default_schedule(elementwise(first, second), NoBlockRules())
    assert (schedule is not None) == is_inlined
    if schedule is not None:
        assert blocks_of(schedule.mod["main"]) == ["C"]


@pytest.mark.parametrize(
    ("value", "term", "is_inlined"),
    [
        ("A[vi, vj]", "X[vk, vj]", True),  # a copy
        ("A[vi, vj] * T.float32(2)", "X[vk, vj]", False),  # repeated for each of the rows
        ("T.exp(A[vi, vj])", "X[vk, vj]", False),
        ("T.float32(1)", "X[vk, vj]", False),
        ("T.if_then_else(vi < 4, A[vi, vj], T.float32(0))", "X[vk, vj]", False),
    ],
)
def test_inlining_into_reductions_that_read_elements_again(value: str, term: str, is_inlined: bool) -> None:
    schedule = default_schedule(reduction(value, term), NoBlockRules())
    assert (schedule is not None) == is_inlined


@pytest.mark.parametrize("value", ["T.exp(A[vi, vj])", "A[vi, vj] - B[vj]"])
def test_inlining_into_reductions_that_read_elements_once(value: str) -> None:
    text = reduction(value, "X[vi, vk]").replace("T.grid(8, 16, 8)", "T.grid(8, 1, 16)")
    schedule = default_schedule(text, NoBlockRules())
    assert schedule is not None
    assert blocks_of(schedule.mod["main"]) == ["C"]


class Split(CPURule):
    """Rules that note the blocks that they see; one splits loops of reductions, the other one those of all blocks."""

    seen: ClassVar[list[str]] = []

    @staticmethod
    def split(sch: Schedule, block: Any, model: Any) -> str | None:
        Split.seen.append(f"split {sch.get(block).name_hint}")
        if sch.get(block).init is None:
            return None
        sch.split(sch.get_loops(block)[0], [None, 4])
        return "split"

    @staticmethod
    def refuse(sch: Schedule, block: Any, model: Any) -> str | None:
        Split.seen.append(f"refuse {sch.get(block).name_hint}")
        sch.split(sch.get_loops(block)[0], [2, 2, 2, 1])
        sch.compute_inline("C")  # an output
        return None

    block_rules: ClassVar[tuple[BlockRule, ...]] = (split, refuse)


def test_rules_see_blocks_that_no_other_rule_took(caplog: pytest.LogCaptureFixture) -> None:
    Split.seen.clear()
    with caplog.at_level(logging.DEBUG, logger="tvmscript.default_schedule"):
        schedule = default_schedule(reduction("T.exp(A[vi, vj])", "X[vk, vj]"), Split())
    assert schedule is not None
    assert Split.seen == ["split X", "split C", "refuse X"]
    assert [record.message.split(":")[0] for record in caplog.records] == ["C", "X"]
    assert schedule.mod["main"].script().count("T.grid(8, 16)") == 1  # what a rule did before it refused is dropped


def test_two_products_with_one_consumer(caplog: pytest.LogCaptureFixture) -> None:
    """What reads both products moves into neither."""
    product = """
    for i, j, k in T.grid(32, 32, 32):
        with T.block("{0}"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                {0}[vi, vj] = T.float32(0)
            {0}[vi, vj] = {0}[vi, vj] + {1}[vi, vk] * {2}[vk, vj]
"""
    text = f"""
@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    X = T.alloc_buffer((32, 32), "float32")
    Y = T.alloc_buffer((32, 32), "float32")
{product.format("X", "A", "B")}{product.format("Y", "B", "A")}
    for i, j in T.grid(32, 32):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = X[vi, vj] + Y[vi, vj]
"""
    with caplog.at_level(logging.DEBUG, "tvmscript.default_schedule"):
        program = tvmscript.from_source(text)
        assert dlight.cpu.Default().apply(program, Target.make("llvm"), False) is not None
    assert [record.getMessage().split(": ")[:2] for record in caplog.records] == [
        ["X", "schedule_matmul"],
        ["Y", "schedule_matmul"],
        ["C", "schedule_injective"],
    ]


def test_unscheduled_functions() -> None:
    text = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, 4), "float32")
    B = T.match_buffer(b, (n,), "float32")
    X = T.alloc_buffer((n,), "float32")
    for i, k in T.grid(n, 4):
        with T.block("X"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                X[vi] = T.float32(0)
            X[vi] = X[vi] + T.if_then_else(vi < 7, A[vi, vk], T.float32(0))
    for i in T.serial(n):
        with T.block("B"):
            vi = T.axis.spatial(n, i)
            B[vi] = X[vi]
            for k in T.serial(4):
                B[vi] = B[vi] + A[vi, k]
"""
    assert is_unscheduled(tvmscript.from_source(text))
    assert not is_unscheduled(tvmscript.from_source(text.replace("T.serial(4)", "T.unroll(4)")))
    assert not is_unscheduled(tvmscript.from_source(text.replace("T.serial(n)", "T.parallel(n)")))
