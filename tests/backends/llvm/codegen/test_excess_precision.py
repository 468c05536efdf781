"""Expressions of 16-bit floats are rounded once: values, what ends it, and what is left alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.backends import interp
from tvmscript.backends.llvm.codegen.excess_precision import keep_precision
from tvmscript.backends.llvm.target import EXACT, Target
from tvmscript.ir.tir import PrimFunc

COUNT = 70
SAPPHIRE_RAPIDS = "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids"
NEOVERSE = "llvm -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1"
HASWELL = "llvm -mtriple=x86_64-linux-gnu -mcpu=haswell"


def program(value: str, dtype: str, attrs: str = "", result: str = "") -> str:
    return f"""
@T.prim_func
def main(
    A: T.Buffer(({COUNT},), "{dtype}"), B: T.Buffer(({COUNT},), "{dtype}"), C: T.Buffer(({COUNT},), "{result or dtype}")
):
    T.func_attr({{"tir.noalias": T.bool(True){attrs}}})
    for i in range({COUNT}):
        C[i] = {value}
"""


def arrays(dtype: str, seed: int, result: str = "") -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    stored = getattr(ml_dtypes, dtype, dtype)
    a, b = ((rng.standard_normal(COUNT) + 3).astype(stored) for _ in range(2))
    return a, b, np.zeros(COUNT, getattr(ml_dtypes, result or dtype, result or dtype))


#: operators of expressions in TIR and in NumPy
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "{} + {}": np.add,
    "{} * {}": np.multiply,
    "{} - {} * T.{t}(0.125)": lambda x, y: x - y * 0.125,
    "{} / ({} * {1} + T.{t}(1))": lambda x, y: x / (y * y + 1),
    "T.max({}, {})": np.maximum,
    "T.exp({} * T.{t}(0.0625)) + {}": lambda x, y: np.exp(x * 0.0625) + y,
    "T.if_then_else(i % 2 == 0, {}, {})": lambda x, y: np.where(np.arange(COUNT) % 2 == 0, x, y),
    "T.Select({0} < {1}, {0}, {1})": np.minimum,
}


def _expression(text: str, x: str, y: str, dtype: str) -> str:
    return text.replace("{t}", dtype).replace("{}", "{0}", 1).replace("{}", "{1}").format(x, y)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from([*OPERATORS]), min_size=1, max_size=4),
    st.sampled_from(("bfloat16", "float16")),
    st.integers(0, 99),
)
def test_values_are_rounded_once(operators: list[str], dtype: str, seed: int) -> None:
    """Half a unit in the last place of the result, but for what float32 loses."""
    a, b, c = arrays(dtype, seed)
    text, value, size = "A[i]", a.astype("float64"), np.abs(a.astype("float64"))
    other = b.astype("float64")
    for operator in operators:
        text = f"({_expression(operator, text, 'B[i]', dtype)})"
        value = OPERATORS[operator](value, other)
        size = np.maximum(size, np.abs(value))
    if np.abs(value).max() > 6e4:
        return
    # float16 of processors that compute it is rounded by each operation
    target = "llvm -mattr=-avx512fp16" if dtype == "float16" else "llvm"
    tvmscript.build(tvmscript.from_source(program(text, dtype)), target=target)["main"](a, b, c)
    half_unit = 2.0 ** (-9 if dtype == "bfloat16" else -12)
    bound = np.abs(value) * half_unit * 2 + (size + np.abs(other)) * 2.0**-18 + 2.0**-24
    assert (np.abs(c.astype("float64") - value) <= bound).all(), text


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize(("target", "attrs"), [(EXACT, ""), ("llvm", ', "tir.fp_contract": T.bool(False)')])
def test_without_contraction_each_operation_is_rounded(dtype: str, target: str, attrs: str) -> None:
    func = tvmscript.from_source(program("(A[i] * B[i] + A[i]) * B[i] - A[i]", dtype, attrs))
    a, b, c = arrays(dtype, 1)
    expected = np.zeros_like(c)
    interp.build(func)["main"](a, b, expected)
    tvmscript.build(func, target=target)["main"](a, b, c)
    np.testing.assert_array_equal(c.view("uint16"), expected.view("uint16"))


def test_casts_that_are_written_round() -> None:
    value = "T.Cast('float32', T.Cast('bfloat16', T.Cast('float32', A[i]) * T.Cast('float32', B[i])))"
    a, b, c = arrays("bfloat16", 2, "float32")
    func = tvmscript.from_source(program(f"{value} * T.float32(3)", "bfloat16", result="float32"))
    tvmscript.build(func, target="llvm")["main"](a, b, c)
    product = (a.astype("float32") * b.astype("float32")).astype(ml_dtypes.bfloat16).astype("float32")
    np.testing.assert_array_equal(c, product * 3)


def widened(value: str, dtype: str, target: str) -> str:
    func = tvmscript.from_source(program(value, dtype))
    assert isinstance(func, PrimFunc)
    kept = keep_precision(func, func.buffer_map.values(), Target.parse(target))
    (line,) = [line for line in kept.script().splitlines() if "C[i] =" in line]
    return line.strip()


@pytest.mark.parametrize(
    ("value", "dtype", "target", "expected"),
    [
        # one operation rounds anyway
        ("A[i] + B[i]", "bfloat16", HASWELL, "A[i] + B[i]"),
        ("T.exp(A[i])", "float16", HASWELL, "T.exp(A[i])"),
        (
            "A[i] * B[i] + A[i]",
            "bfloat16",
            SAPPHIRE_RAPIDS,
            'T.Cast("bfloat16", T.Cast("float32", A[i]) * T.Cast("float32", B[i]) + T.Cast("float32", A[i]))',
        ),
        # float16 has instructions of its own on some processors, mathematical functions have none
        ("A[i] * B[i] + A[i]", "float16", SAPPHIRE_RAPIDS, "A[i] * B[i] + A[i]"),
        ("A[i] * B[i] + A[i]", "float16", NEOVERSE, "A[i] * B[i] + A[i]"),
        (
            "A[i] * B[i] + A[i]",
            "float16",
            HASWELL,
            'T.Cast("float16", T.Cast("float32", A[i]) * T.Cast("float32", B[i]) + T.Cast("float32", A[i]))',
        ),
        (
            "T.exp(A[i] * B[i])",
            "float16",
            SAPPHIRE_RAPIDS,
            'T.Cast("float16", T.exp(T.Cast("float32", A[i]) * T.Cast("float32", B[i])))',
        ),
        # a step to the next number is one of the dtype
        ("T.nextafter(A[i], B[i]) + A[i]", "bfloat16", HASWELL, "T.nextafter(A[i], B[i]) + A[i]"),
    ],
)
def test_what_is_widened(value: str, dtype: str, target: str, expected: str) -> None:
    assert widened(value, dtype, target) == f"C[i] = {expected}"


def test_comparisons_and_wider_results() -> None:
    choice = widened("T.Select(A[i] * B[i] + A[i] < B[i], A[i], B[i])", "bfloat16", HASWELL)
    assert (
        'T.Cast("float32", A[i]) * T.Cast("float32", B[i]) + T.Cast("float32", A[i]) < T.Cast("float32", B[i])'
        in choice
    )
    func = tvmscript.from_source(program("T.Cast('float32', A[i] * B[i])", "bfloat16", result="float32"))
    assert isinstance(func, PrimFunc)
    kept = keep_precision(func, func.buffer_map.values(), Target.parse(HASWELL)).script()
    assert 'C[i] = T.Cast("float32", A[i]) * T.Cast("float32", B[i])' in kept
