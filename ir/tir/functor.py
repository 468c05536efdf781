"""Visit and transform statements with callbacks: TVM's `stmt_functor`.

Passes of the package are classes of rules (`TirRewriter`, `Visitor`); these are for a few lines in a user's program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from tvmscript.ir.core import Node, Rewriter, UnknownName, WrongType, closest, on
from tvmscript.ir.tir import expr, stmt
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import SeqStmt
from tvmscript.ir.tir.substitute import substitute as substituted
from tvmscript.ir.tir.var import Var

N = TypeVar("N", bound=Node)
Change = Callable[[Any], Node | None]


def _kinds() -> dict[str, type[Node]]:
    """Return the classes that `only_enable` may name: `tir.For`, `tir.BufferLoad`, ..."""
    classes = [item for room in (expr, stmt) for item in vars(room).values() if isinstance(item, type)]
    return {f"tir.{item.__name__}": item for item in classes if issubclass(item, (Expr, Stmt))}


def ir_transform(
    stmt: N, preorder: Change | None, postorder: Change | None, only_enable: Sequence[str] | None = None
) -> N:
    """Transform the statements and expressions of a program with two callbacks.

    `preorder` gets each before its parts are looked at: what it returns stands instead, with no further look inside;
    None goes on. `postorder` gets each after its parts were changed: what it returns stands instead, None keeps it.
    `only_enable` names the kinds that are shown to them, such as `["tir.For", "tir.BufferLoad"]`; all without it. The
    same object is returned where nothing changed.

    Raises `UnknownName` for a kind that does not exist, `WrongType` for a function that returns no node.
    """
    kinds = _kinds()
    for name in only_enable or ():
        if name not in kinds:
            raise UnknownName(kind="kind of node", name=name, hint=closest(name, kinds))
    enabled = tuple([kinds[name] for name in only_enable]) if only_enable is not None else (Expr, Stmt)
    transformed: N = _Transformer(preorder, postorder, enabled).rewrite(stmt)
    return transformed


class _Transformer(Rewriter):
    def __init__(self, before: Change | None, after: Change | None, shown: tuple[type[Node], ...]) -> None:
        super().__init__()
        self.before, self.after, self.shown = before, after, shown

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        parts = self.value(node.seq)
        return node if parts is node.seq else flatten_seq(parts, node)

    def rewrite(self, node: Node) -> Any:
        return self.value(node)

    def value(self, value: object) -> Any:
        """Rewrite the value of a field, calling the callbacks on its nodes."""
        if not isinstance(value, self.shown):
            return super().value(value)
        replacement = _apply(self.before, value)
        if replacement is not None:
            return replacement
        rewritten = super().value(value)
        replacement = _apply(self.after, rewritten)
        return rewritten if replacement is None else replacement


def _apply(change: Change | None, node: Node) -> Node | None:
    """Call a callback of the user on a node and check its result."""
    replacement = None if change is None else change(node)
    if replacement is not None and not isinstance(replacement, Node):
        raise WrongType(
            where="ir_transform", expected="a node, or None to keep it", got=repr(replacement), span=node.span
        )
    return replacement


def post_order_visit(stmt: Node, fvisit: Callable[[Any], object]) -> None:
    """Call a function with each statement and expression of a program once, parts before what they are part of."""
    seen: set[Node] = set()
    stack: list[tuple[Node, bool]] = [(stmt, False)]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            fvisit(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack += [(part, False) for part in reversed(_parts(node))]


def pre_order_visit(stmt: Node, fvisit: Callable[[Any], bool]) -> None:
    """Call a function with each statement and expression before its parts, which it leaves out by returning False."""
    seen: set[Node] = set()
    stack: list[Node] = [stmt]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            if fvisit(node):
                stack += reversed(_parts(node))


def _parts(node: Node) -> list[Node]:
    """Return the nearest statements and expressions inside a node, without definitions of names."""
    parts: list[Node] = []
    if node.is_name:
        return parts
    stack: list[tuple[Any, bool]] = [(node, False)]
    while stack:
        item, is_definition = stack.pop()
        if isinstance(item, (Expr, Stmt)) and item is not node:
            if not is_definition:
                parts.append(item)
        elif isinstance(item, Node):
            if not item.is_name:
                stack += [(part, False) for part in reversed(item.schema.parts_of(item))]
                stack += [(part, True) for part in reversed(item.schema.bound_by(item))]
        elif isinstance(item, (tuple, list)):
            stack += [(part, is_definition) for part in reversed(item)]
        elif isinstance(item, dict):
            stack += [(part, is_definition) for part in reversed(item.values())]
    return parts


def substitute(node: N, vmap: Mapping[Var, object]) -> N:
    """The program with expressions or numbers in the places of variables. Raises `WrongType`."""
    return substituted(node, {var: _value(var, value) for var, value in vmap.items()})


def _value(var: Var, value: object) -> Node:
    if isinstance(value, Node):
        return value
    return as_expr(value, var.dtype)
