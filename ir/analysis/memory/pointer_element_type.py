"""Infer the preferred element type of pointers: a vector type if all accesses are aligned vectors of one length."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Flag, auto

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import PointerType, PrimType, Visitor, on
from tvmscript.ir.core.dtype import BOOL, INT8, DType
from tvmscript.ir.tir import Allocate, BufferStore, Expr, LetStmt, PrimFunc, Var
from tvmscript.ir.tir.expr import BufferLoad, Call, IntImm, Let, Mul, Ramp
from tvmscript.ir.tir.intrin.memory import address_of, tvm_access_ptr


class Place(Flag):
    """Origin of a pointer."""

    PARAMETER = auto()
    ALLOCATION = auto()
    LET = auto()
    ANYWHERE = PARAMETER | ALLOCATION | LET


def _in_memory(dtype: DType) -> DType:
    return INT8.with_lanes(dtype.lanes) if dtype.element is BOOL else dtype


@dataclass(slots=True)
class _Pointer:
    """Summary of the accesses through a pointer."""

    #: dtype of the elements
    element: DType
    #: elements of the last dimension; None where nobody knows
    extent: Expr | None
    place: Place
    #: dtypes that are read and written, where an aligned run of elements is one vector
    accessed: set[DType] = field(default_factory=set)
    #: dtypes of scalars that are read, and where
    read: set[DType] = field(default_factory=set)
    indices: list[Expr] = field(default_factory=list)
    #: something is done with it that other elements would break
    is_fixed: bool = False

    def preferred(self, analyzer: Analyzer) -> DType:
        """The element dtype that the accesses want."""
        bases = {each.element for each in self.accessed | self.read}
        if self.is_fixed or len(bases) != 1:
            return self.element
        (base,) = bases
        if self.place is Place.ALLOCATION and base.bits != self.element.bits:
            return self.element  # the memory would have another size
        lanes = self.element.lanes
        if lanes == 1 and len(self.accessed) == 1:
            (vector,) = self.accessed
            if vector.lanes > 1 and any(analyzer.modular(each).factor % vector.lanes for each in self.indices):
                return self.element  # which lane it is, is not known
            if self.extent is None or _is_multiple(analyzer, self.extent, vector.lanes):
                lanes = vector.lanes
        return base.with_lanes(lanes)


def _is_multiple(analyzer: Analyzer, expr: Expr, number: int) -> bool:
    if isinstance(expr, Mul) and isinstance(expr.b, IntImm) and expr.b.value % number == 0:
        return True  # as most are written
    factor, base = analyzer.modular(expr)
    return factor % number == 0 and base % number == 0


class _Accesses(Visitor):
    """Collect the accesses through every pointer of a function."""

    def __init__(self, func: PrimFunc, reads_lanes: bool) -> None:
        self.pointers: dict[Var, _Pointer] = {}
        self.analyzer = Analyzer()
        #: scalars may be read as lanes of vectors
        self.reads_lanes = reads_lanes
        for buffer in func.buffer_map.values():
            self.declare(buffer.data, buffer.dtype, buffer.shape[-1] if buffer.shape else None, Place.PARAMETER)
        for param in func.params:
            if param not in func.buffer_map:
                self.pointer(param, Place.PARAMETER)

    def declare(self, var: Var, dtype: DType, extent: Expr | None, place: Place) -> None:
        self.pointers[var] = _Pointer(_in_memory(dtype), extent, place)

    def pointer(self, var: Var, place: Place) -> None:
        """A pointer to elements of which nobody knows how many there are."""
        about = var.pointer_type
        if isinstance(about, PointerType) and isinstance(about.element_type, PrimType):
            self.declare(var, about.element_type.dtype, None, place)

    @on(Allocate)
    def allocation(self, node: Allocate) -> None:
        self.declare(node.buffer_var, node.dtype, node.extents[-1] if node.extents else None, Place.ALLOCATION)
        self.walk(node)

    @on(LetStmt, Let)
    def let(self, node: LetStmt | Let) -> None:
        if node.var.dtype.is_handle:
            self.pointer(node.var, Place.LET)
        self.walk(node)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.buffer_access(node, node.dtype, is_read=True)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.buffer_access(node, node.value.dtype, is_read=False)

    def buffer_access(self, node: BufferLoad | BufferStore, dtype: DType, is_read: bool) -> None:
        self.walk(node)
        buffer = node.buffer
        pointer = self.pointers.get(buffer.data)
        if pointer is None:
            return
        # layouts in elements, and masks of lanes, are those of the elements that there are
        if buffer.strides or not is_const(buffer.elem_offset, 0) or node.predicate is not None:
            pointer.is_fixed = True
        if dtype.element is BOOL:
            pointer.is_fixed = True
        self.access(pointer, dtype, node.indices[-1] if node.indices else None, is_read)

    @on(Call)
    def call(self, node: Call) -> None:
        if node.op is tvm_access_ptr and isinstance(node.args[1], Var):
            pointer = self.pointers.get(node.args[1])
            if pointer is not None:
                self.access(pointer, node.args[0].dtype, node.args[2], is_read=False)
        elif node.op is address_of and isinstance(node.args[0], BufferLoad):
            load = node.args[0]
            self.buffer_access(load, load.dtype, is_read=False)
            return
        self.walk(node)

    def access(self, pointer: _Pointer, dtype: DType, index: Expr | None, is_read: bool) -> None:
        dtype = _in_memory(dtype)
        if dtype.is_scalable or (index is not None and index.dtype.is_scalable):
            pointer.is_fixed = True
            return
        lanes = pointer.element.lanes
        index_lanes = 1 if index is None else index.dtype.lanes
        if index_lanes * lanes != dtype.lanes:
            pointer.is_fixed = True  # its elements are not what the accesses say
            return
        if isinstance(index, Ramp) and is_const(index.stride, 1):
            if _is_multiple(self.analyzer, index.base, index.lanes):
                lanes = index.lanes
        elif self.reads_lanes and is_read and index is not None and index_lanes == 1:
            pointer.read.add(dtype)
            pointer.indices.append(index)
            return
        pointer.accessed.add(dtype.with_lanes(lanes))


def preferred_elements(func: PrimFunc, places: Place, reads_lanes: bool) -> dict[Var, tuple[DType, DType]]:
    """Return the pointers whose element type should change: the present dtype and the preferred one.

    With `reads_lanes`, scalars may be read out of vectors. Pointers from other places keep their elements.
    """
    accesses = _Accesses(func, reads_lanes)
    accesses.visit(func.body)
    elements: dict[Var, tuple[DType, DType]] = {}
    for var, pointer in accesses.pointers.items():
        if pointer.place & places and (pointer.accessed or pointer.read):
            preferred = pointer.preferred(accesses.analyzer)
            if preferred is not pointer.element:
                elements[var] = (pointer.element, preferred)
    return elements
