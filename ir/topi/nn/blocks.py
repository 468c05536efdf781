"""Space to depth and back, flattening."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.topi.common import INJECTIVE, function, product, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.shape import unravel


def flatten(data: Tensor) -> Any:
    """Return ONNX's Flatten: a matrix with a row for each sample."""
    rest = data.shape[1:]
    value = lambda i, j: data(i, *unravel(j, rest))  # noqa: E731
    return compute((data.shape[0], simplify(product(rest))), value, tag=INJECTIVE)


def _order(layout: str, where: str) -> list[int]:
    if layout not in ("NCHW", "NHWC"):
        raise InvalidOperand(where=where, reason=f"the layout {layout!r} is neither NCHW nor NHWC")
    return [layout.index(letter) for letter in "NCHW"]


def space_to_depth(data: Tensor, block_size: int, layout: str = "NCHW") -> Any:
    """Return ONNX's SpaceToDepth."""
    order = _order(layout, "nn.space_to_depth")
    divide, remainder = function("truncdiv"), function("truncmod")
    batch, channels, height, width = (data.shape[n] for n in order)
    shape = [batch, channels * block_size * block_size, divide(height, block_size), divide(width, block_size)]

    def value(*i: Expr) -> Any:
        n, c, y, x = (i[place] for place in order)
        row = channels * block_size
        rows, columns = divide(c, row), divide(remainder(c, row), channels)
        indices = [n, remainder(c, channels), rows + y * block_size, columns + x * block_size]
        return data(*[indices["NCHW".index(letter)] for letter in layout])

    extents = [shape["NCHW".index(letter)] for letter in layout]
    return compute(extents, value, name="space_to_depth", tag=INJECTIVE)


def depth_to_space(data: Tensor, block_size: int, layout: str = "NCHW", mode: str = "DCR") -> Any:
    """Return ONNX's DepthToSpace, for the modes "DCR" and "CRD"."""
    order = _order(layout, "nn.depth_to_space")
    divide, remainder = function("truncdiv"), function("truncmod")
    batch, channels, height, width = (data.shape[n] for n in order)
    kept = divide(channels, block_size * block_size)
    shape = [batch, kept, height * block_size, width * block_size]

    def value(*i: Expr) -> Any:
        n, c, y, x = (i[place] for place in order)
        row, column = remainder(y, block_size), remainder(x, block_size)
        channel: Any = (block_size * row + column) * kept + c
        if mode == "CRD":
            channel = c * block_size * block_size + (block_size * row + column)
        indices = [n, channel, divide(y, block_size), divide(x, block_size)]
        return data(*[indices["NCHW".index(letter)] for letter in layout])

    extents = [shape["NCHW".index(letter)] for letter in layout]
    return compute(extents, value, name="depth_to_space", tag=INJECTIVE)
