"""Memory of the interpreter: bytes, typed views of them, and storage formats of elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from tvmscript.backends.interp.scalars import encoder_of, from_bits, is_pattern
from tvmscript.backends.runtime.errors import Unsupported
from tvmscript.backends.runtime.small_floats import values_of
from tvmscript.ir.core import DType

#: What memory of the program holds before it is written, in every byte: nan for floats, -1 for signed integers, the
#: largest unsigned number, True. The same in every run, and wrong enough to be noticed.
POISON = 0xFF

_CODES = {
    "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I",
    "uint64": "Q", "float32": "f", "float64": "d", "bool": "?",
}  # fmt: skip


class Codec(NamedTuple):
    """Storage format of a dtype: struct code and bytes, and table and function for bit patterns."""

    code: str
    size: int
    decode: list[Any] | None
    encode: Callable[[Any], int] | None


@cache
def codec(dtype: DType) -> Codec:
    """Return the storage format of one lane: integers of odd widths in the next wider one. Raises `Unsupported`."""
    if is_pattern(dtype):
        size = dtype.itemsize
        return Codec("H" if size == 2 else "B", size, values_of(dtype), encoder_of(dtype))
    if dtype.is_integer and 1 < dtype.bits < 8:  # one a byte, of which the low bits count
        lane = from_bits(dtype)
        mask = (1 << dtype.bits) - 1
        return Codec("B", 1, [lane(byte & mask) for byte in range(256)], lambda value: value & 0xFF)
    name = str(dtype)
    if dtype.is_integer and dtype.bits < 64 and name not in _CODES:
        name = f"{dtype.code}{next(width for width in (8, 16, 32, 64) if width >= dtype.bits)}"
    if name not in _CODES:
        raise Unsupported(what=f"memory of {dtype}", where="the interpreter")
    stored = DType(name)
    return Codec(_CODES[name], stored.itemsize, None, None)


@dataclass(eq=False)
class Memory:
    """A range of memory; `owner` keeps it alive."""

    raw: memoryview
    name: str = ""
    owner: object = None
    #: storage scope of memory that the program allocates, which it has to write before it reads it
    scope: str | None = None
    _views: dict[tuple[str, int], Any] = field(default_factory=dict[tuple[str, int], Any])

    def view(self, code: str, size: int, phase: int = 0) -> Any:
        """Return the memory as elements of a struct code, from byte `phase` on."""
        view = self._views.get((code, phase))
        if view is None:
            end = phase + (len(self.raw) - phase) // size * size
            whole_elements: Any = self.raw[phase:end]
            view = self._views[code, phase] = whole_elements.cast(code)
        return view


class Pointer(NamedTuple):
    """The address of a byte: the value of a handle variable."""

    memory: Memory
    offset: int = 0


def allocate(size: int, name: str, scope: str = "global") -> Memory:
    """Allocate memory, every byte POISON."""
    return Memory(memoryview(bytearray(bytes((POISON,)) * max(size, 0))), name, scope=scope)
