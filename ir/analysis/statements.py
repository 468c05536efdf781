"""The statements of a program, without looking into expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final

from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import Visitor
from tvmscript.ir.tir.base import Stmt

#: how the types of fields that hold statements are written
_STATEMENTS: Final = frozenset({"Stmt", "Block"})


class _Inside(dict[type, "Callable[[Any], Any] | None"]):
    """class -> what gets the statements of one: a statement, a sequence, None, or a tuple of these; None for leaves."""

    def __missing__(self, cls: Any) -> Callable[[Any], Any] | None:
        words = {each.name: re.findall(r"\w+", str(each.type)) for each in fields(cls)}
        names = [name for name, written in words.items() if not _STATEMENTS.isdisjoint(written)]
        found = self[cls] = attrgetter(*names) if names else None
        return found


_inside: Final = _Inside()


class StatementVisitor(Visitor):
    """Looks at statements alone: values are not entered."""

    def walk(self, node: Node) -> None:
        get = _inside[node.__class__]
        if get is not None:
            held = get(node)
            if held.__class__ is tuple:
                self._items(held)
            else:
                self._value(held)


def statements(root: Stmt) -> Iterator[Stmt]:
    """A statement and all inside of it, those around others first."""
    stack: list[Any] = [root]
    pop = stack.pop
    while stack:
        item = pop()
        if item.__class__ is tuple:
            stack += item[::-1]
        elif item is not None:
            yield item
            get = _inside[item.__class__]
            if get is not None:
                stack.append(get(item))
