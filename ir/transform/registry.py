"""All passes by name, each loaded when it is asked for."""

from __future__ import annotations

import importlib
from dataclasses import MISSING, fields
from typing import Any, Final

from tvmscript.ir.core.errors import UnknownName, WrongArgumentCount, WrongType
from tvmscript.ir.core.suggestions import closest
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.options import default_of
from tvmscript.ir.transform.pass_text import BadPassText, read_passes

#: TVM's name -> the file of the pass, below this folder unless it begins with `tvmscript.`
FILES: Final = {
    "PrintIR": "checks.print_ir",
    "tir.AnnotateDeviceRegions": "functions.annotate_device_regions",
    "tir.AnnotateEntryFunc": "functions.annotate_entry_func",
    "tir.Apply": "functions.apply",
    "tir.ApplyLayoutTransforms": "memory.apply_layout_transforms",
    "tir.AssertBounds": "checks.assert_bounds",
    "tir.BF16ComputeLegalize": "dtypes.bf16_compute_legalize",
    "tir.BF16StorageLegalize": "dtypes.bf16_storage_legalize",
    "tir.BindTarget": "functions.bind_target",
    "tir.CombineContextCall": "functions.combine_context_call",
    "tir.CommonSubexprElimTIR": "expressions.common_subexpr_elim_tir.common_subexpr_elim_tir",
    "tir.CompactBufferAllocation": "blocks.compact_buffer_allocation",
    "tir.ConvertBlocksToOpaque": "blocks.convert_blocks_to_opaque",
    "tir.ConvertForLoopsToSerial": "loops.convert_for_loops_to_serial",
    "tir.ConvertSSA": "functions.convert_ssa",
    "tir.DecorateDeviceScope": "functions.decorate_device_scope",
    "tir.DefaultGPUSchedule": "tvmscript.ir.schedule.default.default_gpu_schedule",
    "tir.ExtractPrimFuncConstants": "functions.extract_prim_func_constants",
    "tir.FP8ComputeLegalize": "dtypes.fp8_compute_legalize",
    "tir.FP8StorageLegalize": "dtypes.fp8_storage_legalize",
    "tir.Filter": "functions.filter",
    "tir.FlattenBuffer": "memory.flatten_buffer",
    "tir.ForceNarrowIndexToInt32": "dtypes.force_narrow_index_to_int32",
    "tir.HoistExpression": "loops.hoist_expression",
    "tir.HoistIfThenElse": "loops.hoist_if_then_else",
    "tir.HoistIfThenElseBasic": "loops.hoist_if_then_else_basic",
    "tir.InferFragment": "tensor_cores.infer_fragment",
    "tir.InjectCopyIntrin": "memory.inject_copy_intrin",
    "tir.InjectDoubleBuffer": "loops.inject_double_buffer",
    "tir.InjectPTXAsyncCopy": "tensor_cores.inject_ptx_async_copy",
    "tir.InjectPTXLDG32": "tensor_cores.inject_ptx_ldg32",
    "tir.InjectPermutedLayout": "tensor_cores.inject_permuted_layout",
    "tir.InjectPrefetch": "memory.inject_prefetch",
    "tir.InjectRollingBuffer": "memory.inject_rolling_buffer",
    "tir.InjectSoftwarePipeline": "loops.inject_software_pipeline.inject_software_pipeline",
    "tir.InjectVirtualThread": "loops.inject_virtual_thread",
    "tir.InlinePrivateFunctions": "functions.inline_private_functions",
    "tir.InstallDebugSpans": "functions.install_debug_spans",
    "tir.InstrumentBoundCheckers": "checks.instrument_bound_checkers",
    "tir.InstrumentProfileIntrinsics": "checks.instrument_profile_intrinsics",
    "tir.LegalizePackedCalls": "functions.legalize_packed_calls",
    "tir.LiftAttrScope": "loops.lift_attr_scope",
    "tir.LiftThreadBinding": "threads.lift_thread_binding",
    "tir.LoopPartition": "loops.loop_partition",
    "tir.LowerAsyncDMA": "memory.lower_async_dma",
    "tir.LowerAutoCopy": "memory.lower_auto_copy.lower_auto_copy",
    "tir.LowerCrossThreadReduction": "threads.lower_cross_thread_reduction",
    "tir.LowerDeviceKernelLaunch": "functions.lower_device_kernel_launch",
    "tir.LowerDeviceStorageAccessInfo": "memory.lower_device_storage_access_info",
    "tir.LowerInitBlock": "blocks.lower_init_block",
    "tir.LowerIntrin": "expressions.lower_intrin.lower_intrin",
    "tir.LowerMatchBuffer": "blocks.lower_match_buffer",
    "tir.LowerOpaqueBlock": "blocks.lower_opaque_block",
    "tir.LowerTVMBuiltin": "functions.lower_tvm_builtin.lower_tvm_builtin",
    "tir.LowerThreadAllreduce": "threads.lower_thread_allreduce.lower_thread_allreduce",
    "tir.LowerVtcmAlloc": "memory.lower_vtcm_alloc",
    "tir.LowerWarpMemory": "threads.lower_warp_memory",
    "tir.MakePackedAPI": "functions.make_packed_api.make_packed_api",
    "tir.MakeUnpackedAPI": "functions.make_unpacked_api",
    "tir.ManifestSharedMemoryLocalStage": "memory.manifest_shared_memory_local_stage",
    "tir.MergeSharedMemoryAllocations": "memory.merge_shared_memory_allocations",
    "tir.NarrowDataType": "dtypes.narrow_data_type",
    "tir.OOBChecker": "checks.oob_checker",
    "tir.PlanAndUpdateBufferAllocationLocation": "blocks.plan_and_update_buffer_allocation_location",
    "tir.PointerValueTypeRewrite": "memory.pointer_value_type_rewrite",
    "tir.ReduceBranchingThroughOvercompute": "expressions.reduce_branching_through_overcompute",
    "tir.RemapThreadAxis": "threads.remap_thread_axis",
    "tir.RemoveAssume": "checks.remove_assume",
    "tir.RemoveNoOp": "expressions.remove_no_op.remove_no_op",
    "tir.RemoveStoreUndef": "expressions.remove_store_undef",
    "tir.RemoveWeightLayoutRewriteBlock": "memory.remove_weight_layout_rewrite_block",
    "tir.RenormalizeSplitPattern": "expressions.renormalize_split_pattern",
    "tir.RewriteUnsafeSelect": "expressions.rewrite_unsafe_select",
    "tir.Simplify": "expressions.simplify",
    "tir.SkipAssert": "checks.skip_assert",
    "tir.SplitHostDevice": "functions.split_host_device",
    "tir.StorageFlatten": "memory.storage_flatten",
    "tir.StorageRewrite": "memory.storage_rewrite",
    "tir.TextureFlatten": "memory.texture_flatten",
    "tir.ThreadSync": "threads.thread_sync.thread_sync",
    "tir.TransformMmaBufferLayout": "tensor_cores.transform_mma_buffer_layout",
    "tir.UnifyThreadBinding": "threads.unify_thread_binding",
    "tir.UnrollLoop": "loops.unroll_loop",
    "tir.VectorizeLoop": "loops.vectorize_loop.vectorize_loop",
    "tir.VerifyGPUCode": "checks.verify_gpu_code",
    "tir.VerifyMemory": "checks.verify_memory",
    "tir.VerifySSA": "checks.verify_ssa",
    "tir.VerifyVTCMLimit": "checks.verify_vtcm_limit",
}


