"""Memory that is only accessed as aligned vectors of one length has these vectors as its elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.analysis.pointer_element_type import Place, preferred_elements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import make
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, Call, Div, IntImm, Mul, Ramp, Shuffle
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr, type_annotation
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, BufferStore
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Form, PrimFuncPass


@dataclass(frozen=True, slots=True)
class _Change:
    """Another pointer in the place of one, to elements that are `factor` of the old ones."""

    var: Var
    element: DType
    factor: int


class _Vectorized(TirRewriter):
    def __init__(self, changes: dict[Var, _Change]) -> None:
        super().__init__()
        self.changes = changes
        self.analyzer = Analyzer()
        self.renamed.update({old: change.var for old, change in changes.items()})

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        change = self.changes.get(node.data)
        if change is None:
            return super().name(node)  # type: ignore[no-any-return]  # a buffer is renamed to a buffer
        made = self.renamed.get(node)
        if made is None:
            shape = node.shape
            if shape:
                shape = (*shape[:-1], _divided(shape[-1], change.factor))
            made = node.replace(data=change.var, dtype=change.element, shape=shape)
            self.renamed[node] = made
        assert isinstance(made, Buffer)
        return made

    def define(self, name: Any) -> Any:
        return self.buffer(name) if isinstance(name, Buffer) else self.renamed.get(name, name)

    def changed_indices(self, indices: tuple[Expr, ...], factor: int) -> tuple[tuple[Expr, ...], int | None]:
        """Indices of vectors, and which lane of one is meant, where that is a scalar."""
        indices = self.indices(indices)
        if not indices or factor == 1:
            return indices, None
        last = indices[-1]
        lane = None
        if isinstance(last, Ramp):
            count = last.lanes // factor
            new = _divided(last.base, last.lanes)
            if count > 1:
                new = Ramp(make(Mul, new, IntImm(new.dtype, count)), last.stride, count, span=last.span)
        else:
            lane = self.analyzer.modular(last).base % factor
            new = _divided(last, factor)
        return (*indices[:-1], new), lane

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        change = self.changes.get(node.buffer.data)
        if change is None:
            return super().load(node)
        indices, lane = self.changed_indices(node.indices, change.factor)
        made = BufferLoad(self.buffer(node.buffer), indices, span=node.span)
        return made if lane is None else Shuffle((made,), (IntImm("int32", lane),), span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        change = self.changes.get(node.buffer.data)
        if change is None:
            return super().store(node)
        indices, _ = self.changed_indices(node.indices, change.factor)
        return BufferStore(self.buffer(node.buffer), self.rewrite(node.value), indices, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        made: Call = self.descend(node)
        pointer = node.args[1] if node.op is tvm_access_ptr else None
        change = self.changes.get(pointer) if isinstance(pointer, Var) else None
        if change is None:
            return made
        _, _, offset, extent, mask = made.args
        parts = (_divided(offset, change.factor), _divided(extent, change.factor), mask)
        return made.replace(dtype=change.element, args=(type_annotation(str(change.element)), change.var, *parts))

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        change = self.changes.get(node.buffer_var)
        made = self.descend(node)
        if change is None:
            return made
        extents = (*made.extents[:-1], _divided(made.extents[-1], change.factor)) if made.extents else ()
        return made.replace(dtype=change.element, extents=extents)


def _divided(value: Expr, by: int) -> Expr:
    return make(Div, value, IntImm(value.dtype, by))


def rewritten(func: PrimFunc, places: Place, reads_lanes: bool) -> PrimFunc:
    """The function with the elements that the accesses want, for pointers from these places."""
    changes: dict[Var, _Change] = {}
    for var, (old, element) in preferred_elements(func, places, reads_lanes).items():
        made = Var(var.name, PointerType(PrimType(element), var.storage_scope), span=var.span)
        changes[var] = _Change(made, element, element.lanes // old.lanes)
    if not changes:
        return func
    change = _Vectorized(changes)
    params = tuple([change.changes[each].var if each in changes else each for each in func.params])
    buffers = {param: change.buffer(buffer) for param, buffer in func.buffer_map.items()}
    return func.replace(params=params, buffer_map=buffers, body=change.rewrite(func.body))


@dataclass(frozen=True)
class PointerValueTypeRewrite(PrimFuncPass):
    """Buffers, pointers and allocations whose accesses are all aligned vectors of one length get elements of this
    dtype; scalars that are read are lanes of such elements.

    Pointers that are accessed as something else than they are declared follow the accesses too. Bool buffers, and
    those with strides or an offset, stay as they are, and so does constant data.

    rewrite:
        A: T.Buffer((16,), "float32")                   A: T.Buffer((4,), "float32x4")
        for i in range(4):                        -->   for i in range(4):
            A[i * 4:i * 4 + 4] = T.Broadcast(x, 4)          A[T.Div(i * 4, 4)] = T.Broadcast(x, 4)
    """

    name: ClassVar[str] = "tir.PointerValueTypeRewrite"
    takes: ClassVar[Form] = Form.FLAT

    def transform(self, func: PrimFunc) -> PrimFunc:
        return rewritten(func, Place.ANYWHERE, reads_lanes=True)
