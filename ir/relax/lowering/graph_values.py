"""Values of a graph function at compile time: tensors in storage, sizes, tuples of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from tvmscript.ir.core import INT64, DType, GlobalVar
from tvmscript.ir.relax.expr import ExternFunc
from tvmscript.ir.relax.lowering.memory_plan import Lifetime
from tvmscript.ir.tir import Buffer, Expr, IntImm, cast


class NotLowered(Exception):
    """A graph function has something that a host function cannot express; the reason is its text."""


class Place(Enum):
    """Where a storage lies."""

    PARAMETER = "an argument"
    CONSTANT = "the block of constants"
    RESULT = "a result"
    TEMPORARY = "the block of temporary storage"


@dataclass(eq=False)
class Storage:
    """Memory of a tensor, compared by identity."""

    place: Place
    shape: tuple[Expr, ...]
    dtype: DType
    #: the buffer of a parameter or a result
    buffer: Buffer | None = None
    #: the offset of a constant, or the number of a temporary storage
    position: int = 0
    #: numbers of the calls that use it
    uses: list[int] = field(default_factory=list)

    @property
    def lifetime(self) -> Lifetime:
        return Lifetime(min(self.uses), max(self.uses))

    @property
    def size(self) -> Expr:
        """The bytes."""
        return num_bytes(self.shape, self.dtype)


#: no bytes
ZERO: Final = IntImm(INT64, 0)


@dataclass(frozen=True)
class TensorValue:
    """A compact tensor in a storage, so many bytes behind its beginning."""

    storage: Storage
    shape: tuple[Expr, ...]
    dtype: DType
    offset: Expr = ZERO


@dataclass(frozen=True)
class ShapeValue:
    """A shape."""

    extents: tuple[Expr, ...]


#: a value: a tensor, a shape, a scalar, or a tuple of values
Value = TensorValue | ShapeValue | Expr | tuple["Value", ...]


@dataclass(frozen=True)
class KernelCall:
    """A call of a kernel of the module, or of a packed function, in destination-passing style."""

    callee: GlobalVar | ExternFunc
    args: tuple[TensorValue | Expr, ...]


def num_bytes(shape: Sequence[Expr], dtype: DType) -> Expr:
    """Return the bytes of a compact tensor."""
    size: Expr = IntImm(INT64, storage_bytes(dtype))
    for extent in shape:
        size = size * cast(INT64, extent)
    return size


def storage_bytes(dtype: DType) -> int:
    """Return the bytes of an element: narrow integers take a whole byte, others the next wider power of two."""
    return max(8, 1 << (dtype.bits - 1).bit_length()) // 8 * dtype.lanes
