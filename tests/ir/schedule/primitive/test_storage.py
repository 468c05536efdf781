"""set_scope, unsafe_set_dtype, storage_align, and what blocks say by hand: what they refuse, and what they do."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.refusals import Refusal
from tests.ir.schedule.scripts import load_script, script_of
from tests.ir.schedule.values import same_values
from tvmscript.ir.core.errors import InvalidDType, WrongType
from tvmscript.schedule import Schedule, Trace

TWO = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(4, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(B[vi * 4 : vi * 4 + 4, vj * 4 : vj * 4 + 4])
            T.writes(C[vi * 4 : vi * 4 + 4, vj * 4 : vj * 4 + 4])
            X = T.match_buffer(B[vi * 4 : vi * 4 + 4, vj * 4 : vj * 4 + 4], (4, 4), offset_factor=1)
            for k, l in T.grid(4, 4):
                C[vi * 4 + k, vj * 4 + l] = X[k, l] + T.float32(1)
"""
NOTED = TWO.replace('T.block("B"):', 'T.block("B"):\n            T.block_attr({"buffer_dim_align": [[0, 1]]})')

REFUSALS = {
    "index": Refusal(
        TWO, 'sch.set_scope("B", 1, "shared")', "BufferIndexOutOfRangeError", "index 1 is out of range: block B has 1"
    ),
    "parameter": Refusal(
        TWO,
        'sch.set_scope("C", 0, "shared")',
        "NonAllocatedBufferError",
        "it is a parameter, or a view of another buffer",
    ),
    "memory": Refusal(
        TWO, 'sch.set_scope("B", 0, "nowhere")', "InvalidStorageScopeError", "unknown storage scope 'nowhere'"
    ),
    "index of dtype": Refusal(TWO, 'sch.unsafe_set_dtype("B", 1, "float16")', "BufferIndexOutOfRangeError", "index 1"),
    "parameter with dtype": Refusal(TWO, 'sch.unsafe_set_dtype("C", 0, "int8")', "NonAllocatedBufferError", "buffer C"),
    "index of align": Refusal(TWO, 'sch.storage_align("B", 2, 0, 8, 0)', "BufferIndexOutOfRangeError", "index 2"),
    "parameter of align": Refusal(TWO, 'sch.storage_align("C", 0, 0, 8, 0)', "NonAllocatedBufferError", "buffer C"),
    "factor": Refusal(TWO, 'sch.storage_align("B", 0, 0, 0, 0)', "StorageAlignInvalidFactorError", "positive, not 0"),
    "axis": Refusal(
        TWO,
        'sch.storage_align("B", 0, 2, 8, 0)',
        "StorageAlignAxisOutOfRangeError",
        "axis 2 is out of range for buffer B with 2 dimensions",
    ),
    "low axis": Refusal(
        TWO,
        'sch.storage_align("B", 0, -3, 8, 0)',
        "StorageAlignAxisOutOfRangeError",
        "axis -3 is out of range for buffer B with 2 dimensions",
    ),
    "annotation": Refusal(
        NOTED,
        'sch.storage_align("B", 0, 0, 8, 0)',
        "StorageAlignInvalidAnnotationError",
        "annotation buffer_dim_align of block B is not a list",
    ),
    "kind": Refusal(
        TWO, 'sch.unsafe_hide_buffer_access(sch.get_block("B"), "opaque", [0])', "BufTypeError", "not 'opaque'"
    ),
    "number": Refusal(
        TWO,
        'sch.unsafe_hide_buffer_access(sch.get_block("B"), "read", [0, 1])',
        "InvalidIndexError",
        "index 1 is out of range: block B has 1",
    ),
}
OURS_ALONE = {
    "kind of annotation": Refusal(
        TWO,
        'sch.annotate_buffer_access("B", 0, "opaque", lambda i, j: (i, j))',
        "BufTypeError",
        'buf_type must be "read" or "write", not \'opaque\'',
    ),
    "number of annotation": Refusal(
        TWO, 'sch.annotate_buffer_access("B", 1, "read", lambda i, j: (i, j))', "BufferIndexOutOfRangeError", "index 1"
    ),
}


@pytest.mark.parametrize("case", [*REFUSALS, *OURS_ALONE])
def test_refusals(case: str) -> None:
    {**REFUSALS, **OURS_ALONE}[case].check()


@pytest.mark.oracle
@pytest.mark.parametrize("case", REFUSALS)
def test_tvm_refuses_too(case: str, oracle: Any) -> None:
    REFUSALS[case].check_with_tvm(oracle)


#: done as in TVM: the steps, whether the values stay the same
DONE = {
    "views follow": ('sch.set_scope("B", 0, "shared")', True),
    "the same memory": ('sch.set_scope("B", "B", "global")', True),
    "views in another dtype": ('sch.unsafe_set_dtype("B", 0, "float16")', False),
    "the same dtype": ('sch.unsafe_set_dtype("B", 0, "float32")', True),
    "last axis": ('sch.storage_align("B", 0, -1, 8, 4)', True),
    "again": ('sch.storage_align("B", 0, 0, 8, 4)\nsch.storage_align("B", 0, 0, 16, 2)', True),
    "two axes": ('sch.storage_align("B", 0, 0, 8, 4)\nsch.storage_align("B", 0, 1, 16, 2)', True),
    "hidden": ('sch.unsafe_hide_buffer_access(sch.get_block("B"), "write", [0])', True),
}


@pytest.mark.oracle
@pytest.mark.parametrize("case", DONE)
def test_done_as_in_tvm(case: str, oracle: Any) -> None:
    step, same = DONE[case]
    outcome = both(oracle, TWO, script_of(step))
    outcome.check()
    assert outcome.has_same_text, outcome.describe()
    assert not isinstance(outcome.ours, str)
    if same:
        same_values(tvmscript.from_source(TWO), outcome.ours.mod["main"])


def test_a_dtype_that_there_is_not() -> None:
    with pytest.raises(InvalidDType):
        Schedule(tvmscript.from_source(TWO)).unsafe_set_dtype("B", 0, "float17")


def test_a_region_said_by_hand() -> None:
    sch = Schedule(tvmscript.from_source(TWO))
    sch.annotate_buffer_access("B", 0, "read", lambda i, j: ((i - 1, i + 1), j))
    sch.annotate_buffer_access("B", "B", "write", lambda i, j: (i, j))
    block = sch.get(sch.get_block("B"))
    assert [str(part) for part in (*block.reads, *block.writes)] == ["A[vi - 1:vi - 1 + 2, vj]", "B[vi, vj]"]
    assert 'T.block_attr({"explicit_read_region": [0], "explicit_write_region": [0]})' in sch.mod.script()
    for trace in (sch.trace, Trace.from_json(sch.trace.as_json())):
        again = Schedule(tvmscript.from_source(TWO))
        trace.apply_to_schedule(again)
        assert again.mod.script() == sch.mod.script()
    shown = Schedule(tvmscript.from_source(TWO))
    load_script(str(sch.trace).replace("apply_trace", "schedule").replace(": tir.Schedule", ""))(shown)
    assert shown.mod.script() == sch.mod.script()


@pytest.mark.parametrize("ranges", [lambda i, j: (i,), lambda i, j: (i, j, i), lambda i, j: ((i, j, i), j)])
def test_regions_of_another_rank(ranges: Any) -> None:
    with pytest.raises(WrongType):
        Schedule(tvmscript.from_source(TWO)).annotate_buffer_access("B", 0, "read", ranges)
