"""Program writers by pass: memory, expressions, dtypes, functions, threads, tensor cores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from tvmscript.fuzz.programs import Seed, dtypes, expressions, memory, modules, single_passes, tensors
from tvmscript.fuzz.programs.tensor_cores import asynchronous_copies, fragments, guarded_loads, permuted_rows, registers
from tvmscript.fuzz.programs.threads import allreduces, reducing_blocks, waiting, warp_memory

#: what a pass must do with a program: unknown, accept it, accept and change it, refuse it
Outcome = Literal["", "taken", "changed", "refused"]


class Writer(NamedTuple):
    """A writer of programs for a pass: functions or whole modules of any form, as text."""

    write: Callable[[Seed], str]
    #: preparatory passes, as in `LOWERING`
    before: str = ""
    #: whether the program is bound to a target first
    is_bound: bool = False
    outcome: Outcome = ""
    #: options of the pass, as text; any where empty
    options: str = ""


#: pass -> its writers
WRITERS: Final[dict[str, tuple[Writer, ...]]] = {
    "tir.BF16ComputeLegalize": (Writer(dtypes.bfloats),),
    "tir.BF16StorageLegalize": (
        Writer(dtypes.stored_bfloats, outcome="changed"),
        Writer(dtypes.stored_bfloats, outcome="changed"),
        Writer(dtypes.bfloats, "tir.BF16ComputeLegalize,tir.MakePackedAPI", is_bound=True),
    ),
    "tir.CommonSubexprElimTIR": (Writer(expressions.computed_twice),),
    "tir.FP8ComputeLegalize": (Writer(dtypes.small_floats, is_bound=True),),
    "tir.FP8StorageLegalize": (
        Writer(dtypes.stored_small_floats, is_bound=True, outcome="changed"),
        Writer(dtypes.stored_small_floats, is_bound=True, outcome="changed"),
        Writer(dtypes.small_floats, "tir.FP8ComputeLegalize,tir.MakePackedAPI", is_bound=True),
    ),
    "tir.FlattenBuffer": (Writer(memory.layouts), Writer(memory.layouts), Writer(memory.blocks_of_regions)),
    "tir.ForceNarrowIndexToInt32": (Writer(dtypes.narrow_indices), Writer(dtypes.narrow_blocks)),
    "tir.LowerCrossThreadReduction": (Writer(reducing_blocks),),
    "tir.LowerIntrin": (Writer(expressions.divisions), Writer(expressions.divisions), Writer(expressions.intrinsics)),
    "tir.LowerThreadAllreduce": (Writer(allreduces),),
    "tir.LowerWarpMemory": (Writer(warp_memory, outcome="changed"),),
    "tir.MergeSharedMemoryAllocations": (Writer(memory.shared_parts),),
    "tir.NarrowDataType": (Writer(dtypes.wide_indices), Writer(dtypes.wide_indices), Writer(dtypes.wide_blocks)),
    "tir.ReduceBranchingThroughOvercompute": (Writer(expressions.rewritten_elements),),
    "tir.RemoveNoOp": (Writer(expressions.idle), Writer(expressions.rewritten_elements)),
    "tir.RemoveStoreUndef": (Writer(expressions.undefined, outcome="changed"),),
    "tir.RenormalizeSplitPattern": (Writer(expressions.split_patterns),),
    "tir.RewriteUnsafeSelect": (Writer(expressions.selects),),
    "tir.StorageRewrite": (
        Writer(memory.chain_of_allocations, "tir.FlattenBuffer"),
        Writer(memory.growing, "tir.FlattenBuffer"),
        Writer(memory.in_place, "tir.FlattenBuffer"),
    ),
    "tir.InferFragment": (Writer(fragments),),
    "tir.InjectPTXAsyncCopy": (Writer(asynchronous_copies),),
    "tir.InjectPTXLDG32": (Writer(guarded_loads),),
    "tir.InjectPermutedLayout": (Writer(permuted_rows),),
    "tir.InjectPrefetch": (Writer(tensors.prefetched),),
    "tir.InjectRollingBuffer": (Writer(tensors.rolling),),
    "tir.LowerAsyncDMA": (Writer(tensors.background_copies),),
    "tir.LowerAutoCopy": (Writer(tensors.copied_by_threads), Writer(tensors.copied_fragments)),
    "tir.LowerDeviceStorageAccessInfo": (Writer(tensors.pointers),),
    "tir.LowerVtcmAlloc": (Writer(tensors.device_memory),),
    "tir.ManifestSharedMemoryLocalStage": (Writer(tensors.staged_copies),),
    "tir.PointerValueTypeRewrite": (Writer(tensors.vectors_in_memory),),
    "tir.StorageFlatten": (Writer(tensors.realized),),
    "tir.TransformMmaBufferLayout": (Writer(registers),),
    "tir.CombineContextCall": (Writer(modules.contexts),),
    "tir.ConvertSSA": (Writer(modules.scopes),),
    "tir.ExtractPrimFuncConstants": (Writer(modules.constants),),
    "tir.InlinePrivateFunctions": (Writer(modules.inlined),),
    "tir.LowerDeviceKernelLaunch": (Writer(modules.launched_kernels),),
    "tir.MakePackedAPI": (Writer(modules.arguments),),
    "tir.MakeUnpackedAPI": (Writer(modules.scopes), Writer(memory.in_place)),
    "tir.ApplyLayoutTransforms": (Writer(single_passes.parameters_in_layouts, outcome="changed"),),
    "tir.InjectCopyIntrin": (Writer(single_passes.copies),),
    "tir.LegalizePackedCalls": (Writer(single_passes.packed_calls),),
    "tir.LowerScopeIds": (Writer(single_passes.ids_of_scopes),),
    "tir.RemoveWeightLayoutRewriteBlock": (Writer(single_passes.rewritten_weights),),
    "tir.TextureFlatten": (Writer(single_passes.textures),),
    "tir.VerifyVTCMLimit": (
        Writer(tensors.device_memory, outcome="taken"),
        Writer(tensors.device_memory, options="{vtcm_capacity=64}"),
        Writer(tensors.device_memory, options="{vtcm_capacity=300}"),
    ),
    "tir.SplitHostDevice": (Writer(modules.kernels_of_devices),),
    "tir.ThreadSync": (Writer(waiting),),
}
