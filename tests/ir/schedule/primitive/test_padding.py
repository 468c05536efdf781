"""decompose_padding and pad_einsum: what they make, what they refuse, and that TVM does the same."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.scripts import load_script, script_of
from tests.ir.schedule.values import same_values
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.schedule import Schedule

INSIDE = "1 <= vi and vi < 9 and 2 <= vj and vj < 18"
LOOPS = 'b = sch.get_block("B"); i, j = sch.get_loops(b)'


def padding(condition: str = INSIDE, value: str = "A[vi - 1, vj - 2]", otherwise: str = "T.float32(0)") -> str:
    """A block that pads A to B."""
    return f"""
@T.prim_func
def main(A: T.Buffer((10, 20), "float32"), B: T.Buffer((10, 20), "float32")):
    for i, j in T.grid(10, 20):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.if_then_else({condition}, {value}, {otherwise})
"""


def schedule(program: str, *lines: str) -> Schedule:
    sch = Schedule(tvmscript.from_source(program), debug_mask="all")
    load_script(script_of(*lines))(sch)
    return sch


def check(oracle: Any, program: str, *lines: str) -> None:
    """Ours is TVM's program, and computes what the program did before."""
    outcome = both(oracle, program, script_of(*lines))
    outcome.check()
    assert outcome.has_same_text, outcome.describe()
    if not isinstance(outcome.ours, str):
        same_values(tvmscript.from_source(program), outcome.ours.mod, tolerance=1e-5)


PLACES = (
    "sch.decompose_padding(b, i)",
    "sch.decompose_padding(b, j)",
    "sch.decompose_padding(b, sch.fuse(i, j))",
    "a, c = sch.split(i, [2, 5]); d, e = sch.split(j, [5, 4]); sch.reorder(a, d, c, e); sch.decompose_padding(b, d)",
    "a, c = sch.split(i, [2, 5]); sch.reorder(a, j, c); sch.decompose_padding(b, j)",
    "a, c = sch.split(i, [3, 4]); sch.parallel(a); sch.vectorize(j); sch.annotate(c, 'x', 1);"
    " sch.decompose_padding(b, a)",
    "a, c = sch.split(i, [10, 1]); sch.decompose_padding(b, c)",
    "a, c = sch.split(i, [1, 10]); sch.decompose_padding(b, a)",
    "a, c = sch.split(i, [1, 10]); sch.reorder(c, a); sch.decompose_padding(b, a)",
    "x = sch.decompose_padding(b, j); sch.get_loops(x); sch.get_loops(b); sch.annotate(x, 'x', 1)",
    "sch.add_unit_loop(b); sch.decompose_padding(b, j)",
    "sch.reorder(j, i); sch.decompose_padding(b, j)",
    "a, c = sch.split(i, [3, 4]); sch.decompose_padding(b, sch.fuse(c, j))",
)
CONDITIONS = (
    "T.likely(1 <= vi) and (vi < 9 and (2 <= vj and vj < 18))",
    "vi >= 3",
    "vi > 3 and vi < 7",
    "not (vi < 3)",
    "vj <= 5 and vi <= 5",
    "vi >= 0 and vi < 10 and vj < 13",
)


@pytest.mark.oracle
@pytest.mark.parametrize("step", PLACES)
def test_tvm_does_the_same_at_places(step: str, oracle: Any) -> None:
    check(oracle, padding(), LOOPS, step)


@pytest.mark.oracle
@pytest.mark.parametrize("condition", CONDITIONS)
def test_tvm_does_the_same_under_conditions(condition: str, oracle: Any) -> None:
    for step in PLACES[:2]:
        check(oracle, padding(condition, "A[vi, vj]"), LOOPS, step)
    check(oracle, padding(condition, "A[vi, vj] * T.float32(2)", "T.float32(1) + T.float32(3)"), LOOPS, PLACES[0])


