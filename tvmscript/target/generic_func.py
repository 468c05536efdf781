"""Functions with an implementation for each kind of target: `tvm.target.generic_func`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeVar, overload

from tvmscript.ir.core import Target, WrongType

P = ParamSpec("P")
R = TypeVar("R")


class GenericFunc(Generic[P, R]):
    """A function that calls what is registered for a key of the current target, or the default."""

    def __init__(self, name: str, default: Callable[P, R] | None = None) -> None:
        self.name = name
        self.default = default
        self.dispatch_dict: dict[str, Callable[P, R]] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        target = Target.current()
        keys = () if target is None else (*target.keys, target.kind)
        func = next((self.dispatch_dict[key] for key in keys if key in self.dispatch_dict), self.default)
        if func is None:
            raise WrongType(where=f"the generic function {self.name}", expected="an implementation", got=target)
        return func(*args, **kwargs)

    def set_default(self, func: Callable[P, R], allow_override: bool = False) -> None:
        """Set the implementation for every other target. Raises `WrongType` where there is one."""
        if self.default is not None and not allow_override:
            raise WrongType(where=f"the generic function {self.name}", expected="no default", got=self.default)
        self.default = func

    @overload
    def register(
        self, func: Callable[P, R], key_list: str | Sequence[str] = (), allow_override: bool = False
    ) -> Callable[P, R]: ...
    @overload
    def register(
        self, func: str | Sequence[str], key_list: bool = False
    ) -> Callable[[Callable[P, R]], Callable[P, R]]: ...

    def register(
        self,
        func: Callable[P, R] | str | Sequence[str],
        key_list: str | Sequence[str] | bool = (),
        allow_override: bool = False,
    ) -> Any:
        """Register an implementation for keys of targets; with keys alone, return a decorator that does.

        Raises `WrongType` where a key has one.
        """
        if not callable(func):
            keys = func
            return lambda decorated: self.register(decorated, keys, bool(key_list) or allow_override)
        assert not isinstance(key_list, bool), "keys stand second"
        for key in [key_list] if isinstance(key_list, str) else key_list:
            if key in self.dispatch_dict and not allow_override:
                raise WrongType(where=f"the generic function {self.name}", expected="one implementation", got=key)
            self.dispatch_dict[key] = func
        return func


_NAMED: dict[str, GenericFunc[..., Any]] = {}


def get_native_generic_func(name: str) -> GenericFunc[..., Any]:
    """Return the generic function of this name, a new one if there is none."""
    return _NAMED.setdefault(name, GenericFunc(name))


def override_native_generic_func(func_name: str) -> Callable[[Callable[..., Any]], GenericFunc[..., Any]]:
    """Return a decorator that makes a function the default of the generic function of a name."""

    def decorate(func: Callable[..., Any]) -> GenericFunc[..., Any]:
        generic = get_native_generic_func(func_name)
        generic.set_default(func, allow_override=True)
        return generic

    return decorate


def generic_func(fdefault: Callable[P, R]) -> GenericFunc[P, R]:
    """Make a function the default of a generic function."""
    return GenericFunc(fdefault.__name__, fdefault)


class _Module(ModuleType):
    """This module, whose import sets the name `tvm.target.generic_func`: it is the function too."""

    def __call__(self, fdefault: Callable[P, R]) -> GenericFunc[P, R]:
        return generic_func(fdefault)


sys.modules[__name__].__class__ = _Module
