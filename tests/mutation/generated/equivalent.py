"""Mutants that no program can tell from the package, each with the argument.

A mutant that changes only what the package costs is here, too, where no budget of `tests` records the cost.
"""

from __future__ import annotations

from typing import Final

#: the name of a mutant -> why it computes the same
EQUIVALENT: Final[dict[str, str]] = {
    "backends/runtime/debugger_frames.py: frame_of: 0 => 1": "debuggers show the line of a frame, not its columns",
    "backends/llvm/optimized_module.py: simplify: ffi.lib.LLVMPY_DisposeNewFunctionPassManger(whole) => pass": (
        "it frees memory"
    ),
    "ir/analysis/blocks/copy_loops.py: _first_element: match_types(reach, loop.extent) => "
    "match_types(loop.extent, reach)": "products are proven to be equal, in whatever order",
    "ir/core/op.py: Op.__init__: is_same_definition(type(registered), type(self)) => "
    "is_same_definition(type(self), type(registered))": "names are compared for equality",
    "ir/relax/transform/distributed/lower_global_view_to_local_view.py: _Sharder.iter_var: shards is None or node.dom "
    "is None => shards is None and node.dom is None": "the extent of what has no shards is itself; axes have domains",
    "ir/relax/transform/operators/fold_constant.py: _compute_exactly: reference is None => reference is not None": (
        "the kernel computes the same, more slowly"
    ),
    "ir/schedule/primitive/reorder.py: _divide_each_other: size > 0 => size >= 0": "strides and divisors are not 0",
    "ir/relax/verify.py: _Verifier._block: continue => break": "a binding is a VarBinding or a MatchCast",
    "ir/schedule/intrinsics/packing.py: interleave: k + half => k - half": (
        "rows are a power of two: of a list of 2 * half the places k - half and k + half are the same"
    ),
    "ir/schedule/primitive/compute_at.py: can_move: min(behind, default=len(at)) => max(behind, default=len(at))": (
        "a block before the loop has no producers inside of it, one behind it no consumers"
    ),
    "tvmscript/parser/source/tree.py: SourceTree._bytes: len(offsets) - 1 => len(offsets) + 1": (
        "columns of spans are in their line or at its end, which has an offset"
    ),
    "tvmscript/frontend/onnx/operators/recurrent.py: _activations: 2 => 3": "a layer has two directions at most",
    "backends/llvm/optimized_module.py: _few_passes: passes.add_aggressive_dce_pass() => pass": (
        "what is dead is left out by the next pass, too"
    ),
    "backends/runtime/ffi.py: _PackageFinder.find_spec: spec is not None and spec.loader is not None => "
    "spec is not None or spec.loader is not None": "it is asked for a package that was found, which has a loader",
    "backends/interp/accesses.py: store: node.value.dtype is FLOAT32 => node.value.dtype is not FLOAT32": (
        "values of other dtypes have no raw form, and those of float32 are rounded twice to the same"
    ),
    "tvmscript/printer/note_rules.py: _insert_in_heading: first + 1 => first - 1": (
        "the lines of decorators and of the signature are less indented"
    ),
    "ir/core/errors.py: TVMScriptError.__init_subclass__: super().__init_subclass__() => pass": (
        "exceptions of Python have nothing to do there"
    ),
    "ir/arith/sums/division_forms.py: DivisionForms.forget: self.scaled_sums.pop(atom, None) => pass": (
        "atoms are compared by identity, and none asks for one that was removed"
    ),
    "ir/schedule/analysis/match_intrinsic.py: IntrinsicMatcher._access: self._equal(fold.sub(*match_types(index, "
    "first)), its) => self._equal(its, fold.sub(*match_types(index, first)))": (
        "whether values are provably equal does not depend on their order"
    ),
    "backends/interp/warp_groups.py: _encode: 0 => 1": "it is the value of a call that has none",
    "ir/relax/transform/memory/static_plan_block_memory.py: _Usage.sequence: 1 => 2": (
        "numbers of blocks are compared for equality"
    ),
    "tvmscript/printer/note_rules.py: _insert: first + 1 => first - 1": "a slice that ends before its start is empty",
    "ir/arith/simplification/rewrite_logical.py: simplify_branches: unchanged + 1 => unchanged - 1": (
        "it simplifies once more what two turns have left as it is"
    ),
    "ir/analysis/cost/op_count.py: _Operations.loop: 0 => 1": "half of one iteration is none",
    "backends/llvm/codegen/vectors.py: emit_half: lanes < 0 => lanes <= 0": "no dtype has 0 lanes",
    "ir/relax/transform/distributed/lower_global_view_to_local_view.py: _LocalKernel._complete: "
    "place >= len(_KINDS) => place > len(_KINDS)": "the reduction at that place has two updates, which is refused",
    "tvmscript/parser/v0_27/relax.py: add_scalar_values: zip(fields, said.fields, strict=True) => "
    "zip(said.fields, fields, strict=True)": "pairs are compared by identity, whatever their order",
    "backends/interp/scalars.py: _odd: value < 0 => value <= 0": "the integer 0 has no other sign",
    "ir/arith/sums/canonical_sum.py: SumContext._sum_range: interval.add(interval.scale(term_bounds, content), "
    "Bounds(value.const, value.const)) => interval.add(Bounds(value.const, value.const), "
    "interval.scale(term_bounds, content))": "sums of bounds do not depend on their order",
    "ir/schedule/primitive/blockize.py: _blockize_siblings: around.is_block => not around.is_block": (
        "`block` and `loop` return the same statement, with another type"
    ),
    "backends/llvm/elf_object.py: LoadedObject._map: -1 => 1": "anonymous memory is of no file",
    "ir/core/dispatch.py: Dispatch._import_family: self._families.pop(prefix, None) => "
    "self._families.pop(None, prefix)": "a module that was imported is not imported again, only looked up",
    "ir/analysis/blocks/copy_loops.py: _following: match_types(mul(step, IntImm(step.dtype, sign)), reach) => "
    "match_types(reach, mul(step, IntImm(step.dtype, sign)))": (
        "whether values are provably equal does not depend on their order"
    ),
    "ir/arith/intervals/bounds.py: floordiv: 0 => 1": "divisors are not 0",
    "ir/arith/sums/sum_to_expr.py: SumWriter.write_groups: len(groups) > 1 => len(groups) >= 1": (
        "factors are taken out of two terms or more, which `_factor_leading_terms` asks for itself"
    ),
    "ir/relax/transform/operators/legalize_ops.py: _Legalizer._kernel_call: form is None => form is not None": (
        "no call is kept for None, and the builder shares equal kernels"
    ),
    "ir/schedule/default/gpu/flat_product.py: _bind_adder: -1 => 1": (
        "`bind_elements` leaves two loops around a block of elements"
    ),
}
