"""Reshapes that may change the number of elements are checked when a graph runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import relax
from tvmscript.backends.runtime.errors import KernelAssertion, WrongArrayShape
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.relax.check_reshapes import check_reshapes

RESHAPES = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        with R.dataflow():
            flat = R.reshape(x, R.shape([n * 4]))
            y = R.reshape(flat, R.shape([5, 8]))
            R.output(y)
        z = R.reshape(x, R.shape([8, 5]))
        return (y, z)
"""


def test_casts_stand_before_reshapes_that_nothing_proves() -> None:
    lines = check_reshapes(tvm.from_source(RESHAPES)).script().splitlines()
    casts = [line.strip() for line in lines if "match_cast" in line]
    assert casts == [
        "y_elements: R.Shape([40]) = R.match_cast(R.shape([n * 4]), R.Shape([40]))",
        "z_elements: R.Shape([40]) = R.match_cast(R.shape([n * 4]), R.Shape([40]))",
    ]


@pytest.mark.parametrize(("target", "error"), [("llvm", KernelAssertion), ("interp", WrongArrayShape)])
def test_other_numbers_of_elements_are_refused(target: str, error: type[TVMScriptError]) -> None:
    main: Any = relax.VirtualMachine(relax.build(tvm.from_source(RESHAPES), target), tvm.cpu())["main"]
    data = np.arange(40, dtype="float32").reshape(10, 4)
    for result, shape in zip(main(data), [(5, 8), (8, 5)], strict=True):
        np.testing.assert_array_equal(result.numpy(), data.reshape(shape))
    for rows in (9, 11):
        with pytest.raises(error, match="40"):
            main(np.zeros((rows, 4), "float32"))
