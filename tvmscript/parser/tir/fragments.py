"""Fragments of TIR: an expression, a statement, a block, a region, a type."""

from __future__ import annotations

import ast
from typing import Any

from tvmscript.ir.core import Node
from tvmscript.ir.core.types import PointerType, TupleType
from tvmscript.ir.tir import Stmt
from tvmscript.ir.tir.expr import Var, type_of
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.diagnostics.errors import NoStatement
from tvmscript.parser.frames import BlockFrame, Frame
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.tir.body import STATEMENTS
from tvmscript.parser.tir.function import FunctionParser


def is_match_buffer(node: ast.stmt) -> bool:
    """Whether a statement is `C = T.match_buffer(...)`."""
    call = node.value if isinstance(node, ast.Assign) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "match_buffer"


class FragmentParser(FunctionParser):
    """Parses the statements of a fragment."""

    #: the last statement, which decides what the fragment is
    last: ast.stmt
    #: the fragment, if it is a value
    last_value: Node | None = None

    def fragment(self, nodes: list[ast.stmt]) -> Node:
        """Return the node that the statements describe."""
        self.last = nodes[-1]
        # declared variables keep their names
        self.is_printed = self.keeps_names = True
        outside = BlockFrame("", False, self.span(nodes[-1]), _no_block)
        if is_match_buffer(nodes[-1]):
            self.blocks.append(outside)
        body = self.body(nodes)
        if outside.match_buffers:
            return outside.match_buffers[-1]
        return self.last_value if self.last_value is not None else body

    def last_expression(self, node: ast.Expr) -> None:
        """Parse an expression statement. The last one is the fragment if only declarations precede it."""
        value = self.value(node.value)
        if node is not self.last or self.depth > 1 or self.statements or isinstance(value, (Frame, Stmt)):
            self.stand_alone(value, node)
        else:
            self.last_value = self.as_node(value, node)

    def as_node(self, value: object, node: Any) -> Node:
        """Convert a value to a node. Raises `NoStatement`."""
        if isinstance(value, Builtin):
            result = self.call_builtin(node.value, value, [], {})
            value = type_of(result) if isinstance(result, Var) else result
        elif isinstance(value, Var) and value.name == "" and isinstance(value.pointer_type, PointerType):
            value = value.pointer_type
        elif value is None:
            value = TupleType(())
        elif isinstance(value, (bool, int, float, str)):
            value = self.as_expr(value, node)
        if not isinstance(value, Node):
            raise NoStatement(what=describe(value), span=self.span(node))
        return value


FragmentParser.handlers = {**STATEMENTS, ast.Expr: FragmentParser.last_expression}


def _no_block(frame: BlockFrame, body: Stmt) -> Stmt:
    """Return the body: the block only collects matched buffers."""
    return body
