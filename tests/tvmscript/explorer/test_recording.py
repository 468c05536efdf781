"""What a recording holds: every pass with its text, and lines that know where they come from."""

from __future__ import annotations

import json
import re

import pytest

import tvmscript
from tests.tvmscript.explorer.programs import DOUBLED, SCRIPT, SUM
from tvmscript.driver import as_module
from tvmscript.explorer import Recording, page, record
from tvmscript.explorer.stages import Stage
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.context import PassContext, PassInfo, PassInstrument


@pytest.fixture(scope="module")
def recording() -> Recording:
    return record(as_module(tvmscript.from_source(SCRIPT)), title="main.py: main")


def stage(recording: Recording, name: str) -> Stage:
    return next(each for each in recording.stages if each.name.startswith(name))


def test_every_pass_is_there(recording: Recording) -> None:
    """The names of the passes are those that an instrument of the same build hears."""
    heard: list[str] = []

    class Listener(PassInstrument):
        def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
            heard.append(info.text or info.name)

    with PassContext(instruments=[Listener()]):
        tvmscript.build(tvmscript.from_source(SCRIPT))
    names = [each.name for each in recording.stages]
    assert names == ["script", "parsed", *heard, "LLVM IR", "assembly"]


def test_texts_are_the_programs(recording: Recording) -> None:
    """The text of each pass reads back; the last one is what `lower` gives."""
    last = next(each for each in reversed(recording.stages) if each.name.startswith("tir."))
    program = tvmscript.from_source("\n".join(last.text.lines))
    tvmscript.ir.assert_structural_equal(program, tvmscript.lower(tvmscript.from_source(SCRIPT), "llvm"))


@pytest.mark.parametrize(
    ("name", "words", "line"),
    [
        ("script", "S[vi] + A", SUM),
        ("parsed", "S[vi] + A", SUM),
        ("parsed", "T.float32(2)", DOUBLED),
        ("tir.ConvertBlocksToOpaque", "S[i] + A", SUM),
        ("tir.FlattenBuffer", "+ A_1[i * 64 + k]", SUM),
        ("tir.VectorizeLoop", "T.Broadcast(T.float32(2), 64)", DOUBLED),
        ("LLVM IR", "= fmul ", DOUBLED),
        ("LLVM IR", "= fadd ", SUM),
    ],
)
def test_lines_know_the_script(recording: Recording, name: str, words: str, line: int) -> None:
    text = stage(recording, name).text
    actual = [origins for shown, origins in zip(text.lines, text.origins, strict=True) if words in shown]
    assert actual
    assert all(line in origins for origins in actual)


def test_assembly_knows_the_script(recording: Recording) -> None:
    """However many lanes the machine adds at once; twice a number is a sum as well."""
    text = stage(recording, "assembly").text
    lines = zip(text.lines, text.origins, strict=True)
    origins = {origin for shown, found in lines if re.search(r"\bv?add[sp]s\b", shown) for origin in found}
    assert SUM in origins
    assert origins <= {SUM, DOUBLED}


def test_native_texts_have_no_debug_info(recording: Recording) -> None:
    for name in ("LLVM IR", "assembly"):
        text = "\n".join(stage(recording, name).text.lines)
        assert "main" in text
        assert not re.search(r"!dbg|!DI|\.loc\b|\.debug_|\.Ltmp|\.Lfunc_begin", text)


def test_rows_are_of_what_changed(recording: Recording) -> None:
    for before, after in zip(recording.stages, recording.stages[1:], strict=False):
        if after.name.startswith("tir."):
            assert bool(after.rows) == after.changed == (before.text.lines != after.text.lines)
            shown = [row.right_text for row in after.rows if row.right is not None and row.kind != "<"]
            assert not shown or shown == list(after.text.lines)


def test_a_refused_program_is_refused() -> None:
    """An error of the compiler is not hidden by the recording."""
    with pytest.raises(tvmscript.TVMScriptError, match="no_such_function"):
        record(
            as_module(
                tvmscript.from_source(
                    '@T.prim_func\ndef main(A: T.Buffer((4,), "float32")):\n'
                    '    A[0] = T.call_extern("float32", "no_such_function")\n'
                )
            )
        )


def test_page_stands_alone(recording: Recording) -> None:
    """No file and no address of anything else; data that cannot end its element."""
    text = page(recording)
    assert not re.search(r"https?:|src=|@import|url\(", text)
    data = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S)
    assert data is not None
    assert "<" not in data[1]
    read = json.loads(data[1])
    assert [each["name"] for each in read["stages"]] == [each.name for each in recording.stages]
    for each, result in zip(read["stages"], recording.stages, strict=True):
        assert tuple(read["texts"][each["text"]]["lines"]) == result.text.lines


def test_for_a_gpu_it_ends_with_kernels() -> None:
    text = """
@T.prim_func
def main(A: T.Buffer((64,), "float32")):
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            A[b * 32 + t] = A[b * 32 + t] + T.float32(1)
"""
    recording = record(as_module(tvmscript.from_source(text)), "cuda")
    assert "def main_kernel" in "\n".join(stage(recording, "tir.SplitHostDevice").text.lines)
    last = recording.stages[-1]
    assert last.name.startswith("tir.")
    (line,) = [number for number, shown in enumerate(text.split("\n"), 1) if "A[b" in shown]
    actual = [each for shown, each in zip(last.text.lines, last.text.origins, strict=True) if "T.float32(1)" in shown]
    assert actual == [(line,)]


GRAPH = """
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    with R.dataflow():
        y = R.exp(x)
        z = R.add(y, x)
        R.output(z)
    return z
"""


def test_graphs_are_recorded_down_to_assembly() -> None:
    recorded = record(as_module(tvmscript.from_source(GRAPH)))
    names = [each.name for each in recorded.stages]
    assert names[:3] == ["script", "parsed", "default"]
    assert {"relax.FuseTIR", "tir.FlattenBuffer"} < set(names)
    assert names[-2:] == ["LLVM IR", "assembly"]
    fused = stage(recorded, "relax.FuseTIR").text
    assert any("fused_tir_exp_add" in line for line in fused.lines)