@pytest.mark.oracle
def test_tvm_does_the_same_with_images(oracle: Any) -> None:
    program = """
@T.prim_func
def main(x: T.Buffer((1, 8, 8, 16), "int8"), p: T.Buffer((1, 10, 10, 16), "int8")):
    for n, h, w, c in T.grid(1, 10, 10, 16):
        with T.block("B"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            p[vn, vh, vw, vc] = T.if_then_else(
                vh >= 1 and vh < 9 and vw >= 1 and vw < 9, x[vn, vh - 1, vw - 1, vc], T.int8(0))
"""
    for place in range(4):
        check(oracle, program, f'sch.decompose_padding("B", sch.get_loops("B")[{place}])')
    check(oracle, program, 'n, h, w, c = sch.get_loops("B")', 'x = sch.fuse(w, c); sch.decompose_padding("B", h)')


NO_PADDING = [
    (
        padding().replace("T.if_then_else(1", "T.Select(1").replace("vi - 1, vj - 2", "0, 0"),
        "its stored value is not a T.if_then_else",
    ),
    (padding(otherwise="A[0, 0]"), "the padding value A[0, 0] is not constant"),
    (padding("vi < 10", "A[vi, vj]"), "its condition is always true"),
    (padding("vi + vj < 9", "A[vi, vj]"), "its condition does not restrict each axis to a range"),
    (padding("vi == 3", "A[vi, vj]"), "its condition does not restrict each axis to a range"),
    (padding("1 <= vi or vi > 3", "A[vi, vj]"), "its condition does not restrict each axis to a range"),
    (
        padding("vi < 9", "A[vi, vj]")
        .replace("T.grid(10, 20)", "T.grid(10, 10)")
        .replace('vi, vj = T.axis.remap("SS", [i, j])', "vi = T.axis.spatial(10, i); vj = T.axis.spatial(20, j * 2)"),
        "an axis has a stride other than 1",
    ),
]


@pytest.mark.parametrize(("program", "said"), NO_PADDING)
def test_blocks_that_are_no_padding(program: str, said: str) -> None:
    program = program.replace("; vj = ", "\n            vj = ")
    with pytest.raises(ScheduleError, match="TS4151") as caught:
        schedule(program, LOOPS, "sch.decompose_padding(b, i)")
    assert said in caught.value.text
    sch = schedule(program, LOOPS)
    assert sch.can_decompose_padding("B", sch.get_loops("B")[0]) is False
    assert not sch.can.decompose_padding("B", sch.get_loops("B")[0])


@pytest.mark.oracle
@pytest.mark.parametrize(("program", "said"), NO_PADDING)
def test_tvm_refuses_them_too(program: str, said: str, oracle: Any) -> None:
    program = program.replace("; vj = ", "\n            vj = ")
    both(oracle, program, script_of(LOOPS, "sch.decompose_padding(b, i)")).check()


def test_other_errors_of_decompose_padding() -> None:
    with pytest.raises(ScheduleError, match="TS4104"):
        schedule(padding(), LOOPS, 'sch.decompose_padding("root", i)')
    beside = "    for k in range(3):\n        with T.block('C'):\n            A[0, 0] = T.float32(0)\n"
    with pytest.raises(ScheduleError, match="TS4124"):
        schedule(padding() + beside, LOOPS, 'sch.decompose_padding(b, sch.get_loops("C")[0])')
    with pytest.raises(ScheduleError, match="TS4106"):
        schedule(padding(value="B[vi, vj]"), LOOPS, "sch.decompose_padding(b, i)")


def test_blocks_beside_a_padding_stay() -> None:
    # TVM 0.17 loses block C
    program = """
@T.prim_func
def main(A: T.Buffer((8, 16), "float32"), B: T.Buffer((10, 20), "float32"), C: T.Buffer((10,), "float32")):
    for i in range(10):
        for j in range(20):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.if_then_else(1 <= vi and vi < 9 and 2 <= vj and vj < 18, A[vi - 1, vj - 2], T.float32(0))
        with T.block("C"):
            vi = T.axis.spatial(10, i)
            C[vi] = B[vi, 3]
"""
    sch = schedule(program, LOOPS, "sch.decompose_padding(b, i)")
    same_values(tvmscript.from_source(program), sch.mod)


