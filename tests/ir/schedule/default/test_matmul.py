"""Default schedule of matrix products: values of all shapes and layouts, and what is left alone."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript import dlight
from tvmscript.backends import llvm
from tvmscript.ir.core.targets.machine_model import MachineModel, machine_model
from tvmscript.ir.schedule.default.cpu.matmul import schedule_matmul
from tvmscript.ir.schedule.default.cpu.matmul_plan import Kind, choose_plan
from tvmscript.ir.schedule.default.cpu.matrix_product import match_matrix_product
from tvmscript.ir.schedule.default.unscheduled import is_unscheduled
from tvmscript.ir.tir import BlockRealize, IntImm, PrimFunc

#: the same on every Python
pytestmark = pytest.mark.long

AVX512, AVX2, NEON = MachineModel(64, 32, True), MachineModel(32, 16, True), MachineModel(16, 32, False)


def product_text(
    rows: int, columns: int, terms: int, *, dtype: str = "float32", batch: tuple[int, ...] = (), layout: str = "nn"
) -> str:
    """Return a matrix product; a `t` of the layout transposes A or B."""
    sizes = "".join(f"{size}, " for size in batch)
    axes = "".join(f"v{place}, " for place in range(len(batch)))
    loops = "".join(f"l{place}, " for place in range(len(batch)))
    a_shape, a = ((terms, rows), "vk, vi") if layout[0] == "t" else ((rows, terms), "vi, vk")
    b_shape, b = ((columns, terms), "vj, vk") if layout[1] == "t" else ((terms, columns), "vk, vj")
    return f"""
@T.prim_func
def main(
    A: T.Buffer(({sizes}{a_shape[0]}, {a_shape[1]}), "{dtype}"),
    B: T.Buffer(({sizes}{b_shape[0]}, {b_shape[1]}), "{dtype}"),
    C: T.Buffer(({sizes}{rows}, {columns}), "{dtype}"),
):
    for {loops}i, j, k in T.grid({sizes}{rows}, {columns}, {terms}):
        with T.block("C"):
            {axes}vi, vj, vk = T.axis.remap("{"S" * len(batch)}SSR", [{loops}i, j, k])
            with T.init():
                C[{axes}vi, vj] = T.{dtype}(0)
            C[{axes}vi, vj] = C[{axes}vi, vj] + A[{axes}{a}] * B[{axes}{b}]
