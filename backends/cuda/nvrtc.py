"""NVIDIA's compiler as a library: CUDA text to machine code, without a GPU, a driver or headers of CUDA."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from tvmscript.backends.cuda.errors import NoNvrtc, RefusedByNvrtc
from tvmscript.backends.cuda.program import headers

#: products and sums may become one operation, as in TVM; nothing else is said
_OPTIONS: Final = ("-std=c++17", "-w", "-default-device")


class Compiled(NamedTuple):
    """Machine code of kernels, and the PTX that it was made of."""

    cubin: bytes
    ptx: str
    #: what the compiler had to say
    log: str


@cache
def library() -> Any:
    """Return the bindings of NVRTC. Raises `NoNvrtc`."""
    try:
        module = import_module("cuda.bindings.nvrtc")
        module.nvrtcVersion()
    except (ImportError, RuntimeError, AttributeError) as error:
        raise NoNvrtc(reason=str(error).splitlines()[0]) from None
    return module


def version() -> str:
    """Return the version of NVRTC. Raises `NoNvrtc`."""
    _, major, minor = library().nvrtcVersion()
    return f"{major}.{minor}"


def architectures() -> list[str]:
    """Return the architectures that NVRTC compiles for, the oldest first. Raises `NoNvrtc`."""
    _, numbers = library().nvrtcGetSupportedArchs()
    return [f"sm_{number}" for number in numbers]


def compile_text(text: str, arch: str, *options: str) -> Compiled:
    """Compile a text for an architecture such as sm_90a. Raises `NoNvrtc`, `RefusedByNvrtc`."""
    nvrtc = library()
    included = headers()
    _, program = nvrtc.nvrtcCreateProgram(
        text.encode(),
        b"kernels.cu",
        len(included),
        [content.encode() for content in included.values()],
        [f"tvmscript/{name}".encode() for name in included],
    )
    try:
        arguments = [f"--gpu-architecture={arch}", *_OPTIONS, *options]
        (status,) = nvrtc.nvrtcCompileProgram(program, len(arguments), [option.encode() for option in arguments])
        log = _read(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program).decode(errors="replace")
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise _refusal(text, arch, log.rstrip("\0"))
        cubin = _read(nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, program)
        ptx = _read(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program).decode().rstrip("\0")
        return Compiled(cubin, ptx, log.rstrip("\0"))
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _read(size_of: Any, read: Any, program: Any) -> bytes:
    _, size = size_of(program)
    content = b" " * int(size)
    read(program, content)
    return content


#: a message of the compiler: file, line, text
_MESSAGE: Final = re.compile(
    r"^(?P<file>[^\n(]+)\((?P<line>\d+)\): (?:catastrophic )?error: (?P<text>.*)$", re.MULTILINE
)
_ASSEMBLER: Final = re.compile(r"^ptxas[^\n]*?(?:error|fatal)\s*: (?P<text>.*)$", re.MULTILINE)


def _refusal(text: str, arch: str, log: str) -> RefusedByNvrtc:
    """Return the error for a log, with the line of the text, and that of the script where `#line` says it."""
    message = _MESSAGE.search(log)
    if message is None:
        match = _ASSEMBLER.search(log)
        reason = match["text"] if match else log.strip().splitlines()[0] if log.strip() else "no reason given"
        return RefusedByNvrtc(arch=arch, place="the assembler", reason=reason)
    file, line = message["file"], int(message["line"])
    lines = text.splitlines()
    shown = lines[line - 1].strip() if file == "kernels.cu" and 0 < line <= len(lines) else ""
    reason = f"{message['text']}: {shown}" if shown else message["text"]
    return RefusedByNvrtc(arch=arch, place=f"{file}:{line}", reason=reason)
