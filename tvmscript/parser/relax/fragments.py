"""Parts of programs of the graph level: a value, struct info, a binding, a block of bindings, a branch, a sequence.

    n = T.int64()
    x: R.Tensor((n, 4), "float32")
    R.add(x, x)

Free variables are declared by annotations without a value. Bindings that a value follows are a sequence; one binding
alone is that binding, several are a block. `pass` stands where there are fewer: `b = R.exp(a)` and `pass` are a block,
`pass` and `a` are a sequence.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from tvmscript.ir.core.node import Node
from tvmscript.ir.relax.expr import BindingBlock, If, SeqExpr
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.diagnostics.errors import NoStatement, UnsupportedSyntax
from tvmscript.parser.diagnostics.report import Reported
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.relax.builtins.struct_info import PendingStructInfo, resolve_struct_info
from tvmscript.parser.relax.function import RelaxParser


class RelaxFragmentParser(RelaxParser):
    """Reads the statements of a text that stand in no function."""

    def fragment(self, nodes: list[ast.stmt]) -> Node:
        """What the statements are together. Raises `Reported` where errors of them are in the report."""
        #: the values at the ends of the text and of its last branches, which are bound to nothing
        self.ends = _ends(nodes[-1])
        self.found: dict[ast.stmt, Any] = {}
        self.splice(nodes)
        if self.failures:
            raise Reported
        value, body = self.found.get(nodes[-1]), self.bindings.body
        body.close()
        passes = any(isinstance(node, ast.Pass) for node in nodes)
        if not body.blocks and value is not None and not passes:
            return self.as_node(value, nodes[-1])
        if value is not None:
            return self.bindings.finished(self.as_value(value, self.span(nodes[-1])))
        if not body.blocks and passes:
            return BindingBlock(())
        if len(body.blocks) != 1:
            hint = "let it end with a value" if body.blocks else None
            raise UnsupportedSyntax(what="a part of a program without a value", span=self.span(nodes[-1]), hint=hint)
        (block,) = body.blocks
        is_binding = type(block) is BindingBlock and len(block.bindings) == 1 and not passes
        return block.bindings[0] if is_binding else block

    def as_node(self, value: Any, node: Any) -> Node:
        """A value as a part of a program. Raises `NoStatement` for what is none."""
        if isinstance(value, Builtin | PendingStructInfo):
            value = resolve_struct_info(self, value, self.span(node)) or value
        elif isinstance(value, tuple | list | bool | int | float | str):
            value = self.as_value(value, self.span(node))
        if not isinstance(value, Node):
            raise NoStatement(what=describe(value), span=self.span(node))
        return value

    def value_alone(self, node: Any) -> None:
        """A value: at an end it is what the text, or the branch, gives."""
        if node not in self.ends:
            self.expression_statement(node)
        else:
            self.found[node] = self.value(node.value)

    def chosen(self, node: Any) -> None:
        """A branch: one whose parts end with values is a value itself."""
        if node not in self.ends or not node.orelse or not isinstance(node.body[-1], ast.Expr):
            self.conditional(node)
            return
        condition = self.as_value(self.value(node.test), self.span(node.test))
        parts = [self.part(nodes) for nodes in (node.body, node.orelse)]
        self.found[node] = If(condition, parts[0], parts[1], span=self.span(node))

    def part(self, nodes: list[ast.stmt]) -> SeqExpr:
        """One of the two parts of a branch that is a value."""
        mark = self.scope.enter()
        with self.bindings.elsewhere():
            self.splice(nodes)
            if nodes[-1] not in self.found:
                raise Reported
            made = self.bindings.finished(self.as_value(self.found[nodes[-1]], self.span(nodes[-1])))
        self.scope.leave(mark)
        return made


RelaxFragmentParser.handlers = {
    **RelaxParser.handlers,
    ast.Expr: RelaxFragmentParser.value_alone,
    ast.If: RelaxFragmentParser.chosen,
}
PARSERS: Final = {"fragment": RelaxFragmentParser}


def _ends(node: ast.stmt) -> frozenset[ast.stmt]:
    """The statements that the text ends with: the last one, and the last ones in its branches."""
    if not isinstance(node, ast.If) or not node.orelse:
        return frozenset((node,))
    return frozenset((node, *_ends(node.body[-1]), *_ends(node.orelse[-1])))
