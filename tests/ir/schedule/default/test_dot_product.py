"""Default schedule of products of narrow matrices: values of all shapes and dtypes, the instructions of processors."""

from __future__ import annotations

import logging
import re
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript import dlight
from tvmscript.backends.llvm.codegen.aligned_copies import leave_out_aligned_copies
from tvmscript.backends.llvm.target import Target
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.schedule.default.cpu.dot_product import schedule_dot_product
from tvmscript.ir.schedule.intrinsics.dot import DOTS, dot_instructions
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.pipeline import lower_for_llvm

#: the same on every Python
pytestmark = pytest.mark.long

BYTES = ("int8", "uint8")


def product_text(
    sizes: tuple[int, int, int], dtypes: tuple[str, str, str], batch: tuple[int, ...] = (), layout: str = "nnn"
) -> str:
    """Return a product of matrices that is added up in a third dtype; a `t` of the layout transposes A, B or C."""
    rows, columns, terms = sizes
    left, right, total = dtypes
    outer = "".join(f"{size}, " for size in batch)
    axes = "".join(f"v{place}, " for place in range(len(batch)))
    loops = "".join(f"l{place}, " for place in range(len(batch)))
    a_shape, a = ((terms, rows), "vk, vi") if layout[0] == "t" else ((rows, terms), "vi, vk")
    b_shape, b = ((columns, terms), "vj, vk") if layout[1] == "t" else ((terms, columns), "vk, vj")
    c_shape, c = ((columns, rows), "vj, vi") if layout[2] == "t" else ((rows, columns), "vi, vj")
    return f"""
@T.prim_func
def main(
    A: T.Buffer(({outer}{a_shape[0]}, {a_shape[1]}), "{left}"),
    B: T.Buffer(({outer}{b_shape[0]}, {b_shape[1]}), "{right}"),
    C: T.Buffer(({outer}{c_shape[0]}, {c_shape[1]}), "{total}"),
):
    for {loops}i, j, k in T.grid({outer}{rows}, {columns}, {terms}):
        with T.block("C"):
            {axes}vi, vj, vk = T.axis.remap("{"S" * len(batch)}SSR", [{loops}i, j, k])
            with T.init():
                C[{axes}{c}] = T.{total}(0)
            C[{axes}{c}] = C[{axes}{c}] + T.Cast("{total}", A[{axes}{a}]) * T.Cast("{total}", B[{axes}{b}])
"""


def matrix(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Any:
    """Return a matrix of all values that the dtype has."""
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max + 1, shape).astype(dtype)


def check(sizes: tuple[int, int, int], left: str, right: str, layout: str, batch: tuple[int, ...], target: str) -> None:
    """Compare a product that the default schedule computes with NumPy's."""
    rows, columns, terms = sizes
    rng = np.random.default_rng(rows)
    a = matrix(rng, (*batch, *((terms, rows) if layout[0] == "t" else (rows, terms))), left)
    b = matrix(rng, (*batch, *((columns, terms) if layout[1] == "t" else (terms, columns))), right)
    c = np.full((*batch, *((columns, rows) if layout[2] == "t" else (rows, columns))), -1, "int32")
    program = tvmscript.from_source(product_text(sizes, (left, right, "int32"), batch, layout))
    tvmscript.build(program, target=target)["main"](a, b, c)
    wide_a, wide_b = (
        (x.swapaxes(-1, -2) if order == "t" else x).astype("int64") for x, order in zip((a, b), layout[:2], strict=True)
    )
    np.testing.assert_array_equal(c.swapaxes(-1, -2) if layout[2] == "t" else c, wide_a @ wide_b)


@settings(max_examples=40)
@given(
    st.tuples(*[st.integers(1, 40) | st.integers(1, 150)] * 3),
    st.sampled_from(BYTES),
    st.sampled_from(BYTES),
    st.sampled_from([f"{a}{b}{c}" for a in "nt" for b in "nt" for c in "nt"]),
    st.lists(st.integers(1, 3), max_size=2).map(tuple),
)
def test_values(sizes: tuple[int, int, int], left: str, right: str, layout: str, batch: tuple[int, ...]) -> None:
    check(sizes, left, right, layout, batch, "llvm")


