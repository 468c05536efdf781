"""Files of kernels for CUDA: written for several architectures, loaded and run without NVRTC by a fake driver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tests.backends.cuda import test_graphs
from tests.backends.cuda.kernels import KERNELS
from tests.ir.schedule.default.gpu.test_matmul_wgmma import CASES
from tvmscript import relax
from tvmscript.backends.cuda import nvrtc
from tvmscript.backends.cuda.device_library import choose_image
from tvmscript.backends.cuda.errors import NoFittingImage
from tvmscript.backends.cuda.nvrtc import Compiled
from tvmscript.backends.runtime import cuda_driver
from tvmscript.fuzz.cuda.fake_driver import DeviceArray, FakeDriver, Launched

IMAGES = {name: name.encode() for name in ("sm_80", "sm_86", "sm_90a", "compute_75", "compute_80")}


@pytest.mark.parametrize(
    ("arch", "chosen"),
    [
        ("sm_80", "sm_80"), ("sm_86", "sm_86"), ("sm_89", "sm_86"), ("sm_90a", "sm_90a"), ("sm_100a", "compute_80"),
        ("sm_75", "compute_75"), ("sm_70", None),
    ],
)  # fmt: skip
def test_the_image_for_a_device(arch: str, chosen: str | None) -> None:
    if chosen is not None:
        assert choose_image(IMAGES, arch) == chosen.encode()
        return
    with pytest.raises(NoFittingImage, match="no machine code for sm_70, only for sm_80, sm_86, sm_90a, compute_75"):
        choose_image(IMAGES, arch)


def test_machine_code_of_one_architecture_alone() -> None:
    with pytest.raises(NoFittingImage):
        choose_image({"sm_90a": b"", "compute_90a": b""}, "sm_100a")


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    """Install a driver that runs kernels with NumPy, and an NVRTC that writes the name of the architecture."""

    def run(launched: Launched) -> None:
        arrays = [launched.array(place, (8,), "float32") for place in range(3 if "add" in launched.kernel else 2)]
        arrays[-1][:] = arrays[0] + arrays[1] if "add" in launched.kernel else 2 * arrays[0]

    fake = FakeDriver(run)
    monkeypatch.setattr(cuda_driver, "find_driver", lambda function, index=0: fake)
    monkeypatch.setattr(nvrtc, "version", lambda: "0.0")
    monkeypatch.setattr(
        nvrtc, "compile_text", lambda text, arch, *options: Compiled(b"code for " + arch.encode(), arch, "")
    )
    monkeypatch.setenv("TVMSCRIPT_CACHE", "0")
    return fake


def forget_nvrtc(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> None:
        raise AssertionError("loaded functions compile nothing")

    monkeypatch.setattr(nvrtc, "compile_text", refuse)


@pytest.mark.parametrize("target", ["cuda", "nvptx"])
@pytest.mark.parametrize("text", [test_graphs.GRAPH, test_graphs.SYMBOLIC], ids=["fixed", "symbolic"])
def test_graphs_run_from_a_file(
    driver: FakeDriver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, target: str
) -> None:
    if text is test_graphs.SYMBOLIC:
        driver.run = test_graphs.double_rows
    executable = test_graphs.build(text, target)
    path = tmp_path / "graph.so"
    executable.export_library(str(path), archs=["sm_80", "sm_90a", "compute_80"])
    forget_nvrtc(monkeypatch)
    loaded: Any = tvm.runtime.load_module(path)
    assert loaded.stats() == executable.stats()
    x = np.arange(8, dtype="float32")
    vm = relax.VirtualMachine(loaded, tvm.cuda(0))
    result = vm["main"](tvm.nd.array(x, tvm.cuda(0)))
    if text is test_graphs.GRAPH:
        np.testing.assert_array_equal(result[0].numpy(), (2 * x + np.arange(1, 9)) * 2)
    else:
        np.testing.assert_array_equal(result.numpy(), 8 * x)
    image = driver.images[0]
    assert image == b"code for sm_90a" if target == "cuda" else image.startswith(b"//")


@pytest.mark.parametrize("name", ["threads", "float16 nt, four stages"])
def test_what_launches_know_is_kept(
    driver: FakeDriver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """Instructions of devices that the dialect 0.17 has no words for; tensor maps, tags, aligned memory."""
    module: Any = tvm.build(tvm.from_source((KERNELS | CASES)[name]), target="cuda -arch=sm_90a")
    path = tmp_path / "kernel.so"
    module.export_library(str(path))
    forget_nvrtc(monkeypatch)
    loaded: Any = tvm.runtime.load_module(path)
    expected = module.device_library()
    kept = loaded.device_library()
    assert kept.launches == expected.launches
    assert tvm.ir.structural_equal(kept.program, expected.program)
    assert (kept.images, kept.sources) == (expected.images, expected.sources)
    assert list(loaded.functions) == list(module.functions)


def test_a_loaded_module_on_another_device(driver: FakeDriver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module: Any = tvm.build(tvm.from_source(KERNELS["vector"]), target="cuda")
    module.export_library(str(tmp_path / "a.so"), archs=["sm_80", "sm_90a"])
    forget_nvrtc(monkeypatch)
    loaded: Any = tvm.runtime.load_module(tmp_path / "a.so")
    loaded.export_library(str(tmp_path / "b.so"), archs=["sm_80"])
    kernel: Any = tvm.runtime.load_module(tmp_path / "b.so")["vector"]
    arrays = [DeviceArray(np.zeros(1024, dtype)) for dtype in ("float16", "float32", "float16")]
    with pytest.raises(NoFittingImage, match="no machine code for sm_90a, only for sm_80"):
        kernel(*arrays)
    driver.arch = "sm_89"
    kernel(*arrays)
    assert (driver.images, len(driver.launched)) == ([b"code for sm_80"], 1)
