"""Permute marked shared memory to avoid bank conflicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.arith import fold
from tvmscript.ir.core import IRError, on
from tvmscript.ir.tir import Block, Buffer, BufferStore, Expr, PrimFunc, Stmt, Var, match_types
from tvmscript.ir.tir.expr import Add, BinaryOp, BufferLoad, Call, FloorDiv, FloorMod, IntImm, Mul
from tvmscript.ir.tir.intrin.bits import bitwise_xor
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter

PERMUTED: Final = "permuted_layout"
#: elements that are permuted together: 16 bytes of float16
_GROUP: Final = 8
#: the annotation of rows of 128 bytes of any dtype, in the layout that products of warp groups read
ROWS_OF_128_BYTES: Final = "128B"
_CHUNK_BYTES: Final = 16
#: call -> positions of the access pointer to shared memory and of an offset to it
_POINTERS: Final[dict[str, tuple[int, int | None]]] = {"tir.ptx_ldmatrix": (5, 6), "tir.mma_store": (2, None)}


class CannotPermute(IRError, code="TS4056"):
    """Shared memory marked with `permuted_layout` cannot be permuted. It must have two dimensions or more, with rows of
    a multiple of 64 elements, or of 32 elements if the number of rows is even; of 128 bytes for the annotation "128B".
    The annotation must be a string or an integer, and tensor core calls must take the memory as `T.tvm_access_ptr`.
    """

    message = "the permuted layout of {what} is not possible: {reason}"


def _make_op(cls: type[BinaryOp], a: Expr, b: Expr | int) -> Expr:
    return fold.make(cls, *match_types(a, b))


class _PermutationRewriter(AnalyzedRewriter):
    def __init__(self, func: PrimFunc) -> None:
        super().__init__()
        self.buffers: dict[Var, Buffer] = {buffer.data: buffer for buffer in func.buffer_map.values()}
        self.is_permuted = False
        #: whether chunks of 16 bytes are permuted, of whatever dtype
        self.has_chunks = False

    @on(Block)
    def block(self, node: Block) -> Stmt:
        for buffer in (*node.alloc_buffers, *[match.buffer for match in node.match_buffers]):
            self.buffers[buffer.data] = buffer
        if not _is_marked(node):
            return super().block(node)
        outer, self.is_permuted = (self.is_permuted, self.has_chunks), True
        self.has_chunks = node.annotations.get(PERMUTED) == ROWS_OF_128_BYTES
        new_block = super().block(node)
        self.is_permuted, self.has_chunks = outer
        return new_block.replace(annotations={key: item for key, item in node.annotations.items() if key != PERMUTED})

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        new_store = super().store(node)
        if isinstance(new_store, BufferStore) and self.is_permuted and _is_shared(new_store.buffer):
            return new_store.replace(indices=self.permute_indices(new_store.buffer, new_store.indices))
        return new_store

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        new_load = super().load(node)
        if isinstance(new_load, BufferLoad) and self.is_permuted and _is_shared(new_load.buffer):
            return BufferLoad(
                new_load.buffer,
                self.permute_indices(new_load.buffer, new_load.indices),
                new_load.predicate,
                span=node.span,
            )
        return new_load

    @on(Call)
    def call(self, node: Call) -> Expr:
        new_call = self.descend(node)
        positions = _POINTERS.get(getattr(node.op, "name", ""))
        if not self.is_permuted or positions is None:
            return new_call
        position, offset = positions
        args = list(new_call.args)
        args[position] = self.pointer(args[position], None if offset is None else args[offset])
        if offset is not None:
            args[offset] = IntImm(args[offset].dtype, 0)
        return new_call.replace(args=tuple(args))

    def pointer(self, pointer: Expr, offset: Expr | None) -> Expr:
        """Return the permuted pointer to the element at `offset` from a pointer."""
        if not isinstance(pointer, Call) or getattr(pointer.op, "name", "") != "tir.tvm_access_ptr":
            raise CannotPermute(what=str(pointer), reason="expected a T.tvm_access_ptr", span=pointer.span)
        data: Any = pointer.args[1]
        buffer = self.buffers.get(data)
        if buffer is None:
            raise CannotPermute(what=str(data), reason="no buffer has this data", span=pointer.span)
        length = _row_length(buffer)
        index = pointer.args[2] if offset is None else _make_op(Add, pointer.args[2], offset)
        row, column = self.permute(_make_op(FloorDiv, index, length), _make_op(FloorMod, index, length), length)
        index = self.analyzer.simplify(_make_op(Add, _make_op(Mul, row, length), column))
        return pointer.replace(args=(*pointer.args[:2], index, *pointer.args[3:]))

    def permute_indices(self, buffer: Buffer, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Return the indices of an element in the permuted layout."""
        *outer, row, column = indices
        if not self.has_chunks:
            return (*outer, *self.permute(row, column, _row_length(buffer)))
        count = _CHUNK_BYTES // buffer.dtype.itemsize
        length = buffer.shape[-1]
        if not isinstance(length, IntImm) or length.value != 8 * count:
            reason = f"its rows have {length} elements, not 128 bytes"
            raise CannotPermute(what=f"buffer {buffer.name}", reason=reason, span=buffer.span)
        return (*outer, *self.permute(row, column, 8 * _GROUP, count))

    def permute(self, row: Expr, column: Expr, length: int, count: int = _GROUP) -> tuple[Expr, Expr]:
        """XOR the number of a group of `count` with the row number: 8 permutations, or 4 for short rows."""
        group, within = _make_op(FloorDiv, column, count), _make_op(FloorMod, column, count)
        pattern = _make_op(FloorMod, row, 8)
        if length % 64 != 0:
            pattern = _make_op(FloorDiv, pattern, 2)
        new_group = bitwise_xor(*match_types(group, pattern))
        return row, self.analyzer.simplify(_make_op(Add, _make_op(Mul, new_group, count), within))


