"""Variables of the program in traces: they are written by name, and become those of the function at hand."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.schedule.trace.to_json import BadTrace
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.var import Var
from tvmscript.schedule import Schedule, Trace
from tvmscript.tir.schedule.testing import verify_trace_roundtrip

TEXT = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 8))
    B = T.match_buffer(b, (n, 8))
    for i, j in T.grid(n, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + 1.0
"""


def size(sch: Schedule) -> Var:
    func = sch.mod["main"]
    assert isinstance(func, PrimFunc)
    (var,) = {buffer.shape[0] for buffer in func.buffer_map.values()}
    assert isinstance(var, Var)
    return var


def annotate_access(sch: Schedule) -> None:
    n = size(sch)
    sch.annotate_buffer_access("B", 0, "write", lambda i, j: [(0, n), (0, 8)])


def annotate(sch: Schedule) -> None:
    sch.annotate(sch.get_block("B"), "size", size(sch) + 1)


def split(sch: Schedule) -> None:
    sch.split(sch.get_loops("B")[0], [None, size(sch)])


def transform(sch: Schedule) -> None:
    block = sch.get_block("B")
    _, inner = sch.sample_perfect_tile(sch.get_loops(block)[1], 2)
    sch.transform_layout(block, ("write", 0), lambda i, j: [j // inner, i, j % inner])


def transform_block(sch: Schedule) -> None:
    block = sch.get_block("B")
    _, inner = sch.sample_perfect_tile(sch.get_loops(block)[1], 2)
    sch.transform_block_layout(block, lambda i, j: [j // inner, i, j % inner])


@pytest.mark.parametrize("step", [annotate_access, annotate, split, transform, transform_block])
def test_replay(step: Callable[[Schedule], None]) -> None:
    func = tvmscript.from_source(TEXT)
    sch = Schedule(func, seed=1)
    step(sch)
    verify_trace_roundtrip(sch, func)
    other = Schedule(tvmscript.from_source(TEXT))  # has variables of its own
    Trace.from_json(json.dumps(sch.trace.as_json())).apply_to_schedule(other)
    assert_structural_equal(other.mod, sch.mod)


def test_no_single_variable() -> None:
    sch = Schedule(tvmscript.from_source(TEXT))
    annotate_access(sch)
    other = Schedule(tvmscript.from_source(TEXT.replace("n = ", "m = ").replace("(n,", "(m,")))
    with pytest.raises(BadTrace, match="no single variable of the function is named n"):
        sch.trace.apply_to_schedule(other)


def test_name_of_a_random_variable() -> None:
    sch = Schedule(tvmscript.from_source(TEXT.replace("n = ", "b0 = ").replace("(n,", "(b0,")))
    annotate_access(sch)
    with pytest.raises(BadTrace, match="b0 is a variable of the program and the name of a random variable"):
        sch.trace.as_json()


def test_expression_in_a_dict() -> None:
    sch = Schedule(tvmscript.from_source(TEXT))
    sch.annotate(sch.get_block("B"), "sizes", {"first": size(sch) + 1})
    with pytest.raises(BadTrace, match="JSON has no form for an expression in a dict"):
        sch.trace.as_json()
