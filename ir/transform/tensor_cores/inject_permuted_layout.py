"""Rows of shared memory that are marked as permuted are stored in an order without bank conflicts."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tvmscript.ir.arith import fold
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Add, BinaryOp, BufferLoad, Call, FloorDiv, FloorMod, IntImm, Mul
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.bits import bitwise_xor
from tvmscript.ir.tir.operators import match_types
from tvmscript.ir.tir.stmt import Block, BufferStore
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter

PERMUTED: Final = "permuted_layout"
#: Elements that move together: 16 bytes of float16.
_GROUP: Final = 8
#: Calls that hand on a place in shared memory: the position of their access pointer, and of an offset to it.
_POINTERS: Final[dict[str, tuple[int, int | None]]] = {"tir.ptx_ldmatrix": (5, 6), "tir.mma_store": (2, None)}


class CannotPermute(IRError):
    """Shared memory that is marked with `permuted_layout` has two dimensions or more, with rows of a multiple of 64
    elements, or of 32 elements where the number of rows is even. The annotation is a string or an integer, and tensor
    cores are handed the memory as `T.tvm_access_ptr`.
    """

    code = "TS4056"
    message = "the permuted layout of {what} is not possible: {reason}"


def _of(cls: type[BinaryOp], a: Expr, b: Expr | int) -> Expr:
    return fold.make(cls, *match_types(a, b))


class _Injector(AnalyzedRewriter):
    def __init__(self, func: PrimFunc) -> None:
        super().__init__()
        self.buffers: dict[Var, Buffer] = {buffer.data: buffer for buffer in func.buffer_map.values()}
        self.is_permuted = False

    @on(Block)
    def block(self, node: Block) -> Stmt:
        for buffer in (*node.alloc_buffers, *[match.buffer for match in node.match_buffers]):
            self.buffers[buffer.data] = buffer
        if not _is_marked(node):
            return super().block(node)
        outer, self.is_permuted = self.is_permuted, True
        made = super().block(node)
        self.is_permuted = outer
        return made.replace(annotations={key: item for key, item in node.annotations.items() if key != PERMUTED})

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        made = super().store(node)
        if isinstance(made, BufferStore) and self.is_permuted and _is_shared(made.buffer):
            return made.replace(indices=self.permuted(made.buffer, made.indices))
        return made

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        made = super().load(node)
        if isinstance(made, BufferLoad) and self.is_permuted and _is_shared(made.buffer):
            return BufferLoad(made.buffer, self.permuted(made.buffer, made.indices), made.predicate, span=node.span)
        return made

    @on(Call)
    def call(self, node: Call) -> Expr:
        made = self.descend(node)
        found = _POINTERS.get(getattr(node.op, "name", ""))
        if not self.is_permuted or found is None:
            return made
        position, offset = found
        args = list(made.args)
        args[position] = self.pointer(args[position], None if offset is None else args[offset])
        if offset is not None:
            args[offset] = IntImm(args[offset].dtype, 0)
        return made.replace(args=tuple(args))

    def pointer(self, pointer: Expr, offset: Expr | None) -> Expr:
        """The pointer to the element that is `offset` behind what the pointer given points to."""
        if not isinstance(pointer, Call) or getattr(pointer.op, "name", "") != "tir.tvm_access_ptr":
            raise CannotPermute(what=str(pointer), reason="it is no T.tvm_access_ptr", span=pointer.span)
        data: Any = pointer.args[1]
        buffer = self.buffers.get(data)
        if buffer is None:
            raise CannotPermute(what=str(data), reason="no buffer is known that it belongs to", span=pointer.span)
        length = _row_length(buffer)
        place = pointer.args[2] if offset is None else _of(Add, pointer.args[2], offset)
        row, column = self.swapped(_of(FloorDiv, place, length), _of(FloorMod, place, length), length)
        place = self.analyzer.simplify(_of(Add, _of(Mul, row, length), column))
        return pointer.replace(args=(*pointer.args[:2], place, *pointer.args[3:]))

    def permuted(self, buffer: Buffer, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Where an element is in the permuted layout."""
        *outer, row, column = indices
        return (*outer, *self.swapped(row, column, _row_length(buffer)))

    def swapped(self, row: Expr, column: Expr, length: int) -> tuple[Expr, Expr]:
        """Groups of elements change places within a row, in eight rows in eight ways, or four where rows are short."""
        group, within = _of(FloorDiv, column, _GROUP), _of(FloorMod, column, _GROUP)
        way = _of(FloorMod, row, 8)
        if length % 64 != 0:
            way = _of(FloorDiv, way, 2)
        moved = bitwise_xor(*match_types(group, way))
        return row, self.analyzer.simplify(_of(Add, _of(Mul, moved, _GROUP), within))


def _is_marked(block: Block) -> bool:
    given = block.annotations.get(PERMUTED)
    if given is None:
        return False
    if isinstance(given, str):
        return given != ""
    if isinstance(given, IntImm):
        return given.value != 0
    raise CannotPermute(what=f"block {block.name_hint}", reason=f"the annotation is {given!r}", span=block.span)


def _is_shared(buffer: Buffer) -> bool:
    return buffer.storage_scope.split(".")[0] == "shared" and len(buffer.shape) >= 2


def _row_length(buffer: Buffer) -> int:
    """The number of elements of a row. Raises `CannotPermute`."""
    sizes = [extent.value if isinstance(extent, IntImm) else None for extent in buffer.shape[-2:]]
    reason = ""
    if len(sizes) < 2:
        reason = "it has one dimension"
    rows, length = sizes if len(sizes) == 2 else (None, None)
    if not reason and (rows is None or length is None):
        reason = "the size of its rows is not known"
    elif length is not None and length % 32 != 0:
        reason = f"rows of {length} elements are no multiple of 32"
    elif length is not None and length % 64 != 0 and rows is not None and rows % 2 != 0:
        reason = f"{rows} rows of {length} elements are an odd number of half rows"
    if reason or length is None:
        raise CannotPermute(what=f"buffer {buffer.name}", reason=reason, span=buffer.span)
    return length


@dataclass(frozen=True)
class InjectPermutedLayout(PrimFuncPass):
    """In blocks annotated with `permuted_layout`, accesses of shared memory, and what `ptx_ldmatrix` and `mma_store`
    are handed, use a layout in which groups of 8 elements change places within their row; the annotation is gone.

    All blocks that access a buffer must be marked. Raises `CannotPermute`.

    rewrite:
        S[i, j] = A[i, j]     -->     S[i, T.bitwise_xor(j // 8, i % 8) * 8 + j % 8] = A[i, j]
    """

    name: ClassVar[str] = "tir.InjectPermutedLayout"
    takes: ClassVar[Form] = Form.OPAQUE_BLOCKS
    looks_for: ClassVar[frozenset[Hashable] | None] = frozenset({PERMUTED})

    def transform(self, func: PrimFunc) -> PrimFunc:
        injector = _Injector(func)
        injector.enter(func)
        return func.with_body(injector.rewrite(func.body))
