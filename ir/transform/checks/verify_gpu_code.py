"""Kernels stay within limits of threads, memory and vectors; others are refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.analysis.verify_gpu_code import assert_gpu_code
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class VerifyGPUCode(PrimFuncPass):
    """Refuse functions whose kernels need more than a GPU offers. Nothing is changed.

    The limits are given by name: `get_pass("tir.VerifyGPUCode", {"max_threads_per_block": 1024})`. Raises
    `LimitExceeded`, `LaunchesDiffer`, and `UnknownName` for a limit that there is not.
    """

    name: ClassVar[str] = "tir.VerifyGPUCode"

    #: the name of a limit -> its value; a tuple of pairs is taken too
    constraints: Any = ()

    def __post_init__(self) -> None:
        given = self.constraints
        if isinstance(given, Mapping):
            object.__setattr__(self, "constraints", tuple(sorted((name, int(value)) for name, value in given.items())))
        elif not isinstance(given, tuple):
            raise WrongType(where="tir.VerifyGPUCode", expected="limits by name", got=repr(given))

    def transform(self, func: PrimFunc) -> PrimFunc:
        assert_gpu_code(func, dict(self.constraints))
        return func
