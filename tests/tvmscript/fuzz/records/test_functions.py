"""Calls of functions and programs that are run through analyses have outcomes which tell results and refusals."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tvmscript.backends.interp.sanitizer.errors import MemoryRace
from tvmscript.fuzz.observing import observed
from tvmscript.fuzz.records.functions import check_function, check_limits
from tvmscript.fuzz.records.graph_calls import check_graph_calls
from tvmscript.fuzz.records.programs import check_program

PROGRAM = """\
@T.prim_func
def main(A: T.Buffer((8,), "float32")):
    for i in T.parallel(8):
        A[i{0}] = A[7 - i]
"""


CLOSEST = "ir.core.suggestions:closest"


def observed_call(path: str, *args: object) -> list[str]:
    with observed() as notes:
        check_function(path, *args)
    return notes


def test_results_are_observed() -> None:
    notes = observed_call(CLOSEST, "absent", ["absorb", "absents"])
    assert notes == observed_call(CLOSEST, "absent", ["absorb", "absents"])
    assert notes != observed_call(CLOSEST, "absent", ["absorb"])


def test_refusals_are_observed() -> None:
    assert observed_call("ir.core.dtype:DType", "float33")[0].startswith("TS")
    assert observed_call(CLOSEST)[0].startswith("TypeError")
    assert observed_call("ir.core.nothing:nothing")[0].startswith("unknown")


def test_limits_are_those_of_a_check_alone() -> None:
    limit = "parser.python.operations:MAX_LENGTH"
    text = '@T.prim_func\ndef main():\n    T.func_attr({"kind": "a" + "b" * 8})\n'
    with observed() as notes:
        check_limits(limit, (9, 7), check_program, text)
        check_program(text)
        check_limits("parser.python.operations:NOTHING", (9, 7), check_program, text)
    printed, refused, again, unknown = notes
    assert refused.startswith("TS2")
    assert again == printed
    assert unknown.startswith("unknown")


def test_calls_of_graphs_are_observed_with_axes_layouts_and_kernels() -> None:
    parameters = ['x: R.Tensor((2, 1, 4), "float32")', 'x: R.Tensor(("n", 3, 4), "float32")']
    with observed() as notes:
        check_graph_calls(parameters, ["R.squeeze(x, axis=[1])", "R.permute_dims(x)"], is_lowered=True)
    words = [note.partition(" ")[0] for note in notes]
    squeezed, permuted = ["inferred", "layouts", "lowered"], ["inferred", "axes", "layouts", "lowered"]
    assert words == [*squeezed, *permuted, "TS1200", *permuted]


@pytest.mark.parametrize("stage", ["analyses", "arith"])
def test_programs_are_observed(stage: str) -> None:
    with observed() as notes:
        check_program(PROGRAM.format(""), stage)
    with observed() as others:
        check_program(PROGRAM.format(" + 1"), stage)
    assert {each.split()[0] for each in notes} >= {"analyses": {"bounds", "races"}, "arith": {"answers"}}[stage]
    assert notes != others


@pytest.mark.long
@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring came with Python 3.12")
def test_calls_are_carved(tmp_path: Path) -> None:
    """A plugin writes calls of a test as scripts that run."""
    test, target = tmp_path / "test_it.py", tmp_path / "calls.jsonl"
    test.write_text(
        "from tvmscript.ir.arith.intervals.bounds import Bounds, add\n"
        "def test_add():\n    assert add(Bounds(1, 2), Bounds(3, 4)) == Bounds(4, 6)\n"
    )
    options = ["-n", "0", "-q", "-p", "no:cacheprovider", "-p", "tools.records.carving", "--packages", "ir/arith"]
    subprocess.run([sys.executable, "-m", "pytest", *options, "--carved", str(target), str(test)], check=True)
    text = target.read_text("utf-8")
    assert "check_function('ir.arith.intervals.bounds:add', *args, **options)" in text
    assert "args, options = ([Bounds(1, 2), Bounds(3, 4)], {})" in text


def test_a_kernel_runs_without_each_of_its_calls() -> None:
    """Without the barrier threads race."""
    text = """\
@T.prim_func
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    tx = T.launch_thread("threadIdx.x", 4)
    S = T.alloc_buffer((4,), "float32", scope="shared")
    S[tx] = A[tx]
    T.tvm_storage_sync("shared")
    B[tx] = S[3 - tx]
"""
    with observed() as whole:
        check_program(text, "interp")
    with observed() as without:
        check_program(text, "without")
    assert not any(note.startswith("TS") for note in whole)
    assert any(note.startswith(f"{MemoryRace.code} ") for note in without)
