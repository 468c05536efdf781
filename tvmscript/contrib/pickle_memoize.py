"""TVM's `contrib.pickle_memoize`: results of functions that are computed once in a process."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from tvmscript.ir.core.lazy import lazy_names

__all__ = ["memoize"]

P = ParamSpec("P")
R = TypeVar("R")

#: name of a cache -> pickled arguments -> result
_CACHES: dict[str, dict[bytes, Any]] = {}


def memoize(key: str, save_at_exit: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that keeps results under a name, by the arguments, until the process ends."""

    def decorate(func: Callable[P, R]) -> Callable[P, R]:
        cache = _CACHES.setdefault(f"{key}.{func.__qualname__}", {})

        @wraps(func)
        def cached(*args: P.args, **kwargs: P.kwargs) -> R:
            arguments = pickle.dumps((args, sorted(kwargs.items())))
            if arguments not in cache:
                cache[arguments] = func(*args, **kwargs)
            result: R = cache[arguments]
            return result

        return cached

    return decorate


__getattr__, __dir__ = lazy_names(__name__, {})
