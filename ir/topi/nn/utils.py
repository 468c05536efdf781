"""Widths of padding and steps of windows, for those who write operators: TVM's `topi.nn.utils`."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.topi.common import Extents, Padding, as_list
from tvmscript.ir.topi.nn.windows import pad_tuple
from tvmscript.ir.topi.utils import get_const_tuple, simplify


def get_pad_tuple_generic(padding: Padding, kernel: Sequence[Extent]) -> tuple[list[Extent], list[Extent]]:
    """Return widths before and after each dimension."""
    return pad_tuple(padding, tuple(kernel), "nn.utils.get_pad_tuple")


def _flat(padding: Padding, kernel: Sequence[Extent]) -> tuple[Extent, ...]:
    before, after = get_pad_tuple_generic(padding, kernel)
    return (*before, *after)


def get_pad_tuple(padding: Padding, kernel: Sequence[Extent]) -> tuple[Extent, Extent, Extent, Extent]:
    """Return widths at the top, the left, the bottom and the right."""
    top, left, down, right = _flat(padding, kernel)
    return top, left, down, right


def get_pad_tuple1d(padding: Padding, kernel: Extents) -> tuple[Extent, Extent]:
    """Return widths at the left and the right."""
    left, right = _flat(padding, as_list(kernel))
    return left, right


def get_pad_tuple3d(
    padding: Padding, kernel: Sequence[Extent]
) -> tuple[Extent, Extent, Extent, Extent, Extent, Extent]:
    """Return widths at the front, the top, the left, the back, the bottom and the right."""
    front, top, left, back, down, right = _flat(padding, kernel)
    return front, top, left, back, down, right


def infer_pad(data: Tensor, data_pad: Tensor | None) -> tuple[Extent, Extent]:
    """Return how far images "NCHW" were padded on each side."""
    if data_pad is None:
        return 0, 0
    small, large = get_const_tuple(data.shape[2:4]), get_const_tuple(data_pad.shape[2:4])
    height, width = ((b - a) // 2 for a, b in zip(small, large, strict=True))
    return height, width


def infer_stride(data: Tensor, kernel: Tensor, out: Tensor) -> tuple[Extent, Extent]:
    """Return the steps of a convolution of padded images "NCHW"."""
    sizes = zip(data.shape[2:4], kernel.shape[2:4], out.shape[2:4], strict=True)
    height, width = (simplify((extent - size) // (count - 1)) for extent, size, count in sizes)
    return height, width
