"""TVM's `runtime.vm`: a virtual machine whose main function is `main`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.backends.runtime.device import Device
from tvmscript.backends.runtime.timing import BenchmarkResult, measure
from tvmscript.backends.vm.executable import Executable as GraphExecutable
from tvmscript.backends.vm.virtual_machine import VirtualMachine as GraphMachine
from tvmscript.frontend.relay.errors import MissingGraphInput, UnknownGraphInput
from tvmscript.frontend.relay.executable import Executable
from tvmscript.ir.core import WrongType

__all__ = ["Executable", "VirtualMachine"]


class VirtualMachine:
    """Runs the functions of an executable: `vm.run(x)`, `vm.invoke("main", x)`, or inputs first and then `vm.run()`."""

    def __init__(
        self, exe: Executable | GraphExecutable, device: Device | Sequence[Device], memory_cfg: Any = None
    ) -> None:
        """`memory_cfg` chooses allocators in TVM, and has no effect. Raises `UnsupportedDevice` and `WrongType`."""
        given: Any = exe.lib if isinstance(exe, Executable) else exe
        if not isinstance(given, GraphExecutable):
            raise WrongType(where="VirtualMachine", expected="what relay.vm.compile returns", got=repr(given))
        self._machine = GraphMachine(given, device)
        self._inputs: dict[str, dict[int, Any]] = {}
        self._outputs: list[Any] = []

    def _names(self, func_name: str) -> list[str]:
        return list(getattr(self._machine[func_name], "parameters", ()))

    def set_input(self, func_name: str, *args: Any, **kwargs: Any) -> None:
        """Set all inputs of a function, by position and by name. Raises `UnknownGraphInput`."""
        self._inputs[func_name] = dict(enumerate(args))
        for name, value in kwargs.items():
            self.set_one_input(func_name, name, value)

    def set_one_input(self, func_name: str, *args: Any, **kwargs: Any) -> None:
        """Set one input: `set_one_input("main", "x", value)`, `("main", 0, value)` or `("main", x=value)`."""
        given = [*kwargs.items(), *([args] if args else [])]
        if len(given) != 1 or len(given[0]) != 2:
            raise WrongType(where="set_one_input", expected="one input and its value", got=f"{len(args) + len(kwargs)}")
        ((key, value),) = given
        index = self.get_input_index(key, func_name) if isinstance(key, str) else key
        if index < 0:
            raise UnknownGraphInput(kind="input", name=key, have=", ".join(self._names(func_name)))
        self._inputs.setdefault(func_name, {})[index] = value

    def get_input_index(self, input_name: str, func_name: str = "main") -> int:
        """Return the number of a parameter, -1 where there is none."""
        names = self._names(func_name)
        return names.index(input_name) if input_name in names else -1

    def invoke(self, func_name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a function with these arguments, or with the inputs that are set. Raises `MissingGraphInput`."""
        if args or kwargs:
            self.set_input(func_name, *args, **kwargs)
        inputs = self._inputs.get(func_name, {})
        missing = [name for index, name in enumerate(self._names(func_name)) if index not in inputs]
        if missing:
            raise MissingGraphInput(method=func_name, needed=f"the inputs {', '.join(missing)}")
        result = self._machine[func_name](*[inputs[index] for index in sorted(inputs)])
        self._outputs = result if isinstance(result, list) else [result]
        return result

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Call `main`."""
        return self.invoke("main", *args, **kwargs)

    def invoke_stateful(self, func_name: str, *args: Any, **kwargs: Any) -> None:
        """Call a function and keep its result for `get_outputs`."""
        self.invoke(func_name, *args, **kwargs)

    def get_outputs(self) -> list[Any]:
        """Return the results of the last call."""
        return self._outputs

    def benchmark(
        self,
        device: Device,
        *args: Any,
        func_name: str = "main",
        repeat: int = 5,
        number: int = 5,
        min_repeat_ms: float | None = None,
        end_to_end: bool = False,
        **kwargs: Any,
    ) -> BenchmarkResult:
        """Return times of calls of a function; TVM's further options have no effect."""
        arguments = {name: value for name, value in kwargs.items() if name in self._names(func_name)}
        self.invoke(func_name, *args, **arguments)
        inputs = self._inputs[func_name]
        values = tuple([inputs[index] for index in sorted(inputs)])
        function = self._machine[func_name]
        return measure(function, values, number=number, repeat=repeat, min_repeat_ms=min_repeat_ms or 0.0)
