"""Gathers and scatters: vectors whose lanes have addresses of their own."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.backends.llvm.codegen.codegen import Codegen
from tvmscript.backends.llvm.types import (
    element_bytes,
    element_memory_type,
    integer_constant,
    lanes_suffix,
    memory_type,
    value_type,
    vector_type,
)
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir


@dataclass(slots=True)
class Place:
    """Address of an access: one address, or one for each lane (`scattered`)."""

    pointer: str
    #: the dtype of the value that is loaded or stored
    dtype: DType
    #: the data variable of memory that no other pointer overlaps
    memory: tir.Var | None
    scattered: bool = False
    #: elements from lane to lane of a scattered place whose `pointer` is that of its first lane; 0: one for each lane
    stride: int = 0
    #: one element in all lanes, or the lanes in backward order
    broadcast: bool = False
    backward: bool = False
    #: of what the address is a multiple; 0: of the bytes of an element
    align: int = 0


def gather(cg: Codegen, place: Place, predicate: Expr | None = None) -> str:
    """Return the elements at a scattered place, those of active lanes and zeros where there is a predicate."""
    active = place.dtype.lanes if predicate is None else first_lanes(predicate)
    if active is not None and _takes_elements(cg, place):
        return _load_elements(cg, place, active)
    # LLVM 22 ends the process where it blends halves from memory: gather them as integers
    dtype = DType("int16").with_lanes(place.dtype.lanes) if element_memory_type(place.dtype) == "half" else place.dtype
    kind, flags, lanes = memory_type(dtype), value_type(flags_of(dtype)), vector_type(dtype.lanes, "ptr")
    symbol = cg.program.text.declare(
        f"llvm.masked.gather.{overload(dtype)}.{lanes_suffix(dtype.lanes)}p0", f"{kind} {{}}({lanes}, {flags}, {kind})"
    )
    pointers = f"{lanes} align {element_bytes(dtype)} {_pointers(cg, place)}"
    mask = integer_constant(flags_of(dtype), 1) if predicate is None else cg.expr(predicate)
    loaded = cg.text.load_value(
        f"call {kind} {symbol}({pointers}, {flags} {mask}, {kind} zeroinitializer)", place.memory
    )
    return loaded if dtype == place.dtype else cg.text.value(f"bitcast {kind} {loaded} to {memory_type(place.dtype)}")


def scatter(cg: Codegen, place: Place, stored: str, predicate: Expr | None = None) -> None:
    """Store elements in memory form at a scattered place, those of active lanes where there is a predicate."""
    active = place.dtype.lanes if predicate is None else first_lanes(predicate)
    if active is not None and _takes_elements(cg, place):
        _store_elements(cg, place, stored, active)
        return
    dtype = place.dtype
    kind, flags, lanes = memory_type(dtype), value_type(flags_of(dtype)), vector_type(dtype.lanes, "ptr")
    symbol = cg.program.text.declare(
        f"llvm.masked.scatter.{overload(dtype)}.{lanes_suffix(dtype.lanes)}p0",
        f"void {{}}({kind}, {lanes}, {flags})",
    )
    pointers = f"{lanes} align {element_bytes(dtype)} {_pointers(cg, place)}"
    mask = integer_constant(flags_of(dtype), 1) if predicate is None else cg.expr(predicate)
    cg.text.store_value(f"call void {symbol}({kind} {stored}, {pointers}, {flags} {mask})", place.memory)


def first_lanes(predicate: Expr) -> int | None:
    """Return how many lanes are active, where these are the first ones and their number is constant."""
    if not isinstance(predicate, tir.LT):
        return None
    lanes, end = predicate.a, predicate.b
    if not isinstance(lanes, tir.Ramp) or not isinstance(end, tir.Broadcast) or not is_const(lanes.stride, 1):
        return None
    first, last = lanes.base, end.value
    if not isinstance(first, tir.IntImm) or not isinstance(last, tir.IntImm) or lanes.dtype.is_scalable:
        return None
    return min(max(last.value - first.value, 0), lanes.lanes)


def _takes_elements(cg: Codegen, place: Place) -> bool:
    """Return whether elements at constant distances are loaded and stored one by one.

    Without gathers LLVM would compute their addresses in vectors, and take these apart again.
    """
    return place.stride != 0 and not cg.program.target.has_gathers


def _load_elements(cg: Codegen, place: Place, active: int) -> str:
    kind, scalar = memory_type(place.dtype), element_memory_type(place.dtype)
    loaded, align = "poison" if active == place.dtype.lanes else "zeroinitializer", element_bytes(place.dtype)
    for lane in range(active):
        element = cg.text.load_value(f"load {scalar}, ptr {_pointer(cg, place, lane)}, align {align}", place.memory)
        loaded = cg.text.value(f"insertelement {kind} {loaded}, {scalar} {element}, i32 {lane}")
    return loaded


def _store_elements(cg: Codegen, place: Place, stored: str, active: int) -> None:
    kind, scalar = memory_type(place.dtype), element_memory_type(place.dtype)
    align = element_bytes(place.dtype)
    for lane in range(active):
        element = cg.text.value(f"extractelement {kind} {stored}, i32 {lane}")
        pointer = _pointer(cg, place, lane)
        cg.text.store_value(f"store {scalar} {element}, ptr {pointer}, align {align}", place.memory)


def _pointer(cg: Codegen, place: Place, lane: int) -> str:
    """Return the address of a lane of a place with a stride."""
    distance = f"i64 {lane * place.stride}"
    return cg.text.value(f"getelementptr {element_memory_type(place.dtype)}, ptr {place.pointer}, {distance}")


def _pointers(cg: Codegen, place: Place) -> str:
    """Return the vector of addresses of a scattered place."""
    if not place.stride:
        return place.pointer
    distances = ", ".join(f"i64 {lane * place.stride}" for lane in range(place.dtype.lanes))
    index = f"{vector_type(place.dtype.lanes, 'i64')} <{distances}>"
    return cg.text.value(f"getelementptr {element_memory_type(place.dtype)}, ptr {place.pointer}, {index}")


def flags_of(dtype: DType) -> DType:
    """Return the dtype of the mask of a vector."""
    return DType("bool").with_lanes(dtype.lanes)


def overload(dtype: DType) -> str:
    """Return the part of an intrinsic's name for the memory type of a vector."""
    scalar = element_memory_type(dtype)
    return lanes_suffix(dtype.lanes) + {"half": "f16", "float": "f32", "double": "f64", "ptr": "p0"}.get(scalar, scalar)
