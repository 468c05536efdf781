"""Storage scope, element dtype and alignment of buffers: set_scope, unsafe_set_dtype, storage_align."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.ir.core import DType, on
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.replace_buffer import (
    BufferReplacer,
    buffer_at,
    check_allocated,
    check_storage_scope,
    replace_buffer,
    require_buffer_index,
    with_dtype,
    with_scope,
)
from tvmscript.ir.tir import Block, Buffer, BufferLoad, BufferStore, Cast, Expr, Stmt

_ALIGN = "buffer_dim_align"


class StorageAlignAxisOutOfRangeError(ScheduleError, code="TS4163"):
    """The axis is out of range; negative axes count from the last."""

    message = "axis {axis} is out of range for buffer {buffer} with {rank} dimensions"


class StorageAlignInvalidFactorError(ScheduleError, code="TS4164"):
    """The alignment factor must be positive."""

    message = "the alignment factor must be positive, not {factor}"


class StorageAlignInvalidAnnotationError(ScheduleError, code="TS4165"):
    """The annotation `buffer_dim_align` of the block must be a list of [buffer, axis, factor, offset]."""

    message = "annotation buffer_dim_align of block {block} is not a list of [buffer, axis, factor, offset]"


class Storage(Recorder):
    """Memory and layout."""

    @primitive(
        "SetScope",
        inputs=("block",),
        attrs=("buffer_index", "storage_scope"),
        promises=Promises(is_idempotent=True, undone_by="set_scope"),
    )
    def set_scope(self, block: BlockRV | str, buffer_index: int | str | Buffer, storage_scope: str) -> None:
        """Set the storage scope of a buffer that a block writes; the scope is appended to its name.

        Parameters and views keep the scope that they have. Raises `BufferIndexOutOfRangeError`,
        `InvalidStorageScopeError`, `NonAllocatedBufferError`.
        """
        ref, index = self.block(block), require_buffer_index(buffer_index)
        buffer = buffer_at(ref, index, "write")
        check_storage_scope(storage_scope, ref)
        if buffer.storage_scope != storage_scope:
            site = check_allocated(ref, buffer)
            replace_buffer(site, buffer, BufferReplacer({buffer: with_scope(buffer, storage_scope)}))

    @primitive(
        "UnsafeSetDType",
        inputs=("block",),
        attrs=("buffer_index", "dtype"),
        promises=Promises(
            keeps_values=False, is_exact=False, is_idempotent=True
        ),  # the new dtype may not represent the values
    )
    def unsafe_set_dtype(self, block: BlockRV | str, buffer_index: int | str | Buffer, dtype: str) -> None:
        """Set the element dtype of a buffer that a block writes; stores and loads get casts.

        Values may change. Raises `BufferIndexOutOfRangeError`, `NonAllocatedBufferError`, `InvalidDType`.
        """
        ref, index = self.block(block), require_buffer_index(buffer_index)
        buffer = buffer_at(ref, index, "write")
        site = check_allocated(ref, buffer)
        new_dtype = DType(dtype)
        if buffer.dtype is not new_dtype:
            replace_buffer(site, buffer, _DtypeReplacer(buffer, new_dtype))

    @primitive(
        "StorageAlign",
        inputs=("block",),
        attrs=("buffer_index", "axis", "factor", "offset"),
        promises=Promises(is_idempotent=True),
    )
    def storage_align(
        self, block: BlockRV | str, buffer_index: int | str | Buffer, axis: int, factor: int, offset: int
    ) -> None:
        """Annotate that the stride of an axis is a multiple of `factor` plus `offset`.

        Raises `BufferIndexOutOfRangeError`, `NonAllocatedBufferError`, `StorageAlignInvalidFactorError`,
        `StorageAlignAxisOutOfRangeError`, `StorageAlignInvalidAnnotationError`.
        """
        ref, index = self.block(block), require_buffer_index(buffer_index)
        buffer = buffer_at(ref, index, "write")
        stmt, rank = ref.block, len(buffer.shape)
        if factor <= 0:
            raise StorageAlignInvalidFactorError(factor=factor, at=[stmt])
        if not -rank <= axis < rank:
            legal = f"axis must be from {-rank} to {rank - 1}"
            raise StorageAlignAxisOutOfRangeError(buffer=buffer.name, rank=rank, axis=axis, at=[stmt], legal=legal)
        check_allocated(ref, buffer)
        alignments = _read_alignments(stmt)
        entry = [index, axis % rank, factor, offset]
        same = [place for place, item in enumerate(alignments) if item[:2] == entry[:2]]
        new_entries = [*alignments[: same[0]], entry, *alignments[same[0] + 1 :]] if same else [*alignments, entry]
        new_block = stmt.replace(annotations={**stmt.annotations, _ALIGN: new_entries})
        ref.tree.replace(ref, new_block, {new_block: stmt})


def _read_alignments(block: Block) -> list[list[int]]:
    """Return the alignments in the annotation of a block. Raises `StorageAlignInvalidAnnotationError`."""
    annotation: Any = block.annotations.get(_ALIGN, [])
    items = annotation if isinstance(annotation, Sequence) else [annotation]
    entries: list[list[Any]] = [
        [getattr(part, "value", part) for part in item] if isinstance(item, Sequence) else [] for item in items
    ]
    if any(len(item) != 4 or not all(isinstance(part, int) for part in item) for item in entries):
        raise StorageAlignInvalidAnnotationError(block=block.name_hint, at=[block])
    return entries


class _DtypeReplacer(BufferReplacer):
    """Replace a buffer by one of another dtype; cast stored and loaded values."""

    def __init__(self, buffer: Buffer, dtype: DType) -> None:
        super().__init__({buffer: with_dtype(buffer, dtype)})

    def replace_view(self, view: Buffer, source: Buffer) -> Buffer:
        return with_dtype(view, source.dtype)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        expr: Expr = super().load(node)
        return expr if expr.dtype is node.dtype else Cast(node.dtype, expr)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        buffer: Buffer = self.rewrite(node.buffer)
        value: Expr = self.rewrite(node.value)
        indices = self.indices(node.indices)
        if buffer.dtype is not node.buffer.dtype:
            value = Cast(buffer.dtype.with_lanes(value.dtype.lanes), value)
        if buffer is node.buffer and value is node.value and indices is node.indices:
            return node
        return BufferStore(buffer, value, indices, node.predicate, span=node.span)
