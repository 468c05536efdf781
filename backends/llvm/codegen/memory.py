"""Loads and stores: addresses, contiguous vectors, gathers and scatters, predicates, packing of elements."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.codegen.arithmetic import call_overloaded, emit_index
from tvmscript.backends.llvm.codegen.codegen import Codegen, rule
from tvmscript.backends.llvm.codegen.expressions import evaluates_safely
from tvmscript.backends.llvm.codegen.scattered_accesses import Place, first_lanes, flags_of, gather, overload, scatter
from tvmscript.backends.llvm.codegen.unrolled_loops import fold_condition
from tvmscript.backends.llvm.codegen.vectorizable_loops import HALVES
from tvmscript.backends.llvm.codegen.vectors import check_vector, fence, last_lane, splat
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.types import (
    element_bytes,
    element_memory_type,
    integer_constant,
    lanes_suffix,
    memory_type,
    value_type,
    vector_type,
)
from tvmscript.ir.arith.buffer_layout import index_add
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import BOOL, FLOAT16, FLOAT32, INT64, DType
from tvmscript.ir.tir import Buffer, Expr, Stmt, stmt
from tvmscript.ir.tir import expr as tir

#: the dtype as which floats of 16 bits are copied
_BITS: Final = DType("uint16")


@rule(tir.BufferLoad)
def emit_load(cg: Codegen, node: tir.BufferLoad) -> str:
    is_masked = node.predicate is not None and node.dtype.is_vector
    if not is_masked and _has_small_stride(cg, node):
        return _from_memory(cg, _strided_load(cg, node), node.dtype)
    if not is_masked and (elements := _private_elements(cg, node)):
        return elements
    is_whole = is_masked and _is_private(cg, node)
    place = locate(cg, node.buffer, node.indices, node.dtype, is_masked=is_masked, is_whole=is_whole)
    if node.predicate is not None and is_masked:
        if is_whole:
            return _select_lanes(
                cg, node.predicate, load(cg, place.pointer, node.dtype, place.memory), _zero(node.dtype), node.dtype
            )
        if place.broadcast:
            return _masked_broadcast(cg, place, node.predicate)
        return _from_memory(cg, _masked_load(cg, place, node.predicate), place.dtype)
    if place.scattered:
        return _from_memory(cg, gather(cg, place), place.dtype)
    loaded = place.dtype.element if place.broadcast else place.dtype
    value = load(cg, place.pointer, loaded, place.memory, place.align)
    if place.broadcast:
        return splat(cg, value, place.dtype)
    return _reverse_lanes(cg, value, place.dtype) if place.backward else value


@rule(tir.Broadcast)
def emit_broadcast(cg: Codegen, node: tir.Broadcast) -> str:
    return splat(cg, _load_or_zero(cg, node.value) or cg.expr(node.value), node.dtype)


def _load_or_zero(cg: Codegen, node: Expr) -> str:
    """Write a load under a condition that is zero otherwise, as a load from one of two addresses; "" for others."""
    if not isinstance(node, tir.Call) or getattr(node.op, "name", "") != "tir.if_then_else":
        return ""
    condition, element, other = node.args
    if isinstance(fold_condition(cg, condition), tir.IntImm):
        return ""
    is_zero = isinstance(other, (tir.IntImm, tir.FloatImm)) and str(other.value).lstrip("0.") == ""
    if (
        not is_zero
        or not isinstance(element, tir.BufferLoad)
        or element.dtype.lanes > 1
        or element.predicate is not None
    ):
        return ""
    if not evaluates_safely(condition) or not all(map(evaluates_safely, element.indices)):
        return ""
    place = locate(cg, element.buffer, element.indices, element.dtype, is_masked=True)
    zero = cg.program.once("zero", lambda: cg.program.text.constant("zero", "[8 x i8] zeroinitializer", 8))
    pointer = cg.text.value(f"select i1 {cg.expr(condition)}, ptr {place.pointer}, ptr {zero}")
    return load(cg, pointer, element.dtype)


#: up to which distance of elements the vectors that contain them cost less than a gather
_MOST_STRIDE = 4


def _has_small_stride(cg: Codegen, node: tir.BufferLoad) -> bool:
    """Return whether a load is of elements at a small equal distance."""
    buffer, index = node.buffer, node.indices[-1] if node.indices else None
    if not isinstance(index, tir.Ramp) or not isinstance(index.stride, tir.IntImm) or index.dtype.is_scalable:
        return False
    is_plain = buffer.dtype.lanes == 1 and not buffer.strides and cg.program.target.model.vector_bytes > 0
    return is_plain and 1 < index.stride.value <= _MOST_STRIDE and index.lanes >= _MOST_STRIDE


def _strided_load(cg: Codegen, node: tir.BufferLoad) -> str:
    """Load the vectors that contain the elements, none beyond the last one, and pick the lanes."""
    index, dtype = node.indices[-1], node.dtype
    assert isinstance(index, tir.Ramp)
    assert isinstance(index.stride, tir.IntImm)
    lanes, stride = index.lanes, index.stride.value
    kind, loaded = memory_type(dtype), ""
    #: the lanes of the vectors so far that hold the first elements
    held: list[int] = []
    for part in range(stride):
        start = min(part * lanes, (lanes - 1) * (stride - 1))
        base = index_add(index.base, tir.IntImm(index.base.dtype, start))
        unit = tir.Ramp(base, tir.IntImm(base.dtype, 1), lanes)
        place = locate(cg, node.buffer, (*node.indices[:-1], unit), dtype)
        vector = cg.text.load_value(f"load {kind}, ptr {place.pointer}, align {element_bytes(dtype)}", place.memory)
        picked = [lane for lane in range(lanes) if start <= lane * stride < start + lanes]
        if not part:
            loaded, held = vector, [lane * stride for lane in picked]
            continue
        new = [lanes + lane * stride - start for lane in picked if lane >= len(held)]
        order = ", ".join(f"i32 {lane}" for lane in [*held, *new, *[0] * (lanes - len(held) - len(new))])
        loaded = cg.text.value(f"shufflevector {kind} {loaded}, {kind} {vector}, <{lanes} x i32> <{order}>")
        held = [*range(len(held) + len(new))]
    return loaded


def _private_elements(cg: Codegen, node: tir.BufferLoad) -> str:
    """Gather from constant places of the function's own memory by elements, as registers hold it; "" for others."""
    buffer, index = node.buffer, node.indices[-1] if node.indices else None
    if buffer.data not in cg.private or buffer.dtype.lanes != 1 or len(node.indices) != 1 or buffer.strides:
        return ""
    if not isinstance(index, tir.Ramp) or index.dtype.is_scalable or not isinstance(index.stride, tir.IntImm):
        return ""
    if not isinstance(index.base, tir.IntImm) or index.stride.value in (-1, 0, 1):
        return ""
    kind, scalar, vector = value_type(node.dtype), value_type(buffer.dtype), "poison"
    for lane in range(index.lanes):
        place = tir.IntImm(index.base.dtype, index.base.value + lane * index.stride.value)
        element = emit_load(cg, tir.BufferLoad(buffer, (place,)))
        vector = cg.text.value(f"insertelement {kind} {vector}, {scalar} {element}, i32 {lane}")
    return vector


