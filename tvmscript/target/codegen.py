"""The names of `tvm.target.codegen`: what the LLVM of this package knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import llvmlite.binding as llvm

from tvmscript.backends.llvm.processor_features import has_features
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.target import Target

__all__ = [
    "llvm_cpu_has_features",
    "llvm_get_system_cpu",
    "llvm_get_system_triple",
    "llvm_version_major",
    "target_has_features",
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


def target_has_features(cpu_features: str | Sequence[str], target: str | Target | None = None) -> bool:
    """Return whether the processor of a target, the current one if none is given, has all of LLVM's features."""
    names = [cpu_features] if isinstance(cpu_features, str) else cpu_features
    given = Target.current(allow_none=True) if target is None else Target.make(target)
    return has_features({} if given is None else given.options, names) == frozenset(names)


llvm_cpu_has_features = target_has_features


# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
