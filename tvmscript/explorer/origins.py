"""Source lines of the lines of a printed program.

Passes keep the spans of rewritten nodes: the source lines of a printed line are those of the spans of the nodes that
begin on it. A line without spans, such as a loop inserted by a pass, has the source line of the statement around it.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from tvmscript.explorer.stages import Text
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.span import Source
from tvmscript.ir.tir import Expr, Stmt
from tvmscript.printer import script_with_ranges
from tvmscript.printer.text_buffer import TextRange


def script_text(source: Source) -> Text:
    """Return the text of the script."""
    lines, first = tuple(source.lines), source.first_line
    origins = tuple((number,) if line.strip() else () for number, line in enumerate(lines, first))
    return Text("script", lines, origins, first)


def program_text(mod: IRModule) -> Text:
    """Return the text of the printed program."""
    text, ranges = script_with_ranges(mod, comments=False)
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)][:-1]
    origins_of_line: list[set[int]] = [set() for _ in lines]
    #: source line of the innermost statement with a span around each line
    around: list[int] = [0] * len(lines)
    for range_ in ranges:
        line = _origin_line(range_)
        if not line:
            continue
        first = bisect_right(starts, range_.begin) - 1
        origins_of_line[first].add(line)
        if isinstance(range_.node, Stmt):
            last = bisect_right(starts, max(range_.end - 1, range_.begin)) - 1
            around[first : last + 1] = [line] * (last + 1 - first)
    origins = tuple(
        tuple(sorted(begun)) if begun or not outer or not text_of_line.strip() else (outer,)
        for begun, outer, text_of_line in zip(origins_of_line, around, lines, strict=True)
    )
    return Text("script", tuple(lines), origins)


def _origin_line(range_: TextRange) -> int:
    """Return the source line of a printed node, 0 where unknown or for a name, which is defined elsewhere."""
    node = range_.node
    if node.is_name or not isinstance(node, (Stmt, Expr)) or node.span is None:
        return 0
    return node.span.line
