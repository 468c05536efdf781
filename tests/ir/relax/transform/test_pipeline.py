"""Pipelines of graph passes: tables, registered functions, errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tests.ir.relax.transform.graph_values import results
from tvmscript.ir.core.errors import DuplicateName, UnknownName
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.transform import pipeline
from tvmscript.ir.relax.transform.operators.fold_constant import FoldConstant
from tvmscript.ir.relax.transform.operators.legalize_ops import LegalizeOps
from tvmscript.ir.relax.transform.pipeline import get_pipeline, register_pipeline
from tvmscript.ir.transform.sequential import Sequential

TEXT = """
@R.function
def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    with R.dataflow():
        lv = R.multiply(R.const(2.0, "float32"), R.const(3.0, "float32"))
        gv = R.add(x, lv)
        R.output(gv)
    return gv
"""


def _module(program: str) -> IRModule:
    parsed = tvm.from_source(program)
    return parsed if isinstance(parsed, IRModule) else IRModule.from_expr(parsed.with_attr("global_symbol", "main"))


def test_a_registered_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "_REGISTERED", {})

    @register_pipeline("folded")
    def folded(*, legalizes: bool = True) -> pipeline.Pipeline:
        return Sequential([LegalizeOps(), FoldConstant()] if legalizes else [FoldConstant()])

    after = get_pipeline("folded")(_module(TEXT))
    assert "cls.add" in after.script()
    x = np.ones((2, 3), "float32")
    np.testing.assert_array_equal(results(after, [x]), x + 6)
    assert "cls" not in get_pipeline("folded", legalizes=False)(_module(TEXT)).script()
    with pytest.raises(DuplicateName):
        register_pipeline("folded")
    with pytest.raises(DuplicateName):
        register_pipeline("zero")
    assert callable(folded)


def test_unknown_names() -> None:
    with pytest.raises(UnknownName, match="no pipeline named zer"):
        get_pipeline("zer")
    with pytest.raises(UnknownName, match="no option of the pipeline zero named enable"):
        get_pipeline("zero", enable=True)


@pytest.mark.parametrize("name", sorted(pipeline.TABLES))
def test_options_are_those_of_legalize_ops(name: str) -> None:
    plain, warned = (pipeline.passes_of(name, **options) for options in ({}, {"enable_warning": True}))
    assert warned == [replace(step, enable_warning=True) if isinstance(step, LegalizeOps) else step for step in plain]


def test_steps_are_those_of_tvm() -> None:
    """0.17's table."""
    assert [step.name for step in pipeline.ZERO] == [
        "relax.LegalizeOps", "relax.AnnotateTIROpPattern", "relax.FoldConstant", "relax.FuseOps", "relax.FuseTIR",
    ]  # fmt: skip


_SYMBOLIC = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 8), "float32"), s: R.Shape(["m", 3])) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            y = R.nn.relu(R.matmul(x, w))
            r = R.reshape(y, R.shape([n * 8]))
            q = R.reshape(R.add(r, r), R.shape([n, 8]))
            t = R.split(q, 2, axis=1)
            gv = R.concat((t[1], t[0]), axis=1)
            R.output(gv)
        return gv
"""  # noqa: E501  # a signature is a line


@pytest.mark.oracle
def test_tvm_builds_the_same(oracle: Any) -> None:
    """The order of stores of sizes follows a hash table in TVM."""
    expected = oracle.request("pipeline", pipeline="default_build", text=_SYMBOLIC)["text"]
    actual = get_pipeline("default_build")(_module(_SYMBOLIC)).script(show_meta=False)
    assert sorted(actual.strip().splitlines()) == sorted(expected.strip().splitlines())
