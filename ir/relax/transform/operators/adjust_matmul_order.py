"""AdjustMatmulOrder: multiply three matrices in the cheaper order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import IRModule, nodes
from tvmscript.ir.relax.analysis.compile_time import computable_at_compile_time
from tvmscript.ir.relax.dpl.matcher import Matches
from tvmscript.ir.relax.dpl.pattern import is_op, wildcard
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.linear_algebra import matmul
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.rewriters.rewrite_call import rewrite_call
from tvmscript.ir.tir import Expr, Var, const


@dataclass(frozen=True)
class AdjustMatmulOrder(RelaxFunctionPass):
    """Compute a product of three matrices with as few multiplications as possible. Two neighbours that depend on
    weights alone are multiplied first, since that is done at compile time.

    rewrite:
        ab = R.matmul(a, b)     -->  lv = R.matmul(x, a)
        y = R.matmul(x, ab)          y = R.matmul(lv, b)
    """

    name = "relax.AdjustMatmulOrder"
    is_exact = False

    def transform(self, func: Function, mod: IRModule) -> Function:
        constant = set(computable_at_compile_time(func))
        a, b, c = wildcard(), wildcard(), wildcard()
        left = is_op("relax.matmul")(is_op("relax.matmul")(a, b), c)
        right = is_op("relax.matmul")(a, is_op("relax.matmul")(b, c))

        def reorder(call: Call, matches: Matches) -> Any:
            values: list[Any] = [matches[a], matches[b], matches[c]]
            is_left = left in matches
            is_left_better = _is_left_better([value in constant for value in values], values)
            if is_left_better is None or is_left_better is is_left:
                return call
            first, second, third = values
            if is_left_better:
                return Call(matmul, (Call(matmul, (first, second), call.attrs), third), call.attrs)
            return Call(matmul, (first, Call(matmul, (second, third), call.attrs)), call.attrs)

        return rewrite_call(left | right, reorder, func)


def _is_left_better(is_constant: list[bool], values: list[Any]) -> bool | None:
    """Whether the first two of three matrices are multiplied first, None where it is not known."""
    if is_constant[0] and is_constant[1]:
        return True
    if is_constant[1] and is_constant[2]:
        return False
    first, last = (value.struct_info for value in (values[0], values[2]))
    shapes = [info.extents if isinstance(info, TensorStructInfo) else None for info in (first, last)]
    if not shapes[0] or not shapes[1]:
        return None
    one: Expr = const(1, "int64")
    rows, inner = (one, *shapes[0])[-2:]
    outer, columns = (*shapes[1], one)[:2] if len(shapes[1]) == 1 else shapes[1][-2:]
    left: Expr = (inner + columns) * rows * outer
    right: Expr = (outer + rows) * inner * columns
    analyzer = Analyzer()
    for var in {part for each in (left, right) for part in nodes(each) if isinstance(part, Var)}:
        analyzer.bind_bounds(var, low=0)
    if analyzer.can_prove(left < right):
        return True
    return False if analyzer.can_prove(right < left) else None
