"""Products of matrices of signs, 32 of them in an integer."""

from __future__ import annotations

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import function, known_int, normalize_axis, simplify
from tvmscript.ir.topi.errors import InvalidOperand


def binarize_pack(data: Tensor, axis: int | None = None, name: str = "PackedInput") -> Tensor:
    """Return whether elements are at least 0, as bits: each 32 along an axis, the last by default, in a uint32."""
    place = normalize_axis(data.ndim - 1 if axis is None else axis, data.ndim, "nn.binarize_pack")
    extent = known_int(data.shape[place])
    if extent is None or extent % 32:
        raise InvalidOperand(where="nn.binarize_pack", reason=f"the extent {data.shape[place]} is no multiple of 32")
    shape: list[Extent] = list(data.shape)
    shape[place] = simplify(function("floordiv")(data.shape[place], 32))

    def value(*i: Expr) -> Expr:
        packed = const(0, "uint32")
        for bit in range(32):
            index = i[place]
            element = data(*i[:place], index * 32 + bit, *i[place + 1 :])
            is_positive = cast_expr("uint32", element >= const(0, data.dtype))
            packed = packed | is_positive if not bit else (packed << const(1, "uint32")) | is_positive
        return packed

    return compute(shape, value, name=name, tag="binarize_pack")


def binary_dense(data: Tensor, weight: Tensor) -> Tensor:
    """Return `x @ w.T` of matrices of signs as float32, from what `binarize_pack` returns for both."""
    if data.ndim != 2 or weight.ndim != 2:
        raise InvalidOperand(where="nn.binary_dense", reason="the operands are matrices")
    size = data.shape[1]
    k = reduce_axis((0, size), "k")
    shape = (data.shape[0], weight.shape[0])
    differences = compute(
        shape, lambda i, j: reduction.sum(function("popcount")(data(i, k) ^ weight(j, k)), axis=k), tag="binary_dense"
    )
    total = function("cast")(size * 32, "float32")
    two = const(2.0, "float32")
    return compute(shape, lambda i, j: total - two * cast_expr("float32", differences(i, j)))
