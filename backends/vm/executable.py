"""Executables: graph modules that are built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tvmscript.backends.runtime.errors import UnknownFunction
from tvmscript.backends.vm.graph_function import GraphFunction
from tvmscript.backends.vm.interpreter import InterpretedFunction, Interpreter

#: a function of an executable
VMFunction = GraphFunction | InterpretedFunction


class Executable:
    """The functions of a graph module by name: `relax.build` returns it, `VirtualMachine` runs it.

    `reasons` say why functions are interpreted that are not compiled to native code.
    """

    def __init__(
        self,
        functions: Mapping[str, VMFunction],
        interpreter: Callable[[], Interpreter],
        reasons: Mapping[str, str],
        text: Callable[[], str],
    ) -> None:
        self.functions = dict(functions)
        self.reasons = dict(reasons)
        self._make_interpreter, self._text = interpreter, text
        self._interpreter: Interpreter | None = None

    def __getitem__(self, name: str) -> VMFunction:
        """Return a function. Raises `UnknownFunction`."""
        if name not in self.functions:
            raise UnknownFunction(name=name, hint=f"it has {', '.join(self.functions) or 'none'}")
        return self.functions[name]

    def __contains__(self, name: object) -> bool:
        return name in self.functions

    @property
    def interpreter(self) -> Interpreter:
        """The interpreter of all graph functions, with the kernels compiled."""
        if self._interpreter is None:
            self._interpreter = self._make_interpreter()
        return self._interpreter

    def stats(self) -> str:
        """Return a line for each function: how it runs, its kernel calls, its memory."""
        return "\n".join(function.stats() for function in self.functions.values())

    def as_text(self) -> str:
        """Return the functions as they run: host functions with their kernels, and graph functions."""
        return self._text()


def call_instrumented(
    interpreter: Interpreter, instrument: Callable[..., Any], name: str, args: tuple[Any, ...]
) -> Any:
    """Call a graph function in the interpreter, with an instrument around its calls of kernels."""
    interpreter.instrument = instrument
    try:
        return interpreter.function(name)(*args)
    finally:
        interpreter.instrument = None
