"""The modules that the IRModule tutorial prints, line by line; the page's text has no indentation."""

from __future__ import annotations

from pathlib import Path

from tests.ir.transform.casefile import GRAPH_CASES, load
from tvmscript.ir.relax.transform.operators.legalize_ops import LegalizeOps

_PAGES = Path(__file__).parents[3] / "cases" / "seeds"


def test_legalized() -> None:
    mod = load(GRAPH_CASES / "legalize_ops" / "perceptron.py").program()
    after = LegalizeOps()(mod)
    lines = [line.strip() for line in after.script(float_points=True).splitlines() if line.strip()]
    assert lines == (_PAGES / "irmodule_legalized.txt").read_text(encoding="utf-8").splitlines()
    names = [var.name_hint for var in after.get_global_vars()]
    assert names == ["add", "add1", "main", "matmul", "matmul1", "relu", "transpose", "transpose1"]
