"""Walks over the statements of a program that skip expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, Final

from tvmscript.ir.core import Visitor
from tvmscript.ir.core.dispatch import ClassTable
from tvmscript.ir.core.node import Node, Schema
from tvmscript.ir.tir import Stmt


def _getter_of_statements(cls: Any) -> Callable[[Any], Any] | None:
    """Return what gets the statements in a node: one, None, or a tuple of them; None where the class has none."""
    schema: Schema = cls.schema
    return attrgetter(*schema.bodies) if schema.bodies else None


_inside: Final = ClassTable(_getter_of_statements)


class StatementVisitor(Visitor):
    """A visitor of statements that does not enter expressions."""

    def walk(self, node: Node) -> None:
        get = _inside[node.__class__]
        if get is not None:
            held = get(node)
            if held.__class__ is tuple:
                self._items(held)
            else:
                self._value(held)


def statements(root: Stmt) -> Iterator[Stmt]:
    """Return a statement and all statements inside it, outer ones first."""
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
