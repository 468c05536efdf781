"""Exported models print as TVM prints them, and their texts read back."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tests.ir.relax.peer import answers_of_tvm
from tvmscript import T
from tvmscript.ir import structural_equal
from tvmscript.relax.frontend import nn

_CASES = Path(__file__).parents[4] / "tests" / "cases" / "nn"


def load_models() -> Any:
    """The models for both packages as a module."""
    spec = importlib.util.spec_from_file_location("nn_models", _CASES / "models.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def models() -> Any:
    return load_models()


@pytest.mark.long
def test_texts_of_tvm(oracle: Any, models: Any) -> None:
    texts_of_tvm = answers_of_tvm(str(_CASES / "in_tvm.py"))
    texts = models.exported(nn, T)
    assert list(texts) == list(texts_of_tvm)
    assert len(texts) > 100
    assert {name for name, text in texts.items() if text != texts_of_tvm[name]} == set()


def test_texts_read_back(models: Any) -> None:
    for _, module, spec, options in models.models(nn, T):
        mod = module.export_tvm(spec, **options)[0]
        assert structural_equal(tvmscript.from_source(mod.script(show_meta=True)), mod)
