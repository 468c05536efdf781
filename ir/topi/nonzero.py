"""Where conditions hold, and inverse permutations, as kernels."""

from __future__ import annotations

from contextlib import ExitStack

from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import const
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import as_int
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.kernels import kernel, scalar


def argwhere(output_shape: Tensor, condition: Tensor) -> Tensor:
    """Return numpy.argwhere as int32; `output_shape` is a tensor of the shape of the result, -1 fills its end."""
    if output_shape.ndim != 2 or as_int(output_shape.shape[1], "argwhere") != condition.ndim:
        raise InvalidOperand(where="argwhere", reason=f"the result has rows of {condition.ndim} indices")

    def body(ib: IRBuilder, _shape: BufferVar, source: BufferVar, places: BufferVar) -> None:
        count = scalar(ib, "int32", "count", 0)
        with ib.for_range(0, output_shape.shape[0], "row") as row:
            for column in range(condition.ndim):
                places[row, column] = -1
        with ExitStack() as loops:
            indices = [
                loops.enter_context(ib.for_range(0, extent, f"i{n}")) for n, extent in enumerate(condition.shape)
            ]
            loops.enter_context(ib.if_scope(source[tuple(indices)] != const(0, condition.dtype)))
            for column, index in enumerate(indices):
                places[count[0], column] = index.astype("int32")
            count[0] = count[0] + 1

    return kernel("argwhere", output_shape.shape, "int32", [output_shape, condition], body)


def invert_permutation(data: Tensor) -> Tensor:
    """Return numpy.argsort of a permutation: `result[data[i]] = i`."""
    if data.ndim != 1:
        raise InvalidOperand(where="invert_permutation", reason=f"the tensor has {data.ndim} dimensions, not 1")

    def body(ib: IRBuilder, source: BufferVar, inverse: BufferVar) -> None:
        with ib.for_range(0, data.shape[0], "i", kind="parallel") as i:
            inverse[source[i]] = i.astype(data.dtype)

    return kernel("invert_permutation", data.shape, data.dtype, [data], body)
