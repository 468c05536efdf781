"""Spans in the printed module."""

from __future__ import annotations

import tvmscript
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.stmt import BufferStore, For
from tvmscript.ir.transform.functions.install_debug_spans import InstallDebugSpans

_TEXT = """
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "float32")):
        # a comment, which the printer does not move
        for i in T.serial(8): A[i] = T.float32(0)
    @T.prim_func
    def other(B: T.Buffer((8,), "float32")):
        B[0] = T.float32(1)
"""


def test_each_statement_stands_where_the_text_says() -> None:
    made = InstallDebugSpans()(tvmscript.from_source(_TEXT))
    lines = made.script().splitlines()
    stores = [node for name in ("main", "other") for node in nodes(made[name].body) if isinstance(node, BufferStore)]
    texts = ["A[i] = T.float32(0)", "B[0] = T.float32(1)"]
    for store, text in zip(stores, texts, strict=True):
        assert store.span is not None
        assert store.span.source.line(store.span.line)[store.span.column - 1 :].startswith(text)
        assert store.span.source.text.splitlines()[store.span.line - 1].strip() == text
    (loop,) = [node for node in nodes(made["main"].body) if isinstance(node, For)]
    assert loop.span is not None
    assert (loop.span.end_line - loop.span.line) == 1
    assert any("for i in range(8)" in line for line in lines)
