"""The machine's C compiler: texts to shared libraries, loaded into this process."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Final

from tvmscript.backends.c.errors import NoCCompiler, RefusedByCompiler
from tvmscript.backends.runtime.errors import UnknownSymbol

#: what is looked for where $CC is not set
COMPILERS: Final = ("cc", "gcc", "clang")
#: Products and sums are rounded one by one, as TIR says; buffers over the memory of others may have other types.
FLAGS: Final = ("-std=c11", "-O3", "-fPIC", "-shared", "-ffp-contract=off", "-fno-strict-aliasing", "-w")


def find_compiler(function: str) -> list[str]:
    """Return the command of the C compiler. Raises `NoCCompiler`."""
    given = shlex.split(os.environ.get("CC", ""))
    for command in [given] if given else [[name] for name in COMPILERS]:
        path = shutil.which(command[0])
        if path is not None:
            return [path, *command[1:]]
    tried = f"$CC is {given[0]}" if given else f"tried {', '.join(COMPILERS)}"
    raise NoCCompiler(tried=tried, function=function)


def compile_library(text: str, output: Path, function: str) -> None:
    """Compile a text to a shared library. Raises `NoCCompiler`, `RefusedByCompiler`."""
    compiler = find_compiler(function)
    with tempfile.TemporaryDirectory(prefix="tvmscript-c-") as folder:
        source = Path(folder, "program.c")
        source.write_text(text)
        command = [*compiler, *FLAGS, str(source), "-o", str(output), "-lm"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        lines = [line for line in ran.stderr.splitlines() if "error" in line] or ran.stderr.splitlines()
        reason = lines[0].replace(str(source), "program.c") if lines else f"it ended with {ran.returncode}"
        hint = "GCC 12 and Clang 15 have _Float16 on x86-64 and AArch64" if "_Float16" in reason else None
        raise RefusedByCompiler(compiler=compiler[0], reason=reason, hint=hint)


class Library:
    """A text whose first function that is asked for compiles it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._loaded: ctypes.CDLL | None = None
        self._lock = threading.Lock()

    def entry(self, symbol: str, function: str) -> Any:
        """Return the entry of a function. Raises `NoCCompiler`, `RefusedByCompiler`, `UnknownSymbol`."""
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load(function)
        entry = self._loaded[symbol]
        entry.restype, entry.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
        return entry

    def _load(self, function: str) -> ctypes.CDLL:
        with tempfile.TemporaryDirectory(prefix="tvmscript-c-") as folder:
            path = Path(folder, "program.so")
            compile_library(self._text, path, function)
            try:
                return ctypes.CDLL(str(path))
            except OSError as error:
                name = str(error).rpartition("undefined symbol: ")[2]
                hint = "load its library first, with ctypes.CDLL(path, ctypes.RTLD_GLOBAL)"
                raise UnknownSymbol(name=name, hint=hint) from None
