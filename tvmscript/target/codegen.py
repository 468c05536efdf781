"""The names of `tvm.target.codegen`: what the LLVM of this package knows."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm

from tvmscript.ir.core.lazy import lazy_names

__all__ = [
    "llvm_get_system_cpu",
    "llvm_get_system_triple",
    "llvm_version_major",
]


def llvm_version_major(allow_none: bool = False) -> int:
    """Return the major version of LLVM."""
    version: Any = llvm.llvm_version_info
    return int(version[0])


def llvm_get_system_triple() -> str:
    """Return the triple of the machine."""
    return str(llvm.get_process_triple())


def llvm_get_system_cpu() -> str:
    """Return LLVM's name of the machine's CPU."""
    return str(llvm.get_host_cpu_name())


# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
