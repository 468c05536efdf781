"""Executables: graph modules that are built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tvmscript.backends.runtime.device import Device
from tvmscript.backends.runtime.errors import UnknownFunction
from tvmscript.backends.runtime.module import Module
from tvmscript.backends.vm.graph_function import GraphFunction
from tvmscript.backends.vm.interpreter import Instrument, InterpretedFunction, Interpreter
from tvmscript.backends.vm.values import Value

if TYPE_CHECKING:
    from tvmscript.ir.core import IRModule

#: a function of an executable
VMFunction = GraphFunction | InterpretedFunction


@dataclass(frozen=True)
class ExecutableParts:
    """What an executable makes when it is asked for."""

    #: the graph functions and the kernels that they call
    program: IRModule
    #: why functions are interpreted that are not compiled to native code
    reasons: Mapping[str, str]
    #: makes the interpreter of all graph functions
    interpreter: Callable[[], Interpreter]
    #: machine code of kernels and of the graph functions that are compiled
    native: Module
    #: where the functions run
    device: Device
    text: Callable[[], str]
    python: Callable[[], str]
    export: Callable[[str, Mapping[str, str], Sequence[str]], None]
    #: makes the executable for another device of the same type, with the same machine code
    move: Callable[[Device], Executable]


class Executable:
    """The functions of a graph module by name: `relax.build` returns it, `VirtualMachine` runs it.

    `reasons` say why functions are interpreted that are not compiled to native code.
    """

    def __init__(self, functions: Mapping[str, VMFunction], parts: ExecutableParts) -> None:
        self.functions = dict(functions)
        self.reasons = dict(parts.reasons)
        self._parts = parts
        self._interpreter: Interpreter | None = None
        self._moved: dict[Device, Executable] = {parts.device: self}

    def on(self, device: Device) -> Executable:
        """Return the executable for a device of the type that it is built for, with memory and constants there."""
        if device not in self._moved:
            self._moved[device] = moved = self._parts.move(device)
            moved._moved = self._moved
        return self._moved[device]

    def __getitem__(self, name: str) -> VMFunction:
        """Return a function. Raises `UnknownFunction`."""
        if name not in self.functions:
            raise UnknownFunction(name=name, hint=f"it has {', '.join(self.functions) or 'none'}")
        return self.functions[name]

    def __contains__(self, name: object) -> bool:
        return name in self.functions

    @property
    def program(self) -> IRModule:
        """The graph functions, as they were lowered, and the kernels that they call."""
        return self._parts.program

    @property
    def native(self) -> Module:
        """The machine code of kernels and of the graph functions that are compiled."""
        return self._parts.native

    @property
    def device(self) -> Device:
        """Where the functions run, and where their arrays are."""
        return self._parts.device

    @property
    def interpreter(self) -> Interpreter:
        """The interpreter of all graph functions, with the kernels compiled."""
        if self._interpreter is None:
            self._interpreter = self._parts.interpreter()
        return self._interpreter

    def stats(self) -> str:
        """Return a line for each function: how it runs, its kernel calls, its memory."""
        return "\n".join(function.stats() for function in self.functions.values())

    def as_text(self) -> str:
        """Return the functions as they run: host functions with their kernels, and graph functions."""
        return self._parts.text()

    def as_python(self) -> str:
        """Return a Python program that builds the executable, as the variable `executable`."""
        return self._parts.python()

    def export_library(self, file_name: str, *args: object, archs: Sequence[str] = (), **options: object) -> None:
        """Write the executable to a file that `runtime.load_module` reads; other options of TVM have no effect.

        `archs` are architectures of a device, such as sm_90a, or compute_80 for PTX. Raises `NoLibrary` for targets
        other than LLVM and CUDA.
        """
        self.export_with(file_name, {}, archs)

    def export_with(self, file_name: str, options: Mapping[str, str], archs: Sequence[str] = ()) -> None:
        """Write the executable to a file with options for what loads it. Raises `NoLibrary`."""
        self._parts.export(file_name, options, archs)


def call_instrumented(interpreter: Interpreter, instrument: Instrument, name: str, args: tuple[Value, ...]) -> Value:
    """Call a graph function in the interpreter, with an instrument around its calls of kernels."""
    interpreter.instrument = instrument
    try:
        result: Value = interpreter.function(name)(*args)
        return result
    finally:
        interpreter.instrument = None