# pad_einsum

MATMUL = """
@T.prim_func
def main(A: T.Buffer((7, 8), "float32"), B: T.Buffer((8, 9), "float32"), C: T.Buffer((7, 9), "float32")):
    A1 = T.alloc_buffer((7, 8))
    C1 = T.alloc_buffer((7, 9))
    for i, j in T.grid(7, 8):
        with T.block("A1"):
            vi, vj = T.axis.remap("SS", [i, j])
            A1[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j, k in T.grid(7, 9, 8):
        with T.block("C1"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.block_attr({"note": 1})
            with T.init():
                C1[vi, vj] = T.float32(0)
            C1[vi, vj] = C1[vi, vj] + A1[vi, vk] * B[vk, vj]
    for i, j in T.grid(7, 9):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = C1[vi, vj]
"""
SYMBOLIC = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 10), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i, j in T.grid(n, 10):
        with T.block("B"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vi, vj]
"""
NEST = """
@T.prim_func
def main(A: T.Buffer((7, 8), "float32"), B: T.Buffer((7, 8), "float32"), C: T.Buffer((7, 8), "float32")):
    for i in range(7):
        for j in range(8):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + T.float32(1)
        for j in range(8):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + A[vi, vj]
"""
HALF = """
@T.prim_func
def main(A: T.Buffer((7, 8), "float16"), B: T.Buffer((8, 9), "float16"), C: T.Buffer((7, 9), "float32")):
    for i, j, k in T.grid(7, 9, 8):
        with T.block("C1"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[vk, vj])
