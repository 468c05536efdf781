"""Default schedules of reductions: of rows, of columns, of both, and places of extremes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ir.schedule.default.cpu.programs import check, nest, program
from tvmscript.ir.schedule.default.cpu import injective, reduction
from tvmscript.ir.tir import PrimFunc

OPERATIONS = {
    "{c} + {a}": "T.{t}(0)",
    "{c} + {a} * {a}": "T.{t}(0)",
    "{c} * {a}": "T.{t}(1)",
    "T.max({c}, {a})": "T.min_value('{t}')",
    "T.min({a}, {c})": "T.max_value('{t}')",
}


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops of few iterations are split, too."""
    monkeypatch.setattr(injective, "_PART", 64)
    monkeypatch.setattr(reduction, "_COLUMNS", 48)


def kernel(shape: list[int | str], reduced: list[int], update: str, dtype: str = "float32") -> PrimFunc:
    """Return a reduction whose axes are in the order of the dimensions."""
    free = [axis for axis in range(len(shape)) if axis not in reduced]
    a, c = (
        f"{name}[{', '.join(f'v{axis}' for axis in axes) or '0'}]"
        for name, axes in (("A", range(len(shape))), ("C", free))
    )
    sizes, size = (", ".join(map(str, each)) for each in (shape, [shape[axis] for axis in free] or [1]))
    kinds = "".join("R" if axis in reduced else "S" for axis in range(len(shape)))
    text = nest("C", shape, kinds, f"{c} = {update.format(a=a, c=c)}", f"{c} = {OPERATIONS[update].format(t=dtype)}")
    return program(f"A: ({sizes},), '{dtype}'; C: ({size},), '{dtype}'", text)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_values(data: st.DataObject) -> None:
    """The terms of an element keep their order."""
    rank = data.draw(st.integers(1, 4))
    shape: list[int | str] = [data.draw(st.integers(1, (400, 120, 30, 12)[rank - 1])) for _ in range(rank)]
    reduced = data.draw(st.sets(st.integers(0, rank - 1), min_size=1))
    dtype = data.draw(st.sampled_from(("float32", "float64", "int32")))
    check(kernel(shape, sorted(reduced), data.draw(st.sampled_from([*OPERATIONS])), dtype))


@pytest.mark.parametrize("reduced", [[0], [1], [0, 1]])
@pytest.mark.parametrize("sizes", [(1, 1), (5, 200), (100, 33), (17, 32)])
def test_sizes_known_at_run_time(reduced: list[int], sizes: tuple[int, int]) -> None:
    check(kernel(["n", "m"], reduced, "{c} + {a}"), n=sizes[0], m=sizes[1])


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(1, 1), (40, 70), (100, 200)])
def test_places_of_extremes(shape: tuple[int, int], axis: int) -> None:
    free, index = 1 - axis, f"T.Cast('int64', v{axis})"
    stays = f"M[v{free}] > A[v0, v1] or M[v{free}] == A[v0, v1] and C[v{free}] < {index}"
    body = nest("C", shape, "RS" if axis == 0 else "SR", "pass", "pass")
    lines = [
        f"i: T.int64 = T.Select({stays}, C[v{free}], {index})",
        f"x: T.float32 = T.Select(M[v{free}] > A[v0, v1], M[v{free}], A[v0, v1])",
        f"C[v{free}] = i",
        f"M[v{free}] = x",
    ]
    space = "\n            "
    start = f"C[v{free}] = T.int64(-1){space}    M[v{free}] = T.min_value('float32')"
    head, _, _ = body.rpartition("pass")
    text = head.replace("pass", start) + space.join(lines) + "\n"
    size = shape[free]
    params = f"A: {shape}, 'float32'; C: ({size},), 'int64'; M: ({size},), 'float32'"
    check(program(params, text))


def test_columns_are_side_by_side() -> None:
    script = check(kernel([100, 96], [0], "{c} + {a}")).mod.script()
    assert "T.unroll(4)" in script
    assert "T.parallel(2" in script
    assert "T.unroll(16)" in check(kernel([100, 20], [0], "{c} + {a}")).mod.script()
    assert "T.unroll" not in check(kernel([100, 3], [0], "{c} + {a}")).mod.script()
    assert "T.unroll" not in check(kernel([10, 96], [0], "{c} + {a}")).mod.script()
