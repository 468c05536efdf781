"""Oracle: programs compute the same values on random arguments, compared elementwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tvmscript.backends import interp
from tvmscript.backends.runtime.module import Module
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core import BaseFunc, IRModule, TVMScriptError
from tvmscript.ir.tir import PrimFunc
from tvmscript.testing.allclose import ulp_distance
from tvmscript.testing.oracles.errors import DoesNotRun, NotRun, OtherValues
from tvmscript.testing.same_values import public_kernels
from tvmscript.testing.schedule_values import difference

Results = dict[str, list[Any]]


def same_values(
    before: IRModule | BaseFunc,
    after: IRModule | BaseFunc,
    *,
    ulp: int | None = 0,
    seed: int = 0,
    dims: Mapping[str, int] | None = None,
) -> None:
    """Two programs compute the same in the reference interpreter, from arguments drawn with `seed`.

    Integers must be equal. Floats may be `ulp` units of the last place apart, 0 by default; None allows what another
    order of operations changes. `dims` has sizes that the signature leaves open.
    Raises `OtherValues`, `DoesNotRun`, and what the interpreter says to the first program.
    """
    first, second = as_module(before), as_module(after)
    expected = results(first, interp.build(first), seed, dims)
    compare("after the change", first, expected, interp.build(second), seed=seed, dims=dims, ulp=ulp)


def as_module(program: IRModule | BaseFunc) -> IRModule:
    """A module with the program in it; a kernel without a public name is called `main`."""
    if isinstance(program, IRModule):
        return program
    if isinstance(program, PrimFunc) and "global_symbol" not in program.attrs:
        program = program.with_attr("global_symbol", "main")
    return IRModule.from_expr(program)


def results(mod: IRModule, built: Module, seed: int = 0, dims: Mapping[str, int] | None = None) -> Results:
    """The arguments of each public kernel of a module after a call of what was built, which has kernels of the same
    signatures. Raises `NotRun`.
    """
    kernels = public_kernels(mod)
    if not kernels:
        raise NotRun
    arrays: Results = {}
    for name, func in kernels.items():
        values = [argument.value for argument in random_inputs(func, seed, dims)]
        built[name](*values)
        arrays[name] = [np.array(value) for value in values]
    return arrays


def compare(
    way: str,
    mod: IRModule,
    expected: Results,
    built: Module,
    *,
    seed: int = 0,
    dims: Mapping[str, int] | None = None,
    ulp: int | None = None,
) -> None:
    """Raise `OtherValues` or `DoesNotRun` unless what was built computes what is expected of a module's kernels."""
    for name, func in public_kernels(mod).items():
        try:
            actual = results(IRModule({name: func}), built, seed, dims)[name]
        except TVMScriptError as error:
            raise DoesNotRun(way=way, function=name, reason=error.text) from error
        mismatch = _first_difference(func, expected[name], actual, ulp)
        if mismatch is not None:
            raise OtherValues(way=way, function=name, **mismatch)


def _first_difference(func: PrimFunc, before: list[Any], after: list[Any], ulp: int | None) -> dict[str, Any] | None:
    """The first element that is further away than is allowed."""
    if ulp is None or ulp == 0:
        return difference(func, before, after, is_exact=ulp == 0)
    near = [_moved(old, new, ulp) for old, new in zip(before, after, strict=True)]
    return difference(func, before, near, is_exact=True)


def _moved(old: Any, new: Any, ulp: int) -> Any:
    """An array in which what is near enough to the other one is equal to it."""
    if old.dtype.kind != "f" or old.dtype != new.dtype:
        return new
    return np.where(ulp_distance(new, old) <= ulp, old, new)
