"""Text writer for the kernels of this folder."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TypeVar

from tvmscript.fuzz.programs import indented

_T = TypeVar("_T")

#: dtypes with different representations in machine code
DTYPES = (
    "float32", "int32", "int8", "bool", "float64", "uint16", "int64", "float16", "bfloat16", "e4m3_float8", "uint8",
    "int16", "uint32", "uint64", "e5m2_float8",
)  # fmt: skip


@dataclass(frozen=True)
class Written:
    """A kernel `main`, or a module with one."""

    text: str
    #: values of symbolic extents and scalars
    sizes: dict[str, int] = field(default_factory=dict[str, int])
    #: (parameter, the parameter that it overlaps, offset in elements)
    shared: tuple[tuple[str, str, int], ...] = ()
    #: expected calls of the registered function, and elements of B: for kernels that the interpreter cannot run
    told: tuple[tuple[object, ...], ...] | None = None
    results: tuple[tuple[int, float], ...] = ()
    #: the kernel with expressions of 16-bit floats in float32, whose results a target that contracts may have, too
    wide: str = ""


class Kernel:
    """The text of a kernel under construction."""

    def __init__(self, rng: random.Random) -> None:
        self.random = rng
        self.params: list[str] = []
        self.heads: list[str] = []
        self.lines: list[str] = []
        self.sizes: dict[str, int] = {}
        self.returns = ""
        if self.chance(0.5):
            self.heads.append('T.func_attr({"tir.noalias": T.bool(True)})')

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, *items: _T) -> _T:
        return items[int(self.random.random() * len(items))]

    def number(self, low: int, high: int) -> int:
        """Draw a number between two limits, inclusive."""
        return low + int(self.random.random() * (high - low + 1))

    def array(self, name: str, shape: str, dtype: str, more: str = "") -> str:
        """A parameter that is an array."""
        self.params.append(f"{name.lower()}: T.handle")
        self.heads.append(f'{name} = T.match_buffer({name.lower()}, {shape}, "{dtype}"{more})')
        return name

    def size(self, name: str, value: int, dtype: str = "int32") -> str:
        """A variable of shapes with this value."""
        self.heads.append(f"{name} = T.{dtype}()")
        self.sizes[name] = value
        return name

    def scalar(self, name: str, dtype: str, value: int | None = None) -> str:
        """Add a scalar parameter, of any value by default."""
        self.params.append(f"{name}: T.{dtype}")
        if value is not None:
            self.sizes[name] = value
        return name

    def text(self, name: str = "main") -> str:
        """The whole function."""
        sizes = [line for line in self.heads if line.endswith("()")]
        heads = [*[line for line in self.heads if "func_attr" in line], *sizes]
        heads += [line for line in self.heads if line not in heads]
        body = "".join(f"    {line}\n" for line in [*heads, *self.lines])
        return f"@T.prim_func\ndef {name}({', '.join(self.params)}){self.returns}:\n{body}"


def under(head: str, lines: list[str]) -> list[str]:
    """Indent lines under the head of a compound statement."""
    return [head, *indented(lines)]


def constant(dtype: str, value: int) -> str:
    """A number as a constant."""
    if dtype == "bool":
        return f"T.bool({bool(value % 2)})"
    return f"T.{dtype}({value if not dtype.startswith('u') else abs(value)})"
