"""The CUDA text of kernels, compiled by the C++ compiler of this machine: threads of a block are threads of the CPU.

Headers of `on_cpu/tvmscript` stand for those that are written with instructions of the device. `mma.sync` is a call of
a function there. Blocks run one after the other.
"""

from __future__ import annotations

import ctypes
import itertools
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.backends.cuda.fake_driver import FakeDriver, Launched
from tvmscript.backends.cuda.binary import Binary
from tvmscript.backends.cuda.program import headers
from tvmscript.backends.cuda.source import Source
from tvmscript.backends.runtime import cuda_driver

#: numbers of libraries: the loader knows those that it has by their names
_libraries = itertools.count()
FOLDER = Path(__file__).parent / "on_cpu"
COMPILER = shutil.which("g++")
_MMA = re.compile(
    r'asm volatile\("mma\.sync\.aligned\.m(\d+)n(\d+)k(\d+)\.row\.col\.(\w+)\.(\w+)\.(\w+)\.\w+ [^;]*;"\s*'
    r': "[^"]+"\((\w+)\[0\]\).*?\n\s*: "\w"\((\w+)\[0\]\).*?"\w"\((\w+)\[\d+\]\)\);'
)
_KERNEL = re.compile(r"__global__ void(?: __launch_bounds__\(\d+(?:, 1)?\))? (\w+)\((.*)\) \{")


def as_cpp(text: str) -> str:
    """Return a text of kernels as C++, with a function for each that runs all its threads."""
    text = re.sub(
        r"extern __shared__ __align__\(\d+\) uint8_t (\w+)\[\];", r"uint8_t *\1 = dynamic_shared_memory;", text
    )
    text = re.sub(r"__shared__ (alignas\(\d+\))", r"\1 static", text)
    text = _MMA.sub(r'mma<\1, \2, \3>("\4", "\5", "\6", \7, \8, \9);', text)
    if "asm" in text:
        raise NotImplementedError("inline assembly")
    entries: list[str] = []
    for name, params in _KERNEL.findall(text):
        kinds = [param.rpartition(" ")[0].replace("const ", "") for param in params.split(", ")]
        kinds = [re.sub(r"\*.*", "*", param.replace("const ", "")) if "*" in param else kind
                 for param, kind in zip(params.split(", "), kinds, strict=True)]  # fmt: skip
        given = ", ".join(f"*({kind} *)cells[{place}]" for place, kind in enumerate(kinds))
        entries.append(
            f'extern "C" void run_{name}(const uint32_t *grid, const uint32_t *block, uint32_t bytes, '
            "void **cells) {\n"
            f"    run_blocks(grid, block, bytes, [&] {{ {name}({given}); }});\n}}\n"
        )
    return '#include "tvmscript/threads.cuh"\n' + text + "\n".join(entries)


@cache
def _include_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder with all headers, those of threads precompiled: it is deleted at exit."""
    folder = tempfile.TemporaryDirectory(prefix="tvmscript-on-cpu-")
    place = Path(folder.name) / "tvmscript"
    place.mkdir()
    for name, content in headers().items():
        (place / name).write_text(content)
    shutil.copytree(FOLDER / "tvmscript", place, dirs_exist_ok=True)
    threads = str(place / "threads.cuh")
    _run_compiler("-x", "c++-header", threads, "-o", f"{threads}.gch")
    return folder


def _run_compiler(*arguments: str) -> None:
    # registers that nobody wrote hold no zeros: auto-var-init is of GCC 12
    flags = ["-std=c++20", "-O1", "-w", "-mf16c", "-mfma", "-fPIC", "-pthread", "-ftrivial-auto-var-init=pattern"]
    ran = subprocess.run([str(COMPILER), *flags, *arguments], check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def compile_kernels(source: Source, folder: Path) -> ctypes.CDLL:
    """Compile kernels to a library in a folder."""
    return ctypes.CDLL(str(_compile_text(source.text, folder / "kernels.so")))


def _compile_text(source: str, library: Path) -> Path:
    text = library.with_suffix(".cpp")
    text.write_text(as_cpp(source))
    _run_compiler("-shared", f"-I{_include_folder().name}", str(text), "-o", str(library))
    return library


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, *drivers: FakeDriver) -> FakeDriver:
    """Install drivers whose machine code are libraries for the CPU in a folder; return the first one."""

    def compile_for(binary: Binary, arch: str) -> bytes:
        sizes = {name: params.count(",") + 1 for name, params in _KERNEL.findall(binary.text)}
        for each in installed:
            each.num_parameters |= sizes
        return str(_compile_text(binary.text, folder / f"kernels-{next(_libraries)}.so")).encode()

    installed = drivers or (FakeDriver(),)
    for each in installed:
        each.run = lambda launched: runner(ctypes.CDLL(launched.image.decode()))(launched)
    monkeypatch.setattr(Binary, "cubin", compile_for)
    monkeypatch.setattr(cuda_driver, "find_driver", lambda function, index=0: installed[index])
    return installed[0]


def runner(library: ctypes.CDLL) -> Any:
    """Return what a fake driver runs a launch with."""

    def run(launched: Launched) -> None:
        function = getattr(library, f"run_{launched.kernel}")
        function.restype = None
        grid, block = ((ctypes.c_uint32 * 3)(*extents) for extents in (launched.grid, launched.block))
        function(
            grid, block, ctypes.c_uint32(launched.shared), (ctypes.c_void_p * len(launched.cells))(*launched.cells)
        )

    return run
