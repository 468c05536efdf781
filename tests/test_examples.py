"""The examples of schedules: they run, their values are right, and the schedules say what they do."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.tir.verify import verify

_EXAMPLES = Path(__file__).parent.parent / "examples" / "schedules"


def load(name: str, folder: str = "schedules") -> Any:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, _EXAMPLES.parent / folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["packed_matmul", "fused_conv2d"])
def test_schedules(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = load(name)
    module.SECONDS = 0.0
    module.main()
    told = capsys.readouterr().out
    assert "as written: " in told
    assert "times as fast" in told
    kernel = next(value for value in vars(module).values() if isinstance(value, tvmscript.tir.PrimFunc))
    sch = tvmscript.Schedule(kernel)
    module.schedule(sch)
    verify(sch.mod)
    for word in ("T.parallel", "T.vectorized", "T.unroll"):
        assert word in sch.mod.script()


@pytest.mark.parametrize("target", ["llvm", "interp"])
@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("vector_add", "Result matches with NumPy calculation.\n"),
        ("parallel_matmul", "Matrix multiplication result matches with NumPy.\n"),
    ],
)
def test_tensor_expressions(name: str, last: str, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The interpreter gets smaller matrices."""
    path = _EXAMPLES.parent / "te" / f"{name}.py"
    text = path.read_text().replace('target = "llvm"', f'target = "{target}"')
    if target == "interp":
        text = text.replace("_value = 1024", "_value = 24")
    exec(compile(text, str(path), "exec"), {"__name__": name})
    assert capsys.readouterr().out == last


def test_graph_module(capsys: pytest.CaptureFixture[str]) -> None:
    """The program of the IRModule page runs from its script to its result."""
    path = _EXAMPLES.parent / "relax" / "irmodule.py"
    exec(compile(path.read_text(), str(path), "exec"), {"__name__": "irmodule"})
    printed = capsys.readouterr().out
    assert '[I.GlobalVar("fused_matmul1_add1"), I.GlobalVar("fused_matmul_add_relu"), I.GlobalVar("main")' in printed
    assert printed.endswith("Result matches with NumPy.\n")


def _run(path: Path) -> None:
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__name__": path.stem})


def _outputs_of_page(page: Path) -> list[str]:
    """The outputs that the page shows, without indentation; they end where its Chinese prose goes on."""
    lines = [line.strip() for line in page.read_text(encoding="utf-8").splitlines() if line.strip()]
    starts = [number + 1 for number, line in enumerate(lines) if line == "Show code cell output"]
    starts += [number for number, line in enumerate(lines) if line.startswith("[I.GlobalVar")]
    prose = [number for number, line in enumerate(lines) if re.search("[\u4e00-\u9fff]", line)]
    return ["\n".join(lines[start : min(end for end in prose if end > start)]) for start in sorted(starts)]


def test_the_page_about_modules(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules print as on the page, in its order, character by character but for indentation, which the page's text
    has lost, and the point of whole floats, which is an option. Numbers differ, since weights and data are random.
    """
    pytest.importorskip("torch", reason="torch is not installed")
    monkeypatch.setenv("PATH", os.environ["PATH"])  # restored afterwards
    _run(_EXAMPLES.parent / "relax" / "irmodule_page.py")
    printed = "\n".join([line.strip() for line in capsys.readouterr().out.splitlines() if line.strip()])
    page = Path(__file__).parents[2] / "shared" / "seeds" / "irmodule_tutorial.txt"
    if not page.exists():
        pytest.skip("the page is not there: ../shared/seeds/irmodule_tutorial.txt")
    outputs = [text.replace("T.float32(0.0)", "T.float32(0)") for text in _outputs_of_page(page) if text[:2] != "[["]
    assert len(outputs) == 8
    for text in outputs:
        assert text in printed
        printed = printed[printed.index(text) + len(text) :]


def test_the_virtual_machine_of_relay(capsys: pytest.CaptureFixture[str]) -> None:
    _run(_EXAMPLES.parent / "relay" / "virtual_machine.py")
    assert capsys.readouterr().out.endswith("Results match with NumPy.\n")


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")
def test_a_model_of_torch(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """ResNet-18: the same best class as torch."""
    pytest.importorskip("torch", reason="torch is not installed")
    monkeypatch.setenv("TEST_DATA_ROOT_PATH", "")  # restored afterwards
    _run(_EXAMPLES.parent / "relay" / "resnet18.py")
    first, second = re.findall("top-1 id: ([0-9]+)", capsys.readouterr().out)
    assert first == second


@pytest.mark.parametrize(
    ("name", "calls", "last"),
    [
        (
            "blas_codegen",
            "R.call_tir(cls.fused_relax_matmul_relax_add_blas, (lv, w2, b2)",
            "Result matches with NumPy.\n",
        ),
        ("python_codegen", 'R.call_dps_packed("fused_relax_nn_attention', "Result matches the kernels of tvmscript.\n"),
    ],
)
def test_code_generators(name: str, calls: str, last: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = _EXAMPLES.parent / "relax" / f"{name}.py"
    exec(compile(path.read_text(), str(path), "exec"), {"__name__": name})
    printed = capsys.readouterr().out
    assert calls in printed
    assert "main: native, 3 calls" in printed
    assert printed.endswith(last)
