"""Targets under TVM's name: `tvm.target.Target("llvm -mcpu=znver4")`."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.core import Target
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.core.targets.tags import target_tags
from tvmscript.ir.core.targets.target import TargetKind
from tvmscript.ir.tir import function as function  # target attributes are TIR constants
from tvmscript.target.generic_func import (
    GenericFunc,
    generic_func,
    get_native_generic_func,
    override_native_generic_func,
)

__all__ = [
    "GenericFunc",
    "Target",
    "TargetKind",
    "arm_cpu",
    "create",
    "cuda",
    "generic_func",
    "get_native_generic_func",
    "list_tags",
    "mali",
    "override_native_generic_func",
    "rocm",
]

create = Target


def list_tags() -> dict[str, Target]:
    """Return the targets that have a name."""
    return {tag: Target.make(tag) for tag in target_tags()}


def _with_options(target: str, options: str | Sequence[str] | None) -> Target:
    words = options.split() if isinstance(options, str) else list(options or ())
    return Target.make(" ".join([target, *words]))


def cuda(model: str = "unknown", arch: str | None = None, options: str | Sequence[str] | None = None) -> Target:
    """Return a target for NVIDIA's devices."""
    return _with_options(f"cuda -model={model}" + (f" -arch={arch}" if arch else ""), options)


def rocm(model: str = "unknown", options: str | Sequence[str] | None = None) -> Target:
    """Return a target for AMD's devices."""
    return _with_options(f"rocm -model={model}", options)


def mali(model: str = "unknown", options: str | Sequence[str] | None = None) -> Target:
    """Return a target for Arm's devices."""
    return _with_options(f"opencl -device=mali -model={model}", options)


def arm_cpu(model: str = "unknown", options: str | Sequence[str] | None = None) -> Target:
    """Return a target for Arm's CPUs."""
    return _with_options(f"llvm -keys=arm_cpu,cpu -device=arm_cpu -model={model}", options)


__getattr__, __dir__ = lazy_names(__name__, {})
