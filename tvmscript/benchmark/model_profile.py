"""Where a model spends its time and memory: the calls of its kernels in order, and its memory plan."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from tvmscript import graph_build
from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.device import cpu
from tvmscript.backends.vm.executable import Executable
from tvmscript.backends.vm.values import FunctionValue, Value
from tvmscript.backends.vm.virtual_machine import VirtualMachine
from tvmscript.ir.analysis.cost.op_count import Work, work_of
from tvmscript.ir.core import GlobalVar, IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.lowering.graph_values import NotLowered, Place, TensorValue
from tvmscript.ir.relax.lowering.kernel_calls import KernelCalls
from tvmscript.ir.relax.lowering.memory_plan import Lifetime, align, peak_of_live_bytes, plan_memory
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.transform.operators.pack_weights import PackWeights
from tvmscript.ir.relax.transform.parameters.bind_symbolic_vars import BindSymbolicVars
from tvmscript.ir.relax.transform.pipeline import get_pipeline
from tvmscript.ir.tir import IntImm, PrimFunc, Var

#: the pipeline that models go through
PIPELINE: Final = "inference"
_REPEATS: Final = 5
#: how often `profile_model` notifies
STEPS: Final = 2 + 2 * _REPEATS


@dataclass(frozen=True)
class Call:
    """One call of a kernel."""

    name: str
    #: dtype and shape of its result
    result: str
    seconds: float
    work: Work
    #: numbers of the earlier calls whose results it takes
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Temporary:
    """A tensor between kernels: its place in the planned memory, and the calls between which it lives."""

    offset: int
    bytes: int
    lifetime: Lifetime


@dataclass(frozen=True)
class ModelProfile:
    """The profile of one call of the graph function `main` for arguments of certain shapes."""

    calls: tuple[Call, ...]
    #: none where the function is interpreted, for `reason`
    temporaries: tuple[Temporary, ...]
    planned_bytes: int
    #: the most bytes that live at the same time: no plan takes less
    live_bytes: int
    constant_bytes: int
    #: of a call of the whole function
    seconds: float
    build_seconds: float
    #: why the function is interpreted, None where it is native code
    reason: str | None

    @property
    def work(self) -> Work:
        """Operations and bytes of all calls."""
        return Work(sum(call.work.operations for call in self.calls), sum(call.work.bytes for call in self.calls))


def build_model(module: IRModule, target: str) -> tuple[IRModule, Executable]:
    """Return a model as calls of kernels, and its executable."""
    program = get_pipeline(PIPELINE)(module)
    if target.split()[:1] == ["llvm"]:
        program = PackWeights(target)(program)
    return program, graph_build.build(program, target, pipeline=_keep)


def _keep(mod: IRModule) -> IRModule:
    return mod


def with_sizes_of(module: IRModule, main: Function, arguments: Sequence[Value]) -> IRModule:
    """Return a model for the sizes that arguments of `main` have."""
    sizes: dict[str, int] = {}
    for param, argument in zip(main.params, arguments, strict=True):
        info = param.struct_info
        if isinstance(info, TensorStructInfo) and isinstance(argument, NDArray):
            pairs = zip(info.extents or (), argument.shape, strict=False)
            sizes |= {extent.name: size for extent, size in pairs if isinstance(extent, Var)}
    return BindSymbolicVars(sizes, "main")(module) if sizes else module


def profile_model(
    module: IRModule,
    main: Function,
    arguments: Sequence[Value],
    target: str = "llvm",
    notify: Callable[[str], object] = lambda step: None,
) -> ModelProfile:
    """Compile a model for the sizes of the arguments, and measure `main` kernel by kernel, and as a whole.

    `notify` hears what is done. Raises the errors of `relax.build`, and those of arguments.
    """
    notify("compiling")
    begin = time.perf_counter()
    program, executable = build_model(with_sizes_of(module, main, arguments), target)
    build_seconds = time.perf_counter() - begin
    machine = VirtualMachine(executable, cpu())
    whole = machine["main"]
    notify("compiling kernels one by one")
    recorded = _Recorded()
    machine.set_instrument(recorded)
    step = machine["main"]
    seconds: list[float] = []
    for _ in range(_REPEATS):
        notify("measuring kernels")
        recorded.begin()
        step(*arguments)
    for _ in range(_REPEATS):
        notify("measuring the whole")
        begin = time.perf_counter()
        whole(*arguments)
        seconds.append(time.perf_counter() - begin)
    graph = _graph_of(program)
    kernels = {var.name_hint: func for var, func in program.items() if isinstance(func, PrimFunc)}
    work = {name: work_of(kernels[name], {}) for name in {*recorded.names} if name in kernels}
    sources = graph.sources if graph is not None and len(graph.sources) == len(recorded.names) else None
    calls = [
        Call(name, result, best, work.get(name, Work(0, 0)), sources[number] if sources else ())
        for number, (name, result, best) in enumerate(
            zip(recorded.names, recorded.results, recorded.seconds, strict=True)
        )
    ]
    memory = _Memory() if graph is None else graph.memory
    reason = executable.reasons.get("main")
    return ModelProfile(
        tuple(calls),
        memory.temporaries,
        memory.planned_bytes,
        memory.live_bytes,
        memory.constant_bytes,
        min(seconds),
        build_seconds,
        reason,
    )


def work_of_model(program: IRModule) -> Work:
    """Return operations and bytes of the calls of `main`; none where it is interpreted."""
    graph = _graph_of(program)
    works = [] if graph is None else [work_of(func, {}) for func in graph.kernels]
    return Work(sum(work.operations for work in works), sum(work.bytes for work in works))


class _Recorded:
    """An instrument that keeps the calls of kernels in order, and the shortest time of each over several runs."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.results: list[str] = []
        self.seconds: list[float] = []
        self._number = 0
        self._start = 0.0

    def begin(self) -> None:
        """Begin a run."""
        self._number = 0

    def __call__(self, function: FunctionValue, name: str, before: bool, result: Value, *args: Value) -> None:
        if before:
            self._start = time.perf_counter()
            return
        seconds = time.perf_counter() - self._start
        if self._number == len(self.names):
            tensors = [arg for arg in args if isinstance(arg, NDArray)]
            self.names.append(name)
            self.results.append(f"{tensors[-1].dtype}{list(tensors[-1].shape)}" if tensors else "")
            self.seconds.append(seconds)
        elif self._number < len(self.names):
            self.seconds[self._number] = min(self.seconds[self._number], seconds)
        self._number += 1


