"""Fragments of Relax: a value, struct info, a binding, a binding block, a branch, a sequence.

    n = T.int64()
    x: R.Tensor((n, 4), "float32")
    R.add(x, x)

Annotations without a value declare free variables. Bindings followed by a value are a sequence; a single binding is
that binding, several are a block. With `pass`, `b = R.exp(a)` is a block and `a` is a sequence.
"""

from __future__ import annotations

import ast
from typing import Final

from tvmscript.ir.core import Node
from tvmscript.ir.relax.expr import BindingBlock, If, SeqExpr
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.diagnostics.errors import NoStatement, UnsupportedSyntax
from tvmscript.parser.diagnostics.report import Reported
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.relax.builtins.struct_info import PendingStructInfo, resolve_struct_info
from tvmscript.parser.relax.function import RelaxParser


class RelaxFragmentParser(RelaxParser):
    """Parses the statements of a fragment."""

    def fragment(self, nodes: list[ast.stmt]) -> Node:
        """Return the node that the statements describe. Raises `Reported`."""
        #: final statements of the text and of its last branches
        self.ends = _ends(nodes[-1])
        self.values: dict[ast.stmt, object] = {}
        self.splice(nodes)
        if self.failures:
            raise Reported
        value, body = self.values.get(nodes[-1]), self.bindings.body
        body.close()
        passes = any(isinstance(node, ast.Pass) for node in nodes)
        if not body.blocks and value is not None and not passes:
            return self.as_node(value, nodes[-1])
        if value is not None:
            return self.bindings.finished(self.as_value(value, self.span(nodes[-1])))
        if not body.blocks and passes:
            return BindingBlock(())
        if len(body.blocks) != 1:
            hint = "end it with a value" if body.blocks else None
            raise UnsupportedSyntax(what="a fragment without a value", span=self.span(nodes[-1]), hint=hint)
        (block,) = body.blocks
        is_binding = type(block) is BindingBlock and len(block.bindings) == 1 and not passes
        return block.bindings[0] if is_binding else block

    def as_node(self, value: object, node: object) -> Node:
        """Convert a value to a node. Raises `NoStatement`."""
        if isinstance(value, (Builtin, PendingStructInfo)):
            value = resolve_struct_info(self, value, self.span(node)) or value
        elif isinstance(value, (tuple, list, bool, int, float, str)):
            value = self.as_value(value, self.span(node))
        if not isinstance(value, Node):
            raise NoStatement(what=describe(value), span=self.span(node))
        return value

    def value_alone(self, node: ast.Expr) -> None:
        """Parse an expression statement; at the end of the text or of a branch it is the value of that."""
        if node not in self.ends:
            self.expression_statement(node)
        else:
            self.values[node] = self.value(node.value)

    def chosen(self, node: ast.If) -> None:
        """Parse an if statement; it is a value if its branches end with values."""
        if node not in self.ends or not node.orelse or not isinstance(node.body[-1], ast.Expr):
            self.conditional(node)
            return
        condition = self.as_value(self.value(node.test), self.span(node.test))
        parts = [self.part(nodes) for nodes in (node.body, node.orelse)]
        self.values[node] = If(condition, parts[0], parts[1], span=self.span(node))

    def part(self, nodes: list[ast.stmt]) -> SeqExpr:
        """Parse a branch that ends with a value."""
        mark = self.scope.enter()
        with self.bindings.elsewhere():
            self.splice(nodes)
            if nodes[-1] not in self.values:
                raise Reported
            seq = self.bindings.finished(self.as_value(self.values[nodes[-1]], self.span(nodes[-1])))
        self.scope.leave(mark)
        return seq


RelaxFragmentParser.handlers = {
    **RelaxParser.handlers,
    ast.Expr: RelaxFragmentParser.value_alone,
    ast.If: RelaxFragmentParser.chosen,
}
PARSERS: Final = {"fragment": RelaxFragmentParser}


def _ends(node: ast.stmt) -> frozenset[ast.stmt]:
    """Return the last statement and, in an if statement, those of its branches."""
    if not isinstance(node, ast.If) or not node.orelse:
        return frozenset((node,))
    return frozenset((node, *_ends(node.body[-1]), *_ends(node.orelse[-1])))
