"""Default schedules of products of a few rows and a large matrix."""

from __future__ import annotations

import pytest

from tests.ir.schedule.default.cpu.programs import check, nest, program
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.tir import PrimFunc

#: as many terms as make a matrix of 600 columns larger than the second cache
TERMS = machine_model("llvm").l2_bytes // (600 * 4) + 13
CHOICE = "rows of the matrix at a time"


def product(rows: int, columns: int, terms: int, *, batch: int = 1, dtype: str = "float32") -> PrimFunc:
    c = "C[v0, v1, v2]"
    return program(
        f"A: ({batch}, {rows}, {terms}), '{dtype}'; B: ({batch}, {terms}, {columns}), '{dtype}'; "
        f"C: ({batch}, {rows}, {columns}), '{dtype}'",
        nest(
            "C",
            (batch, rows, columns, terms),
            "SSSR",
            f"{c} = {c} + A[v0, v1, v3] * B[v0, v3, v2]",
            f"{c} = T.{dtype}(0)",
        ),
    )


@pytest.mark.parametrize(
    ("rows", "columns", "terms"),
    [
        (1, 600, TERMS),
        (1, 2100, TERMS),
        (3, 640, TERMS),
        (5, 601, TERMS),
        (11, 608, TERMS),
        (16, 1024, 8 * (TERMS // 8)),
        (17, 601, TERMS),
        (62, 608, 77),
        (8, 128, 128),
    ],
)
def test_few_rows(rows: int, columns: int, terms: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "tvmscript.default_schedule")
    check(product(rows, columns, terms))
    assert CHOICE in caplog.text


def test_batches_and_doubles(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "tvmscript.default_schedule")
    check(product(2, 1032, TERMS, batch=3, dtype="float64"))
    assert CHOICE in caplog.text


def test_one_column_of_a_transposed_matrix(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "tvmscript.default_schedule")
    body = nest(
        "C", (600, 1, TERMS), "SSR", "C[v0, v1] = C[v0, v1] + A[v2, v0] * B[v2, v1]", "C[v0, v1] = T.float32(0)"
    )
    check(program(f"A: ({TERMS}, 600), 'float32'; B: ({TERMS}, 1), 'float32'; C: (600, 1), 'float32'", body))
    assert CHOICE in caplog.text


@pytest.mark.parametrize(("rows", "columns", "terms"), [(65, 600, TERMS), (4, 600, 63), (4, 100, 80), (4, 300, 80)])
def test_products_that_tiles_are_for(rows: int, columns: int, terms: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "tvmscript.default_schedule")
    check(product(rows, columns, terms))
    assert CHOICE not in caplog.text
