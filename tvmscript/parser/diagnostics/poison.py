"""Poisoned names: the definition of the name failed, so errors that use it are not reported."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from tvmscript.parser.names.namespace import Namespace


class Poison:
    """Value of a name whose definition failed."""

    __slots__ = ()


POISON: Final = Poison()


def nodes_of_statement(stmt: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement, without the statements nested in it."""
    stack = [stmt]
    while stack:
        node = stack.pop()
        yield node
        stack += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


def uses_poison(stmt: ast.AST, names: Mapping[str, object]) -> bool:
    """Whether a statement uses a poisoned name."""
    return any(_is_poison(_lookup(node, names)) for node in nodes_of_statement(stmt))


def _lookup(node: ast.AST, names: Mapping[str, object]) -> object:
    """Return the value of a name or of a member of a namespace."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = names.get(node.value.id)
        return owner.table.get(node.attr) if isinstance(owner, Namespace) else None
    return None


def _is_poison(value: object) -> bool:
    return value is POISON or (isinstance(value, (tuple, list)) and any(_is_poison(item) for item in value))


def defined_names(stmt: ast.AST) -> Iterable[str]:
    """Return the names that a statement defines."""
    if isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [stmt.name]
    if isinstance(stmt, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.partition(".")[0] for alias in stmt.names]
    return [
        node.id for node in nodes_of_statement(stmt) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
