"""Nesting limit, recursion limit, and pauses of the garbage collector.

Both are decorators: an interrupt may come between any two steps of `with`, but not between `try` and its `finally`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

#: Expressions and statements may nest this deep in a text.
MAX_NESTING: Final = 500
#: Python frames that walking a program of that depth may take.
_FRAMES: Final = 20_000


def deep_recursion(function: Callable[P, R]) -> Callable[P, R]:
    """Raise the recursion limit while a function runs: it walks deeply nested programs."""

    @wraps(function)
    def deep(*args: P.args, **keywords: P.kwargs) -> R:
        limit = sys.getrecursionlimit()
        if limit >= _FRAMES:
            return function(*args, **keywords)
        try:
            try:
                sys.setrecursionlimit(_FRAMES)
                return function(*args, **keywords)
            finally:
                sys.setrecursionlimit(limit)
        finally:  # an interrupt may come at the beginning of the inner one
            sys.setrecursionlimit(limit)

    return deep


def without_collection(function: Callable[P, R]) -> Callable[P, R]:
    """Pause the garbage collector while a function runs: it makes millions of nodes and hardly any garbage.

    The search would take longer than the work.
    """

    @wraps(function)
    def uncollected(*args: P.args, **keywords: P.kwargs) -> R:
        if not gc.isenabled():
            return function(*args, **keywords)
        try:
            try:
                gc.disable()
                return function(*args, **keywords)
            finally:
                gc.enable()
        finally:  # an interrupt may come at the beginning of the inner one
            gc.enable()

    return uncollected
