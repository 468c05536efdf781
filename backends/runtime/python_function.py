"""Functions of a module whose arguments Python checks."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any

from tvmscript.backends.runtime.errors import WrongNumberOfArguments
from tvmscript.backends.runtime.parameters import Parameters, returned
from tvmscript.ir.tir import PrimFunc


class PythonFunction(ABC):
    """A PrimFunc as a callable: `f(a, b, n)` works on the arrays in place and returns the value of `T.ret`, or None."""

    def __init__(self, name: str, func: PrimFunc) -> None:
        self.name = name
        self.func = func

    @property
    def parameters(self) -> Parameters:
        return Parameters(self.name, self.func.params, self.func.buffer_map, self.func.span)

    @property
    def __signature__(self) -> inspect.Signature:
        return self.parameters.signature

    def bind(self, *args: Any, **kwargs: Any) -> Callable[[], Any]:
        """Return the call with these arguments."""
        return partial(self, *self.parameters.positional(args, kwargs))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function. An array `...` is allocated, and the call returns it."""
        if kwargs:
            args = self.parameters.positional(args, kwargs)
        if not any(arg is ... for arg in args):
            return self.run(args)
        given, allocated = self.parameters.allocate(args)
        self.run(tuple(given))
        return returned(allocated)

    @abstractmethod
    def run(self, args: tuple[Any, ...]) -> Any:
        """Call the function with an argument for each parameter."""

    def check_count(self, args: tuple[Any, ...]) -> None:
        """Raise `WrongNumberOfArguments` unless there is an argument for each parameter."""
        if len(args) != len(self.func.params):
            named = [self.func.buffer_map.get(param, param).name for param in self.func.params]
            raise WrongNumberOfArguments(
                function=self.name,
                expected=len(self.func.params),
                got=len(args),
                span=self.func.span,
                hint=f"the parameters are {', '.join(named) or 'none'}",
            )
