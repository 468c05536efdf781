"""Architectures of CUDA devices."""

from __future__ import annotations

from tvmscript.ir.core.targets.target import Target


def cuda_arch(target: Target) -> int | None:
    """Return the number of a target's architecture, None where it is unknown.

    >>> cuda_arch(Target.make("cuda -arch=sm_90a"))
    90
    """
    digits = "".join(filter(str.isdigit, str(target.options.get("arch") or "")))
    return int(digits) if target.kind == "cuda" and digits else None
