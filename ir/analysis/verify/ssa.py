"""Check that each variable has a single definition."""

from __future__ import annotations

from tvmscript.ir.analysis.errors import NotSSA
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import Node, Visitor, on
from tvmscript.ir.core.errors import together
from tvmscript.ir.tir import AttrStmt, Block, Buffer, Expr, Let, PrimFunc, Stmt, Var
from tvmscript.ir.tir.scopes import bound_vars


def verify_ssa(func: PrimFunc) -> bool:
    """Return whether no variable is defined twice; `Let` may bind one again to the same value."""
    return not _repeated_definitions(func)


def assert_ssa(func: PrimFunc) -> None:
    """Raise `NotSSA` for each variable that is defined twice."""
    if errors := [NotSSA(name=var.name, span=node.span or func.span) for var, node in _repeated_definitions(func)]:
        raise together(errors)


def _repeated_definitions(func: PrimFunc) -> list[tuple[Var, Node]]:
    walk = _Definitions()
    for param in func.params:
        walk.add(param, func)
    for buffer in func.buffer_map.values():
        walk.matched(buffer)
    walk.visit(func.body)
    return walk.repeated


class _Definitions(Visitor):
    def __init__(self) -> None:
        #: variable -> what it stands for; itself where that is not an expression
        self.known: dict[Var, Expr] = {}
        self.repeated: list[tuple[Var, Node]] = []

    def add(self, var: Var, where: Node, value: Expr | None = None) -> None:
        """A definition; with a value it may be there already with the same one."""
        old_value = self.known.get(var)
        if old_value is None:
            self.known[var] = var if value is None else value
        elif value is None or not expr_deep_equal(old_value, value):
            self.repeated.append((var, where))

    def matched(self, buffer: Buffer) -> None:
        """Add the definitions of a parameter's buffer: its data and the variables of its layout."""
        for part in (buffer.data, *buffer.shape, *buffer.strides, buffer.elem_offset):
            if isinstance(part, Var):
                self.known.setdefault(part, part)

    def define(self, name: object) -> None:
        """Definitions are looked at where they stand."""

    @on(Let)
    def let(self, node: Let) -> None:
        self.add(node.var, node, node.value)
        self.walk(node)

    @on(Stmt)
    def statement(self, node: Stmt) -> None:
        for var in bound_vars(node):
            self.add(var, node)
        self.walk(node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        """A thread may be launched again: it is the same one."""
        self.visit(node.value)
        self.visit(node.body)

    @on(Block)
    def block(self, node: Block) -> None:
        for axis in node.iter_vars:
            self.add(axis.var, node)
        for buffer in node.alloc_buffers:
            self.add(buffer.data, node)
        for match in node.match_buffers:
            self.matched(match.buffer)
        self.walk(node)
