"""`relay.build`: compile a module to a factory of graph executors."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from tvmscript import graph_build
from tvmscript.backends.runtime.array import NDArray, array
from tvmscript.backends.runtime.device import DEVICE_TYPES, Device
from tvmscript.backends.vm.executable import Executable
from tvmscript.frontend.relay.errors import InvalidRelayExpr, UnknownGraphInput
from tvmscript.frontend.relay.expr import as_module
from tvmscript.frontend.relay.graph_executor import GraphExecutor
from tvmscript.ir.core import GlobalVar, IRModule
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.pipeline import get_pipeline
from tvmscript.ir.relax.variables import all_vars
from tvmscript.ir.transform.context import PassContext

if TYPE_CHECKING:
    from tvmscript.package import Package

#: the lowest `PassContext.opt_level` at which kernels are fused, as in TVM
_FUSES: int = 1
#: the option of a package that has the name of a module of `relay.build`
_NAME: Final = "libmod_name"


def pipeline_of_level() -> Callable[[IRModule], IRModule]:
    """Return the pipeline of the current pass context: kernels are fused from `opt_level` 1 on."""
    return get_pipeline("default" if PassContext.current().opt_level >= _FUSES else "kernel_calls")


def target_of(mod: IRModule, target: Any, target_host: Any = None) -> Target:
    """Return the target that a module is built for: of several kinds, the one of the module's devices.

    A module without devices is for the type of the option `relay.fallback_device_type`, the CPU by default. Raises
    `InvalidRelayExpr` where no target has the type, and for modules on devices of several types.
    """
    targets = Target.canon_multi_target_and_host("llvm" if target is None else target, target_host)
    if len({one.kind for one in targets}) == 1:
        return targets[0]
    types = _device_types(mod)
    names = " and ".join(DEVICE_TYPES.get(each, str(each)) for each in sorted(types))
    if len(types) > 1:
        raise InvalidRelayExpr(name="build", reason=f"one module runs on devices of one type, not on {names}")
    fitting = [one for one in targets if one.device_type in types]
    if not fitting:
        given = ", ".join(str(one.kind) for one in targets) or "no target"
        raise InvalidRelayExpr(name="build", reason=f"there is no target for {names} among {given}")
    return fitting[0]


def _device_types(mod: IRModule) -> set[int]:
    """Return the types of the devices of a module, of the fallback where it has none."""
    devices = [info for infos in mod.global_infos.values() for info in infos if isinstance(info, VDevice)]
    types = {info.target.device_type for info in devices if isinstance(info.target, Target)}
    return types or {PassContext.current().config.get("relay.fallback_device_type", Device.kDLCPU)}


def build(
    ir_mod: Any,
    target: Any = None,
    target_host: Any = None,
    executor: Any = None,
    runtime: Any = None,
    workspace_memory_pools: Any = None,
    constant_memory_pools: Any = None,
    params: Mapping[str, Any] | None = None,
    mod_name: str = "default",
) -> GraphExecutorFactory:
    """Compile the function `main` of a module: `lib["default"](dev)` makes an executor.

    Parameters with values in `params` become constants. `target` may be a dict or a list of targets, of which
    `target_of` chooses. Executors, runtimes and memory pools of TVM have no effect.
    """
    mod = as_module(ir_mod)
    values = {name: value if isinstance(value, NDArray) else array(value) for name, value in (params or {}).items()}
    one = target_of(mod, target, target_host)
    executable = graph_build.build(mod, one, values, pipeline=pipeline_of_level())
    return GraphExecutorFactory(executable, one, values, mod_name)


def load_graphs(package: Package) -> GraphExecutorFactory | Executable:
    """Return what wrote a package of graphs: a module of `build`, whose parameters are constants, or an executable."""
    executable = graph_build.load_executable(package)
    if _NAME not in package.options:
        return executable
    return GraphExecutorFactory(executable, Target(package.target), {}, package.options[_NAME])


class GraphExecutorFactory:
    """A compiled module: `lib["default"](dev)` makes an executor; `graph, lib, params = lib` is TVM's older form."""

    def __init__(self, executable: Executable, target: Target, params: dict[str, NDArray], libmod_name: str) -> None:
        self.ir_mod, self.executable, self.target = executable.program, executable, target
        self.params, self.libmod_name = params, libmod_name

    def _main(self) -> Function:
        main: Any = self.ir_mod["main"]
        assert isinstance(main, Function)
        return main

    def __getitem__(self, item: str) -> Callable[..., Any]:
        """Return the function that makes executors (the name of the module), or debug executors (`debug_create`).

        Raises `UnknownGraphInput` for another name.
        """
        if item in (self.libmod_name, "debug_create"):
            return self._create
        raise UnknownGraphInput(kind="function", name=item, have=f"{self.libmod_name}, debug_create")

    def _create(self, *devices: Any) -> GraphExecutor:
        return GraphExecutor(self._main(), self.executable, [dev for dev in devices if isinstance(dev, Device)])

    def get_params(self) -> dict[str, NDArray]:
        """Return the parameters that have become constants."""
        return self.params

    def get_lib(self) -> GraphExecutorFactory:
        """Return the compiled module."""
        return self

    def get_executor_config(self) -> str:
        """Return the graph as JSON."""
        return self.get_graph_json()

    def get_graph_json(self) -> str:
        """Return the graph as JSON: inputs and calls of kernels in the order in which they run."""
        return json.dumps(_graph(self._main()))

    def export_library(self, file_name: str, *args: Any, **options: Any) -> None:
        """Write the module to a file that `runtime.load_module` reads."""
        self.executable.export_with(file_name, {_NAME: self.libmod_name})

    def __iter__(self) -> Iterator[Any]:
        warnings.warn('relay.build returns one library: lib["default"](dev)', DeprecationWarning, stacklevel=2)
        return iter((self.get_graph_json(), self, self.params))


def _graph(main: Function) -> dict[str, Any]:
    """Return the nodes of a function in TVM's form: inputs are null, calls of kernels tvm_op."""
    numbers: dict[Any, int] = {param: number for number, param in enumerate(main.params)}
    graph_nodes: list[dict[str, Any]] = [{"op": "null", "name": param.name_hint, "inputs": []} for param in main.params]
    bindings: list[Any] = [binding for block in main.body.blocks for binding in block.bindings]
    for binding in bindings:
        callee = binding.value.args[0] if isinstance(binding.value, Call) and binding.value.args else None
        name = callee.name_hint if isinstance(callee, GlobalVar) else binding.var.name_hint
        graph_nodes.append({"op": "tvm_op", "name": name, "inputs": _entries(binding.value, numbers)})
        numbers[binding.var] = len(graph_nodes) - 1
    inputs = list(range(len(main.params)))
    return {"nodes": graph_nodes, "arg_nodes": inputs, "heads": _entries(main.body.body, numbers)}


def _entries(value: Any, numbers: Mapping[Any, int]) -> list[list[int]]:
    """Return the nodes whose results a value uses."""
    return [[numbers[var], 0, 0] for var in all_vars(value) if var in numbers]
