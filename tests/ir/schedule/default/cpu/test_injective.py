"""Default schedules of elementwise blocks, broadcasts, transposes and other copies."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tests.ir.schedule.default.cpu.programs import check, nest, program
from tvmscript import te, tir, topi
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.default.cpu import injective
from tvmscript.ir.tir import For, IntImm, PrimFunc


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops of few iterations are split, too."""
    monkeypatch.setattr(injective, "_PART", 64)


@st.composite
def kernels(draw: st.DrawFn) -> PrimFunc:
    """Draw a kernel of an input with permuted dimensions and one with some of the dimensions."""
    rank = draw(st.integers(1, 4))
    sizes = draw(st.lists(st.integers(1, 40 if rank < 3 else 9), min_size=rank, max_size=rank))
    order = draw(st.permutations(range(rank)))
    kept = sorted(draw(st.sets(st.sampled_from(range(rank)), min_size=1)))
    dtype = draw(st.sampled_from(("float32", "float64", "int8", "float16")))
    value = draw(st.sampled_from(("{a}", "{a} + {b}", "T.max({a}, {b}) * {a}")))
    a = f"A[{', '.join(f'v{axis}' for axis in order)}]"
    b = f"B[{', '.join(f'v{axis}' for axis in kept)}]"
    shapes = [sizes[axis] for axis in order], [sizes[axis] for axis in kept], sizes
    params = "; ".join(
        f"{name}: ({', '.join(map(str, shape))},), '{dtype}'" for name, shape in zip("ABC", shapes, strict=True)
    )
    out = ", ".join(f"v{axis}" for axis in range(rank))
    return program(params, nest("C", sizes, "S" * rank, f"C[{out}] = {value.format(a=a, b=b)}"))


@settings(max_examples=40, deadline=None)
@given(kernels())
def test_values(kernel: PrimFunc) -> None:
    check(kernel)


@pytest.mark.parametrize("sizes", [(1, 1), (7, 9), (16, 64), (33, 130)])
@pytest.mark.parametrize("load", ["A[v0, v1]", "A[v0, v1] + B[v0, v1]"])
def test_sizes_known_at_run_time(load: str, sizes: tuple[int, int]) -> None:
    body = nest("C", ("n", "m"), "SS", f"C[v0, v1] = {load}")
    kernel = program("A: (n, m), 'float32'; B: (n, m), 'float32'; C: (n, m), 'float32'", body)
    check(kernel, n=sizes[0], m=sizes[1])


@pytest.mark.parametrize("sizes", [(1, 1), (7, 9), (16, 64), (33, 130)])
def test_transposes_of_sizes_known_at_run_time(sizes: tuple[int, int]) -> None:
    kernel = program("A: (m, n), 'float32'; C: (n, m), 'float32'", nest("C", ("n", "m"), "SS", "C[v0, v1] = A[v1, v0]"))
    schedule = check(kernel, n=sizes[0], m=sizes[1])
    assert "T.vectorized(" in schedule.mod.script()


@pytest.mark.parametrize(
    ("sizes", "parallel"),
    [((8, 8), 0), ((3, 40), 0), ((4000,), 1), ((4, 500), 1), ((200, 3), 1), ((1, 40, 30), 1), ((40, 1, 30), 1)],
)
def test_large_loops_are_parallel(sizes: tuple[int, ...], parallel: int) -> None:
    axes = ", ".join(f"v{place}" for place in range(len(sizes)))
    shape = ", ".join(map(str, sizes))
    body = nest("C", sizes, "S" * len(sizes), f"C[{axes}] = A[{axes}] * T.float32(2)")
    schedule = check(program(f"A: ({shape},), 'float32'; C: ({shape},), 'float32'", body))
    script = schedule.mod.script()
    assert script.count("T.parallel") == parallel
    assert "T.parallel(1)" not in script


@pytest.mark.parametrize(
    ("size", "about", "part"),
    [(300, 65, 60), (301, 65, 43), (307, 65, 65), (98, 50, 49), (1 << 20, 65, 65), (90, 4, 3)],
)
def test_parts_are_equal_where_a_divisor_is_near(size: int, about: int, part: int) -> None:
    assert injective.size_of_part(size, about) == part  # 1 << 20 stands for a size that is known at run time


def test_tiles_of_fused_dimensions() -> None:
    """The spatial dimensions of an image are contiguous in both layouts."""
    kernel = program(
        "A: (2, 7, 9, 24), 'float32'; C: (2, 24, 7, 9), 'float32'",
        nest("C", (2, 24, 7, 9), "SSSS", "C[v0, v1, v2, v3] = A[v0, v2, v3, v1]"),
    )
    script = check(kernel).mod.script()
    assert "T.unroll(16)" in script
    assert "_fused_1 in T.vectorized(8)" in script


@pytest.mark.parametrize(
    ("shape", "columns"), [((4, 4, 50), "i0_i1"), ((2, 2, 2, 50), "i0_i1_i2"), ((8, 2, 50), "i0_i1")]
)
def test_tiles_of_small_dimensions(shape: tuple[int, ...], columns: str) -> None:
    """Dimensions that divide the columns of a tile are fused to them; where they are one tile, threads share rows."""
    axes = [f"v{axis}" for axis in range(len(shape))]
    body = nest("C", shape, "S" * len(shape), f"C[{', '.join(axes)}] = A[{', '.join([axes[-1], *axes[:-1]])}]")
    kernel = program(f"A: {(shape[-1], *shape[:-1])}, 'float16'; C: {shape}, 'float16'", body)
    script = check(kernel).mod.script()
    assert f"{columns}_fused_1 in T.unroll(16)" in script
    assert f"i{len(shape) - 1}_0 in T.parallel(4" in script


