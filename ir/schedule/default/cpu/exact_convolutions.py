"""Convolutions of integers of 8 bits are added up in float32 where it holds all of their sums exactly.

That suits few terms, as of depthwise convolutions and of images: instructions for dot products have nothing to add up.
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.narrow_convolution import instructions_for
from tvmscript.ir.schedule.default.cpu.product_nests import make_nest
from tvmscript.ir.schedule.default.cpu.windows import Convolution, match_convolution
from tvmscript.ir.schedule.default.split_nests import split_nests
from tvmscript.ir.schedule.default.unscheduled import is_plain_nest
from tvmscript.ir.tir import BlockRealize, Buffer, BufferLoad, BufferStore, Expr, PrimFunc, Stmt, Var, make_buffer
from tvmscript.ir.tir.expr import Cast, FloatImm

_WIDE: Final = "float32"
#: integers up to which float32 has all
_EXACT: Final = 1 << 24
#: dtype -> the largest magnitude of its numbers
_LARGEST: Final = {"int8": 128, "uint8": 255}


def add_up_in_floats(func: PrimFunc, model: MachineModel) -> PrimFunc:
    """Return an unscheduled function whose convolutions of few integers of 8 bits are computed in float32.

    rewrite:
        C[vy, vx] += A[vy + vi, vx + vj] * B[vi, vj]    -->    C_data[v0, v1] = float32(A[v0, v1])
                                                               C_weights[v0, v1] = float32(B[v0, v1])
                                                               C_sums[vy, vx] += C_data[vy + vi, vx + vj] * ...
                                                               C[vy, vx] = int32(C_sums[vy, vx])
    """
    return split_nests(func, partial(_split_convolution, model=model))


def is_exact(conv: Convolution, model: MachineModel) -> bool:
    """Whether float32 holds all sums of a convolution of integers, and no instructions for dot products add them up."""
    largest = [_LARGEST.get(str(load.buffer.dtype), _EXACT) for load in (conv.data, conv.weights)]
    is_small = conv.output.buffer.dtype == "int32" and conv.terms * prod(largest) <= _EXACT
    return is_small and not instructions_for(conv, model)


def _split_convolution(
    stmt: Stmt, inner: BlockRealize, *, model: MachineModel
) -> tuple[list[Stmt], list[Buffer]] | None:
    """Return the nests in place of that of a convolution, and their buffers."""
    conv = match_convolution(inner.block) if fold.is_true(inner.predicate) and is_plain_nest(stmt) else None
    if conv is None or not is_exact(conv, model) or not conv.uses_most_data:
        return None
    name, zero, result = inner.block.name_hint, FloatImm(_WIDE, 0.0), conv.output.buffer
    extents = {axis.var: axis.dom.extent for axis in inner.block.iter_vars if axis.dom is not None}
    nests, factors, buffers = list[Stmt](), list[Expr](), list[Buffer]()
    for load, part in ((conv.data, "data"), (conv.weights, "weights")):
        # an element of a group is read for few channels: casting it there takes less than a copy in float32
        if part == "data" and conv.groups:
            factors.append(Cast(_WIDE, load))
            continue
        wide, axes = _widened(load.buffer, f"{name}_{part}")
        element = BufferLoad(load.buffer, tuple(axes))
        nests.append(make_nest(wide.name, BufferStore(wide, Cast(_WIDE, element), tuple(axes)), axes, zero))
        factors.append(BufferLoad(wide, load.indices))
        buffers.append(wide)
    sums, axes = _widened(result, f"{name}_sums")
    total, element = BufferLoad(sums, conv.output.indices), BufferLoad(sums, tuple(axes))
    nests.append(make_nest(name, BufferStore(sums, total + factors[0] * factors[1], total.indices), extents, zero))
    store = BufferStore(result, Cast(str(result.dtype), element), tuple(axes))
    nests.append(make_nest(f"{name}_exact", store, axes, zero))
    return nests, [*buffers, sums]


def _widened(buffer: Buffer, name: str) -> tuple[Buffer, dict[Var, Expr]]:
    """Return a buffer of the same shape in float32, and axes for its dimensions."""
    axes = {Var(f"v{place}", size.dtype): size for place, size in enumerate(buffer.shape)}
    return make_buffer([*buffer.shape], _WIDE, name), axes
