"""Observe what the package makes of an example: texts of programs and code, and errors.

with observed() as notes:
    area.check(example)      # calls `observe`
notes                        # ["read 3f0a6c21", "TS2013 90c1d2aa"]
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from tvmscript.fuzz.errors import TakesTooLong
from tvmscript.ir.core import TVMScriptError

_NOTES: Final[ContextVar[list[str] | None]] = ContextVar("notes", default=None)


@contextmanager
def observed() -> Generator[list[str]]:
    """Collect what is observed inside, each as a word and a digest."""
    notes: list[str] = []
    token = _NOTES.set(notes)
    try:
        yield notes
    finally:
        _NOTES.reset(token)


def is_observed() -> bool:
    """Return whether somebody collects: checks leave out what only compares values, and takes long."""
    return _NOTES.get() is not None


def observe(word: str, text: Callable[..., str], *args: Any, **options: Any) -> None:
    """Note what a function returns, which is called only where somebody collects."""
    notes = _NOTES.get()
    if notes is not None:
        notes.append(
            f"{word} {hashlib.sha256(text(*args, **options).encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
        )


def observe_error(error: Exception) -> None:
    """Note an error: its code, and the texts with places and hints. Raises `TakesTooLong`, which is no outcome."""
    if isinstance(error, TakesTooLong):
        raise error
    if isinstance(error, TVMScriptError):
        observe(error.code, lambda: "\n".join(map(_render, error.errors)))
    else:
        observe(type(error).__name__, str, error)


def _render(error: TVMScriptError) -> str:
    """Write an error; lines of files of the package, which move, are left out."""
    is_of_text = error.span is None or error.span.source.name.startswith("<")
    return error.render_alone() if is_of_text else f"{error.text} {error.hint}"
