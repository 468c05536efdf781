"""Errors of the KV cache."""

from __future__ import annotations

from tvmscript.backends.runtime.errors import ExecutionError


class WrongCacheCall(ExecutionError, code="TS5062"):
    """A call of the KV cache names a sequence that does not exist, comes in the wrong order, has arguments of other
    sizes than the cache, or needs more pages than there are.
    """

    message = "{method} of the KV cache: {reason}"
