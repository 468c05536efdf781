"""`tvmscript report`: the page, the figures, errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tvmscript.cli import main

MODEL = """
from tvmscript import I, R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), i: R.Tensor((2,), "int64")):
        with R.dataflow():
            y = R.exp(x)
            z = R.take(y, i, axis=0)
            R.output(z)
        return z
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    return path


def test_page_and_figures(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places, page = tmp_path / "places.npy", tmp_path / "page.html"
    np.save(places, np.array([0, 31]))
    words = ["--dim", "n=32", "--input", f"i={places}", "--json"]
    assert main(["report", str(file), "-o", str(page), *words]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert sorted((row["name"], row["calls"]) for row in facts["kernels"]) == [("take", 1), ("tir_exp", 1)]
    assert facts["planned_bytes"] == facts["live_bytes"] == 32 * 4 * 4
    assert "x: (32, 4), i: (2,)" in page.read_text()
    assert "512 bytes, 1.000 of the most that lives at a time" in page.read_text()


@pytest.mark.parametrize(("command", "option"), [("run", "--dim"), ("report", "--dim"), ("bench", "--size")])
def test_size_that_no_function_has(command: str, option: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, str(file), option, "nope=3"]) == 2
    error = capsys.readouterr().err
    assert f"{option}: there is no size nope" in error
    assert "hint: the sizes are n" in error


def test_bench_times_the_model(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", str(file), "--size", "n=32", "--seconds", "0.01", "--json", "-"]) == 0
    ((kernel),) = json.loads(capsys.readouterr().out)["kernels"]
    assert (kernel["name"], list(kernel["times"])) == ("model.py", ["tvmscript"])
    assert kernel["bytes"] == 2 * 32 * 4 * 4 + (32 * 4 * 4 + 2 * 8 + 2 * 4 * 4)


def test_bench_takes_inputs(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The array has the size."""
    np.save(tmp_path / "x.npy", np.zeros((5, 4), "float32"))
    words = ["--seconds", "0.01", "--json", "-", "--input", f"x={tmp_path / 'x.npy'}"]
    assert main(["bench", str(file), *words]) == 0
    ((kernel),) = json.loads(capsys.readouterr().out)["kernels"]
    assert kernel["bytes"] == 2 * 5 * 4 * 4 + (5 * 4 * 4 + 2 * 8 + 2 * 4 * 4)
    kernels = tmp_path / "kernels.py"
    kernels.write_text("from tvmscript import T\n\n@T.prim_func\ndef f(A: T.Buffer((4,))):\n    A[0] = 0.0\n")
    assert main(["bench", str(kernels), *words]) == 2
    assert "has no model" in capsys.readouterr().err


def test_bench_beside_a_library_of_kernels(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", str(file), "--vs", "numpy", "--seconds", "0.01"]) == 1
    assert "numpy fails on model.py: it runs no models" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "from tvmscript import T\n\n@T.prim_func\ndef f(A: T.Buffer((4,))):\n    A[0] = 0.0\n",
            "no graph function main",
        ),
        (None, "No such file"),
    ],
)
def test_files_that_are_no_models(
    text: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file.py"
    if text is not None:
        path.write_text(text)
    assert main(["report", str(path), "-o", str(tmp_path / "page.html")]) == 2
    assert message in capsys.readouterr().err
