"""The loops that a copy of regions stands for: what `tir.InjectCopyIntrin` is given to write."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from tvmscript.ir.arith import fold
from tvmscript.ir.tir import Buffer, Expr, For, ForKind, IntImm, Stmt, Var
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import GE, LT, And, BufferLoad, Call
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.stmt import BufferStore, DeclBuffer


def copy_loops(
    source: Buffer, target: Buffer, before: Sequence[Expr], after: Sequence[Expr], padding: Expr | None
) -> Stmt:
    """Store each element of a region, or the padding around it, into the target."""
    loops = [Var(f"x{axis}", "int32") for axis in range(len(target.shape))]
    source_indices = [fold.sub(var, first) for var, first in zip(loops, before, strict=False)] if before else [*loops]
    flat = [_flat(buffer) for buffer in (source, target)]
    value: Expr = BufferLoad(flat[0], (_offset(source, source_indices),))
    if padding is not None:
        inside = [
            And(GE(index, IntImm("int32", 0)), LT(index, extent))
            for index, extent in zip(source_indices, source.shape, strict=False)
        ]
        value = Call(value.dtype, if_then_else_, (reduce(And, inside), value, padding))
    if value.dtype is not target.dtype:
        value = fold.cast(target.dtype, value)
    body: Stmt = BufferStore(flat[1], value, (_offset(target, [*loops]),))
    for var, extent in reversed([*zip(loops, target.shape, strict=True)]):
        body = For(var, IntImm("int32", 0), extent, ForKind.SERIAL, body)
    for buffer in flat:
        body = DeclBuffer(buffer, body)
    return body


def _flat(buffer: Buffer) -> Buffer:
    """Return the memory of a buffer, as one dimension."""
    return make_buffer((64,), buffer.dtype, f"{buffer.name}_flat", data=buffer.data)


def _offset(buffer: Buffer, indices: Sequence[Expr]) -> Expr:
    """Return the place of an element in memory."""
    terms = [fold.mul(index, stride) for index, stride in zip(indices, buffer.strides, strict=False)]
    return reduce(fold.add, terms, buffer.elem_offset)
