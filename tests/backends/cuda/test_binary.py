"""Machine code by a compiler in memory: what it is given, what is kept, reports, files, lines that are refused."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tvmscript
from tvmscript.backends.cuda import binary, nvrtc
from tvmscript.backends.cuda.binary import Binary, find_tool
from tvmscript.backends.cuda.device_library import LoadedKernels
from tvmscript.backends.cuda.errors import CannotDisassemble, NoFittingImage, RefusedByNvrtc
from tvmscript.backends.cuda.nvrtc import Compiled
from tvmscript.backends.runtime.errors import NoSource

ADD = """@T.prim_func
def add(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.thread_binding(64, thread="threadIdx.x"):
        B[i] = A[i] + T.float32(1)
"""
LOG = """ptxas info    : Compiling entry function 'add_kernel' for 'sm_80'
    8 bytes stack frame, 0 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, 256 bytes smem
ptxas info    : Compiling entry function 'another' for 'sm_80'
ptxas info    : Used 9 registers
"""


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Install a compiler that notes the architecture and the options, and writes their names."""
    calls: list[tuple[str, ...]] = []

    def compile_text(text: str, arch: str, *options: str) -> Compiled:
        calls.append((arch, *options))
        if "bad" in text:
            script = "<text>:4" if "#line" in text else ""
            raise RefusedByNvrtc(arch=arch, place="kernels.cu:2", reason="no word", script=script)
        return Compiled(f"code {arch}".encode(), f"ptx {arch}", LOG)

    monkeypatch.setattr(nvrtc, "compile_text", compile_text)
    monkeypatch.setattr(nvrtc, "version", lambda: "0.0")
    monkeypatch.setenv("TVMSCRIPT_CACHE", "0")
    return calls


def test_an_architecture_is_compiled_once(compiled: list[tuple[str, ...]]) -> None:
    kernels = Binary("text", ["k"], ["-G"])
    assert [kernels.cubin(arch) for arch in ("sm_80", "sm_90a", "sm_80")] == [
        b"code sm_80",
        b"code sm_90a",
        b"code sm_80",
    ]
    assert compiled == [("sm_80", "-G"), ("sm_90a", "-G")]
    assert kernels.image("sm_80") == b"code sm_80"
    assert kernels.image("compute_90") == b"ptx sm_90\0"
    assert kernels.ptx("sm_75") == "ptx sm_75"
    assert compiled[2:] == [("sm_90", "-G"), ("sm_75", "-G")]


def test_machine_code_is_kept_on_disk(
    compiled: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TVMSCRIPT_CACHE", "1")
    monkeypatch.setenv("TVMSCRIPT_CACHE_DIR", str(tmp_path))
    first, other = Binary("text", ["k"]), Binary("text", ["k"], ["-G"])
    assert first.cubin("sm_80") == Binary("text", ["k"]).cubin("sm_80") == b"code sm_80"
    assert compiled == [("sm_80",)]
    keys = [each.key(arch) for each in (first, other, Binary("texts", ["k"])) for arch in ("sm_80", "sm_90a")]
    assert len({key.digest for key in keys}) == 6
    assert first.key("sm_80") == Binary("text", ["other"]).key("sm_80")
    assert dict(first.key("sm_80").parts)["target"] == "cuda sm_80"
    assert dict(other.key("sm_80").parts)["options"] == "-G"
    assert dict(first.key("sm_80").parts)["versions"].startswith("nvrtc 0.0, headers ")
    assert [name for name, _ in first.key("sm_80").parts] == ["options", "program", "target", "versions"]


def build(text: str = ADD, target: str = "cuda -arch=sm_80") -> Any:
    return tvmscript.build(tvmscript.from_source(text), target=target)


def test_reports_have_the_launch(compiled: list[tuple[str, ...]]) -> None:
    module = build()
    (report,) = module.report()
    assert compiled == [("sm_80", "--ptxas-options=-v")]
    assert (report.name, report.registers, report.stack_bytes, report.shared_bytes) == ("add_kernel", 40, 8, 256)
    assert (report.spill_store_bytes, report.spill_load_bytes, report.spills) == (0, 4, True)
    # a sum of each of 64 elements, each of which is read and written
    assert (report.threads, report.dynamic_shared_bytes, report.flops, report.global_bytes) == (64, 0, 64, 512)
    # 32 blocks of two warps: 40 registers are 1280 of a warp, which leaves 25 blocks
    assert report.occupancy == 25 * 2 / 64
    module.report("sm_90a")
    assert compiled[1:] == [("sm_90a", "--ptxas-options=-v")]


def test_files(compiled: list[tuple[str, ...]], tmp_path: Path) -> None:
    module = build()
    for name, fmt in (("a.cubin", ""), ("a.ptx", ""), ("a.cu", ""), ("b", "ptx"), ("b.cu", "cubin")):
        module.save(str(tmp_path / name), fmt)
    texts = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert (texts["a.cubin"], texts["b.cu"], texts["a.ptx"], texts["b"]) == ("code sm_80",) * 2 + ("ptx sm_80",) * 2
    assert "add_kernel" in texts["a.cu"]
    assert "#include" in module.get_source("cu")
    assert '#include "tvmscript' not in texts["a.cu"]
    with pytest.raises(NoSource):
        module.save(str(tmp_path / "a.txt"))


def test_libraries_of_architectures(compiled: list[tuple[str, ...]]) -> None:
    module = build()
    library = module.device_library()
    assert dict(library.images) == {"sm_80": b"code sm_80"}
    assert list(library.sources) == ["cu"]
    images = module.device_library(["sm_90a", "compute_80"]).images
    assert dict(images) == {"sm_90a": b"code sm_90a", "compute_80": b"ptx sm_80\0"}
    loaded = LoadedKernels(module.device_library(["sm_80", "compute_80"]), "cuda")
    assert loaded.target == "cuda"
    assert loaded.source_kinds == ("cu", "host")
    assert loaded.get_source("host").count("add") > 0
    assert loaded.device_library() == module.device_library(["sm_80", "compute_80"])
    assert dict(loaded.device_library(["sm_86"]).images) == {"sm_86": b"code sm_80"}
    assert dict(loaded.device_library(["sm_90"]).images) == {"sm_90": b"ptx sm_80\0"}
    with pytest.raises(NoFittingImage):
        loaded.device_library(["sm_75"])


def test_the_line_that_is_refused(compiled: list[tuple[str, ...]]) -> None:
    text = ADD.replace("A[i] +", 'T.call_extern("float32", "bad", A[i]) +')
    module = build(text)
    with pytest.raises(RefusedByNvrtc) as caught:
        module.get_source("ptx")
    assert caught.value.span is not None
    assert caught.value.span.line == 4
    assert compiled == [("sm_80",), ("sm_80",)]
    with pytest.raises(RefusedByNvrtc) as caught:
        Binary("bad", ["k"]).cubin("sm_90a")
    assert caught.value.span is None


def test_disassembly(compiled: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = Binary("text", ["k"])
    ran: list[Any] = []

    def run(command: list[str], **options: Any) -> Any:
        ran.append((command[:-1], Path(command[-1]).read_bytes()))
        return outcome

    monkeypatch.setattr(binary, "find_tool", {"nvdisasm": "/bin/nvdisasm"}.get)
    monkeypatch.setattr(subprocess, "run", run)
    outcome = SimpleNamespace(returncode=0, stdout="MOV R1", stderr="")
    assert kernels.sass("sm_80") == "MOV R1"
    assert ran == [(["/bin/nvdisasm", "-c"], b"code sm_80")]
    for words, reason in (("no code\nat all", "no code"), ("", "it failed")):
        outcome = SimpleNamespace(returncode=1, stdout="", stderr=words)
        with pytest.raises(CannotDisassemble) as caught:
            kernels.sass("sm_80")
        assert caught.value.facts["reason"] == reason
    monkeypatch.setattr(binary, "find_tool", lambda name: None)
    with pytest.raises(CannotDisassemble) as caught:
        kernels.sass("sm_80")
    assert "search path" in str(caught.value.facts["reason"])


def test_tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", {"found": "/bin/found"}.get)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tool").touch()
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec if name == "nvidia" else None)
    assert find_tool("found") == "/bin/found"
    assert Path(str(find_tool("tool"))).parts[-2:] == ("bin", "tool")
    assert find_tool("absent") is None
    spec.submodule_search_locations = None
    assert find_tool("tool") is None
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert find_tool("tool") is None
