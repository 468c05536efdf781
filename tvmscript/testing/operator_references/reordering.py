"""Slices, selections, and moves of elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tvmscript.testing.operator_references.convolution import Array


def depth_to_space_python(data: Array, block_size: int, mode: str = "DCR") -> Array:
    batch, channels, height, width = data.shape
    depth = channels // block_size**2
    if mode == "DCR":
        parts = data.reshape(batch, block_size, block_size, depth, height, width).transpose(0, 3, 4, 1, 5, 2)
    else:
        parts = data.reshape(batch, depth, block_size, block_size, height, width).transpose(0, 1, 4, 2, 5, 3)
    return parts.reshape(batch, depth, height * block_size, width * block_size)


def space_to_depth_python(data: Array, block_size: int) -> Array:
    batch, channels, height, width = data.shape
    rows, columns = height // block_size, width // block_size
    parts = data.reshape(batch, channels, rows, block_size, columns, block_size).transpose(0, 3, 5, 1, 2, 4)
    return parts.reshape(batch, channels * block_size**2, rows, columns)


def space_to_batch_nd_python(
    data: Array,
    block_shape: Sequence[int],
    pad_before: Sequence[int],
    pad_after: Sequence[int],
    pad_value: float = 0,
) -> Array:
    """Move places in blocks of the axes behind the first one to the batch."""
    count = len(block_shape)
    widths = [(0, 0), *zip(pad_before, pad_after, strict=True), *[(0, 0)] * (data.ndim - count - 1)]
    data = np.pad(data, widths, constant_values=pad_value)
    parts = [
        data[(slice(None), *(slice(start, None, step) for start, step in zip(place, block_shape, strict=True)))]
        for place in np.ndindex(*block_shape)
    ]
    return np.concatenate(parts)


def batch_to_space_nd_python(
    data: Array, block_shape: Sequence[int], crop_begin_list: Sequence[int], crop_end_list: Sequence[int]
) -> Array:
    """Return the inverse of `space_to_batch_nd_python`, without what was padded."""
    count = len(block_shape)
    batch = len(data) // int(np.prod(block_shape))
    sizes = [size * block for size, block in zip(data.shape[1:], block_shape, strict=False)]
    result = np.empty((batch, *sizes, *data.shape[count + 1 :]), data.dtype)
    for number, place in enumerate(np.ndindex(*block_shape)):
        at = (slice(start, None, step) for start, step in zip(place, block_shape, strict=True))
        result[(slice(None), *at)] = data[number * batch : (number + 1) * batch]
    kept = (slice(begin, size - end) for begin, end, size in zip(crop_begin_list, crop_end_list, sizes, strict=True))
    return result[(slice(None), *kept)]


def reorg_python(a_np: Array, stride: int) -> Array:
    """Return the reorganization of Darknet: the input as it lies in memory, read with other strides."""
    batch, channels, height, width = a_np.shape
    depth = channels // stride**2
    flat = a_np.reshape(batch, depth, height, stride, width, stride)
    parts = flat.transpose(0, 3, 5, 1, 2, 4)
    return parts.reshape(batch, channels * stride**2, height // stride, width // stride)


def gather_python(data: Array, axis: int, indices: Array) -> Array:
    return np.take_along_axis(data, indices, axis)


def gather_nd_python(a_np: Array, indices_np: Array) -> Array:
    return np.asarray(a_np[tuple(indices_np.astype("int32"))])


def one_hot(indices: Array, on_value: float, off_value: float, depth: int, axis: int, dtype: str) -> Array:
    axis = indices.ndim if axis == -1 else axis
    classes = np.arange(depth).reshape([-1 if place == axis else 1 for place in range(indices.ndim + 1)])
    return np.where(np.expand_dims(indices, axis) == classes, on_value, off_value).astype(dtype)


def sequence_mask(data: Array, valid_length: Array, mask_value: float, axis: int) -> Array:
    """Return sequences with a value behind their ends; `axis` 0 or 1 is time, the other one the batch."""
    places = np.arange(data.shape[axis])
    is_valid = places[:, None] < valid_length if axis == 0 else places < valid_length[:, None]
    return np.where(is_valid.reshape(*is_valid.shape, *[1] * (data.ndim - 2)), data, mask_value).astype(data.dtype)


def slice_axis_python(data: Array, axis: int, begin: int, end: int | None = None) -> Array:
    return data[(*[slice(None)] * (axis % data.ndim), slice(begin, end))]


def _slices(
    data: Array,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None,
    slice_mode: str = "end",
    axes: Sequence[int] | None = None,
) -> tuple[slice, ...]:
    steps = [*(strides or ())] + [1] * (len(begin) - len(strides or ()))
    slices = [slice(None)] * data.ndim
    for place, axis in enumerate(range(len(begin)) if axes is None else axes):
        start, step = begin[place], steps[place]
        stop: int | None = end[place] if place < len(end) else None
        if slice_mode == "size":
            size = end[place]
            start, step = start + (data.shape[axis] if start < 0 else 0), 1
            stop = None if size < 0 else start + size
        elif stop is not None and step < 0 and stop < -data.shape[axis]:
            stop = None
        slices[axis] = slice(start, stop, step)
    return tuple(slices)


def strided_slice_python(
    data: Array,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None,
    slice_mode: str = "end",
    axes: Sequence[int] | None = None,
) -> Array:
    """`slice_mode` is "end", or "size" where ends are sizes and strides do not count."""
    return data[_slices(data, begin, end, strides, slice_mode, axes)]


def strided_set_python(
    data: Array, v: Array, begin: Sequence[int], end: Sequence[int], strides: Sequence[int]
) -> Array:
    result = data.copy()
    result[_slices(data, begin, end, strides)] = v
    return result


def matrix_set_diag(input_np: Array, diagonal: Array, k: int | Sequence[int] = 0, align: str = "RIGHT_LEFT") -> Array:
    """Return matrices with other diagonals, as TensorFlow's operator; `align` is of those above, of those below."""
    low, high = (k, k) if isinstance(k, int) else (k[0], k[-1])
    result = input_np.copy()
    rows, columns = input_np.shape[-2:]
    above, below = align.split("_")
    longest = min(rows + min(high, 0), columns - max(low, 0))
    is_one = isinstance(k, int) or (low == high and diagonal.ndim < input_np.ndim)
    diagonals = diagonal[..., None, :] if is_one else diagonal
    for number, offset in enumerate(range(high, low - 1, -1)):
        first_row, first_column = max(-offset, 0), max(offset, 0)
        length = min(rows - first_row, columns - first_column)
        shift = longest - length if (above if offset >= 0 else below) == "RIGHT" else 0
        steps = np.arange(length)
        result[..., first_row + steps, first_column + steps] = diagonals[..., number, shift : shift + length]
    return result


def searchsorted_ref(sorted_sequence: Array, values: Array, right: bool, out_dtype: str) -> Array:
    """Return places in sorted rows, row by row, or all in one row."""
    side: Any = "right" if right else "left"
    if sorted_sequence.ndim == 1:
        return np.searchsorted(sorted_sequence, values, side).astype(out_dtype)
    rows = zip(
        sorted_sequence.reshape(-1, sorted_sequence.shape[-1]), values.reshape(-1, values.shape[-1]), strict=True
    )
    places = np.stack([np.searchsorted(row, of_row, side) for row, of_row in rows])
    return places.reshape(values.shape).astype(out_dtype)
