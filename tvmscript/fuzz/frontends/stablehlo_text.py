"""Write StableHLO programs whose values NumPy computes alongside."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tvmscript.fuzz.frontends.pool import Array, Pool, Value

Tensor = Value[str]

_ELEMENTS: Final = {
    "bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "ui8", "uint16": "ui16",
    "uint32": "ui32", "uint64": "ui64", "float16": "f16", "float32": "f32", "float64": "f64",
    "complex64": "complex<f32>", "complex128": "complex<f64>",
}  # fmt: skip


def type_of(array: Array, *, is_open: bool = False) -> str:
    """Return the type of a tensor; `is_open` leaves the first size open."""
    sizes = [str(size) for size in array.shape]
    if is_open and sizes:
        sizes[0] = "?"
    return f"tensor<{'x'.join([*sizes, _ELEMENTS[str(array.dtype)]])}>"


def dense(array: Array) -> str:
    """Return the elements as MLIR prints them: nested lists."""
    if array.ndim:
        return f"[{', '.join(dense(row) for row in array)}]"
    value = array[()]
    if array.dtype.kind == "c":
        return f"({np.real(value):e},{np.imag(value):e})"
    if array.dtype.kind == "f":
        return f"{value:e}" if np.isfinite(value) else "0x" + array.tobytes()[::-1].hex().upper()
    return str(value).lower()


@dataclass(frozen=True)
class Program:
    """A program, its arguments, and the results of `main`."""

    text: str
    arguments: tuple[Array, ...]
    results: tuple[Array, ...]


class Writer:
    """A program under construction."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.arguments: list[Array] = []
        self.pool: Pool[str] = Pool(rng, self._declare)
        self.lines: list[str] = []
        self.functions: list[str] = []
        self._count = 0

    def _declare(self, array: Array) -> str:
        self.arguments.append(array)
        return f"%arg{len(self.arguments) - 1}"

    def name(self, stem: str = "") -> str:
        """Return a new name."""
        self._count += 1
        return f"%{stem}{self._count}"

    def bind(
        self, text: str, operands: Sequence[Tensor], array: Array, *, is_exact: bool = True, types: str = ""
    ) -> Tensor:
        """Write an operation with one result."""
        name = self.name()
        self.lines.append(f"{name} = {text} : {types or self.signature(operands, [array])}")
        return self.pool.add(name, array, *operands, is_exact=is_exact)

    def bind_all(self, text: str, operands: Sequence[Tensor], arrays: Sequence[Array]) -> None:
        """Write an operation with several results."""
        name = self.name()
        self.lines.append(f"{name}:{len(arrays)} = {text} : {self.signature(operands, arrays)}")
        for place, array in enumerate(arrays):
            self.pool.add(f"{name}#{place}", array, *operands)

    def signature(self, operands: Sequence[Tensor], results: Sequence[Array]) -> str:
        """Return the types of an operation: one where all are the same, or all of them."""
        sources = [type_of(each.array) for each in operands]
        targets = [type_of(each) for each in results]
        if len({*sources, *targets}) == 1 and len(targets) == 1 and self.rng.randrange(2):
            return targets[0]
        after = targets[0] if len(targets) == 1 else f"({', '.join(targets)})"
        return f"({', '.join(sources)}) -> {after}"

    def scalar(self, value: float | bool, dtype: str) -> Tensor:
        """Write a constant without axes."""
        array = np.array(value, dtype)
        return self.bind(f"stablehlo.constant dense<{dense(array)}>", (), array, types=type_of(array))

    def constant(self, array: Array) -> Tensor:
        """Write a constant: nested lists, the bytes of the elements, or one element for all."""
        text = dense(array)
        if array.size and self.rng.randrange(3) == 0 and array.dtype.kind in "if" and array.ndim:
            text = f'"0x{np.ascontiguousarray(array).tobytes().hex().upper()}"'
        return self.bind(f"stablehlo.constant dense<{text}>", (), array, types=type_of(array))

    def program(self) -> Program:
        """Return the program; `main` returns some of the values that it computes."""
        computed = [value for value in self.pool.values if not value.ref.startswith("%arg")] or self.pool.values
        results = [*computed[-2:], *self.rng.choices(computed, k=self.rng.randrange(2))]
        declared = ", ".join(f"%arg{place}: {type_of(each)}" for place, each in enumerate(self.arguments))
        types = [type_of(each.array) for each in results]
        lines = [
            "module @jit_fuzz attributes {mhlo.num_partitions = 1 : i32} {",
            f"  func.func public @main({declared}) -> ({', '.join(types)}) {{",
            *(f"    {line}" for line in self.lines),
            f"    return {', '.join(each.ref for each in results)} : {', '.join(types)}",
            "  }",
            *self.functions,
            "}",
        ]
        arrays = tuple(each.array for each in results)
        return Program("\n".join(lines) + "\n", tuple(self.arguments), arrays)
