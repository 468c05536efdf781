"""Which lines of the script the lines of a printed program come from.

Passes keep the spans of what they rewrite: a printed line comes from the lines of the script where the nodes that begin
on it were read. A line whose nodes have no spans, such as a loop that a pass made, belongs to the statement around it.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from tvmscript.explorer.stages import Text
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.span import Source
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.printer import script_with_ranges
from tvmscript.printer.text_buffer import TextRange


def script_text(source: Source) -> Text:
    """The script itself."""
    lines, first = tuple(source.lines), source.first_line
    origins = tuple((number,) if line.strip() else () for number, line in enumerate(lines, first))
    return Text("script", lines, origins, first)


def program_text(mod: IRModule) -> Text:
    """The printed program."""
    text, ranges = script_with_ranges(mod, comments=False)
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)][:-1]
    found: list[set[int]] = [set() for _ in lines]
    #: the innermost statement with a span around each line
    around: list[int] = [0] * len(lines)
    for each in ranges:
        line = _origin(each)
        if not line:
            continue
        first = bisect_right(starts, each.begin) - 1
        found[first].add(line)
        if isinstance(each.node, Stmt):
            last = bisect_right(starts, max(each.end - 1, each.begin)) - 1
            around[first : last + 1] = [line] * (last + 1 - first)
    origins = tuple(
        tuple(sorted(lines_found)) if lines_found or not outer or not text_of_line.strip() else (outer,)
        for lines_found, outer, text_of_line in zip(found, around, lines, strict=True)
    )
    return Text("script", tuple(lines), origins)


def _origin(each: TextRange) -> int:
    """The line of the script where what is printed here was read; 0: unknown, or a name, which is defined elsewhere."""
    node = each.node
    if node.is_name or not isinstance(node, Stmt | Expr) or node.span is None:
        return 0
    return node.span.line
