"""Long rows that blocks of a cluster share: when they do, and what the interpreter computes where they have to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import needs_nvrtc
from tests.ir.schedule.default.gpu.test_rules import PROGRAMS, program
from tvmscript.backends import interp
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.gpu import clusters, general_reduction, reduction
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.transform.errors import InvalidAllreduce
from tvmscript.testing import sanitize

HOPPER = Target.make("cuda -arch=sm_90a")
ROWS = PROGRAMS["rows"][1]
#: the largest element of each row and its place
LARGEST = """
@T.prim_func
def main(A: T.Buffer((2, 300), "float32"), P: T.Buffer((2,), "int32"), M: T.Buffer((2,), "float32")):
    for i, k in T.grid(2, 300):
        with T.block("M"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                P[vi] = -1
                M[vi] = T.min_value("float32")
            p: T.int32 = T.Select(M[vi] >= A[vi, vk], P[vi], vk)
            m: T.float32 = T.Select(M[vi] >= A[vi, vk], M[vi], A[vi, vk])
            P[vi] = p
            M[vi] = m
"""
SHARED = {
    **{name: PROGRAMS[name][1] for name in ("rows", "total", "softmax", "norm")},
    "rows of float64": ROWS.replace("float32", "float64"),
    "largest": LARGEST,
}


@pytest.fixture
def _forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let meetings cost nothing, and blocks have few threads."""
    monkeypatch.setattr(clusters, "MEETING_TERMS", 0)
    for rule in (reduction, general_reduction):
        monkeypatch.setattr(rule, "_THREADS", 32)


def _schedule(text: str, target: Target) -> IRModule:
    with target:
        mod: IRModule = ApplyDefaultSchedule(*[rule() for rule in gpu.RULES])(IRModule({"main": program(text)}))
    return mod


@pytest.mark.usefixtures("_forced")
@pytest.mark.parametrize("name", SHARED)
def test_results(name: str) -> None:
    func, scheduled = program(SHARED[name]), _schedule(SHARED[name], HOPPER)
    assert 'T.thread_binding(8, thread="clusterCtaIdx.y")' in scheduled.script()
    given = [argument.value for argument in random_inputs(func)]
    expected, actual = [array.copy() for array in given], [array.copy() for array in given]
    interp.build(tvmscript.lower(func))["main"](*expected)
    interp.build(tvmscript.lower(scheduled, HOPPER))["main"](*actual)
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_allclose(one.astype("float64"), other.astype("float64"), rtol=2e-4, atol=1e-5)


@pytest.mark.usefixtures("_forced")
def test_a_row_is_read_once_without_races() -> None:
    scheduled = _schedule(SHARED["softmax"], HOPPER)
    report = sanitize(scheduled)
    assert report.errors == ()
    assert report.blocks == 24
    text = tvmscript.build(program(SHARED["softmax"]), target="cuda -arch=sm_90a").get_source()
    assert text.count("= A[") == 1
    assert text.count("cluster_sync();") == 4


@pytest.mark.parametrize(
    ("rows", "terms", "arch", "size"),
    [
        (4, 1 << 20, "90a", 8),
        (50, 1 << 20, "90a", 2),
        (4096, 1 << 20, "90a", 1),
        (4, 4096, "90a", 1),
        (4, 1 << 20, "80", 1),
    ],
    ids=["few-rows", "half-of-the-device", "many-rows", "short", "no-clusters"],
)
def test_blocks_that_share_a_row(rows: int, terms: int, arch: str, size: int) -> None:
    text = ROWS.replace("300", str(terms)).replace("(2, ", f"({rows}, ").replace("(2,)", f"({rows},)")
    text = text.replace("range(2)", f"range({rows})").replace("spatial(2,", f"spatial({rows},")
    script = _schedule(text, Target.make(f"cuda -arch=sm_{arch}")).script()
    assert (f'T.thread_binding({size}, thread="clusterCtaIdx.y")' in script) == (size > 1)
    assert ("clusterCtaIdx" in script) == (size > 1)


@needs_nvrtc
@pytest.mark.usefixtures("_forced")
@pytest.mark.parametrize("name", SHARED)
def test_kernels_compile_without_spills(name: str) -> None:
    module: Any = tvmscript.build(program(SHARED[name]), target="cuda -arch=sm_90a")
    assert "cluster_sync();" in module.get_source()
    assert not any(report.spills or report.stack_bytes for report in module.report())


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"threads": 2}, "all threads, 4 at least, of a block of a cluster reduce together"),
        ({"dtype": "float16"}, "blocks of a cluster reduce values of 32 or 64 bits, not float16"),
        ({"second": "clusterCtaIdx.z"}, "clusters that reduce have one axis of constant extent"),
    ],
    ids=["few-threads", "float16", "two-axes"],
)
def test_what_clusters_do_not_reduce(changes: dict[str, Any], reason: str) -> None:
    text = ROWS.replace("float32", changes.get("dtype", "float32"))
    sch = Schedule(IRModule({"main": program(text)}))
    block = sch.get_block("B")
    row, terms = sch.get_loops(block)
    rank, second, _, thread = sch.split(terms, [4, 2 if "second" in changes else 1, None, changes.get("threads", 32)])
    sch.bind(row, "blockIdx.x")
    sch.bind(rank, "clusterCtaIdx.y")
    if "second" in changes:
        sch.bind(second, changes["second"])
    sch.bind(thread, "threadIdx.x")
    sch.reverse_compute_at(sch.get_block("C"), row)
    with pytest.raises(InvalidAllreduce, match=reason):
        tvmscript.build(sch.mod, target="cuda -arch=sm_90a")
