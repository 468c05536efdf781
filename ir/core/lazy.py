"""Names of a package that are loaded when they are first used (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any


def submodule(package: str, name: str) -> ModuleType | None:
    """Return the module of this name in a package, imported; None where there is none."""
    if name.startswith("__"):
        return None
    full = f"{package}.{name}"
    try:
        return importlib.import_module(full)
    except ModuleNotFoundError as error:
        if error.name != full:
            raise
        return None


def lazy_names(
    package: str, homes: Mapping[str, str], absent: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for the module `package`.

    `homes` maps a public name to its module: `module` if the name is the same there, `module:name` if not, `module:`
    for the module itself. `absent` maps names that users look for to what the error says of them.
    """
    reasons = absent or {}

    def __getattr__(name: str) -> Any:
        if name not in homes:
            inner_module = submodule(package, name)
            if inner_module is not None:
                return inner_module
            reason = f": {reasons[name]}" if name in reasons else ""
            raise AttributeError(f"module {package!r} has no attribute {name!r}{reason}")
        home, colon, inner = homes[name].partition(":")
        module = importlib.import_module(home)
        value = module if colon and not inner else getattr(module, inner or name)
        setattr(sys.modules[package], name, value)
        return value

    def __dir__() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return __getattr__, __dir__
