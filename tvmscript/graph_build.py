"""Build graph modules: `relax.build`, `compile`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript import driver
from tvmscript.backends.runtime.module import Module
from tvmscript.backends.vm.executable import Executable
from tvmscript.backends.vm.graph_function import GraphFunction
from tvmscript.ir.core import GlobalVar, IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.lowering.host_function import SIZES, HostFunction, lower_graph_function
from tvmscript.ir.tir import PrimFunc


def build(mod: IRModule, target: Any = "llvm", params: Mapping[str, Any] | None = None) -> Executable:
    """Compile a graph module to an executable, which `VirtualMachine` runs.

    `params` gives values to parameters of `main`, by name. Raises the errors of `tvmscript.build`.
    """
    if params:
        mod = bind_params(mod, params)
    hosts = [lower_graph_function(var.name_hint, func) for var, func in mod.items() if isinstance(func, Function)]
    built = driver.build(_native_module(mod, hosts), target=target)
    return Executable({host.name: _graph_function(host, built) for host in hosts})


def bind_params(mod: IRModule, params: Mapping[str, Any]) -> IRModule:
    """Return the module with values for parameters of `main`. Raises `UnknownName`."""
    main = mod["main"]
    assert isinstance(main, Function)
    functions = {var: main.bind_params(params) if func is main else func for var, func in mod.items()}
    return mod.replace(functions=functions)


def _native_module(mod: IRModule, hosts: list[HostFunction]) -> IRModule:
    """Return a module of the kernels and the host functions."""
    functions: dict[Any, PrimFunc] = {var: func for var, func in mod.items() if isinstance(func, PrimFunc)}
    for host in hosts:
        functions[GlobalVar(host.name)] = host.func
        if host.sizes is not None:
            functions[GlobalVar(host.name + SIZES)] = host.sizes
    return IRModule(functions)


def _graph_function(host: HostFunction, built: Module) -> GraphFunction:
    return GraphFunction(host, built[host.name], built[host.name + SIZES] if host.sizes is not None else None)
