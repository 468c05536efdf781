"""Remainders of floats, in vectors and one by one: exactly those of the C library, and of the interpreter."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import te
from tvmscript.ir.tir import FloorMod, Mod
from tvmscript.ir.tir.intrin.math import fmod

COUNT = 1000
OPERATORS: dict[str, Any] = {"fmod": fmod, "mod": Mod, "floormod": FloorMod}


@cache
def _built(operator: str, dtype: str, target: str) -> Any:
    x, y = (te.placeholder((COUNT,), dtype, name) for name in "xy")
    rest = te.compute((COUNT,), lambda i: OPERATORS[operator](x[i], y[i]))
    return tvmscript.build(te.create_prim_func([x, y, rest]), target)


def _operands(kind: str, dtype: str) -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    bits = np.dtype(dtype).itemsize * 8
    if kind == "patterns":
        x, y = (random.integers(0, 1 << bits, COUNT, "uint64").astype(f"uint{bits}").view(dtype) for _ in range(2))
        special: list[Any] = [
            0.0,
            1.0,
            4.0,
            np.inf,
            np.nan,
            np.finfo(dtype).tiny,
            np.finfo(dtype).max,
            np.finfo(dtype).eps,
        ]
        pairs = [(a * s, b * t) for a in special for b in special for s in (1, -1) for t in (1, -1)]
        x[: len(pairs)], y[: len(pairs)] = zip(*pairs, strict=True)
        return x, y
    y = random.standard_normal(COUNT).astype(dtype)
    with np.errstate(over="ignore"):
        x = (np.round(random.standard_normal(COUNT) * 1000).astype(dtype) * y).astype(dtype)
    # what is next to a multiple of the divisor: its quotient is rounded to an integer
    return np.nextafter(x, random.choice([-np.inf, np.inf, 0], COUNT).astype(dtype)), y


@pytest.mark.parametrize("target", ["llvm", "llvm -mcpu=haswell", "llvm -mcpu=x86-64"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("kind", ["patterns", "near multiples"])
def test_remainders_are_exact(kind: str, operator: str, dtype: str, target: str) -> None:
    x, y = _operands(kind, dtype)
    actual, defined = np.empty_like(x), np.empty_like(x)
    _built(operator, dtype, target)["main"](x, y, actual)
    _built(operator, dtype, "interp")["main"](x, y, defined)
    pattern = f"uint{8 * x.itemsize}"
    for expected in [defined] if operator == "floormod" else [defined, _c_fmod(x, y)]:
        same = (actual.view(pattern) == expected.view(pattern)) | (np.isnan(actual) & np.isnan(expected))
        assert same.all(), [(x[i], y[i], actual[i], expected[i]) for i in np.flatnonzero(~same)[:4]]


def _c_fmod(x: Any, y: Any) -> Any:
    with np.errstate(invalid="ignore"):
        return np.fmod(x, y)


def test_vectors_call_the_c_library_for_rare_quotients_alone() -> None:
    text = _built("fmod", "float32", "llvm -mcpu=haswell").get_source("input")
    body = re.search(r"define[^\n]*> @tvmscript\.remainder\.float\.x\d\d?\.[^\n]*\{(.*?)\n\}", text, re.DOTALL)
    assert body is not None
    usual, rare = body[1].split("\nrare", 1)
    assert "frem" not in usual
    assert "frem" in rare
