"""NVIDIA's compiler as a library: CUDA text to machine code, without a GPU, a driver or headers of CUDA."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from tvmscript.backends.cuda.errors import NoNvrtc, RefusedByNvrtc
from tvmscript.backends.cuda.program import headers

#: products and sums may become one operation, as in TVM; nothing else is said
_OPTIONS: Final = ("-std=c++17", "-w", "-default-device")
#: what the compiler calls the text
_FILE: Final = "kernels.cu"
#: a line that says which line of the script follows
_LINE: Final = re.compile(r"^#line .*$", re.MULTILINE)


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
    outcome = _compile(text, arch, options)
    if isinstance(outcome, Compiled):
        return outcome
    place, reason = _refusal(text, outcome)
    script = "" if place.startswith(_FILE) or ":" not in place else place
    if script:
        # the line of the text is where the same lines without those of the script are refused
        plain = _LINE.sub("", text)
        outcome = _compile(plain, arch, options)
        if isinstance(outcome, str):
            place, reason = _refusal(plain, outcome)
            place = f"{place}, {script}"
    raise RefusedByNvrtc(arch=arch, place=place, reason=reason, script=script)


def _compile(text: str, arch: str, options: Sequence[str]) -> Compiled | str:
    """Compile a text; return the log where it is refused."""
    nvrtc = library()
    included = headers()
    _, program = nvrtc.nvrtcCreateProgram(
        text.encode(),
        _FILE.encode(),
        len(included),
        [content.encode() for content in included.values()],
        [f"tvmscript/{name}".encode() for name in included],
    )
    try:
        arguments = [f"--gpu-architecture={arch}", *_OPTIONS, *options]
        (status,) = nvrtc.nvrtcCompileProgram(program, len(arguments), [option.encode() for option in arguments])
        log = read_output(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program).decode(errors="replace")
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            return log.rstrip("\0")
        cubin = read_output(nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, program)
        ptx = read_output(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program).decode().rstrip("\0")
        return Compiled(cubin, ptx, log.rstrip("\0"))
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def read_output(size_of: Any, read: Any, program: Any) -> bytes:
    """Return what NVRTC writes into memory that it is given."""
    _, size = size_of(program)
    content = bytes(int(size) + 2)  # Python shares bytes objects of length 0 and 1: an empty log has one character
    read(program, content)
    return content[:-2]


#: a message of the compiler: file, line, text
_MESSAGE: Final = re.compile(
    r"^(?P<file>[^\n(]+)\((?P<line>\d+)\): (?:catastrophic )?error: (?P<text>.*)$", re.MULTILINE
)
_ASSEMBLER: Final = re.compile(r"^ptxas[^\n]*?(?:error|fatal)\s*: (?P<text>.*)$", re.MULTILINE)


def _refusal(text: str, log: str) -> tuple[str, str]:
    """Return place and reason of a log: the line of the text, or that of the script where `#line` says it."""
    message = _MESSAGE.search(log)
    if message is None:
        match = _ASSEMBLER.search(log)
        lines = [match["text"]] if match else log.split("\n")
        return "the assembler", next((line.strip() for line in lines if line.strip()), "no reason given")
    file, line = message["file"], int(message["line"])
    lines = text.splitlines()
    shown = lines[line - 1].strip() if file == _FILE and 0 < line <= len(lines) else ""
    return f"{file}:{line}", f"{message['text']}: {shown}" if shown else message["text"]