"""


def arguments(program: PrimFunc, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    buffers = program.buffer_map.values()
    shapes = [[extent.value for extent in buffer.shape if isinstance(extent, IntImm)] for buffer in buffers]
    return [rng.random(shape).astype(str(buffer.dtype)) for shape, buffer in zip(shapes, buffers, strict=True)]


def block_of(program: PrimFunc) -> Any:
    assert isinstance(program.body, BlockRealize)
    stmt: Any = program.body.block.body
    while not isinstance(stmt, BlockRealize):
        stmt = stmt.body
    return stmt.block


@st.composite
def products(draw: st.DrawFn) -> str:
    sizes = [draw(st.integers(1, 40)) if draw(st.booleans()) else draw(st.integers(1, 150)) for _ in range(3)]
    batch = tuple(draw(st.lists(st.integers(1, 3), max_size=2)))
    layout = draw(st.sampled_from(("nn", "nt", "tn", "tt")))
    dtype = draw(st.sampled_from(("float32", "float64")))
    return product_text(*sizes, dtype=dtype, batch=batch, layout=layout)


@settings(max_examples=60)
@given(products(), st.sampled_from((1, 2)))
def test_values(text: str, threads: int) -> None:
    """The terms of an element keep their order: without contraction the bits are those of the plain loops."""
    program = tvmscript.from_source(text)
    before = tvmscript.threads(threads)
    outputs: list[Any] = []
    for default_schedule in (False, True):
        values = arguments(program)
        built = tvmscript.build(program, target=llvm.EXACT, default_schedule=default_schedule)
        built["main"](*values)
        outputs.append(values[2])
    tvmscript.threads(before)
    np.testing.assert_array_equal(outputs[0], outputs[1])


@pytest.mark.parametrize(
    ("sizes", "layout", "batch"),
    [
        ((208, 4, 264), "nn", (3,)),
        ((90, 600, 40), "tn", (2,)),
        ((300, 20, 70), "nt", (2, 2)),
        ((33, 9, 100), "tt", (5,)),
    ],
)
def test_batches_with_copies(sizes: tuple[int, int, int], layout: str, batch: tuple[int, ...]) -> None:
    """Each matrix of a batch is packed on its own."""
    program = tvmscript.from_source(product_text(*sizes, layout=layout, batch=batch))
    with tvmscript.target.Target("llvm -mcpu=skylake-avx512"):
        script = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(tvmscript.IRModule({"main": program})).script()
    assert "T.parallel" in script
    assert 'scope="local"' in script
    values, plain = arguments(program), arguments(program)
    tvmscript.build(program, target=llvm.EXACT)["main"](*values)
    tvmscript.build(program, target=llvm.EXACT, default_schedule=False)["main"](*plain)
    np.testing.assert_array_equal(values[2], plain[2])


@settings(max_examples=30)
@given(
    st.tuples(*[st.integers(1, 40) | st.integers(1, 150)] * 3),
    st.sampled_from(("nn", "nt", "tn", "tt")),
    st.sampled_from(("int16", "int32", "uint32", "int64", "uint64")),
    st.sampled_from(((), (2,))),
)
def test_products_of_integers_wrap(
    sizes: tuple[int, int, int], layout: str, dtype: str, batch: tuple[int, ...]
) -> None:
    """They are computed in tiles as those of floats are, modulo a power of two."""
    program = tvmscript.from_source(product_text(*sizes, dtype=dtype, batch=batch, layout=layout))
    a, b, c = arguments(program)
    rng, limits = np.random.default_rng(sizes[2]), np.iinfo(dtype)
    a, b = (rng.integers(limits.min, limits.max, each.shape, dtype, endpoint=True) for each in (a, b))
    tvmscript.build(program)["main"](a, b, c)
    left, right = (
        np.swapaxes(each, -1, -2) if mark == "t" else each for each, mark in zip((a, b), layout, strict=True)
    )
    np.testing.assert_array_equal(c, left @ right)


def test_products_of_integers_have_tiles(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "tvmscript.default_schedule")
    for dtype in ("int32", "uint64"):
        caplog.clear()
        tvmscript.build(tvmscript.from_source(product_text(64, 96, 48, dtype=dtype)))
        assert any("schedule_matmul: 64x96x48: tiles" in record.getMessage() for record in caplog.records)


@settings(max_examples=25)
@given(
    st.tuples(st.integers(12, 40), st.integers(90, 200), st.integers(16, 100)),
    st.sampled_from(("nn", "nt", "tn", "tt")),
    st.sampled_from(("float32", "float64")),
    st.sampled_from(((), (1,), (2,))),
    st.sampled_from((1, 2)),
)
def test_blocks_of_panels_and_terms(
    sizes: tuple[int, int, int], layout: str, dtype: str, batch: tuple[int, ...], threads: int
) -> None:
    """Caches of a few hundred bytes have blocks of small products."""
    program = tvmscript.from_source(product_text(*sizes, dtype=dtype, batch=batch, layout=layout))
    sch = tvmscript.Schedule(program)
    small = replace(machine_model("llvm"), l1_bytes=512, l2_bytes=8 << 10, l3_bytes=64 << 10)
    schedule_matmul(sch, sch.get_block("C"), small)
    a, b, c = arguments(program)
    before = tvmscript.threads(threads)
    tvmscript.build(sch.mod)["main"](a, b, c)
    tvmscript.threads(before)
    left, right = (
        np.swapaxes(each, -1, -2) if mark == "t" else each for each, mark in zip((a, b), layout, strict=True)
    )
    np.testing.assert_allclose(c, left.astype("float64") @ right.astype("float64"), rtol=1e-5)


@pytest.mark.parametrize(
    ("sizes", "is_grouped", "terms"),
    [
        ((64, 16, 1024), False, 0),
        ((1024, 1024, 1024), True, 0),
        ((2048, 2048, 2048), True, 1024),
        ((64, 768, 3072), True, 1024),
        # rows of a tile are read a few times
        ((64, 64, 4096), False, 0),
    ],
)
def test_what_is_blocked(sizes: tuple[int, int, int], is_grouped: bool, terms: int) -> None:
    """Groups of panels are for the second cache; blocks of terms for the first, where sums may be split."""
    product = match_matrix_product(block_of(tvmscript.from_source(product_text(*sizes))))
    assert product is not None
    model = replace(AVX2, l3_bytes=32 << 20)
    plan = choose_plan(product, model, 4)
    assert (plan.panels > 1, plan.terms) == (is_grouped, terms)
    assert plan.panels * plan.vectors * 32 * (terms or sizes[2]) <= (model.l3_bytes // 16 if terms else model.l2_bytes)
    assert choose_plan(product, replace(model, splits_reductions=False), 4).terms == 0
    assert choose_plan(product, model, 4, has_epilogue=True).terms == 0


@pytest.mark.parametrize("symbols", ["m", "n", "k", "mn", "mnk"])
@pytest.mark.parametrize("layout", ["nn", "nt", "tn"])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_symbolic_sizes(symbols: str, layout: str, dtype: str) -> None:
    """One schedule has the values of plain loops at all sizes."""
    sizes = {"m": 37, "n": 45, "k": 29}
    names = {axis: axis if axis in symbols else f"T.{dtype}({size})" for axis, size in sizes.items()}
    a_shape, a = (("k", "m"), "vk, vi") if layout[0] == "t" else (("m", "k"), "vi, vk")
    b_shape, b = (("n", "k"), "vj, vk") if layout[1] == "t" else (("k", "n"), "vk, vj")
    declared = "\n    ".join(f"{axis} = T.{dtype}()" for axis in symbols)
    program = tvmscript.from_source(f"""
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    {declared}
    A = T.match_buffer(a, ({names[a_shape[0]]}, {names[a_shape[1]]}))
    B = T.match_buffer(b, ({names[b_shape[0]]}, {names[b_shape[1]]}))
    C = T.match_buffer(c, ({names["m"]}, {names["n"]}))
    for i, j, k in T.grid({names["m"]}, {names["n"]}, {names["k"]}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[{a}] * B[{b}]
""")
    builds = [
        tvmscript.build(program, target=llvm.EXACT, default_schedule=default_schedule)["main"]
        for default_schedule in (False, True)
    ]
    rng = np.random.default_rng(0)
    # without terms, plain loops leave C as it is, and a sum that is set up in front of its loop is zero
    for size in (1 if "k" in symbols else 0, 2, 7, 16, 33, 64):
        actual = {axis: size if axis in symbols else fixed for axis, fixed in sizes.items()}
        x, y = (rng.random([actual[axis] for axis in shape], "float32") for shape in (a_shape, b_shape))
        outputs = [np.ones((actual["m"], actual["n"]), "float32") for _ in builds]
        for function, output in zip(builds, outputs, strict=True):
            function(x, y, output)
        np.testing.assert_array_equal(outputs[0], outputs[1])
    with tvmscript.target.Target("llvm -mcpu=skylake-avx512"):
        scheduled = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(tvmscript.IRModule({"main": program}))
    assert 'scope="local"' in scheduled.script()


EPILOGUES = {
    "bias": "T.max(C[vi, vj] + E[vj], T.float32(0))",
    "residual": "C[vi, vj] * T.float32(2) + R[vi, vj]",
    "gelu": "(C[vi, vj] + E[vj]) * (T.float32(1) + T.erf((C[vi, vj] + E[vj]) * T.float32(0.7)))",
    "cast": 'T.Cast("float32", T.Cast("float16", C[vi, vj] + E[vj] * R[vi, vj]))',
}


def fused_text(rows: int, columns: int, terms: int, epilogue: str, *, has_prologue: bool) -> str:
    """Return a product between a block that computes B and one that consumes C."""
    b_argument = f'Q: T.Buffer(({terms}, {columns}), "int8")'
    prologue = f"""
    B = T.alloc_buffer(({terms}, {columns}))
    for k, j in T.grid({terms}, {columns}):
        with T.block("B"):
            vk, vj = T.axis.remap("SS", [k, j])
            B[vk, vj] = T.Cast("float32", Q[vk, vj]) * E[vj]
"""
    return f"""
@T.prim_func
def main(
    A: T.Buffer(({rows}, {terms})),
    {b_argument if has_prologue else f"B: T.Buffer(({terms}, {columns}))"},
    E: T.Buffer(({columns},)),
    R: T.Buffer(({rows}, {columns})),
    D: T.Buffer(({rows}, {columns})),
):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    C = T.alloc_buffer(({rows}, {columns}))
{prologue if has_prologue else ""}
    for i, j, k in T.grid({rows}, {columns}, {terms}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
    for i, j in T.grid({rows}, {columns}):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = {EPILOGUES[epilogue]}
"""


@pytest.mark.parametrize("epilogue", EPILOGUES)
@settings(max_examples=8)
@given(st.tuples(st.integers(1, 40), st.integers(1, 90), st.integers(1, 40)), st.booleans())
def test_producers_and_consumers(epilogue: str, sizes: tuple[int, int, int], has_prologue: bool) -> None:
    """The block that consumes C is computed in its tiles, the one that computes B in its panels or where it is read."""
    program = tvmscript.from_source(fused_text(*sizes, epilogue, has_prologue=has_prologue))
    outputs: list[Any] = []
    for default_schedule in (False, True):
        values = arguments(program)
        tvmscript.build(program, target=llvm.EXACT, default_schedule=default_schedule)["main"](*values)
        outputs.append(values[-1])
    np.testing.assert_array_equal(outputs[0], outputs[1])
    with tvmscript.target.Target("llvm -mcpu=skylake-avx512"):
        script = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(tvmscript.IRModule({"main": program})).script()
    # one term is no reduction
    assert ('scope="local"' in script) == (sizes[2] > 1)
    assert f"C = T.alloc_buffer(({sizes[0]}, {sizes[1]}))" not in script


@pytest.mark.parametrize("target", ["llvm -mcpu=x86-64-v2", "llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64-v4"])
def test_other_vectors(target: str) -> None:
    program = tvmscript.from_source(product_text(37, 45, 29))
    with tvmscript.target.Target(target):
        scheduled = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(tvmscript.IRModule({"main": program}))
    assert "is_scheduled" in scheduled.script()
    a, b, c = arguments(program)
    tvmscript.build(scheduled, target="interp")["main"](a, b, c)
    np.testing.assert_allclose(c, a.astype("float64") @ b, rtol=1e-5)


@pytest.mark.parametrize("model", [AVX512, AVX2, NEON])
@pytest.mark.parametrize("layout", ["nn", "nt", "tn", "tt"])
def test_tiles_fit_into_the_registers(model: MachineModel, layout: str) -> None:
    for sizes in ((64, 64, 64), (1000, 17, 30), (3, 500, 500), (127, 127, 127), (417, 8, 90), (1, 300, 300)):
        product = match_matrix_product(block_of(tvmscript.from_source(product_text(*sizes, layout=layout))))
        assert product is not None
        plan = choose_plan(product, model, 4)
        loads = min(plan.rows, plan.vectors) if plan.kind is Kind.DOTS else plan.vectors
        assert plan.rows * plan.vectors + loads + 1 <= model.vector_registers


@pytest.mark.parametrize(
    ("sizes", "layout", "model", "kind", "is_swapped", "least"),
    [
        # enough sums to keep the multipliers busy
        ((512, 512, 512), "nn", AVX512, Kind.TILES, False, 16),
        ((512, 512, 512), "nn", AVX2, Kind.TILES, False, 8),
        ((512, 512, 512), "nn", NEON, Kind.TILES, False, 16),
        # rows of A and B are contiguous: vectors of partial sums
        ((3, 40, 900), "nt", AVX512, Kind.DOTS, False, 8),
        ((1, 500, 500), "nt", AVX2, Kind.DOTS, False, 4),
        # a few columns stay in the first cache while rows of A pass
        ((1024, 8, 1024), "nn", AVX512, Kind.DOTS, False, 16),
        # columns of A are contiguous: vectors of rows
        ((417, 8, 90), "tn", AVX512, Kind.TILES, True, 8),
    ],
)
def test_plans(
    sizes: tuple[int, int, int], layout: str, model: MachineModel, kind: Kind, is_swapped: bool, least: int
) -> None:
    product = match_matrix_product(block_of(tvmscript.from_source(product_text(*sizes, layout=layout))))
    assert product is not None
    plan = choose_plan(product, model, 4)
    assert (plan.kind, plan.is_swapped) == (kind, is_swapped)
    assert plan.rows * plan.vectors >= least


def test_rows_leave_a_way_of_the_first_cache() -> None:
    """Eight rows of 4 KB would take all lines of a set."""
    for terms, takes_eight in ((1024, False), (1000, True)):
        product = match_matrix_product(block_of(tvmscript.from_source(product_text(1024, 8, terms))))
        assert product is not None
        assert (choose_plan(product, AVX2, 4).rows >= 8) is takes_eight


@pytest.mark.parametrize(("cpu", "has_masks"), [("x86-64-v3", False), ("x86-64-v4", True)])
def test_edges_are_stored_without_masks(cpu: str, has_masks: bool) -> None:
    """Where masks are no operands of instructions: their last columns have code of their own."""
    built = tvmscript.build(tvmscript.from_source(product_text(7, 47, 21)), target=f"llvm -mcpu={cpu}")
    assert ("call void @llvm.masked.store" in built.get_source("input")) is has_masks


@pytest.mark.parametrize("size", [256, 512, 1000])
def test_tiles_without_operands_for_broadcasts(size: int) -> None:
    """Where a broadcast is an instruction of its own, rows of a tile have several vectors."""
    product = match_matrix_product(block_of(tvmscript.from_source(product_text(size, size, size))))
    assert product is not None
    plan = choose_plan(product, AVX2, 4)
    assert plan.vectors >= 2
    assert plan.rows * plan.vectors >= 10


@pytest.mark.parametrize(
    ("sizes", "layout", "packed"),
    [
        ((2048, 2048, 2048), "nn", "B"),
        ((1024, 1024, 1024), "tn", "A and B"),
        ((512, 512, 512), "nt", "B"),
        ((48, 48, 48), "nn", "none"),
        ((2, 1000, 1000), "nn", "none"),
    ],
)
def test_what_is_packed(sizes: tuple[int, int, int], layout: str, packed: str) -> None:
    """Rows that share sets of the caches, and what many tiles read, are copied."""
    product = match_matrix_product(block_of(tvmscript.from_source(product_text(*sizes, layout=layout))))
    assert product is not None
    model = MachineModel(64, 32, True, l1_bytes=48 << 10, l2_bytes=2 << 20)
    assert str(choose_plan(product, model, 4)).endswith(f"packed: {packed}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ A[vi, vk] * B[vk, vj]", "+ A[vi, vk] + B[vk, vj]"),
        ("+ A[vi, vk] * B[vk, vj]", "- A[vi, vk] * B[vk, vj]"),
        ("+ A[vi, vk] * B[vk, vj]", "+ A[vi, vk] * A[vk, vj]"),
        ("= T.float32(0)", "= T.float32(1)"),
        ("A[vi, vk] * B", "A[vk, vi] * B"),
        ("B[vk, vj]\n", "B[vk, vi]\n"),
        ("A[vi, vk] *", "A[vi, (vk + 1) % 32] *"),
    ],
)
def test_other_blocks_are_no_products(old: str, new: str) -> None:
    text = product_text(32, 32, 32)
    assert match_matrix_product(block_of(tvmscript.from_source(text))) is not None
    changed = text.replace(old, new)
    assert changed != text
    program = tvmscript.from_source(changed)
    outcome = match_matrix_product(block_of(program))
    # products of transposed A stay products
    assert (outcome is None) == ("A[vk, vi]" not in new)
    values, plain = arguments(program), arguments(program)
    tvmscript.build(program, target=llvm.EXACT)["main"](*values)
    tvmscript.build(program, target=llvm.EXACT, default_schedule=False)["main"](*plain)
    np.testing.assert_array_equal(values[2], plain[2])


def test_scheduled_functions_are_left_alone() -> None:
    program = tvmscript.from_source(product_text(32, 32, 32))
    assert is_unscheduled(program)
    for step in ("split", "parallel", "vectorize", "unroll", "reorder", "fuse", "annotate"):
        sch = tvmscript.Schedule(program)
        i, j, k = sch.get_loops("C")
        match step:
            case "split":
                sch.split(i, [None, 4])
            case "reorder":
                sch.reorder(k, i, j)
            case "fuse":
                sch.fuse(i, j)
            case "annotate":
                sch.annotate(i, "note", 1)
            case _:
                getattr(sch, step)(j)
        scheduled = sch.mod["main"]
        assert isinstance(scheduled, PrimFunc)
        assert not is_unscheduled(scheduled), step
    with tvmscript.target.Target("llvm"):
        apply = dlight.ApplyDefaultSchedule(dlight.cpu.Default())
        module = tvmscript.IRModule({"main": program.with_attr("tir.is_scheduled", True)})
        assert apply(module)["main"] is module["main"]


def test_rules_of_users() -> None:
    @dlight.ScheduleRule.from_callable("Unrolled")
    def rule(func: PrimFunc, target: Any, tunable: bool) -> Any:
        sch = tvmscript.Schedule(func)
        sch.unroll(sch.get_loops("C")[-1])
        return sch

    module = tvmscript.IRModule({"main": tvmscript.from_source(product_text(4, 4, 4))})
    with tvmscript.target.Target("llvm"):
        script = dlight.ApplyDefaultSchedule(rule)(module).script()
    assert "T.unroll(4)" in script
    assert '"tir.is_scheduled": 1' in script


def test_one_line_says_what_was_chosen(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="tvmscript.default_schedule"):
        tvmscript.build(tvmscript.from_source(product_text(64, 64, 64)))
    assert [record.message.split(":")[0] for record in caplog.records] == ["C"]
    assert "64x64x64: tiles, " in caplog.text
