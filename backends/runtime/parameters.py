"""Parameters of a built function: names, calls with keywords, allocation of outputs."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tvmscript.backends.runtime.array import empty
from tvmscript.backends.runtime.device import Device, is_cuda
from tvmscript.backends.runtime.errors import NotAnArray, UndecidedShape, WrongKeywords
from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import Span
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.tir import Buffer, Expr, Var


@dataclass(frozen=True)
class Parameters:
    """Parameters of a function; `buffers` are those of the arrays among them."""

    function: str
    params: Sequence[Var]
    buffers: Mapping[Var, Buffer]
    span: Span | None = None

    @property
    def names(self) -> list[str]:
        """The names as the script writes them: `A: T.Buffer` has the variable `A_handle`."""
        buffers = [(param, self.buffers.get(param)) for param in self.params]
        return [
            param.name if buffer is None or param.name != f"{buffer.name}_handle" else buffer.name
            for param, buffer in buffers
        ]

    @property
    def signature(self) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(name, kind) for name in self.names])

    def positional(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the arguments of a call by position. Raises `WrongKeywords`."""
        if not kwargs:
            return args
        try:
            return self.signature.bind(*args, **kwargs).args
        except TypeError as error:
            raise WrongKeywords(function=self.function, reason=str(error), span=self.span) from None

    def allocate(self, args: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
        """Return the arguments with a new array for each `...`, and these arrays. Their elements are not set.

        They are on the CUDA device that another argument is on, or on the CPU. Arrays of dtypes that NumPy does not
        have are `tvmscript.nd` arrays. Raises `UndecidedShape` for an extent that no other argument determines, and
        `NotAnArray` where the parameter is a number.
        """
        sizes, device = self.sizes(args), _cuda_device_of(args)
        given, allocated = list(args), list[Any]()
        for place, (param, arg) in enumerate(zip(self.params, args, strict=False)):
            if arg is ...:
                given[place] = self._allocate(param, sizes, device)
                allocated.append(given[place])
        return given, allocated

    def sizes(self, args: Sequence[Any]) -> dict[Var, int]:
        """Return the variables that are arguments, and those that are extents of arrays."""
        sizes: dict[Var, int] = {}
        for param, arg in zip(self.params, args, strict=False):
            buffer = self.buffers.get(param)
            if buffer is None and isinstance(arg, (int, np.integer)):
                sizes[param] = int(arg)
            elif buffer is not None and arg is not ...:
                extents = zip(buffer.shape, getattr(arg, "shape", ()), strict=False)
                sizes.update({extent: int(size) for extent, size in extents if isinstance(extent, Var)})
        return sizes

    def _allocate(self, param: Var, sizes: Mapping[Var, int], device: Device | None) -> Any:
        buffer = self.buffers.get(param)
        if buffer is None:
            raise NotAnArray(function=self.function, name=param.name, got="... for a number", span=param.span)
        array = empty(tuple([self._size(extent, sizes) for extent in buffer.shape]), buffer.dtype, device)
        return array if device is not None or buffer.dtype.element in FORMATS else array.storage

    def _size(self, extent: Expr, sizes: Mapping[Var, int]) -> int:
        size = evaluate_size(extent, sizes)
        if size is None:
            raise UndecidedShape(function=self.function, name=str(extent), span=extent.span)
        return size


def _cuda_device_of(args: Sequence[Any]) -> Device | None:
    """Return the first CUDA device that an argument is on."""
    devices = [Device(*arg.__dlpack_device__()) for arg in args if hasattr(arg, "__dlpack_device__")]
    return next(filter(is_cuda, devices), None)


def returned(allocated: Sequence[Any]) -> Any:
    """Return what a call with `...` returns: the array, or a tuple of several."""
    return allocated[0] if len(allocated) == 1 else tuple(allocated)
