"""Pipelines: ordered lists of passes, with the reason for each position.

The order is TVM's. `LOWER` lowers any program to loops over flat memory. `SPLIT` splits device functions into host code
and kernels; `BITS`, `LAUNCH`, `HOST_END` and `DEVICE_END` finish them. The pipeline of the LLVM backend skips the
passes of `SKIPPED_FOR_LLVM`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from tvmscript.ir.core import BaseFunc, IRModule, Target, WrongType
from tvmscript.ir.core.python_settings import deep_recursion, without_collection
from tvmscript.ir.core.targets.cuda import cuda_arch
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import GLOBAL_INSTRUMENTS, PassContext
from tvmscript.ir.transform.function_attributes import CallingConv, calling_conv
from tvmscript.ir.transform.registry import get_pass

Config = Mapping[str, Any]

#: each pass of a pipeline is created once
_get_pass: Final = cache(get_pass)


@dataclass(frozen=True)
class Step:
    """A pass of a pipeline."""

    name: str
    #: reason for its position
    why: str
    arguments: tuple[Any, ...] = ()
    #: condition on the options of the context; None: always
    when: Callable[[Config], bool] | None = None


def _if_set(key: str) -> Callable[[Config], bool]:
    return lambda config: bool(config.get(key, False))


def _unless_set(key: str) -> Callable[[Config], bool]:
    return lambda config: not config.get(key, False)


#: the phases of `tvm.lower`; the option `tir.add_lower_pass` adds passes to the end of a phase
LOWER: Final[tuple[tuple[Step, ...], ...]] = (
    (),
    (
        Step("tir.InjectPrefetch", "before TE nodes are lowered"),
        Step("tir.TextureFlatten", "realized textures still have their dimensions"),
        Step("tir.StorageFlatten", "lowers the remaining TE nodes to loops over buffers", (64,)),
        Step("tir.LowerCrossThreadReduction", "recognizes reductions by block axes and inits"),
        Step("tir.LowerInitBlock", "an init depends on the reduction axes of the block"),
        Step(
            "tir.PlanAndUpdateBufferAllocationLocation",
            "after inits, which are uses of buffers, and while block axes distinguish reduction loops",
        ),
        Step("tir.ConvertBlocksToOpaque", "the following passes analyze indices in terms of loop variables"),
        Step("tir.LiftThreadBinding", "merges thread loops before regions are compared"),
        Step("tir.ManifestSharedMemoryLocalStage", "adds a buffer, which the next pass shrinks"),
        Step(
            "tir.CompactBufferAllocation",
            "requires indices in terms of loop variables and the final position of allocations",
        ),
        Step("tir.LowerAutoCopy", "copies have the final shapes of their buffers"),
        Step("tir.UnifyThreadBinding", "one variable per thread axis before code is compared or moved"),
        Step("tir.LowerMatchBuffer", "requires the regions of blocks"),
        Step("tir.Simplify", "the next passes match patterns in indices"),
        Step("tir.InjectPermutedLayout", "buffers still have their dimensions"),
        Step("tir.InjectSoftwarePipeline", "dependences are derived from regions of blocks"),
        Step("tir.TransformMmaBufferLayout", "fragments still have their dimensions"),
        Step("tir.LowerOpaqueBlock", "the last pass on blocks"),
        Step("tir.FlattenBuffer", "vectorization requires one index per access"),
        Step("tir.BF16ComputeLegalize", "before vectorization, so that casts are vectorized too"),
        Step("tir.NarrowDataType", "bounds of flat indices are those of the memory", (32,)),
        Step("tir.Simplify", "simplified flat indices make strides visible to the next passes"),
    ),
    (
        Step("tir.LoopPartition", "removes conditions that vectorization would mask"),
        Step("tir.VectorizeLoop", "before loops are split or unrolled", when=_unless_set("tir.disable_vectorize")),
        Step("tir.VectorizeLoop", "the same", (False,), when=_if_set("tir.disable_vectorize")),
        Step("tir.InjectVirtualThread", "it copies statements, which should be lowered before"),
        Step("tir.InjectDoubleBuffer", "before loops are unrolled and memory is shared"),
        Step("tir.StorageRewrite", "buffers have their final sizes", when=_unless_set("tir.disable_storage_rewrite")),
        Step("tir.LowerAsyncDMA", "copies have their final form", when=_if_set("tir.use_async_copy")),
        Step("tir.HoistIfThenElse", "hoists conditions before loops are unrolled"),
        Step("tir.UnrollLoop", "the last pass on loops"),
    ),
    (
        Step("tir.RenormalizeSplitPattern", "loop splits leave quotients of sums"),
        Step("tir.Simplify", "unrolled iterations have constant indices and conditions"),
        Step("tir.RemoveNoOp", "conditions are simplified"),
        Step("tir.RewriteUnsafeSelect", "accesses have their final form"),
        Step("tir.InstrumentBoundCheckers", "the same", when=_if_set("tir.instrument_bound_checkers")),
        Step("tir.InjectPTXLDG32", "loads have their final form", (True,), when=_if_set("tir.ptx_ldg32")),
        Step("tir.CommonSubexprElimTIR", "expressions have their final form", when=_unless_set("tir.disable_cse_tir")),
        Step("tir.InstrumentProfileIntrinsics", "loops have their final form", when=_if_set("tir.instrument_lwp")),
    ),
)

#: passes of `LOWER` that the LLVM backend skips, with the reason
SKIPPED_FOR_LLVM: Final[Mapping[str, str]] = {
    "tir.BF16ComputeLegalize": "the backend converts narrow floats itself",
    "tir.NarrowDataType": "64-bit indices have no cost on the supported targets",
    "tir.HoistIfThenElse": "LLVM unswitches loops",
    "tir.CommonSubexprElimTIR": "LLVM eliminates common index arithmetic",
    "tir.RewriteUnsafeSelect": "a Select evaluates both operands by definition; T.if_then_else guards accesses",
}

#: passes of `LOWER` that run last for the LLVM backend, with the reason
LAST_FOR_LLVM: Final[Mapping[str, str]] = {
    "tir.UnrollLoop": "the passes after it take as long as the program: a loop is shorter than its iterations",
}

#: passes of `LOWER` that the C backend skips besides, with the reason
SKIPPED_FOR_C: Final[Mapping[str, str]] = {
    **SKIPPED_FOR_LLVM,
    "tir.VectorizeLoop": "C has no vectors: its compiler vectorizes loops",
    "tir.StorageRewrite": "buffers keep their names and types",
    "tir.UnrollLoop": "the text keeps its loops, which the C compiler unrolls",
}

#: the first architecture of NVIDIA that copies to shared memory asynchronously
_FIRST_WITH_ASYNC_COPIES: Final = 80

#: maximal number of lanes: 64 lanes of float32 are four AVX-512 registers; more lanes only grow the code
MAX_LANES: Final = 64

#: options of passes for the LLVM backend: accept programs that TVM's passes reject, compute what is read later
FOR_LLVM: Final[Mapping[str, Mapping[str, Any]]] = {
    "tir.PlanAndUpdateBufferAllocationLocation": {"infers_regions": False},
    "tir.LowerInitBlock": {"runs_without_steps": True},
    "tir.ConvertBlocksToOpaque": {"marks_reductions": True},
    "tir.LoopPartition": {"only_hinted": True},
    "tir.VectorizeLoop": {"max_lanes": MAX_LANES, "is_lenient": True, "is_predicated": True},
    "tir.UnrollLoop": {"is_lenient": True, "simplifies": True, "keeps_vector_nests": True},
    "tir.InjectDoubleBuffer": {"is_lenient": True},
}

#: options of passes for devices: results as in the interpreter, memory of constant size, no conflicts of banks
FOR_DEVICE: Final[Mapping[str, Mapping[str, Any]]] = {
    "tir.LowerInitBlock": {"runs_without_steps": True},
    "tir.CompactBufferAllocation": {"is_constant_on_chip": True},
    "tir.BF16ComputeLegalize": {"widens_native": True},
    "tir.FP8ComputeLegalize": {"is_exact_for_all": True},
    "tir.LowerThreadAllreduce": {"avoids_conflicts": True},
}

#: passes that split a device function into host code and kernels
SPLIT: Final[tuple[Step, ...]] = (
    Step("tir.FP8ComputeLegalize", "depends on the dtypes that the target computes"),
    Step("tir.VerifyVTCMLimit", "allocations are still statements"),
    Step("tir.LowerVtcmAlloc", "before memory is merged"),
    Step("tir.VerifyMemory", "host and device code are still in one function"),
    Step("tir.AnnotateEntryFunc", "before kernels become functions"),
    Step("tir.ThreadSync", "thread launches enclose their accesses", ("global",), _if_set("tir.detect_global_barrier")),
    Step("tir.InferFragment", "fragments are still buffers"),
    Step("tir.LowerThreadAllreduce", "the extents of threads are known from enclosing launches"),
    Step("tir.InjectPTXAsyncCopy", "copies have their final form", (), _if_set("tir.use_async_copy")),
    Step("tir.InjectPTXLDG32", "loads have their final form", (), _if_set("tir.ptx_ldg32")),
    Step("tir.AnnotateDeviceRegions", "thread launches enclose device code"),
    Step("tir.SplitHostDevice", "device regions are annotated"),
    Step("tir.MergeSharedMemoryAllocations", "kernels are separate functions"),
    Step("tir.ThreadSync", "after merging, since reused memory needs barriers too", ("shared",)),
    Step("tir.ThreadSync", "the same", ("shared.dyn",)),
    Step("tir.ThreadSync", "the same", ("warp",)),
)

#: TVM runs MakePackedAPI before these, and LowerTVMBuiltin in `HOST_END`. Here host functions keep their parameters and
#: buffers, and the backend lowers the calling convention.
LAUNCH: Final[tuple[Step, ...]] = (
    Step("tir.LowerDeviceKernelLaunch", "host functions and kernels have separate targets"),
)

#: storage legalization of kernels before launches are lowered; the host passes memory with its declared dtypes
BITS: Final[tuple[Step, ...]] = (
    Step("tir.FP8StorageLegalize", "kernels have no buffer parameters"),
    Step("tir.BF16StorageLegalize", "the same"),
)

HOST_END: Final[tuple[Step, ...]] = (
    Step("tir.LowerIntrin", "lowers operators to those of the target"),
    Step("tir.LowerDeviceStorageAccessInfo", "the last pass on storage scopes"),
    Step("tir.CombineContextCall", "runtime calls exist"),
    Step("tir.InstallDebugSpans", "the program is final", (), _if_set("tir.enable_debug")),
)

DEVICE_END: Final[tuple[Step, ...]] = (
    Step("tir.LowerWarpMemory", "kernels contain their thread launches"),
    Step("tir.Simplify", "simplifies quotients and remainders of lanes"),
    Step("tir.LowerDeviceStorageAccessInfo", "the last pass on storage scopes"),
    Step("tir.LowerIntrin", "lowers operators to those of the target"),
)


def lower(mod: IRModule, *, is_simple: bool = False) -> IRModule:
    """Lower a module to loops over flat memory, as `tvm.lower`; without LoopPartition if `is_simple`.

    Functions keep their parameters and buffer maps. Bodies have no blocks. Each access has one index into a flat
    buffer, including strides and offset. Loops are serial, parallel or bound to threads.
    """
    left_out = frozenset({"tir.LoopPartition"}) if is_simple else frozenset[str]()
    config = PassContext.current().config
    return run(_lowering_passes(config, left_out) if config else _default_passes(left_out), mod)


def lower_for_llvm(mod: IRModule) -> IRModule:
    """Lower a module to loops over flat memory for the LLVM backend."""
    return run(llvm_passes(PassContext.current().config), mod)


def llvm_passes(config: Config) -> tuple[Pass, ...]:
    """Return the passes of `lower_for_llvm`."""
    if "tir.add_lower_pass" in config:  # passes of users see the program as TVM's do
        return tuple(_lowering_passes(config, SKIPPED_FOR_LLVM, FOR_LLVM))
    passes = tuple(_lowering_passes(config, {**SKIPPED_FOR_LLVM, **LAST_FOR_LLVM}, FOR_LLVM))
    return (*passes, *[_get_pass(name, **FOR_LLVM[name]) for name in LAST_FOR_LLVM])


def lower_for_c(mod: IRModule) -> IRModule:
    """Lower a module to loops over flat memory for the C backend."""
    return run(_lowering_passes(PassContext.current().config, SKIPPED_FOR_C, FOR_LLVM), mod)


def lower_for_device(mod: IRModule, target: Target, *, left_out: frozenset[str] = frozenset()) -> IRModule:
    """Lower a module to host functions and kernels for a target with a device; each function has its target.

    Host functions launch kernels by `T.call_packed`, with the thread extents after the arguments. `left_out` are the
    last passes that the backend of the kernels does without.
    """
    config = PassContext.current().config
    split = _passes_of(SPLIT, {"tir.use_async_copy": _has_async_copies(target), **config}, options=FOR_DEVICE)
    # the target first: BF16ComputeLegalize has to know which instructions convert
    mod = run([get_pass("tir.BindTarget", target), *_lowering_passes(config, options=FOR_DEVICE), *split], mod)
    inside = {var: func for var, func in mod.items() if isinstance(func, PrimFunc) and not func.buffer_map}
    mod = mod.replace(
        functions={**mod.functions, **run(_passes_of(BITS, config), mod.replace(functions=inside)).functions}
    )
    hosted = {var: _to_host_target(func) for var, func in mod.items()}
    mod = run(_passes_of(LAUNCH, config), mod.replace(functions=hosted))
    kernels = {var: func for var, func in mod.items() if is_kernel(func)}
    hosts = {var: func for var, func in mod.items() if var not in kernels}
    finished = {
        **run(_passes_of(HOST_END, config), mod.replace(functions=hosts)).functions,
        **run(_passes_of(DEVICE_END, config, left_out), mod.replace(functions=kernels)).functions,
    }
    return mod.replace(functions=finished)


def _has_async_copies(target: Target) -> bool:
    """Return whether a device copies to shared memory asynchronously."""
    arch = cuda_arch(target)
    return arch is not None and arch >= _FIRST_WITH_ASYNC_COPIES


def _to_host_target(func: BaseFunc) -> BaseFunc:
    """Set the target of a host function to the host of its target, after kernels were split off."""
    target = func.attrs.get("target") if isinstance(func, PrimFunc) else None
    if not isinstance(func, PrimFunc) or not isinstance(target, Target) or target.host is None:
        return func
    return func.with_attr("target", target.host)


def is_kernel(func: BaseFunc) -> bool:
    """Return whether a function is a kernel that the host launches."""
    return calling_conv(func) is CallingConv.DEVICE_KERNEL_LAUNCH


@deep_recursion
@without_collection
def run(passes: Sequence[Pass] | Iterator[Pass], mod: IRModule) -> IRModule:
    """Run the passes that the context does not skip."""
    context = PassContext.current()
    is_observed = bool(GLOBAL_INSTRUMENTS or context.instruments)
    #: pass -> its last result; the pass is skipped if the module is still that result
    results: dict[tuple[type[Pass], Pass], IRModule] = {}
    for step in passes:
        if context.runs(step.info) and (is_observed or step.may_change(mod)):
            # passes of different classes have the same hash where their options are the same
            key = step.__class__, step
            if results.get(key) is not mod:
                mod = results[key] = step(mod)
    return mod


@cache
def _default_passes(left_out: frozenset[str]) -> tuple[Pass, ...]:
    return tuple(_lowering_passes({}, left_out))


def _lowering_passes(
    config: Config,
    left_out: Mapping[str, str] | frozenset[str] = frozenset(),
    options: Mapping[str, Mapping[str, object]] | None = None,
) -> Iterator[Pass]:
    added: dict[int, list[Pass]] = {}
    for pair in config.get("tir.add_lower_pass", ()):
        match pair:
            case (int(phase), Pass() as added_pass) if 0 <= phase < len(LOWER):
                added.setdefault(phase, []).append(added_pass)
            case _:
                expected = f"pairs of a phase (0 to {len(LOWER) - 1}) and a pass"
                raise WrongType(where="tir.add_lower_pass", expected=expected, got=repr(pair))
    for phase, places in enumerate(LOWER):
        yield from _passes_of(places, config, left_out, options)
        yield from added.get(phase, ())


def _passes_of(
    places: Sequence[Step],
    config: Config,
    left_out: Mapping[str, str] | frozenset[str] = frozenset(),
    options: Mapping[str, Mapping[str, object]] | None = None,
) -> Iterator[Pass]:
    for place in places:
        if place.name not in left_out and (place.when is None or place.when(config)):
            yield _get_pass(place.name, *place.arguments, **(options or {}).get(place.name, {}))
