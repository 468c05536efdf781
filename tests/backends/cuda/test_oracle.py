"""The structure of kernels beside the CUDA text of TVM: launch bounds, barriers, shared memory, loops, conditions."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.backends.cuda.kernels import KERNELS, source
from tests.ir.schedule.default.gpu.test_rules import PROGRAMS, TARGET, program
from tvmscript.ir.core import IRModule
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule

#: kernels that TVM 0.17 reads and compiles
_WRITTEN = ("symbolic", "row_sum", "tiled", "wmma row_major", "wmma col_major", "mma f16 k16", "mma s8 k32")
_SCHEDULED = ("matmul", "rows", "columns", "softmax", "transpose")


def scheduled(name: str) -> str:
    """A program with its default schedule, as text."""
    with TARGET:
        rules = ApplyDefaultSchedule(*[rule() for rule in gpu.RULES])
        text: str = rules(IRModule({"main": program(PROGRAMS[name][1])})).script()
    return text


def structure(text: str) -> dict[str, Any]:
    """What two texts of a kernel have in common."""
    kernel = text[text.rindex('extern "C" __global__') :]
    shared = re.findall(r"__shared__ (?:alignas\(\d+\) |__align__\(\d+\) )?(?:volatile )?(\w+) (\w+)\[(\d+)\]", kernel)
    return {
        "bounds": re.findall(r"__launch_bounds__\((\d+)(?:, 1)?\)", kernel),
        "barriers": kernel.count("__syncthreads()"),
        "shared": sorted((name, int(size)) for _, name, size in shared),
        "shuffles": kernel.count("__shfl_down_sync("),
        "loops": len(re.findall(r"for \(int(?:32_t)? (?!lane\b)", kernel)),
    }


@pytest.mark.oracle
@pytest.mark.parametrize("name", [*_WRITTEN, *_SCHEDULED])
def test_kernels_have_the_structure_of_tvms(name: str, oracle: Any) -> None:
    text = KERNELS[name] if name in _WRITTEN else scheduled(name)
    assert structure(source(text).text) == structure(oracle.source(text, target="cuda -arch=sm_80"))


def test_structures_are_told_apart() -> None:
    assert structure(source(KERNELS["tiled"]).text)["shared"] == [("A_shared", 256), ("B_shared", 256)]
