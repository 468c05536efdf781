"""The passes in their order, with the reason for each place, and what runs of them for a target.

The order is TVM's. `LOWER` makes loops over flat memory out of what people write, for any target. `SPLIT` then takes
functions for a device apart, into what the host does and kernels; `BITS`, `LAUNCH`, `HOST_END` and `DEVICE_END` finish
them.
What the LLVM backend does better itself, its pipeline leaves out: `SKIPPED_FOR_LLVM`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.core.target import Target
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.function_attributes import CallingConv, calling_conv
from tvmscript.ir.transform.registry import get_pass

Config = Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """A pass at its place."""

    name: str
    #: why it stands here and not elsewhere
    why: str
    arguments: tuple[Any, ...] = ()
    #: it runs where the options of the context say so; None: always
    when: Callable[[Config], bool] | None = None


def _given(key: str) -> Callable[[Config], bool]:
    return lambda config: bool(config.get(key, False))


def _unless(key: str) -> Callable[[Config], bool]:
    return lambda config: not config.get(key, False)


#: The phases of `tvm.lower`. The option `tir.add_lower_pass` puts passes behind a phase, from 0 on.
LOWER: Final[tuple[tuple[Step, ...], ...]] = (
    (),
    (
        Step("tir.InjectPrefetch", "what tensor expressions leave"),
        Step("tir.TextureFlatten", "realized textures have their dimensions"),
        Step("tir.StorageFlatten", "what tensor expressions leave becomes loops over buffers", (64,)),
        Step("tir.LowerCrossThreadReduction", "it tells reductions by the axes of blocks and their inits"),
        Step("tir.LowerInitBlock", "an init needs the block's reduction axes: while there are any"),
        Step(
            "tir.PlanAndUpdateBufferAllocationLocation",
            "buffers move to their uses: after inits, which are uses, and while axes tell which loops reduce",
        ),
        Step("tir.ConvertBlocksToOpaque", "bindings of axes become indices, which everything below looks at"),
        Step("tir.LiftThreadBinding", "equal loops of threads become one: before regions are compared"),
        Step("tir.ManifestSharedMemoryLocalStage", "it makes a buffer, which the next pass shrinks"),
        Step(
            "tir.CompactBufferAllocation",
            "buffers shrink to what the loops below their new place access: needs indices in terms of loops",
        ),
        Step("tir.LowerAutoCopy", "copies of blocks have the shapes that are left of their buffers"),
        Step("tir.UnifyThreadBinding", "one variable for each thread: before code is compared or moved"),
        Step("tir.LowerMatchBuffer", "regions are those of blocks: while there are blocks"),
        Step("tir.Simplify", "the next passes look for patterns in indices"),
        Step("tir.InjectPermutedLayout", "indices still have their dimensions"),
        Step("tir.InjectSoftwarePipeline", "what depends on what is told by regions of blocks"),
        Step("tir.TransformMmaBufferLayout", "fragments still have their dimensions"),
        Step("tir.LowerOpaqueBlock", "the last pass that sees blocks"),
        Step("tir.FlattenBuffer", "one index for each access: what vectors are made of"),
        Step("tir.BF16ComputeLegalize", "before vectors are made, so that its casts are vectors too"),
        Step("tir.NarrowDataType", "indices are flat: their bounds are those of the memory", (32,)),
        Step("tir.Simplify", "sums of flat indices come in simplest form: strides are visible to what follows"),
    ),
    (
        Step("tir.LoopPartition", "conditions go before loops become vectors, which would mask them"),
        Step("tir.VectorizeLoop", "while loops are whole", when=_unless("tir.disable_vectorize")),
        Step("tir.InjectVirtualThread", "it copies statements: those inside are done"),
        Step("tir.InjectDoubleBuffer", "loops still run, and buffers still have one purpose each"),
        Step("tir.StorageRewrite", "buffers have their last sizes", when=_unless("tir.disable_storage_rewrite")),
        Step("tir.LowerAsyncDMA", "copies have their last form", when=_given("tir.use_async_copy")),
        Step("tir.HoistIfThenElse", "conditions leave loops before these are unrolled"),
        Step("tir.UnrollLoop", "the last pass that changes loops"),
    ),
    (
        Step("tir.RenormalizeSplitPattern", "splits leave quotients of sums"),
        Step("tir.Simplify", "iterations of unrolled loops have constant indices and conditions"),
        Step("tir.RemoveNoOp", "what never runs has been found out"),
        Step("tir.RewriteUnsafeSelect", "the last accesses are known"),
        Step("tir.InstrumentBoundCheckers", "the same", when=_given("tir.instrument_bound_checkers")),
        Step("tir.InjectPTXLDG32", "loads have their last form", (True,), when=_given("tir.ptx_ldg32")),
        Step("tir.CommonSubexprElimTIR", "expressions have their last form", when=_unless("tir.disable_cse_tir")),
        Step("tir.InstrumentProfileIntrinsics", "loops have their last form", when=_given("tir.instrument_lwp")),
    ),
)

#: What the LLVM backend leaves out of `LOWER`, and why.
SKIPPED_FOR_LLVM: Final[Mapping[str, str]] = {
    "tir.BF16ComputeLegalize": "the backend converts narrow floats where it computes",
    "tir.NarrowDataType": "64-bit indices cost nothing on the targets at hand",
    "tir.LoopPartition": "LLVM splits and unswitches loops, and knows what that costs",
    "tir.HoistIfThenElse": "LLVM unswitches loops",
    "tir.CommonSubexprElimTIR": "LLVM finds repeated index arithmetic",
    "tir.RewriteUnsafeSelect": "a Select evaluates both sides, as the language says: T.if_then_else guards accesses",
}

#: More lanes than this make code that is long, not fast: 64 lanes of float32 are four registers of AVX-512.
MAX_LANES: Final = 64

#: What the LLVM backend asks of passes: programs are compiled as they are meant, where TVM's passes refuse them.
FOR_LLVM: Final[Mapping[str, Mapping[str, Any]]] = {
    "tir.VectorizeLoop": {"max_lanes": MAX_LANES, "is_lenient": True},
    "tir.UnrollLoop": {"is_lenient": True},
}

#: What devices ask of passes: programs mean what they mean in the interpreter.
FOR_DEVICE: Final[Mapping[str, Mapping[str, Any]]] = {"tir.FP8ComputeLegalize": {"is_exact_for_all": True}}

#: From loops of a function for a device to the host's part of it, and kernels.
SPLIT: Final[tuple[Step, ...]] = (
    Step("tir.FP8ComputeLegalize", "the target says what it computes"),
    Step("tir.VerifyVTCMLimit", "allocations are still statements"),
    Step("tir.LowerVtcmAlloc", "before memory is shared out"),
    Step("tir.VerifyMemory", "the host must not touch memory of the device: while both are in one function"),
    Step("tir.AnnotateEntryFunc", "there is one function as long as kernels are inside"),
    Step("tir.ThreadSync", "threads stand around what they access", ("global",), _given("tir.detect_global_barrier")),
    Step("tir.InferFragment", "fragments are still buffers"),
    Step("tir.LowerThreadAllreduce", "the extents of threads stand around"),
    Step("tir.InjectPTXAsyncCopy", "copies have their last form", (), _given("tir.use_async_copy")),
    Step("tir.InjectPTXLDG32", "loads have their last form", (), _given("tir.ptx_ldg32")),
    Step("tir.AnnotateDeviceRegions", "what threads stand around is what the device runs"),
    Step("tir.SplitHostDevice", "regions of the device are marked"),
    Step("tir.MergeSharedMemoryAllocations", "those of one kernel: they are apart now"),
    Step("tir.ThreadSync", "memory that is used again needs barriers too: after it was merged", ("shared",)),
    Step("tir.ThreadSync", "the same", ("shared.dyn",)),
    Step("tir.ThreadSync", "the same", ("warp",)),
)

#: TVM runs MakePackedAPI before these. Here host functions keep their parameters and buffers: the backend that compiles
#: them makes their calling convention. So it is with LowerTVMBuiltin in `HOST_END`.
LAUNCH: Final[tuple[Step, ...]] = (
    Step("tir.LowerDeviceKernelLaunch", "host functions and kernels have targets of their own"),
)

#: Of kernels, before they are launched: the host only hands out the memory, with the dtypes that it is called with.
BITS: Final[tuple[Step, ...]] = (
    Step("tir.FP8StorageLegalize", "kernels have no buffers as parameters any more"),
    Step("tir.BF16StorageLegalize", "the same"),
)

HOST_END: Final[tuple[Step, ...]] = (
    Step("tir.LowerIntrin", "operators are those that the target has"),
    Step("tir.LowerDeviceStorageAccessInfo", "the last pass that sees scopes"),
    Step("tir.CombineContextCall", "calls of the runtime are there"),
    Step("tir.InstallDebugSpans", "nothing moves any more", (), _given("tir.enable_debug")),
)

DEVICE_END: Final[tuple[Step, ...]] = (
    Step("tir.LowerWarpMemory", "kernels know their threads"),
    Step("tir.Simplify", "lanes of warps are quotients and remainders"),
    Step("tir.LowerDeviceStorageAccessInfo", "the last pass that sees scopes"),
    Step("tir.LowerIntrin", "operators are those that the target has"),
)


def lower(mod: IRModule, *, is_simple: bool = False) -> IRModule:
    """The module as loops over flat memory, as `tvm.lower` makes it; without LoopPartition where it `is_simple`.

    Functions keep their parameters and buffer maps. Bodies have no blocks; each access has one index into a flat
    buffer, strides and offset included; loops are serial, parallel or bound to threads.
    """
    config = PassContext.current().config
    return run(_lowering(config, frozenset({"tir.LoopPartition"}) if is_simple else frozenset()), mod)


def lower_for_llvm(mod: IRModule) -> IRModule:
    """The module as loops over flat memory, as the LLVM backend takes it."""
    return run(llvm_passes(PassContext.current().config), mod)


def llvm_passes(config: Config) -> tuple[Pass, ...]:
    """The passes of `lower_for_llvm`."""
    return tuple(_lowering(config, SKIPPED_FOR_LLVM, FOR_LLVM))


def lower_for_device(mod: IRModule, target: Target) -> IRModule:
    """Host functions and kernels of a module for a target with a device; each has its target.

    Host functions launch kernels by `T.call_packed` with the extents of their threads behind the arguments.
    """
    config = PassContext.current().config
    split = _passes(SPLIT, config, options=FOR_DEVICE)
    mod = run([*_lowering(config), get_pass("tir.BindTarget", target), *split], mod)
    inside = {var: func for var, func in mod.items() if isinstance(func, PrimFunc) and not func.buffer_map}
    mod = mod.replace(
        functions={**mod.functions, **run(_passes(BITS, config), mod.replace(functions=inside)).functions}
    )
    mod = run(_passes(LAUNCH, config), mod.replace(functions={var: _of_host(func) for var, func in mod.items()}))
    kernels = {var: func for var, func in mod.items() if is_kernel(func)}
    hosts = {var: func for var, func in mod.items() if var not in kernels}
    finished = {
        **run(_passes(HOST_END, config), mod.replace(functions=hosts)).functions,
        **run(_passes(DEVICE_END, config), mod.replace(functions=kernels)).functions,
    }
    return mod.replace(functions=finished)


def _of_host(func: BaseFunc) -> BaseFunc:
    """A function whose target has a host is run by that: its kernels have been taken out."""
    target = func.attrs.get("target") if isinstance(func, PrimFunc) else None
    if not isinstance(func, PrimFunc) or not isinstance(target, Target) or target.host is None:
        return func
    return func.with_attr("target", target.host)


def is_kernel(func: BaseFunc) -> bool:
    """Whether a function runs on a device, launched by its host."""
    return calling_conv(func) is CallingConv.DEVICE_KERNEL_LAUNCH


def run(passes: Sequence[Pass] | Iterator[Pass], mod: IRModule) -> IRModule:
    """What the passes make of a module, those that the context runs."""
    context = PassContext.current()
    #: what each pass gave when it ran last: it has nothing to do where no pass after it changed anything
    results: dict[Pass, IRModule] = {}
    for each in passes:
        if results.get(each) is not mod and context.runs(each.info):
            mod = results[each] = each(mod)
    return mod


def _lowering(
    config: Config,
    left_out: Mapping[str, str] | frozenset[str] = frozenset(),
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> Iterator[Pass]:
    added: dict[int, list[Pass]] = {}
    for phase, each in config.get("tir.add_lower_pass", ()):
        if not isinstance(each, Pass):
            raise WrongType(where="tir.add_lower_pass", expected="pairs of a phase and a pass", got=repr(each))
        added.setdefault(int(phase), []).append(each)
    for phase, places in enumerate(LOWER):
        yield from _passes(places, config, left_out, options)
        yield from added.get(phase, ())


def _passes(
    places: Sequence[Step],
    config: Config,
    left_out: Mapping[str, str] | frozenset[str] = frozenset(),
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> Iterator[Pass]:
    for place in places:
        if place.name not in left_out and (place.when is None or place.when(config)):
            yield get_pass(place.name, *place.arguments, **(options or {}).get(place.name, {}))
