"""Texts that real TVM makes in this very run: read, printed the same, brought back; more of them in `corpus/`."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

CORPUS = Path(__file__).parent / "corpus"


def measuring() -> ModuleType:
    """`corpus/measure.py`, which is a script."""
    spec = importlib.util.spec_from_file_location("corpus_measure", CORPUS / "measure.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["corpus_measure"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.oracle
def test_a_share_of_the_corpus(oracle: Any, tmp_path: Path) -> None:
    driver = sys.modules["tvmscript_oracle"].__file__
    assert driver is not None
    command = [sys.executable, driver, "exec", str(CORPUS / "make.py"), str(tmp_path), "sample"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    measure = measuring()
    index = measure.records(tmp_path)
    assert len(index) > 100
    for facts in index:
        text = (tmp_path / f"{facts['path']}.py").read_text()
        outcome = measure.measure(facts["path"], text, text)
        assert outcome.causes == {}, f"{outcome.path}: {outcome.causes}\n{text}"
