"""Space to depth, space to batch, and back; flattening; a buffer of the last images."""

from __future__ import annotations

from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, as_expr, const
from tvmscript.ir.topi.common import INJECTIVE, Extents, as_list, function, normalize_axis, product, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.nn.padding import pad_before_after
from tvmscript.ir.topi.shape import reshape, transpose, unravel
from tvmscript.ir.topi.slice import strided_slice


def flatten(data: Tensor) -> Tensor:
    """Return ONNX's Flatten: a matrix with a row for each sample."""
    rest = data.shape[1:]
    value = lambda i, j: data(i, *unravel(j, rest))  # noqa: E731
    return compute((data.shape[0], simplify(product(rest))), value, tag=INJECTIVE)


def _order(layout: str, where: str) -> list[int]:
    if layout not in ("NCHW", "NHWC"):
        raise InvalidOperand(where=where, reason=f"the layout {layout!r} is neither NCHW nor NHWC")
    return [layout.index(letter) for letter in "NCHW"]


def space_to_depth(data: Tensor, block_size: int, layout: str = "NCHW") -> Tensor:
    """Return ONNX's SpaceToDepth."""
    order = _order(layout, "nn.space_to_depth")
    divide, remainder = function("truncdiv"), function("truncmod")
    batch, channels, height, width = (data.shape[n] for n in order)
    shape = [batch, channels * block_size * block_size, divide(height, block_size), divide(width, block_size)]

    def value(*i: Expr) -> Expr:
        n, c, y, x = (i[place] for place in order)
        row = channels * block_size
        rows, columns = divide(c, row), divide(remainder(c, row), channels)
        indices = [n, remainder(c, channels), rows + y * block_size, columns + x * block_size]
        return data(*[indices["NCHW".index(letter)] for letter in layout])

    extents = [shape["NCHW".index(letter)] for letter in layout]
    return compute(extents, value, name="space_to_depth", tag=INJECTIVE)


def depth_to_space(data: Tensor, block_size: int, layout: str = "NCHW", mode: str = "DCR") -> Tensor:
    """Return ONNX's DepthToSpace, for the modes "DCR" and "CRD"."""
    order = _order(layout, "nn.depth_to_space")
    divide, remainder = function("truncdiv"), function("truncmod")
    batch, channels, height, width = (data.shape[n] for n in order)
    kept = divide(channels, block_size * block_size)
    shape = [batch, kept, height * block_size, width * block_size]

    def value(*i: Expr) -> Expr:
        n, c, y, x = (i[place] for place in order)
        row, column = remainder(y, block_size), remainder(x, block_size)
        channel = (block_size * row + column) * kept + c
        if mode == "CRD":
            channel = c * block_size * block_size + (block_size * row + column)
        indices = [n, channel, divide(y, block_size), divide(x, block_size)]
        return data(*[indices["NCHW".index(letter)] for letter in layout])

    extents = [shape["NCHW".index(letter)] for letter in layout]
    return compute(extents, value, name="depth_to_space", tag=INJECTIVE)


def _interleaved(count: int) -> list[int]:
    """Return 1, 3, 5, ...: where blocks are among `count` pairs of extents and blocks, behind the batch."""
    return [2 * n + 1 for n in range(count)]


def space_to_batch_nd(
    data: Tensor, block_shape: Extents, pad_before: Extents, pad_after: Extents, pad_value: float = 0.0
) -> Tensor:
    """Return the elements of each place in blocks as an image of its own, as torch.nn.functional.pixel_unshuffle.

    The dimensions behind the first are padded and cut into blocks; the batch grows by the number of places.
    """
    blocks, heads, tails = _widths("nn.space_to_batch_nd", data, block_shape, pad_before, pad_after)
    count = len(blocks)
    rest = [0] * (data.ndim - count - 1)
    padded = pad_before_after(data, [0, *heads, *rest], [0, *tails, *rest], const(pad_value, data.dtype))
    batch, *extents = padded.shape
    pairs = [
        part
        for extent, block in zip(extents, blocks, strict=False)
        for part in (simplify(function("indexdiv")(extent, block)), block)
    ]
    cut = reshape(padded, [batch, *pairs, *extents[count:]])
    places = [n + 1 for n in _interleaved(count)]
    order = [*places, 0, *_interleaved(count), *range(2 * count + 1, cut.ndim)]
    return reshape(transpose(cut, order), [simplify(batch * product(blocks)), *pairs[::2], *extents[count:]])


def batch_to_space_nd(data: Tensor, block_shape: Extents, crop_begin_list: Extents, crop_end_list: Extents) -> Tensor:
    """Return the inverse of `space_to_batch_nd`, with other widths cropped."""
    blocks, heads, tails = _widths("nn.batch_to_space_nd", data, block_shape, crop_begin_list, crop_end_list)
    count = len(blocks)
    batch, *extents = data.shape
    images = simplify(function("indexdiv")(batch, product(blocks)))
    cut = reshape(data, [*blocks, images, *extents])
    order = [count, *[n for pair in zip(range(count + 1, 2 * count + 1), range(count), strict=True) for n in pair]]
    whole = [simplify(extent * block) for extent, block in zip(extents, blocks, strict=False)]
    joined = reshape(transpose(cut, [*order, *range(2 * count + 1, cut.ndim)]), [images, *whole, *extents[count:]])
    ends = [simplify(extent - tail) for extent, tail in zip(whole, tails, strict=True)]
    return strided_slice(joined, [0, *heads], [images, *ends], [1] * (count + 1))


def _widths(where: str, data: Tensor, *values: Extents) -> list[list[Expr]]:
    """Return blocks and widths in the dtype of the sizes. Raises `InvalidOperand`."""
    dtype = data.shape[0].dtype
    blocks, heads, tails = ([as_expr(width).astype(dtype) for width in as_list(value)] for value in values)
    if not len(blocks) == len(heads) == len(tails) or len(blocks) >= data.ndim:
        reason = (
            f"{len(blocks)} blocks, {len(heads)} and {len(tails)} widths for "
            f"{data.ndim - 1} dimensions behind the batch"
        )
        raise InvalidOperand(where=where, reason=reason)
    return [blocks, heads, tails]


def fifo_buffer(data: Tensor, buffer: Tensor, axis: int) -> Tensor:
    """Return numpy.concatenate of a buffer and data along an axis, without what was first in the buffer."""
    place = normalize_axis(axis, data.ndim, "nn.fifo_buffer")
    if buffer.ndim != data.ndim:
        raise InvalidOperand(where="nn.fifo_buffer", reason="the buffer has another rank than the data")
    length = data.shape[place]
    kept = buffer.shape[place] - length

    def value(*i: Expr) -> Expr:
        index = i[place]
        old = buffer(*i[:place], index + length, *i[place + 1 :])
        return function("if_then_else")(index < kept, old, data(*i[:place], index - kept, *i[place + 1 :]))

    names = list("ijklmn"[: data.ndim])
    return compute(buffer.shape, value, name="new_buffer", tag=f"{INJECTIVE},fifo_buffer", varargs_names=names)
