"""Running a program in the reference interpreter: what a pass must not change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tvmscript.backends import interp
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc

#: bytes of a float -> how far results may be apart where the order of operations changes
_TOLERANCE = {1: 0.2, 2: 2e-2, 4: 1e-5, 8: 1e-12}


def results(func: PrimFunc, like: PrimFunc | None = None, seed: int = 0) -> list[Any]:
    """The arguments after a call of the function, drawn from the signature of `like`."""
    return _called(IRModule.from_expr(func.with_attr("global_symbol", "main")), "main", like or func, seed)


def _called(mod: IRModule, name: str, like: PrimFunc, seed: int) -> list[Any]:
    values = [given.value for given in random_inputs(like, seed)]
    interp.build(mod)[name](*values)
    return [np.array(value) for value in values]


def public_functions(mod: IRModule) -> Mapping[str, PrimFunc]:
    """The kernels of a module that are called from outside, by name."""
    return {
        str(func.attrs["global_symbol"]): func
        for func in mod.functions.values()
        if isinstance(func, PrimFunc) and "global_symbol" in func.attrs
    }


def assert_same_values(before: PrimFunc | IRModule, after: PrimFunc | IRModule, *, is_exact: bool = True) -> None:
    """Both programs compute the same from the same arguments, for two draws of them: the same bits, or nearly."""
    for seed in (0, 1):
        if isinstance(before, PrimFunc):
            assert isinstance(after, PrimFunc)
            _compare(results(before, seed=seed), results(after, before, seed), is_exact)
            continue
        assert isinstance(after, IRModule)
        for name, func in public_functions(before).items():
            _compare(_called(before, name, func, seed), _called(after, name, func, seed), is_exact)


def _compare(left: list[Any], right: list[Any], is_exact: bool) -> None:
    for one, other in zip(left, right, strict=True):
        if is_exact or one.dtype.kind != "f":
            np.testing.assert_array_equal(one, other)
        else:
            near = _TOLERANCE[one.dtype.itemsize]
            np.testing.assert_allclose(one, other, rtol=near, atol=near)
