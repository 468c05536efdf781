"""Executables: graph modules that are built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tvmscript.backends.runtime.errors import UnknownFunction
from tvmscript.backends.vm.graph_function import GraphFunction

#: a function of an executable
VMFunction = Callable[..., Any]


class Executable:
    """The functions of a graph module by name: `relax.build` returns it, `VirtualMachine` runs it."""

    def __init__(self, functions: Mapping[str, GraphFunction]) -> None:
        self.functions = dict(functions)

    def __getitem__(self, name: str) -> VMFunction:
        """Return a function. Raises `UnknownFunction`."""
        if name not in self.functions:
            raise UnknownFunction(name=name, hint=f"it has {', '.join(self.functions) or 'none'}")
        return self.functions[name]

    def __contains__(self, name: object) -> bool:
        return name in self.functions

    def stats(self) -> str:
        """Return a line for each function: how it runs, its kernel calls, its memory."""
        return "\n".join(function.stats() for function in self.functions.values())
