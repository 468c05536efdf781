"""BindParams: arrays in the place of parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tests.ir.relax.transform.graph_values import results
from tvmscript import relax
from tvmscript.ir.core.errors import UnknownName, WrongType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.transform.parameters.bind_params import BindParams

TEXT = """
@R.function
def main(x: R.Tensor((2, "n"), "float32"), w: R.Tensor(("n",), "float32")) -> R.Tensor((2, "n"), "float32"):
    gv = R.multiply(x, w)
    return gv
"""


def _program() -> IRModule:
    return IRModule.from_expr(tvm.from_source(TEXT).with_attr("global_symbol", "main"))


def test_sizes_follow_the_arrays() -> None:
    weights = np.arange(3, dtype="float32")
    after = BindParams("main", {"w": weights})(_program())
    assert 'def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32")' in after.script()
    x = np.full((2, 3), 2, "float32")
    np.testing.assert_array_equal(results(after, [x]), x * weights)


def test_unknown_names() -> None:
    with pytest.raises(UnknownName, match="no graph function named mian"):
        BindParams("mian", {})(_program())
    with pytest.raises(UnknownName, match="no parameter named v"):
        BindParams("main", {"v": np.ones(3, "float32")})(_program())


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"w": np.ones((3, 1), "float32")}, r"the parameter w takes R.Tensor\(\(n,\).*but got R.Tensor\(\(3, 1\)"),
        ({"w": np.ones(3)}, "the parameter w takes .*float32.*but got .*float64"),
        ({"w": 3}, "the parameter w takes .*but got R.Prim"),
        ({"w": np.ones(3, "float32"), "x": np.ones((2, 4), "float32")}, r"the parameter x takes R.Tensor\(\(2, 3\)"),
    ],
)
def test_arrays_that_parameters_cannot_have(params: dict[str, Any], message: str) -> None:
    with pytest.raises(WrongType, match=message):
        BindParams("main", params)(_program())


def test_what_is_not_known_is_not_compared() -> None:
    """A parameter, or a value, without struct info."""
    plain, known = relax.Var("x"), relax.Var("x", relax.TensorStructInfo([2], "float32"))
    for param, value in ((plain, known), (known, relax.Var("y")), (plain, relax.Var("y"))):
        func = relax.Function((param,), relax.SeqExpr((), param), relax.ObjectStructInfo())
        bound = func.bind_params({param: value})
        assert bound.params == ()
        assert bound.body.body is value
