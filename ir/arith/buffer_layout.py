"""Where the elements of a buffer lie: strides, extents and flat indices, with constants folded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise

from tvmscript.ir.arith.fold import cast, is_const, make
from tvmscript.ir.arith.simplify import Simplifier
from tvmscript.ir.core.dtype import INT32, INT64, DType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Add, Broadcast, Div, FloorMod, IntImm, Mul, Ramp, Sub
from tvmscript.ir.tir.operators import match_types
from tvmscript.ir.tir.var import Var


def index_add(a: Expr, b: Expr) -> Expr:
    """The sum of two indices: the wider dtype wins, a vector stays a Ramp where it is one."""
    if isinstance(b, Ramp) and a.dtype.lanes == 1:
        base = index_add(a, b.base)
        return Ramp(base, cast(base.dtype, b.stride), b.lanes)
    if isinstance(a, Ramp) and b.dtype.lanes == 1:
        base = index_add(a.base, b)
        return Ramp(base, cast(base.dtype, a.stride), a.lanes)
    return make(Add, *match_types(a, b))


def index_mul(a: Expr, b: Expr) -> Expr:
    """The product of an index and a scalar: the wider dtype wins, a vector stays a Ramp where it is one."""
    if isinstance(a, Ramp) and b.dtype.lanes == 1:
        return Ramp(index_mul(a.base, b), index_mul(a.stride, b), a.lanes)
    if isinstance(b, IntImm) and b.value == 1 and b.dtype.bits <= a.dtype.bits:
        return a
    return make(Mul, *match_types(a, b))


def product_dtype(extents: Sequence[Expr]) -> DType:
    """The dtype that can hold the product of the extents: theirs, int64 where constant extents need it."""
    dtype, total = INT32, 1
    for extent in extents:
        if extent.dtype.bits > dtype.bits:
            dtype = extent.dtype
        if isinstance(extent, IntImm):
            total *= max(extent.value, 1)
    return dtype if dtype is not INT32 or total <= INT32.max_value else INT64


def offset_dtype(buffer: Buffer) -> DType:
    """The dtype that can count a buffer's elements: that of its shape, int64 where a constant extent needs it."""
    return product_dtype(buffer.strides[:1] + buffer.shape[:1] if buffer.strides else buffer.shape)


def product(extents: Sequence[Expr]) -> Expr:
    """The number of elements of these extents, 1 for none."""
    return reduce(index_mul, widen(extents, product_dtype(extents))) if extents else IntImm(INT32, 1)


def widen(values: Sequence[Expr], dtype: DType) -> list[Expr]:
    """Scalars or vectors of at least this width."""
    return [cast(dtype.with_lanes(v.dtype.lanes), v) if v.dtype.bits < dtype.bits else v for v in values]


def row_major_strides(shape: Sequence[Expr]) -> tuple[Expr, ...]:
    """Strides of a dense row-major layout, the last one 1."""
    strides: list[Expr] = []
    stride: Expr = IntImm(shape[-1].dtype if shape else INT32, 1)
    for extent in reversed(shape):
        strides.append(stride)
        stride = index_mul(extent, stride)
    return tuple(reversed(strides))


def offset_of(shape: Sequence[Expr], strides: Sequence[Expr], indices: Sequence[Expr]) -> Expr:
    """Distance in elements from the buffer's first element to the one at these indices."""
    if not indices:
        return IntImm(INT32, 0)
    if strides:
        return reduce(index_add, map(index_mul, indices, strides))
    flat = indices[0]
    for extent, index in zip(shape[1:], indices[1:], strict=True):
        flat = index_add(index_mul(flat, extent), index)
    return flat


def flat_index(buffer: Buffer, indices: Sequence[Expr]) -> Expr:
    """Distance in elements from `buffer.data`: strides and elem_offset included.

    The last index may be a vector. int32 shapes give int32 unless the elements are too many for it.
    """
    values = widen(indices, offset_dtype(buffer))
    return index_add(offset_of(buffer.shape, buffer.strides, values), buffer.elem_offset)


def flat_extent(buffer: Buffer) -> Expr:
    """Number of elements from `buffer.data` to the end of the last element that the buffer can address."""
    if not buffer.strides:
        return index_add(product(buffer.shape), buffer.elem_offset)
    shape = widen(buffer.shape, offset_dtype(buffer))
    last = [make(Sub, extent, IntImm(extent.dtype, 1)) for extent in shape]
    offset = offset_of(shape, buffer.strides, last)
    return index_add(index_add(offset, IntImm(offset.dtype, 1)), buffer.elem_offset)


def broadcast(value: Expr, lanes: int) -> Expr:
    """The value in each of so many lanes; itself for one lane."""
    return value if lanes == 1 or value.dtype.lanes == lanes else Broadcast(value, lanes)


def allocation_shape(buffer: Buffer) -> tuple[Expr, ...]:
    """What to allocate for a buffer: its shape, or as many elements as its strides and offset reach."""
    if not buffer.strides and (is_const(buffer.elem_offset, 0) or isinstance(buffer.elem_offset, Var)):
        # an offset that is a name of its own is any that the memory has
        return buffer.shape
    padded = _padded_shape(buffer)
    return padded if padded is not None else (flat_extent(buffer),)


def _padded_shape(buffer: Buffer) -> tuple[Expr, ...] | None:
    """The shape of a dense buffer with the same strides: rows may be longer than what is used of them."""
    strides = buffer.strides
    if len(strides) != len(buffer.shape) or not strides or not is_const(strides[-1], 1):
        return None
    if not is_const(buffer.elem_offset, 0) or any(not _holds_whole(above, below) for above, below in pairwise(strides)):
        return None
    return (buffer.shape[0], *[make(Div, *match_types(above, below)) for above, below in pairwise(strides)])


def _holds_whole(above: Expr, below: Expr) -> bool:
    """Whether a stride is a multiple of the next one."""
    if isinstance(below, IntImm) and below.value <= 0:
        return False
    simple = Simplifier()
    return is_const(simple.simplify(FloorMod(*match_types(above, below))), 0)