def load(cg: Codegen, pointer: str, dtype: DType, memory: tir.Var | None = None, align: int = 0) -> str:
    """Return the value at an address that is aligned to elements, or to more, of memory as `Place` has it."""
    loaded = cg.text.load_value(
        f"load {memory_type(dtype)}, ptr {pointer}, align {align or element_bytes(dtype)}", memory
    )
    return _from_memory(cg, loaded, dtype)


def store(cg: Codegen, pointer: str, operand: str, dtype: DType, memory: tir.Var | None = None, align: int = 0) -> None:
    """Set the value at an address that is aligned to elements, or to more, of memory as `Place` has it."""
    if lanes := _lanes_of_parts(cg, dtype, memory):
        _store_parts(cg, pointer, operand, dtype, memory, align, lanes)
        return
    stored = _to_memory(cg, operand, dtype)
    if cg.streams and dtype.lanes > 1 and dtype.lanes * element_bytes(dtype) % _register_bytes(cg) == 0:
        note = cg.program.once("nontemporal", lambda: cg.program.text.metadata("!{i32 1}"))
        note = f"align {_register_bytes(cg)}, !nontemporal {note}"
        kind = memory_type(dtype)
        if dtype.element is FLOAT16:  # of these LLVM has no streaming stores
            pairs = FLOAT32.with_lanes(dtype.lanes // 2)
            stored = cg.text.value(f"bitcast {kind} {stored} to {memory_type(pairs)}")
            stored, kind = fence(cg.program, cg.text, stored, pairs), memory_type(pairs)
        cg.text.store_value(f"store {kind} {stored}, ptr {pointer}, {note}", memory)
        return
    kind, where = memory_type(dtype), f"ptr {pointer}, align {align or element_bytes(dtype)}"
    cg.text.store_value(f"store {kind} {stored}, {where}", memory, f"load {kind}, {where}", stored)


def _register_bytes(cg: Codegen) -> int:
    return cg.program.target.model.vector_bytes


def _lanes_of_parts(cg: Codegen, dtype: DType, memory: tir.Var | None) -> int:
    """Return the lanes of a register where a vector has several, and is stored outside of registers; otherwise 0."""
    lanes = _register_bytes(cg) // element_bytes(dtype)
    is_plain = cg.program.target.is_x86 and not dtype.is_scalable and (dtype.bits % 8 == 0 or dtype.element is BOOL)
    if not is_plain or lanes < 2 or dtype.lanes <= lanes or dtype.lanes % lanes or memory in cg.private:
        return 0
    return lanes


def _store_parts(
    cg: Codegen, pointer: str, operand: str, dtype: DType, memory: tir.Var | None, align: int, lanes: int
) -> None:
    """Store a vector by registers, the first one first: LLVM would begin with the last one.

    Where stores cross cache lines, those to the same line follow each other only in this order: twice as fast.
    """
    kind, part = value_type(dtype), dtype.with_lanes(lanes)
    for start in range(0, dtype.lanes, lanes):
        order = ", ".join(f"i32 {lane}" for lane in range(start, start + lanes))
        piece = cg.text.value(f"shufflevector {kind} {operand}, {kind} poison, <{lanes} x i32> <{order}>")
        offset = start * element_bytes(dtype)
        place = cg.text.value(f"getelementptr inbounds i8, ptr {pointer}, i64 {offset}") if offset else pointer
        store(cg, place, piece, part, memory, align)


def emit_streaming_stores(cg: Codegen, body: Stmt) -> None:
    """Write a statement whose vector stores go past the caches, and a fence behind them."""
    outside, cg.streams = cg.streams, True
    cg.statement(body)
    cg.streams = outside
    cg.text.do(f"call void {cg.program.text.declare('llvm.x86.sse.sfence', 'void {}()')}()")


@rule(stmt.BufferStore)
def emit_store(cg: Codegen, node: stmt.BufferStore) -> None:
    """Write a store to a buffer."""
    value = node.value
    if isinstance(value, tir.BufferLoad) and value.dtype in HALVES and node.predicate is None is value.predicate:
        # as a float it goes through a vector register, whose other lanes are waited for
        node = node.replace(buffer=_in_bits(node.buffer), value=tir.BufferLoad(_in_bits(value.buffer), value.indices))
    predicate, dtype = node.predicate, node.value.dtype
    operand = cg.expr(node.value)
    is_masked = predicate is not None and dtype.is_vector
    is_whole = is_masked and _is_private(cg, node)
    place = locate(cg, node.buffer, node.indices, dtype, is_masked=is_masked, is_whole=is_whole, is_store=True)
    if predicate is not None and is_whole:
        # whole vectors, so that LLVM can keep the memory in registers
        operand = _select_lanes(cg, predicate, operand, load(cg, place.pointer, dtype, place.memory), dtype)
        store(cg, place.pointer, operand, dtype, place.memory)
        return
    if place.broadcast and predicate is not None:
        place = _repeat_address(cg, place)
    if place.broadcast:
        # All lanes go to one element: the last one stays.
        operand = cg.text.value(f"extractelement {value_type(dtype)} {operand}, i32 {last_lane(cg, dtype)}")
        store(cg, place.pointer, operand, dtype.element, place.memory)
        return
    if place.backward:
        operand = _reverse_lanes(cg, operand, dtype)
    if predicate is not None and dtype.is_vector:
        _masked_store(cg, place, operand, predicate)
    elif place.scattered:
        scatter(cg, place, _to_memory(cg, operand, dtype))
    else:
        store(cg, place.pointer, operand, dtype, place.memory, place.align)


def _in_bits(buffer: Buffer) -> Buffer:
    return buffer.replace(dtype=_BITS)


def _is_private(cg: Codegen, node: tir.BufferLoad | stmt.BufferStore) -> bool:
    """Return whether an access is to consecutive elements of memory that only this function uses, all in bounds."""
    buffer, indices = node.buffer, node.indices
    if buffer.data not in cg.private or len(indices) != 1 or buffer.strides or not is_const(buffer.elem_offset, 0):
        return False
    index, extent = indices[0], buffer.shape[0]
    if not isinstance(index, tir.Ramp) or not is_const(index.stride, 1):
        return False
    if buffer.dtype.is_vector or index.dtype.is_scalable:
        return False
    return (
        isinstance(extent, tir.IntImm)
        and extent.value * element_bytes(buffer.dtype) <= cg.private[buffer.data]
        and cg.ranges.is_exact(index.base)
        and cg.ranges.of(index.base).within(0, extent.value - index.lanes)
    )


def _select_lanes(cg: Codegen, predicate: Expr, active: str, inactive: str, dtype: DType) -> str:
    flags, kind = value_type(flags_of(dtype)), value_type(dtype)
    return cg.text.value(f"select {flags} {cg.expr(predicate)}, {kind} {active}, {kind} {inactive}")


def _zero(dtype: DType) -> str:
    return "zeroinitializer" if dtype.is_vector else integer_constant(dtype, 0)


def locate(
    cg: Codegen,
    buffer: Buffer,
    indices: tuple[Expr, ...],
    dtype: DType,
    *,
    is_masked: bool = False,
    is_whole: bool = False,
    is_store: bool = False,
) -> Place:
    """Return the address of an access to values of this dtype.

    Inactive lanes of a masked one may be out of bounds; one that `is_whole` accesses them all the same.
    """
    last = indices[-1] if indices else None
    check_vector(cg, dtype, None if last is None else last.span)
    memory = buffer.data if buffer.data in cg.exclusive else None
    cg.accesses.note(buffer.data, indices, is_store=is_store, is_whole=is_whole or not is_masked)
    if last is None or last.dtype.lanes == 1:
        align = cg.alignment(buffer, indices, dtype)
        return Place(element_address(cg, buffer, _element_offset(cg, buffer, indices)), dtype, memory, align=align)
    unit = not buffer.strides or is_const(buffer.strides[-1], 1)
    if isinstance(last, tir.Broadcast):
        if buffer.dtype.lanes == 1:
            pointer = element_address(cg, buffer, _element_offset(cg, buffer, (*indices[:-1], last.value)), is_masked)
            return Place(pointer, dtype, memory, broadcast=True)
    elif isinstance(last, tir.Ramp) and unit and isinstance(last.stride, tir.IntImm):
        first = _element_offset(cg, buffer, (*indices[:-1], last.base))
        if last.stride.value == 1:
            align = cg.alignment(buffer, (*indices[:-1], last.base), dtype)
            return Place(element_address(cg, buffer, first, is_masked), dtype, memory, align=align)
        if last.stride.value == -1 and buffer.dtype.lanes == 1 and not last.dtype.is_scalable:
            lowest = cg.text.value(f"sub nsw i64 {first}, {last.lanes - 1}")
            return Place(element_address(cg, buffer, lowest, is_masked), dtype, memory, backward=True)
        if buffer.dtype.lanes == 1 and not last.dtype.is_scalable:
            pointer = element_address(cg, buffer, first, is_masked)
            return Place(pointer, dtype, memory, scattered=True, stride=last.stride.value)
    if buffer.dtype.lanes != 1:
        raise NotSupportedByLLVM(
            what=f"a vector index that is not contiguous, into the {buffer.dtype} elements of {buffer.name}",
            span=last.span,
        )
    return Place(_lane_addresses(cg, buffer, indices, last, is_masked), dtype, memory, scattered=True)


def _element_offset(cg: Codegen, buffer: Buffer, indices: tuple[Expr, ...]) -> str:
    """Return the distance from the data pointer in elements of the buffer's dtype, as an i64."""
    if buffer.layout is not None or buffer.allocated_addr:
        what = "layout" if buffer.layout is not None else "fixed address"
        raise NotSupportedByLLVM(what=f"the {what} of the buffer {buffer.name}", span=buffer.span)
    terms = [] if is_const(buffer.elem_offset, 0) else [emit_index(cg, buffer.elem_offset)]
    if buffer.strides:
        pairs = zip(indices, buffer.strides, strict=True)
        terms += [_multiply_index(cg, emit_index(cg, index), stride) for index, stride in pairs]
    elif indices:
        total = emit_index(cg, indices[0])
        for index, extent in zip(indices[1:], buffer.shape[1:], strict=True):
            total = cg.text.value(f"add nsw i64 {_multiply_index(cg, total, extent)}, {emit_index(cg, index)}")
        terms.append(total)
    if not terms:
        return "0"
    total = terms[0]
    for term in terms[1:]:
        total = cg.text.value(f"add nsw i64 {total}, {term}")
    return total


def _multiply_index(cg: Codegen, operand: str, factor: Expr) -> str:
    return operand if is_const(factor, 1) else cg.text.value(f"mul nsw i64 {operand}, {emit_index(cg, factor)}")


def element_address(cg: Codegen, buffer: Buffer, offset: str, may_leave: bool = False) -> str:
    """Return the address of an element of a buffer; one that `may_leave` the buffer is not known to be in bounds."""
    base = cg.lookup(buffer.data)
    if offset == "0":
        return base
    lanes = buffer.dtype.lanes
    if lanes > 1:
        offset = cg.text.value(f"mul nsw i64 {offset}, {lanes}")
    element = element_memory_type(buffer.dtype)
    return cg.text.value(f"getelementptr {_IN_BOUNDS[may_leave]}{element}, ptr {base}, i64 {offset}")


_IN_BOUNDS = {False: "inbounds ", True: ""}


def _lane_addresses(cg: Codegen, buffer: Buffer, indices: tuple[Expr, ...], last: Expr, may_leave: bool) -> str:
    """Return the addresses of the lanes of a vector index."""
    zero = tir.IntImm(last.dtype.element, 0)
    base = element_address(cg, buffer, _element_offset(cg, buffer, (*indices[:-1], zero)), may_leave)
    wide = INT64.with_lanes(last.dtype.lanes)
    lanes = cg.convert.cast(cg.expr(last), last.dtype, wide)
    if buffer.strides and not is_const(buffer.strides[-1], 1):
        stride = splat(cg, emit_index(cg, buffer.strides[-1]), wide)
        lanes = cg.text.value(f"mul nsw {value_type(wide)} {lanes}, {stride}")
    element = element_memory_type(buffer.dtype)
    return cg.text.value(f"getelementptr {_IN_BOUNDS[may_leave]}{element}, ptr {base}, {value_type(wide)} {lanes}")


def _reverse_lanes(cg: Codegen, operand: str, dtype: DType) -> str:
    order = ", ".join(f"i32 {lane}" for lane in reversed(range(dtype.lanes)))
    kind = value_type(dtype)
    return cg.text.value(f"shufflevector {kind} {operand}, {kind} poison, <{dtype.lanes} x i32> <{order}>")


def _from_memory(cg: Codegen, operand: str, dtype: DType) -> str:
    kind, stored = value_type(dtype), memory_type(dtype)
    if kind == stored:
        return operand
    if dtype.is_bool:
        zero = "0" if dtype.lanes == 1 else "zeroinitializer"
        return cg.text.value(f"icmp ne {stored} {operand}, {zero}")
    return cg.text.value(f"trunc {stored} {operand} to {kind}")


def _to_memory(cg: Codegen, operand: str, dtype: DType) -> str:
    kind, stored = value_type(dtype), memory_type(dtype)
    if kind == stored:
        return operand
    return cg.text.value(f"{'sext' if dtype.is_signed else 'zext'} {kind} {operand} to {stored}")


def _repeat_address(cg: Codegen, place: Place) -> Place:
    """Return a place with the same address for each lane."""
    kind, order = vector_type(place.dtype.lanes, "ptr"), vector_type(place.dtype.lanes, "i32")
    one = cg.text.value(f"insertelement {kind} poison, ptr {place.pointer}, i32 0")
    spread = f"shufflevector {kind} {one}, {kind} poison, {order} zeroinitializer"
    return Place(cg.text.value(spread), place.dtype, place.memory, scattered=True)


def _masked_broadcast(cg: Codegen, place: Place, predicate: Expr) -> str:
    """Return one element in the active lanes and 0 in the others; it is not read if no lane is active."""
    mask, flags = cg.expr(predicate), value_type(flags_of(place.dtype))
    some = cg.program.text.declare(f"llvm.vector.reduce.or.{lanes_suffix(place.dtype.lanes)}i1", f"i1 {{}}({flags})")
    zeros = cg.program.once("zeros", lambda: cg.program.text.data(bytes(_ZEROS), _ZEROS))
    pointer = cg.text.value(
        f"select i1 {cg.text.value(f'call i1 {some}({flags} {mask})')}, ptr {place.pointer}, ptr {zeros}"
    )
    value = splat(cg, load(cg, pointer, place.dtype.element), place.dtype)
    kind = value_type(place.dtype)
    return cg.text.value(f"select {flags} {mask}, {kind} {value}, {kind} {_zero(place.dtype)}")


#: Bytes of the zeros that are read where no lane is active: those of the largest element.
_ZEROS = 16


def _masked_load(cg: Codegen, place: Place, predicate: Expr) -> str:
    if place.scattered:
        return gather(cg, place, predicate)
    mask = cg.expr(predicate)
    if place.backward:
        mask = _reverse_lanes(cg, mask, flags_of(place.dtype))
    kind, flags = memory_type(place.dtype), value_type(flags_of(place.dtype))
    symbol = cg.program.text.declare(
        f"llvm.masked.load.{overload(place.dtype)}.p0", f"{kind} {{}}(ptr, {flags}, {kind})"
    )
    align = element_bytes(place.dtype)
    loaded = cg.text.load_value(
        f"call {kind} {symbol}(ptr align {align} {place.pointer}, {flags} {mask}, {kind} zeroinitializer)", place.memory
    )
    return loaded if not place.backward else _reverse_memory_lanes(cg, loaded, place.dtype)


def _reverse_memory_lanes(cg: Codegen, operand: str, dtype: DType) -> str:
    order = ", ".join(f"i32 {lane}" for lane in reversed(range(dtype.lanes)))
    kind = memory_type(dtype)
    return cg.text.value(f"shufflevector {kind} {operand}, {kind} poison, <{dtype.lanes} x i32> <{order}>")


def _masked_store(cg: Codegen, place: Place, operand: str, predicate: Expr) -> None:
    if place.scattered:
        scatter(cg, place, _to_memory(cg, operand, place.dtype), predicate)
        return
    active = None if place.backward else first_lanes(predicate)
    if active is not None and not cg.program.target.model.has_mask_registers:
        _store_first(cg, place, operand, active)
        return
    mask = cg.expr(predicate)
    if place.backward:
        mask = _reverse_lanes(cg, mask, flags_of(place.dtype))
    kind, flags = memory_type(place.dtype), value_type(flags_of(place.dtype))
    symbol = cg.program.text.declare(
        f"llvm.masked.store.{overload(place.dtype)}.p0", f"void {{}}({kind}, ptr, {flags})"
    )
    stored = _fenced(cg, _to_memory(cg, operand, place.dtype), place.dtype)
    pointer = f"ptr align {element_bytes(place.dtype)} {place.pointer}"
    cg.text.store_value(f"call void {symbol}({kind} {stored}, {pointer}, {flags} {mask})", place.memory)


def _fenced(cg: Codegen, stored: str, dtype: DType) -> str:
    """Return a vector that is stored in part, behind a fence where its elements may be truncated integers.

    LLVM 22 stores four bytes, the element before it is truncated, where it knows that the mask has one lane (AVX-512).
    """
    kind, bits = memory_type(dtype), element_bytes(dtype) * 8 * dtype.lanes
    is_narrow = element_memory_type(dtype) in ("i8", "i16")
    if not is_narrow or bits % 32 or not cg.program.target.has_feature("avx512f"):
        return stored
    unit = 64 if bits % 64 == 0 else 32
    fence = DType(f"float{unit}").with_lanes(bits // unit)
    cast = cg.text.value(f"bitcast {kind} {stored} to {value_type(fence)}")
    fenced = call_overloaded(cg, "llvm.arithmetic.fence", fence, [cast])
    return cg.text.value(f"bitcast {value_type(fence)} {fenced} to {kind}")


def _store_first(cg: Codegen, place: Place, operand: str, active: int) -> None:
    """Store the first lanes of a vector as shorter ones, which LLVM divides into powers of two."""
    if not active:
        return
    dtype = place.dtype.with_lanes(active)
    if active < place.dtype.lanes:
        kind, order = value_type(place.dtype), ", ".join(f"i32 {lane}" for lane in range(active))
        picked = f"shufflevector {kind} {operand}, {kind} poison, <{active} x i32> <{order}>"
        operand = cg.text.value(picked if active > 1 else f"extractelement {kind} {operand}, i32 0")
    store(cg, place.pointer, operand, dtype, place.memory, place.align)
