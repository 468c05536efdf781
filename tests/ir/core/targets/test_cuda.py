"""Targets of CUDA without an architecture: that of a device, of drivers that are not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tvmscript
from tests.backends.cuda.kernels import VECTOR
from tests.ir.schedule.default.gpu.test_rules import program
from tests.ir.schedule.default.gpu.test_tensor_cores import product
from tvmscript import relax
from tvmscript.backends.cuda.module import CudaModule
from tvmscript.backends.runtime import cuda_driver
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.targets.cuda import with_device_arch
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule

#: numbers of attributes in cuda.h
MAJOR, MINOR = 75, 76


class Library:
    """The driver's library of a machine, which has a device unless its status says that there is none."""

    def __init__(self, major: int, minor: int, status: int = 0) -> None:
        self.values = {MAJOR: major, MINOR: minor}
        self.status = status
        self.calls: list[str] = []

    def cuInit(self, flags: int) -> int:
        self.calls.append("cuInit")
        return self.status

    def cuDeviceGet(self, device: Any, index: int) -> int:
        self.calls.append(f"cuDeviceGet {index}")
        return self.status

    def cuDeviceGetAttribute(self, value: Any, number: int, device: Any) -> int:
        self.calls.append(f"cuDeviceGetAttribute {number}")
        value._obj.value = self.values[number]
        return self.status


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Install the library of a driver, None for none."""

    def install_library(library: Library | None) -> None:
        monkeypatch.setattr(cuda_driver, "find_library", lambda: library)

    return install_library


@pytest.mark.parametrize(
    ("library", "arch"),
    [
        (Library(8, 6), "sm_86"),
        (Library(9, 0), "sm_90a"),
        (Library(10, 0), "sm_100a"),
        (Library(9, 0, status=100), None),
        (None, None),
    ],
    ids=["8.6", "9.0", "10.0", "no device", "no driver"],
)
def test_the_device_says_the_architecture(library: Library | None, arch: str | None, install: Any) -> None:
    install(library)
    target = Target.make("cuda -max_num_threads=512")
    completed = with_device_arch(target)
    assert completed.options.get("arch") == arch
    assert completed.options["max_num_threads"].value == 512
    with_device_arch(target)
    if library is not None:  # asked once, without a context
        assert library.calls == ["cuInit", "cuDeviceGet 0", "cuDeviceGetAttribute 75", "cuDeviceGetAttribute 76"]


@pytest.mark.parametrize("text", ["cuda -arch=sm_80", "nvidia/nvidia-a100", "llvm", "nvptx"])
def test_other_targets_ask_no_driver(text: str, install: Any) -> None:
    library = Library(9, 0)
    install(library)
    target = Target.make(text)
    assert with_device_arch(target) is target
    assert library.calls == []


@pytest.mark.parametrize(
    ("library", "arch"),
    [(Library(9, 0), "sm_90a"), (Library(8, 6), "sm_86"), (None, "sm_80")],
    ids=["9.0", "8.6", "no driver"],
)
def test_builds_are_for_the_device(library: Library | None, arch: str, install: Any) -> None:
    install(library)
    module = tvmscript.build(tvmscript.from_source(VECTOR), "cuda")
    assert isinstance(module, CudaModule)
    assert (module.arch, module.target) == (arch, f"cuda -arch={arch}")


def test_rules_and_lowering_get_the_architecture(install: Any) -> None:
    install(Library(9, 0))
    func = program(product(64, 64, 64, "float16", "float32", "nt"))
    with Target("cuda"):
        scheduled: IRModule = ApplyDefaultSchedule(gpu.MatmulWGMMA())(IRModule({"main": func}))
    assert "wgmma" in scheduled.script(dialect="0.27")
    assert structural_equal(tvmscript.lower(scheduled, "cuda"), tvmscript.lower(scheduled, "cuda -arch=sm_90a"))


GRAPH = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((64, 64), "float16"), w: R.Tensor((64, 64), "float16")) -> R.Tensor((64, 64), "float32"):
        with R.dataflow():
            y = R.matmul(x, w, out_dtype="float32")
            R.output(y)
        return y
"""


def test_graphs_are_scheduled_for_the_device(install: Any) -> None:
    install(Library(9, 0))
    executable = relax.build(tvmscript.from_source(GRAPH), "cuda")
    assert "wgmma" in executable.native.get_source("cu")
