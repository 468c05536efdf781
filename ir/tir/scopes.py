"""Operands, bound variables and bodies of a node, read from its schema.

The expressions of a statement are evaluated before its bodies run, and do not see the names that it binds.
"""

from __future__ import annotations

from collections.abc import Iterator

from tvmscript.ir.core import Node
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import Range
from tvmscript.ir.tir.var import Var


def operands(node: Node) -> Iterator[Expr]:
    """Return the expressions that a node evaluates itself, in the order of its fields."""
    for name in node.schema.values:
        yield from _exprs(getattr(node, name))


def _exprs(value: object) -> Iterator[Expr]:
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _exprs(item)
    elif isinstance(value, Range):
        yield value.min
        yield value.extent


def bound_vars(node: Node) -> list[Var]:
    """Return the variables that a node binds."""
    variables: list[Var] = []
    for value in node.schema.bound_by(node):
        if isinstance(value, Var):
            variables.append(value)
        elif type(value) is tuple:
            variables += [item for item in value if isinstance(item, Var)]
    return variables


def bodies(stmt: Stmt) -> Iterator[tuple[str, Stmt]]:
    """Return the statements that a statement runs, with their fields."""
    for name in stmt.schema.bodies:
        body = getattr(stmt, name)
        for item in body if isinstance(body, tuple) else (body,):
            if item is not None:
                yield name, item
