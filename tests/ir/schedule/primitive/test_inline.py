"""compute_inline and reverse_compute_inline: what they refuse, and that they do what TVM does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.programs import chain
from tests.ir.schedule.refusals import Refusal
from tests.ir.schedule.scripts import script_of
from tests.ir.schedule.values import same_values
from tvmscript.ir.schedule.primitive.compute_inline import BodyAnalysisError
from tvmscript.ir.schedule.primitive.reverse_compute_inline import NonSingleProducerError
from tvmscript.schedule import Schedule

PRODUCER = "B[vi, vj] = A[vi, vj] * T.float32(2)"
CONSUMER = "C[vi, vj] = B[vi, vj] + T.float32(1)"


def program(producer: str = PRODUCER, consumer: str = CONSUMER, *, extent: int = 16, more: str = "") -> str:
    """Two stages, A to B to C; `more` stands behind them."""
    return f"""
@T.prim_func
def main(
    A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32"), D: T.Buffer((16, 16), "float32")
):
    B = T.alloc_buffer((16, 16))
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            {producer}
    for i, j in T.grid({extent}, {extent}):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            {consumer}
{more}"""


ALSO_READ = """    for i, j in T.grid(16, 16):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = B[vi, vj]
"""
ALONE = program().split('    for i, j in T.grid(16, 16):\n        with T.block("C")')[0]
ADDRESS = """T.reads(B[vi, vj])
            T.writes(C[vi, vj])
            T.evaluate(T.call_extern("int32", "f", B.data))
            C[vi, vj] = B[vi, vj]"""
INIT = """with T.init():
                B[vi, vj] = T.float32(0)
            B[vi, vj] = A[vi, vj]"""
INIT_C = INIT.replace("B[", "C[").replace("A[", "B[")
INLINE = 'sch.compute_inline("B")'
REVERSE = 'sch.reverse_compute_inline("C")'

#: program, step, error, a part of its message; TVM has the same error
ERRORS: dict[str, tuple[str, str, str, str]] = {
    "root": (
        program(),
        'sch.reverse_compute_inline("root")',
        "RootBlockError",
        "reverse_compute_inline cannot be applied to the root block",
    ),
    "init": (program(INIT), INLINE, "HasInitBlock", "block B cannot be inlined: it has an init"),
    "init of consumer": (
        program(consumer=INIT_C),
        REVERSE,
        "HasInitBlock",
        "block C cannot be inlined: it has an init",
    ),
    "two writes": (
        program(PRODUCER + "\n            D[vi, vj] = A[vi, vj]"),
        INLINE,
        "NotSingleReadWriteBuffer",
        "it writes 2 regions, exactly one is required",
    ),
    "no write": (
        program(),
        'sch.compute_inline("root")',
        "NotSingleReadWriteBuffer",
        "it writes 0 regions, exactly one is required",
    ),
    "no read": (
        program(),
        'sch.reverse_compute_inline("B")',
        "NotSingleReadWriteBuffer",
        "it reads 0 buffers written in root, exactly one is required",
    ),
    "pipeline": (
        program().replace("T.grid(16, 16)", "T.grid(16, 12)", 1),
        INLINE,
        "NotStagePipelineError",
        "C reads more than earlier blocks write",
    ),
    "pipeline of consumer": (
        program().replace("T.grid(16, 16)", "T.grid(16, 12)", 1),
        REVERSE,
        "NotStagePipelineError",
        "C reads more than earlier blocks write",
    ),
    "output": (
        program(),
        'sch.compute_inline("C")',
        "OutputBlockError",
        "it writes C, which scope root does not allocate",
    ),
    "producer is output": (
        program(more=ALSO_READ.replace('"D"', '"E"').replace("B[", "C[")),
        'sch.reverse_compute_inline("E")',
        "OutputBlockError",
        "it writes C, which scope root does not allocate",
    ),
    "incomplete": (
        program("B[vi, vj] = A[vi, vj] + B[vi, vj]"),
        INLINE,
        "IncompleteBlockError",
        "block B is not a complete block: it reads its output B",
    ),
    "incomplete consumer": (
        "SR".join(program().rsplit("SS", 1)),
        REVERSE,
        "IncompleteBlockError",
        "block C is not a complete block: axis vj is not spatial",
    ),
    "incomplete producer": (
        program("B[vi, vj] = A[vi, vj] + B[vi, vj]"),
        REVERSE,
        "NonSingleProducerError",
        "it reads its output B",
    ),
    "two producers": (
        program(more=ALSO_READ.replace("D[vi, vj] = B", "D[vi, vj] = C")).replace(
            'T.block("C"):\n            vi, vj = T.axis.remap("SS", [i, j])\n            C[',
            'T.block("C"):\n            vi, vj = T.axis.remap("SS", [i, j])\n            B[',
        ),
        'sch.reverse_compute_inline("C")',
        "IncompleteBlockError",
        "block C is not a complete block: other blocks write B too",
    ),
    "branch": (
        program(f"if vi < 20:\n                {PRODUCER}"),
        INLINE,
        "BodyAnalysisError",
        "cannot be inlined: its body is not a single store",
    ),
    "predicate of consumer": (
        program().replace('T.block("C"):', 'T.block("C"):\n            T.where(i < 15)'),
        REVERSE,
        "BodyAnalysisError",
        "it has a predicate",
    ),
    "padding": (
        program(consumer="C[vi, vj] = T.if_then_else(vi > 0, B[vi - 1, vj], T.float32(0))"),
        REVERSE,
        "BodyAnalysisError",
        "B does not compute all elements that it reads",
    ),
    "statements of consumer": (
        program(consumer=CONSUMER + "\n            C[vi, vj] = B[vi, vj]"),
        REVERSE,
        "BodyAnalysisError",
        "cannot be inlined: its body is not a single store",
    ),
    "only leaf": (ALONE, INLINE, "OnlyLeafError", "block B is the only block in scope root"),
    "address": (
        program(consumer=ADDRESS),
        INLINE,
        "OpaqueAccessError",
        "block C accesses B by address or T.match_buffer",
    ),
    "match": (
        program(consumer="X = T.match_buffer(B[vi, vj], ())\n            C[vi, vj] = X[()]"),
        INLINE,
        "OpaqueAccessError",
        "block C accesses B by address or T.match_buffer",
    ),
}

#: the same; TVM does something wrong, or breaks
OURS_ALONE: dict[str, tuple[str, str, str, str]] = {
    "others read it": (program(more=ALSO_READ), REVERSE, "NonSingleProducerError", "it is also used in D"),
    "producer with init": (program(INIT), REVERSE, "NonSingleProducerError", "it has an init"),
    "several elements": (
        program(consumer="C[vi, vj] = B[vi, vj] * B[vj, vi]"),
        REVERSE,
        "BodyAnalysisError",
        "it loads B with different indices",
    ),
    "elements in between": (
        program(consumer="C[vi, vj] = B[vi * 2, vj * 2]", extent=8),
        REVERSE,
        "BodyAnalysisError",
        "it skips elements of B",
    ),
}


@pytest.mark.parametrize("case", [*ERRORS, *OURS_ALONE])
def test_errors(case: str) -> None:
    Refusal(*{**ERRORS, **OURS_ALONE}[case]).check()


@pytest.mark.oracle
@pytest.mark.parametrize("case", ERRORS)
def test_errors_are_those_of_tvm(case: str, oracle: Any) -> None:
    Refusal(*ERRORS[case]).check_with_tvm(oracle)


#: program, step: done as in TVM
DONE: dict[str, tuple[str, str]] = {
    "reversed": (program("B[vi, 15 - vj] = A[vi, vj]"), INLINE),
    "taken apart": (
        program("B[vi // 4, vi % 4 * 16 + vj] = A[vi, vj]")
        .replace("buffer((16, 16))", "buffer((4, 64))")
        .replace("B[vi, vj] +", "B[vj // 4, vj % 4 * 16 + vi] +"),
        INLINE,
    ),
    "shifted": (
        program("B[vi, vj] = T.if_then_else(vj < 20, A[vi, vj], T.float32(0))", "C[vi, vj] = B[vi, 15 - vj]"),
        INLINE,
    ),
    "guard goes": (program(f"if vi < 12:\n                {PRODUCER}", extent=12), REVERSE),
    "guard stays": (program(f"if vi < 12:\n                {PRODUCER}"), REVERSE),
    "part": (program(consumer="C[vi, vj] = B[vi + 4, vj]", extent=12), REVERSE),
    "turned": (program(consumer="C[vj, vi] = B[vj, 15 - vi] * B[vj, 15 - vi]"), REVERSE),
    "loops stay": (
        program().replace("for i, j in T.grid(16, 16):", "for i, j, k in T.grid(16, 16, 1):"),
        'i, j, k = sch.get_loops("C")\nsch.reorder(j, i)\nsch.compute_inline("B")',
    ),
}


@pytest.mark.oracle
@pytest.mark.parametrize("case", DONE)
def test_done_as_in_tvm(case: str, oracle: Any) -> None:
    text, step = DONE[case]
    outcome = both(oracle, text, script_of(step))
    outcome.check()
    assert outcome.has_same_text, outcome.describe()
    assert not isinstance(outcome.ours, str)
    if case != "guard stays":  # there the program reads what nobody writes
        same_values(tvmscript.from_source(text), outcome.ours.mod["main"])


@pytest.mark.oracle
def test_random_programs(oracle: Any) -> None:
    done = 0
    for seed in range(40):
        rng = Random(seed)
        text, blocks = chain(rng)
        steps = [
            f'sch.{rng.choice(("compute_inline", "compute_inline", "reverse_compute_inline"))}("{rng.choice(blocks)}")'
            for _ in range(rng.randint(1, 2))
        ]
        outcome = both(oracle, text, script_of(*steps))
        if isinstance(outcome.ours, str):
            assert outcome.is_same or outcome.ours in _ON_PURPOSE, outcome.describe()
            continue
        assert outcome.is_same, outcome.describe()
        same_values(tvmscript.from_source(text), outcome.ours.mod["main"], tolerance=1e-5)
        done += 1
    assert done >= 10


#: refusals where TVM makes a program that computes something else
_ON_PURPOSE = ("NonSingleProducerError", "BodyAnalysisError")


def test_readers_in_blocks_that_do_not_say_so() -> None:
    """TVM's `loop_partition` puts parts into blocks that say nothing of what they read."""
    sch = Schedule(
        tvmscript.from_source(
            """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    C = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] + T.float32(1)
    with T.block("parts"):
        T.reads()
        T.writes()
        for i in range(16):
            with T.block("D"):
                vi = T.axis.spatial(16, i)
                D[vi] = B[vi]
"""
        )
    )
    with pytest.raises(NonSingleProducerError, match="it is also used in D"):
        sch.reverse_compute_inline("C")


