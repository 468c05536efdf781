"""Constant arrays: lists of elements, or for large ones fingerprints that refer to the section `metadata`.

The section is at the end of the text:

    metadata = {
        "sha256:3f0c...": T.data("float32", [16, 32], "<the bytes in base64>"),
    }
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeGuard

from tvmscript.ir.core import DType, IRError
from tvmscript.ir.core.values.constant_data import fingerprint, pack
from tvmscript.ir.core.values.float_formats import FORMATS, value_of
from tvmscript.printer.literals import float_literal, string
from tvmscript.printer.printer import Printer

#: Largest number of elements that are written where the array is used. TVM 0.17 leaves out the elements behind.
INLINE_ELEMENTS = 200
_LINE = 100


class Array(Protocol):
    """An array of this package, of NumPy, or like them."""

    @property
    def dtype(self) -> object: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    def tobytes(self) -> bytes: ...

    def tolist(self) -> Any: ...


def is_array(item: object) -> TypeGuard[Array]:
    """Whether a value is an array."""
    return all(hasattr(item, name) for name in ("tobytes", "dtype", "shape"))


def constant_data(p: Printer, data: Array, dtype: DType, shape: tuple[int, ...] | None) -> str:
    """Return the elements in memory order (`[1, 2.5]`), or a reference where they are many or read back otherwise."""
    items = _elements(data, dtype) if math.prod(data.shape) <= INLINE_ELEMENTS else None
    if items is None or not _reads_back(data, items, dtype, shape):
        return reference(p, data)
    return _list(items)


def attribute_data(p: Printer, data: Array) -> str:
    """Return an array as the value of an attribute: `T.data("float32", [2], [1, 2.5])`."""
    dtype = DType(str(data.dtype))
    items = _elements(data, dtype) if math.prod(data.shape) <= INLINE_ELEMENTS else None
    if items is None or not _reads_back(data, items, dtype, tuple(data.shape)):
        return reference(p, data)
    return f'{p.tir}data("{dtype}", {list(data.shape)}, {_list(items)})'


def metadata_section(p: Printer, constants: Mapping[str, Array], relax_constants: Sequence[str] = ()) -> str:
    """Return the section with the arrays that the text refers to; constants of Relax are referred to by number."""
    lines = ["metadata = {"]
    lines += [f"{p.step}{string(name)}: {data_text(p, data)}," for name, data in constants.items()]
    if relax_constants:
        lines.append(f'{p.step}"{p.spelling.constant}": [')
        lines += [f"{p.step * 2}{text}," for text in relax_constants]
        lines.append(f"{p.step}],")
    return "\n".join([*lines, "}"])


def data_text(p: Printer, data: Array) -> str:
    """Return `T.data("float32", [2, 2], "<the bytes in base64>")`, in several lines where they are many."""
    content = base64.b64encode(data.tobytes()).decode()
    encoded = [content[start : start + _LINE] for start in range(0, len(content), _LINE)] or [""]
    head = f'{p.tir}data("{data.dtype}", {list(data.shape)}'
    if len(encoded) == 1:
        return f'{head}, "{encoded[0]}")'
    return "\n".join([f'{head}, """', *encoded, '""")'])


def reference(p: Printer, data: Array) -> str:
    """Return `T.metadata("sha256:...")`, and put the array into the section `metadata`."""
    name = fingerprint(data)
    p.constants[name] = data
    return f"{p.tir}metadata({string(name)})"


def _elements(data: Array, dtype: DType) -> list[float]:
    """Return all elements in memory order; narrow floats by value."""
    reshape = getattr(data, "reshape", None)
    items: list[float] = data.tolist() if reshape is None else reshape(-1).tolist()
    return [value_of(int(item), FORMATS[dtype]) for item in items] if dtype in FORMATS else items


def _reads_back(data: Array, items: list[float], dtype: DType, shape: tuple[int, ...] | None) -> bool:
    """Whether the elements read back as the same data: not for nan with a payload, or another dtype or shape."""
    if shape is None:
        return False
    try:
        packed = pack([float("nan") if item != item else item for item in items], dtype, shape)
    except IRError:
        return False
    return (str(packed.dtype), packed.shape) == (
        str(data.dtype),
        tuple(data.shape),
    ) and packed.tobytes() == data.tobytes()


def _list(items: list[float]) -> str:
    return f"[{', '.join([_float(item) if isinstance(item, float) else str(int(item)) for item in items])}]"


def _float(item: float) -> str:
    literal = float_literal(item)
    if literal is None:
        return f'"{item}"'
    return literal if literal == "-0.0" else literal.removesuffix(".0")
