"""Sizes that are part of an extent alone: solved by casts, computed and checked when the function is called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import relax
from tvmscript.backends.runtime.errors import KernelAssertion, WrongArrayShape
from tvmscript.ir.relax.solve_sizes import solve_sizes

#: shapes of parameters, sizes that the function returns, shapes of arguments, their sizes, wrong shapes
_CASES = [
    (['("n * 2",)'], "n", [(10,)], (5,), [(5,)]),
    (['("n * 3 + 1", 2)'], "n", [(7, 2)], (2,), [(8, 2)]),
    (['("n * 2",)', '(4, "n + 1")'], "n", [(6,), (4, 4)], (3,), [(6,), (4, 5)]),
    (['("m + n * 2",)', '("n * 4",)'], "n, m", [(9,), (8,)], (2, 5), [(9,), (9,)]),
    (['("m * n",)', '("m",)', '("10 - n",)'], "n, m", [(8,), (2,), (6,)], (4, 2), None),
]


def _module(shapes: list[str], sizes: str) -> tvm.IRModule:
    params = ", ".join(f"p{place}: R.Tensor({shape}, 'float32')" for place, shape in enumerate(shapes))
    text = f"""
@R.function
def main({params}):
    n, m = T.int64(), T.int64()
    return (R.add(p0, p0), R.shape([{sizes}]))
"""
    return tvm.IRModule({"main": tvm.from_source(text, check_well_formed=False)})


@pytest.mark.parametrize(("target", "exec_mode"), [("llvm", "compiled"), ("interp", "bytecode")])
@pytest.mark.parametrize(("params", "sizes", "shapes", "values", "wrong"), _CASES)
def test_parts_of_extents_are_computed(
    params: list[str], sizes: str, shapes: Any, values: Any, wrong: Any, target: str, exec_mode: Any
) -> None:
    executable = relax.build(_module(params, sizes), target, exec_mode=exec_mode)
    main = relax.VirtualMachine(executable, tvm.cpu())["main"]
    arrays = [np.ones(shape, "float32") for shape in shapes]
    doubled, found = main(*arrays)
    np.testing.assert_array_equal(doubled.numpy(), 2 * arrays[0])
    assert tuple(found) == values
    if wrong is not None:
        with pytest.raises((KernelAssertion, WrongArrayShape), match=r"main: .*extent .* in dimension [01]"):
            main(*[np.ones(shape, "float32") for shape in wrong])


def test_solved_modules_are_well_formed() -> None:
    module = _module(['("n * 2",)'], "n")
    solved = solve_sizes(module)
    assert not relax.analysis.well_formed(module)
    assert relax.analysis.well_formed(solved)
    tvm.ir.assert_structural_equal(tvm.from_source(solved.script()), solved)


@pytest.mark.parametrize("shape", ['("n * n",)', '("n // 2",)', '("n * m",)', '("n",)'])
def test_other_functions_stay(shape: str) -> None:
    module = _module([shape], "1")
    assert solve_sizes(module) is module
