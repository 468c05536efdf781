"""Default schedules of reductions: of rows, of columns, of both, and places of extremes."""

from __future__ import annotations

import re
from math import gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ir.schedule.default.cpu.programs import check, nest, program
from tvmscript.backends import llvm
from tvmscript.ir.core import Target
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.schedule.default.cpu import Default, injective, reduction
from tvmscript.ir.tir import PrimFunc

OPERATIONS = {
    "{c} + {a}": "T.{t}(0)",
    "{c} + {a} * {a}": "T.{t}(0)",
    "{c} * {a}": "T.{t}(1)",
    "T.max({c}, {a})": "T.min_value('{t}')",
    "T.min({a}, {c})": "T.max_value('{t}')",
}
#: where terms are added in another order
TOLERANCES = {"float32": 1e-3, "float64": 1e-9, "int32": 0}


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
    """The terms of an element keep their order, but for few columns."""
    rank = data.draw(st.integers(1, 4))
    sizes = [data.draw(st.integers(1, (400, 120, 30, 12)[rank - 1])) for _ in range(rank)]
    reduced = data.draw(st.sets(st.integers(0, rank - 1), min_size=1))
    dtype = data.draw(st.sampled_from([*TOLERANCES]))
    tolerance = TOLERANCES[dtype] if sizes[-1] < 16 and rank - 1 not in reduced else 0
    func = kernel([*sizes], sorted(reduced), data.draw(st.sampled_from([*OPERATIONS])), dtype)
    check(func, tolerance=tolerance)


def test_sums_that_may_not_be_split() -> None:
    """A function can refuse that its terms are added in another order."""
    func = kernel([1, 100_000], [1], "{c} + {a}")
    for attrs, names in (({}, ["C_rf", "C"]), ({"tir.split_reductions": False}, ["C"])):
        scheduled = Default().apply(func.with_attrs(attrs), Target.make("llvm"), False)
        assert scheduled is not None
        script = scheduled.mod.script()
        assert [name for name in ("C_rf", "C") if f'T.block("{name}")' in script] == names


def test_windows_of_whole_images_are_one_loop() -> None:
    """Axes of one iteration, as of a global pool, do not keep loops apart."""
    func = program(
        "A: (3, 6, 9), 'float32'; C: (3, 1, 1), 'float32'",
        nest(
            "C",
            (3, 1, 1, 6, 9),
            "SSSRR",
            "C[v0, v1, v2] = C[v0, v1, v2] + A[v0, v1 * 6 + v3, v2 + v4]",
            "C[v0, v1, v2] = 0.0",
        ),
    )
    assert "range(54)" in check(func).mod.script()


@pytest.mark.parametrize("reduced", [[0], [1], [0, 1]])
@pytest.mark.parametrize("sizes", [(1, 1), (5, 200), (100, 33), (17, 32)])
def test_sizes_known_at_run_time(reduced: list[int], sizes: tuple[int, int]) -> None:
    check(kernel(["n", "m"], reduced, "{c} + {a}"), n=sizes[0], m=sizes[1])


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(1, 1), (2, 57), (7, 5), (15, 99), (40, 70), (101, 203)])
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
    schedule = check(program(params, text))
    lanes = machine_model("llvm").lanes(8)
    # a row of columns that do not fill vectors is one vector of another length
    width = shape[1] if shape[1] < 4 * lanes and shape[1] % lanes else lanes
    widths = {int(each) for each in re.findall(r"T.vectorized\((\d+)\)", schedule.mod.script())}
    assert widths == ({width} if axis == 0 and shape[0] > 1 and lanes > 1 else set())


