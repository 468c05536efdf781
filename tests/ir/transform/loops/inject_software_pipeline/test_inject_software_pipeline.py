"""InjectSoftwarePipeline: random pipelines by value and against TVM, waits that are long enough, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.transform.loops.late_copies import late_copies
from tests.ir.transform.running import assert_same_values, results
from tvmscript.backends import interp
from tvmscript.fuzz.programs.pipelines import pipeline
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.verify import verify
from tvmscript.ir.transform.errors import BlockNotOpaque, MatchNotLowered
from tvmscript.ir.transform.loops.inject_software_pipeline.async_waits import SeveralAsyncStages
from tvmscript.ir.transform.loops.inject_software_pipeline.inject_software_pipeline import (
    InjectSoftwarePipeline,
    NotPipelineBody,
    PipelineOrder,
    WrongDoubleBuffer,
    WrongPipelineAnnotation,
)

SEEDS = range(70)


def pipelined(text: str) -> tuple[PrimFunc, PrimFunc | None]:
    """The program and what the pass makes of it; None where it is refused."""
    before: Any = tvmscript.from_source(text)
    try:
        made: Any = InjectSoftwarePipeline()(before)
    except (PipelineOrder, SeveralAsyncStages):
        return before, None
    verify(made)
    return before, made


def test_values_stay() -> None:
    run = 0
    for seed in SEEDS:
        before, after = pipelined(pipeline(seed))
        if after is not None:
            assert_same_values(before, after)
            run += 1
    assert run > 45


def one_thread(text: str) -> str:
    """Threads have queues of their own: one is enough here."""
    return text.replace('T.thread_binding(4, thread="threadIdx.x")', "T.serial(1)")


def test_waits_are_long_enough() -> None:
    waits = 0
    for seed in range(150):
        text = one_thread(pipeline(seed))
        if "async_stages" not in text:
            continue
        before, after = pipelined(text)
        if after is None:
            continue
        with late_copies() as late:
            made = results(after, before)
        waits += late.waits
        for left, right in zip(results(before), made, strict=True):
            np.testing.assert_array_equal(left, right)
    assert waits > 300


def test_a_copy_that_nobody_waits_for_is_late() -> None:
    """The check above finds what is wrong."""
    texts = [one_thread(pipeline(seed)) for seed in SEEDS if "async_stages" in pipeline(seed)]
    before, after = next(made for made in map(pipelined, texts) if made[1] is not None)
    assert after is not None
    hasty: Any = tvmscript.from_source(
        after.script().replace('"async_wait_queue_scope", ', '"async_wait_queue_scope", 9 + ')
    )
    with late_copies():
        made = results(hasty, before)
    assert not all(np.array_equal(left, right) for left, right in zip(results(before), made, strict=True))


@pytest.mark.oracle
def test_tvm_agrees(oracle: Any) -> None:
    """Where TVM's result is a program: it loses what asynchronous blocks allocate, and starts short loops twice."""
    equal = 0
    for seed in SEEDS:
        text = pipeline(seed)
        _, ours = pipelined(text)
        if ours is None or not is_comparable(text):
            continue
        theirs: Any = tvmscript.from_source(oracle.apply(InjectSoftwarePipeline.name, text, check=False), False)
        if "tvmscript: " in theirs.script():  # it names what is not there
            continue
        (found,) = theirs.functions.values()
        assert structural_equal(ours, found, map_free_vars=True), text
        equal += 1
    assert equal > 20


def is_comparable(text: str) -> bool:
    """Whether TVM does no less than here: waits in loops that do not begin at 0 are too short there, for instance."""
    loop = text.split(", annotations")[0].rsplit("(", 1)[1]
    first, end = [int(item) for item in loop.split(",")]
    stages = [int(item) for item in text.split('pipeline_stage": [')[1].split("]")[0].split(",")]
    return first == 0 and max(stages) <= end and "async_stages" not in text


