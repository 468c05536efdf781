"""Bugs of the parser: texts that are read as something else, or that are not refused."""

from __future__ import annotations

from typing import Final

from tests.mutation.patch import Patch

PATCHES: Final = (
    Patch(
        "extent-of-loops",
        "tvmscript/parser/constructs/loops.py",
        "extent = range_extent(low, bound(stop, span, start), span)",
        "extent = bound(stop, span, start)",
        "the end of a loop that does not start at 0 is taken for its extent",
    ),
    Patch(
        "loop-annotations",
        "tvmscript/parser/constructs/loops.py",
        "return Loops([make_loop(span, kind, start, stop, annotations)], False)",
        "return Loops([make_loop(span, kind, start, stop)], False)",
        "annotations of loops are dropped",
    ),
    Patch(
        "unroll-kind",
        "tvmscript/parser/constructs/loops.py",
        "return _one(span, ForKind.UNROLLED, start, stop, annotations)",
        "return _one(span, ForKind.SERIAL, start, stop, annotations)",
        "T.unroll makes serial loops",
    ),
    Patch(
        "block-predicate",
        "tvmscript/parser/constructs/blocks.py",
        "predicate = frame.predicate if frame.predicate is not None else IntImm(BOOL, 1)",
        "predicate = IntImm(BOOL, 1)",
        "T.where is lost",
    ),
    Patch(
        "remap-kind",
        "tvmscript/parser/constructs/blocks.py",
        '_KINDS = {"S": IterKind.DATA_PAR, "R": IterKind.COMM_REDUCE}',
        '_KINDS = {"S": IterKind.DATA_PAR, "R": IterKind.ORDERED}',
        "R in T.axis.remap makes another kind of axis",
    ),
    Patch(
        "given-twice",
        "tvmscript/parser/frames.py",
        "        if getattr(self, slot) is not None:\n",
        "        if getattr(self, slot) == ():\n",
        "a second T.where or T.init replaces the first silently",
    ),
    Patch(
        "comparison-chains",
        "tvmscript/parser/arithmetic.py",
        "        left = right\n    return result",
        "    return result",
        "a < b < c is read as a < b and a < c",
    ),
    Patch(
        "augmented-assignment",
        "tvmscript/parser/bodies.py",
        "result = apply(self, node, type(node.op), before, value)",
        "result = apply(self, node, type(node.op), value, before)",
        "x -= y is read as y - x",
    ),
    Patch(
        "or-of-python",
        "tvmscript/parser/arithmetic.py",
        "if not isinstance(result, Expr) and parser.is_true(result, node) is (join is Or):",
        "if not isinstance(result, Expr) and parser.is_true(result, node) is (join is And):",
        "`and` and `or` of Python values decide the wrong way",
    ),
    Patch(
        "scope-of-branches",
        "tvmscript/parser/bodies.py",
        "        made = self.body(nodes)\n        self.scope.leave_body(mark)\n",
        "        made = self.body(nodes)\n",
        "names of a branch are known behind it",
    ),
    Patch(
        "defined-twice",
        "tvmscript/parser/scope.py",
        "            return self.names.get(name) is value\n",
        "            return True\n",
        "a name that is defined twice keeps its first value silently",
    ),
    Patch(
        "axis-separators",
        "tvmscript/parser/constructs/buffers.py",
        'axis_separators=tuple(integer("axis_separators", item) for item in axis_separators or ()),',
        "axis_separators=(),",
        "axis_separators of buffers are dropped",
    ),
    Patch(
        "thread-of-two",
        "tvmscript/parser/constructs/loops.py",
        "        stop, thread = None, stop\n",
        "        start, stop, thread = 0, start + 1, stop\n",
        "T.thread_binding(extent, thread) runs once more",
    ),
    Patch(
        "wrong-place",
        "tvmscript/parser/recovery.py",
        "    parser.report.add(error, error.span or span, quiet)\n",
        "    parser.report.add(error, error.span, quiet)\n",
        "errors of nodes come without a place in the text",
    ),
)
