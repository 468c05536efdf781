"""Variables that a decorated function captures: closure cells, locals of enclosing frames, globals, builtins."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from types import FrameType, MappingProxyType
from typing import Any

_BUILTINS: Mapping[str, object] = vars(builtins)


class Closure:
    """Names around a decorated function or class. Names of the script shadow Python's builtins."""

    __slots__ = ("annotations", "outer", "specialized")

    def __init__(
        self,
        outer: Mapping[str, object],
        annotations: Mapping[str, Mapping[str, object]],
        specialized: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        self.outer = outer
        #: function -> parameter -> the value Python evaluated its annotation to
        self.annotations = annotations
        #: parameter of `@T.jit` -> its value
        self.specialized = specialized

    def find(self, name: str, roots: Mapping[str, object]) -> tuple[object] | None:
        """Return the value of a name in a tuple, or None for an unknown name."""
        for table in (self.outer, roots, _BUILTINS):
            if name in table:
                return (table[name],)
        return None


def capture_names(item: Any, frame: FrameType | None) -> Closure:
    """Return the names visible to a function, or to the functions of a class; `frame` decorates it.

    A string annotation captures nothing by itself. Its names are looked up in the frames of the enclosing functions.
    """
    functions = [item] if hasattr(item, "__code__") else [f for f in vars(item).values() if hasattr(f, "__code__")]
    outer: dict[str, object] = {}
    annotations: dict[str, Mapping[str, object]] = {}
    if frame is not None and not functions:
        outer.update(frame.f_globals)
    for function in functions:
        outer.update(function.__globals__)
    for enclosing in reversed(_enclosing_frames(item, frame)):
        outer.update(enclosing.f_locals)
    for function in functions:
        cells = function.__closure__ or ()
        for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
            try:
                outer[name] = cell.cell_contents
            except ValueError:  # not assigned yet
                continue
        annotations[function.__name__] = function.__annotations__
    return Closure(outer, annotations)


def _enclosing_frames(item: Any, frame: FrameType | None) -> list[FrameType]:
    """Return the frames of the functions, classes and module that enclose a definition, innermost first."""
    frames: list[FrameType] = []
    scopes = {*_enclosing_scopes(item.__qualname__), "<module>"}
    while frame is not None and scopes:
        if frame.f_code.co_qualname in scopes and frame.f_globals.get("__name__") == item.__module__:
            scopes.remove(frame.f_code.co_qualname)
            frames.append(frame)
        frame = frame.f_back
    return frames


def _enclosing_scopes(qualified: str) -> set[str]:
    """Return the qualified names around `f.<locals>.C.g`: f and f.<locals>.C."""
    parts = qualified.split(".")
    return {".".join(parts[:end]) for end in range(1, len(parts)) if parts[end - 1] != "<locals>"}
