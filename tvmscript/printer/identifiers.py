"""Unique names, in TVM's scheme: the hint with other characters as `_`, then with `_1`, `_2`, ...

Python's keywords and `range`, and the prefixes of the language, are taken.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from functools import lru_cache

#: Python's keywords, and names that every text may use
RESERVED = frozenset([*keyword.kwlist, "range"])

_OTHER = re.compile(r"[^A-Za-z0-9_]")


@lru_cache(maxsize=4096)
def identifier(hint: str) -> str:
    """Return the hint as a Python identifier; other characters become one `_` a byte, as in TVM."""
    if hint.isidentifier() and hint.isascii():
        return hint
    cleaned = _OTHER.sub(lambda match: "_" * len(match[0].encode("utf-8", "surrogatepass")), hint)
    return f"_{cleaned}" if cleaned[:1].isdigit() else cleaned


def unused(hint: str, taken: set[str], lines: Sequence[str] = ()) -> str:
    """Return the first of `hint`, `hint_1`, `hint_2`, ... that is neither taken nor used in the lines."""
    text = "\n".join(lines)
    name, number = hint, 0
    while name in taken or (name in text and _is_used(name, text)):
        number += 1
        name = f"{hint}_{number}"
    return name


def _is_used(name: str, text: str) -> bool:
    """Whether a text uses a name otherwise than as an attribute, string, keyword argument or function."""
    return re.search(rf"""(?<![\w."']){name}(?![\w"'=(])""", text) is not None
