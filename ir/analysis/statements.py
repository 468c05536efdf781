"""The statements of a program, without looking into expressions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tvmscript.ir.tir.base import Stmt


def statements(root: Stmt) -> Iterator[Stmt]:
    """A statement and all inside of it, those around others first."""
    stack: list[Any] = [root]
    while stack:
        node = stack.pop()
        yield node
        for name in reversed(node.schema.walked):
            value = getattr(node, name)
            if isinstance(value, Stmt):
                stack.append(value)
            elif isinstance(value, tuple):
                stack += [each for each in reversed(value) if isinstance(each, Stmt)]
