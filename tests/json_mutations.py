"""JSON values that are damaged in one place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

#: what is put in the place of a part
VALUES: list[Any] = [
    None, True, -1, 0, 7, 10**9, 10**30, 0.5, 1e300, float("inf"), float("nan"),
    "", "x", "None", "b0", "{", "[]", "\x1b[31m", [], {}, [[]], [None, None], {"old": []}, {"new": "Var"},
]  # fmt: skip
DEEP = "[" * 100_000 + "]" * 100_000


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def damaged(value: Any) -> Iterator[Any]:
    """Yield the value with each part replaced, left out, or given twice."""
    for replacement in (*VALUES, nested(400)):
        if type(replacement) is not type(value) or replacement != value:
            yield replacement
    if isinstance(value, dict):
        for key in value:
            yield {other: item for other, item in value.items() if other != key}
            yield from ({**value, key: changed} for changed in damaged(value[key]))
        yield {**value, "more": 1}
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield [*value[:place], *value[place + 1 :]]
            yield [*value[: place + 1], *value[place:]]
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in damaged(item))
