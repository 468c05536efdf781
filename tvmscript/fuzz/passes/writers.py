"""Program writers by pass: memory, expressions, dtypes, functions, threads, tensor cores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from tvmscript.fuzz.programs import Seed
from tvmscript.fuzz.programs.dtypes import (
    bfloats,
    narrow_blocks,
    narrow_indices,
    small_floats,
    stored_bfloats,
    stored_small_floats,
    wide_blocks,
    wide_indices,
)
from tvmscript.fuzz.programs.expressions import (
    computed_twice,
    divisions,
    idle,
    intrinsics,
    rewritten_elements,
    selects,
    split_patterns,
    undefined,
)
from tvmscript.fuzz.programs.memory import (
    blocks_of_regions,
    chain_of_allocations,
    growing,
    in_place,
    layouts,
    shared_parts,
)
from tvmscript.fuzz.programs.modules import (
    arguments,
    constants,
    contexts,
    inlined,
    kernels_of_devices,
    launched_kernels,
    scopes,
)
from tvmscript.fuzz.programs.tensor_cores import (
    asynchronous_copies,
    fragments,
    guarded_loads,
    permuted_rows,
    registers,
)
from tvmscript.fuzz.programs.tensors import (
    background_copies,
    copied_by_threads,
    device_memory,
    pointers,
    prefetched,
    realized,
    rolling,
    staged_copies,
    vectors_in_memory,
)
from tvmscript.fuzz.programs.threads import allreduces, reducing_blocks, waiting, warp_memory


class Writer(NamedTuple):
    """What `for_passes.Made` is made of."""

    write: Callable[[Seed], str]
    before: str = ""
    is_bound: bool = False
    outcome: Literal["", "taken", "changed", "refused"] = ""


#: pass -> its writers
WRITERS: Final[dict[str, tuple[Writer, ...]]] = {
    "tir.BF16ComputeLegalize": (Writer(bfloats),),
    "tir.BF16StorageLegalize": (
        Writer(stored_bfloats, outcome="changed"),
        Writer(stored_bfloats, outcome="changed"),
        Writer(bfloats, "tir.BF16ComputeLegalize,tir.MakePackedAPI", is_bound=True),
    ),
    "tir.CommonSubexprElimTIR": (Writer(computed_twice),),
    "tir.FP8ComputeLegalize": (Writer(small_floats, is_bound=True),),
    "tir.FP8StorageLegalize": (
        Writer(stored_small_floats, is_bound=True, outcome="changed"),
        Writer(stored_small_floats, is_bound=True, outcome="changed"),
        Writer(small_floats, "tir.FP8ComputeLegalize,tir.MakePackedAPI", is_bound=True),
    ),
    "tir.FlattenBuffer": (Writer(layouts), Writer(layouts), Writer(blocks_of_regions)),
    "tir.ForceNarrowIndexToInt32": (Writer(narrow_indices), Writer(narrow_blocks)),
    "tir.LowerCrossThreadReduction": (Writer(reducing_blocks),),
    "tir.LowerIntrin": (Writer(divisions), Writer(divisions), Writer(intrinsics)),
    "tir.LowerThreadAllreduce": (Writer(allreduces),),
    "tir.LowerWarpMemory": (Writer(warp_memory, outcome="changed"),),
    "tir.MergeSharedMemoryAllocations": (Writer(shared_parts),),
    "tir.NarrowDataType": (Writer(wide_indices), Writer(wide_indices), Writer(wide_blocks)),
    "tir.ReduceBranchingThroughOvercompute": (Writer(rewritten_elements),),
    "tir.RemoveNoOp": (Writer(idle), Writer(rewritten_elements)),
    "tir.RemoveStoreUndef": (Writer(undefined, outcome="changed"),),
    "tir.RenormalizeSplitPattern": (Writer(split_patterns),),
    "tir.RewriteUnsafeSelect": (Writer(selects),),
    "tir.StorageRewrite": (
        Writer(chain_of_allocations, "tir.FlattenBuffer"),
        Writer(growing, "tir.FlattenBuffer"),
        Writer(in_place, "tir.FlattenBuffer"),
    ),
    "tir.InferFragment": (Writer(fragments),),
    "tir.InjectPTXAsyncCopy": (Writer(asynchronous_copies),),
    "tir.InjectPTXLDG32": (Writer(guarded_loads),),
    "tir.InjectPermutedLayout": (Writer(permuted_rows),),
    "tir.InjectPrefetch": (Writer(prefetched),),
    "tir.InjectRollingBuffer": (Writer(rolling),),
    "tir.LowerAsyncDMA": (Writer(background_copies),),
    "tir.LowerAutoCopy": (Writer(copied_by_threads),),
    "tir.LowerDeviceStorageAccessInfo": (Writer(pointers),),
    "tir.LowerVtcmAlloc": (Writer(device_memory),),
    "tir.ManifestSharedMemoryLocalStage": (Writer(staged_copies),),
    "tir.PointerValueTypeRewrite": (Writer(vectors_in_memory),),
    "tir.StorageFlatten": (Writer(realized),),
    "tir.TransformMmaBufferLayout": (Writer(registers),),
    "tir.CombineContextCall": (Writer(contexts),),
    "tir.ConvertSSA": (Writer(scopes),),
    "tir.ExtractPrimFuncConstants": (Writer(constants),),
    "tir.InlinePrivateFunctions": (Writer(inlined),),
    "tir.LowerDeviceKernelLaunch": (Writer(launched_kernels),),
    "tir.MakePackedAPI": (Writer(arguments),),
    "tir.MakeUnpackedAPI": (Writer(scopes), Writer(in_place)),
    "tir.SplitHostDevice": (Writer(kernels_of_devices),),
    "tir.ThreadSync": (Writer(waiting),),
}
