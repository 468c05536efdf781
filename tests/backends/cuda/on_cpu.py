"""The CUDA text of kernels, compiled by the C++ compiler of this machine: threads of a block are threads of the CPU.

Headers of `on_cpu/tvmscript` stand for those that are written with instructions of the device. `mma.sync` is a call of
a function there. Blocks run one after the other.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.backends.cuda.fake_driver import Launched
from tvmscript.backends.cuda.program import headers
from tvmscript.backends.cuda.source import Source

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


def compile_kernels(source: Source, folder: Path) -> ctypes.CDLL:
    """Compile kernels to a library."""
    for name, content in headers().items():
        path = folder / "tvmscript" / name
        path.parent.mkdir(exist_ok=True)
        own = FOLDER / "tvmscript" / name
        path.write_text(own.read_text() if own.exists() else content)
    shutil.copy(FOLDER / "tvmscript" / "threads.cuh", folder / "tvmscript")
    (folder / "kernels.cpp").write_text(as_cpp(source.text))
    command = [
        str(COMPILER), "-std=c++20", "-O1", "-w", "-mf16c", "-mfma", "-fPIC", "-shared", "-pthread", f"-I{folder}",
        "-ftrivial-auto-var-init=pattern",  # registers that nobody wrote hold no zeros; of GCC 12
        str(folder / "kernels.cpp"), "-o", str(folder / "kernels.so"),
    ]  # fmt: skip
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ctypes.CDLL(str(folder / "kernels.so"))


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
