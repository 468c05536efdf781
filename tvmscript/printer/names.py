"""Names: each variable, buffer and function has one name in the scope it is defined in.

TVM's scheme: the hint with other characters as `_`, then `_1`, `_2`, ... until it is free. What Python
or the text itself needs (keywords, `range`, the prefixes) counts as taken.
"""

from __future__ import annotations

import keyword
import re
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


def unused(hint: str, taken: set[str]) -> str:
    """The first of `hint`, `hint_1`, `hint_2`, ... that is not taken."""
    name, number = hint, 0
    while name in taken:
        number += 1
        name = f"{hint}_{number}"
    return name