def test_padding_over_two_axes_is_not_lost() -> None:
    """Found by `tvmscript fuzz schedule`: each axis alone is covered, their first and last values are not."""
    program = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((18,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("B"):
            v = T.axis.spatial(16, i)
            B[v] = A[v] * T.float32(2)
    for i, j in T.grid(9, 2):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi * 2 + vj] = T.if_then_else(
                1 <= vi * 2 + vj and vi * 2 + vj < 17, B[vi * 2 + vj - 1], T.float32(0)
            )
"""
    sch = Schedule(tvmscript.from_source(program))
    assert "B does not compute all elements that it reads" in repr(sch.can.reverse_compute_inline("C"))


OWN_NAMES = """
@T.prim_func
def main(A: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    B = T.alloc_buffer((4, 4))
    D = T.alloc_buffer((4, 4))
    for i, j in T.grid(4, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, USED] * T.float32(2)
    for i, j in T.grid(4, 4):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = B[vi, vj] + A[vi, USED]
    for i, j in T.grid(4, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = D[vi, vj]
"""


@pytest.mark.parametrize("block", ["B", "D"])
def test_variables_of_the_removed_loops_are_not_lost(block: str) -> None:
    """Found by `python -m tests.campaign`: blocks without axes use their loops."""
    text = OWN_NAMES.replace("USED", "vj")
    axes = '            vi, vj = T.axis.remap("SS", [i, j])\n'
    before, heading, after = text.partition(f'        with T.block("{block}"):\n')
    body, rest = after.removeprefix(axes).split("\n", 1)
    sch = Schedule(tvmscript.from_source(before + heading + body.replace("vi", "i").replace("vj", "j") + "\n" + rest))
    step = sch.compute_inline if block == "B" else sch.reverse_compute_inline
    with pytest.raises(BodyAnalysisError, match="it uses loop i, not an axis"):
        step(block)


def test_matched_buffers_are_not_lost() -> None:
    text = OWN_NAMES.replace("USED", "vj").replace(
        "            B[vi, vj] = A[vi, vj] * T.float32(2)",
        "            R = T.match_buffer(A[vi, 0:4], (4,), offset_factor=1)\n            B[vi, vj] = R[vj]",
    )
    sch = Schedule(tvmscript.from_source(text))
    with pytest.raises(BodyAnalysisError, match="it matches buffers of its own"):
        sch.compute_inline("B")
