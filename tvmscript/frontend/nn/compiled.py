"""Compiled modules: the methods of a module, ready to be called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tvmscript import graph_build
from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.device import Device, device
from tvmscript.backends.vm.virtual_machine import VirtualMachine
from tvmscript.frontend.nn.errors import InvalidSpec, UnboundParameters
from tvmscript.frontend.nn.exporter import NamedParameters
from tvmscript.frontend.nn.extern import ExternModule
from tvmscript.frontend.nn.parameter import as_array
from tvmscript.frontend.nn.spec import Int, MethodSpec, ModuleSpec, Tuple
from tvmscript.frontend.optional import load_library
from tvmscript.ir.core import IRModule, UnknownName
from tvmscript.ir.relax.transform.fusion.attach_extern_modules import AttachExternModules


def compile_module(
    spec: ModuleSpec,
    exported: tuple[IRModule, NamedParameters, list[ExternModule]],
    where: str | Device,
    pipeline: Any,
    is_torch: bool,
) -> CompiledModule:
    """Build an exported module for a device. Raises `UnboundParameters`."""
    mod, params, extern_mods = exported
    unbound = [name for name, param in params if param.data is None]
    if unbound:
        raise UnboundParameters(names=", ".join(unbound))
    dev = device(where) if isinstance(where, str) else where
    executable = graph_build.build(AttachExternModules(extern_mods)(mod), pipeline=pipeline)
    values = [param.data for _, param in params if param.data is not None]
    vm = VirtualMachine(executable, dev)
    effects = list(vm["_initialize_effect"]()) if "_initialize_effect" in executable else None
    return CompiledModule(spec, vm, values, effects, is_torch)


class CompiledModule:
    """The methods of a module: `compiled["forward"](x)`. Effects are kept from call to call."""

    def __init__(
        self,
        spec: ModuleSpec,
        vm: VirtualMachine,
        params: Sequence[NDArray],
        effects: list[Any] | None,
        is_torch: bool,
    ) -> None:
        self.spec, self.vm, self.params, self.effects = spec, vm, list(params), effects
        self._convert = _torch_converter() if is_torch else _keep

    def __getitem__(self, method_name: str) -> Callable[..., Any]:
        """Return a method. Raises `UnknownName`."""
        specs = dict(zip(self.spec.method_names, self.spec.method_specs, strict=True))
        if method_name not in specs:
            raise UnknownName(kind="method", name=method_name, hint=f"one of {', '.join(specs)}")
        method, function = specs[method_name], self.vm[method_name]

        def call(*args: Any) -> Any:
            if len(args) != len(method.arg_specs):
                expected = f"{len(method.arg_specs)} arguments, {method}"
                raise InvalidSpec(name=f"a call of {method_name}", expected=expected, got=len(args))
            values = [_argument(spec, value) for spec, value in zip(method.arg_specs, args, strict=True)]
            result = function(*values, *self._states(method), *self._weights(method))
            if self.effects is not None and method.effect_mode != "none":
                result, self.effects = result
            return self._convert(result)

        call.__name__ = method_name
        return call

    def _states(self, method: MethodSpec) -> list[Any]:
        return _passed(self.effects or [], method.effect_mode if self.effects is not None else "none")

    def _weights(self, method: MethodSpec) -> list[Any]:
        return _passed(self.params, method.param_mode)


def _passed(values: Sequence[Any], mode: str) -> list[Any]:
    """Return values as arguments: each, one tuple of them, or none."""
    return {"plain": list(values), "packed": [list(values)], "none": []}[mode]


def _argument(spec: Any, value: Any) -> Any:
    """Return an argument as the virtual machine takes it."""
    if isinstance(spec, Int):
        return (value,)
    if isinstance(spec, Tuple):
        return [_argument(field, element) for field, element in zip(spec.elements, value, strict=True)]
    return as_array(value)


def _keep(value: Any) -> Any:
    return value


def _torch_converter() -> Callable[[Any], Any]:
    """Return a function that makes tensors of torch of arrays. Raises `MissingLibrary`."""
    as_torch: Callable[[Any], Any] = load_library("torch", 'jit(out_format="torch")').from_dlpack

    def convert(value: Any) -> Any:
        if isinstance(value, NDArray):
            return as_torch(value)
        if isinstance(value, (list, tuple)):
            fields: Sequence[Any] = value
            return [convert(field) for field in fields]
        return value

    return convert
