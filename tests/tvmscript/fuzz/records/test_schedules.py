"""What is observed of schedules and of lowering: refused steps, what rules say, contexts of passes."""

from __future__ import annotations

import json
from typing import Any

from tvmscript.fuzz.records.lowering import check_lowering, check_specialized
from tvmscript.fuzz.records.schedules import check_intrinsics, check_questions, check_rule, check_trace
from tvmscript.fuzz.records.scripts import outcome_of_call

TEXT = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 8))
    B = T.match_buffer(b, (n, 8))
    for i, j in T.grid(n, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
"""
BLOCK = ["GetBlock", [], ["B", "main"], ["b0"]]
LOOPS = ["GetLoops", ["b0"], [], ["l1", "l2"]]


def _words(notes: tuple[str, ...]) -> list[str]:
    return [note.split()[0] for note in notes]


def test_refused_steps_are_observed_after_those_before_them() -> None:
    taken = json.dumps([[BLOCK, LOOPS, ["Fuse", ["l1", "l2"], [1], ["l3"]]], []])
    refused = json.dumps([[BLOCK, LOOPS, ["Fuse", ["l2", "l1"], [1], ["l3"]]], []])
    assert _words(outcome_of_call(lambda: check_trace(TEXT, taken))) == ["scheduled", "steps", "json"]
    notes = _words(outcome_of_call(lambda: check_trace(TEXT, refused)))
    assert notes[0].startswith("TS")
    assert notes[1:] == ["scheduled", "steps", "json"]


def test_what_rules_say_is_observed() -> None:
    target = "llvm -mtriple=x86_64-linux-gnu -mcpu=haswell"
    assert "log" in _words(outcome_of_call(lambda: check_rule(TEXT, "cpu.Default", target)))
    assert not outcome_of_call(lambda: check_rule(TEXT, "gpu.Matmul", target))


def test_answers_and_intrinsics() -> None:
    assert {"can", "layouts", "repr", "decision", "last"} <= {*_words(outcome_of_call(lambda: check_questions(TEXT)))}
    assert len({*outcome_of_call(lambda: check_intrinsics("dot_16x4_vnni", "dot_16x4_avx512"))}) == 2


def _lowered(config: dict[str, Any]) -> tuple[str, ...]:
    return outcome_of_call(lambda: check_lowering(TEXT, "simple", config=config))


def test_options_of_contexts_change_what_is_observed() -> None:
    plain, unrolled = _lowered({}), _lowered({"tir.UnrollLoop": {"auto_max_step": 8}})
    assert len({plain, unrolled}) == 2
    assert _lowered({"tir.nothing": 1})[0].startswith("TS")
    sizes = _words(outcome_of_call(lambda: check_specialized(TEXT, {"n": 4}, {"m": 4})))
    assert sizes[0] == "specialized"
    assert sizes[1].startswith("TS")
