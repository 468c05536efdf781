"""Every access goes to a one-dimensional buffer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from tvmscript.ir.arith.fold import cast
from tvmscript.ir.arith.layout import flat_extent, flat_index, product
from tvmscript.ir.core.data import Data
from tvmscript.ir.core.dtype import BOOL, INT8, DType
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, Block, BufferStore, DeclBuffer
from tvmscript.ir.tir.tensor_level import BufferRealize, Prefetch
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import BlockInLoops, TensorLevelLeft

AllocationT = TypeVar("AllocationT", Allocate, AllocateConst)


def stored_dtype(dtype: DType) -> DType:
    """What is in memory: bool is kept in bytes."""
    return INT8.with_lanes(dtype.lanes) if dtype.element is BOOL else dtype


def _is_flat(buffer: Buffer) -> bool:
    offset = buffer.elem_offset
    return (
        len(buffer.shape) == 1
        and not buffer.strides
        and isinstance(offset, IntImm)
        and offset.value == 0
        and buffer.dtype.element is not BOOL
    )


def _flat(buffer: Buffer, data: Any) -> Buffer:
    extent = flat_extent(buffer)
    return Buffer(
        data,
        stored_dtype(buffer.dtype),
        (extent,),
        (),
        IntImm(extent.dtype, 0),
        buffer.name,
        buffer.data_alignment,
        1,
        buffer.buffer_type,
        (),
        span=buffer.span,
    )


class _Flattening(TirRewriter):
    def __init__(self, func: PrimFunc) -> None:
        super().__init__()
        #: flat forms of the parameters' buffers that the body uses
        self.used: dict[Buffer, Buffer] = {}
        self.parameters = set(func.buffer_map.values())

    @on(BufferRealize, Prefetch)
    def refuse(self, node: BufferRealize | Prefetch) -> Stmt:
        raise TensorLevelLeft(name="tir.FlattenBuffer", what=f"a {type(node).__name__}", span=node.span)

    @on(Buffer)
    def name(self, node: Any) -> Any:
        if not isinstance(node, Buffer):
            return self.renamed.get(node, node)
        flat: Any = self.renamed.get(node)
        if flat is None:
            flat = node if _is_flat(node) else _flat(node, self.rewrite(node.data))
            self.renamed[node] = flat
            if flat is not node and node in self.parameters:
                self.used[node] = flat
        return flat

    def define(self, name: Any) -> Any:
        return self.name(name) if isinstance(name, Buffer) else name

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        buffer = node.buffer
        flat = self.name(buffer)
        if flat is buffer:
            return super().load(node)
        index = flat_index(buffer, self.indices(node.indices))
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        return cast(node.dtype, BufferLoad(flat, (index,), predicate, span=node.span))

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        buffer = node.buffer
        flat = self.name(buffer)
        if flat is buffer:
            return super().store(node)
        index = flat_index(buffer, self.indices(node.indices))
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        value: Expr = self.rewrite(node.value)
        return BufferStore(flat, cast(stored_dtype(value.dtype), value), (index,), predicate, span=node.span)

    @on(Allocate)
    def allocate(self, node: Allocate) -> Allocate:
        made = self.stored(node)
        return made if len(made.extents) == 1 else made.replace(extents=(product(made.extents),))

    @on(AllocateConst)
    def allocate_const(self, node: AllocateConst) -> AllocateConst:
        made = self.stored(node)
        if made.dtype is node.dtype:
            return made
        return made.replace(data=Data(str(made.dtype), tuple(node.data.shape), node.data.tobytes()))

    def stored(self, node: AllocationT) -> AllocationT:
        """The allocation with the dtype that is in memory."""
        var, dtype = node.buffer_var, stored_dtype(node.dtype)
        if dtype is node.dtype:
            return self.descend(node)
        made = Var(var.name, PointerType(PrimType(dtype), var.storage_scope), span=var.span)
        self.renamed[var] = made
        return self.descend(node.replace(buffer_var=made)).replace(dtype=dtype)

    @on(Block)
    def block(self, node: Block) -> Block:
        raise BlockInLoops(name=FlattenBuffer.name, block=node.name_hint, span=node.span)


@dataclass(frozen=True)
class FlattenBuffer(PrimFuncPass):
    """Accesses have one index: the distance from the buffer's data, strides and offset included.

    Parameters keep their buffers; flat aliases over the same data are declared at the function's start.
    Bool buffers become int8 buffers with conversions at each access. Allocations have one extent;
    constant data keeps its shape.

    rewrite:
        def f(A: T.Buffer((4, 8))):             def f(A: T.Buffer((4, 8))):
            for i, j in T.grid(4, 8):   -->         A_1 = T.decl_buffer((32,), data=A.data)
                A[i, j] = 0.0                       for i, j in T.grid(4, 8):
                                                        A_1[i * 8 + j] = 0.0
    """

    name: ClassVar[str] = "tir.FlattenBuffer"

    def transform(self, func: PrimFunc) -> PrimFunc:
        flattening = _Flattening(func)
        body: Stmt = flattening.rewrite(func.body)
        for flat in reversed(flattening.used.values()):
            body = DeclBuffer(flat, body)
        return func.with_body(body)