@pytest.mark.parametrize("inner", [3, 6, 12, 18, 24, 40, 54])
def test_quotients_of_fused_dimensions_cancel(inner: int) -> None:
    """Whatever factors a dimension shares with the columns of a tile."""
    kernel = program(
        f"A: (22, 50, {inner}), 'float32'; C: (50, {inner}, 22), 'float32'",
        nest("C", (50, inner, 22), "SSS", "C[v0, v1, v2] = A[v2, v0, v1]"),
    )
    schedule = check(kernel)
    assert "_fused_1 in T.unroll(16)" in schedule.mod.script()
    lowered = tvmscript.lower(schedule.mod, "llvm").script()
    assert "//" not in lowered
    assert "%" not in lowered


@pytest.mark.parametrize(("rows", "columns", "channels"), [(14, 14, 24), (5, 9, 17), (32, 32, 8), (3, 64, 33)])
def test_tiles_of_flattened_images(rows: int, columns: int, channels: int) -> None:
    """Rows of pixels are transposed where one of the layouts has them flattened."""
    image, flat = f"({channels}, {rows}, {columns})", f"({rows * columns}, {channels})"
    flatten = nest("C", (rows * columns, channels), "SS", f"C[v0, v1] = A[v1, v0 // {columns}, v0 % {columns}]")
    restore = nest("C", (channels, rows, columns), "SSS", f"C[v0, v1, v2] = A[v1 * {columns} + v2, v0] + B[v0, v1, v2]")
    for kernel in (
        program(f"A: {image}, 'float32'; C: {flat}, 'float32'", flatten),
        program(f"A: {flat}, 'float32'; B: {image}, 'float32'; C: {image}, 'float32'", restore),
    ):
        assert "T.vectorized(8)" in check(kernel).mod.script()


def test_short_periods_are_no_tiles() -> None:
    body = nest("C", (49, 16), "SS", "C[v0, v1] = A[v1, v0 // 7, v0 % 7]")
    assert "T.vectorized" not in check(program("A: (16, 7, 7), 'float32'; C: (49, 16), 'float32'", body)).mod.script()


@pytest.mark.parametrize(("shape", "reps"), [((3, 16), (2, 5)), ((70, 32), (1, 40)), ((3, 20), (1, 2)), ((64,), (9,))])
def test_tiles_have_loops_without_remainders(shape: tuple[int, ...], reps: tuple[int, ...]) -> None:
    x = te.placeholder(shape, name="x")
    schedule = check(te.create_prim_func([x, topi.tile(x, reps)], index_dtype_override="int64"))
    loops = [node.extent for node in nodes(schedule.mod["main"]) if isinstance(node, For)]
    assert len(shape) == 1 or any(isinstance(extent, IntImm) and extent.value == shape[-1] for extent in loops)


@pytest.mark.parametrize("sizes", [(5, 40), (100, 100, 100), (1, 31, 64, 7)])
def test_concatenations_have_loops_without_choices(sizes: tuple[int, ...]) -> None:
    parts = [te.placeholder((70, size), name=f"x{place}") for place, size in enumerate(sizes)]
    func = te.create_prim_func([*parts, topi.concatenate(parts, 1)], index_dtype_override="int64")
    schedule = check(func)
    lowered = tvmscript.lower(schedule.mod, "llvm").script()
    assert "if_then_else" in schedule.mod.script()
    assert "if_then_else" not in lowered
    assert "Select" not in lowered


@pytest.mark.parametrize(
    ("shapes", "axis"),
    [
        (((31, 1, 1), (59, 1, 1)), 0),
        (((5, 5), (9, 5)), 0),
        (((4, 7, 3), (4, 2, 3)), 1),
        (((500,), (200,)), 0),
        (((14074, 4), (3303, 4)), 0),
        (((1500, 63), (700, 63)), 0),
    ],
)
def test_concatenations_along_other_loops(shapes: tuple[tuple[int, ...], ...], axis: int) -> None:
    """Choices along a loop around few others, or one that threads could share."""
    parts = [te.placeholder(shape, name=f"x{place}") for place, shape in enumerate(shapes)]
    schedule = check(te.create_prim_func([*parts, topi.concatenate(parts, axis)], index_dtype_override="int64"))
    lowered = tvmscript.lower(schedule.mod, "llvm").script()
    assert "if_then_else" in schedule.mod.script()
    assert "if_then_else" not in lowered


@pytest.mark.parametrize(("columns", "is_parallel"), [(63, False), (64, True)])
def test_threads_share_rows_that_are_long(columns: int, is_parallel: bool) -> None:
    parts = [te.placeholder((rows, columns), name=f"x{rows}") for rows in (1500, 700)]
    schedule = check(te.create_prim_func([*parts, topi.concatenate(parts, 0)], index_dtype_override="int64"))
    assert ("T.parallel" in schedule.mod.script()) is is_parallel


def test_costly_choices_are_parallel() -> None:
    x = te.placeholder((500,), name="x")
    y = te.compute((500,), lambda i: tir.if_then_else(i < 70, te.exp(x[i]), te.tanh(x[i])))
    assert "T.parallel" in check(te.create_prim_func([x, y])).mod.script()
