"""Constant data of a program: bytes with a dtype and a shape, without NumPy."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.values.float_formats import FORMATS, encoder

#: `struct` letters of what memory holds; narrow and unusual floats are kept as bit patterns.
_LETTERS: Final = {"int": " bh i   q", "uint": " BH I   Q", "float": "  e f   d"}


class Data:
    """Elements in row-major order. NumPy reads it through `numpy.asarray(data)`: no copy is made.

    bfloat16 and the 8-bit floats are bit patterns of that width (`dtype` is then uint16 or uint8).
    """

    __slots__ = ("_bytes", "dtype", "shape")

    def __init__(self, dtype: str, shape: tuple[int, ...], raw: bytes) -> None:
        self.dtype = dtype
        self.shape = shape
        self._bytes = raw

    def tobytes(self) -> bytes:
        """Return the elements as little-endian bytes."""
        return self._bytes

    def __len__(self) -> int:
        return self.shape[0] if self.shape else 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __str__(self) -> str:
        return str(self.numpy())

    def tolist(self) -> list[Any]:
        """Return all elements as a flat list."""
        letter = _letter(DType(self.dtype))
        values = [item[0] for item in struct.iter_unpack(f"<{letter}", self._bytes)]
        return [bool(item) for item in values] if self.dtype == "bool" else values

    def numpy(self) -> Any:
        """Return a NumPy array of the elements."""
        # NumPy is needed for arrays alone
        import numpy as np

        return np.array(self)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        kind = DType(self.dtype)
        letter = "b" if kind.is_bool else {"int": "i", "uint": "u", "float": "f"}[kind.code]
        return {"shape": self.shape, "typestr": f"<{letter}{kind.itemsize}", "data": self._bytes, "version": 3}


def _letter(dtype: DType) -> str:
    return "?" if dtype.is_bool else _LETTERS[dtype.code][dtype.itemsize]


def pack(values: Iterable[Any], dtype: DType, shape: tuple[int, ...]) -> Data:
    """Pack Python numbers; bfloat16 and narrower floats are rounded to the nearest bit patterns.

    Raises `WrongType` where a number does not fit or the dtype has no form in memory.
    """
    if dtype in FORMATS:
        patterns = DType("uint16" if dtype.bits == 16 else "uint8")
        return pack(map(encoder(dtype), map(float, values)), patterns, shape)
    if dtype.code not in _LETTERS or dtype.itemsize not in (1, 2, 4, 8) or dtype.lanes != 1:
        raise WrongType(where="constant data", expected="a dtype of whole bytes", got=dtype)
    letter = _letter(dtype)
    items = list(values)
    try:
        raw = struct.pack(f"<{len(items)}{letter}", *items)
    except (struct.error, OverflowError) as error:
        raise WrongType(where="constant data", expected=f"values of {dtype}", got=str(error)) from None
    return Data(str(dtype), shape, raw)


def fingerprint(data: Any) -> str:
    """Return the fingerprint of constant data: `sha256:` and 32 digits over dtype, shape and bytes."""
    import hashlib  # loads OpenSSL: for large constants only

    shape = ",".join(map(str, data.shape))
    digest = hashlib.sha256(f"{data.dtype}[{shape}]".encode())
    digest.update(data.tobytes())
    return f"sha256:{digest.hexdigest()[:32]}"
