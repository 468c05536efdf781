"""Graph executors: a compiled function whose inputs are set by name, then run, then asked for its outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tvmscript.backends.runtime.array import NDArray, array
from tvmscript.backends.runtime.device import Device, cpu
from tvmscript.backends.runtime.timing import BenchmarkResult, measure
from tvmscript.backends.vm.executable import Executable
from tvmscript.backends.vm.profile import Profile
from tvmscript.backends.vm.values import matched
from tvmscript.backends.vm.virtual_machine import VirtualMachine
from tvmscript.frontend.relay.errors import MissingGraphInput, UnknownGraphInput
from tvmscript.frontend.relay.params import load_param_dict
from tvmscript.ir.core import WrongType
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import IntImm


class GraphExecutor:
    """What `lib["default"](dev)` returns; `graph_executor.GraphModule` takes it."""

    def __init__(self, func: Function, executable: Executable, devices: Sequence[Device]) -> None:
        self.func = func
        self.vm = VirtualMachine(executable, list(devices) or cpu())
        self.device = devices[0] if devices else cpu()
        self.names = [param.name_hint for param in func.params]
        self.inputs: list[NDArray | None] = [None] * len(self.names)
        self.outputs: list[NDArray] | None = None

    def index_of(self, key: int | str) -> int:
        """Return the number of an input. Raises `UnknownGraphInput`."""
        if isinstance(key, int) and 0 <= key < len(self.names):
            return key
        if key in self.names:
            return self.names.index(str(key))
        raise UnknownGraphInput(kind="input", name=key, have=", ".join(self.names) or "none")

    def arguments(self) -> list[NDArray]:
        """Return the inputs. Raises `MissingGraphInput`."""
        unset = [name for name, value in zip(self.names, self.inputs, strict=True) if value is None]
        if unset:
            raise MissingGraphInput(method="run", needed=f"set_input of {', '.join(unset)}")
        return [value for value in self.inputs if value is not None]

    def run(self) -> None:
        """Call the function with the inputs."""
        self.keep(self.vm["main"](*self.arguments()))

    def keep(self, result: Any) -> None:
        """Keep the outputs of a call."""
        self.outputs = _flat(result)

    def profile(self) -> Profile:
        """Return the time of each kernel of a call."""
        return self.vm.profile("main", *self.arguments())


def _flat(result: Any) -> list[NDArray]:
    """Return the tensors of a result, those of nested tuples in order."""
    if isinstance(result, (list, tuple)):
        fields: Sequence[Any] = result
        return [tensor for field in fields for tensor in _flat(field)]
    return [result]


class GraphModule:
    """An executor with the methods of TVM's graph executor."""

    def __init__(self, module: Any) -> None:
        """Take what `lib["default"](dev)` returns. Raises `WrongType`."""
        if not isinstance(module, GraphExecutor):
            raise WrongType(where="GraphModule", expected='what lib["default"](dev) returns', got=repr(module))
        self.module = module

    def set_input(self, key: int | str | None = None, value: Any = None, **params: Any) -> None:
        """Set an input by name or number, and inputs by keyword, to copies on the device of the graph.

        Names that the graph lacks raise `UnknownGraphInput`, keywords that it lacks have no effect. Values that are
        none of the input raise the errors of a call.
        """
        self._set_inputs(key, value, params, is_copied=True)

    def set_input_zero_copy(self, key: int | str | None = None, value: Any = None, **params: Any) -> None:
        """Set inputs as `set_input`; an array of the dtype is not copied: what it holds when the graph runs counts."""
        self._set_inputs(key, value, params, is_copied=False)

    def _set_inputs(self, key: int | str | None, value: Any, params: Mapping[str, Any], is_copied: bool) -> None:
        if key is not None:
            self._set(self.module.index_of(key), value, is_copied)
        for name, param in params.items():
            if name in self.module.names:
                self._set(self.module.index_of(name), param, is_copied)

    def _set(self, index: int, value: Any, is_copied: bool) -> None:
        info = self.module.func.params[index].struct_info
        if isinstance(value, (np.ndarray, list, float, int)) and isinstance(info, TensorStructInfo):
            value = np.asarray(value, str(info.dtype))
        given: Any = matched("set_input", self.module.names[index], value, info, {})
        self.module.inputs[index] = given.copyto(self.module.device) if is_copied else given

    def run(self, **input_dict: Any) -> None:
        """Run the graph, with inputs by keyword where they are given. Raises `MissingGraphInput`."""
        self.set_input(**input_dict)
        self.module.run()

    def get_num_outputs(self) -> int:
        """Return the number of outputs."""
        return len(_leaves(self.module.func.ret_struct_info))

    def get_num_inputs(self) -> int:
        """Return the number of inputs."""
        return len(self.module.names)

    def get_input(self, index: int | str, out: NDArray | None = None) -> NDArray | None:
        """Return an input, copied to `out` where it is given."""
        value = self.module.inputs[self.module.index_of(index)]
        return value if out is None or value is None else value.copyto(out)

    def get_input_index(self, name: str) -> int:
        """Return the number of an input, -1 where there is none."""
        return self.module.names.index(name) if name in self.module.names else -1

    def get_input_info(self) -> tuple[dict[str, tuple[Any, ...]], dict[str, str]]:
        """Return the shapes and the dtypes of the inputs by name."""
        shapes: dict[str, tuple[Any, ...]] = {}
        dtypes: dict[str, str] = {}
        for param in self.module.func.params:
            info = param.struct_info
            if isinstance(info, TensorStructInfo):
                extents = info.extents or ()
                shapes[param.name_hint] = tuple([size.value if isinstance(size, IntImm) else size for size in extents])
                dtypes[param.name_hint] = str(info.dtype)
        return shapes, dtypes

    def get_output(self, index: int, out: NDArray | None = None) -> NDArray:
        """Return an output, copied to `out` where it is given. Raises `MissingGraphInput` before `run`."""
        outputs = self.module.outputs
        if outputs is None:
            raise MissingGraphInput(method="get_output", needed="run")
        if not isinstance(index, int) or not 0 <= index < len(outputs):
            raise UnknownGraphInput(kind="output", name=index, have=f"{len(outputs)} outputs")
        return outputs[index] if out is None else outputs[index].copyto(out)

    def load_params(self, params_bytes: bytes | bytearray) -> None:
        """Set inputs to parameters that `relay.save_param_dict` has written. Raises `DamagedParams`."""
        self.set_input(None, None, **load_param_dict(params_bytes))

    def share_params(self, other: GraphModule, params_bytes: bytes | bytearray) -> None:
        """Take the inputs of another executor that the parameters name."""
        for name in load_param_dict(params_bytes):
            self.set_input_zero_copy(name, other.get_input(name))

    def benchmark(
        self,
        device: Device | None = None,
        func_name: str = "run",
        repeat: int = 5,
        number: int = 5,
        min_repeat_ms: float | None = None,
        end_to_end: bool = False,
        **options: Any,
    ) -> BenchmarkResult:
        """Return times of runs; inputs are given by keyword, with `end_to_end` they are copied in every run.

        TVM's further options concern caches and devices, and have no effect.
        """
        self.set_input(**{name: value for name, value in options.items() if name in self.module.names})
        arguments = self.module.arguments()
        main = self.module.vm["main"]

        def call(*values: NDArray) -> Any:
            return main(*[array(value) if end_to_end else value for value in values])

        return measure(call, tuple(arguments), number=number, repeat=repeat, min_repeat_ms=min_repeat_ms or 0.0)

    def __getitem__(self, key: str) -> Callable[..., Any]:
        """Return a method by name: `m["run"]()`."""
        method: Callable[..., Any] = getattr(self, key)
        return method


