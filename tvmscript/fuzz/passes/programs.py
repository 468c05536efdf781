"""Input programs for every pass, from a seed or a `random.Random`, and passes with options."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from tvmscript.fuzz.passes.copy_loops import copy_loops
from tvmscript.fuzz.passes.writers import WRITERS, Outcome, Writer
from tvmscript.fuzz.programs import Seed, checks, nested_blocks, nests
from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.loop_features import random_features
from tvmscript.fuzz.programs.loops import random_program
from tvmscript.fuzz.programs.pipelines import pipeline, short_pipeline
from tvmscript.fuzz.programs.vectors import lenient_loops, masked_loops, vectorized_loops
from tvmscript.ir.core import IRError, IRModule, Target, nodes
from tvmscript.ir.tir import IterKind, IterVar, Var
from tvmscript.ir.transform.base import Form, Pass
from tvmscript.ir.transform.pass_text import read_passes
from tvmscript.ir.transform.pipeline import FOR_DEVICE
from tvmscript.ir.transform.registry import get_pass, pass_class, pass_modules
from tvmscript.parser import from_source

#: for passes that need arguments
ARGUMENTS: Final[dict[str, tuple[Any, ...]]] = {
    "tir.Apply": (lambda func: func.with_attr("applied", 1),),
    "tir.BindTarget": ("llvm",),
    "tir.InjectCopyIntrin": ("copy", copy_loops),
    "tir.LiftAttrScope": ("pragma_mark",),
    "tir.Filter": (lambda func: True,),
    "tir.NarrowDataType": (32,),
    "tir.RemapThreadAxis": ({"threadIdx.x": IterVar(None, Var("tx", "int32"), IterKind.THREAD_INDEX, "threadIdx.y")},),
    "tir.ThreadSync": ("shared",),
}


@dataclass(frozen=True)
class Given:
    """A program and its preparation for a pass."""

    text: str
    #: whether to bind it to a target first
    is_bound: bool = False
    #: preparatory passes, as in `LOWERING`
    before: str = ""
    #: the required outcome of the pass, if known
    outcome: Outcome = ""
    #: options of the pass as text; any if empty
    options: str = ""

    def module(self) -> IRModule:
        """Build the program. Raises the `IRError` of a preparatory pass."""
        module = as_module(from_source(self.text))
        return lowered(bound(module) if self.is_bound else module, self.before)


#: pass -> writers of programs that it changes. `BEFORE` applies to them, too. Most programs
#: for a pass come from here, equally from each writer.
MADE_FOR: Final[dict[str, tuple[Writer, ...]]] = {
    **WRITERS,
    "tir.AssertBounds": (Writer(checks.leaving),),
    "tir.CompactBufferAllocation": (Writer(nested_blocks.windows),),
    "tir.ConvertBlocksToOpaque": (
        Writer(nested_blocks.sums, "tir.LowerInitBlock", outcome="changed"),
        Writer(nested_blocks.blocks_in_blocks, outcome="changed"),
    ),
    "tir.ConvertForLoopsToSerial": (Writer(nests.parallel_loops, outcome="changed"),),
    "tir.HoistExpression": (Writer(nests.invariant_conditions),),
    "tir.HoistIfThenElse": (Writer(nests.invariant_conditions),),
    "tir.HoistIfThenElseBasic": (Writer(nests.invariant_conditions),),
    "tir.InjectDoubleBuffer": (
        Writer(nests.double_buffers, outcome="changed"),
        Writer(nests.double_buffers, outcome="changed", options="{split_loop=2}"),
        Writer(nests.double_buffers, options="{split_loop=0}"),
    ),
    "tir.InjectSoftwarePipeline": (Writer(pipeline), Writer(short_pipeline)),
    "tir.InjectVirtualThread": (Writer(nests.virtual_threads, outcome="changed"),),
    "tir.InstrumentBoundCheckers": (Writer(checks.stated_bounds, outcome="changed"),),
    "tir.LiftAttrScope": (Writer(checks.marked, outcome="changed"),),
    "tir.LowerInitBlock": (Writer(nested_blocks.sums, outcome="changed"),),
    "tir.LowerMatchBuffer": (Writer(nested_blocks.matched_regions, outcome="changed"),),
    "tir.LowerOpaqueBlock": (
        Writer(nested_blocks.opaque_blocks, outcome="changed"),
        Writer(nested_blocks.sums, "tir.LowerInitBlock,tir.ConvertBlocksToOpaque", outcome="changed"),
        Writer(nested_blocks.windows, outcome="changed"),
    ),
    "tir.PlanAndUpdateBufferAllocationLocation": (Writer(nested_blocks.planned, "tir.LowerInitBlock"),),
    "tir.LoopPartition": (
        Writer(nests.likely_loops),
        Writer(nests.likely_loops, options="{partition_const_loop=True}"),
        Writer(nests.likely_loops, options="{partition_const_loop=True, no_unroll_loop_with_extent_one=True}"),
    ),
    "tir.OOBChecker": (Writer(checks.leaving),),
    "tir.RemoveAssume": (Writer(checks.assumed, outcome="changed"),),
    "tir.SkipAssert": (Writer(checks.asserted, outcome="changed"),),
    "tir.VerifyMemory": (
        Writer(checks.host_accesses, outcome="refused"),
        Writer(checks.device_accesses, outcome="taken"),
    ),
    "tir.UnrollLoop": (Writer(nests.unrolled_loops, outcome="changed"),),
    "tir.VectorizeLoop": (
        Writer(vectorized_loops, outcome="changed"),
        Writer(vectorized_loops, outcome="changed"),
        Writer(masked_loops, options="{has_masks=True}"),
        Writer(masked_loops, options="{is_predicated=True}"),
        Writer(vectorized_loops, options="{is_predicated=True}"),
        Writer(vectorized_loops, options="{max_lanes=2}"),
        Writer(lenient_loops, options="{is_lenient=True}"),
    ),
}
#: form -> the passes that lower the previous form to it
LOWERING: Final = {
    Form.OPAQUE_BLOCKS: "tir.LowerCrossThreadReduction,tir.LowerInitBlock,tir.PlanAndUpdateBufferAllocationLocation,"
    "tir.ConvertBlocksToOpaque,tir.LiftThreadBinding",
    Form.LOOPS: "tir.CompactBufferAllocation,tir.UnifyThreadBinding,tir.LowerMatchBuffer,tir.LowerOpaqueBlock",
    Form.FLAT: "tir.FlattenBuffer,tir.Simplify",
    Form.KERNELS: "",
}
#: passes about threads: most of their programs use threads
ON_GPU: Final = {
    "tir.AnnotateDeviceRegions", "tir.InferFragment", "tir.LiftThreadBinding", "tir.LowerCrossThreadReduction",
    "tir.LowerDeviceKernelLaunch", "tir.LowerThreadAllreduce", "tir.LowerWarpMemory",
    "tir.MergeSharedMemoryAllocations", "tir.RemapThreadAxis", "tir.SplitHostDevice", "tir.ThreadSync",
    "tir.UnifyThreadBinding", "tir.VerifyGPUCode", "tir.VerifyMemory",
}  # fmt: skip
#: passes around which threads read each other's data without barriers: results
#: depend on the order of threads until `tir.ThreadSync`
WITHOUT_BARRIERS: Final = {"tir.LiftThreadBinding", "tir.ThreadSync", "tir.UnifyThreadBinding"}
#: attributes that bring parameters into other layouts: calls with the same arguments compute other values
OF_PARAMETERS: Final = ("layout_free_buffers", "layout_transform_map")
#: pass -> preparatory passes without which programs are refused or unchanged
BEFORE: Final = {
    "tir.AnnotateDeviceRegions": "",
    "tir.LowerDeviceKernelLaunch": "tir.AnnotateDeviceRegions,tir.SplitHostDevice",
    "tir.LowerIntrin": "",
    "tir.LowerTVMBuiltin": "tir.MakePackedAPI",
    "tir.LowerThreadAllreduce": "",
    "tir.LowerWarpMemory": "",
    "tir.MakePackedAPI": "",
    "tir.MakeUnpackedAPI": "",
    "tir.SplitHostDevice": "tir.AnnotateDeviceRegions",
    "tir.VerifyMemory": "",
}
FORMS: Final = list(Form)
#: passes that rely on axis kinds for dependences between iterations
BY_AXES: Final = frozenset({"tir.PlanAndUpdateBufferAllocationLocation"})


def make(name: str) -> Pass:
    """Construct a pass from its name or text, with arguments if it needs some."""
    (each,) = read_passes(name)
    # without them zeros and subnormal numbers of 8 bits become others, as in TVM
    options = {**FOR_DEVICE.get(each.name, {}), **each.options}
    return get_pass(each.name, *ARGUMENTS.get(each.name, ()), **options)


def as_module(made: Any) -> IRModule:
    """Wrap a function into a module as `main`; modules are returned unchanged."""
    if isinstance(made, IRModule):
        return made
    return IRModule.from_expr(made if "global_symbol" in made.attrs else made.with_attr("global_symbol", "main"))


def given(form: Form, seed: int, on_gpu: bool | None = None, shares: bool = True) -> Given:
    """Draw a program of a form; some are bound to a target. For `on_gpu` and `shares` see `random_blocks`."""
    is_bound = seed % 4 == 3
    if form in (Form.LOOPS, Form.FLAT) and seed % 3 and not on_gpu:
        return Given((random_features if seed % 3 == 1 else random_program)(seed), is_bound)
    before = [LOWERING[each] for each in FORMS[1 : FORMS.index(form) + 1]]
    if form is Form.KERNELS and seed % 3 and not on_gpu:
        return replace(given(Form.FLAT, seed, on_gpu, shares), before=LOWERING[form])
    return Given(random_blocks(seed, on_gpu, shares), is_bound, ",".join(filter(None, before)))


def written(writer: Writer, seed: Seed) -> Given:
    """The program that a writer draws from a seed."""
    return Given(writer.write(seed), writer.is_bound, writer.before, writer.outcome, writer.options)


def given_for(name: str, seed: int) -> Given:
    """Draw a program for a pass: of a dedicated writer, or of any form that it accepts."""
    writers = MADE_FOR.get(name)
    if writers is not None and seed % 4:
        program = written(writers[seed // 4 % len(writers)], seed)
    else:
        forms = [Form.BLOCKS] if name in BY_AXES else FORMS[FORMS.index(pass_class(name).takes) :]
        form = forms[seed // 3 % len(forms)]
        shares = form is Form.BLOCKS or name in WITHOUT_BARRIERS
        program = given(form, seed, True if name in ON_GPU and seed % 4 else None, shares)
    if name not in BEFORE:
        return program
    return replace(program, is_bound=True, before=",".join(filter(None, (program.before, BEFORE[name]))))


@functools.lru_cache(maxsize=256)
def _module(made: Given) -> IRModule:
    return made.module()


def program(form: Form, seed: int, on_gpu: bool | None = None, shares: bool = True) -> IRModule:
    """The program of a form and a seed."""
    return _module(given(form, seed, on_gpu, shares))


def programs(name: str, seeds: range) -> Iterator[IRModule]:
    """Yield programs for a pass, skipping those that preparatory passes refuse."""
    for seed in seeds:
        try:
            yield _module(given_for(name, seed))
        except IRError:
            continue


def lowered(mod: IRModule, names: str) -> IRModule:
    """Run the named passes that exist."""
    for name in names.split(","):
        if name in pass_modules():
            mod = make(name)(mod)
    return mod


#: with TVM's defaults
_CPU: Final = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu"}


def bound(mod: IRModule) -> IRModule:
    """Bind a program to a target that it can run on."""
    has_threads = any(
        getattr(node, "thread_binding", None) is not None or getattr(node, "attr_key", "") == "thread_extent"
        for node in nodes(mod)
    )
    target = Target.make({"kind": "cuda", "host": _CPU} if has_threads else {**_CPU, "host": _CPU})
    bound: IRModule = get_pass("tir.BindTarget", target)(mod)
    return bound
