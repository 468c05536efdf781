"""Programs as people write them in test suites: spellings that no printer makes. Then every pass on each of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import tvm
from store import Store

#: Passes without arguments that are tried on everything.
PASSES = [
    "BF16ComputeLegalize",
    "BF16StorageLegalize",
    "CombineContextCall",
    "CommonSubexprElimTIR",
    "CompactBufferAllocation",
    "ConvertBlocksToOpaque",
    "ConvertForLoopsToSerial",
    "ConvertSSA",
    "CoProcSync",
    "DecorateDeviceScope",
    "ExtractPrimFuncConstants",
    "FP8ComputeLegalize",
    "FP8StorageLegalize",
    "FlattenBuffer",
    "ForceNarrowIndexToInt32",
    "HoistExpression",
    "HoistIfThenElse",
    "InferFragment",
    "InjectDoubleBuffer",
    "InjectPTXAsyncCopy",
    "InjectPermutedLayout",
    "InjectPrefetch",
    "InjectRollingBuffer",
    "InjectSoftwarePipeline",
    "InjectVirtualThread",
    "InlinePrivateFunctions",
    "InstrumentBoundCheckers",
    "InstrumentProfileIntrinsics",
    "LegalizePackedCalls",
    "LiftThreadBinding",
    "LoopPartition",
    "LowerAutoCopy",
    "LowerCrossThreadReduction",
    "LowerCustomDatatypes",
    "LowerDeviceKernelLaunch",
    "LowerDeviceStorageAccessInfo",
    "LowerInitBlock",
    "LowerIntrin",
    "LowerMatchBuffer",
    "LowerOpaqueBlock",
    "LowerTVMBuiltin",
    "LowerThreadAllreduce",
    "LowerWarpMemory",
    "MakePackedAPI",
    "MakeUnpackedAPI",
    "ManifestSharedMemoryLocalStage",
    "MergeSharedMemoryAllocations",
    "PlanAndUpdateBufferAllocationLocation",
    "PointerValueTypeRewrite",
    "ReduceBranchingThroughOvercompute",
    "RemoveAssume",
    "RemoveNoOp",
    "RemoveStoreUndef",
    "RemoveWeightLayoutRewriteBlock",
    "RenormalizeSplitPattern",
    "RewriteUnsafeSelect",
    "Simplify",
    "SkipAssert",
    "SplitHostDevice",
    "StorageRewrite",
    "TextureFlatten",
    "TransformMmaBufferLayout",
    "UnifyThreadBinding",
    "UnrollLoop",
    "VectorizeLoop",
    "AnnotateDeviceRegions",
    "AnnotateEntryFunc",
    "DefaultGPUSchedule",
    "ApplyLayoutTransforms",
]

#: Passes with arguments.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "NarrowDataType": (32,), "ThreadSync": ("shared",), "StorageFlatten": (64,), "LiftAttrScope": ("pragma_key",),
}  # fmt: skip


def programs() -> dict[str, str]:
    """The texts of `programs/`: the files' parts between lines of `# ---- name`."""
    found: dict[str, str] = {}
    texts = [path for path in (Path(__file__).parent / "programs").glob("*.txt") if not path.stem.startswith("graph_")]
    for path in sorted(texts):
        parts = re.split(r"^# ---- (.*)$", path.read_text(), flags=re.MULTILINE)
        found |= {
            f"{path.stem}-{name.strip()}": text.strip() + "\n"
            for name, text in zip(parts[1::2], parts[2::2], strict=True)
        }
    return found


def module_of(program: Any) -> Any:
    if isinstance(program, tvm.IRModule):
        return program
    return tvm.IRModule({"main": program.with_attr("global_symbol", "main")})


def run(store: Store) -> None:
    """Every program as it is written, and after each pass for two targets."""
    for name, text in programs().items():
        try:
            program = tvm.script.from_source(text, check_well_formed=False)
        except BaseException as error:  # noqa: BLE001  (diagnostics arrive as several classes)
            store.failures.append(f"source/{name}: {type(error).__name__} {str(error)[:200]}")
            continue
        store.source("source", name, text, program)
        for target in ("llvm", "cuda -arch=sm_80"):
            bound = tvm.tir.transform.BindTarget(tvm.target.Target(target, host="llvm"))(module_of(program))
            for item in (*PASSES, *ARGUMENTS):
                make = getattr(tvm.tir.transform, item, None)
                if make is None:
                    continue
                label = f"{name}-{item}-{target.split()[0]}"
                store.attempt("pass", label, lambda m=bound, f=make, i=item: f(*ARGUMENTS.get(i, ()))(m))