def test_columns_are_side_by_side() -> None:
    script = check(kernel([100, 96], [0], "{c} + {a}")).mod.script()
    assert "T.unroll(4)" in script
    assert "T.parallel(2" in script
    assert "T.unroll(16)" in check(kernel([101, 20], [0], "{c} + {a}")).mod.script()
    assert "T.unroll(10)" in check(kernel([100, 20], [0], "{c} + {a}")).mod.script()  # 16 and a rest are two loops
    assert "T.unroll" not in check(kernel([10, 96], [0], "{c} + {a}")).mod.script()


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("shape", [(100, 2), (33, 3), (1000, 5), (16, 7), (70, 9), (61, 15), (5, 40, 6), (30, 17, 11)])
def test_few_columns_are_vectors_across_rows(shape: tuple[int, ...], dtype: str) -> None:
    """A lane combines the terms of one column; `lanes` rows fill vectors whatever the columns."""
    *_, terms, columns = shape
    lanes = machine_model("llvm").lanes(8 if dtype == "float64" else 4)
    script = check(kernel([*shape], [len(shape) - 2], "{c} + {a}", dtype), tolerance=TOLERANCES[dtype]).mod.script()
    widths = {int(width) for width in re.findall(r"T.vectorized\((\d+)\)", script)}
    has_rows = lanes > 1 and terms >= 2 * (lanes // gcd(lanes, columns))  # two vectors of them
    assert ("C_rf" in script) is has_rows
    assert not has_rows or (widths and all(width % lanes == width % columns == 0 for width in widths))


@pytest.mark.parametrize("shape", [(100, 2, 3), (5, 40, 3, 3), (2, 3, 40, 3, 1)])
def test_few_columns_of_several_dimensions(shape: tuple[int, ...]) -> None:
    reduced = {3: 0, 4: 1, 5: 2}[len(shape)]
    script = check(kernel([*shape], [reduced], "{c} + {a}", "int32")).mod.script()
    assert ("C_rf" in script) is (machine_model("llvm").lanes(4) > 1)


def test_what_is_not_reduced_across_rows() -> None:
    for func in (
        kernel([100, 16], [0], "{c} + {a}"),  # columns fill vectors
        kernel([7, 5], [0], "{c} + {a}"),  # too few terms
        kernel([100, 5], [0], "{c} + {a}", "float16"),  # partial sums would be rounded
        kernel([100, 5], [0], "{c} + {a}").with_attrs({"tir.split_reductions": False}),
        # columns are the first dimension of the results
        program(
            "A: (4, 100, 5), 'float32'; C: (5, 4), 'float32'",
            nest("C", (4, 100, 5), "SRS", "C[v2, v0] = C[v2, v0] + A[v0, v1, v2]", "C[v2, v0] = T.float32(0)"),
        ),
    ):
        scheduled = Default().apply(func, Target.make("llvm"), False)
        assert scheduled is not None
        assert "C_rf" not in scheduled.mod.script()


@pytest.mark.parametrize("n", [1, 7, 8, 100])
def test_few_columns_of_rows_known_at_run_time(n: int) -> None:
    check(kernel(["n", 5], [0], "{c} + {a}"), n=n, tolerance=TOLERANCES["float32"])


@pytest.fixture
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads share few terms."""
    monkeypatch.setattr(reduction, "_SHARED", 100)
    monkeypatch.setattr(reduction, "_LEAST_ROWS", 3)


@pytest.mark.usefixtures("short_parts")
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_shared_terms(data: st.DataObject) -> None:
    """Partial results of integers are combined exactly, sums of floats are rounded in another order."""
    rank = data.draw(st.integers(1, 3))
    shape: list[int | str] = [data.draw(st.integers(1, (3000, 300, 40)[rank - 1])) for _ in range(rank)]
    reduced = sorted(data.draw(st.sets(st.integers(0, rank - 1), min_size=1)))
    dtype = data.draw(st.sampled_from(("float32", "float64", "int32")))
    update = data.draw(st.sampled_from([each for each in OPERATIONS if "*" not in each or dtype == "int32"]))
    check(kernel(shape, reduced, update, dtype), tolerance=TOLERANCES[dtype])


@pytest.mark.usefixtures("short_parts")
@pytest.mark.parametrize("reduced", [[0], [1], [0, 1]])
@pytest.mark.parametrize("shape", [("n", "m"), (3, "n"), ("n", 20)])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (400, 60)])
def test_shared_terms_of_sizes_known_at_run_time(
    shape: tuple[int | str, ...], reduced: list[int], n: int, m: int
) -> None:
    check(kernel([*shape], reduced, "{c} + {a}", "int32"), n=n, m=m)


@pytest.mark.usefixtures("short_parts")
def test_terms_are_shared_where_results_are_few() -> None:
    def has_parts(shape: list[int | str], reduced: list[int], target: str = "llvm") -> bool:
        schedule = Default().apply(kernel(shape, reduced, "{c} + {a}"), Target.make(target), False)
        return schedule is not None and "C_rf" in schedule.mod.script()

    assert has_parts([1000], [0])
    assert has_parts([4, 1000], [1])
    assert has_parts(["n"], [0])
    assert not has_parts([100, 1000], [1])
    assert not has_parts([150], [0])
    assert not has_parts([1000], [0], llvm.EXACT)  # sums keep their order
