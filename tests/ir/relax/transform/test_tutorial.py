"""The modules that the IRModule tutorial prints, line by line; the page's text has no indentation."""

from __future__ import annotations

from pathlib import Path

from tests.ir.transform.casefile import GRAPH_CASES, load
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.transform.operators.legalize_ops import LegalizeOps
from tvmscript.ir.relax.transform.pipeline import get_pipeline

_PAGES = Path(__file__).parents[3] / "cases" / "seeds"
_PERCEPTRON = load(GRAPH_CASES / "legalize_ops" / "perceptron.py")


def _assert_is_on_page(mod: IRModule, page: str) -> None:
    lines = [line.strip() for line in mod.script(float_points=True).splitlines() if line.strip()]
    assert lines == (_PAGES / page).read_text(encoding="utf-8").splitlines()


def test_legalized() -> None:
    after = LegalizeOps()(_PERCEPTRON.program())
    _assert_is_on_page(after, "irmodule_legalized.txt")
    names = [var.name_hint for var in after.get_global_vars()]
    assert names == ["add", "add1", "main", "matmul", "matmul1", "relu", "transpose", "transpose1"]


def test_fused() -> None:
    """The page legalizes twice."""
    after = get_pipeline("zero")(LegalizeOps()(_PERCEPTRON.program()))
    _assert_is_on_page(after, "irmodule_fused.txt")
