"""TVM's `contrib.cc`: the machine's C compiler makes libraries and programs of objects and texts."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from tvmscript.backends.c.compiler import find_compiler
from tvmscript.backends.c.errors import RefusedByCompiler
from tvmscript.ir.core.lazy import lazy_names

__all__ = ["create_executable", "create_shared", "create_staticlib", "get_cc"]


def get_cc() -> str:
    """Return the path of the C compiler. Raises `NoCCompiler`."""
    return find_compiler("get_cc")[0]


def create_shared(
    output: str, objects: str | Sequence[str], options: Sequence[str] | None = None, cc: str | None = None
) -> None:
    """Link objects, or compile texts, to a shared library. Raises `NoCCompiler`, `RefusedByCompiler`."""
    _run([*_compiler(cc), "-shared", "-fPIC", "-o", output, *_paths(objects), *(options or ())])


def create_executable(
    output: str, objects: str | Sequence[str], options: Sequence[str] | None = None, cc: str | None = None
) -> None:
    """Link objects, or compile texts, to a program. Raises `NoCCompiler`, `RefusedByCompiler`."""
    _run([*_compiler(cc), "-o", output, *_paths(objects), *(options or ())])


def create_staticlib(output: str, inputs: str | Sequence[str], ar: str | None = None) -> None:
    """Put objects into an archive. Raises `RefusedByCompiler`."""
    Path(output).unlink(missing_ok=True)
    _run([ar or "ar", "qcs", output, *_paths(inputs)])


def _compiler(given: str | None) -> list[str]:
    return find_compiler("contrib.cc") if given is None else [given]


def _paths(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _run(command: list[str]) -> None:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        lines = ran.stderr.splitlines() or [f"it ended with {ran.returncode}"]
        raise RefusedByCompiler(compiler=command[0], reason=lines[0])


__getattr__, __dir__ = lazy_names(
    __name__, {}, dict.fromkeys(("_is_linux_like", "_is_windows_like"), "it is private in TVM; ask sys.platform")
)
