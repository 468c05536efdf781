"""TVM's spelling of things reaches the same things."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript.driver import UnknownTarget
from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.tir.expr import Var
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.tvm_names import AbsentName

TEXT = """
@T.prim_func
def fill(A: T.Buffer((4,), "float32"), value: T.float32):
    for i in range(4):
        A[i + 0] = value
"""


def test_modules() -> None:
    assert tvm.tir.Var is Var
    assert tvm.tir.transform.Simplify is Simplify
    assert isinstance(tvm.transform.get_pass("tir.Simplify"), Simplify)
    assert tvm.script.from_source is tvm.from_source
    assert tvm.ir.structural_equal is structural_equal


def test_arrays_and_targets() -> None:
    built = tvm.build(tvm.from_source(TEXT), target=tvm.target.Target("llvm -mcpu=x86-64"))
    array = tvm.nd.array(np.zeros(4, "float32"), device=tvm.cpu(0))
    built["fill"](array, 2.5)
    np.testing.assert_array_equal(array.numpy(), [2.5] * 4)
    assert built.time_evaluator("fill", tvm.cpu(0), number=3)(array, 1.0).mean > 0


def test_a_pass_takes_functions_and_modules() -> None:
    func = tvm.from_source(TEXT)
    made = tvm.tir.transform.Simplify()(func)
    assert "A[i] = value" in made.script()
    assert "A[T.Add(i, 0)] = value" in func.script()
    both = tvm.transform.Sequential((tvm.tir.transform.Simplify(), tvm.tir.transform.RemoveNoOp()))
    assert structural_equal(both(tvm.IRModule({tvm.GlobalVar("fill"): func}))["fill"], made)


def test_targets_without_a_backend() -> None:
    for use, target in ((tvm.build, "metal"), (tvm.lower, "hexagon")):
        with pytest.raises(UnknownTarget, match=f"there is no backend for the target '{target}'") as caught:
            use(tvm.from_source(TEXT), target=target)
        assert caught.value.code == "TS7001"


@pytest.mark.parametrize("name", ["te", "topi", "relay", "autotvm", "meta_schedule"])
def test_names_of_tvm_that_are_not_here(name: str) -> None:
    """The error says what there is; other names have no reason."""
    with pytest.raises(AbsentName, match=f"tvm.{name}.schedule is absent: ."):
        getattr(tvm, name).schedule()
    with pytest.raises(AttributeError, match=r"no attribute 'no_such_name'$"):
        getattr(tvm, "no_such_name")  # noqa: B009
