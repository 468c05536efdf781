"""Settings of Python that hold while a function runs: recursion limit, garbage collector, turns of threads.

They are decorators: an interrupt may come between any two steps of `with`, but not between `try` and its `finally`.
"""

from __future__ import annotations

import gc
import operator
import sys
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

#: Expressions and statements may nest this deep in a text.
MAX_NESTING: Final = 500
#: Python frames that walking a program of that depth may take.
_FRAMES: Final = 20_000
#: seconds that threads wait for each other
_SHORT_TURN: Final = 2e-4


def _hold(
    value: T, read: Callable[[], T], write: Callable[[T], object], is_met: Callable[[T], object]
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that gives a setting a value while a function runs, unless what is set meets it already."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def run(*args: P.args, **keywords: P.kwargs) -> R:
            before = read()
            if is_met(before):
                return function(*args, **keywords)
            try:
                try:
                    write(value)
                    return function(*args, **keywords)
                finally:
                    write(before)
            finally:  # an interrupt may come at the beginning of the inner one
                write(before)

        return run

    return decorate


def deep_recursion(function: Callable[P, R]) -> Callable[P, R]:
    """Raise the recursion limit while a function runs: it walks deeply nested programs."""
    return _hold(_FRAMES, sys.getrecursionlimit, sys.setrecursionlimit, lambda limit: limit >= _FRAMES)(function)


def without_collection(function: Callable[P, R]) -> Callable[P, R]:
    """Pause the garbage collector while a function runs: it makes millions of nodes and hardly any garbage.

    The search would take longer than the work.
    """
    return _hold(False, gc.isenabled, _set_collection, operator.not_)(function)


def short_turns(function: Callable[P, R]) -> Callable[P, R]:
    """Let threads take short turns while a function runs: another one calls C often, and needs the lock in between."""
    hold = _hold(_SHORT_TURN, sys.getswitchinterval, sys.setswitchinterval, lambda interval: interval <= _SHORT_TURN)
    return hold(function)


def _set_collection(is_on: bool) -> None:
    (gc.enable if is_on else gc.disable)()
