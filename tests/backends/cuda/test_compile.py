"""Kernels through NVRTC, which needs no GPU: machine code for four architectures, reports, the cache, errors."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tests.backends.cuda.kernels import ARCHITECTURES, HOPPER, KERNELS, SYMBOLIC, TILED, VECTOR, needs_nvrtc, source
from tvmscript.backends.cuda import binary, nvrtc
from tvmscript.backends.cuda.binary import Binary
from tvmscript.backends.cuda.errors import CannotDisassemble, NoNvrtc, RefusedByNvrtc
from tvmscript.backends.cuda.program import headers
from tvmscript.backends.cuda.resources import KernelReport, read_log

PTX_CALLS = Path(__file__).parents[2] / "cases" / "operators_0_27" / "ptx.py"
#: calls of PTX that have forms, and that NVRTC 12 or sm_90a does not have: of later versions, of tensor memory, wrong
#: operands on purpose
_REFUSED_PTX = (
    "clmad", "ue5m3x2", "pzo", "fabric", "f32x2", "proxy::readonly", "m8n16", "layout::v1", "multimem_red_async",
    "multimem_st_async", "prefetch", "noftz", "red_async", "s8x4", "spdecompress", "st_async", "st_bulk", "tcgen05",
    "lop3(u32[0]",
)  # fmt: skip


def built(text: str) -> Any:
    return tvmscript.build(tvmscript.from_source(text), target="cuda -arch=sm_90a")


@needs_nvrtc
@pytest.mark.parametrize("name", KERNELS)
def test_kernels_compile(name: str) -> None:
    assert nvrtc.compile_text(source(KERNELS[name], "sm_90a").text, "sm_90a").cubin[:4] == b"\x7fELF"


@needs_nvrtc
@pytest.mark.long
@pytest.mark.parametrize("arch", [arch for arch in ARCHITECTURES if arch != "sm_90a"])
@pytest.mark.parametrize("name", KERNELS)
def test_kernels_compile_for_other_architectures(name: str, arch: str) -> None:
    assert nvrtc.compile_text(source(KERNELS[name], arch).text, arch).cubin[:4] == b"\x7fELF"


@needs_nvrtc
def test_instructions_of_hopper_compile() -> None:
    assert "wgmma.mma_async" in nvrtc.compile_text(source(HOPPER, "sm_90a").text, "sm_90a").ptx


@needs_nvrtc
@pytest.mark.parametrize(("dtype", "instruction"), [("int8", "dp4a.s32.s32"), ("uint8", "dp4a.u32.u32")])
def test_products_of_bytes(dtype: str, instruction: str) -> None:
    text = f"""
@T.prim_func
def main(A: T.Buffer((128,), "{dtype}"), B: T.Buffer((128,), "{dtype}"), C: T.Buffer((32,), "int32")):
    tx = T.launch_thread("threadIdx.x", 32)
    C[tx] = T.dp4a(A[tx * 4:tx * 4 + 4], B[tx * 4:tx * 4 + 4], C[tx])
"""
    assert instruction in nvrtc.compile_text(source(text).text, "sm_80").ptx


@needs_nvrtc
def test_instructions_of_ptx_compile() -> None:
    lines = PTX_CALLS.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("    T.ptx."))
    calls = [line for line in lines[start:] if not any(word in line for word in _REFUSED_PTX)]
    launch = ['    bx = T.launch_thread("blockIdx.x", 1)', '    tx = T.launch_thread("threadIdx.x", 32)']
    text = source("\n".join([*lines[:start], *launch, *calls]), "sm_90a").text
    assert len(calls) > 85
    assert text.count("asm volatile") >= len(calls) - 1
    nvrtc.compile_text(text, "sm_90a")


@needs_nvrtc
@pytest.mark.parametrize("name", sorted(headers()))
def test_headers_compile_alone(name: str) -> None:
    assert ".target sm_90a" in nvrtc.compile_text(f'#include "tvmscript/{name}"\n', "sm_90a").ptx


@needs_nvrtc
def test_reports_tell_registers_and_occupancy() -> None:
    (report,) = built(TILED).report()
    assert report.name == "matmul_kernel"
    assert 16 <= report.registers <= 64
    assert report.shared_bytes == 2 * 16 * 16 * 4
    assert not report.spills
    assert report.threads == 256
    assert report.occupancy == 1.0


def test_logs_of_the_assembler_are_read() -> None:
    log = """ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas         .     16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 49152 bytes smem
