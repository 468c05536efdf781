"""Default schedules of results whose rows are computed from lines: which are stored, and their values."""

from __future__ import annotations

import logging

import pytest

from tests.ir.schedule.default.cpu.programs import check, nest, program
from tvmscript.ir.schedule.default.cpu.normal_form import normalize
from tvmscript.ir.tir import PrimFunc

#: a row between two, of which each is between two elements
BETWEEN = "({0}[{1} // 2, v1 // 2] + {0}[{1} // 2, (v1 + 1) // 2]) / T.float32(3)"


def resized(value: str, rows: int = 12, columns: int = 20, source: str = "(7, 11)") -> PrimFunc:
    """Return a function that computes an image from another one."""
    text = nest("C", (rows, columns), "SS", f"C[v0, v1] = {value}")
    return program(f"A: {source}, 'float32'; C: ({rows}, {columns}), 'float32'", text)


def has_lines(func: PrimFunc) -> bool:
    return "C_lines" in normalize(func).script()


@pytest.mark.parametrize(("rows", "columns"), [(12, 20), (13, 21), (7, 2)])
def test_values(rows: int, columns: int) -> None:
    value = f"{BETWEEN.format('A', 'v0')} * T.Cast('float32', v0) + {BETWEEN.format('A', '(v0 + 1)')}"
    func = resized(value, rows, columns)
    assert has_lines(func)
    check(func)


def test_lines_of_a_plane_are_computed_before_its_rows(caplog: pytest.LogCaptureFixture) -> None:
    value = "(A[v0, v1 // 2, v2 // 2] / T.float32(3) + A[v0, v1 // 2, (v2 + 1) // 2]) * T.Cast('float32', v1)"
    func = program(
        "A: (3, 7, 11), 'float32'; C: (3, 14, 20), 'float32'",
        nest("C", (3, 14, 20), "SSS", f"C[v0, v1, v2] = {value}"),
    )
    with caplog.at_level(logging.DEBUG, logger="tvmscript.default_schedule"):
        check(func)
    assert "C: schedule_lines: with C_lines in 1 loops" in caplog.text


@pytest.mark.parametrize(
    "value",
    [
        "A[v0 // 2, v1 // 2] / 3.0",  # one element of each row
        "A[v0 // 2, v1 // 2] / 3.0 + A[(v0 + 1) // 2, (v1 + 1) // 2]",  # different rows of each part
        "A[v0 // 2, v1 // 2] / 3.0 + A[v0 // 2, (v1 + 1) // 2] * T.Cast('float32', v0)",  # the row is a factor, too
        "A[v0 // 2, v1 // 2] + A[v0 // 2, (v1 + 1) // 2]",  # what costs less than to store it
        "T.if_then_else(v0 < 12, A[v0 // 2, v1 // 2] / 3.0 + A[v0 // 2, (v1 + 1) // 2], T.float32(0))",
    ],
)
def test_nothing_is_shared(value: str) -> None:
    func = resized(value)
    assert not has_lines(func)
    check(func)


def test_as_many_lines_as_rows() -> None:
    """What is computed once for each line is not stored."""
    func = resized("A[v0, v1 // 2] / 3.0 + A[v0, (v1 + 1) // 2]", source="(12, 11)")
    assert not has_lines(func)
    check(func)


@pytest.mark.parametrize(
    ("source", "is_shared"), [("(7, 11)", True), ("(7, n)", True), ("(T.int64(7), 11)", False), ("(n, 11)", False)]
)
def test_the_number_of_rows_is_known_and_of_the_dtype_of_the_axis(source: str, is_shared: bool) -> None:
    value = f"{BETWEEN.format('A', 'v0')} * T.Cast('float32', v0) + {BETWEEN.format('A', '(v0 + 1)')}"
    assert has_lines(resized(value, source=source)) == is_shared