def _is_marked(block: Block) -> bool:
    annotation = block.annotations.get(PERMUTED)
    if annotation is None:
        return False
    if isinstance(annotation, str):
        return annotation != ""
    if isinstance(annotation, IntImm):
        return annotation.value != 0
    raise CannotPermute(what=f"block {block.name_hint}", reason=f"the annotation is {annotation!r}", span=block.span)


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
        reason = "the size of its rows is not constant"
    elif length is not None and length % 32 != 0:
        reason = f"the row length {length} is not a multiple of 32"
    elif length is not None and length % 64 != 0 and rows is not None and rows % 2 != 0:
        reason = f"a row length of {length} needs an even number of rows, got {rows}"
    if reason or length is None:
        raise CannotPermute(what=f"buffer {buffer.name}", reason=reason, span=buffer.span)
    return length


@dataclass(frozen=True)
class InjectPermutedLayout(PrimFuncPass):
    """Permute groups of 8 elements within the rows of shared memory, in blocks annotated with `permuted_layout`.

    Accesses, and the pointers of `ptx_ldmatrix` and `mma_store`, are rewritten; the annotation is removed. All blocks
    that access a buffer must be annotated. With the annotation "128B" rows have 128 bytes of any dtype, and groups have
    16 bytes. Raises `CannotPermute`.

    rewrite:
        S[i, j] = A[i, j]     -->     S[i, T.bitwise_xor(j // 8, i % 8) * 8 + j % 8] = A[i, j]
    """

    name = "tir.InjectPermutedLayout"
    is_idempotent = True
    takes = Form.OPAQUE_BLOCKS
    looks_for = frozenset({PERMUTED})

    def transform(self, func: PrimFunc) -> PrimFunc:
        injector = _PermutationRewriter(func)
        injector.enter(func)
        return func.with_body(injector.rewrite(func.body))