"""
    assert read_log(log) == [KernelReport("k", "sm_80", 255, 16, 8, 12, 49152)]
    assert read_log(log)[0].spills


@pytest.mark.parametrize(("registers", "shared", "threads", "occupancy"), [
    (32, 0, 256, 1.0), (255, 0, 256, 0.125), (32, 48 * 1024, 128, 0.1875), (32, 0, 32, 0.5),
])  # fmt: skip
def test_occupancy(registers: int, shared: int, threads: int, occupancy: float) -> None:
    """Limits of sm_80: 64 warps, 32 blocks, 65536 registers, 164 KB."""
    assert KernelReport("k", "sm_80", registers, 0, 0, 0, shared, threads).occupancy == occupancy


@needs_nvrtc
def test_sources() -> None:
    module = built(VECTOR)
    assert module.source_kinds == ("cu", "ptx", "sass", "host")
    assert ".target sm_90a" in module.get_source("ptx")
    assert "ld.global.nc.v4" in module.get_source("ptx")


@needs_nvrtc
def test_files(tmp_path: Path) -> None:
    module = built(VECTOR)
    for kind in ("cu", "ptx", "cubin"):
        module.save(str(tmp_path / f"k.{kind}"))
    assert "Vec {" in (tmp_path / "k.cu").read_text()
    assert (tmp_path / "k.cubin").read_bytes()[:4] == b"\x7fELF"


@needs_nvrtc
def test_machine_code_is_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TVMSCRIPT_CACHE", "1")
    monkeypatch.setenv("TVMSCRIPT_CACHE_DIR", str(tmp_path))
    text = source(SYMBOLIC).text
    first = Binary(text, ["add_kernel"]).cubin("sm_80")
    monkeypatch.setattr(nvrtc, "compile_text", lambda *args: pytest.fail("compiled again"))
    assert Binary(text, ["add_kernel"]).cubin("sm_80") == first
    assert len({Binary(text, []).key(arch).digest for arch in ARCHITECTURES}) == len(ARCHITECTURES)
    assert Binary(text, []).key("sm_80") != Binary(text, [], ["-G"]).key("sm_80")


UNDEFINED = """
@T.prim_func
def main(A: T.Buffer((64,), "float32")):
    tx = T.launch_thread("threadIdx.x", 64)
    A[tx] = T.call_extern("float32", "nobody_has_this", A[tx])
"""


@needs_nvrtc
def test_an_error_of_the_compiler_has_its_line() -> None:
    text = source(UNDEFINED).text
    with pytest.raises(RefusedByNvrtc, match=r'kernels.cu:5: identifier "nobody_has_this" is undefined: A\[') as raised:
        nvrtc.compile_text(text, "sm_80")
    assert raised.value.code == "TS6503"


@needs_nvrtc
def test_an_error_of_the_compiler_has_the_line_of_the_script() -> None:
    lowered = tvmscript.lower(tvmscript.from_source(UNDEFINED), "cuda -arch=sm_80")
    text = tvmscript.backends.cuda.source.write_source(lowered, has_lines=True).text
    with pytest.raises(RefusedByNvrtc, match=r"kernels.cu:7, <text>:5: identifier .*: A\["):
        nvrtc.compile_text(text, "sm_80")
    module: Any = tvmscript.build(tvmscript.from_source(UNDEFINED), target="cuda -arch=sm_80")
    with pytest.raises(RefusedByNvrtc, match=r"kernels.cu:5: identifier") as raised:
        module.report()
    assert raised.value.line == 5


@needs_nvrtc
def test_an_error_of_the_assembler() -> None:
    with pytest.raises(RefusedByNvrtc, match=r"sm_80: the assembler: .*"):
        nvrtc.compile_text(source(HOPPER, "sm_90a").text, "sm_80")


def test_without_nvrtc(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> Any:
        raise ImportError(f"No module named '{name}'")

    nvrtc.library.cache_clear()
    monkeypatch.setattr(nvrtc, "import_module", refuse)
    try:
        module = built(VECTOR)
        assert "vector_kernel" in module.get_source()
        with pytest.raises(NoNvrtc, match=r"No module named 'cuda.bindings.nvrtc'"):
            module.get_source("ptx")
    finally:
        nvrtc.library.cache_clear()


@pytest.mark.parametrize(("script", "reason"), [("echo bad cubin >&2; exit 1", "bad cubin"), ("exit 1", "it failed")])
def test_a_disassembler_that_fails(script: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "nvdisasm"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setattr(binary, "find_tool", lambda name: str(tool))
    monkeypatch.setattr(binary.Binary, "cubin", lambda self, arch: b"")
    with pytest.raises(CannotDisassemble, match=reason):
        built(VECTOR).get_source("sass")


def test_without_a_disassembler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "find_tool", lambda name: None)
    with pytest.raises(CannotDisassemble, match="nvdisasm"):
        built(VECTOR).get_source("sass")


def test_an_empty_log_is_written_into_memory_of_its_own() -> None:
    """Python has one object for all bytes objects of a character: NVRTC once wrote the end of a log into it."""
    log = nvrtc.read_output(lambda _: (0, 1), lambda _, content: ctypes.memmove(content, b"\0", 1), None)
    assert log == b"\0"
    assert bytes([32])[0] == 32
