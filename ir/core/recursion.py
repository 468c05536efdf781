"""Nesting limit, recursion limit, and pauses of the garbage collector."""

from __future__ import annotations

import gc
import sys

#: Expressions and statements may nest this deep in a text.
MAX_NESTING = 500
#: Python frames that walking a program of that depth may take.
_FRAMES = 20_000
#: Characters of a text that is long enough to be read without collecting garbage.
_LONG_TEXT = 1 << 15


# Classes, not generators: every reading, check and printing of a small function enters some of them.


class deep_recursion:
    """Raise the recursion limit for deeply nested programs; frames of Python 3.11 use no C stack."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before = sys.getrecursionlimit()
        if self._before < _FRAMES:
            sys.setrecursionlimit(_FRAMES)

    def __exit__(self, *_: object) -> None:
        if self._before < _FRAMES:
            sys.setrecursionlimit(self._before)


class without_collection:
    """No search for garbage while a long text is read, programs are compared or a pass runs: that makes millions of
    nodes and hardly any garbage, and the search would take longer than the work.
    """

    __slots__ = ("_is_off", "_size")

    def __init__(self, size: int = _LONG_TEXT) -> None:
        self._size = size

    def __enter__(self) -> None:
        self._is_off = self._size >= _LONG_TEXT and gc.isenabled()
        if self._is_off:
            gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._is_off:
            gc.enable()
