"""TVM's `contrib.nvcc`: versions of NVIDIA's processors, and machine code of CUDA texts, which NVRTC compiles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from tvmscript.backends.cuda import nvrtc
from tvmscript.ir.core import Target
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.core.targets.target import InvalidTarget

__all__ = [
    "compile_cuda",
    "get_target_compute_version",
    "have_bf16",
    "have_fp8",
    "have_fp16",
    "have_int8",
    "have_tensorcore",
    "parse_compute_version",
]

#: what is compiled for where no target and no architecture is given
_ARCH = "sm_80"


def parse_compute_version(compute_version: str) -> tuple[int, int]:
    """Return the parts of a version such as "8.6". Raises `InvalidTarget`."""
    major, _, minor = compute_version.partition(".")
    if not major.isdecimal() or not minor.isdecimal():
        raise InvalidTarget(text=repr(compute_version), reason="the versions of processors are numbers: 8.6")
    return int(major), int(minor)


def get_target_compute_version(target: str | Target | None = None) -> str:
    """Return the version of the processor of a target, the current one if none is given: sm_86 is "8.6".

    Raises `InvalidTarget` where no architecture is known.
    """
    given = Target.current() if target is None else Target.make(target)
    arch = "" if given is None else str(given.options.get("arch", ""))
    digits = arch.removeprefix("sm_").rstrip("af")
    if not digits.isdecimal() or len(digits) < len("80"):
        raise InvalidTarget(text=str(given), reason="it names no architecture", hint='Target("cuda -arch=sm_80")')
    return f"{digits[:-1]}.{digits[-1]}"


def have_fp16(compute_version: str) -> bool:
    """Return whether processors of a version compute in float16."""
    return parse_compute_version(compute_version) >= (5, 3)


def have_int8(compute_version: str) -> bool:
    """Return whether processors of a version have dot products of int8."""
    return parse_compute_version(compute_version) >= (6, 0)


def have_tensorcore(compute_version: str | None = None, target: str | Target | None = None) -> bool:
    """Return whether processors of a version, or of a target, have tensor cores."""
    return parse_compute_version(compute_version or get_target_compute_version(target)) >= (7, 0)


def have_bf16(compute_version: str) -> bool:
    """Return whether processors of a version compute in bfloat16."""
    return parse_compute_version(compute_version) >= (8, 0)


def have_fp8(compute_version: str) -> bool:
    """Return whether processors of a version convert floats of 8 bits."""
    return parse_compute_version(compute_version) >= (8, 9)


def compile_cuda(
    code: str,
    target_format: Literal["ptx", "cubin"] = "ptx",
    arch: str | None = None,
    options: str | Sequence[str] | None = None,
    path_target: str | None = None,
) -> bytearray:
    """Compile a CUDA text; write the result to a file too if its path is given. Raises `NoNvrtc`, `RefusedByNvrtc`."""
    current = Target.current()
    own = _ARCH if current is None else str(current.options.get("arch", _ARCH))
    words = [options] if isinstance(options, str) else list(options or ())
    compiled = nvrtc.compile_text(code, arch or own, *words)
    result = compiled.ptx.encode() if target_format == "ptx" else compiled.cubin
    if path_target is not None:
        Path(path_target).write_bytes(result)
    return bytearray(result)


__getattr__, __dir__ = lazy_names(__name__, {})
