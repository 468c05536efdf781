"""Build graph modules: `relax.build`, `compile`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import tvm_ffi

from tvmscript import driver
from tvmscript.backends.runtime.module import Module
from tvmscript.backends.vm.executable import Executable, VMFunction
from tvmscript.backends.vm.graph_function import GraphFunction
from tvmscript.backends.vm.interpreter import InterpretedFunction, Interpreter
from tvmscript.ir.core import GlobalVar, IRModule, UnknownName, WrongType
from tvmscript.ir.core.recursion import deep_recursion
from tvmscript.ir.relax.analysis.recursion import detect_recursion
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.lowering.graph_values import NotLowered
from tvmscript.ir.relax.lowering.host_function import SIZES, HostFunction, lower_graph_function
from tvmscript.ir.relax.transform.pipeline import get_pipeline
from tvmscript.ir.tir import PrimFunc

#: how graph functions run: as native code where they can be, or binding by binding
ExecMode = Literal["compiled", "bytecode"]


@deep_recursion
def build(
    mod: IRModule,
    target: Any = "llvm",
    params: Mapping[str, Any] | None = None,
    pipeline: str | Callable[[IRModule], IRModule] = "kernel_calls",
    exec_mode: ExecMode = "compiled",
) -> Executable:
    """Compile a graph module to an executable, which `VirtualMachine` runs.

    Graph functions of kernel calls become native code that calls the kernels in order over one planned block of
    memory. Others - with conditionals, closures, recursion, calls of packed functions - are interpreted, binding by
    binding, and so are all of them with `exec_mode` "bytecode"; `Executable.reasons` says why. Kernels are compiled.

    `params` gives values to parameters of `main`, by name. `pipeline` is the name of a pipeline of
    `relax.get_pipeline`, or passes; operators that it leaves are interpreted by their NumPy references. Raises the
    errors of `tvmscript.build` and `relax.get_pipeline`.
    """
    if exec_mode not in ("compiled", "bytecode"):
        raise WrongType(where="relax.build", expected="exec_mode compiled or bytecode", got=repr(exec_mode))
    if params:
        mod = _bind_params(mod, params)
    run_pipeline = get_pipeline(pipeline) if isinstance(pipeline, str) else pipeline
    mod = run_pipeline(mod)
    graphs = {var.name_hint: func for var, func in mod.items() if isinstance(func, Function)}
    hosts: dict[str, HostFunction] = {}
    reasons: dict[str, str] = {}
    recursive = {var.name_hint for group in detect_recursion(mod) for var in group}
    inlined = {name: func for name, func in graphs.items() if name not in recursive}
    for name, func in graphs.items():
        try:
            if exec_mode == "bytecode":
                raise NotLowered('exec_mode is "bytecode"')
            hosts[name] = lower_graph_function(name, func.inline_functions(inlined) if name in inlined else func)
        except NotLowered as reason:
            reasons[name] = str(reason)
    native = _native_module(mod, hosts)
    built = driver.build(native, target=target)
    compiled = {name: _graph_function(host, built) for name, host in hosts.items()}
    executable = Executable({}, partial(_interpreter, mod, {}, target), reasons, partial(_text, native, mod, reasons))
    interpreter = _interpreter(mod, compiled, target) if reasons else None
    for name in graphs:
        function: VMFunction | None = compiled.get(name)
        if function is None:
            assert interpreter is not None
            function = InterpretedFunction(interpreter, name, graphs[name])
        executable.functions[name] = function
    return executable


def _bind_params(mod: IRModule, params: Mapping[str, Any]) -> IRModule:
    """Return the module with values for parameters of `main`. Raises `UnknownName`."""
    mains = [var for var, func in mod.items() if var.name_hint == "main" and isinstance(func, Function)]
    if not mains:
        raise UnknownName(kind="function", name="main")
    (main,) = mains
    func: Any = mod[main]
    return mod.replace(functions={**mod.functions, main: func.bind_params(params)})


def _native_module(mod: IRModule, hosts: Mapping[str, HostFunction]) -> IRModule:
    """Return a module of the kernels and the host functions."""
    functions: dict[Any, PrimFunc] = {var: func for var, func in mod.items() if isinstance(func, PrimFunc)}
    for host in hosts.values():
        functions[GlobalVar(host.name)] = host.func
        if host.sizes is not None:
            functions[GlobalVar(host.name + SIZES)] = host.sizes
    return IRModule(functions)


def _graph_function(host: HostFunction, built: Module) -> GraphFunction:
    return GraphFunction(host, built[host.name], built[host.name + SIZES] if host.sizes is not None else None)


def _interpreter(mod: IRModule, compiled: Mapping[str, GraphFunction], target: Any) -> Interpreter:
    """Return an interpreter of the graph functions that are not compiled; its kernels are public functions."""
    kernels = {
        var: func.with_attr("global_symbol", var.name_hint) for var, func in mod.items() if isinstance(func, PrimFunc)
    }
    built = driver.build(IRModule(kernels), target=target).functions if kernels else {}
    return Interpreter(mod, {**built, **compiled}, partial(tvm_ffi.get_global_func, allow_missing=True))


def _text(native: IRModule, mod: IRModule, reasons: Mapping[str, str]) -> str:
    """Return the functions as they run."""
    interpreted = {var: func for var, func in mod.items() if var.name_hint in reasons}
    return native.replace(functions={**native.functions, **interpreted}).script()
