"""Correlation of patches of two images (A. Dosovitskiy et al., FlowNet, ICCV 2015)."""

from __future__ import annotations

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.topi.broadcast import divide
from tvmscript.ir.topi.common import Padding, function, simplify
from tvmscript.ir.topi.nn.padding import pad
from tvmscript.ir.topi.nn.windows import each, pad_tuple


def correlation_nchw(
    data1: Tensor,
    data2: Tensor,
    kernel_size: int,
    max_displacement: int,
    stride1: int,
    stride2: int,
    padding: Padding,
    is_multiply: bool,
) -> Tensor:
    """Return the mean product, or absolute difference, of patches and of the displaced patches of another image.

    Displacements are multiples of `stride2` to `max_displacement` in both directions; each has a channel.
    """
    where = "nn.correlation_nchw"
    (heads, tails) = pad_tuple(each(padding, 2, where) if not isinstance(padding, str) else padding, [1, 1], where)
    before, after = [0, 0, *heads], [0, 0, *tails]
    first, second = (pad(data, before, after) for data in (data1, data2))
    batch, channels, height, width = data1.shape
    radius = (kernel_size - 1) // 2
    border = max_displacement + radius
    reach = max_displacement // stride2
    size = const(2 * reach + 1, height.dtype)

    def count(extent: Extent, head: Extent, tail: Extent) -> Expr:
        return simplify(function("ceildiv")(extent + head + tail - border * 2, stride1))

    shape = (batch, size * size, count(height, heads[0], tails[0]), count(width, heads[1], tails[1]))
    rc = reduce_axis((0, channels), "rc")
    ry, rx = (reduce_axis((0, kernel_size), name) for name in ("ry", "rx"))
    quotient, remainder = function("indexdiv"), function("indexmod")

    def value(n: Expr, q: Expr, i: Expr, j: Expr) -> Expr:
        y = i * stride1 + max_displacement + ry.var
        x = j * stride1 + max_displacement + rx.var
        down = (quotient(q, size) - reach) * stride2
        right = (remainder(q, size) - reach) * stride2
        a = first(n, rc, y, x)
        b = second(n, rc, y + down, x + right)
        return reduction.sum(a * b if is_multiply else function("abs")(a - b), axis=[rc, ry, rx])

    total = compute(shape, value, tag="correlation_nchw")
    return divide(total, kernel_size * kernel_size * channels)
