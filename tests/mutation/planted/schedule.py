"""Bugs of the schedule primitives: other values, missing checks, traces that make something else."""

from __future__ import annotations

from typing import Final

from tests.mutation.patch import Patch

PATCHES: Final = (
    Patch(
        "split-without-predicate",
        "ir/schedule/primitive/split_fuse.py",
        "rebinding = LoopVarSubstitution({loop.loop_var: value}, None if is_inside else inside)",
        "rebinding = LoopVarSubstitution({loop.loop_var: value}, None)",
        "a split that does not divide the extent has no predicate",
    ),
    Patch(
        "split-rounds-down",
        "ir/schedule/primitive/split_fuse.py",
        "above = fold.sub(fold.add(extent, product), IntImm(extent.dtype, 1))",
        "above = extent",
        "the open factor of a split is rounded down",
    ),
    Patch(
        "fuse-order",
        "ir/schedule/primitive/split_fuse.py",
        "digit = fold.make(FloorDiv, fold.make(FloorMod, fused, above), lower)",
        "digit = fold.make(FloorMod, fold.make(FloorDiv, fused, above), lower)",
        "the digits of a fused loop are taken in the wrong order",
    ),
    Patch(
        "reorder-dependent-loops",
        "ir/schedule/primitive/reorder.py",
        "used = next((var for var in uses((loop.min, loop.extent)) if var in inner), None)",
        "used = next((var for var in uses(loop.min) if var in inner), None)",
        "a loop moves out of the loop that its extent depends on",
    ),
    Patch(
        "order-of-axes",
        "ir/schedule/primitive/reorder.py",
        "values = tuple(realize.iter_values[place] for place in order)",
        "values = realize.iter_values",
        "the axes of a block change places without their values",
    ),
    Patch(
        "parallel-reductions",
        "ir/schedule/primitive/for_kind.py",
        "if axis.iter_type not in allowed and (value is variable or variable in uses(value)):",
        "if axis.iter_type not in allowed and value is variable:",
        "a loop that is part of a reduction axis may run in parallel",
    ),
    Patch(
        "init-in-the-wrong-place",
        "ir/schedule/primitive/decompose_reduction.py",
        "            _check_height(ref, place, loops)\n",
        "",
        "a reduction may be decomposed below a loop of the reduction",
    ),
    Patch(
        "init-conditions",
        "ir/schedule/primitive/decompose_reduction.py",
        "    body: Stmt = BlockRealize(values, drop_conditions_on(realize.predicate, dropped), block)",
        '    body: Stmt = BlockRealize(values, IntImm("bool", 1), block)',
        "the init of a decomposed reduction loses the predicate",
    ),
    Patch(
        "inline-with-swapped-indices",
        "ir/schedule/primitive/compute_inline.py",
        "zip(self.indices_of_value, expr.indices, strict=True)",
        "zip(self.indices_of_value, expr.indices[::-1], strict=True)",
        "an inlined producer is computed for the transposed element",
    ),
    Patch(
        "inline-into-outputs",
        "ir/schedule/primitive/compute_inline.py",
        "    check_not_output_block(ref, scope)\n",
        "",
        "a block that writes an output may be inlined",
    ),
    Patch(
        "rfactor-axis",
        "ir/schedule/primitive/rfactor.py",
        "        wider.insert(self.axis, own.var)\n",
        "        wider.insert(0, own.var)\n",
        "rfactor reads the partial results with the axes in another order",
    ),
    Patch(
        "rfactor-conditions",
        "ir/schedule/primitive/rfactor.py",
        "return BlockRealize(tuple(axis_list.values), drop_conditions_on(self.realize.predicate, gone), block)",
        'return BlockRealize(tuple(axis_list.values), IntImm("bool", 1), block)',
        "the last block of rfactor has no predicate",
    ),
    Patch(
        "compute-at-before-producers",
        "ir/schedule/primitive/compute_at.py",
        "earliest, latest = max(places[0], default=-1) + 1, min(places[1], default=len(self.parts))",
        "earliest, latest = max(places[0], default=0), min(places[1], default=len(self.parts))",
        "a block may be moved in front of its producer",
    ),
    Patch(
        "compute-at-uncovered",
        "ir/schedule/primitive/compute_at.py",
        "            self._check_covered(domains)\n",
        "",
        "reverse_compute_at leaves out values that a block computes without reading",
    ),
    Patch(
        "cover-by-one-less",
        "ir/schedule/analysis/region_cover.py",
        "        if not analyzer.can_prove(LE(*match_types(needed.max_value, held.max_value))):\n            return False\n",
        "",
        "only the lower end of what is read has to be written before",
    ),
    Patch(
        "json-of-decisions",
        "ir/schedule/trace/trace.py",
        "        return Trace(kept, self._decisions(kept))",
        "        return Trace(kept, {})",
        "simplified traces forget their decisions",
    ),
    Patch(
        "cache-write-of-consumers",
        "ir/schedule/primitive/cache.py",
        "region = cache_blocks.region_at_site(ref, written, place.around)\n    if buffer",
        "region = written.region\n    if buffer",
        "the copy of cache_write is as large as one element",
    ),
    Patch(
        "padding-that-is-not-written",
        "ir/schedule/rewrite/layout_padding.py",
        "    if not plan.replaced:\n        last",
        "    if False:\n        last",
        "the padding of a new layout stays without a value where the loops are split",
    ),
)
