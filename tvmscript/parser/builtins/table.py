"""The table of `T`: constructs, intrinsics, constructors for every dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import InvalidDType
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.parser.names.namespace import Builtin

F = TypeVar("F", bound=Callable[..., Any])


class DTypeTable(dict[str, Any]):
    """name -> what it is; constructors of dtypes that are not listed are made when they are first asked for."""

    def __init__(self) -> None:
        super().__init__()
        #: what was made; the listed names stay the same, whatever a text asks for
        self._made: dict[str, Any] = {}

    #: makes the constructor of a dtype; `values` sets it
    make_dtype: Callable[[DType], Any]

    def get(self, name: str, default: Any = None) -> Any:
        """The entry of a name."""
        found = super().get(name) or self._made.get(name)
        if found is not None:
            return found
        try:
            dtype = DType(name)
        except InvalidDType:
            return default
        if str(dtype) != name:
            return default
        made = self._made[name] = self.make_dtype(dtype)
        return made


class LayeredTable(dict[str, Any]):
    """A table with some entries of its own over another one."""

    def __init__(self, own: dict[str, Any], under: dict[str, Any]) -> None:
        super().__init__({**under, **own})
        self.under = under

    def get(self, name: str, default: Any = None) -> Any:
        """The entry of a name: its own one first."""
        found = super().get(name)
        return found if found is not None else self.under.get(name, default)


TIR = DTypeTable()
TIR.update({name: Builtin(f"T.{name}", function) for name, function in SURFACE.items()})


def value(*names: str) -> Callable[[F], F]:
    """Offer a function as `T.<name>` that makes a value, in and outside of kernels."""
    return _register(names, False)


def construct(*names: str) -> Callable[[F], F]:
    """Offer a function as `T.<name>` that works on the parser: `function(parser, span, ...)`."""
    return _register(names, True)


def _register(names: tuple[str, ...], needs_kernel: bool) -> Callable[[F], F]:
    def register(function: F) -> F:
        for name in names:
            TIR[name] = Builtin(f"T.{name}", function, needs_kernel)
        return function

    return register