class GraphModuleDebug(GraphModule):
    """A graph executor that prints the time of each kernel: TVM's debug executor."""

    def __init__(self, module: Any, device: Any = None, graph_json_str: str = "", dump_root: str | None = None) -> None:
        """Take what `lib["debug_create"]("default", dev)` returns, which knows the rest; no files are written."""
        super().__init__(module)

    def run(self, **input_dict: Any) -> None:
        """Run the graph, and print a table with a row for each kernel."""
        super().run(**input_dict)
        print(self.module.profile())

    def profile(self, collectors: Any = None, **input_dict: Any) -> Profile:
        """Run the graph, and return the time of each kernel."""
        self.set_input(**input_dict)
        return self.module.profile()

    def run_individual(self, number: int = 1, repeat: int = 1, min_repeat_ms: int = 0) -> list[float]:
        """Return the seconds of each kernel in one call."""
        return [row.seconds for row in self.module.profile().kernels.values()]


def _leaves(info: Any) -> list[Any]:
    fields = getattr(info, "fields", None)
    return [info] if fields is None else [leaf for field in fields for leaf in _leaves(field)]


def _executor(libmod: Any, device: Any) -> GraphExecutor:
    """Return an executor of a compiled module for a device or several. Raises `WrongType`."""
    make: Mapping[str, Any] | None = libmod if hasattr(libmod, "libmod_name") else None
    if make is None:
        raise WrongType(where="graph_executor.create", expected="what relay.build returns", got=repr(libmod))
    devices: Sequence[Any] = device if isinstance(device, (list, tuple)) else [device]
    executor: GraphExecutor = libmod[libmod.libmod_name](*devices)
    return executor


def create(graph_json_str: str, libmod: Any, device: Any) -> GraphModule:
    """Return an executor of what `graph, lib, params = relay.build(...)` has given."""
    return GraphModule(_executor(libmod, device))


def create_debug(graph_json_str: str, libmod: Any, device: Any, dump_root: str | None = None) -> GraphModuleDebug:
    """Return a debug executor, TVM's `debug_executor.create`; it writes no files."""
    return GraphModuleDebug(_executor(libmod, device))
