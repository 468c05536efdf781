"""OptimizeLayoutTransform: remove layouts that are undone at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import IRModule, structural_equal
from tvmscript.ir.relax.dpl.matcher import Matches
from tvmscript.ir.relax.dpl.pattern import is_op, wildcard
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.rewriters.rewrite_call import rewrite_call
from tvmscript.ir.tir import Range
from tvmscript.ir.tir.index_map import IndexMap


@dataclass(frozen=True)
class OptimizeLayoutTransform(RelaxFunctionPass):
    """Replace a layout transform that undoes another one by the tensor.

    rewrite:
        a = R.layout_transform(x, lambda i, j: (j, i))    -->  (uses of b become uses of x)
        b = R.layout_transform(a, lambda i, j: (j, i))
    """

    name = "relax.OptimizeLayoutTransform"
    is_idempotent = True

    def transform(self, func: Function, mod: IRModule) -> Function:
        tensor = wildcard()
        inner = is_op("relax.layout_transform")(tensor)

        def cancel(call: Call, matches: Matches) -> Any:
            original: Any = matches[tensor]
            first: IndexMap = matches[inner].attrs["index_map"]
            second: IndexMap = call.attrs["index_map"]
            is_undone = structural_equal(original.struct_info, call.struct_info) and _is_identity(
                first, second, original.struct_info
            )
            return original if is_undone else call

        return rewrite_call(is_op("relax.layout_transform")(inner), cancel, func)


def _is_identity(first: IndexMap, second: IndexMap, info: TensorStructInfo) -> bool:
    """Whether the second map undoes the first one on all indices of a tensor."""
    if info.extents is None:
        return False
    analyzer = Analyzer()
    for var, extent in zip(first.initial_indices, info.extents, strict=True):
        analyzer.bind(var, Range(0, extent))
    indices = second.at(first.final_indices)
    return all(analyzer.can_prove_equal(index, var) for index, var in zip(indices, first.initial_indices, strict=True))
