"""Default schedules of softmax, norms and the like: all stages of a row, or of some columns, one after the other."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ir.schedule.default.cpu.programs import check, nest, program
from tvmscript.ir.schedule.default.cpu import rows
from tvmscript.ir.tir import PrimFunc


def softmax(shape: list[int | str], axis: int, dtype: str = "float32") -> PrimFunc:
    rank = len(shape)
    every = ", ".join(f"v{place}" for place in range(rank))
    free = [place for place in range(rank) if place != axis]
    some = ", ".join(f"v{place}" for place in free) or "0"
    kinds = "".join("R" if place == axis else "S" for place in range(rank))
    sizes, size = (", ".join(map(str, each)) for each in (shape, [shape[place] for place in free] or [1]))
    low = f"T.min_value('{dtype}')"
    return program(
        f"A: ({sizes},), '{dtype}'; C: ({sizes},), '{dtype}'",
        f"    M = T.alloc_buffer(({size},), '{dtype}')\n",
        f"    E = T.alloc_buffer(({sizes},), '{dtype}')\n",
        f"    S = T.alloc_buffer(({size},), '{dtype}')\n",
        nest("M", shape, kinds, f"M[{some}] = T.max(M[{some}], A[{every}])", f"M[{some}] = {low}"),
        nest("E", shape, "S" * rank, f"E[{every}] = T.exp(A[{every}] - M[{some}])"),
        nest("S", shape, kinds, f"S[{some}] = S[{some}] + E[{every}]", f"S[{some}] = T.{dtype}(0)"),
        nest("C", shape, "S" * rank, f"C[{every}] = E[{every}] / S[{some}]"),
    )


def layer_norm(outer: int | str, inner: int | str) -> PrimFunc:
    zero, count = "T.float32(0)", "T.Cast('float32', m)" if inner == "m" else f"T.float32({inner})"
    return program(
        f"A: ({outer}, {inner}), 'float32'; G: ({inner},), 'float32'; C: ({outer}, {inner}), 'float32'",
        *[f"    {name} = T.alloc_buffer(({outer},), 'float32')\n" for name in "XMVR"],
        nest("X", (outer, inner), "SR", "X[v0] = X[v0] + A[v0, v1]", f"X[v0] = {zero}"),
        nest("M", (outer,), "S", f"M[v0] = X[v0] / {count}"),
        nest("V", (outer, inner), "SR", "V[v0] = V[v0] + (A[v0, v1] - M[v0]) * (A[v0, v1] - M[v0])", f"V[v0] = {zero}"),
        nest("R", (outer,), "S", f"R[v0] = T.rsqrt(V[v0] / {count} + T.float32(1e-5))"),
        nest("C", (outer, inner), "SS", "C[v0, v1] = (A[v0, v1] - M[v0]) * R[v0] * G[v1]"),
    )


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_softmax(data: st.DataObject) -> None:
    rank = data.draw(st.integers(2, 3))
    shape: list[int | str] = [data.draw(st.integers(1, 90 if rank == 2 else 20)) for _ in range(rank)]
    axis = data.draw(st.integers(0, rank - 1))
    check(softmax(shape, axis, data.draw(st.sampled_from(("float32", "float64")))))


@pytest.mark.parametrize("columns", [1, 63, 64, 65, 130, 512, 600])
def test_softmax_of_columns(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    script = check(softmax([5, columns], 0)).mod.script()
    assert ("T.parallel(2" in script) == (columns == 600)
    monkeypatch.setattr(rows, "_COLUMNS", (64, 64))
    check(softmax([5, columns], 0))


@pytest.mark.parametrize(
    ("shape", "axis", "loops", "has_rest"),
    [
        ([2, 477, 3], 0, 2, False),
        ([2, 211, 7], 0, 2, True),
        ([3, 2, 40, 3], 1, 2, False),
        ([2, 3, 600], 0, 1, True),
    ],
)
def test_columns_of_short_dimensions(
    shape: list[int | str], axis: int, loops: int, has_rest: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Columns of several dimensions take the place of a row together, in equal parts or with a rest."""
    with caplog.at_level(logging.DEBUG, logger="tvmscript.default_schedule"):
        script = check(softmax(shape, axis)).mod.script()
    assert f"columns of {loops} loops" in caplog.text
    assert ("T.where(" in script) is has_rest


@pytest.mark.parametrize(("terms", "columns", "is_inside"), [(8, 64, True), (9, 64, False), (8, 63, False)])
def test_few_terms_are_the_innermost_loop(terms: int, columns: int, is_inside: bool) -> None:
    """Columns keep the sums of a few terms in registers."""
    script = check(softmax([terms, columns], 0)).mod.script()
    assert (f"for ax1 in range({columns}):" in script) is is_inside


@pytest.mark.parametrize(("outer", "inner"), [(1, 1), (3, 17), (40, 64), (7, 1000)])
def test_layer_norm(outer: int, inner: int, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="tvmscript.default_schedule"):
        check(layer_norm(outer, inner))
    assert (outer == 1) or "C: schedule_rows: with 4 stages in 1 loops" in caplog.text
    check(layer_norm("n", "m"), n=outer, m=inner)


def test_sizes_known_at_run_time() -> None:
    for n, m in ((1, 1), (3, 70), (50, 16)):
        check(softmax(["n", "m"], 1), n=n, m=m)
        check(softmax(["n", "m"], 0), n=n, m=m)


def test_results_that_others_use_stay() -> None:
    """The maximum is an argument of the function as well: it cannot move."""
    func = program(
        "A: (9, 20), 'float32'; M: (9,), 'float32'; C: (9, 20), 'float32'",
        nest("M", (9, 20), "SR", "M[v0] = T.max(M[v0], A[v0, v1])", "M[v0] = T.min_value('float32')"),
        nest("C", (9, 20), "SS", "C[v0, v1] = A[v0, v1] - M[v0]"),
    )
    check(func)


def test_rows_of_a_dimension_of_one_element(caplog: pytest.LogCaptureFixture) -> None:
    """A result of the rows is read at 0 where a dimension has one element."""
    func = program(
        "A: (1, 9, 20), 'float32'; C: (1, 9, 20), 'float32'",
        "    M = T.alloc_buffer((1, 9), 'float32')\n",
        nest(
            "M", (1, 9, 20), "SSR", "M[v0, v1] = T.max(M[v0, v1], A[v0, v1, v2])", "M[v0, v1] = T.min_value('float32')"
        ),
        nest("C", (1, 9, 20), "SSS", "C[v0, v1, v2] = A[v0, v1, v2] - M[0, v1]"),
    )
    with caplog.at_level(logging.DEBUG, logger="tvmscript.default_schedule"):
        check(func)
    assert "C: schedule_rows: with 1 stages" in caplog.text
