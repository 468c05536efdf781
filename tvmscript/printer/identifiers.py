"""Names: each variable, buffer and function has one name in the scope it is defined in.

TVM's scheme: the hint with other characters as `_`, then `_1`, `_2`, ... until it is free. What Python
or the text itself needs (keywords, `range`, the prefixes) counts as taken.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from functools import lru_cache

#: names that the text itself uses or that Python keeps for itself
RESERVED = frozenset([*keyword.kwlist, "range"])

_OTHER = re.compile(r"[^A-Za-z0-9_]")


@lru_cache(maxsize=4096)
def identifier(hint: str) -> str:
    """The hint as a Python identifier; other characters become `_` byte by byte, as in TVM."""
    if hint.isidentifier() and hint.isascii():
        return hint
    cleaned = _OTHER.sub(lambda found: "_" * len(found[0].encode("utf-8", "surrogatepass")), hint)
    return f"_{cleaned}" if cleaned[:1].isdigit() else cleaned


def unused(hint: str, taken: set[str], lines: Sequence[str] = ()) -> str:
    """The first of `hint`, `hint_1`, `hint_2`, ... that is not taken, and does not stand in lines of a script."""
    text = "\n".join(lines)
    name, number = hint, 0
    while name in taken or (name in text and _stands_in(name, text)):
        number += 1
        name = f"{hint}_{number}"
    return name


def _stands_in(name: str, text: str) -> bool:
    """Whether a name is in a text: no attribute, no part of a string, not before the `=` of an argument, not called."""
    return re.search(rf"""(?<![\w."']){name}(?![\w"'=(])""", text) is not None
