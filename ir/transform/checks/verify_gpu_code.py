"""Raise an error for kernels that exceed limits of threads, memory or vector size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.analysis.verify.gpu_code import assert_gpu_code
from tvmscript.ir.core import WrongType
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class VerifyGPUCode(PrimFuncPass):
    """Raise `LimitExceeded` or `LaunchesDiffer` if a kernel exceeds a limit of the GPU. The program is not changed.

    Limits are given by name: `get_pass("tir.VerifyGPUCode", {"max_threads_per_block": 1024})`. Raises `UnknownName` for
    an unknown limit.
    """

    name = "tir.VerifyGPUCode"
    is_idempotent = True

    #: name of a limit -> value; a tuple of pairs is accepted too
    constraints: Any = ()

    def __post_init__(self) -> None:
        limits = self.constraints
        if isinstance(limits, Mapping):
            object.__setattr__(self, "constraints", tuple(sorted((name, int(value)) for name, value in limits.items())))
        elif not isinstance(limits, tuple):
            raise WrongType(where="tir.VerifyGPUCode", expected="limits by name", got=repr(limits))

    def transform(self, func: PrimFunc) -> PrimFunc:
        assert_gpu_code(func, dict(self.constraints))
        return func
