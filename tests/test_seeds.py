"""Programs by others: the PrimFuncs of the IRModule tutorial compute what their names say, checked with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core.module import IRModule

_FOLDER = Path(__file__).parent / "cases" / "seeds"
Arrays = list[Any]

EXPECTED: dict[str, Callable[[Arrays], Any]] = {
    "add": lambda a: a[0] + a[1],
    "add1": lambda a: a[0] + a[1],
    "matmul": lambda a: a[0] @ a[1],
    "matmul1": lambda a: a[0] @ a[1],
    "relu": lambda a: np.maximum(a[0], 0),
    "transpose": lambda a: a[0].T,
    "transpose1": lambda a: a[0].T,
    "fused_matmul1_add1": lambda a: a[0] @ a[1] + a[2],
    "fused_matmul_add_relu": lambda a: np.maximum(a[0] @ a[1] + a[2], 0),
}


def module(name: str) -> IRModule:
    made = tvmscript.from_source((_FOLDER / f"{name}.py").read_text())
    assert isinstance(made, IRModule)
    # the tutorial's functions are private, called by its Relax function: give them public names
    for var, func in made.functions_items():
        made[var] = func.with_attr("global_symbol", var.name_hint)  # type: ignore[attr-defined]  # PrimFuncs
    return made


@pytest.mark.parametrize("target", ["llvm", "interp"])
@pytest.mark.parametrize(("name", "count"), [("legalized", 7), ("fused", 4)])
def test_numbers(name: str, count: int, target: str) -> None:
    mod = module(name)
    built = tvmscript.build(mod, target=target)
    assert len(mod) == count
    for var, func in mod.functions_items():
        arrays = [each.value for each in random_inputs(func, seed=7)]  # type: ignore[arg-type]
        expected = EXPECTED[var.name_hint](arrays)
        built[var.name_hint](*arrays)
        np.testing.assert_allclose(arrays[-1], expected, rtol=1e-4, atol=1e-5, err_msg=var.name_hint)
