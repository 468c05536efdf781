"""Functions that a pass leaves as they are: pipelines run some passes again and again."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakSet

from tvmscript.ir.tir import PrimFunc


class FixedPoints:
    """Functions that a transformation does not change."""

    def __init__(self) -> None:
        self._functions: WeakSet[PrimFunc] = WeakSet()

    def apply(self, transform: Callable[[PrimFunc], PrimFunc], func: PrimFunc) -> PrimFunc:
        """Return the transformed function; the transformation runs once for one that it does not change."""
        if func in self._functions:
            return func
        result = transform(func)
        if result is func:
            self._functions.add(func)
        return result
