"""Widths of padding for windows of kernels."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.topi.common import as_list
from tvmscript.ir.topi.errors import InvalidOperand


def each(value: Any, count: int, where: str) -> list[Any]:
    """Return a value for each dimension of a window."""
    values = as_list(value)
    if len(values) not in (1, count):
        raise InvalidOperand(where=where, reason=f"{len(values)} values are given for {count} dimensions")
    return values * count if len(values) == 1 else values


def pad_tuple(padding: Any, kernel: Any, where: str) -> tuple[list[Any], list[Any]]:
    """Return how far each dimension is padded before and after: of one or two values for each, "VALID" or "SAME"."""
    count = len(kernel)
    if padding == "VALID":
        return [0] * count, [0] * count
    if padding == "SAME":
        both = [extent - 1 for extent in kernel]
        before = [(width + 1) // 2 for width in both]
        return before, [width - head for width, head in zip(both, before, strict=True)]
    values = as_list(padding)
    if len(values) == 2 * count:
        return values[:count], values[count:]
    if len(values) in (1, count):
        heads = each(values if len(values) > 1 else values[0], count, where)
        return heads, heads
    raise InvalidOperand(where=where, reason=f"the padding {padding!r} has no widths for {count} dimensions")
