"""Syntax trees of texts, and replacement of single nodes in place."""

from __future__ import annotations

import ast

from tvmscript.ir.core.span import lines_of


def parsed(text: str) -> ast.Module | None:
    """Parse a text; None if it is not valid Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def replaced(text: str, node: ast.expr, new: str) -> str:
    """Replace an expression within one line of a text."""
    lines = lines_of(text)
    line = lines[node.lineno - 1].encode()  # columns of trees count bytes
    lines[node.lineno - 1] = (line[: node.col_offset] + new.encode() + line[node.end_col_offset :]).decode()
    return "".join(lines)


def column(text: str, node: ast.expr) -> int:
    """The 1-based column of an expression in characters."""
    line = lines_of(text)[node.lineno - 1]
    return len(line.encode()[: node.col_offset].decode()) + 1