"""
MAX = MATMUL.replace("C1[vi, vj] + A1[vi, vk] * B[vk, vj]", "T.max(C1[vi, vj], A1[vi, vk])")
NEST_OF_C1 = "i, j, k = sch.get_loops('C1')"
PADDED = [
    *((MATMUL, f"sch.pad_einsum('C1', {sizes})") for sizes in ([4, 4, 4], [4, 1, 1], [1, 1, 4], [1, 1, 3], [5, 6, 7])),
    (MATMUL, "sch.pad_einsum('A1', [10, 3])"),
    (MATMUL, "sch.pad_einsum('C', [10, 4])"),
    (MATMUL, "sch.pad_einsum('C1', [4, 4, 4]); sch.pad_einsum('A1', [10, 3])"),
    (
        MATMUL,
        f"{NEST_OF_C1}; sch.reorder(k, j); sch.vectorize(j); sch.annotate(k, 'x', 1); sch.pad_einsum('C1', [4, 2, 3])",
    ),
    (MATMUL, "i, j, k = sch.get_loops('C1'); sch.split(i, [None, 4]); sch.pad_einsum('C1', [4, 4, 3])"),
    (MATMUL, "i, j, k = sch.get_loops('C1'); sch.fuse(i, j); sch.pad_einsum('C1', [1, 2, 3])"),
    (MATMUL.replace("* B[vk, vj]", "* B[0, vj]"), "sch.pad_einsum('C1', [1, 1, 3])"),
    (MATMUL.replace("* B[vk, vj]", "* B[0, vj]"), "sch.pad_einsum('C1', [2, 5, 1])"),
    (MATMUL.replace("* B[vk, vj]", "* A1[vi, vk]"), "sch.pad_einsum('C1', [2, 5, 3])"),
    (HALF, "sch.pad_einsum('C1', [16, 16, 16])"),
    (MAX, "sch.pad_einsum('C1', [3, 4, 2])"),
    (SYMBOLIC, "sch.pad_einsum('B', [3, 4])"),
    (SYMBOLIC, "sch.pad_einsum('B', [1, 4])"),
    (NEST, "sch.pad_einsum('B', [1, 3]); sch.get_loops('C')"),
]


@pytest.mark.oracle
@pytest.mark.parametrize(("program", "step"), PADDED)
def test_tvm_pads_the_same(program: str, step: str, oracle: Any) -> None:
    check(oracle, program, step)


ERRORS = [
    (
        MATMUL,
        "sch.pad_einsum('C1', [1, 1])",
        "InvalidPaddingError",
        "TS4153",
        "padding [1, 1] is invalid for block C1 with 3 axes",
    ),
    (MATMUL, "sch.pad_einsum('C1', [1, 0, 1])", "InvalidPaddingError", "TS4153", "[1, 0, 1]"),
    (MATMUL, "sch.pad_einsum('root', [])", "RootBlockError", "TS4104", "root block"),
    (
        MATMUL,
        "sch.decompose_reduction('C1', sch.get_loops('C1')[2]); sch.pad_einsum('C1_update', [2, 2, 3])",
        "NonEinsumError",
        "TS4152",
        "C1 is accessed at several elements",
    ),
    (
        MATMUL.replace("* B[vk, vj]", "* A1[vj, vk]").replace("9", "7"),
        "sch.pad_einsum('C1', [1, 1, 3])",
        "NonEinsumError",
        "TS4152",
        "A1 is indexed by more than axes and constants",
    ),
]
#: TVM goes on, and what it makes computes something else, or it finds that its own facts are wrong.
REFUSED = [
    (MAX, "sch.pad_einsum('C1', [1, 1, 3])", "it does not sum products of values loaded at reduction axis vk"),
    (NEST, "sch.pad_einsum('B', [4, 3])", "loop i would be padded, but contains other blocks"),
    (NEST, "sch.pad_einsum('C', [1, 3])", "block B in the same loops writes a padded buffer"),
    (
        MATMUL.replace("(8, 9)", "(12, 9)"),
        "sch.pad_einsum('C1', [1, 1, 3])",
        "axis vk does not cover its dimension of B",
    ),
    (
        SYMBOLIC.replace('remap("SR", [i, j])', 'remap("SR", [i, j])\n            T.where(j < 5)'),
        "sch.pad_einsum('B', [2, 3])",
        "its loops do not cover the domains of its axes",
    ),
]


@pytest.mark.parametrize(("program", "step", "name", "code", "said"), ERRORS)
def test_errors_of_pad_einsum(program: str, step: str, name: str, code: str, said: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        schedule(program, step)
    assert (type(caught.value).__name__, caught.value.code) == (name, code)
    assert said in caught.value.text


@pytest.mark.oracle
@pytest.mark.parametrize(("program", "step", "name", "code", "said"), ERRORS)
def test_tvm_has_the_same_errors(program: str, step: str, name: str, code: str, said: str, oracle: Any) -> None:
    both(oracle, program, script_of(step)).check()


# of which TVM pads none

WINDOW = """
@T.prim_func
def main(X: T.Buffer((2, 3, 13), "float32"), W: T.Buffer((5, 3, 4), "float32"), Y: T.Buffer((2, 5, 5), "float32")):
    for n, c, w, i, x in T.grid(2, 5, 5, 3, 4):
        with T.block("Y"):
            vn, vc, vw, vi, vx = T.axis.remap("SSSRR", [n, c, w, i, x])
            with T.init():
                Y[vn, vc, vw] = T.float32(0)
            Y[vn, vc, vw] = Y[vn, vc, vw] + X[vn, vi, vw * 2 + vx + 1] * W[vc, vi, vx]
