"""Architectures of CUDA devices."""

from __future__ import annotations

from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.targets.target import Target


@hook
def device_arch() -> str | None:
    """Return the architecture of the first CUDA device of this machine, None where there is none."""


def with_device_arch(target: Target) -> Target:
    """Return a target of CUDA that names no architecture with that of the device, others and without one as it is."""
    if target.kind != "cuda" or target.options.get("arch"):
        return target
    arch = device_arch()
    return target if arch is None else target.replace(options={**target.options, "arch": arch})


def cuda_arch(target: Target) -> int | None:
    """Return the number of a target's architecture, None where it is unknown.

    >>> cuda_arch(Target.make("cuda -arch=sm_90a"))
    90
    """
    digits = "".join(filter(str.isdigit, str(target.options.get("arch") or "")))
    return int(digits) if target.kind == "cuda" and digits else None
