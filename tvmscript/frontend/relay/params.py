"""Parameters as bytes: `relay.save_param_dict`, `relay.load_param_dict`, in TVM's format.

A list: magic number, zero, names, arrays. An array: magic number, zero, device, rank, dtype, extents, size, elements.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from tvmscript.backends.runtime.array import NDArray, array, storage_dtype
from tvmscript.frontend.relay.errors import DamagedParams
from tvmscript.ir.core import DType

_LIST_MAGIC: Final = 0xF7E58D4F05049CB7
_ARRAY_MAGIC: Final = 0xDD5E40F096B4A13F
_CPU: Final = 1
#: DLPack's code of a kind of dtype -> its name
_KINDS: Final = {0: "int", 1: "uint", 2: "float", 4: "bfloat"}
_CODES: Final = {kind: code for code, kind in _KINDS.items()}
_MOST_DIMENSIONS: Final = 64


def save_param_dict(params: Mapping[str, Any]) -> bytes:
    """Return arrays by name as bytes. Raises `DamagedParams` for a dtype that the format does not have."""
    names = [name.encode() for name in params]
    head = struct.pack("<QQQ", _LIST_MAGIC, 0, len(names))
    listed = b"".join([struct.pack("<Q", len(name)) + name for name in names])
    arrays = [_array_bytes(value if isinstance(value, NDArray) else array(value)) for value in params.values()]
    return head + listed + struct.pack("<Q", len(arrays)) + b"".join(arrays)


def _array_bytes(value: NDArray) -> bytes:
    dtype = value.dtype
    if dtype.code not in _CODES or dtype.lanes != 1:
        raise DamagedParams(reason=f"they cannot have arrays of {dtype}")
    data = np.ascontiguousarray(value.storage).tobytes()
    head = struct.pack("<QQiiiBBH", _ARRAY_MAGIC, 0, _CPU, 0, value.ndim, _CODES[dtype.code], dtype.bits, dtype.lanes)
    return head + struct.pack(f"<{value.ndim}q", *value.shape) + struct.pack("<q", len(data)) + data


def load_param_dict(param_bytes: bytes | bytearray) -> dict[str, NDArray]:
    """Return the arrays by name. Raises `DamagedParams`."""
    reader = _Reader(bytes(param_bytes))
    magic, _, count = reader.numbers("<QQQ")
    if magic != _LIST_MAGIC:
        raise DamagedParams(reason="they begin with another number")
    names = [reader.text() for _ in range(reader.bounded(count, 8))]
    (arrays,) = reader.numbers("<Q")
    if arrays != len(names):
        raise DamagedParams(reason=f"{len(names)} names, {arrays} arrays")
    return {name: reader.array() for name in names}


class _Reader:
    """Reads numbers, texts and arrays, never beyond the end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def bounded(self, count: int, size: int) -> int:
        """Return a count of things of at least a size. Raises `DamagedParams` where they do not fit in."""
        if count < 0 or count * size > len(self._data) - self._place:
            raise DamagedParams(reason="they end too early")
        return count

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        begin = self._place
        self._place += self.bounded(size, 1)
        return self._data[begin : self._place]

    def numbers(self, layout: str) -> tuple[int, ...]:
        """Return the next numbers."""
        return struct.unpack(layout, self.take(struct.calcsize(layout)))

    def text(self) -> str:
        """Return a text with its length before it."""
        (size,) = self.numbers("<Q")
        try:
            return self.take(size).decode()
        except UnicodeDecodeError as error:
            raise DamagedParams(reason="a name is no text") from error

    def array(self) -> NDArray:
        """Return an array."""
        magic, _, _, _, rank, code, bits, lanes = self.numbers("<QQiiiBBH")
        if magic != _ARRAY_MAGIC or code not in _KINDS or lanes != 1 or not 0 <= rank <= _MOST_DIMENSIONS:
            raise DamagedParams(reason="an array has no header")
        dtype = DType("bool" if (code, bits) == (1, 1) else f"{_KINDS[code]}{bits}")
        shape = self.numbers(f"<{rank}q")
        (size,) = self.numbers("<q")
        kind = storage_dtype(dtype)
        if min(shape, default=0) < 0 or math.prod(shape) * kind.itemsize != size:
            raise DamagedParams(reason=f"{dtype} of shape {shape} has not {size} bytes")
        return NDArray(np.frombuffer(self.take(size), kind).reshape(shape).copy(), dtype)
