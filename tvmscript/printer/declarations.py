"""Where names that nothing defines are declared: the innermost scope that holds all their uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tvmscript.ir.core.module import BaseFunc
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import Visitor, nodes
from tvmscript.ir.tir.base import Stmt


class Scope:
    """A statement or function, and the scope around it."""

    __slots__ = ("depth", "node", "outer")

    def __init__(self, node: Node | None, outer: Scope | None) -> None:
        self.node = node
        self.outer = outer
        self.depth: int = 0 if outer is None else outer.depth + 1


def common_scopes(root: Node) -> dict[Node, Scope]:
    """For each variable and buffer of a program: the innermost scope that holds all its occurrences."""
    scopes: dict[Node, Scope] = {}
    _collect(root, Scope(None, None), scopes)
    return scopes


def _collect(value: Any, scope: Scope, scopes: dict[Node, Scope]) -> None:
    if isinstance(value, Node):
        if value.is_name:
            known = scopes.get(value)
            if known is None:
                scopes[value] = scope
            else:
                shared = _shared(known, scope)
                if shared is known:
                    return  # what a buffer consists of was seen at least this far out
                scopes[value] = scope = shared
        elif isinstance(value, Stmt | BaseFunc) or value.has_lines:
            scope = Scope(value, scope)
        for name in value.schema.walked:
            part = getattr(value, name)
            if part is not None:
                _collect(part, scope, scopes)
    elif isinstance(value, tuple | list):
        for item in value:
            _collect(item, scope, scopes)
    elif isinstance(value, dict):
        for key, item in value.items():
            _collect(key, scope, scopes)
            _collect(item, scope, scopes)


def _shared(a: Scope, b: Scope) -> Scope:
    """The innermost scope around both."""
    while a is not b:
        if a.depth >= b.depth:
            assert a.outer is not None
            a = a.outer
        else:
            assert b.outer is not None
            b = b.outer
    return a


def bound_names(root: Node) -> set[Node]:
    """The variables and buffers that a function defines, its own attributes' names among them."""
    collector = _Bound()
    collector.visit(root)
    for facts in getattr(root, "attrs", {}).values():
        collector.found |= {item for item in _values(facts) if item.is_name}
    return collector.found


def _values(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield from nodes(value)
    elif isinstance(value, tuple | list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _values(item)


class _Bound(Visitor):
    """Collects what is introduced; a buffer brings the variables of its shape, strides, offset and data."""

    def __init__(self) -> None:
        self.found: set[Node] = set()

    def define(self, name: Node) -> None:
        self.found.update(item for item in nodes(name) if item.is_name)
