"""`tvmscript schedule`: traces and scripts, steps, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript import dlight
from tvmscript.cli import main
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.targets.target import Target

PROGRAM = """\
from tvmscript import T

@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("A"):
            vi = T.axis.spatial(16, i)
            A[vi] = A[vi] * T.float32(2)
"""
SCRIPT = """\
def schedule(sch):
    (i,) = sch.get_loops(sch.get_block("A"))
    outer, inner = sch.split(i, [None, 4])
"""
SPLIT = "for i_0, i_1 in T.grid(4, 4):"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "script.py").write_text(SCRIPT)
    return str(tmp_path / "program.py"), str(tmp_path / "script.py")


def test_script_and_its_trace(files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, script = files
    trace = tmp_path / "trace.json"
    assert main(["schedule", program, "--script", script, "--save-trace", str(trace), "--check", "values"]) == 0
    text = capsys.readouterr().out
    assert SPLIT in text
    assert main(["schedule", f"{program}:main", "--trace", str(trace)]) == 0
    again = capsys.readouterr().out
    assert_structural_equal(tvmscript.from_source(again), tvmscript.from_source(text))


def test_steps(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    program, script = files
    assert main(["schedule", program, "--script", script, "--steps"]) == 0
    text = capsys.readouterr().out
    assert "# l2, l3 = sch.split(loop=l1, factors=[None, 4]" in text
    assert f"+        {SPLIT}" in text
    assert main(["schedule", program, "--script", script, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [step["step"].split("(")[0] for step in told["steps"]] == ["l2, l3 = sch.split"]
    assert told["trace"][0][2][0] == "Split"
    assert SPLIT in told["program"]


@pytest.mark.parametrize(
    ("script", "code", "message"),
    [
        (SCRIPT.replace("[None, 4]", "[2, 4]"), 1, "TS4114"),
        (SCRIPT.replace('"A"', '"B"'), 1, "no block is named B in function main"),
        (SCRIPT.replace("def schedule", "def other"), 2, "it has no function schedule"),
        ("def schedule(", 2, "cannot be used"),
    ],
)
def test_refused(
    script: str, code: int, message: str, files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    program, path = files
    Path(path).write_text(script)
    assert main(["schedule", program, "--script", path]) == code
    assert message in capsys.readouterr().err


def test_files_that_do_not_fit(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    program, script = files
    assert main(["schedule", program, "--trace", script]) == 1
    assert "TS4201" in capsys.readouterr().err
    assert main(["schedule", program, "--trace", f"{script}.missing"]) == 2
    Path(program).write_text(PROGRAM + PROGRAM.split("\n\n")[1].replace("def main", "def other"))
    assert main(["schedule", program, "--script", script]) == 2
    assert "has several programs: main, other" in capsys.readouterr().err


PRODUCT = """\
from tvmscript import T

@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    for i, j, k in T.grid(32, 32, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""


def test_default(files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The trace of the default schedule replays to what `build` compiles."""
    product, trace = tmp_path / "product.py", tmp_path / "trace.json"
    product.write_text(PRODUCT)
    assert main(["schedule", str(product), "--default"]) == 0
    assert "  sch.vectorize(loop=" in capsys.readouterr().out
    assert main(["schedule", str(product), "--default", "--json", "--target", "llvm -mcpu=x86-64-v3"]) == 0
    trace.write_text(json.dumps(json.loads(capsys.readouterr().out)["traces"]["main"]))
    assert main(["schedule", str(product), "--trace", str(trace), "--check", "values"]) == 0
    assert "T.vectorized(8)" in capsys.readouterr().out
    assert main(["schedule", files[0], "--default"]) == 0
    assert capsys.readouterr().out == "# main: no rule fits it, or it is scheduled\n"


GRAM = """\
from tvmscript import T

@T.prim_func
def main(A: T.Buffer((256, 256), "float16"), C: T.Buffer((256, 256), "float32")):
    for i, j, k in T.grid(256, 256, 256):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "float32") * T.cast(A[vj, vk], "float32")
"""


def test_default_for_a_device(files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Steps are those of the function, or of the form of it that the printed program takes."""
    Path(files[0]).write_text(PROGRAM.replace("A[vi] * T.float32(2)", "T.float32(2)"))
    assert main(["schedule", files[0], "--default", "--target", "cuda -arch=sm_80"]) == 0
    assert 'thread_axis="threadIdx.x"' in capsys.readouterr().out
    product, target = tmp_path / "product.py", "cuda -arch=sm_80"
    product.write_text(GRAM)
    assert main(["schedule", str(product), "--default", "--target", target]) == 0
    printed: dict[str, Any] = {}
    exec(capsys.readouterr().out, printed)
    func = tvmscript.from_source(GRAM)
    with Target.make(target):
        expected = dlight.ApplyDefaultSchedule(dlight.gpu.MatmulTensorization())(IRModule({"main": func}))["main"]
    scheduled = printed["schedule_function"](func).mod["main"]
    assert_structural_equal(scheduled, expected.without_attr("tir.is_scheduled"))


def test_default_that_is_another_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "prefix.py"
    path.write_text(
        """\
from tvmscript import T

@T.prim_func
def main(A: T.Buffer((64, 16), "float32")):
    for i, j in T.grid(64, 15):
        A[i, j + 1] = A[i, j + 1] + A[i, j]
"""
    )
    assert main(["schedule", str(path), "--default", "--target", "cuda -arch=sm_80"]) == 0
    assert capsys.readouterr().out.startswith("# main: ParallelLoops puts this function in its place\n")


SIGNED_PRODUCT = """\
from tvmscript import T

@T.prim_func
def main(A: T.Buffer((64, 64), "int8"), B: T.Buffer((64, 64), "int8"), C: T.Buffer((64, 64), "int32")):
    for i, j, k in T.grid(64, 64, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "int32") * T.cast(B[vk, vj], "int32")
"""


def test_default_of_rewritten_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The printed program makes what `build` compiles of a function that is rewritten before its schedule."""
    product, target = tmp_path / "product.py", "llvm -mcpu=cascadelake"
    product.write_text(SIGNED_PRODUCT)
    assert main(["schedule", str(product), "--default", "--target", target]) == 0
    printed: dict[str, Any] = {}
    exec(capsys.readouterr().out, printed)
    func = tvmscript.from_source(SIGNED_PRODUCT)
    with Target.make(target):
        expected = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(IRModule({"main": func}))["main"]
    scheduled = printed["schedule_function"](func).mod["main"]
    assert_structural_equal(scheduled, expected.without_attr("tir.is_scheduled"))
    assert main(["schedule", str(product), "--default", "--json", "--target", target]) == 0
    assert "C_unsigned" in json.loads(capsys.readouterr().out)["normal_forms"]["main"]
