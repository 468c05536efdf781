"""Data types: interned strings with kind, width and lanes.

`DType("float32x4")` is the string "float32x4" with `code`, `bits` and `lanes`; there is one object
for each spelling, so equality of two dtypes is identity.
"""

from __future__ import annotations

import re
from typing import Any, Final

from tvmscript.ir.core.errors import InvalidDType
from tvmscript.ir.core.suggestions import closest

_WIDTHS: Final[dict[str, frozenset[int]]] = {
    "int": frozenset({*range(1, 65), 128}),
    "uint": frozenset({*range(1, 65), 128}),
    "float": frozenset({16, 32, 64}),
}

# name -> (code, bits). TVM 0.17's names of the 8-bit floats first, then the ones of 0.27.
_NAMED: Final[dict[str, tuple[str, int]]] = {
    "bool": ("uint", 1),
    "handle": ("handle", 64),
    "void": ("void", 0),
    "bfloat16": ("bfloat", 16),
    "e4m3_float8": ("e4m3_float8", 8),
    "e5m2_float8": ("e5m2_float8", 8),
    "float8_e3m4": ("float8_e3m4", 8),
    "float8_e4m3": ("float8_e4m3", 8),
    "float8_e4m3b11fnuz": ("float8_e4m3b11fnuz", 8),
    "float8_e4m3fnuz": ("float8_e4m3fnuz", 8),
    "float8_e5m2fnuz": ("float8_e5m2fnuz", 8),
    "float8_e8m0fnu": ("float8_e8m0fnu", 8),
    "float6_e2m3fn": ("float6_e2m3fn", 6),
    "float6_e3m2fn": ("float6_e3m2fn", 6),
    "float4_e2m1fn": ("float4_e2m1fn", 4),
}

# Spellings that mean another dtype.
#: short names, which TVM 0.27 has
SHORT_NAMES: Final[dict[str, str]] = {
    "bf16": "bfloat16",
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"{kind[0]}{bits}": f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
}
_ALIASES: Final[dict[str, str]] = {
    **SHORT_NAMES,
    "": "void",
    "uint1": "bool",
    "boolean": "bool",
    "float": "float32",
    "int": "int32",
    "uint": "uint32",
    "float8_e4m3fn": "e4m3_float8",
    "float8_e5m2": "e5m2_float8",
}

#: What is proposed for a name that is none.
_COMMON: Final = (*_NAMED, *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)),
                  "float16", "float32", "float64", "float32x4", "int32x4")  # fmt: skip

#: kind -> `DLDataTypeCode`, with TVM's own for handles and 8-bit floats
_TYPE_CODES: Final = {"int": 0, "uint": 1, "float": 2, "handle": 3, "bfloat": 4, "e4m3_float8": 6, "e5m2_float8": 7}

_SCALABLE = re.compile(r"(.+)xvscalex([0-9]{1,9})")
_VECTOR = re.compile(r"(.*[^x0-9])?([0-9]*)x([0-9]+)")
_SIZED = re.compile(r"(int|uint|float)([0-9]+)")


