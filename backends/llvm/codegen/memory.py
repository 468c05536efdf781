"""Loads and stores: from indices to addresses, contiguous vectors, gathers, predicates, elements in whole bytes."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.backends.llvm.codegen.codegen import on
from tvmscript.backends.llvm.codegen.expressions import Expressions
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.types import element_bytes, element_memory_type, integer_constant, memory_type, value_type
from tvmscript.ir.core.dtype import INT64, DType
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer


@dataclass(slots=True)
class Place:
    """Where an access goes: one address, or one for each lane (`scattered`)."""

    pointer: str
    #: the dtype of the value that is loaded or stored
    dtype: DType
    scattered: bool = False
    #: one element in all lanes, or the lanes in backward order
    broadcast: bool = False
    backward: bool = False


class Memory(Expressions):
    """Expressions with buffer accesses."""

    @on(tir.BufferLoad)
    def _load(self, node: tir.BufferLoad) -> str:
        place = self.place(node.buffer, node.indices, node.dtype)
        if node.predicate is not None and node.dtype.lanes > 1:
            return self._from_memory(self._masked_load(place, node.predicate), place.dtype)
        if place.scattered:
            return self._from_memory(self._gather(place, integer_constant(_flags(place.dtype), 1)), place.dtype)
        loaded = place.dtype.element if place.broadcast else place.dtype
        value = self.load(place.pointer, loaded)
        if place.broadcast:
            return self.splat(value, place.dtype)
        return self._reversed(value, place.dtype) if place.backward else value

    def load(self, pointer: str, dtype: DType) -> str:
        """The value at an address that is aligned to elements."""
        loaded = self.text.value(f"load {memory_type(dtype)}, ptr {pointer}, align {element_bytes(dtype)}")
        return self._from_memory(loaded, dtype)

    def store(self, pointer: str, operand: str, dtype: DType) -> None:
        """Set the value at an address that is aligned to elements."""
        stored = self._to_memory(operand, dtype)
        self.text.do(f"store {memory_type(dtype)} {stored}, ptr {pointer}, align {element_bytes(dtype)}")

    def store_to(self, buffer: Buffer, indices: tuple[Expr, ...], value: Expr, predicate: Expr | None) -> None:
        """A BufferStore."""
        operand = self.expr(value)
        place = self.place(buffer, indices, value.dtype)
        dtype = value.dtype
        if place.broadcast and predicate is not None:
            place = self._repeated(place)
        if place.broadcast:
            # All lanes go to one element: the last one stays.
            operand = self.text.value(f"extractelement {value_type(dtype)} {operand}, i32 {dtype.lanes - 1}")
            self.store(place.pointer, operand, dtype.element)
            return
        if place.backward:
            operand = self._reversed(operand, dtype)
        if predicate is not None and dtype.lanes > 1:
            self._masked_store(place, operand, predicate)
        elif place.scattered:
            self._scatter(place, operand, integer_constant(_flags(dtype), 1))
        else:
            self.store(place.pointer, operand, dtype)

    def place(self, buffer: Buffer, indices: tuple[Expr, ...], dtype: DType) -> Place:
        """The address of an access of the given value dtype."""
        last = indices[-1] if indices else None
        if last is None or last.dtype.lanes == 1:
            return Place(self.address(buffer, self._flat(buffer, indices)), dtype)
        unit = not buffer.strides or _is_one(buffer.strides[-1])
        if isinstance(last, tir.Broadcast):
            if buffer.dtype.lanes == 1:
                pointer = self.address(buffer, self._flat(buffer, (*indices[:-1], last.value)))
                return Place(pointer, dtype, broadcast=True)
        elif isinstance(last, tir.Ramp) and unit and isinstance(last.stride, tir.IntImm):
            first = self._flat(buffer, (*indices[:-1], last.base))
            if last.stride.value == 1:
                return Place(self.address(buffer, first), dtype)
            if last.stride.value == -1 and buffer.dtype.lanes == 1:
                lowest = self.text.value(f"sub nsw i64 {first}, {last.lanes - 1}")
                return Place(self.address(buffer, lowest), dtype, backward=True)
        if buffer.dtype.lanes != 1:
            raise NotSupportedByLLVM(
                what=f"a vector index that is not contiguous, into the {buffer.dtype} elements of {buffer.name}",
                span=last.span,
            )
        return Place(self._addresses(buffer, indices, last), dtype, scattered=True)

    def _flat(self, buffer: Buffer, indices: tuple[Expr, ...]) -> str:
        """The distance from the data pointer in elements of the buffer's dtype, as an i64."""
        terms = [] if _is_zero(buffer.elem_offset) else [self.index(buffer.elem_offset)]
        if buffer.strides:
            pairs = zip(indices, buffer.strides, strict=True)
            terms += [self._times(self.index(index), stride) for index, stride in pairs]
        elif indices:
            total = self.index(indices[0])
            for index, extent in zip(indices[1:], buffer.shape[1:], strict=True):
                total = self.text.value(f"add nsw i64 {self._times(total, extent)}, {self.index(index)}")
            terms.append(total)
        if not terms:
            return "0"
        total = terms[0]
        for term in terms[1:]:
            total = self.text.value(f"add nsw i64 {total}, {term}")
        return total

    def _times(self, operand: str, factor: Expr) -> str:
        return operand if _is_one(factor) else self.text.value(f"mul nsw i64 {operand}, {self.index(factor)}")

    def address(self, buffer: Buffer, offset: str) -> str:
        """The address of an element of a buffer."""
        base = self.lookup(buffer.data)
        if offset == "0":
            return base
        lanes = buffer.dtype.lanes
        if lanes > 1:
            offset = self.text.value(f"mul nsw i64 {offset}, {lanes}")
        element = element_memory_type(buffer.dtype)
        return self.text.value(f"getelementptr inbounds {element}, ptr {base}, i64 {offset}")

    def _addresses(self, buffer: Buffer, indices: tuple[Expr, ...], last: Expr) -> str:
        """The addresses of the lanes of a vector index."""
        zero = tir.IntImm(last.dtype.element, 0)
        base = self.address(buffer, self._flat(buffer, (*indices[:-1], zero)))
        wide = INT64.with_lanes(last.dtype.lanes)
        lanes = self.convert.cast(self.expr(last), last.dtype, wide)
        if buffer.strides and not _is_one(buffer.strides[-1]):
            stride = self.splat(self.index(buffer.strides[-1]), wide)
            lanes = self.text.value(f"mul nsw {value_type(wide)} {lanes}, {stride}")
        element = element_memory_type(buffer.dtype)
        return self.text.value(f"getelementptr inbounds {element}, ptr {base}, {value_type(wide)} {lanes}")

    def _reversed(self, operand: str, dtype: DType) -> str:
        order = ", ".join(f"i32 {lane}" for lane in reversed(range(dtype.lanes)))
        kind = value_type(dtype)
        return self.text.value(f"shufflevector {kind} {operand}, {kind} poison, <{dtype.lanes} x i32> <{order}>")

    def _from_memory(self, operand: str, dtype: DType) -> str:
        kind, stored = value_type(dtype), memory_type(dtype)
        if kind == stored:
            return operand
        if dtype.is_bool:
            zero = "0" if dtype.lanes == 1 else "zeroinitializer"
            return self.text.value(f"icmp ne {stored} {operand}, {zero}")
        return self.text.value(f"trunc {stored} {operand} to {kind}")

    def _to_memory(self, operand: str, dtype: DType) -> str:
        kind, stored = value_type(dtype), memory_type(dtype)
        if kind == stored:
            return operand
        return self.text.value(f"{'sext' if dtype.is_signed else 'zext'} {kind} {operand} to {stored}")

    def _repeated(self, place: Place) -> Place:
        """The one address of all lanes as an address for each."""
        lanes = place.dtype.lanes
        one = self.text.value(f"insertelement <{lanes} x ptr> poison, ptr {place.pointer}, i32 0")
        spread = f"shufflevector <{lanes} x ptr> {one}, <{lanes} x ptr> poison, <{lanes} x i32> zeroinitializer"
        return Place(self.text.value(spread), place.dtype, scattered=True)

    def _masked_load(self, place: Place, predicate: Expr) -> str:
        mask = self.expr(predicate)
        if place.broadcast:
            place = self._repeated(place)
        if place.backward:
            mask = self._reversed(mask, _flags(place.dtype))
        if place.scattered:
            return self._gather(place, mask)
        kind, flags = memory_type(place.dtype), value_type(_flags(place.dtype))
        symbol = self.program.text.declare(
            f"llvm.masked.load.{_overload(place.dtype)}.p0", f"{kind} {{}}(ptr, {flags}, {kind})"
        )
        align = element_bytes(place.dtype)
        loaded = self.text.value(
            f"call {kind} {symbol}(ptr align {align} {place.pointer}, {flags} {mask}, {kind} zeroinitializer)"
        )
        return loaded if not place.backward else self._reversed_memory(loaded, place.dtype)

    def _reversed_memory(self, operand: str, dtype: DType) -> str:
        order = ", ".join(f"i32 {lane}" for lane in reversed(range(dtype.lanes)))
        kind = memory_type(dtype)
        return self.text.value(f"shufflevector {kind} {operand}, {kind} poison, <{dtype.lanes} x i32> <{order}>")

    def _masked_store(self, place: Place, operand: str, predicate: Expr) -> None:
        mask = self.expr(predicate)
        if place.backward:
            mask = self._reversed(mask, _flags(place.dtype))
        if place.scattered:
            self._scatter(place, operand, mask)
            return
        kind, flags = memory_type(place.dtype), value_type(_flags(place.dtype))
        symbol = self.program.text.declare(
            f"llvm.masked.store.{_overload(place.dtype)}.p0", f"void {{}}({kind}, ptr, {flags})"
        )
        stored = self._to_memory(operand, place.dtype)
        pointer = f"ptr align {element_bytes(place.dtype)} {place.pointer}"
        self.text.do(f"call void {symbol}({kind} {stored}, {pointer}, {flags} {mask})")

    def _gather(self, place: Place, mask: str) -> str:
        dtype = place.dtype
        kind, flags, lanes = memory_type(dtype), value_type(_flags(dtype)), dtype.lanes
        symbol = self.program.text.declare(
            f"llvm.masked.gather.{_overload(dtype)}.v{lanes}p0", f"{kind} {{}}(<{lanes} x ptr>, {flags}, {kind})"
        )
        pointers = f"<{lanes} x ptr> align {element_bytes(dtype)} {place.pointer}"
        return self.text.value(f"call {kind} {symbol}({pointers}, {flags} {mask}, {kind} zeroinitializer)")

    def _scatter(self, place: Place, operand: str, mask: str) -> None:
        dtype = place.dtype
        kind, flags, lanes = memory_type(dtype), value_type(_flags(dtype)), dtype.lanes
        symbol = self.program.text.declare(
            f"llvm.masked.scatter.{_overload(dtype)}.v{lanes}p0", f"void {{}}({kind}, <{lanes} x ptr>, {flags})"
        )
        pointers = f"<{lanes} x ptr> align {element_bytes(dtype)} {place.pointer}"
        self.text.do(f"call void {symbol}({kind} {self._to_memory(operand, dtype)}, {pointers}, {flags} {mask})")


def _flags(dtype: DType) -> DType:
    return DType("bool").with_lanes(dtype.lanes)


def _overload(dtype: DType) -> str:
    """The part of an intrinsic's name for the memory type of a vector."""
    scalar = element_memory_type(dtype)
    return f"v{dtype.lanes}{ {'half': 'f16', 'float': 'f32', 'double': 'f64', 'ptr': 'p0'}.get(scalar, scalar) }"


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, tir.IntImm) and expr.value == 0


def _is_one(expr: Expr) -> bool:
    return isinstance(expr, tir.IntImm) and expr.value == 1
