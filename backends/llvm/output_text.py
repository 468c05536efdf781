"""Texts that LLVM returns, each freed once wherever an exception falls.

llvmlite's own `OutputString` frees its text a second time when an interrupt falls between freeing and forgetting it, so
what is called for every module is called from here.
"""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite.binding import ffi


class OutputText:
    """A text that LLVM allocates, as the last argument of a function of its C interface."""

    def __init__(self) -> None:
        self._pointer: ctypes.c_char_p | None = ctypes.c_char_p(None)
        self._as_parameter_ = ctypes.byref(self._pointer)

    def __enter__(self) -> OutputText:
        return self

    def __exit__(self, *exception: object) -> None:
        pointer, self._pointer = self._pointer, None
        if pointer is not None:
            ffi.lib.LLVMPY_DisposeString(pointer)

    @property
    def text(self) -> str:
        """The text; empty if LLVM has written none."""
        raw = None if self._pointer is None else self._pointer.value
        return (raw or b"").decode("utf-8", "replace")


def text_of(function: Any, *args: object) -> str:
    """Return the text that a function writes into its last argument."""
    with OutputText() as output:
        function(*args, output)
        return output.text


def assembly_of(machine: Any, module: Any) -> str:
    """Return the machine's assembly for a module. Raises `RuntimeError` if the machine cannot emit any."""
    with OutputText() as problem:
        buffer = ffi.lib.LLVMPY_TargetMachineEmitToMemory(machine, module, 0, problem)
        if not buffer:
            raise RuntimeError(problem.text)
    try:
        start = ffi.lib.LLVMPY_GetBufferStart(buffer)
        return ctypes.string_at(start, ffi.lib.LLVMPY_GetBufferSize(buffer)).decode("utf-8", "replace")
    finally:
        ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)