@pytest.mark.parametrize("sizes", [(3, 1, 1), (1, 3, 1), (1, 1, 3), (1, 1, 1), (3, 4, 1), (20, 1, 70), (1, 20, 70)])
def test_axes_of_one_iteration(sizes: tuple[int, int, int]) -> None:
    """No axis changes places with one that steps drop."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for layout in ("nnn", "tnn", "ntn", "ttn", "ntt", "tnt"):
            check(sizes, "int8", "int8", layout, (), "llvm")


#: a processor, and the features that its code needs
PROCESSORS = {
    "sapphirerapids": ("amx-int8", "avx512vnni", "avxvnni"),
    "sapphirerapids -mattr=-amx-tile": ("avx512vnni", "avxvnni"),
    "icelake-server": ("avx512vnni",),
    "x86-64-v4": ("avx512bw",),
    "alderlake": ("avxvnni",),
    "haswell": ("avx2",),
}


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("right", BYTES)
@pytest.mark.parametrize("left", BYTES)
def test_processors(processor: str, left: str, right: str) -> None:
    """Code for older processors gives the same sums."""
    if not all(Target.parse("llvm").has_feature(feature) for feature in PROCESSORS[processor]):
        pytest.skip(f"this machine has not the instructions of {processor}")
    check((37, 70, 75), left, right, "nnn", (), f"llvm -mcpu={processor}")


@pytest.mark.parametrize(
    ("target", "left", "right", "instruction"),
    [
        ("-mtriple=x86_64-linux-gnu -mcpu=sapphirerapids", "int8", "int8", r"tdpbssd\s"),
        ("-mtriple=x86_64-linux-gnu -mcpu=sapphirerapids", "int8", "uint8", r"tdpbsud\s"),
        ("-mtriple=x86_64-linux-gnu -mcpu=sapphirerapids", "uint8", "int8", r"tdpbusd\s"),
        ("-mtriple=x86_64-linux-gnu -mcpu=sapphirerapids", "uint8", "uint8", r"tdpbuud\s"),
        ("-mtriple=x86_64-linux-gnu -mcpu=sapphirerapids -mattr=-amx-int8", "int8", "int8", r"vpdpbusd\s.*%zmm"),
        ("-mtriple=x86_64-linux-gnu -mcpu=icelake-server", "uint8", "int8", r"vpdpbusd\s.*%zmm"),
        ("-mtriple=x86_64-linux-gnu -mcpu=icelake-server", "int8", "int8", r"vpdpbusd\s.*%zmm"),
        ("-mtriple=x86_64-linux-gnu -mcpu=alderlake", "int8", "int8", r"vpdpbusd\s.*%ymm"),
        ("-mtriple=x86_64-linux-gnu -mcpu=skylake-avx512", "uint8", "uint8", r"vpmaddwd\s.*%zmm"),
        ("-mtriple=x86_64-linux-gnu -mcpu=haswell", "int8", "uint8", r"vpmaddwd\s.*%ymm"),
        ("-mtriple=aarch64-linux-gnu -mcpu=neoverse-n1", "int8", "int8", r"sdot\s"),
        ("-mtriple=aarch64-linux-gnu -mcpu=neoverse-n1", "uint8", "uint8", r"udot\s"),
    ],
)
def test_instructions(target: str, left: str, right: str, instruction: str) -> None:
    program = tvmscript.from_source(product_text((48, 64, 64), (left, right, "int32")))

    assert re.search(instruction, tvmscript.build(program, target=f"llvm {target}").get_source("asm"))


def test_processors_without_instructions_are_left_to_other_rules() -> None:
    program = tvmscript.from_source(product_text((48, 64, 64), ("int8", "int8", "int32")))
    assert isinstance(program, PrimFunc)
    sch = Schedule(program)
    model = machine_model("llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72")
    assert model.dot_features == ()
    assert schedule_dot_product(sch, sch.get_block("C"), model) is None


def test_choice_is_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "tvmscript.default_schedule")
    program = tvmscript.from_source(product_text((48, 64, 64), ("uint8", "int8", "int32")))
    tvmscript.build(program, target="llvm -mtriple=x86_64-linux-gnu -mcpu=icelake-server")
    assert any("48x64x64: dot_16x4_u8s8s32_avx512vnni" in record.getMessage() for record in caplog.records)


def test_rounded_products_are_for_processors_that_gain_by_them() -> None:
    """Sums of bfloat16 that the instruction rounds in its own way need the licence to split sums, too."""
    zen, intel = "llvm -mtriple=x86_64-linux-gnu -mcpu=znver4", "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids"
    assert "avx512bf16" in machine_model(zen).dot_features
    assert "avx512bf16" not in machine_model(f"{zen} -ffp-contract=off").dot_features
    assert "avx512bf16" not in machine_model(f"{zen} -split-reductions=0").dot_features
    assert "avx512bf16" not in machine_model(intel).dot_features


def bfloat16_numbers(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Return random bfloat16 numbers, as their bits and as float64."""
    bits = (rng.standard_normal(shape).astype("float32").view("uint32") >> 16).astype("uint16")
    return bits, (bits.astype("uint32") << 16).view("float32").astype("float64")


