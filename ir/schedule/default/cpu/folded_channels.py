"""Convolutions of few input channels: these and the last dimension of the kernel become one axis of terms.

Pixels with all their channels lie side by side in a copy of the data, so that a row of the kernel is a run of terms.
Runs are filled up by weights of zero: instructions for dot products take terms in groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.narrow_convolution import RUN, dots_of
from tvmscript.ir.schedule.default.cpu.product_nests import make_nest
from tvmscript.ir.schedule.default.cpu.windows import Convolution, match_convolution
from tvmscript.ir.schedule.default.split_nests import split_nests
from tvmscript.ir.schedule.default.unscheduled import is_plain_nest
from tvmscript.ir.tir import (
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferStore,
    Expr,
    IntImm,
    PrimFunc,
    Stmt,
    Var,
    as_expr,
    const,
    make_buffer,
    substitute,
)
from tvmscript.ir.tir.expr import Cast
from tvmscript.ir.tir.intrin.control import if_then_else

#: terms that are filled up, for each one of the program, at most
_MOST_FILLED: Final = 2


def fold_channels(func: PrimFunc, model: MachineModel) -> PrimFunc:
    """Return an unscheduled function whose convolutions of few channels have runs of terms.

    rewrite, of 3 channels and a kernel of 7 columns:
        Y[vc, vy, vx] += X[vi, vy + ry, vx + rx] * W[vc, vi, ry, rx]
        -->
        Y_data[v0, v1 * 3 + v2] = if_then_else(v1 < width, X[v2, v0, v1], 0)
        Y_weights[v0, v1, v2] = if_then_else(v2 < 21, W[v0, v2 % 3, v1, v2 // 3], 0)
        Y[vc, vy, vx] += Y_data[vy + ry, vx * 3 + run] * Y_weights[vc, ry, run]    # run < 32
    """
    return split_nests(func, partial(_split_convolution, model=model))


@dataclass(frozen=True)
class _Row:
    """The axes that become one: the input channel, and the pixel and the kernel of a dimension of the data."""

    channel: Var
    place_of_channel: int
    kernel: Var
    place: int
    pixel: Var
    stride: int
    offset: Expr


def _split_convolution(
    stmt: Stmt, inner: BlockRealize, *, model: MachineModel
) -> tuple[list[Stmt], list[Buffer]] | None:
    """Return the nests in place of that of a convolution, and their buffers."""
    conv = match_convolution(inner.block) if fold.is_true(inner.predicate) and is_plain_nest(stmt) else None
    row = None if conv is None else _find_row(conv, model)
    if conv is None or row is None:
        return None
    name, channels, width = inner.block.name_hint, conv.extents[row.channel], conv.extents[row.kernel]
    run = -(-channels * width // RUN) * RUN
    data, data_nest = _copy_data(conv, row, f"{name}_data", run - channels * width)
    term, gone = Var("run", row.kernel.dtype), (row.channel, row.kernel)
    axes = [axis for axis in conv.weight_axes if axis is not None and axis not in gone]
    weights, weights_nest = _copy_weights(conv, row, f"{name}_weights", axes, run)
    indices = [index for place, index in enumerate(conv.data.indices) if place not in (row.place, row.place_of_channel)]
    element = BufferLoad(data, (*indices, row.pixel * (row.stride * channels) + row.offset * channels + term))
    factors, total = (element, BufferLoad(weights, (*axes, term))), str(conv.output.buffer.dtype)
    value = BufferLoad(conv.output.buffer, conv.output.indices) + Cast(total, factors[0]) * Cast(total, factors[1])
    domains = {axis.var: axis.dom.extent for axis in inner.block.iter_vars if axis.dom is not None}
    extents = {axis: extent for axis, extent in domains.items() if axis not in gone} | {term: IntImm(term.dtype, run)}
    nest = make_nest(name, conv.output.replace(value=value), extents, const(0, total))
    return [data_nest, weights_nest, nest], [data, weights]


def _copy_data(conv: Convolution, row: _Row, name: str, filled: int) -> tuple[Buffer, Stmt]:
    """Return a copy of the data with pixels and channels as one dimension, behind which so many elements are zero."""
    data, dtype, channels = conv.data.buffer, row.pixel.dtype, conv.extents[row.channel]
    axes = [Var(f"v{place}", dtype) for place in range(len(data.shape))]
    pixel, channel = axes[row.place], axes[row.place_of_channel]
    others = [axis for axis in axes if axis not in (pixel, channel)]
    extents: dict[Var, Expr] = dict(zip(axes, data.shape, strict=True))
    width = extents[pixel]
    extents = {axis: extents[axis] for axis in (*others, pixel, channel)}
    extents[pixel] = fold.add(width, IntImm(dtype, -(-filled // channels)))
    copy = make_buffer(
        [*[extents[axis] for axis in others], fold.mul(extents[pixel], extents[channel])], data.dtype, name
    )
    value = if_then_else(pixel < width, BufferLoad(data, tuple(axes)), const(0, data.dtype))
    store = BufferStore(copy, value, (*others, pixel * channels + channel))
    return copy, make_nest(name, store, extents, const(0, data.dtype))


def _copy_weights(conv: Convolution, row: _Row, name: str, axes: list[Var], run: int) -> tuple[Buffer, Stmt]:
    """Return a copy of the weights with the terms of a run as the last dimension."""
    weights, dtype, channels = conv.weights.buffer, row.kernel.dtype, conv.extents[row.channel]
    term = Var("v", dtype)
    extents = {**{axis: as_expr(conv.extents[axis], dtype) for axis in axes}, term: as_expr(run, dtype)}
    copy = make_buffer([*extents.values()], weights.dtype, name)
    element = substitute(conv.weights, {row.channel: term % channels, row.kernel: term // channels})
    is_inside = term < channels * conv.extents[row.kernel]
    store = BufferStore(copy, if_then_else(is_inside, element, const(0, weights.dtype)), (*axes, term))
    return copy, make_nest(name, store, extents, const(0, weights.dtype))


def _find_row(conv: Convolution, model: MachineModel) -> _Row | None:
    """Return the axes of a convolution that become one, None where that is not worth it."""
    if conv.groups or conv.divisors or None in conv.weight_axes or len(conv.inputs) != 1 or not conv.kernel:
        return None
    (channel,) = conv.inputs
    channels, kernel = conv.extents[channel], conv.kernel[-1]
    run = -(-channels * conv.extents[kernel] // RUN) * RUN
    is_filled = run > _MOST_FILLED * channels * conv.extents[kernel]
    if channels % RUN == 0 or is_filled or conv.size(*conv.channels) < RUN or not dots_of(conv, model):
        return None
    if not conv.uses_most_data:
        return None
    place_of_channel = [index is channel for index in conv.data.indices].index(True)
    for place, index in enumerate(conv.data.indices):
        for pixel in conv.pixels:
            parts = detect_linear_equation(index, [pixel, kernel])
            if parts and all(isinstance(part, IntImm) for part in parts[:2]) and fold.is_const(parts[1], 1):
                stride, _, offset = parts
                if isinstance(stride, IntImm) and stride.value > 0 and isinstance(offset, IntImm):
                    return _Row(channel, place_of_channel, kernel, place, pixel, stride.value, offset)
    return None
