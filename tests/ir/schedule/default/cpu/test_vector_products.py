"""Default schedules of matrices of bytes times vectors, and of a few rows of two matrices."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tests.ir.schedule.default.cpu.test_packed_weights import X86, copies, pack
from tests.ir.schedule.default.test_dot_product import BYTES, check, matrix, product_text
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.schedule.default.cpu.vector_products import schedule_vector_product
from tvmscript.ir.schedule.default.cpu.weight_layout import choose_weight_layouts
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import PrimFunc

MODEL = machine_model(X86 + "sapphirerapids")


@pytest.mark.parametrize(
    ("sizes", "layout"), [((1, 90, 100), "ntn"), ((70, 1, 130), "nnn"), ((1, 33, 50), "ntt"), ((6, 20, 300), "ntn")]
)
@pytest.mark.parametrize("right", BYTES)
@pytest.mark.parametrize("left", BYTES)
def test_rows_times_a_vector(left: str, right: str, sizes: tuple[int, int, int], layout: str) -> None:
    """Each row is a loop over its terms: nothing is packed. Sums of bytes have vectors of their own, as many as fit."""
    program = tvmscript.from_source(product_text(sizes, (left, right, "int32"), layout=layout))
    assert isinstance(program, PrimFunc)
    sch = Schedule(program)
    choice = schedule_vector_product(sch, sch.get_block("C"), MODEL)
    together = {("int8", "int8"): 8, ("uint8", "uint8"): 1}.get((left, right), 16) if 1 in sizes[:2] else 1
    assert choice == f"{sizes[0] * sizes[1]} sums of {sizes[2]} products, {together} at a time"
    check(sizes, left, right, layout, (), "llvm")
    check(sizes, left, right, layout, (2,), "llvm")


@pytest.mark.parametrize(
    ("sizes", "dtypes", "layout"),
    [
        ((8, 17, 300), ("uint8", "int8"), "ntn"),
        ((2, 8, 300), ("uint8", "int8"), "nnn"),
        ((1, 90, 100), ("uint8", "int8"), "nnn"),
        ((1, 90, 100), ("float32", "float32"), "ntn"),
    ],
)
def test_other_products_are_left_alone(sizes: tuple[int, int, int], dtypes: tuple[str, str], layout: str) -> None:
    total = "int32" if "int8" in dtypes else "float32"
    program = tvmscript.from_source(product_text(sizes, (*dtypes, total), layout=layout))
    assert isinstance(program, PrimFunc)
    sch = Schedule(program)
    assert schedule_vector_product(sch, sch.get_block("C"), MODEL) is None


@pytest.mark.parametrize(
    "dtypes", [("uint8", "int8"), ("int8", "int8"), ("int8", "uint8"), ("int16", "int8")], ids="-".join
)
@pytest.mark.parametrize(
    ("sizes", "layout", "batch", "place"),
    [((1, 70, 130), "nnn", (), 1), ((70, 1, 50), "tnn", (), 0), ((1, 33, 64), "nnn", (3,), 1)],
)
def test_matrices_times_vectors(
    sizes: tuple[int, int, int], layout: str, batch: tuple[int, ...], place: int, dtypes: tuple[str, str]
) -> None:
    """The terms of each dot product are packed side by side, and read as they are."""
    func = tvmscript.from_source(product_text(sizes, (*dtypes, "int32"), batch, layout))
    assert isinstance(func, PrimFunc)
    layouts = choose_weight_layouts(func, X86 + "sapphirerapids")
    assert [*layouts] == [place]
    rng, (rows, columns, terms) = np.random.default_rng(0), sizes
    shapes = [(*batch, *shape) for shape in ((terms, rows) if layout[0] == "t" else (rows, terms), (terms, columns))]
    a, b = (matrix(rng, shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True))
    packed, values = pack(func, place, layouts[place], [a, b, np.zeros((*batch, rows, columns), "int32")])
    assert copies(packed, X86 + "sapphirerapids") == ["C" if "int16" in dtypes else "C_local"]
    tvmscript.build(packed, target="llvm")["main"](*values)
    wide = (a.swapaxes(-1, -2) if layout[0] == "t" else a).astype("int64") @ b.astype("int64")
    np.testing.assert_array_equal(values[2], wide)
