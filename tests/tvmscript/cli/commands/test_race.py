"""`tvmscript race`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backends.interp.test_tensor_cores import LDMATRIX
from tests.tvmscript.cli.samples import as_json, write
from tvmscript.cli import main

_CASES = Path(__file__).parents[3] / "cases" / "sanitizer"
Captured = pytest.CaptureFixture[str]


def test_fine(capsys: Captured) -> None:
    assert main(["race", str(_CASES / "padded_rows.py"), "--requests"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("main: 0 errors, 0 notes, 1 block run\n")
    assert "shared" in out
    assert err == ""


def test_lowering_adds_barriers(capsys: Captured) -> None:
    """Barriers that a program with shared memory needs are inserted, as they are for the device."""
    assert main(["race", str(_CASES / "no_barrier.py")]) == 0
    assert capsys.readouterr().out.startswith("main: 0 errors, 0 notes, 2 blocks run\n")


def test_proven_races(capsys: Captured) -> None:
    """What is proven is not reported again where the run shows it."""
    document = as_json(capsys, "race", str(_CASES / "blocks_write_one_element.py"))
    assert document["exit_code"] == 1
    assert [(finding["code"], finding["line"]) for finding in document["findings"]] == [("TS4095", 13)]


def test_races_of_data(tmp_path: Path, capsys: Captured) -> None:
    """Which elements are written is known at run time only."""
    text = """\
@T.prim_func
def main(A: T.Buffer((64,), "float32"), P: T.Buffer((64,), "int32"), B: T.Buffer((16,), "float32")):
    for i in T.parallel(64):
        B[P[i] + 8] = A[i]
"""
    document = as_json(capsys, "race", write(tmp_path, text))
    assert document["exit_code"] == 1
    assert [(finding["code"], finding["line"]) for finding in document["findings"]] == [("TS5040", 4)]
    assert "both write" in document["findings"][0]["message"]


def test_blocks_are_left_out(tmp_path: Path, capsys: Captured) -> None:
    launch = '    bx = T.launch_thread("blockIdx.x", 9)\n    tx'
    text = (_CASES / "uncoalesced.py").read_text().replace("    tx", launch, 1)
    path = write(tmp_path, text.replace("B[tx * 2]", "B[tx * 2 + bx * 0]"))
    main(["race", path])
    assert ", 3 blocks run, others left out" in capsys.readouterr().out
    main(["race", path, "--all-blocks"])
    assert ", 9 blocks run\n" in capsys.readouterr().out


def test_requests_of_matrices(tmp_path: Path, capsys: Captured) -> None:
    """Four matrices have rows of 16 bytes that are 32 bytes apart: each takes two passes."""
    document = as_json(capsys, "race", write(tmp_path, LDMATRIX.format(transposed=False)))
    (function,) = document["functions"]
    (request,) = [request for request in function["traffic"] if request["line"] == 10]
    assert request == {"buffer": "S", "scope": "shared", "line": 10, "requests": 4, "cost": 8, "ideal": 4}


def test_limit(capsys: Captured) -> None:
    document = as_json(capsys, "race", str(_CASES / "barrier.py"), "--limit", "10")
    assert document["exit_code"] == 0
    assert [finding["code"] for finding in document["findings"]] == ["TS5046"]


def test_foreign_code_needs_run(tmp_path: Path, capsys: Captured) -> None:
    text = '@T.prim_func\ndef main(A: T.Buffer((4,), "float32")):\n    T.call_packed("f", A.data)\n'
    assert main(["race", write(tmp_path, text)]) == 2
    assert "TS7023" in capsys.readouterr().err


def test_a_size_that_no_function_has(tmp_path: Path, capsys: Captured) -> None:
    text = """\
@T.prim_func
def main(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    A[0] = T.float32(1)
"""
    path = write(tmp_path, text)
    assert main(["race", path, "--dim", "n=3"]) == 0
    assert main(["race", path, "--dim", "nope=3"]) == 2
    assert "error[TS7012]: --dim: there is no size nope\nhint: the sizes are n\n" in capsys.readouterr().err
