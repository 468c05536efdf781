"""ExpandMatmulOfSum: a product with a sum becomes a sum of products."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.analysis.compile_time import computable_at_compile_time
from tvmscript.ir.relax.dpl.matcher import Matches
from tvmscript.ir.relax.dpl.pattern import is_op, wildcard
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.binary import add
from tvmscript.ir.relax.op.linear_algebra import matmul
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.rewriters.rewrite_call import rewrite_call


@dataclass(frozen=True)
class ExpandMatmulOfSum(RelaxFunctionPass):
    """Replace the product of a value and a sum by a sum of products, unless both summands depend on weights alone.

    rewrite:
        s = R.add(a, b)       -->  lv = R.matmul(x, a)
        y = R.matmul(x, s)         lv1 = R.matmul(x, b)
                                   y = R.add(lv, lv1)
    """

    name = "relax.ExpandMatmulOfSum"

    def transform(self, func: Function, mod: IRModule) -> Function:
        constant = set(computable_at_compile_time(func))
        left, first, second = wildcard(), wildcard(), wildcard()
        product = is_op("relax.matmul")(left, is_op("relax.add")(first, second))

        def expand(call: Call, matches: Matches) -> Any:
            a, b = matches[first], matches[second]
            if a in constant and b in constant:
                return call
            products = [Call(matmul, (matches[left], summand), call.attrs) for summand in (a, b)]
            return Call(add, products)

        return rewrite_call(product, expand, func)
