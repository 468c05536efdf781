"""Give buffers that are only accessed as aligned vectors of one length a vector dtype."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.analysis.memory.pointer_element_type import Place, preferred_elements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import DType, PointerType, PrimType, on
from tvmscript.ir.tir import Allocate, Buffer, BufferStore, Expr, PrimFunc, Stmt, TirRewriter, Var
from tvmscript.ir.tir.expr import BufferLoad, Call, Div, IntImm, Mul, Ramp, Shuffle
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr, type_annotation
from tvmscript.ir.transform.base import Form, PrimFuncPass


@dataclass(frozen=True, slots=True)
class _PointerChange:
    """The new pointer for a variable; an element holds `factor` old ones."""

    var: Var
    element: DType
    factor: int


class _VectorElementRewriter(TirRewriter):
    def __init__(self, changes: dict[Var, _PointerChange]) -> None:
        super().__init__()
        self.changes = changes
        self.analyzer = Analyzer()
        self.renamed.update({old: change.var for old, change in changes.items()})

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        change = self.changes.get(node.data)
        if change is None:
            new_name: Buffer = super().name(node)
            return new_name
        new_buffer = self.renamed.get(node)
        if new_buffer is None:
            shape = node.shape
            if shape:
                shape = (*shape[:-1], _divide(shape[-1], change.factor))
            new_buffer = node.replace(data=change.var, dtype=change.element, shape=shape)
            self.renamed[node] = new_buffer
        assert isinstance(new_buffer, Buffer)
        return new_buffer

    def define(self, name: Any) -> Any:
        return self.buffer(name) if isinstance(name, Buffer) else self.renamed.get(name, name)

    def vector_indices(self, indices: tuple[Expr, ...], factor: int) -> tuple[tuple[Expr, ...], int | None]:
        """Return indices of vector elements, and the lane of a scalar access."""
        indices = self.indices(indices)
        if not indices or factor == 1:
            return indices, None
        last = indices[-1]
        lane = None
        if isinstance(last, Ramp):
            count = last.lanes // factor
            new = _divide(last.base, last.lanes)
            if count > 1:
                new = Ramp(make(Mul, new, IntImm(new.dtype, count)), last.stride, count, span=last.span)
        else:
            lane = self.analyzer.modular(last).base % factor
            new = _divide(last, factor)
        return (*indices[:-1], new), lane

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        change = self.changes.get(node.buffer.data)
        if change is None:
            return super().load(node)
        indices, lane = self.vector_indices(node.indices, change.factor)
        load = BufferLoad(self.buffer(node.buffer), indices, span=node.span)
        return load if lane is None else Shuffle((load,), (IntImm("int32", lane),), span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        change = self.changes.get(node.buffer.data)
        if change is None:
            return super().store(node)
        indices, _ = self.vector_indices(node.indices, change.factor)
        return BufferStore(self.buffer(node.buffer), self.rewrite(node.value), indices, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        new_call: Call = self.descend(node)
        pointer = node.args[1] if node.op is tvm_access_ptr else None
        change = self.changes.get(pointer) if isinstance(pointer, Var) else None
        if change is None:
            return new_call
        _, _, offset, extent, mask = new_call.args
        parts = (_divide(offset, change.factor), _divide(extent, change.factor), mask)
        return new_call.replace(dtype=change.element, args=(type_annotation(str(change.element)), change.var, *parts))

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        change = self.changes.get(node.buffer_var)
        new_allocate = self.descend(node)
        if change is None:
            return new_allocate
        extents = (
            (*new_allocate.extents[:-1], _divide(new_allocate.extents[-1], change.factor))
            if new_allocate.extents
            else ()
        )
        return new_allocate.replace(dtype=change.element, extents=extents)


def _divide(value: Expr, by: int) -> Expr:
    return make(Div, value, IntImm(value.dtype, by))


def rewrite_pointers(func: PrimFunc, places: Place, reads_lanes: bool) -> PrimFunc:
    """Return the function with preferred element dtypes for pointers from these places."""
    changes: dict[Var, _PointerChange] = {}
    for var, (old, element) in preferred_elements(func, places, reads_lanes).items():
        new_var = Var(var.name, PointerType(PrimType(element), var.storage_scope), span=var.span)
        changes[var] = _PointerChange(new_var, element, element.lanes // old.lanes)
    if not changes:
        return func
    rewriter = _VectorElementRewriter(changes)
    params = tuple([rewriter.changes[param].var if param in changes else param for param in func.params])
    buffers = {param: rewriter.buffer(buffer) for param, buffer in func.buffer_map.items()}
    return func.replace(params=params, buffer_map=buffers, body=rewriter.rewrite(func.body))


@dataclass(frozen=True)
class PointerValueTypeRewrite(PrimFuncPass):
    """Change the element dtype of buffers, pointers and allocations that are only accessed as aligned vectors of one
    length to that vector; scalar reads become lanes of it.

    Pointers whose accesses differ from the declared dtype take the dtype of the accesses. Bool buffers, buffers with
    strides or an offset, and constant data are not changed.

    rewrite:
        A: T.Buffer((16,), "float32")                   A: T.Buffer((4,), "float32x4")
        for i in range(4):                        -->   for i in range(4):
            A[i * 4:i * 4 + 4] = T.Broadcast(x, 4)          A[T.Div(i * 4, 4)] = T.Broadcast(x, 4)
    """

    name = "tir.PointerValueTypeRewrite"
    is_idempotent = True
    takes = Form.FLAT

    def transform(self, func: PrimFunc) -> PrimFunc:
        return rewrite_pointers(func, Place.ANYWHERE, reads_lanes=True)
