"""Compiled functions as Python callables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

from tvmscript.backends.llvm.calling_convention import call_slot
from tvmscript.backends.llvm.linked_code import runtime_module
from tvmscript.backends.runtime import ffi
from tvmscript.backends.runtime.errors import ExecutionError, WrongScalar
from tvmscript.ir.tir import PrimFunc

if TYPE_CHECKING:  # what a plain call does not need
    from tvmscript.backends.llvm.calling_convention.adapt_arguments import ArgumentAdapter
    from tvmscript.backends.runtime.parameters import Parameters


class CompiledFunction:
    """A compiled function, called with arrays and numbers: `f(a, b, c)`, also by name: `f(a, C=c, B=b)`.

    Results are written in place. An array `...` is allocated, and the call returns it: `f(a, b, ...)`. NumPy arrays,
    tvm-ffi tensors and DLPack objects are taken; a read-only array only where the function does not write to it.
    Raises errors of `tvmscript.backends.runtime.errors`.

    It is also a function of tvm-ffi: a call without keywords costs what the native call costs.
    """

    __name__: str
    _written: Callable[[], PrimFunc]
    _lowered: Callable[[], PrimFunc]
    _adapter: ArgumentAdapter | None
    #: what lives as long as the function
    owner: object

    if TYPE_CHECKING:

        def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

    @property
    def __signature__(self) -> inspect.Signature:
        return self._parameters.signature

    def describe(self) -> str:
        """Return the docstring of the function."""
        return f"{self.__name__}({', '.join(self._parameters.names)}), compiled."

    def __repr__(self) -> str:
        return f"<compiled function {self.__name__}({', '.join(self._parameters.names)})>"

    def bind(self, *args: Any, **kwargs: Any) -> Callable[[], Any]:
        """Return the call with these arguments, converted once: `run = f.bind(a, b, c)`, then `run()`."""
        given = self._parameters.positional(args, kwargs)
        given = self._adapt(given) or given
        return partial(self, *[ffi.core.from_dlpack(arg) if hasattr(arg, "__dlpack__") else arg for arg in given])

    @cached_property
    def _parameters(self) -> Parameters:
        from tvmscript.backends.llvm.calling_convention.signature import interface_of
        from tvmscript.backends.runtime.parameters import Parameters

        func = self._written()
        interface = interface_of(func)
        return Parameters(self.__name__, interface.params, interface.buffers, func.span)

    def _adapt(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return arguments that native code accepts, empty where they are so as they are. Raises `ReadOnlyArray`."""
        if self._adapter is None:
            from tvmscript.backends.llvm.calling_convention.adapt_arguments import ArgumentAdapter

            self._adapter = ArgumentAdapter(self._lowered(), self.__name__)
        return self._adapter.adapt(args)

    def recover(self, args: tuple[Any, ...], kwargs: Mapping[str, Any], error: BaseException | None) -> Any:
        """Repeat a call that native code refuses with arguments that it accepts."""
        if error is None:  # a call with keywords
            return self(*self._parameters.positional(args, kwargs))
        if any(arg is ... for arg in args):
            given, allocated = self._parameters.allocate(args)
            self(*given)
            return allocated[0] if len(allocated) == 1 else tuple(allocated)
        if isinstance(error, TypeError) and not ffi.is_complete():
            ffi.import_package()
            return self(*args)
        if isinstance(error, (BufferError, WrongScalar)):
            adapted = self._adapt(args)
            if adapted:
                return self(*adapted)
        if isinstance(error, ExecutionError):
            from tvmscript.backends.runtime.error_places import locate

            locate(error, self._lowered())
        raise error


def native_callable(
    native: Any, name: str, written: Callable[[], PrimFunc], lowered: Callable[[], PrimFunc]
) -> CompiledFunction:
    """Return a function of tvm-ffi as a `CompiledFunction`.

    `written` and `lowered` return it before and after lowering.
    """
    function = _function_type()()
    function.__move_handle_from__(native)
    function.__name__ = function.__qualname__ = name
    function._written, function._lowered, function._adapter = written, lowered, None
    compiled: CompiledFunction = function
    return compiled


@cache
def _function_type() -> Any:
    """Return `CompiledFunction` as a subclass of tvm-ffi's functions."""
    module = runtime_module()
    outcome = ffi.core.Function.__from_extern_c__(module.address(call_slot.OUTCOME), keep_alive_object=module)
    native = call_slot.function_type(module.address(call_slot.SYMBOL), outcome)
    docstring = property(CompiledFunction.describe)
    return type("CompiledFunction", (CompiledFunction, native), {"__module__": __name__, "__doc__": docstring})
