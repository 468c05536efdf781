"""Products of float16 and bfloat16 are added up in float32 and rounded once, where sums may be split."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.schedule.default.cpu.half_products import widen_half_products
from tvmscript.ir.tir.stmt import Block

#: the same on every Python
pytestmark = pytest.mark.long

HALVES = ("float16", "bfloat16")
FLOAT16 = "float16", "float16", "float16"
BFLOAT16 = "bfloat16", "bfloat16", "bfloat16"


def product_text(sizes: tuple[int, int, int], dtypes: tuple[str, str, str], layout: str, attrs: str = "") -> str:
    """Return a product without casts but those that dtypes need."""
    rows, columns, terms = sizes
    left, right, total = dtypes
    a_shape, a = ((terms, rows), "vk, vi") if layout[0] == "t" else ((rows, terms), "vi, vk")
    b_shape, b = ((columns, terms), "vj, vk") if layout[1] == "t" else ((terms, columns), "vk, vj")
    x, y = (
        f"{name}[{indices}]" if dtype == total else f'T.Cast("{total}", {name}[{indices}])'
        for name, indices, dtype in (("A", a, left), ("B", b, right))
    )
    return f"""
@T.prim_func
def main(
    A: T.Buffer({a_shape}, "{left}"), B: T.Buffer({b_shape}, "{right}"), C: T.Buffer(({rows}, {columns}), "{total}")
):
    T.func_attr({{{attrs}}})
    for i, j, k in T.grid({rows}, {columns}, {terms}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.{total}(0)
            C[vi, vj] = C[vi, vj] + {x} * {y}
"""


def numbers(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> tuple[Any, Any]:
    """Return random numbers, as an array and as float64."""
    wide = rng.standard_normal(shape).astype("float32")
    if dtype != "bfloat16":
        return wide.astype(dtype), wide.astype(dtype).astype("float64")
    bits = (wide.view("uint32") >> 16).astype("uint16")
    return bits, (bits.astype("uint32") << 16).view("float32").astype("float64")


def result_of(c: Any, dtype: str) -> Any:
    return (c.astype("uint32") << 16).view("float32").astype("float64") if dtype == "bfloat16" else c.astype("float64")


@settings(max_examples=80)
@given(
    st.tuples(*[st.just(1) | st.integers(1, 20) | st.integers(1, 150)] * 3),
    st.sampled_from(HALVES),
    st.sampled_from((*HALVES, "float32")),
    st.sampled_from(("nn", "nt", "tn", "tt")),
)
def test_results_are_rounded_once(sizes: tuple[int, int, int], factor: str, total: str, layout: str) -> None:
    if total not in (factor, "float32"):
        total = factor
    rows, columns, terms = sizes
    rng = np.random.default_rng(terms)
    a, wide_a = numbers(rng, (terms, rows) if layout[0] == "t" else (rows, terms), factor)
    b, wide_b = numbers(rng, (columns, terms) if layout[1] == "t" else (terms, columns), factor)
    c = np.zeros((rows, columns), "uint16" if total == "bfloat16" else total)
    tvmscript.build(tvmscript.from_source(product_text(sizes, (factor, factor, total), layout)))["main"](a, b, c)
    wide_a, wide_b = (x.T if order == "t" else x for x, order in zip((wide_a, wide_b), layout, strict=True))
    bits = {"float16": 10, "bfloat16": 7, "float32": 23}[total]
    want, size = wide_a @ wide_b, np.abs(wide_a) @ np.abs(wide_b)
    bound = np.abs(want) * 2.0 ** -(bits + 1) + size * 2.0**-22 * terms
    assert (np.abs(result_of(c, total) - want) <= bound + 2.0**-24).all()


@pytest.mark.parametrize(
    ("dtypes", "target", "words"),
    [
        (BFLOAT16, "sapphirerapids", "64x96x48: dot_32x32x32_bf16bf16f32_amx"),
        (FLOAT16, "sapphirerapids", "schedule_matmul: 64x96x48: tiles"),
        (("float16", "float16", "float32"), "haswell", "schedule_matmul: 64x96x48: tiles"),
    ],
)
def test_choices(dtypes: tuple[str, str, str], target: str, words: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "tvmscript.default_schedule")
    program = tvmscript.from_source(product_text((64, 96, 48), dtypes, "nn"))
    built = tvmscript.build(program, target=f"llvm -mtriple=x86_64-linux-gnu -mcpu={target}")
    assert any(words in record.getMessage() for record in caplog.records)
    assert "main" in built.get_source("asm")


@pytest.mark.parametrize(
    ("options", "attrs"),
    [
        ("-ffp-contract=off", ""),
        ("-split-reductions=0", ""),
        ("", '"tir.fp_contract": T.bool(False)'),
        ("", '"tir.split_reductions": T.bool(False)'),
    ],
)
def test_without_licence_each_sum_is_rounded(options: str, attrs: str) -> None:
    """1 + 2 ** -11 + ... of float16 stays 1, which a sum of float32 does not."""
    terms = 64
    text = product_text((2, 2, terms), FLOAT16, "nn", attrs)
    a, b, c = np.ones((2, terms), "float16"), np.full((terms, 2), 2.0**-12, "float16"), np.zeros((2, 2), "float16")
    b[0] = 1
    tvmscript.build(tvmscript.from_source(text), target=f"llvm {options}")["main"](a, b, c)
    exact, plain = np.float16(1 + 63 * 2.0**-12), np.float16(1)
    assert (c == plain).all()
    tvmscript.build(tvmscript.from_source(product_text((2, 2, terms), FLOAT16, "nn")))["main"](a, b, c)
    assert (c == exact).all()


@pytest.mark.parametrize(
    ("rows", "columns", "copied"), [(27, 27, ""), (27, 28, "left"), (28, 27, "right"), (28, 28, "left right")]
)
def test_factors_whose_elements_are_used_often_are_copied(rows: int, columns: int, copied: str) -> None:
    func = tvmscript.from_source(product_text((rows, columns, 64), FLOAT16, "nn"))
    assert isinstance(func, tvmscript.tir.PrimFunc)
    widened = widen_half_products(func, machine_model("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3"))
    names = [part.name_hint for part in statements(widened.body) if isinstance(part, Block)]
    assert names == ["root", *[f"C_{part}" for part in copied.split()], "C", "C_rounded"]
