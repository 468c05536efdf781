"""The examples of schedules: they run, their values are right, and the schedules say what they do."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.tir.verify import verify

_EXAMPLES = Path(__file__).parent.parent / "examples" / "schedules"


def load(name: str) -> Any:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, _EXAMPLES / f"{name}.py")
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