@dataclass(frozen=True)
class _Memory:
    """The memory plan of a function."""

    temporaries: tuple[Temporary, ...] = ()
    planned_bytes: int = 0
    live_bytes: int = 0
    constant_bytes: int = 0


@dataclass(frozen=True)
class _Graph:
    """What a function is known to do before it runs."""

    #: for each call the earlier ones whose results it takes
    sources: Sequence[tuple[int, ...]]
    #: the kernels of the calls; those of packed functions are not among them
    kernels: Sequence[PrimFunc]
    memory: _Memory


def _graph_of(program: IRModule) -> _Graph | None:
    """Return the calls of `main` and its memory; None where it is interpreted."""
    graphs = {var.name_hint: func for var, func in program.items() if isinstance(func, Function)}
    try:
        lowered = KernelCalls("main", graphs["main"].inline_functions(graphs))
    except NotLowered:
        return None
    sources: list[tuple[int, ...]] = []
    for number, call in enumerate(lowered.calls):
        storages = [arg.storage for arg in call.args if isinstance(arg, TensorValue)]
        earlier = {
            min(storage.uses)
            for storage in storages
            if storage.place in (Place.TEMPORARY, Place.RESULT) and min(storage.uses) < number
        }
        sources.append(tuple(sorted(earlier)))
    functions = {var.name_hint: func for var, func in program.items()}
    called = [functions.get(call.callee.name_hint) for call in lowered.calls if isinstance(call.callee, GlobalVar)]
    return _Graph(sources, [func for func in called if isinstance(func, PrimFunc)], _memory_of(lowered))


def _memory_of(lowered: KernelCalls) -> _Memory:
    storages = {
        id(arg.storage): arg.storage
        for call in lowered.calls
        for arg in call.args
        if isinstance(arg, TensorValue) and arg.storage.place is Place.TEMPORARY
    }
    sizes: list[int] = []
    lifetimes: list[Lifetime] = []
    for storage in storages.values():
        if isinstance(storage.size, IntImm):
            sizes.append(storage.size.value)
            lifetimes.append(storage.lifetime)
    plan = plan_memory(sizes, lifetimes)
    temporaries = [
        Temporary(offset, align(size), life) for offset, size, life in zip(plan.offsets, sizes, lifetimes, strict=True)
    ]
    return _Memory(tuple(temporaries), plan.size, peak_of_live_bytes(sizes, lifetimes), len(lowered.constants.data()))
