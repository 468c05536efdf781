"""Fragments: texts of a part of a program, with declarations of its free names.

    i = T.int32()
    A = T.Buffer((16,))
    A[i] + T.float32(1)

The last statement decides: a value alone is the fragment; otherwise the fragment is the statement sequence.
"""

from __future__ import annotations

import ast
from typing import Any

from tvmscript.ir.core import Node
from tvmscript.parser.diagnostics.errors import ValueTooLarge
from tvmscript.parser.diagnostics.report import Reported
from tvmscript.parser.names.lazy_table import LazyTable
from tvmscript.parser.programs import ProgramParser, is_metadata
from tvmscript.parser.source.tree import SourceTree
from tvmscript.parser.tir.fragments import FragmentParser, is_match_buffer

_RELAX_PARSERS = LazyTable("parsers of Relax fragments")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_STATEMENTS = (ast.Expr, ast.For, ast.While, ast.If, ast.With, ast.Assert, ast.Return, ast.AugAssign)


def is_fragment(tree: SourceTree) -> bool:
    """Whether a text is a fragment: it is not empty and defines neither functions nor classes."""
    body = [node for node in tree.tree.body if not is_metadata(node)]
    if not body or any(isinstance(node, _DEFINITIONS) for node in body):
        return False
    last = body[-1]
    return (
        isinstance(last, _STATEMENTS)
        or _is_pass(tree.tree)
        or (isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Subscript))
        or is_match_buffer(last)
        or _is_relax(tree.tree)
    )


def _is_relax(tree: ast.Module) -> bool:
    """Whether a fragment is one of Relax: it uses `R`, or declares a variable without a type (`x: None`)."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "R"]
    if names:
        return all(isinstance(node.ctx, ast.Load) for node in names)
    return _is_pass(tree) or any(isinstance(node, ast.AnnAssign) and node.value is None for node in tree.body)


def _is_pass(tree: ast.Module) -> bool:
    """Whether the text is `pass`: a binding block without bindings."""
    return len(tree.body) == 1 and isinstance(tree.body[0], ast.Pass)


def read_fragment(parser: ProgramParser) -> Node:
    """Return the node that a fragment describes. Raises `Reported`."""
    body = parser.read_metadata()
    for node in body:
        if isinstance(node, _IMPORTS):
            parser.attempt(node, parser.statement, node)
    cls: Any = _RELAX_PARSERS["fragment"] if _is_relax(parser.tree.tree) else FragmentParser
    fragment: Node = parser.function_parser(cls).fragment([node for node in body if not isinstance(node, _IMPORTS)])
    if parser.session.report.errors:
        raise Reported
    if not parser.session.limits.holds(fragment):
        raise ValueTooLarge(what="expanding the expressions of the text", span=parser.tree.span(body[-1]))
    return fragment
