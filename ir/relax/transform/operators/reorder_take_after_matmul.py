"""ReorderTakeAfterMatmul: take rows of a product rather than of its weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.dpl.matcher import Matches
from tvmscript.ir.relax.dpl.pattern import is_op, wildcard
from tvmscript.ir.relax.expr import Call, ShapeExpr, Tuple
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.index import take
from tvmscript.ir.relax.op.linear_algebra import einsum, matmul
from tvmscript.ir.relax.op.manipulate import permute_dims
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import provably_equal
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.rewriters.rewrite_call import rewrite_call


@dataclass(frozen=True)
class ReorderTakeAfterMatmul(RelaxFunctionPass):
    """Multiply by all weights, then take those that indices select, so that weights need no gather. Two forms are
    reordered: indices of columns, and one index a batch.

    rewrite:
        w = R.take(weights, indices, axis=1)    -->  lv = R.matmul(x, weights)
        y = R.matmul(x, w)                           y = R.take(lv, indices, axis=1)
    """

    name = "relax.ReorderTakeAfterMatmul"
    is_exact = False

    def transform(self, func: Function, mod: IRModule) -> Function:
        data, weights, indices = wildcard(), wildcard(), wildcard()
        taken = is_op("relax.take")(weights, indices)

        def reorder(call: Call, matches: Matches) -> Any:
            axis = matches[taken].attrs["axis"]
            return _take_product(call, matches[data], matches[weights], matches[indices], axis) or call

        return rewrite_call(is_op("relax.matmul")(data, taken), reorder, func)


def _take_product(call: Call, data: Any, weights: Any, indices: Any, axis: int | None) -> Call | None:
    """Return the taken product, None where shapes have another form."""
    infos = [value.struct_info for value in (data, weights, indices)]
    if axis is None or not all(isinstance(info, TensorStructInfo) and info.extents is not None for info in infos):
        return None
    data_shape, weight_shape, index_shape = (info.extents for info in infos)
    if len(index_shape) != 1:
        return None
    rank, axis = len(weight_shape), axis % len(weight_shape)
    if axis == rank - 1 and rank > 1:
        product = Call(matmul, (data, weights), call.attrs)
        info = product.struct_info
        assert isinstance(info, TensorStructInfo)
        return Call(take, (product, indices), {"axis": info.ndim - 1})
    if axis != 0 or rank != 3 or len(data_shape) != 3 or not provably_equal(data_shape[0], index_shape[0]):
        return None
    # every batch times all weights; `ijik->ijk` takes the product of batch i with its own weights
    batch, rows, _ = data_shape
    count, inner, columns = weight_shape
    side_by_side = Call(permute_dims, (weights,), {"axes": (1, 0, 2)})
    flat = Call(reshape, (side_by_side, ShapeExpr((inner, count * columns))))
    products = Call(matmul, (data, flat), call.attrs)
    split = Call(reshape, (products, ShapeExpr((batch, rows, count, columns))))
    return Call(einsum, (Tuple((Call(take, (split, indices), {"axis": 2}),)),), {"subscripts": "ijik->ijk"})
