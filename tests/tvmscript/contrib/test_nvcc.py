"""Versions of processors as TVM 0.17 tells them, and CUDA texts that NVRTC compiles."""

from __future__ import annotations

import importlib.util

import pytest

from tvmscript.contrib import nvcc
from tvmscript.ir.core.targets.target import InvalidTarget
from tvmscript.target import Target


@pytest.mark.parametrize(
    ("version", "has"),
    [("5.2", ""), ("5.3", "fp16"), ("6.0", "fp16 int8"), ("7.0", "fp16 int8 tensorcore"),
     ("8.6", "fp16 int8 tensorcore bf16"), ("9.0", "fp16 int8 tensorcore bf16 fp8")],
)  # fmt: skip
def test_what_versions_have(version: str, has: str) -> None:
    names = ("fp16", "int8", "tensorcore", "bf16", "fp8")
    assert " ".join(name for name in names if getattr(nvcc, f"have_{name}")(version)) == has


def test_versions_of_targets() -> None:
    assert nvcc.parse_compute_version("8.6") == (8, 6)
    assert nvcc.get_target_compute_version("cuda -arch=sm_75") == "7.5"
    assert nvcc.get_target_compute_version("cuda -arch=sm_90a") == "9.0"
    with Target("cuda -arch=sm_61"):
        assert not nvcc.have_tensorcore()
    for wrong in ("9.0a", "sm_80", "8"):
        with pytest.raises(InvalidTarget):
            nvcc.parse_compute_version(wrong)
    with pytest.raises(InvalidTarget, match="names no architecture"):
        nvcc.get_target_compute_version("cuda")


@pytest.mark.skipif(importlib.util.find_spec("cuda") is None, reason="no NVRTC: cuda-bindings is not installed")
def test_compile() -> None:
    text = 'extern "C" __global__ void one(float* a) { a[threadIdx.x] = 1.0f; }'
    assert b".entry one" in nvcc.compile_cuda(text, arch="sm_80")
    assert nvcc.compile_cuda(text, "cubin", arch="sm_80")[1:4] == b"ELF"
