"""Input programs for every pass, from a seed or a `random.Random`, and passes with options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from tvmscript.fuzz.passes.writers import WRITERS
from tvmscript.fuzz.programs import Seed, checks, nested_blocks, nests
from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.loop_features import random_features
from tvmscript.fuzz.programs.loops import random_program
from tvmscript.fuzz.programs.pipelines import pipeline, short_pipeline
from tvmscript.fuzz.programs.vectors import lenient_loops, masked_loops, vectorized_loops
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.target import Target
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.expr import IterKind, IterVar, Var
from tvmscript.ir.transform.base import Form, Pass
from tvmscript.ir.transform.pass_text import read_passes
from tvmscript.ir.transform.pipeline import FOR_DEVICE
from tvmscript.ir.transform.registry import get_pass, pass_class, pass_modules
from tvmscript.parser import from_source

#: for passes that need arguments
ARGUMENTS: Final[dict[str, tuple[Any, ...]]] = {
    "tir.Apply": (lambda func: func,),
    "tir.BindTarget": ("llvm",),
    "tir.LiftAttrScope": ("pragma_mark",),
    "tir.Filter": (lambda func: True,),
    "tir.NarrowDataType": (32,),
    "tir.RemapThreadAxis": ({"threadIdx.x": IterVar(None, Var("tx", "int32"), IterKind.THREAD_INDEX, "threadIdx.y")},),
    "tir.ThreadSync": ("shared",),
}

#: what a pass has to do with a program: nothing is known, it takes it, it changes it as well, it refuses it
Outcome = Literal["", "taken", "changed", "refused"]


@dataclass(frozen=True)
class Given:
    """A program, and what is done to it before it is of use to a pass."""

    text: str
    #: whether it is bound to a target first
    is_bound: bool = False
    #: passes that run before, as in `LOWERING`
    before: str = ""
    #: what the pass has to do, where that is known
    outcome: Outcome = ""
    #: options of the pass, as text; any where there are none
    options: str = ""

    def module(self) -> IRModule:
        """The program. Raises the `IRError` of a pass before that refuses it."""
        module = as_module(from_source(self.text))
        return lowered(bound(module) if self.is_bound else module, self.before)


@dataclass(frozen=True)
class Made:
    """A writer of programs made for a pass: functions or whole modules of any form, as text."""

    write: Callable[[Seed], str]
    #: as in `Given`
    before: str = ""
    is_bound: bool = False
    outcome: Outcome = ""
    options: str = ""

    def given(self, seed: Seed) -> Given:
        """A program."""
        return Given(self.write(seed), self.is_bound, self.before, self.outcome, self.options)


#: pass -> what writes programs that it has something to do for. What `BEFORE` says is done to them, too. Most programs
#: for a pass come from here, from each writer about as many.
MADE_FOR: Final[dict[str, tuple[Made, ...]]] = {
    **{name: tuple(Made(*each) for each in writers) for name, writers in WRITERS.items()},
    "tir.AssertBounds": (Made(checks.leaving),),
    "tir.CompactBufferAllocation": (Made(nested_blocks.windows),),
    "tir.ConvertBlocksToOpaque": (
        Made(nested_blocks.sums, "tir.LowerInitBlock", outcome="changed"),
        Made(nested_blocks.blocks_in_blocks, outcome="changed"),
    ),
    "tir.ConvertForLoopsToSerial": (Made(nests.parallel_loops, outcome="changed"),),
    "tir.HoistExpression": (Made(nests.invariant_conditions),),
    "tir.HoistIfThenElse": (Made(nests.invariant_conditions),),
    "tir.HoistIfThenElseBasic": (Made(nests.invariant_conditions),),
    "tir.InjectDoubleBuffer": (
        Made(nests.double_buffers, outcome="changed"),
        Made(nests.double_buffers, outcome="changed", options="{split_loop=2}"),
        Made(nests.double_buffers, options="{split_loop=0}"),
    ),
    "tir.InjectSoftwarePipeline": (Made(pipeline), Made(short_pipeline)),
    "tir.InjectVirtualThread": (Made(nests.virtual_threads, outcome="changed"),),
    "tir.InstrumentBoundCheckers": (Made(checks.stated_bounds, outcome="changed"),),
    "tir.LiftAttrScope": (Made(checks.marked, outcome="changed"),),
    "tir.LowerInitBlock": (Made(nested_blocks.sums, outcome="changed"),),
    "tir.LowerMatchBuffer": (Made(nested_blocks.matched_regions, outcome="changed"),),
    "tir.LowerOpaqueBlock": (
        Made(nested_blocks.opaque_blocks, outcome="changed"),
        Made(nested_blocks.sums, "tir.LowerInitBlock,tir.ConvertBlocksToOpaque", outcome="changed"),
        Made(nested_blocks.windows, outcome="changed"),
    ),
    "tir.PlanAndUpdateBufferAllocationLocation": (Made(nested_blocks.planned, "tir.LowerInitBlock"),),
    "tir.LoopPartition": (
        Made(nests.likely_loops),
        Made(nests.likely_loops, options="{partition_const_loop=True}"),
        Made(nests.likely_loops, options="{partition_const_loop=True, no_unroll_loop_with_extent_one=True}"),
    ),
    "tir.OOBChecker": (Made(checks.leaving),),
    "tir.RemoveAssume": (Made(checks.assumed, outcome="changed"),),
    "tir.SkipAssert": (Made(checks.asserted, outcome="changed"),),
    "tir.VerifyMemory": (Made(checks.host_accesses, outcome="refused"), Made(checks.device_accesses, outcome="taken")),
    "tir.UnrollLoop": (Made(nests.unrolled_loops, outcome="changed"),),
    "tir.VectorizeLoop": (
        Made(vectorized_loops, outcome="changed"),
        Made(vectorized_loops, outcome="changed"),
        Made(masked_loops, options="{has_masks=True}"),
        Made(vectorized_loops, options="{max_lanes=2}"),
        Made(lenient_loops, options="{is_lenient=True}"),
    ),
}
#: form of programs -> what makes it of the form before
LOWERING: Final = {
    Form.OPAQUE_BLOCKS: "tir.LowerCrossThreadReduction,tir.LowerInitBlock,tir.PlanAndUpdateBufferAllocationLocation,"
    "tir.ConvertBlocksToOpaque,tir.LiftThreadBinding",
    Form.LOOPS: "tir.CompactBufferAllocation,tir.UnifyThreadBinding,tir.LowerMatchBuffer,tir.LowerOpaqueBlock",
    Form.FLAT: "tir.FlattenBuffer,tir.Simplify",
    Form.KERNELS: "",
}
#: passes that look for threads: most of their programs have them
ON_GPU: Final = {
    "tir.AnnotateDeviceRegions",
    "tir.InferFragment",
    "tir.LiftThreadBinding",
    "tir.LowerCrossThreadReduction",
    "tir.LowerDeviceKernelLaunch",
    "tir.LowerThreadAllreduce",
    "tir.LowerWarpMemory",
    "tir.MergeSharedMemoryAllocations",
    "tir.RemapThreadAxis",
    "tir.SplitHostDevice",
    "tir.ThreadSync",
    "tir.UnifyThreadBinding",
    "tir.VerifyGPUCode",
    "tir.VerifyMemory",
}
#: passes after which, or before which, threads read what others wrote without waiting for them: what is computed then
#: depends on the order in which they run. `tir.ThreadSync` makes it certain.
WITHOUT_BARRIERS: Final = {"tir.LiftThreadBinding", "tir.ThreadSync", "tir.UnifyThreadBinding"}
#: pass -> what runs before, where programs would be refused, or never changed
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
#: passes that go by the kinds of axes: nothing else tells them what an iteration leaves to the next one
BY_AXES: Final = frozenset({"tir.PlanAndUpdateBufferAllocationLocation"})


def make(name: str) -> Pass:
    """The pass of a name, or of a text with options, with arguments where it needs some."""
    (each,) = read_passes(name)
    # without them zeros and subnormal numbers of 8 bits become others, as in TVM
    options = {**FOR_DEVICE.get(each.name, {}), **each.options}
    return get_pass(each.name, *ARGUMENTS.get(each.name, ()), **options)


def as_module(made: Any) -> IRModule:
    """A module as it is, or that of a function, which is called `main`."""
    if isinstance(made, IRModule):
        return made
    return IRModule.from_expr(made if "global_symbol" in made.attrs else made.with_attr("global_symbol", "main"))


def given(form: Form, seed: int, on_gpu: bool | None = None, shares: bool = True) -> Given:
    """A random program of a form; some are bound to a target. What is said is about threads: see `random_blocks`."""
    is_bound = seed % 4 == 3
    if form in (Form.LOOPS, Form.FLAT) and seed % 3 and not on_gpu:
        return Given((random_features if seed % 3 == 1 else random_program)(seed), is_bound)
    before = [LOWERING[each] for each in FORMS[1 : FORMS.index(form) + 1]]
    if form is Form.KERNELS and seed % 3 and not on_gpu:
        return replace(given(Form.FLAT, seed, on_gpu, shares), before=LOWERING[form])
    return Given(random_blocks(seed, on_gpu, shares), is_bound, ",".join(filter(None, before)))


def given_for(name: str, seed: int) -> Given:
    """A random program for a pass: made for it, or of any form that it takes."""
    writers = MADE_FOR.get(name)
    if writers is not None and seed % 4:
        program = writers[seed // 4 % len(writers)].given(seed)
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
    """The random program of a form."""
    return _module(given(form, seed, on_gpu, shares))


def programs(name: str, seeds: range) -> Iterator[IRModule]:
    """Random programs for a pass, those that what runs before takes."""
    for seed in seeds:
        try:
            yield _module(given_for(name, seed))
        except IRError:
            continue


def lowered(mod: IRModule, names: str) -> IRModule:
    """What the passes make of a program, those that there are."""
    for name in names.split(","):
        if name in pass_modules():
            mod = make(name)(mod)
    return mod


#: with what TVM adds by itself
_CPU: Final = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu"}


def bound(mod: IRModule) -> IRModule:
    """The program bound to a target that it can run on."""
    has_threads = any(
        getattr(node, "thread_binding", None) is not None or getattr(node, "attr_key", "") == "thread_extent"
        for node in nodes(mod)
    )
    target = Target.make({"kind": "cuda", "host": _CPU} if has_threads else {**_CPU, "host": _CPU})
    bound: IRModule = get_pass("tir.BindTarget", target)(mod)
    return bound