class DType(str):
    """A data type: `str(dtype)` is its TVM name.

    Raises `InvalidDType` for a name that is none.
    """

    #: int, uint, float, bfloat, handle, void or the name of an 8-bit (or narrower) float.
    code: str
    #: Width of one lane in bits; 0 for void.
    bits: int
    #: Number of lanes, 1 for a scalar; -4 for 4 times as many as the machine's vscale.
    lanes: int
    #: int or uint, bool included.
    is_integer: bool
    #: Any floating-point kind, bfloat16 and the 8-bit ones included.
    is_floating: bool
    is_bool: bool
    is_handle: bool
    #: The dtype of one lane.
    element: DType
    #: Smallest and largest value of an integer dtype.
    min_value: int
    max_value: int
    #: What constants of a scalar integer dtype are between: 1 is one of int1 too. None for other dtypes.
    limits: tuple[int, int] | None

    _interned: dict[str, DType] = {}

    def __new__(cls, name: str) -> DType:
        interned = cls._interned.get(name)
        return interned if interned is not None else cls._make(name)

    @classmethod
    def _make(cls, name: str) -> DType:
        if not isinstance(name, str):
            raise InvalidDType(name=repr(name))
        scalar, lanes = name, 1
        if (vector := _SCALABLE.fullmatch(name)) is not None:
            scalar, lanes = vector.group(1), -int(vector.group(2))
            if lanes == -1:
                raise InvalidDType(name=repr(name))
        elif (vector := _VECTOR.fullmatch(name)) is not None:
            scalar = (vector.group(1) or "") + vector.group(2)
            lanes = int(vector.group(3)) if len(vector.group(3)) < 10 else 0
        scalar = _ALIASES.get(scalar, scalar)
        canonical = scalar if lanes == 1 else f"{scalar}{_lanes_text(lanes)}"
        if (known := cls._interned.get(canonical)) is not None:
            cls._interned[name] = known
            return known
        if scalar in _NAMED:
            code, bits = _NAMED[scalar]
        elif (sized := _SIZED.fullmatch(scalar)) is not None and len(sized.group(2)) < 4:
            code, bits = sized.group(1), int(sized.group(2))
            if bits not in _WIDTHS[code] or scalar != f"{code}{bits}":
                raise InvalidDType(name=repr(name), hint=closest(name, _COMMON))
        else:
            raise InvalidDType(name=repr(name), hint=closest(name, _COMMON))
        if lanes == 0 or (code == "void" and lanes != 1):
            raise InvalidDType(name=repr(name))
        dtype: Any = str.__new__(cls, canonical)
        dtype.code, dtype.bits, dtype.lanes = code, bits, lanes
        dtype.is_integer = code in ("int", "uint")
        dtype.is_bool = scalar == "bool"
        dtype.is_handle = code == "handle"
        dtype.is_floating = not dtype.is_integer and code not in ("handle", "void")
        dtype.element = dtype if lanes == 1 else cls(scalar)
        dtype.min_value = -(1 << (bits - 1)) if code == "int" else 0
        dtype.max_value = (1 << (bits - 1 if code == "int" else bits)) - 1
        is_scalar_integer = dtype.is_integer and lanes == 1
        dtype.limits = (dtype.min_value, max(dtype.max_value, 1)) if is_scalar_integer else None
        cls._interned[canonical] = cls._interned[name] = dtype
        interned: DType = dtype
        return interned

    def __reduce__(self) -> tuple[type[DType], tuple[str]]:
        return DType, (str(self),)

    @property
    def is_vector(self) -> bool:
        return self.lanes != 1

    @property
    def is_scalable(self) -> bool:
        """Whether the number of lanes is a multiple of vscale."""
        return self.lanes < 0

    @property
    def is_signed(self) -> bool:
        return self.code == "int"

    @property
    def type_code(self) -> int:
        """DLPack's number of the kind, -1 for floats that TVM 0.17 has no number for."""
        return _TYPE_CODES.get(self.code, -1)

    @property
    def itemsize(self) -> int:
        """Bytes that one lane takes in memory (bool and sub-byte types take a whole byte)."""
        return (self.bits + 7) // 8

    def with_lanes(self, lanes: int) -> DType:
        """Return the dtype with another number of lanes."""
        if lanes == self.lanes:
            return self
        return self.element if lanes == 1 else DType(f"{self.element!s}{_lanes_text(lanes)}")


def _lanes_text(lanes: int) -> str:
    return f"x{lanes}" if lanes > 0 else f"xvscalex{-lanes}"


BOOL: Final = DType("bool")
INT8: Final = DType("int8")
INT32: Final = DType("int32")
INT64: Final = DType("int64")
UINT64: Final = DType("uint64")
BFLOAT16: Final = DType("bfloat16")
FLOAT16: Final = DType("float16")
FLOAT32: Final = DType("float32")
FLOAT64: Final = DType("float64")
HANDLE: Final = DType("handle")
VOID: Final = DType("void")
