"""Libraries that front ends use where they are installed."""

from __future__ import annotations

import importlib
from typing import Any

from tvmscript.frontend.errors import MissingLibrary


def load_library(name: str, what: str) -> Any:
    """Import an optional library for the function `what`. Raises `MissingLibrary`."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingLibrary(what=what, library=name.partition(".")[0]) from error
