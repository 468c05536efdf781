"""Python functions as global functions of tvm-ffi."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import tvm_ffi

from tvmscript.backends.runtime.array import asarray

#: name of a global function -> the Python function, whose results are not converted
_PYTHON_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {}


def register(name: str, function: Callable[..., Any], override: bool = False) -> None:
    """Register a global function. The name must be free unless `override`."""
    tvm_ffi.register_global_func(name, with_arrays(function), override=override)
    _PYTHON_FUNCTIONS[name] = function


def remove(name: str) -> None:
    """Remove a global function, if there is one."""
    tvm_ffi.remove_global_func(name)
    _PYTHON_FUNCTIONS.pop(name, None)


@contextmanager
def registered(functions: Mapping[str, Callable[..., Any]]) -> Generator[None]:
    """Register global functions during a block, instead of those that have the names."""
    before = {name: find(name) for name in functions}
    for name, function in functions.items():
        register(name, function, override=True)
    try:
        yield
    finally:
        for name, previous in before.items():
            if previous is None:
                remove(name)
            else:
                register(name, previous, override=True)


@contextmanager
def none_registered() -> Generator[None]:
    """Run a block with no global function in Python but those that it registers; restore the others at its end."""
    before = {**_PYTHON_FUNCTIONS}
    _remove_all()
    try:
        yield
    finally:
        _remove_all()
        for name, function in before.items():
            register(name, function)


def _remove_all() -> None:
    for name in [*_PYTHON_FUNCTIONS]:
        remove(name)


def find(name: str) -> Callable[..., Any] | None:
    """Return a global function, as it was registered where it is a Python function; None where there is none."""
    function: Callable[..., Any] | None = tvm_ffi.get_global_func(name, allow_missing=True)
    return None if function is None else _PYTHON_FUNCTIONS.get(name, function)


def with_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose arguments on the CPU are arrays where they are tensors of tvm-ffi."""

    def call(*args: Any) -> Any:
        return function(*[asarray(arg) if _is_tensor(arg) else arg for arg in args])

    return function if isinstance(function, tvm_ffi.Function) else call


def _is_tensor(value: object) -> bool:
    return isinstance(value, tvm_ffi.Tensor) and value.device.type == "cpu"
