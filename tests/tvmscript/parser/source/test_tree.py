"""Spans of nodes count characters, and nodes that are moved to a span count bytes, whatever the letters are."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tvmscript.ir.core.span import Source, Span
from tvmscript.parser.source.tree import SourceTree

WORDS = "abc" * 100
TEXTS = {
    "ascii": "x = 'abc' + y(1)\nz = [x, x]\n",
    "short": "ä = 'é' + y(1)\nz = [ä, '漢字', ä, '😀', x]\n",
    "long": f"ä = 'é' + y('{WORDS}', '漢字') + [ä, '😀', x]\nz = ä\n",
    "long in the end": f"z = '{WORDS}' + 'é' + ö\n",
    "several lines": "z = (ä +\n     'é' + (x,\n  ö))\n",
}


def _places(node: Any) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


@pytest.mark.parametrize("first_line", [1, 7])
@pytest.mark.parametrize("name", TEXTS)
def test_spans_are_those_of_the_texts(name: str, first_line: int) -> None:
    text = TEXTS[name]
    tree = SourceTree(Source(text, "<text>", first_line))
    lines = text.splitlines()
    expressions = [node for node in ast.walk(tree.tree) if isinstance(node, ast.expr)]
    assert len(expressions) > 4
    for node in expressions:
        span = tree.span(node)
        parts = lines[span.line - first_line : span.end_line - first_line + 1]
        parts[-1] = parts[-1][: span.end_column - 1]
        parts[0] = parts[0][span.column - 1 :]
        assert "\n".join(parts) == ast.get_source_segment(text, node)
        # a node that is put where it is stays there
        moved = ast.Name("moved")
        tree.put(moved, span)
        assert _places(moved) == _places(node)


@pytest.mark.parametrize("name", ["short", "long", "long in the end"])
def test_places_behind_a_line_are_its_end(name: str) -> None:
    tree = SourceTree(Source(TEXTS[name], "<text>", 1))
    line = TEXTS[name].splitlines()[0]
    node = ast.Name("x")
    tree.put(node, Span(tree.source, 1, len(line) + 1, 1, len(line) + 9))
    assert _places(node) == (1, len(line.encode()), 1, len(line.encode()))


def test_excerpts_keep_their_lines() -> None:
    tree = SourceTree(Source("# ä\n\ndef f():\n    # b\n    return ö\n", "<text>", 5))
    part = tree.part(tree.tree.body, 3, 5)
    assert (part.source.text, part.source.first_line) == ("def f():\n    # b\n    return ö", 3)
    assert part.definition is tree.definition
    (function,) = tree.tree.body
    assert isinstance(function, ast.FunctionDef)
    span = tree.heading(function)
    assert (span.line, span.column, span.end_line, span.end_column) == (7, 1, 7, 6)
