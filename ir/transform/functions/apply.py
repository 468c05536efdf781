"""Every kernel is what a Python function makes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class Apply(PrimFuncPass):
    """Each PrimFunc is replaced by what the function gives for it.

    Raises `WrongType` where that is no PrimFunc.

    rewrite, with Apply(lambda func: func.with_attr("marked", 1)):
        def main(A: T.Buffer((4,))):    --> def main(A: T.Buffer((4,))):
            ...                                 T.func_attr({"marked": 1})
    """

    name: ClassVar[str] = "tir.Apply"
    ftransform: Callable[[PrimFunc], PrimFunc]

    # what the function does is not known
    is_idempotent: ClassVar[bool] = False
    is_exact: ClassVar[bool] = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        made = self.ftransform(func)
        if not isinstance(made, PrimFunc):
            raise WrongType(where="the result of the function of tir.Apply", expected="a PrimFunc", got=repr(made))
        return made