HEAD = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
"""
STAGES = '"software_pipeline_stage": [0, 1]'
ORDER = '"software_pipeline_order": [0, 1]'


def program(notes: str = f"{STAGES}, {ORDER}", block: str = "with T.block():", first: str = "", body: str = "") -> str:
    body = body or "B[0] = A[i]\nC[i] = B[0]"
    lines = "\n".join("            " + line for line in (first + body).splitlines())
    return f"""{HEAD}
    for i in T.serial(16, annotations={{{notes}}}):
        {block}
            T.reads(A[i])
            T.writes(C[i])
            B = T.alloc_buffer((2,), scope="shared")
{lines}
"""


REFUSED = {
    "no order": (program(STAGES), WrongPipelineAnnotation, "software_pipeline_order is missing"),
    "no stage": (program(ORDER), WrongPipelineAnnotation, "software_pipeline_stage is missing"),
    "no list": (program(f'"software_pipeline_stage": 1, {ORDER}'), WrongPipelineAnnotation, "not a list of integers"),
    "too many": (
        program(f'"software_pipeline_stage": [0, 1, 1], {ORDER}'),
        WrongPipelineAnnotation,
        "software_pipeline_stage has 3 elements for 2 statements",
    ),
    "same order": (
        program(f'{STAGES}, "software_pipeline_order": [1, 1]'),
        WrongPipelineAnnotation,
        "two statements have the same order",
    ),
    "gap": (program(f'{STAGES}, "software_pipeline_order": [0, 2]'), WrongPipelineAnnotation, "not 0 to 1"),
    "negative": (program(f'"software_pipeline_stage": [-1, 0], {ORDER}'), WrongPipelineAnnotation, "is negative"),
    "one statement": (program(body="C[i] = A[i]"), NotPipelineBody, "sequence of statements, got BufferStore"),
    "later stage": (
        program(f'"software_pipeline_stage": [1, 0], {ORDER}'),
        PipelineOrder,
        "reads B, which statement 0 (stage 1, order 0) writes: it runs in a later stage",
    ),
    "later order": (
        program('"software_pipeline_stage": [0, 0], "software_pipeline_order": [1, 0]'),
        PipelineOrder,
        "it runs later in the same stage",
    ),
    "double buffer": (
        program(body="with T.block():\n    T.reads(A[i])\n    T.writes(B[0])\n"
                "    T.block_attr({'double_buffer_scope': 1})\n    B[0] = A[i]\nC[i] = B[0]"),
        WrongDoubleBuffer,
        "has 1 written regions, but double_buffer_scope is 1",
    ),
    "predicate": (
        program(first="T.where(A[i] > T.float32(0))\n"), NotPipelineBody, "a block whose predicate reads memory",
    ),
    "axes": (program(first="v = T.axis.spatial(16, i)\n"), BlockNotOpaque, "has axes"),
    "match": (
        program(first="M = T.match_buffer(A[i], ())\n", body="B[0] = M[()]\nC[i] = B[0]"), MatchNotLowered, "match",
    ),
    "two queues": (
        program(
            '"software_pipeline_stage": [0, 1, 2], "software_pipeline_order": [0, 1, 2], '
            '"software_pipeline_async_stages": [0, 1]',
            body="B[0] = A[i]\nD = T.alloc_buffer((2,), scope='shared')\nD[0] = A[i]\nC[i] = B[0] + D[0]",
        ).replace("            D = T.alloc_buffer((2,), scope='shared')\n", "").replace(
            "            B = T.", "            D = T.alloc_buffer((2,), scope='shared')\n            B = T.", 1
        ),
        SeveralAsyncStages,
        "waits for the asynchronous stages 0 and 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(text: str, error: type[TVMScriptError], words: str) -> None:
    func = tvmscript.from_source(text, check_well_formed=False)
    with pytest.raises(error) as raised:
        InjectSoftwarePipeline()(func)
    assert words in str(raised.value)


def test_nothing_to_do_is_the_same_function() -> None:
    func = tvmscript.from_source(program('"other": 1'))
    assert InjectSoftwarePipeline()(func) is func


UNKNOWN = """
@T.prim_func
def main(a: T.handle, c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    C = T.match_buffer(c, (n,), "float32")
    for i in T.serial(n, annotations={
        "software_pipeline_stage": [0, 1, 3],
        "software_pipeline_order": [2, 0, 1],
        "software_pipeline_async_stages": [0],
    }):
        with T.block():
            T.reads(A[i], C[i])
            T.writes(C[i])
            B = T.alloc_buffer((1,), scope="shared")
            B[0] = A[i] * T.float32(2)
            C[i] = C[i] + B[0]
            C[i] = C[i] + B[0] * T.float32(3)
"""


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 9])
def test_loops_of_any_length(size: int) -> None:
    """No statement runs twice for an iteration, however short the loop is."""
    _, after = pipelined(UNKNOWN)
    assert after is not None
    a = np.arange(size, dtype="float32")
    c = np.ones(size, "float32")
    with late_copies():
        interp.build(after.with_attr("global_symbol", "main"))["main"](a, c)
    np.testing.assert_array_equal(c, 1 + a * 2 + a * 6)
