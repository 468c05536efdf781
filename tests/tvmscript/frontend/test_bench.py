"""`tvmscript bench` and `report` of models of other libraries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tvmscript.cli import main

torch: Any = pytest.importorskip("torch", reason="torch is optional")
onnx: Any = pytest.importorskip("onnx", reason="onnx is optional")
pytest.importorskip("onnxruntime", reason="onnxruntime is optional")
pytestmark = pytest.mark.filterwarnings("ignore")  # torch's own
QUICK = ["--seconds", "0.01", "--json", "-"]


@pytest.fixture
def onnx_file(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    path.write_bytes(
        onnx.parser.parse_model(
            '<ir_version: 8, opset_import: ["" : 17]> g (float[n, 4] x) => (float[n, 4] y) { y = Softmax(x) }'
        ).SerializeToString()
    )
    return path


@pytest.fixture
def torch_file(tmp_path: Path) -> Path:
    path = tmp_path / "model.pt2"
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())
    torch.export.save(torch.export.export(model, (torch.ones(2, 4),)), path)
    return path


def test_beside_onnxruntime(onnx_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", str(onnx_file), "--vs", "onnxruntime", "--size", "n=5", *QUICK]) == 0
    ((kernel),) = json.loads(capsys.readouterr().out)["kernels"]
    assert list(kernel["times"]) == ["tvmscript", "onnxruntime"]


def test_beside_torch(torch_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for libraries, option in ((["torch"], []), (["torch", "onnxruntime"], ["--vs", "torch,onnxruntime"])):
        assert main(["bench", str(torch_file), *option, *QUICK]) == 0  # torch.compile needs a compiler
        ((kernel),) = json.loads(capsys.readouterr().out)["kernels"]
        assert list(kernel["times"]) == ["tvmscript", *libraries]


def test_library_that_does_not_run_the_file(onnx_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are measured all the same."""
    assert main(["bench", str(onnx_file), "--vs", "torch,onnxruntime", *QUICK]) == 1
    printed = capsys.readouterr()
    assert "torch fails on model.onnx: it runs files .pt2" in printed.err
    ((kernel),) = json.loads(printed.out)["kernels"]
    assert list(kernel["times"]) == ["tvmscript", "onnxruntime"]


def test_report(onnx_file: Path, torch_file: Path, tmp_path: Path) -> None:
    """The page is beside the model where no other place is named."""
    elsewhere = tmp_path / "page.html"
    for file, page, words in (
        (onnx_file, onnx_file.with_suffix(".html"), []),
        (torch_file, elsewhere, ["-o", str(elsewhere)]),
    ):
        assert main(["report", str(file), *words]) == 0
        assert file.name in page.read_text()


@pytest.mark.parametrize("suffix", [".onnx", ".pt2"])
def test_damaged_models(suffix: str, onnx_file: Path, torch_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = {".onnx": onnx_file, ".pt2": torch_file}[suffix]
    file.write_bytes(file.read_bytes()[:40])
    assert main(["report", str(file), "-o", str(file.with_suffix(".html"))]) in (1, 2)
    assert capsys.readouterr().err.count("error[") == 1


def test_progress(onnx_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal standard error shows the step at work."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    for command, step in ((["convert", str(onnx_file), "-o", str(onnx_file.with_suffix(".py"))], "writing"),
                          (["run", str(onnx_file), "--no-script"], "compiling")):  # fmt: skip
        assert main(command) == 0
        assert step in capsys.readouterr().err
