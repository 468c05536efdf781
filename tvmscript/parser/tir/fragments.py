"""Parts of programs as texts: an expression, a statement, a block, a region, a type, with their free names declared.

    i = T.int32()
    A = T.Buffer((16,))
    A[i] + T.float32(1)

The last statement says what it is: a value alone is that value, anything else is a statement with all before it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from tvmscript.ir.core.node import Node
from tvmscript.ir.core.types import PointerType, TupleType
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import Var, type_of
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.diagnostics.errors import NoStatement
from tvmscript.parser.diagnostics.report import Reported
from tvmscript.parser.frames import BlockFrame, Frame
from tvmscript.parser.names.lazy_table import LazyTable
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.source.tree import SourceTree
from tvmscript.parser.tir.body import STATEMENTS
from tvmscript.parser.tir.function import FunctionParser

if TYPE_CHECKING:
    from tvmscript.parser.programs import ProgramReader

#: what reads those of the graph level
_GRAPH = LazyTable("tvmscript.parser.relax.fragments", "READERS")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_STATEMENTS = (ast.Expr, ast.For, ast.While, ast.If, ast.With, ast.Assert, ast.Return, ast.AugAssign)


def is_fragment(tree: SourceTree) -> bool:
    """Whether a text is a part of a program: it defines neither a function nor a class, and says something."""
    body = [node for node in tree.tree.body if not is_metadata(node)]
    if not body or any(isinstance(node, _DEFINITIONS) for node in body):
        return False
    last = body[-1]
    return (
        isinstance(last, _STATEMENTS)
        or _is_empty(tree.tree)
        or _stores(last)
        or _matches_buffer(last)
        or _is_graph(tree.tree)
    )


def _is_graph(tree: ast.Module) -> bool:
    """Whether a text says `R.`, and `R` is no name of its own; `x: None` declares something of the graph level too."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "R"]
    if names:
        return all(isinstance(node.ctx, ast.Load) for node in names)
    return _is_empty(tree) or any(isinstance(node, ast.AnnAssign) and node.value is None for node in tree.body)


def _is_empty(tree: ast.Module) -> bool:
    """`pass` alone: a block without bindings."""
    return len(tree.body) == 1 and isinstance(tree.body[0], ast.Pass)


def is_metadata(node: ast.stmt) -> bool:
    """Whether a statement is the section with a text's constants: `metadata = ...`."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    return isinstance(target, ast.Name) and target.id == "metadata"


def _stores(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)


def _matches_buffer(node: ast.stmt) -> bool:
    """`C = T.match_buffer(A[0:4], (4,))`"""
    call = node.value if isinstance(node, ast.Assign) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "match_buffer"


def read_fragment(reader: ProgramReader) -> Node:
    """The part of a program that a text says. Raises `Reported` where errors of it are in the report."""
    body = reader.read_metadata()
    for node in body:
        if isinstance(node, _IMPORTS):
            reader.attempt(node, reader.statement, node)
    kind: Any = _GRAPH["fragment"] if _is_graph(reader.tree.tree) else FragmentParser
    found: Node = reader.function_parser(kind).fragment([node for node in body if not isinstance(node, _IMPORTS)])
    if reader.report.errors:
        raise Reported
    return found


class FragmentParser(FunctionParser):
    """Reads the statements of a text that stand in no function."""

    #: the statement that says what the fragment is, and its value where that is no statement
    last: ast.stmt
    value_found: Node | None = None

    def fragment(self, nodes: list[ast.stmt]) -> Node:
        """What the statements are together."""
        self.last = nodes[-1]
        # names that are declared stay as they are
        self.is_printed = True
        outside = BlockFrame("", False, self.span(nodes[-1]), _no_block)
        if _matches_buffer(nodes[-1]):
            self.blocks.append(outside)
        body = self.body(nodes)
        if outside.match_buffers:
            return outside.match_buffers[-1]
        return self.value_found if self.value_found is not None else body

    def last_expression(self, node: Any) -> None:
        """A value alone: at the end, with nothing but declarations before it, the fragment is that value."""
        value = self.value(node.value)
        if node is not self.last or self.depth > 1 or self.statements or isinstance(value, Frame | Stmt):
            self.stand_alone(value, node)
        else:
            self.value_found = self.as_node(value, node)

    def as_node(self, value: Any, node: Any) -> Node:
        """A value as a part of a program. Raises `NoStatement` for what is none."""
        if isinstance(value, Builtin):
            made = self.call_builtin(node.value, value, [], {})
            value = type_of(made) if isinstance(made, Var) else made
        elif isinstance(value, Var) and value.name == "" and isinstance(value.type_annotation, PointerType):
            value = value.type_annotation
        elif value is None:
            value = TupleType(())
        elif isinstance(value, bool | int | float | str):
            value = self.as_expr(value, node)
        if not isinstance(value, Node):
            raise NoStatement(what=describe(value), span=self.span(node))
        return value


FragmentParser.handlers = {**STATEMENTS, ast.Expr: FragmentParser.last_expression}


def _no_block(frame: BlockFrame, parser: Any, body: Stmt) -> Stmt:
    """What a block would be made of: here it only takes in what is matched."""
    return body
