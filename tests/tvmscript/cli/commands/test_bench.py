"""`tvmscript bench`: tables, JSON, pictures, errors."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.cli import main

KERNELS = """
from tvmscript import T

@T.prim_func
def scale(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 8))
    B = T.match_buffer(b, (n, 8))
    for i, j in T.grid(n, 8):
        with T.block("scale"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2) + T.float32(1)

def numpy_scale(A, B):
    B[:] = A * FACTOR + 1

@T.prim_func
def alone(A: T.Buffer((64,), "float64")):
    for i in range(64):
        A[i] = A[i] * T.float64(0.5)
"""
QUICK = ["--seconds", "0.01"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kernels.py"
    path.write_text(KERNELS.replace("FACTOR", "2"))
    return path


def test_table_json_and_picture(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    threads, processors = tvmscript.threads(), os.sched_getaffinity(0)
    figures, picture = tmp_path / "figures.json", tmp_path / "roofline.svg"
    words = ["--size", "n=32", "--json", str(figures), "--roofline", str(picture)]
    assert main(["bench", str(file), *QUICK, *words]) == 0
    shown = capsys.readouterr().out
    for part in ("scale, n = 32", "\nalone\n", "numpy", "of peak", "Limits with 1 thread: ", "GFLOP/s of float64"):
        assert part in shown
    facts = json.loads(figures.read_text())
    scale, alone = facts["kernels"]
    assert (scale["name"], scale["operations"], scale["bytes"]) == ("scale", 2 * 32 * 8, 2 * 32 * 8 * 4)
    assert list(scale["times"]) == ["tvmscript", "numpy"]
    assert scale["ratio"] == scale["times"]["numpy"]["best"] / scale["times"]["tvmscript"]["best"]
    assert (list(alone["times"]), alone["ratio"], alone["dtype"]) == (["tvmscript"], None, "float64")
    assert all(0 < time["best"] <= time["cold"] for time in scale["times"].values())
    assert scale["of_limit"] > 0
    assert picture.read_text().count("<title>") == 3
    assert (tvmscript.threads(), os.sched_getaffinity(0)) == (threads, processors)


def test_drawn_sizes(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def drawn(seed: str) -> Any:
        assert main(["bench", str(file), *QUICK, "--seed", seed, "--json", "-"]) == 0
        return json.loads(capsys.readouterr().out)["kernels"][0]["bytes"]

    size = drawn("1")
    assert size == drawn("1") != drawn("2")
    assert 64 <= size // 64 <= 1024


def test_a_peer_that_computes_something_else(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(KERNELS.replace("FACTOR", "3"))
    assert main(["bench", str(file), *QUICK]) == 1
    assert "error[TS7021]: scale is WRONG: the kernel of numpy returns another result" in capsys.readouterr().err


def test_threads_are_compared(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there is one processor")
    assert main(["bench", str(file), *QUICK, "--size", "n=64", "--threads", "1,2"]) == 0
    shown = capfd.readouterr().out
    assert shown.index("Limits with 1 thread") < shown.index("Limits with 2 threads") < shown.index("ratio")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--vs", "blas"], "error[TS7012]: --vs: 'blas' is no library to compare with"),
        (["--threads", "0"], "error[TS7012]: --threads: '0' is no list of numbers of threads"),
        (["--threads", "100000"], "error[TS7012]: --threads: 100000 threads on"),
        (["--seconds", "0"], "error[TS7012]: --seconds: 0.0 is not positive"),
        (["--size", "n"], "error[TS7020]: --size takes NAME=NUMBER, but got 'n'"),
        (["--target", "stone"], "error[TS7012]: --target: 'stone' is not a target"),
        (["--roofline", "x.png"], "error[TS7012]: --roofline: x.png does not end in .svg"),
        (["--json", "/nowhere/at/all"], "error[TS7011]: /nowhere/at/all cannot be used"),
        (["--threads", "1,1", "--json", "x"], "error[TS7012]: --threads: --json and --roofline are of one number"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_errors(file: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", str(file), *QUICK, *words]) == 2
    assert message in capsys.readouterr().err
