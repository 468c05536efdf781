"""Models of other libraries on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tvmscript.cli.errors import FileFailed
from tvmscript.cli.files import MODEL_SUFFIXES
from tvmscript.cli.model_files import READERS, read_module


def test_each_suffix_has_a_reader() -> None:
    assert sorted(READERS) == sorted(MODEL_SUFFIXES)


def test_text_of_stablehlo(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text("""
module @jit_f {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.exponential %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
""")
    module = read_module(path)
    assert module is not None
    assert "R.exp(arg0)" in module.script()
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(FileFailed, match="it is no text"):
        read_module(path)
