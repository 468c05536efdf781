"""Functions that a lower layer calls and a higher layer implements.

The lower layer declares the function, the higher one fills it:

    @hook                                       # ir/tir/buffer.py
    def vload(buffer: Buffer, begin: Any) -> Expr:
        \"\"\"Return the elements from `begin` on.\"\"\"

    buffer.vload.fill(vload)                    # ir/arith/buffer_access.py

`tvmscript/wiring.py` names the module that fills each hook; it is imported when the hook is first called.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

#: name of a hook -> module that fills it
_WIRING: dict[str, str] = {}
#: every declared hook by its name
HOOKS: dict[str, Hook[..., Any]] = {}


class Hook(Generic[P, R]):
    """A function that a module of a higher layer implements. Hot paths call `hook.call(...)` instead of `hook(...)`."""

    __slots__ = ("call", "name")

    call: Callable[P, R]

    def __init__(self, name: str) -> None:
        self.name = name
        self.call = self._load
        HOOKS[name] = self

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.call(*args, **kwargs)

    def fill(self, function: Callable[P, R]) -> None:
        """Make `function` the implementation."""
        self.call = function

    @property
    def is_filled(self) -> bool:
        return self.call != self._load

    def _load(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Import the module that fills the hook, then call it."""
        module = _WIRING.get(self.name)
        if module is not None:
            importlib.import_module(module)
        if not self.is_filled:
            raise RuntimeError(f"nothing fills the hook {self.name}: tvmscript/wiring.py names {module}")
        return self.call(*args, **kwargs)


def hook(declaration: Callable[P, R]) -> Hook[P, R]:
    """Turn the declaration of a function into a hook of its signature."""
    return Hook(f"{declaration.__module__}.{declaration.__qualname__}")


def wire(wiring: Mapping[str, str]) -> None:
    """Tell which module fills each hook."""
    _WIRING.update(wiring)
