"""`T.SMEMPool`: buffers one after the other in dynamic shared memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from tvmscript.ir.core import DType, Span
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir import NOOP, AttrStmt, Buffer, IntImm, Var
from tvmscript.parser.builtins.argument_checks import integer, text
from tvmscript.parser.frames import KernelReader
from tvmscript.parser.names.name_hints import name_if_unnamed
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.python.members import MEMBERS
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.v0_27 import tensor_core_layouts as layouts
from tvmscript.parser.v0_27.attribute_names import attribute_key
from tvmscript.parser.v0_27.buffers import alloc_buffer, decl_buffer
from tvmscript.parser.v0_27.meta_classes import BufferOwner

_SCOPE: Final = "shared.dyn"


class SharedMemoryPool(BufferOwner):
    """A cursor in shared memory: that of a new buffer of a size that `commit` says, or that at a pointer."""

    __slots__ = ("alloc", "alloc_tcgen05_mma_AB", "buf", "commit", "max_offset", "move_base_to", "offset", "ptr")

    def __init__(self, buf: Buffer | None, ptr: Var) -> None:
        self.buf = buf
        self.ptr = ptr
        self.offset = 0
        #: bytes that the pool has given
        self.max_offset = 0
        # they add to the program, called from the text or from Python
        self.alloc = Builtin("SMEMPool.alloc", self._alloc, True)
        self.alloc_tcgen05_mma_AB = Builtin("SMEMPool.alloc_tcgen05_mma_AB", self._alloc_operand, True)
        self.commit = Builtin("SMEMPool.commit", self._commit, True)
        self.move_base_to = Builtin("SMEMPool.move_base_to", self._move_base_to)

    def __repr__(self) -> str:
        return "a T.SMEMPool"

    def give_name(self, name: str) -> None:
        """Name the buffer after the pool."""
        if self.buf is not None:
            name_if_unnamed(self.buf, f"{name}_buf")

    def _alloc(
        self,
        parser: KernelReader,
        span: Span,
        shape: Sequence[object],
        dtype: object = "float32",
        strides: object = None,
        scope: str = _SCOPE,
        align: int = 0,
        layout: object = "default",
    ) -> Buffer:
        """Declare a buffer at the cursor, or at the next multiple of `align` bytes."""
        if align > 0:
            self.offset = -(-self.offset // align) * align
        frame = decl_buffer(parser, span, shape, dtype, self.ptr, strides, None, self.offset, scope, align, 0, layout)
        parser.open(frame)
        self._move_base_to(self.offset + _bytes_of(shape, as_dtype(dtype)))
        buffer: Buffer = frame.value
        return buffer

    def _alloc_operand(
        self,
        parser: KernelReader,
        span: Span,
        shape: Sequence[object],
        dtype: object = "float16",
        swizzle_mode: object = "auto",
        align: int = 1024,
    ) -> Buffer:
        """Declare a matrix as tensor cores read it, its rows swizzled unless the mode is "none"."""
        where = "SMEMPool.alloc_tcgen05_mma_AB"
        modes = {"auto": layouts.swizzled, "none": layouts.unswizzled}
        mode = text(where, swizzle_mode)
        if mode not in modes:
            raise WrongType(where=where, expected='the mode "auto" or "none"', got=repr(mode), span=span)
        layout = modes[mode](where, extents_of(where, shape), as_dtype(dtype))
        return self._alloc(parser, span, shape, dtype, align=align, layout=layout)

    def _move_base_to(self, offset: int, span: Span | None = None) -> None:
        """Set the cursor, in bytes."""
        self.offset = offset
        self.max_offset = max(self.max_offset, offset)

    def _commit(self, parser: KernelReader, span: Span, size: int | None = None) -> None:
        """Add the size of the pool's own memory, in bytes, to the program."""
        if self.buf is None:
            return
        resolved = self.max_offset if size is None else size
        if resolved < self.max_offset:
            raise WrongType(where="commit", expected=f"at least {self.max_offset} bytes", got=size, span=span)
        key = attribute_key("tirx.dyn_smem_bytes")
        parser.statements.append(AttrStmt(IntImm("int32", 0), key, IntImm("int64", resolved), NOOP, span=span))


def shared_memory_pool(parser: KernelReader, span: Span, ptr: Var | None = None) -> SharedMemoryPool:
    """Return a pool of the shared memory at a pointer, or of memory of its own."""
    if ptr is not None:
        return SharedMemoryPool(None, ptr)
    frame = alloc_buffer(parser, span, (0,), "uint8", scope=_SCOPE)
    parser.open(frame)
    return SharedMemoryPool(frame.value, frame.value.data)


def extents_of(where: str, shape: Sequence[object]) -> list[int]:
    """Return constant extents. Raises `WrongType`."""
    return [integer(where, extent) for extent in shape]


def _bytes_of(shape: Sequence[object], dtype: DType) -> int:
    extents = [extent.value if isinstance(extent, IntImm) else extent for extent in shape]
    sizes = [extent for extent in extents if isinstance(extent, int)]
    if len(sizes) < len(extents):
        raise WrongType(where="SMEMPool.alloc", expected="a constant shape", got=shape)
    return -(-math.prod(sizes) * dtype.bits * dtype.lanes // 8)


_PUBLIC: Final = ("alloc", "alloc_tcgen05_mma_AB", "buf", "commit", "move_base_to", "offset", "ptr")
MEMBERS[SharedMemoryPool] = {name: attrgetter(name) for name in _PUBLIC}
