"""ReorderPermuteDimsAfterConcat: concatenate, then permute the axes once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.dpl.matcher import Matches
from tvmscript.ir.relax.dpl.pattern import DFPattern, is_op, is_tuple, wildcard
from tvmscript.ir.relax.expr import Call, Tuple
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.manipulate import concat, permute_dims
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.rewriters.rewrite_call import rewrite_call

#: the most tensors of a concatenation that is reordered (as in TVM)
_MAX_TENSORS: Final = 12


@dataclass(frozen=True)
class ReorderPermuteDimsAfterConcat(RelaxFunctionPass):
    """Move a permutation of axes that all tensors of a concatenation have behind the concatenation.

    rewrite:
        a1 = R.permute_dims(a)               -->  lv = R.concat((a, b), axis=0)
        b1 = R.permute_dims(b)                    y = R.permute_dims(lv)
        y = R.concat((a1, b1), axis=1)
    """

    name = "relax.ReorderPermuteDimsAfterConcat"

    def transform(self, func: Function, mod: IRModule) -> Function:
        tensors = [wildcard() for _ in range(_MAX_TENSORS)]
        permuted = [is_op("relax.permute_dims")(tensor) for tensor in tensors]
        pattern: DFPattern = is_op("relax.concat")(is_tuple(permuted[:1]))
        for count in range(2, _MAX_TENSORS + 1):
            pattern = pattern | is_op("relax.concat")(is_tuple(permuted[:count]))

        def reorder(call: Call, matches: Matches) -> Any:
            calls = [matches[part] for part in permuted if part in matches]
            axes = [_axes(permutation) for permutation in calls]
            if axes[0] is None or any(other != axes[0] for other in axes):
                return call
            arguments = Tuple(tuple(matches[tensor] for tensor in tensors[: len(calls)]))
            joined = Call(concat, (arguments,), {"axis": axes[0][call.attrs["axis"]]})
            return Call(permute_dims, (joined,), calls[0].attrs)

        return rewrite_call(pattern, reorder, func)


def _axes(call: Call) -> tuple[int, ...] | None:
    """Return the axes of a permutation, None where their number is unknown."""
    axes = call.attrs["axes"]
    info = call.struct_info
    if axes is not None:
        return tuple(axes)
    return tuple(reversed(range(info.ndim))) if isinstance(info, TensorStructInfo) and info.ndim >= 0 else None
