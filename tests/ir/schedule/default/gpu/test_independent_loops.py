"""Loops whose iterations threads may run in any order; recurrences, whose steps are launches of such loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import te, topi
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.driver import bind_to_threads
from tvmscript.ir.core import Target, nodes
from tvmscript.ir.schedule.default.gpu.independent_loops import fuse_independent_loops
from tvmscript.ir.tir import For, IntImm

TARGET = Target.make("cuda -arch=sm_90a")
NEST = """
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32"), I: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        for j in range({extent}):
            {body}
"""


@pytest.mark.parametrize(
    ("body", "extent", "count"),
    [
        ("A[i * 16 + j] = B[j * 8 + i]", "16", 128),
        ("A[i * 16 + j] = A[i * 16 + j] + B[j]", "16", 128),
        ("A[i * 16 + j] = A[i * 16 + j + 128]", "16", 128),
        ("A[i * 512 + 16 - j] = B[I[j]]", "16", 128),
        ("A[i] = A[i] + B[j]", "16", 8),
        ("A[i * 16] = B[j]", "n", 8),
        # rows of 17 elements overlap, an element is read after the next iteration has stored it, places are unknown
        ("A[i * 16 + j] = B[j]", "17", None),
        ("A[i * 16 + j] = A[i * 16 + j + 16]", "16", None),
        ("A[i + j] = B[j]", "n", None),
        ("A[j] = B[i]", "16", None),
        ("A[I[i]] = B[j]", "16", None),
        ("A[0] = A[0] + B[i]", "16", None),
    ],
)
def test_which_loops_are_fused(body: str, extent: str, count: int | None) -> None:
    func: Any = tvmscript.from_source(NEST.format(body=body, extent=extent))
    loop = fuse_independent_loops(next(node for node in nodes(func) if isinstance(node, For)))
    assert (None if loop is None else loop.extent.value if isinstance(loop.extent, IntImm) else -1) == count


def test_steps_of_a_recurrence_are_launches() -> None:
    """An LSTM of 5 steps: batch and cells are threads in each of them."""
    shapes = [(5, 3, 6), (16, 6), (16, 4)]
    x, wi, wh = (te.placeholder(shape, "float32", name) for name, shape in zip(("X", "Wi", "Wh"), shapes, strict=True))
    hidden, cell = topi.nn.lstm(x, wi, wh)
    schedule = te.create_schedule([hidden.op, cell.op])
    mod = bind_to_threads(schedule.to_module([x, wi, wh, hidden, cell], "main", None, prefers_blocks=True), TARGET)
    (step,) = [node for node in nodes(mod["main"]) if isinstance(node, For) and node.loop_var.name == "lstm_scan.idx"]
    axes = [node.thread_binding for node in nodes(step) if isinstance(node, For)]
    assert sum(axis is not None and axis.thread_tag == "blockIdx.x" for axis in axes) == 13
    rng = np.random.default_rng(0)
    given = [rng.standard_normal(shape).astype("float32") for shape in shapes]
    results = [np.full((5, 3, 4), np.nan, "float32") for _ in range(2)]
    assert run_sanitized(tvmscript.lower(mod, TARGET), "main", [*given, *results]).errors == ()
    sequence, input_weights, weights = (array.astype("float64") for array in given)
    state, cells = np.zeros((2, 3, 4))
    for step_input, *step_results in zip(sequence, *results, strict=True):
        i, f, g, o = np.split(step_input @ input_weights.T + state @ weights.T, 4, axis=1)
        cells = cells / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        state = np.tanh(cells) / (1 + np.exp(-o))
        for result, expected in zip(step_results, (state, cells), strict=True):
            np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)
