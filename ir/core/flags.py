"""Limits of how deep programs nest, room for walking them, and rest from the garbage collector."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

#: Expressions and statements may nest this deep in a text.
MAX_NESTING = 500
#: Python frames that walking a program of that depth may take.
_FRAMES = 20_000
#: Characters of a text that is long enough to be read without collecting garbage.
_LONG_TEXT = 1 << 15


@contextmanager
def deep_recursion() -> Generator[None, None, None]:
    """Room for walking deeply nested programs; frames of Python 3.11 take no C stack."""
    before = sys.getrecursionlimit()
    if before >= _FRAMES:
        yield
        return
    sys.setrecursionlimit(_FRAMES)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def without_collection(size: int) -> Generator[None, None, None]:
    """No search for garbage while a long text is read: that makes millions of nodes and hardly any garbage, and the
    search would take longer than the reading.
    """
    if size < _LONG_TEXT or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