"""


@pytest.mark.parametrize(
    ("sizes", "shape"),
    [([1, 4, 1, 1, 1], None), ([1, 1, 4, 1, 1], "(2, 3, 19)"), ([3, 4, 3, 2, 1], "(3, 4, 15)")],
)
def test_windows_are_padded_as_far_as_they_reach(sizes: list[int], shape: str | None) -> None:
    sch = schedule(WINDOW, f"sch.pad_einsum('Y', {sizes})")
    assert ("X_pad" in sch.mod.script()) == (shape is not None)
    assert shape is None or f"X_pad = T.alloc_buffer({shape})" in sch.mod.script()
    same_values(tvmscript.from_source(WINDOW), sch.mod)


@pytest.mark.parametrize(
    ("sizes", "index"),
    [
        ([1, 1, 1, 1, 3], "vw * 2 + vx + 1"),
        ([1, 1, 4, 1, 1], "10 - vw"),
        ([1, 1, 4, 1, 1], "vw // 2 + vx"),
        ([1, 1, 4, 1, 1], "T.max(vw, vx)"),
    ],
)
def test_other_windows_are_not_padded(sizes: list[int], index: str) -> None:
    with pytest.raises(ScheduleError, match="X is indexed by more than axes and constants"):
        schedule(WINDOW.replace("vw * 2 + vx + 1", index), f"sch.pad_einsum('Y', {sizes})")


@pytest.mark.parametrize(("program", "step", "said"), REFUSED)
def test_what_would_compute_something_else_is_refused(program: str, step: str, said: str) -> None:
    with pytest.raises(ScheduleError, match="TS4152") as caught:
        schedule(program, step)
    assert said in caught.value.text


STORES = """@T.prim_func
def main(A: T.Buffer((14, 10)), C: T.Buffer((14, 10))):
    B = T.alloc_buffer((14, 10))
    for i in {rows}:
        for j in {columns}:
            with T.block("B"):
                vi = T.axis.spatial(14, {row})
                vj = T.axis.spatial(10, {column})
                B[vi, vj] = A[vi, vj] + 1.0
    for i, j in T.grid(14, 10):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj]
"""


@pytest.mark.parametrize(
    ("rows", "columns", "row", "column", "is_filled_there"),
    [
        ("range(14)", "range(10)", "i", "j", True),
        ("range(14)", "range(6)", "i", "j", False),
        ("range(12)", "range(10)", "i", "j", False),
        ("range(14)", "range(8)", "i", "j + 2", False),
        ("range(14)", "range(2, 10)", "i", "j", False),
        ("T.parallel(14)", "range(10)", "i", "j", False),
        ("range(14)", "T.parallel(10)", "i", "j", False),
        ("range(14)", "range(10)", "13 - i", "j", False),
        ("range(14)", "range(10)", "i", "9 - j", False),
    ],
)
def test_stores_of_all_elements_in_order_fill_the_padding(
    rows: str, columns: str, row: str, column: str, is_filled_there: bool
) -> None:
    """Others get a block of their own behind them, which fills it."""
    text = STORES.format(rows=rows, columns=columns, row=row, column=column)
    sch = Schedule(tvmscript.from_source(text))
    sch.transform_layout("B", ("write", 0), lambda i, j: (i // 4, j // 4, i % 4, j % 4), pad_value=0.0)
    made = sch.mod["main"].script()
    assert ("buffer_B_padding" not in made) == is_filled_there


@pytest.mark.parametrize("axes", ["ijk", "ikj", "jik", "kji", "jki"])
@pytest.mark.parametrize("place", ["vi, vj, vk", "vi, vk, vj"])
def test_padding_of_axes_in_any_order(place: str, axes: str) -> None:
    declared = "\n            ".join([f"v{axis} = T.axis.spatial(5, {axis})" for axis in axes])
    program = tvmscript.from_source(f"""
@T.prim_func
def main(A: T.Buffer((5, 5, 5)), C: T.Buffer((5, 5, 5))):
    B = T.alloc_buffer((5, 5, 5))
    for i, j, k in T.grid(5, 5, 5):
        with T.block("B"):
            {declared}
            B[{place}] = A[vi, vj, vk] + T.float32(1)
    for i, j, k in T.grid(5, 5, 5):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            C[vi, vj, vk] = B[vi, vj, vk]
""")
    sch = Schedule(program)
    sch.transform_layout(
        "B", ("write", 0), lambda i, j, k: (i // 4, j // 2, k // 4, i % 4, j % 2, k % 4), pad_value=0.0
    )
    same_values(program, sch.mod)
