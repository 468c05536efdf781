"""Default schedule of products of narrow matrices: values of all shapes and dtypes, the instructions of processors."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.backends.llvm.target import Target
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.schedule.default.cpu.dot_product import schedule_dot_product
from tvmscript.ir.schedule.intrinsics.dot import DOTS, dot_instructions
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import PrimFunc

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


#: a processor, and the features that its code needs
PROCESSORS = {
    "sapphirerapids": ("avx512vnni", "avxvnni"),
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


@pytest.mark.skipif(not Target.parse("llvm").has_feature("avx512bf16"), reason="this machine has no AVX512-BF16")
def test_products_of_bfloat16() -> None:
    program = tvmscript.from_source(product_text((37, 70, 75), ("bfloat16", "bfloat16", "float32")))
    assert isinstance(program, PrimFunc)
    sch = Schedule(program)
    model = replace(machine_model("llvm"), dot_features=("avx512bf16",))
    assert schedule_dot_product(sch, sch.get_block("C"), model) is not None
    built = tvmscript.build(sch.mod)
    assert "vdpbf16ps" in built.get_source("asm")
    rng = np.random.default_rng(1)
    numbers = [rng.standard_normal(shape).astype("float32").view("uint32") >> 16 for shape in ((37, 75), (75, 70))]
    a, b = (x.astype("uint16") for x in numbers)
    c = np.zeros((37, 70), "float32")
    built["main"](a, b, c)
    wide_a, wide_b = ((x << 16).view("float32").astype("float64") for x in numbers)
    np.testing.assert_allclose(c, wide_a @ wide_b, rtol=1e-4, atol=1e-4)


def test_instructions_of_a_choice_pack_b_alike() -> None:
    """What is chosen among has one width and one number of terms."""
    for dtypes in {dot.dtypes for dot in DOTS}:
        for features in (("avx512vnni", "avx512bw", "avx2"), ("avxvnni", "avx2"), ("dotprod",), ("avx512bf16",)):
            found = dot_instructions(*dtypes, features)
            assert len({(dot.feature, dot.lanes, dot.terms) for dot in found}) <= 1
