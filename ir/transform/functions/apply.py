"""Apply a Python function to every PrimFunc."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tvmscript.ir.core import WrongType
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class Apply(PrimFuncPass):
    """Replace each PrimFunc by the result of a Python function.

    Raises `WrongType` if the result is not a PrimFunc.

    rewrite, with Apply(lambda func: func.with_attr("marked", 1)):
        def main(A: T.Buffer((4,))):    --> def main(A: T.Buffer((4,))):
            ...                                 T.func_attr({"marked": 1})
    """

    name = "tir.Apply"
    ftransform: Callable[[PrimFunc], PrimFunc]

    # nothing is known of the function
    is_idempotent = False
    is_exact = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        result = self.ftransform(func)
        if not isinstance(result, PrimFunc):
            raise WrongType(where="the result of the function of tir.Apply", expected="a PrimFunc", got=repr(result))
        return result
