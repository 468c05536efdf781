"""Numbers of addresses in shared memory, for instructions and descriptors that take them as integers."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.interp.memory import Memory, Pointer

#: what patterns of swizzled matrices repeat after
_ALIGNMENT: Final = 1024


class SharedAddresses:
    """The places of memory in the shared memory of a block, in the order of their use."""

    def __init__(self) -> None:
        self._first: dict[Memory, int] = {}
        self._end = 0

    def number(self, pointer: Pointer) -> int:
        """Return the number of an address."""
        first = self._first.get(pointer.memory)
        if first is None:
            first = self._first[pointer.memory] = self._end
            self._end += -(-len(pointer.memory.raw) // _ALIGNMENT) * _ALIGNMENT
        return first + pointer.offset

    def pointer(self, number: int) -> Pointer | None:
        """Return the address of a number, None where no memory is."""
        for memory, first in self._first.items():
            if first <= number < first + len(memory.raw):
                return Pointer(memory, number - first)
        return None
