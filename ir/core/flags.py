"""Limits of how deep programs nest, and room for walking them."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

#: Expressions and statements may nest this deep in a text.
MAX_NESTING = 500
#: Python frames that walking a program of that depth may take.
_FRAMES = 20_000


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
