"""Set the span of each statement to its line in the printed module."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule
from tvmscript.ir.core.node import Node, script_with_ranges
from tvmscript.ir.core.span import Source, Span
from tvmscript.ir.tir import PrimFunc, Stmt, TirRewriter
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class InstallDebugSpans(Pass):
    """Print the module and replace the span of each statement by its span in that text.

    Debuggers and errors of later passes then refer to the current module.
    """

    name = "tir.InstallDebugSpans"
    is_idempotent = True

    def run(self, mod: IRModule) -> IRModule:
        text, ranges = script_with_ranges(mod)
        lines = _Lines(Source(text, "module.tir"))
        spans = {node: lines.span(begin, end) for node, begin, end in reversed(ranges) if isinstance(node, Stmt)}
        installer = _Installer(spans)
        functions = {
            var: func.with_body(installer.rewrite(func.body)) if isinstance(func, PrimFunc) else func
            for var, func in mod.functions.items()
        }
        return mod.replace(functions=functions)


class _Lines:
    """Conversion of offsets of a text to lines and columns."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.starts = [0]
        for line in source.text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def span(self, begin: int, end: int) -> Span:
        """Return the span between two offsets, without leading indentation."""
        text = self.source.text
        begin += len(text[begin:end]) - len(text[begin:end].lstrip())
        return Span(self.source, *self.position(begin), *self.position(end))

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


class _Installer(TirRewriter):
    def __init__(self, spans: Mapping[Any, Span]) -> None:
        super().__init__()
        self.spans = spans

    def rewrite(self, node: Node) -> Any:
        new_node = super().rewrite(node)
        span = self.spans.get(node)
        return new_node if span is None else new_node.replace(span=span)

    def value(self, value: object) -> Any:
        return self.rewrite(value) if isinstance(value, Stmt) else super().value(value)
