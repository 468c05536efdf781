"""Lowered divisions round down, whatever is known of the signs; what stands for an intrinsic computes the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.transform.running import results
from tvmscript.backends import interp
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.expr import FloorDiv, FloorMod
from tvmscript.ir.transform.expressions.lower_intrin.lower_intrin import LowerIntrin
from tvmscript.ir.transform.expressions.lower_intrin.rules import rules_for

#: what the function knows of n and m before it divides them -> the values that it may be called with
KNOWN: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "nothing": ("T.bool(True)", lambda n, m: m != 0),
    "divisor": ("m > 0", lambda n, m: m > 0),
    "both": ("m > 0 and n >= 0", lambda n, m: m > 0 and n >= 0),
    "least": ("m > 0 and m < 9 and n >= -20 and n < 100", lambda n, m: 0 < m < 9 and -20 <= n < 100),
    "negative": ("m < 0", lambda n, m: m < 0),
}


def divisions(condition: str, dtype: str) -> Any:
    return tvmscript.from_source(f"""
@T.prim_func
def main(A: T.Buffer((2,), "{dtype}"), n: T.{dtype}, m: T.{dtype}):
    T.func_attr({{"target": T.target("c")}})
    if {condition.replace("9", f"T.{dtype}(9)") if dtype != "int32" else condition}:
        A[0] = n // m
        A[1] = n % m
""")


@pytest.mark.parametrize("dtype", ["int32", "int64", "int8"])
@pytest.mark.parametrize("known", KNOWN)
def test_divisions_by_variables(known: str, dtype: str) -> None:
    condition, holds = KNOWN[known]
    func = LowerIntrin()(divisions(condition, dtype))
    assert not any(isinstance(node, FloorDiv | FloorMod) for node in nodes(func))
    run = interp.build(func)["main"]
    for n in (-100, -21, -20, -7, -1, 0, 1, 6, 99, 100):
        for m in (-9, -3, -1, 1, 2, 3, 8, 50):
            if not holds(n, m):
                continue
            out = np.zeros(2, dtype)
            run(out, n, m)
            assert out.tolist() == [n // m, n % m], (n, m)


@pytest.mark.parametrize("divisor", [1, 2, 3, 5, 8, 64, -1, -3, -4])
def test_divisions_of_loop_variables(divisor: int) -> None:
    func = tvmscript.from_source(f"""
@T.prim_func
def main(A: T.Buffer((40, 3), "int32")):
    T.func_attr({{"target": T.target("llvm")}})
    for i in range(40):
        A[i, 0] = (i - 17) // {divisor}
        A[i, 1] = (i - 17) % {divisor}
        A[i, 2] = T.max((i - 17) // {divisor}, 2)
""")
    (made,) = results(LowerIntrin()(func))
    expected = [[i // divisor, i % divisor, max(i // divisor, 2)] for i in range(-17, 23)]
    assert made.tolist() == expected


def test_the_extremes_do_not_overflow() -> None:
    """A dividend with bounds that are far apart is not moved up."""
    func = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((1,), "int32"), n: T.int32, m: T.int32):
    T.func_attr({"target": T.target("llvm")})
    A[0] = (n // 3 + m // 4) // 5
""")
    run = interp.build(LowerIntrin()(func))["main"]
    for n in (-(2**31), 2**31 - 1):
        for m in (-(2**31), 2**31 - 1):
            out = np.zeros(1, "int32")
            run(out, n, m)
            assert out[0] == (n // 3 + m // 4) // 5


UNARY = "exp exp2 exp10 log log2 log10 sin cos tan sinh cosh tanh erf sigmoid sqrt rsqrt floor ceil trunc round fabs"


@pytest.mark.parametrize("target", ["llvm", "cuda", "c", "metal", "opencl", "rocm", "webgpu", "hexagon", "nvptx"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_functions_compute_the_same(target: str, dtype: str) -> None:
    names = UNARY.split()
    calls = "\n".join(f"        B[{row}, i] = T.{name}(A[i])" for row, name in enumerate(names))
    func = tvmscript.from_source(f"""
@T.prim_func
def main(A: T.Buffer((8,), "{dtype}"), B: T.Buffer(({len(names)}, 8), "{dtype}")):
    T.func_attr({{"target": T.target("{target}")}})
    for i in range(8):
{calls}
""")
    lowered = LowerIntrin()(func)
    # no halves: CUDA rounds those of float16 to the even neighbour, as TVM has it do
    values = np.array([0.1, 0.4, 0.75, 1.0, 1.625, 2.0, 3.25, 4.375], dtype)
    made = []
    for each in (func, lowered):
        out = np.zeros((len(names), 8), dtype)
        interp.build(each)["main"](values.copy(), out)
        made.append(out)
    tolerance = {"float16": 0.02, "float32": 1e-5, "float64": 1e-9}[dtype]
    np.testing.assert_allclose(made[1], made[0], rtol=tolerance)


def test_every_target_has_the_common_rules() -> None:
    common = set(rules_for("c"))
    assert common < set(rules_for("llvm"))
    assert common < set(rules_for("cuda"))
    assert rules_for("vulkan").keys() == common


def test_sums_of_quotients_have_no_quotients_left() -> None:
    """What is simplified on the way is lowered afterwards."""
    func = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((2,), "int32"), n: T.int32):
    T.func_attr({"target": T.target("llvm")})
    if n >= -1000 and n < 1000:
        A[0] = n // 3 // 5 + (n // 7 + 2) % 3
        A[1] = (n % 5 - 9) // 3
""")
    made = LowerIntrin()(func)
    assert not any(isinstance(node, FloorDiv | FloorMod) for node in nodes(made))
    for n in (-1000, -7, -1, 0, 5, 999):
        out = np.zeros(2, "int32")
        interp.build(made)["main"](out, n)
        assert out.tolist() == [n // 3 // 5 + (n // 7 + 2) % 3, (n % 5 - 9) // 3]
