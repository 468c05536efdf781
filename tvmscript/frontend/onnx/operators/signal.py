"""Fourier transforms: products with matrices of cosines and sines."""

from __future__ import annotations

import numpy as np

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import dtype_of, rank_of, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


@operator("DFT", 17)
def dft_of_attribute(context: Context, node: Node) -> RelaxExpr:
    """Return the Fourier transform along an axis, an attribute."""
    return _transform(context, node, node.integer("axis", 1))


@operator("DFT", 20)
def dft(context: Context, node: Node) -> RelaxExpr:
    """Return the Fourier transform along an axis, an input."""
    return _transform(context, node, int(node.constant(2, "axis").reshape(())) if node.has(2) else -2)


def _transform(context: Context, node: Node, axis: int) -> RelaxExpr:
    x = node.tensor(0)
    rank, sizes = rank_of(x), sizes_of(x)
    place = node.axis(axis, rank)
    inverse, onesided = bool(node.integer("inverse", 0)), bool(node.integer("onesided", 0))
    whole = 2 * (int(sizes[place]) - 1) if inverse and onesided else int(sizes[place])
    length = int(node.constant(1, "dft_length").reshape(())) if node.has(1) else whole
    parts: list[RelaxExpr] = [context.emit(part) for part in _parts(x)]
    if inverse and onesided:
        return _real_inverse(context, parts, place, length)
    parts = [_fitted(part, place, int(sizes[place]), length) for part in parts]
    return _complex(context, parts, place, length, length // 2 + 1 if onesided else length, inverse)


def _parts(x: RelaxExpr) -> list[RelaxExpr]:
    """Return the real part, and the imaginary part where there is one, of the last axis."""
    last = rank_of(x) - 1
    count = sizes_of(x)[last]
    return [R.squeeze(R.strided_slice(x, [last], [part], [part + 1]), [last]) for part in range(count)]


def _fitted(x: RelaxExpr, axis: int, size: int, length: int) -> RelaxExpr:
    """Return an axis cut, or with zeros behind, to a length."""
    if length <= size:
        return x if length == size else R.strided_slice(x, [axis], [0], [length])
    widths = [0] * (2 * rank_of(x))
    widths[2 * axis + 1] = length - size
    return R.nn.pad(x, widths, 0)


def _along(x: RelaxExpr, table: np.ndarray[tuple[int, ...], np.dtype[np.float64]], axis: int) -> RelaxExpr:
    """Return the product of an axis with a matrix (old size, new size)."""
    rank = rank_of(x)
    # sums that cancel need more digits than the data have
    matrix = R.const(table, "float64")
    order = [index for index in range(rank) if index != axis] + [axis]
    moved = R.matmul(R.astype(R.permute_dims(x, order), "float64"), matrix)
    return R.permute_dims(moved, [order.index(index) for index in range(rank)])


def _complex(context: Context, parts: list[RelaxExpr], axis: int, length: int, count: int, inverse: bool) -> RelaxExpr:
    turn = 2 * np.pi * np.outer(np.arange(length), np.arange(count)) / length
    scale = 1 / length if inverse else 1.0
    cosines, sines = np.cos(turn) * scale, np.sin(turn) * (scale if inverse else -scale)
    real = _along(parts[0], cosines, axis)
    imaginary = _along(parts[0], sines, axis)
    if len(parts) == 2:
        real = R.subtract(real, _along(parts[1], sines, axis))
        imaginary = R.add(imaginary, _along(parts[1], cosines, axis))
    return R.astype(R.stack((real, imaginary), axis=rank_of(parts[0])), dtype_of(parts[0]))


def _real_inverse(context: Context, parts: list[RelaxExpr], axis: int, length: int) -> RelaxExpr:
    """Return the real signal of half of a spectrum, the other half of which is its conjugate."""
    half = length // 2 + 1
    factors = np.array([1.0 if index in (0, length / 2) else 2.0 for index in range(half)]) / length
    turn = 2 * np.pi * np.outer(np.arange(half), np.arange(length)) / length
    spectrum = [_fitted(part, axis, int(sizes_of(part)[axis]), half) for part in parts]
    real = _along(spectrum[0], np.cos(turn) * factors[:, None], axis)
    if len(parts) == 2:
        real = R.subtract(real, _along(spectrum[1], np.sin(turn) * factors[:, None], axis))
    return R.astype(R.expand_dims(real, [rank_of(real)]), dtype_of(parts[0]))


@operator("STFT")
def stft(context: Context, node: Node) -> RelaxExpr:
    """Return the Fourier transforms of frames of a signal, weighted by a window."""
    x = node.tensor(0)
    step = int(node.constant(1, "frame_step").reshape(()))
    window = node.optional(2)
    length = int(node.constant(3, "frame_length").reshape(())) if node.has(3) else int(sizes_of(node.tensor(2))[0])
    size = int(sizes_of(x)[1])
    count = (size - length) // step + 1
    places = np.arange(count)[:, None] * step + np.arange(length)[None]
    onesided = node.integer("onesided", 1)
    frames: list[RelaxExpr] = []
    for part in _parts(x) if rank_of(x) == 3 else [x]:
        picked = R.take(part, R.const(places, "int64"), 1)
        frames.append(context.emit(picked if window is None else R.multiply(picked, window)))
    return _complex(context, frames, 2, length, length // 2 + 1 if onesided else length, False)
