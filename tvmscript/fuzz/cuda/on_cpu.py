"""The CUDA text of kernels, compiled by the C++ compiler of this machine: threads of a block are threads of the CPU.

Headers of `include/tvmscript` stand for those that are written with instructions of the device. `mma.sync` is a call of
a function there. Blocks run one after the other.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tvmscript.backends.cuda.program import headers
from tvmscript.backends.cuda.source import Source

FOLDER = Path(__file__).parent / "include"
COMPILER = shutil.which("g++")
_MMA = re.compile(
    r'asm volatile\("mma\.sync\.aligned\.m(\d+)n(\d+)k(\d+)\.row\.col\.(\w+)\.(\w+)\.(\w+)\.\w+ [^;]*;"\s*'
    r': "[^"]+"\((\w+)\[0\]\).*?\n\s*: "\w"\((\w+)\[0\]\).*?"\w"\((\w+)\[\d+\]\)\);'
)
_CAST = re.compile(r"(?<!\w)\((u?int32_t)\)")
#: operators and casts before the operand of a cast
_PREFIX = re.compile(r"[-~!*&]|\((?:u?int\d+_t|float|double|bool|b?float\d+)\)")
#: a number, or a name with the arguments of its template
_NAME = re.compile(r"\d[\w.]*(?:(?<=e)[-+]\d+f?)?|\w+(?:<[^()]*?>(?=\())?")
_INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)
#: the head of a kernel: its name and parameters
KERNEL = re.compile(r"__global__ void(?: __launch_bounds__\(\d+(?:, 1)?\))? (\w+)\((.*)\) \{")


class NotCompiled(Exception):
    """The compiler refuses a text; the message is its first error."""


class Launch(Protocol):
    """A launch that a driver is asked for."""

    @property
    def kernel(self) -> str: ...
    @property
    def grid(self) -> Sequence[int]: ...
    @property
    def block(self) -> Sequence[int]: ...
    @property
    def shared(self) -> int: ...
    @property
    def cells(self) -> Sequence[int]: ...


def without_mma(text: str) -> str:
    """Return a text whose products of matrices are calls of a function of the headers."""
    return _MMA.sub(r'mma<\1, \2, \3>("\4", "\5", "\6", \7, \8, \9);', text)


def _with_saturation(text: str) -> str:
    """Return a text whose casts to integers of 32 bits are calls: floats that do not fit become the nearest number."""
    for cast in reversed(list(_CAST.finditer(text))):
        end = cast.end()
        while prefix := _PREFIX.match(text, end):
            end = prefix.end()
        if name := _NAME.match(text, end):
            end = name.end()
        while text[end] in "([" or (text[end] == "." and text[end + 1].isalpha()):
            end = _closing(text, end) if text[end] != "." else end + 2
        text = f"{text[: cast.start()]}converted<{cast[1]}>({text[cast.end() : end]}){text[end:]}"
    return text


def _closing(text: str, start: int) -> int:
    """Return the place behind the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if not depth:
            return place + 1
    raise NotCompiled("a bracket is not closed")


def as_cpp(text: str) -> str:
    """Return a text of kernels as C++, with a function for each that runs all its threads."""
    text = re.sub(
        r"extern __shared__ __align__\(\d+\) uint8_t (\w+)\[\];", r"uint8_t *\1 = dynamic_shared_memory;", text
    )
    text = re.sub(r"__shared__ (alignas\(\d+\))", r"\1 static", text)
    text = without_mma(text)
    if "asm" in text:
        raise NotCompiled("inline assembly is of a device")
    text = _with_saturation(text)
    entries: list[str] = []
    for name, params in KERNEL.findall(text):
        kinds = [param.rpartition(" ")[0].replace("const ", "") for param in params.split(", ")]
        kinds = [re.sub(r"\*.*", "*", param.replace("const ", "")) if "*" in param else kind
                 for param, kind in zip(params.split(", "), kinds, strict=True)]  # fmt: skip
        given = ", ".join(f"*({kind} *)cells[{place}]" for place, kind in enumerate(kinds))
        entries.append(
            f'extern "C" void run_{name}(const uint32_t *grid, const uint32_t *block, uint32_t bytes, '
            "void **cells) {\n"
            f"    run_blocks(grid, block, bytes, [&] {{ {name}({given}); }});\n}}\n"
        )
    return text + "\n".join(entries)


@cache
def include_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder with all headers, those of threads precompiled: it is deleted at exit."""
    folder = tempfile.TemporaryDirectory(prefix="tvmscript-on-cpu-")
    place = Path(folder.name) / "tvmscript"
    place.mkdir()
    for name, content in headers().items():
        (place / name).write_text(_with_saturation(content) if name == "convert.cuh" else content)
    shutil.copytree(FOLDER / "tvmscript", place, dirs_exist_ok=True)
    threads = str(place / "threads.cuh")
    _run_compiler("-x", "c++-header", threads, "-o", f"{threads}.gch")
    return folder


def _run_compiler(*arguments: str) -> None:
    # registers that nobody wrote hold no zeros: auto-var-init is of GCC 12
    flags = ["-std=c++20", "-O1", "-w", "-mf16c", "-mfma", "-fPIC", "-pthread", "-ftrivial-auto-var-init=pattern"]
    ran = subprocess.run([str(COMPILER), *flags, *arguments], check=False, capture_output=True, text=True)
    if ran.returncode:
        errors = [line for line in ran.stderr.splitlines() if "error" in line]
        raise NotCompiled((errors or [ran.stderr])[0])


def compile_kernels(sources: Sequence[Source], folder: Path) -> ctypes.CDLL:
    """Compile kernels of different names to a library in a folder. Raises `NotCompiled`."""
    return ctypes.CDLL(str(compile_texts([source.text for source in sources], folder / "kernels.so")))


def compile_texts(texts: Sequence[str], library: Path) -> Path:
    """Compile texts with kernels of different names to a library; return its file. Raises `NotCompiled`."""
    programs = [as_cpp(text) for text in texts]
    included = dict.fromkeys(line for program in programs for line in _INCLUDE.findall(program))
    spaces = [f"namespace n{number} {{\n{_INCLUDE.sub('', program)}}}\n" for number, program in enumerate(programs)]
    file = library.with_suffix(".cpp")
    file.write_text("\n".join(['#include "tvmscript/threads.cuh"', *included, *spaces]))
    _run_compiler("-shared", f"-I{include_folder().name}", str(file), "-o", str(library))
    return library


def run_kernel(
    library: ctypes.CDLL, name: str, grid: Sequence[int], block: Sequence[int], shared: int, cells: Sequence[Any]
) -> None:
    """Run all blocks of a kernel; `cells` hold its arguments."""
    addresses = [cell.ctypes.data if isinstance(cell, np.ndarray) else ctypes.addressof(cell) for cell in cells]
    _run(library, name, grid, block, shared, addresses)


def _run(
    library: ctypes.CDLL, name: str, grid: Sequence[int], block: Sequence[int], shared: int, cells: Sequence[int]
) -> None:
    function = getattr(library, f"run_{name}")
    function.restype = None
    extents = ((ctypes.c_uint32 * 3)(*each) for each in (grid, block))
    function(*extents, ctypes.c_uint32(shared), (ctypes.c_void_p * len(cells))(*cells))


def runner(library: ctypes.CDLL) -> Callable[[Launch], None]:
    """Return what a driver without a device runs a launch with."""
    return lambda launch: _run(library, launch.kernel, launch.grid, launch.block, launch.shared, launch.cells)
