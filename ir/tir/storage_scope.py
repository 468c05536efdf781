"""Storage scopes: memory rank and tag."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple


class MemoryRank(IntEnum):
    """Kinds of memory, from memory of the device to memory of one thread."""

    GLOBAL = 0
    SHARED = 1
    WARP = 2
    LOCAL = 3
    WMMA_A = 4
    WMMA_B = 5
    WMMA_ACCUMULATOR = 6
    TEXTURE = 7
    AMX_TILE = 8
    MMA_A = 9
    MMA_B = 10
    MMA_C = 11
    METAL_SIMDGROUP = 12


#: How the names of scopes begin; what follows is the tag.
_NAMES: Final = {
    "global": MemoryRank.GLOBAL,
    "shared": MemoryRank.SHARED,
    "warp": MemoryRank.WARP,
    "local": MemoryRank.LOCAL,
    "wmma.matrix_a": MemoryRank.WMMA_A,
    "wmma.matrix_b": MemoryRank.WMMA_B,
    "wmma.accumulator": MemoryRank.WMMA_ACCUMULATOR,
    "texture": MemoryRank.TEXTURE,
    "amx.tmm": MemoryRank.AMX_TILE,
    "m16n8k8.matrixA": MemoryRank.MMA_A,
    "m16n8k8.matrixB": MemoryRank.MMA_B,
    "m16n8k8.matrixC": MemoryRank.MMA_C,
    "metal.simdgroup": MemoryRank.METAL_SIMDGROUP,
}
#: Tags of memory that is used as any other.
_ORDINARY: Final = ("", ".dyn", ".workspace", ".vtcm")


class StorageScope(NamedTuple):
    """`shared.dyn` is shared memory with the tag `.dyn`."""

    rank: MemoryRank
    tag: str

    @property
    def is_special(self) -> bool:
        """Whether it is memory of a device that is allocated in one piece."""
        return self.tag not in _ORDINARY


#: Shared memory whose size is said at the launch.
DYNAMIC_SHARED: Final = StorageScope(MemoryRank.SHARED, ".dyn")


@lru_cache(maxsize=256)
def storage_scope(name: str) -> StorageScope:
    """Return the scope of this name; unknown names are special global memory."""
    for start, rank in _NAMES.items():
        if name.startswith(start):
            return StorageScope(rank, name[len(start) :])
    return StorageScope(MemoryRank.GLOBAL, f".{name}" if name else "")
