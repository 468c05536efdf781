"""FastMathTransform: approximations of exp, erf, tanh and softmax."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.transform.operators.common.replace_by_kernels import Kernels, replace_by_kernels
from tvmscript.ir.topi.elementwise import fast_erf, fast_exp, fast_tanh
from tvmscript.ir.topi.nn.softmax import fast_softmax
from tvmscript.ir.transform.base import Pass


def _of_call(kernel: Callable[..., Any]) -> Callable[[BlockBuilder, Call], Call]:
    return lambda builder, call: builder.call_te(kernel, *call.args, **call.attrs)


_KERNELS: Final[Kernels] = {
    "relax.erf": _of_call(fast_erf),
    "relax.exp": _of_call(fast_exp),
    "relax.nn.softmax": _of_call(fast_softmax),
    "relax.tanh": _of_call(fast_tanh),
}


@dataclass(frozen=True)
class FastMathTransform(Pass):
    """Replace exp, erf, tanh and softmax by calls of kernels that approximate them.

    rewrite:
        y = R.exp(x)  -->  y = R.call_tir(cls.fast_exp, (x,), out_sinfo=R.Tensor((4,), "float32"))
    """

    name = "relax.FastMathTransform"
    is_exact = False

    def run(self, mod: IRModule) -> IRModule:
        return replace_by_kernels(mod, _KERNELS)
