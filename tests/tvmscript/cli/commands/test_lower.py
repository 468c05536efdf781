"""`tvmscript lower`, `opt` and `passes`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tvmscript
from tvmscript.cli import main
from tvmscript.cli.run_passes import PassFailed
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.relax.transform.pipeline import ZERO, get_pipeline
from tvmscript.ir.transform.registry import graph_pass_modules, pass_modules
from tvmscript.transform import PassContext, get_pass

GRAPH = """\
from tvmscript import I, R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            y = R.exp(x)
            z = R.add(y, y)
            R.output(z)
        return z
"""
PROGRAM = """\
from tvmscript import T

@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("A"):
            vi = T.axis.spatial(4, i)
            A[vi] = A[vi] * T.float32(2)
"""
LOOPS = """\
from tvmscript import T

@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    for i in range(4):
        A[i + 0] = T.float32(2)

@T.prim_func
def other(A: T.Buffer((4,), "float32")):
    A[0] = T.float32(2)
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "program.py").write_text(PROGRAM)
    return str(tmp_path / "program.py")


@pytest.fixture
def loops(tmp_path: Path) -> str:
    (tmp_path / "loops.py").write_text(LOOPS)
    return str(tmp_path / "loops.py")


def test_lower(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lower", file]) == 0
    made = tvmscript.from_source(capsys.readouterr().out, check_well_formed=False)
    expected = tvmscript.lower(tvmscript.from_source(PROGRAM.partition("\n\n")[2]), "llvm")
    assert_structural_equal(made, expected, map_free_vars=True)


def test_options_of_the_context(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lower", file, "--config", "tir.UnrollLoop.auto_max_step=16"]) == 0
    unrolled = capsys.readouterr().out
    assert "for i" not in unrolled
    with PassContext(config={"tir.UnrollLoop": {"auto_max_step": 16}}):
        expected = tvmscript.lower(tvmscript.from_source(PROGRAM.partition("\n\n")[2]), "llvm")
    assert unrolled.strip() == expected.script().strip()


def test_lower_for_a_target_without_a_backend(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lower", file, "--target", "hexagon"]) == 2
    assert "--target: there is no backend for the target 'hexagon'" in capsys.readouterr().err


def test_dump(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lower", file, "--dump", str(tmp_path / "passes"), "--check", "wellformed,roundtrip,values"]) == 0
    assert "for i in range(4)" in capsys.readouterr().out
    assert (tmp_path / "passes" / "000_input.py").exists()
    assert "tir.LowerInitBlock" in (tmp_path / "passes" / "index.html").read_text()


def test_opt(loops: str, capsys: pytest.CaptureFixture[str]) -> None:
    passes = "tir.Simplify,tir.UnrollLoop{auto_max_step=16}"
    assert main(["opt", "-p", passes, f"{loops}:main"]) == 0
    made = tvmscript.from_source(capsys.readouterr().out)
    func = tvmscript.from_source(LOOPS.partition("\n\n")[2].partition("\n\n")[0])
    assert_structural_equal(made, get_pass("tir.UnrollLoop", 16)(get_pass("tir.Simplify")(func)))


def test_a_pipeline_stands_for_its_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "graph.py"
    file.write_text(GRAPH)
    assert main(["opt", "-p", "relax.Normalize,zero", str(file)]) == 0
    expected = get_pipeline("zero")(tvmscript.from_source(GRAPH))
    assert_structural_equal(tvmscript.from_source(capsys.readouterr().out), expected)
    assert main(["opt", "-p", "relax.Normalize,zero", str(file), "--time"]) == 0
    names = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines() if not line.startswith("\t")]
    assert names == ["relax.Normalize", *[step.name for step in ZERO]]
    assert main(["opt", "-p", "zero(hexagon=True)", str(file)]) == 2
    assert "there is no option of the pipeline zero named hexagon" in capsys.readouterr().err


def test_steps_and_times(loops: str, capsys: pytest.CaptureFixture[str]) -> None:
    passes = "tir.Simplify,tir.UnrollLoop{auto_max_step=2}"
    assert main(["opt", "-p", passes, f"{loops}:main", "--steps"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# tir.Simplify\n--- before\n+++ after\n")
    assert "-            A[T.Add(i, 0)] = T.float32(2)\n+            A[i] = T.float32(2)\n" in text
    assert text.rstrip().endswith("# tir.UnrollLoop{auto_max_step=2}\nunchanged")
    assert main(["opt", "-p", passes, f"{loops}:main", "--time"]) == 0
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "tir.Simplify",
        "tir.UnrollLoop",
    ]


def test_disabled_passes(loops: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", "-p", "tir.Simplify", f"{loops}:main", "--disable", "tir.Simplify", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["passes"] == []
    assert "A[T.Add(i, 0)]" in told["program"]


def test_a_pass_refuses(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", "-p", "tir.LowerInitBlock,tir.LowerOpaqueBlock", file]) == 1
    said = capsys.readouterr()
    assert not said.out
    assert "error[TS4002]: block A has axes" in said.err
    assert f"note[{PassFailed.code}]: the pass tir.LowerOpaqueBlock refused the program" in said.err
    assert main(["opt", "-p", "tir.LowerInitBlock,tir.LowerOpaqueBlock", file, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["program"] is None
    assert [(each["pass"], each["changed"], each["error"] is None) for each in told["passes"]] == [
        ("tir.LowerInitBlock", False, True), ("tir.LowerOpaqueBlock", False, False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["-p", "tir.Simplfy"], "--passes: there is no pass named tir.Simplfy\nhint: did you mean tir.Simplify?"),
        (["-p", "tir.Simplify{"], "--passes: 'tir.Simplify{' is not a list of passes"),
        (
            ["-p", "", "--config", "tir.noalia=1"],
            "--config: there is no option tir.noalia\nhint: did you mean tir.noalias?",
        ),
        (["-p", "", "--config", "tir.noalias"], "--config: tir.noalias is not written KEY=VALUE"),
        (["-p", "", "--config", "tir.UnrollLoop.x=1"], "--config: there is no field of tir.UnrollLoop named 'x'"),
        (["-p", "", "--config", "tir.noalias=maybe"], "--config: the option tir.noalias takes True or False"),
        (["-p", "", "--check", "value"], "--check: there is no check named 'value'"),
    ],
)
def test_wrong_options(words: list[str], text: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", file, *words]) == 2
    assert text in capsys.readouterr().err


def test_several_programs(loops: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", "-p", "tir.Simplify", loops]) == 2
    assert "several programs: main, other" in capsys.readouterr().err


def test_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["passes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == sorted({*pass_modules(), *graph_pass_modules()})
    assert any(line.endswith("  Unroll loops.") for line in lines)
    assert main(["passes", "tir.UnrollLoop"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("tir.UnrollLoop: Unroll loops.")
    assert "  auto_max_depth   " in text
    assert "8, set by tir.UnrollLoop.auto_max_depth" in text
    assert main(["passes", "--options"]) == 0
    assert "tir.disable_vectorize" in capsys.readouterr().out
    assert main(["passes", "tir.UnrolLoop"]) == 2
    assert "did you mean tir.UnrollLoop?" in capsys.readouterr().err


def test_passes_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["passes", "tir.UnrollLoop", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["passes"]
    assert told["options"][0] == {"name": "auto_max_step", "default": "0", "option": "tir.UnrollLoop.auto_max_step"}
    assert main(["passes", "--options", "--json"]) == 0
    options = {each["key"]: each for each in json.loads(capsys.readouterr().out)["options"]}
    assert options["tir.UnrollLoop"]["fields"]["auto_max_depth"] == 8
