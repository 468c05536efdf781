"""What a decorated function captures: closure variables, globals, builtins."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from types import FrameType
from typing import Any

from tvmscript.ir.tir.expr import IntImm
from tvmscript.parser.frames import Loops

_BUILTINS: Mapping[str, Any] = vars(builtins)


class Closure:
    """Names around a decorated function or class. The language's own names stand before Python's builtins."""

    __slots__ = ("annotations", "outer")

    def __init__(self, outer: Mapping[str, Any], annotations: Mapping[str, Mapping[str, Any]]) -> None:
        self.outer = outer
        #: function -> parameter -> what Python evaluated its annotation to
        self.annotations = annotations

    def find(self, name: str, roots: Mapping[str, Any]) -> tuple[Any] | None:
        """What a name stands for, in a tuple; None for an unknown name."""
        for table in (self.outer, roots, _BUILTINS):
            if name in table:
                return (table[name],)
        return None


def capture_names(item: Any, frame: FrameType | None) -> Closure:
    """What a function, or the functions of a class, capture; `frame` is the one that decorates it.

    Annotations that are kept as strings capture nothing by themselves: what they name is looked up in the frames of
    the functions around the definition.
    """
    functions = [item] if hasattr(item, "__code__") else [f for f in vars(item).values() if hasattr(f, "__code__")]
    outer: dict[str, Any] = {}
    annotations: dict[str, Mapping[str, Any]] = {}
    if frame is not None and not functions:
        outer.update(frame.f_globals)
    for function in functions:
        outer.update(function.__globals__)
    for around in reversed(_frames_around(item, frame)):
        outer.update(around.f_locals)
    for function in functions:
        cells = function.__closure__ or ()
        for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
            try:
                outer[name] = cell.cell_contents
            except ValueError:  # not assigned yet
                continue
        annotations[function.__name__] = function.__annotations__
    return Closure(outer, annotations)


def _frames_around(item: Any, frame: FrameType | None) -> list[FrameType]:
    """The frames of the functions, classes and the text that a definition stands in, the innermost first."""
    found: list[FrameType] = []
    scopes = {*_scopes(item.__qualname__), "<module>"}
    while frame is not None and scopes:
        if frame.f_code.co_qualname in scopes and frame.f_globals.get("__name__") == item.__module__:
            scopes.remove(frame.f_code.co_qualname)
            found.append(frame)
        frame = frame.f_back
    return found


def _scopes(qualified: str) -> set[str]:
    """`f.<locals>.C.g` stands in f and in f.<locals>.C."""
    parts = qualified.split(".")
    return {".".join(parts[:end]) for end in range(1, len(parts)) if parts[end - 1] != "<locals>"}


def python_value(value: Any) -> Any:
    """A value of the script as Python code expects it: `range(4)` is a range."""
    if isinstance(value, Loops) and not value.is_nest:
        loop = value.loops[0]
        if isinstance(loop.min, IntImm) and isinstance(loop.extent, IntImm):
            return range(loop.min.value, loop.min.value + loop.extent.value)
    return value
