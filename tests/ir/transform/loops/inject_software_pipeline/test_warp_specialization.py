"""Pipelines with a warp group that copies: values, faults, who runs what, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.transform.loops.inject_software_pipeline.test_bulk_copies import TARGET, TILES, run
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Call, IfThenElse
from tvmscript.ir.tir.intrin.device import instruction
from tvmscript.ir.transform.loops.inject_software_pipeline.inject_software_pipeline import InjectSoftwarePipeline
from tvmscript.ir.transform.loops.inject_software_pipeline.warp_specialization import CannotSpecialize

#: a group of threads reads the tiles that another one copies
GROUPS = TILES.replace(
    "        for k", '     for ty in T.thread_binding(1, thread="threadIdx.y"):\n        for k'
).replace(
    '"software_pipeline_async_stages"', '"software_pipeline_producer": [24, 240], "software_pipeline_async_stages"'
)

#: the pipeline in two blocks, and three times in each thread
BLOCKS = (
    GROUPS.replace("    for tx", '    for b in T.thread_binding(2, thread="blockIdx.x"):\n     for tx')
    .replace("     for ty", "      for ty")
    .replace("T.serial(6", "T.serial(3")
    .replace("k * 64", "(b * 3 + k) * 64")
)
REPEATED = (
    GROUPS.replace("        for k", "       for r in range(3):\n        for k")
    .replace("T.serial(6", "T.serial(2")
    .replace("k * 64", "(r * 2 + k) * 64")
)
#: three rounds of the pipeline, which two blocks share
SHARED = REPEATED.replace("range(3)", 'T.serial(3, annotations={"persistent_blocks": 2})')
#: four steps, then two
UNEQUAL = (
    REPEATED.replace("range(3)", "range(2)")
    .replace("T.serial(2", "T.serial(4 - r * 2")
    .replace("r * 2 + k", "r * 4 + k")
)


def parse(text: str) -> Any:
    return tvmscript.from_source(text)


@pytest.mark.parametrize(
    "text", [GROUPS, BLOCKS, REPEATED, SHARED, UNEQUAL],
    ids=["one block", "two blocks", "three times in a thread", "three times in two blocks", "four steps, then two"],
)  # fmt: skip
def test_values(text: str) -> None:
    a, c, report = run(tvmscript.lower(parse(text), TARGET))
    assert report.errors == ()
    np.testing.assert_array_equal(c, np.pad(a, ((0, 1), (0, 24))))


def test_a_group_copies_and_another_one_reads() -> None:
    func: Any = InjectSoftwarePipeline()(parse(GROUPS))
    branch = next(node for node in nodes(func) if isinstance(node, IfThenElse) and node.else_case is not None)
    assert branch.else_case is not None
    copies = [
        [node for node in nodes(case) if isinstance(node, Call) and node.op is instruction("ptx.cp")]
        for case in (branch.then_case, branch.else_case)
    ]
    assert list(map(len, copies)) == [0, 1]
    text = func.script(dialect="0.27")
    assert [text.count(f"T.ptx.setmaxnreg({count}, ") for count in ("24", "240")] == [1, 1]
    assert 'T.thread_binding(2, thread="threadIdx.y")' in text


_MARK = '                        T.block_attr({"bulk_copy": "128B"})\n'
_USE = "                    for i in range(4):\n"
REFUSED = {
    "registers": (("[24, 240]", "[20, 240]"), "does not hold two numbers of registers"),
    "groups": (("T.thread_binding(128", "T.thread_binding(64"), "no axis of the launch counts groups of 128 threads"),
    "another loop": (("        for k", "       for r in T.unroll(2):\n        for k"), "a loop that is not serial"),
    "numbers of steps": (
        ("        for k in T.serial(6", "       for r in range(3):\n        for k in T.serial(3 - r"),
        "of more than two iterations",
    ),
    "condition": (("        for k", "       if A[0, 0] < T.float16(1):\n        for k"), "it is inside of a condition"),
    "no bulk copies": ((_MARK, ""), "its asynchronous statements are no bulk copies"),
    "barrier": ((_USE, f"{_USE}                        T.tvm_storage_sync('shared')\n"), "threads of the launch wait"),
    "memory": ((_USE, f"{_USE}                        S[0, 0] = T.float16(0)\n"), "threads share S"),
    "another pipeline": (
        (_USE, _USE + " " * 24 + 'for _ in T.serial(2, annotations={"software_pipeline_producer": [24, 240]}):\n'
         + " " * 28 + "T.evaluate(0)\n"), "another pipeline of the launch has one",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "problem"), REFUSED.values(), ids=REFUSED)
def test_refused(change: tuple[str, str], problem: str) -> None:
    assert change[0] in GROUPS
    with pytest.raises(CannotSpecialize) as raised:
        InjectSoftwarePipeline()(parse(GROUPS.replace(*change)))
    assert problem in raised.value.text
