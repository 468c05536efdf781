"""Default schedules of scans: along rows and columns, as one block and as loops in a block, in parallel loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import llvm

#: a block for each element
STEPS = """
    for i, k in T.grid({n}, {m}):
        with T.block("scan"):
            vi = T.axis.spatial({n}, i)
            vk = T.axis.scan({m}, k)
            C[{here}] = T.if_then_else(vk == 0, T.{t}(0), C[{last}]) + A[{here}]
"""
#: a block for each row
ROWS = """
    for i in {loop}({n}):
        with T.block("scan"):
            vi = T.axis.spatial({n}, i)
            C[{first}] = A[{first}]
            for k in range({m} - 1):
                C[{next}] = C[{here}] + A[{next}]
"""


def scan_text(form: str, shape: tuple[int, int], axis: int, dtype: str, *, symbols: str = "") -> str:
    """Return running sums along an axis; sizes of `symbols` are known at run time."""
    sizes: list[Any] = [name if name in symbols else size for name, size in zip("ab", shape, strict=True)]
    n, m = sizes[1 - axis], sizes[axis]

    def at(place: str) -> str:
        return f"vi, {place}" if axis == 1 else f"{place}, vi"

    k = "vk" if form == "steps" else "k"
    body = (STEPS if form == "steps" else ROWS).format(
        n=n,
        m=m,
        t=dtype,
        loop="T.parallel" if form == "parallel" else "T.serial",
        first=at("0"),
        here=at(k),
        last=at(f"{k} - 1"),
        next=at(f"{k} + 1"),
    )
    declared = "".join(f"    {name} = T.int32()\n" for name in symbols)
    return f"""
@T.prim_func
def main(A_: T.handle, C_: T.handle):
    T.func_attr({{"tir.noalias": T.bool(True)}})
{declared}    A = T.match_buffer(A_, ({sizes[0]}, {sizes[1]}), "{dtype}")
    C = T.match_buffer(C_, ({sizes[0]}, {sizes[1]}), "{dtype}")
{body}"""


@pytest.mark.parametrize("form", ["steps", "rows", "parallel"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(
    ("shape", "symbols", "dtype"),
    [
        ((1, 1), "", "float32"),
        ((37, 45), "", "float32"),
        ((45, 37), "", "float64"),
        ((64, 96), "", "int32"),
        ((50, 7), "", "float32"),
        ((50, 70), "a", "float32"),
        ((70, 50), "b", "float64"),
        ((20, 30), "ab", "float32"),
    ],
)
def test_values(form: str, axis: int, shape: tuple[int, int], symbols: str, dtype: str) -> None:
    """The terms of a row keep their order: without contraction the bits are those of the interpreter."""
    program = tvmscript.from_source(scan_text(form, shape, axis, dtype, symbols=symbols))
    a = (np.random.default_rng(0).random(shape) * 8 - 4).astype(dtype)
    expected = np.cumsum(a, axis, dtype)
    for target in (llvm.EXACT, "llvm -mcpu=x86-64"):
        c = np.zeros_like(a)
        tvmscript.build(program, target=target)["main"](a, c)
        np.testing.assert_array_equal(c, expected)


def test_first_step_is_apart() -> None:
    script = tvmscript.dlight.ApplyDefaultSchedule(tvmscript.dlight.cpu.Scan())
    program = tvmscript.from_source(scan_text("steps", (8, 9), 1, "float32"))
    with tvmscript.target.Target("llvm"):
        assert "loop_partition" in script(tvmscript.IRModule({"main": program})).script()


@pytest.mark.parametrize(("last", "low"), [("k, j + 1", -1), ("k, j", 0), ("k + 1, j - 1", 1), ("k, j - 40", 40)])
@pytest.mark.parametrize("columns", [41, 64, 100])
def test_columns_that_depend_on_each_other(last: str, low: int, columns: int) -> None:
    """Columns are not computed side by side where one reads what another one stores."""
    program = tvmscript.from_source(f"""
@T.prim_func
def main(A: T.Buffer((20, {columns}), "float32"), C: T.Buffer((20, {columns}), "float32")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for i in range({columns - abs(low)}):
        with T.block("scan"):
            j = T.axis.spatial({columns}, i + {max(low, 0)})
            for k in range(19):
                C[k + 1, j] = C[{last}] + A[k + 1, j]
""")
    a = np.random.default_rng(0).random((20, columns), "f")
    results = [a.copy(), a.copy()]
    for target, c in zip(("interp", llvm.EXACT), results, strict=True):
        tvmscript.build(program, target=target)["main"](a, c)
    np.testing.assert_array_equal(results[0], results[1])
