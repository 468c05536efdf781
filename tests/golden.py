"""Expected texts that are kept in files, and written anew on request: read what is written before you commit it."""

from __future__ import annotations

import os


def is_updating() -> bool:
    """Whether `UPDATE_GOLDEN=1 pytest` was said: expected texts are written, and not compared."""
    return os.environ.get("UPDATE_GOLDEN", "0") == "1"