def check_bfloat16(function: Any, sizes: tuple[int, int, int], layout: str, batch: tuple[int, ...]) -> None:
    """Compare a product of bfloat16 matrices with that of float64."""
    rows, columns, terms = sizes
    rng = np.random.default_rng(terms)
    a, wide_a = bfloat16_numbers(rng, (*batch, *((terms, rows) if layout[0] == "t" else (rows, terms))))
    b, wide_b = bfloat16_numbers(rng, (*batch, *((columns, terms) if layout[1] == "t" else (terms, columns))))
    c = np.full((*batch, *((columns, rows) if layout[2] == "t" else (rows, columns))), np.nan, "float32")
    function(a, b, c)
    wide_a, wide_b, c = (
        x.swapaxes(-1, -2) if order == "t" else x for x, order in zip((wide_a, wide_b, c), layout, strict=True)
    )
    # each product is rounded to 24 bits, and so is each sum
    np.testing.assert_allclose(
        c, wide_a @ wide_b, rtol=0, atol=2**-23 * terms * (np.abs(wide_a) @ np.abs(wide_b)).max()
    )


@pytest.mark.skipif(not Target.parse("llvm").has_feature("avx512bf16"), reason="this machine has no AVX512-BF16")
def test_products_of_bfloat16_in_vectors() -> None:
    program = tvmscript.from_source(product_text((37, 70, 75), ("bfloat16", "bfloat16", "float32")))
    assert isinstance(program, PrimFunc)
    sch = Schedule(program)
    model = replace(machine_model("llvm"), dot_features=("avx512bf16",))
    assert schedule_dot_product(sch, sch.get_block("C"), model) is not None
    built = tvmscript.build(sch.mod)
    assert "vdpbf16ps" in built.get_source("asm")
    check_bfloat16(built["main"], (37, 70, 75), "nnn", ())


@settings(max_examples=30)
@given(
    st.tuples(*[st.integers(1, 40) | st.integers(1, 150)] * 3),
    st.sampled_from([f"{a}{b}{c}" for a in "nt" for b in "nt" for c in "nt"]),
    st.lists(st.integers(1, 3), max_size=2).map(tuple),
)
def test_products_of_bfloat16(sizes: tuple[int, int, int], layout: str, batch: tuple[int, ...]) -> None:
    """With tile registers where this machine has them, otherwise by the rules for floats."""
    dtypes = "bfloat16", "bfloat16", "float32"
    program = tvmscript.from_source(product_text(sizes, dtypes, batch, layout))
    check_bfloat16(tvmscript.build(program)["main"], sizes, layout, batch)


