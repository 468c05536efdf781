"""Sizes of exported programs, which torch keeps as expressions of sympy, as expressions of the tensor level."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from functools import reduce

from tvmscript.frontend.torch.values import Size
from tvmscript.ir.tir import Max, Min, Var

#: classes of sympy and of torch -> the operator of sizes
_OPERATORS: dict[str, Callable[[Size, Size], Size]] = {
    "Add": lambda a, b: a + b,
    "Mul": lambda a, b: a * b,
    "FloorDiv": operator.floordiv,
    "CleanDiv": operator.floordiv,
    "Mod": operator.mod,
    "PythonMod": operator.mod,
    "Max": lambda a, b: Max(a, b),  # type: ignore[arg-type]  # numbers become constants
    "Min": lambda a, b: Min(a, b),  # type: ignore[arg-type]  # numbers become constants
    "Pow": lambda a, b: reduce(lambda x, y: x * y, [a] * int(b)) if isinstance(b, int) else a,
}


class Symbols:
    """Size variables by the names of torch's symbols."""

    def __init__(self) -> None:
        self._variables: dict[str, Var] = {}

    def size(self, extent: object) -> Size | None:
        """Return an extent: a number, or an expression of the symbols in it; None where it has no such form."""
        if isinstance(extent, int):
            return extent
        node = getattr(extent, "node", None)
        return self._convert(getattr(node, "expr", extent))

    def shape(self, extents: Iterable[object]) -> list[Size] | None:
        """Return the extents of a shape, None where one has no form."""
        sizes = [self.size(extent) for extent in extents]
        present = [size for size in sizes if size is not None]
        return present if len(present) == len(sizes) else None

    def _convert(self, expr: object) -> Size | None:
        kind = type(expr).__name__
        if kind == "Symbol":
            name = str(expr)
            return self._variables.setdefault(name, Var(name, "int64"))
        if getattr(expr, "is_Integer", False):
            return int(str(expr))
        if kind not in _OPERATORS:
            return None
        parts = [self._convert(arg) for arg in getattr(expr, "args", ())]
        sizes = [part for part in parts if part is not None]
        return reduce(_OPERATORS[kind], sizes) if sizes and len(sizes) == len(parts) else None


def bounds_of(ranges: Mapping[object, object]) -> tuple[dict[str, int], dict[str, int]]:
    """Return the smallest and the largest values of symbols, where these are numbers."""
    lower: dict[str, int] = {}
    upper: dict[str, int] = {}
    for symbol, values in ranges.items():
        if type(symbol).__name__ != "Symbol":
            continue
        for bounds, end in ((lower, "lower"), (upper, "upper")):
            number = getattr(values, end)
            # one bound of torch is above all integers
            if not math.isinf(float(number)) and int(number) < 2**62:
                bounds[str(symbol)] = int(number)
    return lower, upper
