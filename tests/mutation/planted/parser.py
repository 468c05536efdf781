"""Bugs of the parser: texts that are read as something else, or that are not refused."""

from __future__ import annotations

from typing import Final

from tests.mutation.patch import Patch

PATCHES: Final = (
    Patch(
        "extent-of-loops",
        "tvmscript/parser/tir/builtins/loops.py",
        "extent = range_extent(low, bound(stop, span, start), span)",
        "extent = bound(stop, span, start)",
        "the end of a loop that does not start at 0 is taken for its extent",
    ),
    Patch(
        "loop-annotations",
        "tvmscript/parser/tir/builtins/loops.py",
        "return Loops([make_loop(span, kind, start, stop, annotations)])",
        "return Loops([make_loop(span, kind, start, stop)])",
        "annotations of loops are dropped",
    ),
    Patch(
        "unroll-kind",
        "tvmscript/parser/tir/builtins/loops.py",
        '"unroll": (ForKind.UNROLLED, ',
        '"unroll": (ForKind.SERIAL, ',
        "T.unroll makes serial loops",
    ),
    Patch(
        "block-predicate",
        "tvmscript/parser/tir/builtins/blocks.py",
        "predicate = frame.predicate if frame.predicate is not None else IntImm(BOOL, 1)",
        "predicate = IntImm(BOOL, 1)",
        "T.where is lost",
    ),
    Patch(
        "remap-kind",
        "tvmscript/parser/tir/builtins/blocks.py",
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
        "tvmscript/parser/python/operators.py",
        "        left = right\n    return result",
        "    return result",
        "a < b < c is read as a < b and a < c",
    ),
    Patch(
        "augmented-assignment",
        "tvmscript/parser/tir/body.py",
        "result = apply(self, node, type(node.op), before, value)",
        "result = apply(self, node, type(node.op), value, before)",
        "x -= y is read as y - x",
    ),
    Patch(
        "or-of-python",
        "tvmscript/parser/python/operators.py",
        "if not isinstance(result, Expr) and parser.is_true(result, node) is (join is Or):",
        "if not isinstance(result, Expr) and parser.is_true(result, node) is (join is And):",
        "`and` and `or` of Python values decide the wrong way",
    ),
    Patch(
        "scope-of-branches",
        "tvmscript/parser/tir/body.py",
        "        stmt = self.body(nodes)\n        self.scope.leave_body(mark)\n",
        "        stmt = self.body(nodes)\n",
        "names of a branch are known behind it",
    ),
    Patch(
        "defined-twice",
        "tvmscript/parser/names/scope.py",
        "            return self.names.get(name) is value\n",
        "            return True\n",
        "a name that is defined twice keeps its first value silently",
    ),
    Patch(
        "axis-separators",
        "tvmscript/parser/tir/buffer_spec.py",
        'axis_separators=tuple(integer("axis_separators", item) for item in self.axis_separators or ()),',
        "axis_separators=(),",
        "axis_separators of buffers are dropped",
    ),
    Patch(
        "thread-of-two",
        "tvmscript/parser/tir/builtins/loops.py",
        "        stop, thread = None, stop\n",
        "        start, stop, thread = 0, start + 1, stop\n",
        "T.thread_binding(extent, thread) runs once more",
    ),
    Patch(
        "columns-of-bytes",  # in place of a guard for errors without a span, of which there are none
        "tvmscript/parser/source/tree.py",
        "        self._is_ascii = text.isascii()\n",
        "        self._is_ascii = True\n",
        "errors behind letters of several bytes point too far to the right",
    ),
    Patch(
        "scope-of-with",
        "tvmscript/parser/tir/control_flow.py",
        "body = parser.finish(frame, body if body is not None else seq())\n    parser.scope.leave_body(mark)\n",
        "body = parser.finish(frame, body if body is not None else seq())\n",
        "names of a block are known behind it",
    ),
    Patch(
        "steps-of-slices",
        "tvmscript/parser/python/evaluator.py",
        "for part in (node.lower, node.upper, node.step)])",
        "for part in (node.lower, node.upper)])",
        "the steps of slices are dropped",
    ),
    Patch(
        "starred-targets",
        "tvmscript/parser/python/literals.py",
        "(place,), after = stars, len(values) - (len(parts) - stars[0] - 1)",
        "(place,), after = stars, len(values) - (len(parts) - stars[0])",
        "a starred target gets one value too few",
    ),
    Patch(
        "masked-stores",
        "tvmscript/parser/tir/builtins/statements.py",
        "    if predicate is None:\n        return stmt\n    return BufferStore(",
        "    if predicate is None or stmt.predicate is None:\n        return stmt\n    return BufferStore(",
        "the mask of T.buffer_store is lost",
    ),
    Patch(
        "numbers-for-variables",
        "tvmscript/parser/tir/builtins/statements.py",
        "        expr = value_of(value, span, var.dtype)\n    bound: Var = var\n",
        "        expr = value_of(value, span)\n    bound: Var = var\n",
        "a number in T.LetStmt has not the dtype of its variable",
    ),
    Patch(
        "dtype-of-strides",  # in place of an offset that make_buffer would make all the same
        "tvmscript/parser/tir/buffer_spec.py",
        "        strides = _strides(self.strides, index_dtype, span)\n",
        "        strides = _strides(self.strides, INT32, span)\n",
        "strides by name are int32, whatever the shape is",
    ),
    Patch(
        "dtype-of-regions",
        "tvmscript/parser/tir/builtins/buffers.py",
        "spec = spec._replace(dtype=source.buffer.dtype, shape=",
        "spec = spec._replace(shape=",
        "T.match_buffer of a region alone makes a buffer of float32",
    ),
    Patch(
        "end-of-axes",
        "tvmscript/parser/tir/builtins/blocks.py",
        "        return range_between(dom[0], dom[1], span)\n",
        "        return Range.from_min_extent(operators.as_expr(dom[0], None, span), operators.as_expr(dom[1], None, span))\n",
        "the end of an axis is taken for its extent",
    ),
    Patch(
        "inferred-regions",
        "tvmscript/parser/tir/builtins/blocks.py",
        "parser.with_accesses(new_block, frame.reads is None, frame.writes is None)",
        "parser.with_accesses(new_block, True, True)",
        "a block without T.writes forgets its T.reads",
    ),
    Patch(
        "hygiene",
        "tvmscript/parser/python/macro_expansion.py",
        "if macro.hygienic else nullcontext():",
        "if not macro.hygienic else nullcontext():",
        "macros see the names of the place where they are called",
    ),
    Patch(
        "struct-info-of-branches",
        "tvmscript/parser/relax/body.py",
        "            info = struct_info_lca(first.known, second.known)\n",
        "            info = first.known\n",
        "what is known of an if is what is known of its first branch",
    ),
    Patch(
        "annotations-of-less",  # in place of a check that verify makes again, at the same place
        "tvmscript/parser/relax/bindings.py",
        "            if type(value) is not Call:\n                info = value_info\n",
        "",
        "an annotation that says less is taken for what is known of a variable",
    ),
    Patch(
        "choice-of-python",
        "tvmscript/parser/python/operators.py",
        "node.body if parser.is_true(test, node) else node.orelse",
        "node.orelse if parser.is_true(test, node) else node.body",
        "a if True else b is b",
    ),
    Patch(
        "place-of-indices",
        "tvmscript/parser/python/evaluator.py",
        "                    hints.point_at_index(self.tree, error, node.slice, exprs)\n",
        "",
        "errors about an index point at the whole access",
    ),
    Patch(
        "place-of-operands",
        "tvmscript/parser/relax/error_location.py",
        '{"x1": 0, "x": 0, "x2": 1}',
        '{"x1": 0, "x": 0, "x2": 0}',
        "errors about the second operand in a graph point at the first",
    ),
)
