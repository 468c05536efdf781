"""Pipelines of graph passes: tables, registered functions, errors."""

from __future__ import annotations

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


def _program() -> IRModule:
    return IRModule.from_expr(tvm.from_source(TEXT).with_attr("global_symbol", "main"))


def test_a_registered_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "_REGISTERED", {})

    @register_pipeline("folded")
    def folded(*, legalizes: bool = True) -> pipeline.Pipeline:
        return Sequential([LegalizeOps(), FoldConstant()] if legalizes else [FoldConstant()])

    after = get_pipeline("folded")(_program())
    assert "cls.add" in after.script()
    x = np.ones((2, 3), "float32")
    np.testing.assert_array_equal(results(after, [x]), x + 6)
    assert "cls" not in get_pipeline("folded", legalizes=False)(_program()).script()
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


def test_steps_are_those_of_tvm() -> None:
    """0.17's table."""
    assert [step.name for step in pipeline.ZERO] == [
        "relax.LegalizeOps", "relax.AnnotateTIROpPattern", "relax.FoldConstant", "relax.FuseOps", "relax.FuseTIR",
    ]  # fmt: skip
