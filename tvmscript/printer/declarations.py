"""Scopes for the declarations of undefined names: the innermost scope that holds all uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tvmscript.ir.core import BaseFunc, Node, Visitor, nodes
from tvmscript.ir.tir import IntImm, Stmt

_SCOPES: Final = (Stmt, BaseFunc)


class Scope:
    """A statement or function, and the scope around it."""

    __slots__ = ("depth", "node", "outer")

    def __init__(self, node: Node | None, outer: Scope | None) -> None:
        self.node = node
        self.outer = outer
        self.depth: int = 0 if outer is None else outer.depth + 1


def common_scopes(root: Node) -> dict[Node, Scope]:
    """Return the innermost scope that holds all occurrences, for each variable and buffer of a program."""
    scopes: dict[Node, Scope] = {}
    _collect(root, Scope(None, None), scopes)
    return scopes


def _collect(value: object, scope: Scope, scopes: dict[Node, Scope]) -> None:
    if isinstance(value, Node):
        if value.is_name:
            previous = scopes.get(value)
            if previous is None:
                scopes[value] = scope
            else:
                shared = _common_scope(previous, scope)
                if shared is previous:
                    return  # the parts of a buffer already have a scope this far out
                scopes[value] = scope = shared
        elif value.has_lines or isinstance(value, _SCOPES):
            scope = Scope(value, scope)
        for part in reversed(value.schema.last_parts_first(value)):
            if part is not None and part.__class__ is not IntImm:
                _collect(part, scope, scopes)
    elif isinstance(value, (tuple, list)):
        for item in value:
            if item.__class__ is not IntImm:
                _collect(item, scope, scopes)
    elif isinstance(value, dict):
        for key, item in value.items():
            _collect(key, scope, scopes)
            _collect(item, scope, scopes)


def _common_scope(a: Scope, b: Scope) -> Scope:
    """Return the innermost scope around both."""
    while a is not b:
        if a.depth >= b.depth:
            assert a.outer is not None
            a = a.outer
        else:
            assert b.outer is not None
            b = b.outer
    return a


def bound_names(root: Node) -> set[Node]:
    """Return the variables and buffers that a function defines, those in its attributes included."""
    collector = _DefinitionCollector()
    collector.visit(root)
    for attribute in getattr(root, "attrs", {}).values():
        collector.names |= {node for node in _nodes_in(attribute) if node.is_name}
    return collector.names


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield from nodes(value)
    elif isinstance(value, (tuple, list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _nodes_in(item)


class _DefinitionCollector(Visitor):
    """Collect defined names; a buffer defines the variables in its shape, strides, offset and data as well."""

    def __init__(self) -> None:
        self.names: set[Node] = set()

    def define(self, name: Node) -> None:
        self.names.update(node for node in nodes(name) if node.is_name)
