"""Accesses through pointers: elements, what a monitor is told, and accesses out of bounds."""

from __future__ import annotations

import struct
from types import SimpleNamespace
from typing import Any

import pytest

from tvmscript.backends.interp.memory import Pointer, allocate
from tvmscript.backends.interp.raw_memory import read, write
from tvmscript.backends.runtime.errors import OutOfMemoryRange
from tvmscript.ir.core import DType


class _Monitor:
    """Note accesses."""

    def __init__(self) -> None:
        self.accesses: list[tuple[object, ...]] = []

    def read(self, memory: object, places: range) -> None:
        self.accesses.append(("read", memory, places))

    def write(self, memory: object, places: range) -> None:
        self.accesses.append(("write", memory, places))

    def settle(self) -> None:
        self.accesses.append(("settle",))


def _compiler(monitor: _Monitor | None) -> Any:
    """Return what accesses use of a compiler."""
    return SimpleNamespace(monitor=monitor)


@pytest.mark.parametrize(
    ("dtype", "code", "values", "size"),
    [("float32", "3f", [1.5, -2.0, 0.25], 4), ("int16", "3h", [7, -8, 9], 2), ("float64", "1d", [0.5], 8)],
)
def test_elements_and_what_a_monitor_is_told(dtype: str, code: str, values: list[Any], size: int) -> None:
    memory, monitor = allocate(32, "A"), _Monitor()
    compiler, pointer = _compiler(monitor), Pointer(memory, 8)
    write(compiler, pointer, values, DType(dtype))
    assert memory.raw[8 : 8 + len(values) * size].tobytes() == struct.pack(f"={code}", *values)
    assert read(compiler, pointer, len(values), DType(dtype)) == values
    places = range(8, 8 + len(values) * size)
    assert monitor.accesses == [("write", memory, places), ("settle",), ("read", memory, places)]
    assert read(_compiler(None), pointer, 1, DType(dtype)) == values[:1]


@pytest.mark.parametrize(("offset", "count"), [(24, 3), (0, 9), (32, 1)])
def test_accesses_out_of_bounds(offset: int, count: int) -> None:
    """Memory has eight elements."""
    pointer, compiler = Pointer(allocate(32, "A"), offset), _compiler(None)
    with pytest.raises(OutOfMemoryRange) as refused:
        read(compiler, pointer, count, DType("float32"))
    assert (refused.value.facts["last"], refused.value.facts["size"]) == (8, 8)
    with pytest.raises(OutOfMemoryRange):
        write(compiler, pointer, [0.0] * count, DType("float32"))
