"""Planted bugs of passes over graphs: gradients, cleaning, parameters, fusion, memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tests.mutation.patch import Patch

_REVERSE: Final = "ir/relax/transform/operators/gradient/reverse_mode.py"
_CHECKPOINTS: Final = "ir/relax/transform/operators/gradient/checkpoints.py"
_STATISTICAL: Final = "ir/relax/op/statistical.py"
_CANONICALIZE: Final = "ir/relax/transform/normal_form/canonicalize_bindings.py"
_COMMON: Final = "ir/relax/transform/normal_form/eliminate_common_subexpr.py"
_OUTLINE: Final = "ir/relax/transform/fusion/common/outline.py"
_FUSED: Final = "ir/relax/transform/fusion/fuse_tir/fused_kernel.py"
_STORAGE: Final = "ir/relax/transform/memory/static_plan_block_memory.py"
_PLAN: Final = "ir/relax/lowering/memory_plan.py"

_PATCHES: Final = (
    Patch(
        "sign-of-cosines",
        "ir/relax/op/unary.py",
        'lambda a: (-a.gradient * apply("sin", a.x),)',
        'lambda a: (a.gradient * apply("sin", a.x),)',
        "the gradient of cos has the wrong sign",
    ),
    Patch(
        "sign-of-subtrahends",
        "ir/relax/op/binary.py",
        "gradient=broadcast(lambda a: a.gradient, lambda a: -a.gradient)",
        "gradient=broadcast(lambda a: a.gradient, lambda a: a.gradient)",
        "the gradient of what is subtracted has the wrong sign",
    ),
    Patch(
        "own-factor",
        "ir/relax/op/binary.py",
        "gradient=broadcast(lambda a: a.gradient * a.y, lambda a: a.gradient * a.x)",
        "gradient=broadcast(lambda a: a.gradient * a.x, lambda a: a.gradient * a.y)",
        "the gradient of a factor is multiplied by the factor itself",
    ),
    Patch(
        "half-of-sigmoid",
        "ir/relax/op/unary.py",
        "a.gradient * a.result * (a.scalar(1) - a.result)",
        "a.gradient * a.result * (a.scalar(1) + a.result)",
        "the gradient of sigmoid adds what it has to subtract",
    ),
    Patch(
        "square-of-tanh",
        "ir/relax/op/unary.py",
        "a.scalar(1) - a.result * a.result",
        "a.scalar(1) - a.result",
        "the gradient of tanh does not square the result",
    ),
    Patch(
        "rest-of-silu",
        "ir/relax/op/nn/activation.py",
        "s + adjoint.result * (adjoint.scalar(1) - s)",
        "s + adjoint.x * (adjoint.scalar(1) - s)",
        "the gradient of silu takes the argument for the result",
    ),
    Patch(
        "sum-of-softmax",
        "ir/relax/op/nn/activation.py",
        "a.gradient - _sum_along_axis(a, a.gradient * a.result)",
        "a.gradient - _sum_along_axis(a, a.gradient)",
        "the gradient of softmax sums without weights",
    ),
    Patch(
        "exponential-of-log-softmax",
        "ir/relax/op/nn/activation.py",
        '_sum_along_axis(a, a.gradient) * apply("exp", a.result)',
        "_sum_along_axis(a, a.gradient) * a.result",
        "the gradient of log_softmax takes logarithms for probabilities",
    ),
    Patch(
        "count-of-means",
        _STATISTICAL,
        "_spread(a, a.gradient / _number(a, _reduced_count(a)))",
        "_spread(a, a.gradient)",
        "the gradient of a mean is that of the sum",
    ),
    Patch(
        "square-of-counts",
        _STATISTICAL,
        "adjoint.scalar(2 / count.value**2)",
        "adjoint.scalar(2 / count.value)",
        "the gradient of a variance subtracts a multiple of the mean",
    ),
    Patch(
        "reduced-axes",
        _STATISTICAL,
        "return value if axis is None or keepdims else",
        "return value if axis is None or not keepdims else",
        "the gradient of a reduction inserts axes where they are kept",
    ),
    Patch(
        "transposed-factor",
        "ir/relax/op/linear_algebra.py",
        "if x_ndim == 1 else _transpose(x, x_ndim), gradient)",
        "if x_ndim == 1 else x, gradient)",
        "the gradient of a matrix product forgets a transposition",
    ),
    Patch(
        "ends-of-parts",
        "ir/relax/op/manipulate.py",
        "rules.sum_of_extents([*ends[-1:], info.extents[axis]])",
        "rules.sum_of_extents([info.extents[axis]])",
        "the gradient of a concatenation is split at extents rather than at ends",
    ),
    Patch(
        "inverse-of-permutations",
        "ir/relax/op/manipulate.py",
        'apply("permute_dims", adjoint.gradient, inverse)',
        'apply("permute_dims", adjoint.gradient, list(axes))',
        "the gradient of a permutation is permuted the same way",
    ),
    Patch(
        "broadcast-gradients",
        "ir/relax/op/adjoint.py",
        "return value if shapes_provably_equal(info.extents, extents) else",
        "return value if True or shapes_provably_equal(info.extents, extents) else",
        "gradients of broadcast arguments are not summed",
    ),
    Patch(
        "axis-of-taken",
        "ir/relax/op/index.py",
        'apply("grad.take_backward", a.gradient, a.x, a.y, axis=a.call.attrs["axis"])',
        'apply("grad.take_backward", a.gradient, a.x, a.y, axis=0)',
        "the gradient of take is scattered along the first axis",
    ),
    Patch(
        "chosen-gradients",
        "ir/relax/op/search.py",
        'apply("where", a.x, a.gradient, a.scalar(0, 1))',
        'apply("where", a.x, a.scalar(0, 1), a.gradient)',
        "the gradient of where goes to the value that was not chosen",
    ),
    Patch(
        "last-gradient-alone",
        _REVERSE,
        "self._bind(partial if old is None else self._sum(old, partial), value)",
        "self._bind(partial, value)",
        "gradients of several uses are not added",
    ),
    Patch(
        "first-item-of-gradients",
        _REVERSE,
        "fields.append(partial if at == index else _zeros(field, var))",
        "fields.append(partial if at == 0 else _zeros(field, var))",
        "the gradient of an item is that of the first one",
    ),
    Patch(
        "items-that-are-not-added",
        _REVERSE,
        "self._sum(item, partial) if at == index else item",
        "partial if at == index else item",
        "gradients of several uses of an item are not added",
    ),
    Patch(
        "fields-of-tuples",
        _REVERSE,
        "whole.fields[index] if isinstance(whole, Tuple) else TupleGetItem(whole, index)",
        "whole.fields[index] if isinstance(whole, Tuple) else TupleGetItem(whole, 0)",
        "the fields of a tuple share the gradient of the first",
    ),
    Patch(
        "order-of-reverse-mode",
        _REVERSE,
        "for binding in reversed(self.checkpoints.bindings):",
        "for binding in self.checkpoints.bindings[::-1][::1][:-1]:",
        "the first binding has no gradient",
    ),
    Patch(
        "marks-that-stay",
        _CHECKPOINTS,
        "values[binding.var] = binding if value is binding.value else binding.replace(value=value)",
        "values[binding.var] = binding",
        "values use the variables of checkpoints that are gone",
    ),
    Patch(
        "copies-of-others",
        _CHECKPOINTS,
        'self._copies[part] = emit(again, f"{part.name_hint}_cp")',
        'self._copies[parts[0]] = emit(again, f"{part.name_hint}_cp")',
        "a value that is computed again stands for another one",
    ),
    Patch(
        "first-item-of-tuples",
        _CANONICALIZE,
        "field: RelaxExpr = fields.fields[value.index]",
        "field: RelaxExpr = fields.fields[0]",
        "an item of a known tuple is its first field",
    ),
    Patch(
        "outputs-that-are-used",
        _CANONICALIZE,
        "if is_inner and var not in used_outside and var not in self.removed:",
        "if is_inner and var in used_outside and var not in self.removed:",
        "outputs that are used outside become variables of the block",
    ),
    Patch(
        "names-of-variables",
        _CANONICALIZE,
        "        if node.var in self.plan.removed:\n            return\n        var = _resolve(node.var, self.plan.definitions)\n        super().var_binding",
        "        if node.var in self.plan.removed:\n            return\n        var = node.var\n        super().var_binding",
        "an output that renames a variable of its block does not take its binding",
    ),
    Patch(
        "renamed-outputs",
        _COMMON,
        "            for var in self._replaced:\n                del self.renamed[var]\n",
        "",
        "equal values are used behind the block that binds them",
    ),
    Patch(
        "values-behind-blocks",
        _COMMON,
        "key: [(value, var) for value, var in values if not isinstance(var, DataflowVar)]",
        "key: [(value, var) for value, var in values]",
        "values of dataflow blocks are known behind them",
    ),
    Patch(
        "uses-that-count-twice",
        "ir/relax/analysis/unused.py",
        "            uses[used] -= count\n",
        "            uses[used] -= 2 * count\n",
        "values whose uses are partly dead are removed",
    ),
    Patch(
        "one-summand",
        "ir/relax/transform/operators/expand_matmul_of_sum.py",
        "for summand in (a, b)]",
        "for summand in (a, a)]",
        "the product with a sum becomes twice the product with the first summand",
    ),
    Patch(
        "axis-of-permuted",
        "ir/relax/transform/operators/reorder_permute_dims_after_concat.py",
        '{"axis": axes[0][call.attrs["axis"]]}',
        '{"axis": call.attrs["axis"]}',
        "tensors are concatenated along the axis before their permutation",
    ),
    Patch(
        "kept-arguments",
        "ir/relax/transform/parameters/remove_unused_parameters.py",
        "kept = [value for value, is_kept in zip(values, is_used, strict=True) if is_kept]",
        "kept = list(values[: sum(is_used)])",
        "calls of functions that lose a parameter lose their last arguments",
    ),
    Patch(
        "places-of-kept-fields",
        "ir/relax/transform/parameters/remove_unused_outputs.py",
        "fields = dict(zip(indices, items, strict=True))",
        "fields = dict(enumerate(items))",
        "fields that are kept stand in the first places of the result",
    ),
    Patch(
        "order-of-expanded-fields",
        "ir/relax/transform/parameters/expand_tuple_arguments.py",
        "for index in range(len(info.fields))\n        ]",
        "for index in reversed(range(len(info.fields)))\n        ]",
        "the fields of a tuple are handed over in reverse order",
    ),
    Patch(
        "items-of-groups",
        _OUTLINE,
        "indices.append(value.index)",
        "indices.append(0)",
        "a group that takes an item of a tuple gets the first one",
    ),
    Patch(
        "results-of-groups",
        _OUTLINE,
        "emit = self.builder.emit if isinstance(outlined.bindings[-1].var, DataflowVar) else self.builder.emit_output",
        "emit = self.builder.emit",
        "the result of a group is not seen outside of its block",
    ),
    Patch(
        "buffers-of-intermediates",
        _FUSED,
        "allocated = tuple(buffer for buffer in self.allocated if buffer not in outputs)",
        "allocated = tuple(buffer for buffer in self.allocated[1:] if buffer not in outputs)",
        "the first intermediate result of a fused kernel has no buffer",
    ),
    Patch(
        "items-of-tuples",
        _FUSED,
        "begin = sum(_tensor_count(field) for field in fields[: value.index])",
        "begin = 0",
        "an item of a tuple has the buffer of the first one",
    ),
    Patch(
        "views-of-other-sizes",
        "ir/relax/analysis/reshape.py",
        "offset = offset * extent + index",
        "offset = offset + index",
        "the linear index of an element is the sum of its indices",
    ),
    Patch(
        "first-allocation",
        "ir/relax/transform/memory/call_tir_rewrite.py",
        "args = [*given, *(result for result, place in zip(results, targets, strict=True) if place == -1)]",
        "args = [*given, *(results[0] for result, place in zip(results, targets, strict=True) if place == -1)]",
        "all results are written into the first allocation",
    ),
    Patch(
        "storage-freed-early",
        _STORAGE,
        "if used.uses == 0 and used.storage is not None:",
        "if used.uses <= 1 and used.storage is not None:",
        "storage is free before the last use of its tensor",
    ),
    Patch(
        "storage-that-is-held",
        _STORAGE,
        "held = self.held[var] = self._held_by(value)",
        "held = self._held_by(value)",
        "views and items do not hold the storage of their tensor",
    ),
    Patch(
        "storage-of-results",
        _STORAGE,
        "    usage.discard(func.body.body)\n",
        "",
        "the storage of results is used for other tensors",
    ),
    Patch(
        "storage-that-is-too-small",
        _STORAGE,
        "storage.size = IntImm(INT64, max(storage.size.value, tensor.size.value))",
        "storage.size = IntImm(INT64, min(storage.size.value, tensor.size.value))",
        "storage does not grow with the tensors that share it",
    ),
    Patch(
        "killed-results",
        "ir/relax/transform/memory/kill_after_last_use.py",
        "if var in last and var not in kept:",
        "if var in last:",
        "the lifetime of results ends in their function",
    ),
    Patch(
        "killed-before-the-last-use",
        "ir/relax/transform/memory/kill_after_last_use.py",
        "                if used in bound:\n                    last[used] = binding.var\n",
        "                if used in bound:\n                    last.setdefault(used, binding.var)\n",
        "lifetimes end after the first use",
    ),
    Patch(
        "gaps-that-overlap",
        _PLAN,
        "end = max(end, offset + extent)",
        "end = offset + extent",
        "a storage that ends inside of another one ends what is taken",
    ),
    Patch(
        "first-neighbour-alone",
        _PLAN,
        "for other in placed if lifetimes[other].overlaps(lifetimes[item])",
        "for other in placed[:1] if lifetimes[other].overlaps(lifetimes[item])",
        "only the first storage is kept from overlapping",
    ),
    Patch(
        "gaps-that-are-too-small",
        _PLAN,
        "if offset - end >= size and (gap is None",
        "if offset - end >= 0 and (gap is None",
        "storage is placed into gaps that are too small",
    ),
    Patch(
        "constants-in-reverse",
        "ir/relax/transform/operators/fold_constant.py",
        "(*arrays, result)\n        return Constant",
        "(*arrays[::-1], result)\n        return Constant",
        "constants are folded with their operands exchanged",
    ),
    Patch(
        "fields-of-inlined-results",
        "ir/relax/inline.py",
        "self.renamed[old] = self.renamed.get(new, new)",
        "self.renamed[old] = old",
        "variables of inlined functions keep the scope that they had",
    ),
)

#: where a file is that of no pass: how its path begins, and a pass that shows its bugs
_SUBJECTS: Final = {
    "ir/relax/op/": "relax.Gradient",
    "ir/relax/transform/operators/gradient/": "relax.Gradient",
    "ir/relax/analysis/unused.py": "relax.DeadCodeElimination",
    "ir/relax/analysis/reshape.py": "relax.RewriteDataflowReshape",
    "ir/relax/inline.py": "relax.InlinePrivateFunctions",
    "ir/relax/transform/fusion/common/outline.py": "relax.FuseOps",
    "ir/relax/transform/fusion/fuse_tir/": "relax.FuseTIR",
    "ir/relax/lowering/": "relax.StaticPlanBlockMemory",
}


def _pointed(patch: Patch) -> Patch:
    subjects = tuple(name for path, name in _SUBJECTS.items() if patch.file.startswith(path))
    return replace(patch, subjects=subjects)


PATCHES: Final = tuple(map(_pointed, _PATCHES))
