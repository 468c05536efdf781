"""Transform m16n8k8 matrix buffers to registers of each thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import INT32, IRError, on
from tvmscript.ir.tir import Block, Buffer, BufferStore, Expr, PrimFunc, Stmt, TirRewriter, make_buffer
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, FloorDiv, FloorMod, IntImm, Range
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import MatchNotLowered

_RESULT: Final = "m16n8k8.matrixC"


class _Layout(NamedTuple):
    """Shape of the tile that a warp holds in registers, and of the registers of one thread."""

    rows: int
    columns: int
    registers: tuple[int, int]


_LAYOUTS: Final = {
    "m16n8k8.matrixA": _Layout(32, 8, (4, 2)),
    "m16n8k8.matrixB": _Layout(8, 32, (1, 8)),
    _RESULT: _Layout(16, 8, (2, 2)),
}


class NoMmaLayout(IRError, code="TS4059"):
    """A buffer in scope m16n8k8.matrixA, m16n8k8.matrixB or m16n8k8.matrixC has no register layout. It must consist of
    whole tiles of 32 x 8, 8 x 32 or 16 x 8 elements. The element order of the first two is private to tensor core
    instructions, so statements must not load or store their elements.
    """

    message = "buffer {buffer} in {scope} has no layout in registers: {reason}"


class _MmaLayoutTransformer(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        self.analyzer = Analyzer()
        #: buffer -> its register buffer
        self.new_buffers: dict[Buffer, Buffer] = {}

    @on(Block)
    def block(self, node: Block) -> Stmt:
        if any(match.source.buffer in self.new_buffers for match in node.match_buffers):
            raise MatchNotLowered(block=node.name_hint, span=node.span)
        for buffer in node.alloc_buffers:
            layout = _LAYOUTS.get(buffer.storage_scope)
            if layout is not None:
                new_buffer = _register_buffer(buffer, layout)
                self.new_buffers[buffer] = self.renamed[buffer] = new_buffer
                self.renamed[buffer.data] = new_buffer.data
        return self.descend(node)

    def define(self, name: Any) -> Any:
        return self.new_buffers.get(name) or super().define(name)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        new_buffer = self.new_buffers.get(node.buffer)
        if new_buffer is None:
            return super().load(node)
        return BufferLoad(new_buffer, self.registers(node.buffer, node), node.predicate, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        new_buffer = self.new_buffers.get(node.buffer)
        if new_buffer is None:
            return super().store(node)
        value: Expr = self.rewrite(node.value)
        return BufferStore(new_buffer, value, self.registers(node.buffer, node), node.predicate, span=node.span)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        new_buffer = self.new_buffers.get(node.buffer)
        if new_buffer is None:
            return self.descend(node)
        whole = [Range.from_min_extent(IntImm(INT32, 0), extent) for extent in new_buffer.shape[-4:]]
        return BufferRegion(new_buffer, (*self._tuple(node.region[:-2], self.rewrite), *whole), span=node.span)

    def registers(self, buffer: Buffer, access: BufferLoad | BufferStore) -> tuple[Expr, ...]:
        """Return the tile of an element, and its register in the owning thread."""
        if buffer.storage_scope != _RESULT:
            raise NoMmaLayout(
                buffer=buffer.name,
                scope=buffer.storage_scope,
                reason="one of its elements is accessed",
                span=access.span,
            )
        *outer, row, column = self.indices(access.indices)
        eight = make(FloorDiv, row, IntImm(row.dtype, 8))
        parts = (
            make(FloorDiv, eight, IntImm(row.dtype, 2)),
            make(FloorDiv, column, IntImm(column.dtype, 8)),
            make(FloorMod, eight, IntImm(row.dtype, 2)),
            make(FloorMod, column, IntImm(column.dtype, 2)),
        )
        return (*outer, *map(self.analyzer.simplify, parts))


def _register_buffer(buffer: Buffer, layout: _Layout) -> Buffer:
    """Return the buffer of one thread. Raises `NoMmaLayout`."""
    *outer, rows, columns = (None, None, *buffer.shape)
    reason = ""
    if not isinstance(rows, IntImm) or not isinstance(columns, IntImm):
        reason = "its last two dimensions are not constant" if len(buffer.shape) > 1 else "it has one dimension"
    elif rows.value % layout.rows or columns.value % layout.columns:
        reason = f"{rows.value} x {columns.value} is not a multiple of {layout.rows} x {layout.columns}"
    if reason or not isinstance(rows, IntImm) or not isinstance(columns, IntImm):
        raise NoMmaLayout(buffer=buffer.name, scope=buffer.storage_scope, reason=reason, span=buffer.span)
    sizes = (rows.value // layout.rows, columns.value // layout.columns, *layout.registers)
    shape = (*[extent for extent in outer if extent is not None], *[IntImm(INT32, size) for size in sizes])
    separators = buffer.axis_separators
    return make_buffer(shape, buffer.dtype, buffer.name, scope="local", axis_separators=separators, span=buffer.span)


@dataclass(frozen=True)
class TransformMmaBufferLayout(PrimFuncPass):
    """Replace buffers in scopes m16n8k8.matrixA, m16n8k8.matrixB and m16n8k8.matrixC by local buffers, which hold the
    registers of a thread for each tile.

    Accesses of results (matrixC) are rewritten to the registers of the owning thread. Raises `NoMmaLayout`, and
    `MatchNotLowered` for matched buffers.

    rewrite:
        C = T.alloc_buffer((32, 32), scope="m16n8k8.matrixC")     C = T.alloc_buffer((2, 4, 2, 2), scope="local")
        C[i, j] = 0                                        -->    C[i // 16, j // 8, i % 16 // 8, j % 2] = 0
    """

    name = "tir.TransformMmaBufferLayout"
    is_idempotent = True
    takes = Form.OPAQUE_BLOCKS
    looks_for = frozenset(_LAYOUTS)

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_MmaLayoutTransformer().rewrite(func.body))
