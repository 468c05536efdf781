"""Fourier transforms of axes and of frames of signals."""

from __future__ import annotations

import numpy as np

from tvmscript.frontend.fourier import fit_axis, real_inverse, transform
from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import rank_of, sizes_of
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
    (extent,) = node.static([sizes[place]], "the extent of its axis")
    whole = 2 * (extent - 1) if inverse and onesided else extent
    length = int(node.constant(1, "dft_length").reshape(())) if node.has(1) else whole
    parts: list[RelaxExpr] = [context.emit(part) for part in _parts(node, x)]
    if inverse and onesided:
        return R.expand_dims(real_inverse(parts, place, length), [rank_of(parts[0])])
    parts = [fit_axis(part, place, length) for part in parts]
    return _complex(context, parts, place, length, length // 2 + 1 if onesided else length, inverse)


def _parts(node: Node, x: RelaxExpr) -> list[RelaxExpr]:
    """Return the real part, and the imaginary part where there is one, of the last axis."""
    last = rank_of(x) - 1
    (count,) = node.static(sizes_of(x)[last:], "its last size")
    if count not in (1, 2):
        raise node.invalid(f"its last axis has {count:,} elements, not one or two parts")
    return [R.squeeze(R.strided_slice(x, [last], [part], [part + 1]), [last]) for part in range(count)]


def _complex(
    context: Context, parts: list[RelaxExpr], axis: int, length: int, count: int, is_inverse: bool
) -> RelaxExpr:
    """Return a transform with an axis for both parts."""
    return R.stack(transform(parts, axis, length, count, is_inverse, context.emit), axis=rank_of(parts[0]))


@operator("STFT")
def stft(context: Context, node: Node) -> RelaxExpr:
    """Return the Fourier transforms of frames of a signal, weighted by a window."""
    x = node.tensor(0)
    step = int(node.constant(1, "frame_step").reshape(()))
    window = node.optional(2)
    given = int(node.constant(3, "frame_length").reshape(())) if node.has(3) else sizes_of(node.tensor(2))[0]
    (length,) = node.static([given], "the length of its frames")
    (size,) = node.static(sizes_of(x)[1:2], "the length of its signal")
    count = (size - length) // step + 1
    node.static([count, length], "the table of its frames")
    places = np.arange(count)[:, None] * step + np.arange(length)[None]
    onesided = node.integer("onesided", 1)
    frames: list[RelaxExpr] = []
    for part in _parts(node, x) if rank_of(x) == 3 else [x]:
        picked = R.take(part, R.const(places, "int64"), 1)
        frames.append(context.emit(picked if window is None else R.multiply(picked, window)))
    return _complex(context, frames, 2, length, length // 2 + 1 if onesided else length, False)
