"""Check that passes preserve values: run kernels before and after each pass in the reference interpreter.

Packed functions are not called: they are code outside of the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from tvmscript.backends import interp
from tvmscript.backends.runtime.array import NDArray, storage_dtype
from tvmscript.backends.runtime.errors import Unsupported, UnsupportedDType
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.analysis.cost.trip_count import iterations_of
from tvmscript.ir.core import DType, IRModule, TVMScriptError
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.tir import Buffer, PrimFunc
from tvmscript.ir.transform.context import PassInfo
from tvmscript.testing.after_pass import AfterPass
from tvmscript.testing.errors import PassBreaksProgram, PassChangesValues
from tvmscript.testing.graph_values import (
    graph_difference,
    graph_results,
    have_same_signature,
    iterations_of_kernels,
    public_graphs,
)
from tvmscript.testing.interpretable import bytes_of, in_plain_words, with_arrays
from tvmscript.testing.schedule_values import difference

#: Kernels of more iterations are not run.
_MOST = 1 << 17
#: `while` loops run so often, divided by the iterations of the kernel.
_MOST_OF_WHILE = 1 << 14
#: What graphs raise that do not run: errors of this package, of NumPy, and of packed functions.
_DO_NOT_RUN = (TVMScriptError, ArithmeticError, LookupError, ValueError)
#: Modules whose results are remembered.
_KEPT = 8


class SameValues(AfterPass):
    """The public functions of a module compute the same as before the pass, from arguments that are drawn: graph
    functions and kernels.

    Functions are left out that the interpreter cannot run, that run for long (also in `while` loops), and those whose
    signature the pass changed. Raises `PassChangesValues`, and `PassBreaksProgram` where a function that ran does not
    run any more.
    """

    def __init__(self, seed: int = 0, dims: Mapping[str, int] | None = None) -> None:
        super().__init__()
        self.seed = seed
        #: sizes that signatures leave open
        self.dims = dims
        #: of the modules that were looked at last: what their kernels computed
        self._known: dict[IRModule, dict[str, list[Any] | None]] = {}
        #: functions that were compared
        self.compared = 0

    def check(self, info: PassInfo, before: IRModule, after: IRModule) -> None:
        self._check_graphs(info, before, after)
        old, new = public_kernels(before), public_kernels(after)
        for name, func in old.items():
            if name not in new or not _same_arguments(func, new[name]) or iterations_of(func) > _MOST:
                continue
            expected = self._expected(before, name, func)
            if expected is None:
                continue
            try:
                results = self._results(after, name, func)
            except (Unsupported, UnsupportedDType):
                continue
            except TVMScriptError as error:
                raise PassBreaksProgram(name=info.name, function=name, reason=error.text) from error
            self.compared += 1
            mismatch = difference(with_arrays(func), expected, results, is_exact=info.is_exact)
            if mismatch is not None:
                raise PassChangesValues(name=info.name, function=name, **mismatch)
            if _signature(func) == _signature(new[name]):
                self._keep(after)[name] = results

    def _check_graphs(self, info: PassInfo, before: IRModule, after: IRModule) -> None:
        """Compare graph functions. Modules of kernels that run for long are left out."""
        graphs, new = public_graphs(before), public_graphs(after)
        if not graphs or max(iterations_of_kernels(before), iterations_of_kernels(after)) > _MOST:
            return
        for name, func in graphs.items():
            if name not in new or not have_same_signature(func, new[name]):
                continue
            cached = self._keep(before)
            if name not in cached:
                try:
                    cached[name] = graph_results(before, name, func, self.seed, self.dims)
                except _DO_NOT_RUN:
                    cached[name] = None
            expected = cached[name]
            if expected is None:
                continue
            try:
                results = graph_results(after, name, func, self.seed, self.dims)
            except (Unsupported, UnsupportedDType):
                continue
            except _DO_NOT_RUN as error:
                raise PassBreaksProgram(name=info.name, function=name, reason=error) from error
            self.compared += 1
            mismatch = graph_difference(expected, results, is_exact=info.is_exact)
            if mismatch is not None:
                raise PassChangesValues(name=info.name, function=name, **mismatch)
            self._keep(after)[name] = results

    def _expected(self, before: IRModule, name: str, func: PrimFunc) -> list[Any] | None:
        """Return the values that the kernel computed before; None if it does not run."""
        cached = self._keep(before)
        if name not in cached:
            try:
                cached[name] = self._results(before, name, func)
            except TVMScriptError:
                cached[name] = None
        return cached[name]

    def _keep(self, mod: IRModule) -> dict[str, list[Any] | None]:
        """Cache the results of a module; the oldest entry is evicted."""
        if mod not in self._known and len(self._known) == _KEPT:
            del self._known[next(iter(self._known))]
        return self._known.setdefault(mod, {})

    def _results(self, mod: IRModule, name: str, like: PrimFunc) -> list[Any]:
        """The arguments after a call, drawn for the signature of `like`."""
        values = [arguments.value for arguments in random_inputs(with_arrays(like), self.seed, self.dims)]
        plain = in_plain_words(mod)
        func = with_arrays(plain[name])
        arguments = [
            value if (buffer := func.buffer_map.get(param)) is None else _seen_as(buffer, value)
            for param, value in zip(func.params, values, strict=True)
        ]
        if func is not plain[name]:
            plain = plain.replace(functions={**plain.functions, plain.get_global_var(name): func})
        limit = _MOST_OF_WHILE // max(iterations_of(like), 1)
        interp.build(plain, calls_registered=False, while_limit=limit)[name](*arguments)
        return [np.array(value) for value in values]


def public_kernels(mod: IRModule) -> Mapping[str, PrimFunc]:
    """The kernels of a module by name: the public ones, all where none is public."""
    kernels = {var.name_hint: func for var, func in mod.items() if isinstance(func, PrimFunc)}
    public = {name: func for name, func in kernels.items() if "global_symbol" in func.attrs}
    return public or kernels


def _seen_as(buffer: Buffer, value: Any) -> Any:
    """The same memory as an array of what a buffer holds, where it is another dtype or shape than was drawn."""
    size = bytes_of(buffer)
    storage = value.storage if isinstance(value, NDArray) else value
    if size is None or not isinstance(storage, np.ndarray) or not storage.flags.c_contiguous:
        return value
    element = buffer.dtype.element
    shape = [int(extent) for extent in buffer.shape]  # type: ignore[call-overload]  # `bytes_of` knows them
    shape += [buffer.dtype.lanes] if buffer.dtype.lanes != 1 else []
    if storage.nbytes != size:
        return value
    # nothing can be seen as anything
    view = (
        storage.reshape(-1).view(storage_dtype(element)).reshape(shape)
        if size
        else np.zeros(shape, storage_dtype(element))
    )
    return NDArray(view, element) if element in FORMATS else view


def _same_arguments(old: PrimFunc, new: PrimFunc) -> bool:
    """Whether the same arguments mean the same to both, as numbers and as memory."""
    if len(old.params) != len(new.params):
        return False
    old, new = with_arrays(old), with_arrays(new)
    return all(
        _fits((a.dtype, old.buffer_map.get(a)), (b.dtype, new.buffer_map.get(b)))
        for a, b in zip(old.params, new.params, strict=True)
    )


def _signature(func: PrimFunc) -> list[list[str]]:
    """Return the parameters for which arguments are drawn."""
    func = with_arrays(func)
    buffers = [func.buffer_map.get(param) for param in func.params]
    return [
        [str(param.dtype)] if buffer is None else _layout(buffer)
        for param, buffer in zip(func.params, buffers, strict=True)
    ]


def _fits(old: tuple[DType, Buffer | None], new: tuple[DType, Buffer | None]) -> bool:
    (a, one), (b, other) = old, new
    if one is None or other is None:
        return one is other and (a is b or (a.is_integer and b.is_integer))
    sizes = bytes_of(one), bytes_of(other)
    return _layout(one) == _layout(other) or (sizes[0] is not None and sizes[0] == sizes[1])


def _layout(buffer: Buffer) -> list[str]:
    """A layout without the dtypes of its numbers."""
    parts = (buffer.dtype, buffer.shape, buffer.strides, buffer.elem_offset)
    return [_WIDE.sub(r"\1", str(each)) for each in parts]


_WIDE = re.compile(r"T\.u?int\d+\((-?\d+)\)")
