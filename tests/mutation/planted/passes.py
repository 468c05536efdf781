"""Bugs of the passes: other values, lost conditions, programs that are ill formed."""

from __future__ import annotations

from typing import Final

from tests.mutation.patch import Patch

PATCHES: Final = (
    Patch(
        "init-at-every-step",
        "ir/transform/blocks/lower_init_block.py",
        "return IfThenElse(reduce(And, conditions), init) if conditions else init",
        "return IfThenElse(conditions[0], init) if conditions else init",
        "LowerInitBlock looks at the first reduction axis alone",
    ),
    Patch(
        "predicates-of-blocks",
        "ir/transform/blocks/lower_opaque_block.py",
        "            body = IfThenElse(predicate, body, span=block.span)\n",
        "            pass\n",
        "LowerOpaqueBlock drops the predicates",
    ),
    Patch(
        "unit-loops",
        "ir/transform/blocks/lower_opaque_block.py",
        "            self.renamed[node.loop_var] = start\n",
        "            self.renamed[node.loop_var] = IntImm(node.loop_var.dtype, 0)\n",
        "loops of one iteration are taken to start at 0",
    ),
    Patch(
        "compacted-loads",
        "ir/transform/blocks/compact_buffer_allocation.py",
        "        indices = self.shifted(node.buffer, self.indices(node.indices))\n        return BufferLoad(",
        "        indices = self.indices(node.indices)\n        return BufferLoad(",
        "CompactBufferAllocation does not shift the indices of loads",
    ),
    Patch(
        "unrolled-from-zero",
        "ir/transform/loops/unroll_loop.py",
        "copied(loop.body, {loop.loop_var: index_add(loop.min, IntImm(dtype, step))}, is_fresh=defines and step > 0)",
        "copied(loop.body, {loop.loop_var: IntImm(dtype, step)}, is_fresh=defines and step > 0)",
        "UnrollLoop takes loops to start at 0",
    ),
    Patch(
        "unrolled-names",
        "ir/transform/loops/unroll_loop.py",
        "is_fresh=defines and step > 0)",
        "is_fresh=False)",
        "copies of an unrolled body define the same variables",
    ),
    Patch(
        "vectorized-sums",
        "ir/transform/loops/vectorize_loop.py",
        "            if not is_scalar or value is node.value or _reads(node.value, node.buffer):\n                raise _NeedsScalars",
        "            if not is_scalar or value is node.value:\n                raise _NeedsScalars",
        "VectorizeLoop makes a vector of sums into one element",
    ),
    Patch(
        "vectorized-branches",
        "ir/transform/loops/vectorize_loop.py",
        "return Ramp(make(Sub, a, b.base), make(Sub, IntImm(b.stride.dtype, 0), b.stride), b.lanes)",
        "return Ramp(make(Sub, a, b.base), b.stride, b.lanes)",
        "a - i is vectorized with the wrong stride",
    ),
    Patch(
        "partition-end",
        "ir/transform/loops/loop_partition.py",
        "            parts.end = simplify(add(interval.max_value, one))\n",
        "            parts.end = simplify(interval.max_value)\n",
        "the middle part of LoopPartition has one iteration less",
    ),
    Patch(
        "flat-strides",
        "ir/transform/memory/flatten_buffer.py",
        "            made = [offset_of(buffer.shape[g], buffer.strides[g], values[g]) for g in groups]\n",
        "            made = [offset_of(buffer.shape[g], (), values[g]) for g in groups]\n",
        "FlattenBuffer forgets strides of buffers with axis separators",
    ),
    Patch(
        "flat-rows",
        "ir/arith/layout.py",
        "    for extent, index in zip(shape[1:], indices[1:], strict=True):\n        flat",
        "    for extent, index in zip(shape[:-1], indices[1:], strict=True):\n        flat",
        "rows are as long as columns where accesses become flat",
    ),
    Patch(
        "storage-lives",
        "ir/transform/memory/storage_rewrite.py",
        "                and is_in_place(step.stmt, var, old, sharing(step.threads, memory.scope))\n",
        "",
        "StorageRewrite computes in place where elements are read at other places",
    ),
    Patch(
        "storage-grows",
        "ir/transform/memory/storage_rewrite.py",
        "            most = bits if most is None else make(Max, *match_types(most, bits))\n",
        "            most = bits if most is None else most\n",
        "memory that is used again does not grow",
    ),
    Patch(
        "common-subexpressions-of-branches",
        "ir/transform/expressions/common_subexpr_elim_tir.py",
        "            del self.values[number]\n",
        "            pass\n",
        "CommonSubexprElimTIR uses a variable behind its scope",
    ),
    Patch(
        "no-op-with-effect",
        "ir/transform/expressions/remove_no_op.py",
        "        if isinstance(node.value, BufferLoad):\n            pairs",
        "        if isinstance(node.value, BufferLoad):\n            return True\n        if isinstance(node.value, BufferLoad):\n            pairs",
        "RemoveNoOp removes copies from one element to another of the same buffer",
    ),
    Patch(
        "negated-branches",
        "ir/transform/expressions/remove_no_op.py",
        "return IfThenElse(Not(condition), else_case, None, span=node.span)",
        "return IfThenElse(condition, else_case, None, span=node.span)",
        "an empty branch leaves the other one with its condition",
    ),
    Patch(
        "hoisted-from-sequences",
        "ir/transform/loops/hoist_expression.py",
        "otherwise = rename_definitions(stmt) if condition.has_else else None",
        "otherwise = None",
        "HoistExpression loses what is done where a condition does not hold",
    ),
    Patch(
        "narrow-without-bounds",
        "ir/transform/dtypes/narrow_data_type.py",
        "is_narrow = dtype.bits <= self.target or self.bounds.of(node).within(self.low, self.high)",
        "is_narrow = True",
        "NarrowDataType narrows without looking at the bounds",
    ),
    Patch(
        "second-definitions",
        "ir/transform/functions/convert_ssa.py",
        "        made = var.replace()\n        self.defined.add(made)\n        return made",
        "        return var",
        "ConvertSSA leaves second definitions as they are",
    ),
    Patch(
        "halves-of-buffers",
        "ir/transform/loops/inject_double_buffer.py",
        "return IfThenElse(make(LT, shifted, add(loop.min, loop.extent)), body, None, span=node.span)",
        "return IfThenElse(make(LT, shifted, loop.extent), body, None, span=node.span)",
        "InjectDoubleBuffer takes loops to start at 0",
    ),
    Patch(
        "rounded-down",
        "ir/transform/expressions/floor_division.py",
        "return select(GE(rest, const(0, a.dtype)), quotient, Sub(quotient, const(1, a.dtype)))",
        "return quotient",
        "LowerIntrin rounds quotients towards zero",
    ),
    Patch(
        "shared-memory-offsets",
        "ir/transform/memory/merge_shared_memory_allocations.py",
        "            self.total = _sum(self.total, widest)\n",
        "            self.total = make(Max, *match_types(self.total, widest))\n",
        "parts of shared memory lie over each other",
    ),
)
