"""Whether passes keep the values: kernels run before and after each pass in the reference interpreter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tvmscript.backends import interp
from tvmscript.backends.runtime.errors import Unsupported, UnsupportedDType
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.analysis.iterations import iterations_of
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.context import PassInfo
from tvmscript.testing.after import AfterPass
from tvmscript.testing.errors import PassBreaksProgram, PassChangesValues
from tvmscript.testing.values import difference

#: Kernels of more iterations are not run.
_MOST = 1 << 17
#: Modules whose results are remembered.
_KEPT = 8


class SameValues(AfterPass):
    """The public kernels of a module compute the same as before the pass, from arguments that are drawn.

    Kernels are left out that the interpreter cannot run, that run for long, and those whose signature the pass
    changed. Raises `PassChangesValues`, and `PassBreaksProgram` where a kernel that ran does not run any more.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self.seed = seed
        #: of the modules that were looked at last: what their kernels computed
        self._known: dict[IRModule, dict[str, list[Any] | None]] = {}
        #: kernels that were compared
        self.compared = 0

    def check(self, info: PassInfo, before: IRModule, after: IRModule) -> None:
        old, new = public_kernels(before), public_kernels(after)
        for name, func in old.items():
            if name not in new or not _same_arguments(func, new[name]) or iterations_of(func) > _MOST:
                continue
            expected = self._expected(before, name, func)
            if expected is None:
                continue
            try:
                made = self._results(after, name, func)
            except (Unsupported, UnsupportedDType):
                continue
            except TVMScriptError as error:
                raise PassBreaksProgram(name=info.name, function=name, reason=error.text) from error
            self.compared += 1
            found = difference(func, expected, made, is_exact=info.is_exact)
            if found is not None:
                raise PassChangesValues(name=info.name, function=name, **found)
            self._keep(after)[name] = made

    def _expected(self, before: IRModule, name: str, func: PrimFunc) -> list[Any] | None:
        """What the kernel computed before; None where it does not run."""
        known = self._keep(before)
        if name not in known:
            try:
                known[name] = self._results(before, name, func)
            except TVMScriptError:
                known[name] = None
        return known[name]

    def _keep(self, mod: IRModule) -> dict[str, list[Any] | None]:
        """What is known about a module; of the modules that are known, the oldest is forgotten."""
        if mod not in self._known and len(self._known) == _KEPT:
            del self._known[next(iter(self._known))]
        return self._known.setdefault(mod, {})

    def _results(self, mod: IRModule, name: str, like: PrimFunc) -> list[Any]:
        """The arguments after a call, drawn for the signature of `like`."""
        values = [given.value for given in random_inputs(like, self.seed)]
        interp.build(mod)[name](*values)
        return [np.array(value) for value in values]


def public_kernels(mod: IRModule) -> Mapping[str, PrimFunc]:
    """The kernels of a module by name: the public ones, all where none is public."""
    kernels = {var.name_hint: func for var, func in mod.items() if isinstance(func, PrimFunc)}
    public = {name: func for name, func in kernels.items() if "global_symbol" in func.attrs}
    return public or kernels


def _same_arguments(old: PrimFunc, new: PrimFunc) -> bool:
    """Whether the same arguments mean the same to both."""

    def layouts(func: PrimFunc) -> list[Any]:
        buffers = [func.buffer_map.get(param) for param in func.params]
        return [
            param.dtype if buffer is None else (buffer.dtype, buffer.shape, buffer.strides, buffer.elem_offset)
            for param, buffer in zip(func.params, buffers, strict=True)
        ]

    return len(old.params) == len(new.params) and [str(each) for each in layouts(old)] == [
        str(each) for each in layouts(new)
    ]