def test_results_of_tile_registers_go_through_an_epilogue() -> None:
    """Sums are in memory before they are rounded to the dtype of the result."""
    text = """
@T.prim_func
def main(A: T.Buffer((70, 50), "bfloat16"), B: T.Buffer((50, 90), "bfloat16"), bias: T.Buffer((90,), "float32"),
         D: T.Buffer((70, 90), "float16")):
    C = T.alloc_buffer((70, 90))
    for i, j, k in T.grid(70, 90, 50):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[vk, vj])
    for i, j in T.grid(70, 90):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.Cast("float16", T.max(C[vi, vj] + bias[vj], T.float32(0)))
"""
    rng = np.random.default_rng(3)
    (a, wide_a), (b, wide_b) = (bfloat16_numbers(rng, shape) for shape in ((70, 50), (50, 90)))
    bias, d = rng.standard_normal(90).astype("float32"), np.full((70, 90), np.nan, "float16")
    tvmscript.build(tvmscript.from_source(text))["main"](a, b, bias, d)
    np.testing.assert_allclose(d, np.maximum(wide_a @ wide_b + bias, 0), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(
    ("sizes", "layout", "instruction"),
    [
        ((256, 256, 256), "nnn", "dot_32x32x64"),
        ((8, 1024, 256), "nnn", "dot_16x64x64"),
        ((1024, 8, 256), "nnn", "dot_64x16x64"),
        # rows of B are read as they are, A is packed
        ((8, 1024, 256), "ntn", "dot_64x16x64"),
    ],
)
def test_shapes_of_tiles(sizes: tuple[int, int, int], layout: str, instruction: str) -> None:
    program = tvmscript.from_source(product_text(sizes, ("int8", "int8", "int32"), layout=layout))
    assert isinstance(program, PrimFunc)
    sch = Schedule(program)
    model = machine_model("llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids")
    choice = schedule_dot_product(sch, sch.get_block("C"), model)
    assert choice is not None
    assert f": {instruction}_s8s8s32_amx on tiles" in choice


@pytest.mark.parametrize("offset", [0, 16])
@pytest.mark.parametrize("rows", [96, 131, 165])
def test_whole_tiles_are_read_where_they_are(rows: int, offset: int) -> None:
    """Rows of A that begin at cache lines are not copied, but those of the last tile where it is padded."""
    columns, terms = 40, 128
    rng = np.random.default_rng(rows)
    memory = np.zeros(rows * terms + 64 + offset, "int8")
    first = -memory.ctypes.data % 64 + offset
    a, b = memory[first : first + rows * terms].reshape(rows, terms), matrix(rng, (terms, columns), "int8")
    a[:] = matrix(rng, a.shape, "int8")
    program = tvmscript.from_source(product_text((rows, columns, terms), ("int8", "int8", "int32")))
    assert isinstance(program, PrimFunc)
    func = program.with_attr("tir.noalias", True)
    with tvmscript.target.Target("llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids"):
        scheduled = dlight.ApplyDefaultSchedule(dlight.cpu.Default())(tvmscript.IRModule({"main": func}))
    lowered = lower_for_llvm(scheduled)["main"]
    assert isinstance(lowered, PrimFunc)
    code = str(lowered.with_body(leave_out_aligned_copies(lowered)).script())
    assert code.count("if not is_aligned") == 1
    c = np.zeros((rows, columns), "int32")
    tvmscript.build(func)["main"](a, b, c)
    np.testing.assert_array_equal(c, a.astype("int32") @ b.astype("int32"))


@pytest.mark.parametrize("right", BYTES)
@pytest.mark.parametrize("left", BYTES)
def test_factors_of_the_transposed_product(left: str, right: str) -> None:
    """The instruction is that of the factors that changed places."""
    sizes, layout, letters = (8, 1024, 100), "ntn", {"int8": "s8", "uint8": "u8"}
    program = tvmscript.from_source(product_text(sizes, (left, right, "int32"), layout=layout))
    assert isinstance(program, PrimFunc)
    sch = Schedule(program)
    model = machine_model("llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids")
    choice = schedule_dot_product(sch, sch.get_block("C"), model)
    assert (
        choice == f"1024x8x100: dot_64x16x64_{letters[right]}{letters[left]}s32_amx on tiles of 64 rows and 1 vectors"
    )
    check(sizes, left, right, layout, (), "llvm")


@pytest.mark.parametrize(("terms", "is_taken"), [(4, False), (5, True)])
def test_few_terms_are_multiplied_one_by_one(terms: int, *, is_taken: bool) -> None:
    program = tvmscript.from_source(product_text((64, 64, terms), ("uint8", "int8", "int32")))
    assert isinstance(program, PrimFunc)
    sch = Schedule(program)
    model = machine_model("llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids")
    assert (schedule_dot_product(sch, sch.get_block("C"), model) is not None) is is_taken
    check((64, 64, terms), "uint8", "int8", "nnn", (), "llvm")


def test_groups_of_columns_are_not_padded() -> None:
    """25 tiles of columns are five groups of five, not two of 13."""
    program = tvmscript.from_source(product_text((512, 800, 448), ("bfloat16", "bfloat16", "float32"), layout="ntn"))
    assert isinstance(program, PrimFunc)
    sch = Schedule(program)
    model = machine_model("llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids")
    assert schedule_dot_product(sch, sch.get_block("C"), model) is not None
    assert "832" not in sch.mod["main"].script()


def test_instructions_of_a_choice_pack_b_alike() -> None:
    """What is chosen among has one width and one number of terms."""
    for dtypes in {dot.dtypes for dot in DOTS}:
        for features in (("avx512vnni", "avx512bw", "avx2"), ("avxvnni", "avx2"), ("dotprod",), ("avx512bf16",)):
            found = dot_instructions(*dtypes, features)
            assert len({(dot.feature, dot.lanes, dot.terms) for dot in found}) <= 1