#: how the current TVM calls them
_NAMES_NOW: Final = {
    "tir.CommonSubexprElim": "tir.CommonSubexprElimTIR",
    "tir.StmtSimplify": "tir.Simplify",
}


def pass_name(name: str) -> str:
    """The name under which the pass is known here: `tirx.`, `s_tir.` and `tir.transform.` are `tir.`."""
    space, _, leaf = name.rpartition(".")
    space = space.removesuffix(".transform")
    known = f"tir.{leaf}" if space in ("tirx", "s_tir", "tir") else name
    return _NAMES_NOW.get(known, known)


def pass_class(name: str) -> type[Pass]:
    """The class of the pass of this name. Raises `UnknownName`."""
    known = pass_name(name)
    if known not in Pass.registry and known in FILES:
        file = FILES[known]
        importlib.import_module(file if file.startswith("tvmscript.") else f"tvmscript.ir.transform.{file}")
    if known not in Pass.registry:
        raise UnknownName(kind="pass", name=name, hint=closest(known, {*FILES, *Pass.registry}))
    return Pass.registry[known]


def get_pass(name: str, *args: Any, **options: Any) -> Pass:
    """The pass of this name, such as `tir.Simplify`, with these options; `tir.UnrollLoop{auto_max_step=16}` has both.

    Raises `UnknownName` for a name or an option that there is none of, `WrongType`, `BadPassText`.
    """
    if "{" in name or "(" in name:
        spelled, *others = read_passes(name)
        if others:
            raise BadPassText(text=repr(name), reason="these are several passes")
        return get_pass(spelled.name, *spelled.arguments, *args, **spelled.options, **options)
    cls = pass_class(name)
    taken = [each for each in fields(cls) if each.init]
    if len(args) > len(taken):
        raise WrongArgumentCount(where=cls.name, expected=f"{len(taken)} options", got=len(args))
    known = {each.name: each for each in taken}
    values = {**{each.name: value for each, value in zip(taken, args, strict=False)}, **options}
    for key, value in values.items():
        if key not in known:
            hint = closest(key, known) or f"it has {', '.join(known) or 'no options'}"
            raise UnknownName(kind=f"option of {cls.name}", name=key, hint=hint)
        wanted = _TYPES.get(str(known[key].type))
        if wanted is not None and not isinstance(value, wanted):
            raise WrongType(where=f"{cls.name}.{key}", expected=str(known[key].type), got=repr(value))
    missing = [key for key, each in known.items() if key not in values and default_of(each) is MISSING]
    if missing:
        raise WrongArgumentCount(where=cls.name, expected=f"a value for {', '.join(missing)}", got="none")
    return cls(*args, **options)


#: annotation of a field -> what it takes
_TYPES: Final[dict[str, tuple[type, ...]]] = {"bool": (bool, int), "int": (bool, int), "str": (str,)}


def get_passes(text: str) -> tuple[Pass, ...]:
    """The passes of a text: `tir.Simplify,tir.UnrollLoop{auto_max_step=16}`. Raises what `get_pass` does."""
    return tuple(get_pass(each.name, *each.arguments, **each.options) for each in read_passes(text))
