"""Layout of buffers: strides, extents and flat indices, with constants folded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise

from tvmscript.ir.arith.fold import cast, is_const, make
from tvmscript.ir.arith.simplification.simplify import Simplifier
from tvmscript.ir.core import INT32, INT64, DType, WrongType
from tvmscript.ir.tir import Add, Broadcast, Buffer, Div, Expr, FloorMod, IntImm, Max, Mul, Ramp, Sub, Var, match_types


def index_add(a: Expr, b: Expr) -> Expr:
    """Return the sum of two indices in the wider dtype. A Ramp stays a Ramp."""
    if isinstance(b, Ramp) and a.dtype.lanes == 1:
        base = index_add(a, b.base)
        return Ramp(base, cast(base.dtype, b.stride), b.lanes)
    if isinstance(a, Ramp) and b.dtype.lanes == 1:
        base = index_add(a.base, b)
        return Ramp(base, cast(base.dtype, a.stride), a.lanes)
    return make(Add, *match_types(a, b))


def index_mul(a: Expr, b: Expr) -> Expr:
    """Return the product of an index and a scalar in the wider dtype. A Ramp stays a Ramp."""
    if isinstance(a, Ramp) and b.dtype.lanes == 1:
        return Ramp(index_mul(a.base, b), index_mul(a.stride, b), a.lanes)
    if isinstance(b, IntImm) and b.value == 1 and b.dtype.bits <= a.dtype.bits:
        return a
    return make(Mul, *match_types(a, b))


def product_dtype(extents: Sequence[Expr]) -> DType:
    """Return a dtype that holds the product of the extents: theirs, or int64 if constant extents need it."""
    dtype, total = INT32, 1
    for extent in extents:
        if extent.dtype.bits > dtype.bits:
            dtype = extent.dtype
        if isinstance(extent, IntImm):
            total *= max(extent.value, 1)
    return dtype if dtype is not INT32 or total <= INT32.max_value else INT64


def offset_dtype(buffer: Buffer) -> DType:
    """Return a dtype that holds the element offsets of a buffer."""
    return product_dtype(buffer.strides[:1] + buffer.shape[:1] if buffer.strides else buffer.shape)


def product(extents: Sequence[Expr]) -> Expr:
    """Return the product of the extents, 1 for none."""
    return reduce(index_mul, widen(extents, product_dtype(extents))) if extents else IntImm(INT32, 1)


def widen(values: Sequence[Expr], dtype: DType) -> list[Expr]:
    """Convert scalars or vectors to at least this width."""
    return [cast(dtype.with_lanes(v.dtype.lanes), v) if v.dtype.bits < dtype.bits else v for v in values]


def row_major_strides(shape: Sequence[Expr]) -> tuple[Expr, ...]:
    """Return the strides of a dense row-major layout."""
    strides: list[Expr] = []
    stride: Expr = IntImm(shape[-1].dtype if shape else INT32, 1)
    for extent in reversed(shape):
        strides.append(stride)
        stride = index_mul(extent, stride)
    return tuple(reversed(strides))


def offset_of(shape: Sequence[Expr], strides: Sequence[Expr], indices: Sequence[Expr]) -> Expr:
    """Return the distance in elements from the first element of a buffer to the one at the indices.

    Raises `WrongType` for strides of another rank.
    """
    if strides and len(strides) != len(shape):
        raise WrongType(where="the layout of a buffer", expected=f"{len(shape)} strides", got=len(strides))
    if not indices:
        return IntImm(INT32, 0)
    if strides:
        return reduce(index_add, map(index_mul, indices, strides))
    flat = indices[0]
    for extent, index in zip(shape[1:], indices[1:], strict=True):
        flat = index_add(index_mul(flat, extent), index)
    return flat


def flat_index(buffer: Buffer, indices: Sequence[Expr]) -> Expr:
    """Return the distance in elements from `buffer.data`, with strides and elem_offset.

    The last index may be a vector. int32 shapes give int32 unless the elements are too many for it.
    """
    values = widen(indices, offset_dtype(buffer))
    return index_add(offset_of(buffer.shape, buffer.strides, values), buffer.elem_offset)


def flat_extent(buffer: Buffer) -> Expr:
    """Return the number of elements from `buffer.data` to the end of the last element of the buffer."""
    if not buffer.strides:
        return index_add(product(buffer.shape), buffer.elem_offset)
    shape = widen(buffer.shape, offset_dtype(buffer))
    if any(is_const(extent, 0) for extent in shape):
        return index_add(IntImm(shape[0].dtype, 0), buffer.elem_offset)
    last = [make(Sub, extent, IntImm(extent.dtype, 1)) for extent in shape]
    offset = offset_of(shape, buffer.strides, last)
    return index_add(index_add(offset, IntImm(offset.dtype, 1)), buffer.elem_offset)


def broadcast(value: Expr, lanes: int) -> Expr:
    """Broadcast a value to `lanes` lanes; one lane is the value itself."""
    return value if lanes == 1 or value.dtype.lanes == lanes else Broadcast(value, lanes)


def allocation_shape(buffer: Buffer) -> tuple[Expr, ...]:
    """Return the extents to allocate for a buffer: its shape, or as many elements as strides and offset reach."""
    if not buffer.strides and (is_const(buffer.elem_offset, 0) or isinstance(buffer.elem_offset, Var)):
        # an offset that is a variable of its own matches any memory
        return buffer.shape
    padded = _padded_shape(buffer)
    if padded is not None:
        return padded
    extent = flat_extent(buffer)
    if buffer.strides and is_const(buffer.elem_offset, 0):  # the flat buffer has whole rows
        rows = index_mul(*match_types(buffer.strides[0], buffer.shape[0]))
        extent = rows if _is_less(extent, rows) else extent if _is_less(rows, extent) else make(Max, extent, rows)
    return (extent if isinstance(extent, IntImm) else make(Max, extent, IntImm(extent.dtype, 0)),)


def _padded_shape(buffer: Buffer) -> tuple[Expr, ...] | None:
    """Return the shape of a dense buffer with the same strides, whose rows and elements may be padded."""
    strides = buffer.strides
    if len(strides) != len(buffer.shape) or not strides:
        return None
    if not is_const(buffer.elem_offset, 0) or any(not _holds_whole(above, below) for above, below in pairwise(strides)):
        return None
    rows = [make(Div, *match_types(above, below)) for above, below in pairwise(strides)]
    if any(_is_less(row, extent) for row, extent in zip(rows, buffer.shape[1:], strict=True)):
        return None  # rows overlap
    if isinstance(strides[-1], IntImm) and strides[-1].value < 1:
        return None
    return (buffer.shape[0], *rows, *(() if is_const(strides[-1], 1) else strides[-1:]))


def _is_less(a: Expr, b: Expr) -> bool:
    """Whether one constant is less than another one."""
    return isinstance(a, IntImm) and isinstance(b, IntImm) and a.value < b.value


def _holds_whole(above: Expr, below: Expr) -> bool:
    """Whether a stride is a multiple of the next one."""
    if isinstance(below, IntImm) and below.value <= 0:
        return False
    simple = Simplifier()
    return is_const(simple.simplify(FloorMod(*match_types(above, below))), 0)
