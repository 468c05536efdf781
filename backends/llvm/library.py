"""Machine code of a module in this process, and its functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from tvmscript.backends.llvm.calling_convention.callable import CompiledFunction, native_callable
from tvmscript.backends.llvm.linked_code import LinkedCode
from tvmscript.backends.llvm.object_cache import Library
from tvmscript.backends.llvm.target import Target
from tvmscript.ir.tir import PrimFunc

#: kinds of source of a compiled program: optimized LLVM text, assembly, LLVM text before optimization
SOURCES: Final = ("ll", "asm", "input")


def link(library: Library, target: Target) -> LinkedCode:
    """Load a library into this process. Raises `UnknownSymbol`."""
    return LinkedCode(library.code, library.externals, target)


def callables(
    library: Library, code: LinkedCode, written: Callable[[str], PrimFunc], lowered: Callable[[str], PrimFunc]
) -> dict[str, CompiledFunction]:
    """Return the functions of a library by name.

    `written` and `lowered` return a function before and after lowering: for keywords and signatures, and for the places
    of errors.
    """
    return {
        name: native_callable(code.function(symbol), name, partial(written, name), partial(lowered, name))
        for name, symbol in library.symbols.items()
    }
