"""Messages that LLVM writes to the standard error of the process, as it does about processors that it does not know."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
_STANDARD_ERROR = 2
_lock = threading.Lock()


def with_messages(call: Callable[[], Result]) -> tuple[Result, str]:
    """Return the result of a call, and what was written to standard error meanwhile; empty without a standard error."""
    with _lock:
        try:
            saved = os.dup(_STANDARD_ERROR)
        except OSError:
            return call(), ""
        try:
            with tempfile.TemporaryFile() as file:
                os.dup2(file.fileno(), _STANDARD_ERROR)
                try:
                    result = call()
                finally:
                    os.dup2(saved, _STANDARD_ERROR)
                file.seek(0)
                return result, file.read().decode("utf-8", "replace")
        finally:
            os.close(saved)
