"""Build graph modules: `relax.build`, `compile`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import tvm_ffi

from tvmscript import driver
from tvmscript.backends.runtime.device import Device, cpu, cuda, is_cuda
from tvmscript.backends.runtime.module import Module
from tvmscript.backends.vm.executable import Executable, ExecutableParts, VMFunction
from tvmscript.backends.vm.graph_function import GraphFunction
from tvmscript.backends.vm.interpreter import InterpretedFunction, Interpreter
from tvmscript.backends.vm.memory import HostMemory
from tvmscript.cached_build import library_of, load_library
from tvmscript.ir.core import GlobalVar, IRModule, Target, UnknownName, WrongType
from tvmscript.ir.core.python_settings import deep_recursion, without_collection
from tvmscript.ir.relax.analysis.recursion import detect_recursion
from tvmscript.ir.relax.check_reshapes import check_reshapes
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.lowering.graph_values import NotLowered
from tvmscript.ir.relax.lowering.host_function import SIZES, HostFunction, lower_graph_function
from tvmscript.ir.relax.solve_sizes import solve_sizes
from tvmscript.ir.relax.transform.operators.fold_constant import FoldConstant
from tvmscript.ir.relax.transform.operators.pack_weights import PackWeights
from tvmscript.ir.relax.transform.pipeline import get_pipeline
from tvmscript.ir.tir import PrimFunc

if TYPE_CHECKING:
    from tvmscript.backends.vm.cuda_memory import CudaMemory
    from tvmscript.package import Package

#: how graph functions run: as native code where they can be, or binding by binding
ExecMode = Literal["compiled", "bytecode"]


@deep_recursion
@without_collection
def build(
    mod: IRModule,
    target: Any = None,
    params: Mapping[str, Any] | None = None,
    pipeline: str | Callable[[IRModule], IRModule] = "kernel_calls",
    exec_mode: ExecMode = "compiled",
) -> Executable:
    """Compile a graph module to an executable, which `VirtualMachine` runs.

    Graph functions of kernel calls become native code that calls the kernels in order over one planned block of
    memory. Others - with conditionals, closures, recursion, calls of packed functions - are interpreted, binding by
    binding, and so are all of them with `exec_mode` "bytecode"; `Executable.reasons` says why. Kernels are compiled.

    `params` gives values to parameters of `main`, by name; what dataflow blocks compute from them alone is computed now
    (`relax.FoldConstant`), and constants are packed for the kernels that read them (`relax.PackWeights`). `pipeline` is
    the name of a pipeline of `relax.get_pipeline`, or passes; operators that it leaves are interpreted by their NumPy
    references. Raises the errors of `tvmscript.build` and `relax.get_pipeline`.
    """
    if exec_mode not in ("compiled", "bytecode"):
        raise WrongType(where="relax.build", expected="exec_mode compiled or bytecode", got=repr(exec_mode))
    if params:
        mod = FoldConstant()(_bind_params(mod, params))
    run_pipeline = get_pipeline(pipeline) if isinstance(pipeline, str) else pipeline
    text = driver.as_target_text(target)
    is_gpu = text.split()[:1] in (["cuda"], ["nvptx"])
    with Target.make(text) if is_gpu else nullcontext():  # operators have other kernels there
        program = run_pipeline(check_reshapes(solve_sizes(mod)))
    if text.split()[:1] == ["llvm"]:
        program = PackWeights(text)(program)
    return _Assembly(program, text, exec_mode, {}).executable()


def compile(
    mod: Any,
    target: Any = None,
    *,
    relax_pipeline: str | Callable[[IRModule], IRModule] = "default",
    tir_pipeline: str = "default",
    **options: Any,
) -> Executable | Module:
    """Compile a module with graph functions to an executable, one of kernels to a module.

    The pipeline `default` fuses kernels. `options` are those of `relax.build`, or of `tvmscript.build`. Raises
    `UnknownName` for a pipeline of kernels other than `default`, and the errors of both.
    """
    if tir_pipeline != "default":
        raise UnknownName(kind="pipeline of kernels", name=tir_pipeline, hint="it is default; run passes before")
    if isinstance(mod, Function):
        mod = IRModule.from_expr(mod if "global_symbol" in mod.attrs else mod.with_attr("global_symbol", "main"))
    if isinstance(mod, IRModule) and any(isinstance(func, Function) for func in mod.values()):
        return build(mod, target, pipeline=relax_pipeline, **options)
    return driver.build(mod, target=target, **options)


def load_executable(package: Package) -> Executable:
    """Return the executable of a package."""
    exec_mode: Any = package.options["exec_mode"]
    modules = {
        name: partial(load_library, library, target=package.target) for name, library in package.libraries.items()
    }
    return _Assembly(package.program, package.target, exec_mode, modules).executable()


class _Assembly:
    """The parts of an executable: lowered graph functions, modules of kernels.

    `loaders` make modules of machine code that exists.
    """

    def __init__(
        self, mod: IRModule, target: str, exec_mode: ExecMode, loaders: Mapping[str, Callable[[IRModule], Module]]
    ) -> None:
        self.mod, self.target, self.exec_mode = mod, target, exec_mode
        self.device = cuda(0) if target.split()[:1] in (["cuda"], ["nvptx"]) else cpu()
        self._loaders = loaders
        self.modules: dict[str, Module] = {}
        self.graphs = {var.name_hint: func for var, func in mod.items() if isinstance(func, Function)}
        self.reasons: dict[str, str] = {}
        self.hosts = self._lower()

    def _lower(self) -> dict[str, HostFunction]:
        """Return the host functions of the graph functions that have one, and note the reasons of the others."""
        hosts: dict[str, HostFunction] = {}
        recursive = {var.name_hint for group in detect_recursion(self.mod) for var in group}
        inlined = {name: func for name, func in self.graphs.items() if name not in recursive}
        for name, func in self.graphs.items():
            try:
                if self.exec_mode == "bytecode":
                    raise NotLowered('exec_mode is "bytecode"')
                if self.target == "interp":
                    raise NotLowered("the target has no native code")
                hosts[name] = lower_graph_function(name, func.inline_functions(inlined) if name in inlined else func)
            except NotLowered as reason:
                self.reasons[name] = str(reason)
        return hosts

    def executable(self, device: Device | None = None) -> Executable:
        """Return the executable, for the first device unless another one is given."""
        device = device or self.device
        native = _native_module(self.mod, self.hosts, device)
        built = self._module("native", native)
        memory = _memory_of(device)
        compiled = {name: _graph_function(host, built, memory) for name, host in self.hosts.items()}
        parts = ExecutableParts(
            self.mod,
            self.reasons,
            partial(self._interpreter, {}, device),
            built,
            device,
            partial(_text, native, self.mod, self.reasons),
            partial(_python, self.mod, self.target, self.exec_mode),
            self._export,
            self.executable,
        )
        interpreter = self._interpreter(compiled, device) if self.reasons else None
        functions: dict[str, VMFunction] = {}
        for name, func in self.graphs.items():
            function: VMFunction | None = compiled.get(name)
            if function is None:
                assert interpreter is not None
                function = InterpretedFunction(interpreter, name, func)
            functions[name] = function
        return Executable(functions, parts)

    def _module(self, name: str, program: IRModule) -> Module:
        """Return a module of kernels, compiled or loaded."""
        if name not in self.modules:
            load = self._loaders.get(name)
            self.modules[name] = driver.build(program, target=self.target) if load is None else load(program)
        return self.modules[name]

    def _interpreter(self, compiled: Mapping[str, GraphFunction], device: Device) -> Interpreter:
        """Return an interpreter of the graph functions that are not compiled; its kernels are public functions."""
        kernels = {
            var: func.with_attr("global_symbol", var.name_hint)
            for var, func in self.mod.items()
            if isinstance(func, PrimFunc)
        }
        built = self._module("kernels", IRModule(kernels)).functions if kernels else {}
        find_packed = partial(tvm_ffi.get_global_func, allow_missing=True)
        return Interpreter(self.mod, {**built, **compiled}, find_packed, device)

    def _export(self, path: str, options: Mapping[str, str], archs: Sequence[str]) -> None:
        from tvmscript.package import Package  # programs that are not exported need no archives

        libraries = {name: library_of(module, archs) for name, module in self.modules.items()}
        Package("graphs", self.mod, self.target, libraries, {"exec_mode": self.exec_mode, **options}).write(path)


def _bind_params(mod: IRModule, params: Mapping[str, Any]) -> IRModule:
    """Return the module with values for parameters of `main`. Raises `UnknownName`."""
    mains = [var for var, func in mod.items() if var.name_hint == "main" and isinstance(func, Function)]
    if not mains:
        raise UnknownName(kind="function", name="main")
    (main,) = mains
    func: Any = mod[main]
    return mod.replace(functions={**mod.functions, main: func.bind_params(params)})


def _native_module(mod: IRModule, hosts: Mapping[str, HostFunction], device: Device) -> IRModule:
    """Return a module of the kernels and the host functions; those that launch kernels on a device are public."""
    functions: dict[Any, PrimFunc] = {
        var: func.with_attr("global_symbol", var.name_hint) if is_cuda(device) else func
        for var, func in mod.items()
        if isinstance(func, PrimFunc)
    }
    for host in hosts.values():
        own = {host.name: host.func, **({} if host.sizes is None else {host.name + SIZES: host.sizes})}
        for name, func in own.items():
            functions[GlobalVar(name)] = func.with_attr("tir.is_host_func", True) if is_cuda(device) else func
    return IRModule(functions)


def _memory_of(device: Device) -> HostMemory | CudaMemory:
    """Return the memory of graph functions for a device."""
    if not is_cuda(device):
        return HostMemory()
    from tvmscript.backends.vm.cuda_memory import CudaMemory  # programs for the CPU need no driver

    return CudaMemory(device)


def _graph_function(host: HostFunction, built: Module, memory: HostMemory | CudaMemory) -> GraphFunction:
    sizes = built[host.name + SIZES] if host.sizes is not None else None
    return GraphFunction(host, built[host.name], sizes, memory)


def _text(native: IRModule, mod: IRModule, reasons: Mapping[str, str]) -> str:
    """Return the functions as they run."""
    interpreted = {var: func for var, func in mod.items() if var.name_hint in reasons}
    return native.replace(functions={**native.functions, **interpreted}).script()


def _python(mod: IRModule, target: str, exec_mode: str) -> str:
    """Return a Python program that builds the executable."""
    return (
        "import tvmscript\nfrom tvmscript import I, R, T\n\n"
        f"{mod.script(show_meta=True)}\n\n"
        f"executable = tvmscript.relax.build(Module, {target!r}, pipeline=lambda mod: mod, exec_mode={exec_mode!r})\n"
    )
