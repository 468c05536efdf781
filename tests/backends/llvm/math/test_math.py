"""Mathematical functions: errors in units of the last place, special values, vector code."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.llvm.kernels import Array, elementwise, samples
from tvmscript.backends import interp, llvm
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.op import Op
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.intrin import Intrinsic

#: the same on every Python
pytestmark = pytest.mark.long

#: name -> (allowed error in ulp for float32, for float64, lowest and highest argument of float32, of float64)
Domain = tuple[float, float]
UNARY: dict[str, tuple[float, float, Domain, Domain]] = {
    "exp": (1.05, 1.15, (-103.0, 88.7), (-745.0, 709.7)),
    "exp2": (1.2, 1.4, (-148.0, 127.9), (-1073.0, 1023.9)),
    "exp10": (1.1, 1.2, (-44.0, 38.5), (-323.0, 308.2)),
    "log": (1.0, 0.75, (1e-38, 1e38), (1e-308, 1e308)),
    "log2": (1.1, 0.8, (1e-38, 1e38), (1e-308, 1e308)),
    "log10": (1.15, 1.0, (1e-38, 1e38), (1e-308, 1e308)),
    "log1p": (1.25, 0.95, (-0.999, 1e30), (-0.999, 1e300)),
    "sin": (2.0, 1.7, (-1e5, 1e5), (-1e5, 1e5)),
    "cos": (2.0, 1.7, (-1e5, 1e5), (-1e5, 1e5)),
    "tan": (2.75, 2.3, (-1e5, 1e5), (-1e5, 1e5)),
    "tanh": (1.25, 1.5, (-12.0, 12.0), (-25.0, 25.0)),
    "sigmoid": (3.0, 3.0, (-100.0, 40.0), (-740.0, 40.0)),
    "erf": (1.5, 1.0, (-5.0, 5.0), (-7.0, 7.0)),
    "rsqrt": (1.5, 1.5, (1e-38, 1e38), (1e-300, 1e300)),
    "asin": (1.25, 1.0, (-1.0, 1.0), (-1.0, 1.0)),
    "acos": (1.1, 1.0, (-1.0, 1.0), (-1.0, 1.0)),
    "atan": (2.05, 2.15, (-1e3, 1e3), (-1e3, 1e3)),
    "sinh": (2.4, 2.2, (-88.0, 88.0), (-709.0, 709.0)),
    "cosh": (1.45, 1.4, (-88.0, 88.0), (-709.0, 709.0)),
    "asinh": (2.0, 1.95, (-1e30, 1e30), (-1e300, 1e300)),
    "acosh": (1.6, 1.9, (1.0, 1e30), (1.0, 1e300)),
    "atanh": (2.5, 1.95, (-0.9999, 0.9999), (-0.9999, 0.9999)),
}
BINARY: dict[str, tuple[float, float]] = {"pow": (1.3, 1.5), "atan2": (0.51, 2.0), "hypot": (0.51, 0.51)}
EXACT = ["sqrt", "floor", "ceil", "trunc", "round", "nearbyint", "fabs"]

_LONG = np.longdouble
#: In 64 bits of precision where the machine has them.
REFERENCE: dict[str, Any] = {
    "exp": np.exp, "exp2": np.exp2, "exp10": lambda x: _LONG(10) ** x, "log": np.log, "log2": np.log2,
    "log10": np.log10, "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "tan": np.tan, "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "rsqrt": lambda x: 1 / np.sqrt(x), "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "asinh": np.arcsinh, "acosh": np.arccosh,
    "atanh": np.arctanh, "pow": np.power, "atan2": np.arctan2, "hypot": np.hypot,
    "erf": np.vectorize(lambda x: _LONG(math.erf(float(x)))),
}  # fmt: skip
COUNT = 4096
LANES = [1, 8, 16]


def maker(name: str) -> Any:
    """What builds a call of the operator."""
    return Intrinsic.get(f"tir.{name}")


def run(name: str, inputs: list[Array], lanes: int, target: str | None = None) -> Array:
    """The function on whole arrays, compiled."""
    dtype = DType(inputs[0].dtype.name)
    program = elementwise([maker(name)], [dtype] * len(inputs), len(inputs[0]), lanes)
    result: Array = np.zeros(inputs[0].shape, inputs[0].dtype)
    llvm.build(program, target=target)["f"](*inputs, result)
    return result


def spread(low: float, high: float, dtype: str, seed: int) -> Array:
    """Numbers between the limits, one half evenly and one half by magnitude."""
    rng = np.random.default_rng(seed)
    even = rng.uniform(low, high, COUNT // 2)
    size = max(abs(low), abs(high))
    scaled = size * 2.0 ** rng.uniform(-30, 0, COUNT // 2) * rng.choice([-1.0, 1.0], COUNT // 2)
    made: Array = np.clip(np.concatenate([even, scaled]), low, high).astype(dtype)
    return made


def error_in_ulp(got: Array, want: Any, dtype: str) -> float:
    """The largest error against the reference in units of the last place of the rounded reference."""
    rounded = want.astype(dtype)
    inside = np.isfinite(rounded) & np.isfinite(got)
    unit = np.spacing(np.abs(rounded[inside])).astype(_LONG)
    return float(np.max(np.abs(got[inside].astype(_LONG) - want[inside]) / unit, initial=0.0))


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", UNARY)
def test_unary_accuracy(name: str, dtype: str, lanes: int) -> None:
    """Within the stated error; erf's reference is itself a double, which may add one half."""
    single, double, domain32, domain64 = UNARY[name]
    bound, (low, high) = (single, domain32) if dtype == "float32" else (double, domain64)
    bound += 1.0 if name == "erf" and dtype == "float64" else 0.0
    x = spread(low, high, dtype, len(name))
    assert error_in_ulp(run(name, [x], lanes), REFERENCE[name](x.astype(_LONG)), dtype) <= bound


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", BINARY)
def test_binary_accuracy(name: str, dtype: str, lanes: int) -> None:
    rng = np.random.default_rng(5)
    x, y = spread(-1e6, 1e6, dtype, 1), spread(-1e6, 1e6, dtype, 2)
    if name == "pow":
        x = np.exp2(rng.uniform(-20, 20, COUNT)).astype(dtype)
        limit = 120 if dtype == "float32" else 1000
        y = (rng.uniform(-limit, limit, COUNT) / np.maximum(np.abs(np.log2(x)), 0.1)).astype(dtype)
    want = REFERENCE[name](x.astype(_LONG), y.astype(_LONG))
    assert error_in_ulp(run(name, [x, y], lanes), want, dtype) <= BINARY[name][0 if dtype == "float32" else 1]


@pytest.mark.parametrize(
    "target", ["aarch64-linux-gnu", "riscv64-linux-gnu -mattr=+v,+d", "x86_64-linux-gnu -mcpu=haswell"]
)
@pytest.mark.parametrize("name", ["sin", "pow"])
def test_rare_arguments_take_a_branch(name: str, target: str) -> None:
    """Vectors of other machines, too, have the branch of large arguments and exceptions."""
    program = elementwise([maker(name)], [DType("float32")] * (1 + (name == "pow")), 1024, 16)
    text = llvm.build(program, target=f"llvm -mtriple={target}").get_source("input")
    assert "llvm.vector.reduce.or.v16i1" in text
    assert re.search(r"phi <16 x float>", text)
    assert llvm.build(program, target=f"llvm -mtriple={target}").get_source("asm")


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_large_angles(name: str) -> None:
    """Reduction keeps every digit up to the largest float; the C library's functions are the reference."""
    rng = np.random.default_rng(9)
    for dtype, exponent in (("float32", 127.9), ("float64", 1023.9)):
        x = np.exp2(rng.uniform(20, exponent, COUNT)).astype(dtype)
        want = np.array([getattr(math, name)(float(value)) for value in x]).astype(_LONG)
        assert error_in_ulp(run(name, [x], 1), want, dtype) <= 2.5


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_large_angles_among_small_ones(name: str, dtype: str) -> None:
    """One lane beyond the fast reduction changes no other lane of its vector by more than the bound."""
    x = spread(-3.0, 3.0, dtype, 4)
    x[::32] = np.exp2(np.random.default_rng(2).uniform(30, 120, len(x[::32]))).astype(dtype)
    x[1::64] = np.array([np.inf, -np.inf, np.nan, -0.0] * (len(x) // 256), dtype)
    with np.errstate(invalid="ignore"):
        want = np.array([getattr(math, name)(float(value)) if np.isfinite(value) else math.nan for value in x])
    got = run(name, [x], 16)
    assert (np.isnan(got) == np.isnan(want)).all()
    assert error_in_ulp(got, want.astype(_LONG), dtype) <= 2.5
    assert (np.signbit(got) == np.signbit(want))[x == 0.0].all()


def worst_of_float32(name: str, step: int) -> float:
    """The largest error over every `step`-th float32, nan where the reference is nan; the reference is in float64."""
    dtype, count = DType("float32"), 1 << 16
    function = llvm.build(elementwise([maker(name)], [dtype], count, 16))["f"]
    got, worst = np.zeros(count, np.float32), 0.0
    for block in range(0, 1 << 32, count * step):
        x = (block + np.arange(count, dtype=np.uint64) * step).astype(np.uint32).view(np.float32)
        function(x, got)
        with np.errstate(all="ignore"):
            want = REFERENCE[name](x.astype(np.float64))
            worst = max(worst, error_in_ulp(got, want, "float32"))
        assert (np.isnan(got) == np.isnan(want)).all()
        assert (np.signbit(got) == np.signbit(want))[x == 0.0].all()
    return worst


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "sin", "cos", "tan"])
def test_samples_of_all_float32(name: str) -> None:
    """Every 997th float32 is within the stated error, or within what rounding of a subnormal result adds to it."""
    assert worst_of_float32(name, 997) <= UNARY[name][0] + 0.1


@pytest.mark.fuzz
@pytest.mark.parametrize("name", ["exp", "log", "tanh", "sin", "cos", "tan"])
def test_all_float32(name: str) -> None:
    assert worst_of_float32(name, 1) <= UNARY[name][0] + 0.1


@pytest.mark.parametrize("target", [None, "llvm -mcpu=x86-64"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [*UNARY, *BINARY, *EXACT, "copysign", "fmod", "nextafter"])
def test_special_values(name: str, dtype: str, target: str | None) -> None:
    """Zeros, infinities, nan, the limits of the dtype: what the reference interpreter's definition says, to 2.5 ulp."""
    op: Any = Op.get(f"tir.{name}")
    info = np.finfo(dtype)
    points = [0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 22.0, 1e-20, 100.0, 1000.0, float("inf"), 88.8, 710.0, 745.2]
    points += [float(info.max), float(info.tiny), float(info.smallest_subnormal), float(info.eps), 8388609.0]
    line = np.array([*points, *(-p for p in points), float("nan"), 1 + float(info.eps)], dtype)
    inputs = [line] if op.num_inputs == 1 else [a.ravel().copy() for a in np.meshgrid(line, line)]
    reference = op.lane(DType(dtype))
    with np.errstate(over="ignore"):
        want = np.array([reference(*map(float, row)) for row in zip(*inputs, strict=True)]).astype(dtype)
    for lanes in LANES:
        padded = [np.concatenate([a, np.ones(-len(a) % lanes, dtype)]) for a in inputs]
        got = run(name, padded, lanes, target)[: len(want)]
        same = (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)
        finite = np.isfinite(got) & np.isfinite(want) & (want != 0.0)
        with np.errstate(invalid="ignore", over="ignore"):
            near = finite & (np.abs(got - want) <= 2.5 * np.spacing(np.abs(want)))
        wrong = np.flatnonzero(~(same | near))
        assert not len(wrong), [([a[k] for a in inputs], got[k], want[k]) for k in wrong[:4]]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", [*UNARY, *EXACT])
def test_narrow_floats(name: str, dtype: str) -> None:
    """Every value of float16 and bfloat16 in steps: at most one unit away from the rounded reference."""
    kind = DType(dtype)
    program = elementwise([maker(name)], [kind], 4096, 8)
    stored = np.arange(0, 1 << 16, 16, dtype=np.uint16)
    source = stored.view(np.float16) if dtype == "float16" else stored
    results = [np.zeros_like(source), np.zeros_like(source)]
    llvm.build(program)["f"](source, results[0])
    interp.build(program)["f"](source, results[1])
    got, want = (result.view(np.uint16).astype(int) for result in results)
    magnitude = 0x7C00 if dtype == "float16" else 0x7F80
    nan = ((got & 0x7FFF) > magnitude) & ((want & 0x7FFF) > magnitude)
    assert ((np.abs(got - want) <= 1) | nan).all()


@pytest.mark.parametrize("name", [*UNARY, "pow"])
def test_vector_values_call_no_library(name: str) -> None:
    """In a vector, and in a plain loop, no function of the C library is called."""
    arity = 2 if name == "pow" else 1
    for lanes in LANES:
        module = llvm.build(elementwise([maker(name)], [DType("float32")] * arity, 1024, lanes))
        called = set(re.findall(r"call [^@]*@([\w.]+)", module.get_source("ll")))
        assert all(callee.startswith(("llvm.", "tvmscript")) for callee in called), called


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "erf", "sin", "cos", "rsqrt", "sigmoid", "pow"])
def test_plain_loops_become_vector_code(name: str) -> None:
    """LLVM widens the scalar form: the loop over float32 uses vector registers on x86."""
    arity = 2 if name == "pow" else 1
    program = elementwise([maker(name)], [DType("float32")] * arity, 1024)
    assembly = llvm.build(program, target="llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=skylake-avx512").get_source(
        "asm"
    )
    assert re.search(r"v(mul|fmadd\d+|div)p[sd]\s.*%[yz]mm", assembly)
    assert "expf" not in assembly


def test_ldexp_and_fma() -> None:
    """Scaling rounds once, down to subnormal numbers; a product and a sum are rounded once."""
    x = samples(DType("float64"), 256)
    exponent = np.random.default_rng(1).integers(-2200, 2200, 256).astype(np.int32)
    program = elementwise([maker("ldexp")], [DType("float64"), DType("int32")], 256)
    got = np.zeros(256)
    llvm.build(program)["f"](x, exponent, got)
    with np.errstate(over="ignore", under="ignore"):
        np.testing.assert_array_equal(got, np.ldexp(x, exponent))
    a, b = np.array([1 + 2.0**-52]), np.array([-1.0 - 2.0**-51])
    fused = np.zeros(1)
    llvm.build(elementwise([maker("fma")], [DType("float64")] * 3, 1))["f"](a, a, b, fused)
    assert fused[0] == 2.0**-104


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_fma_of_narrow_floats_is_rounded_once(dtype: str) -> None:
    """Addends that are far below half a unit of the sum still decide between two neighbours."""
    program = elementwise([maker("fma")], [DType(dtype)] * 3, 4096, 8)
    rng = np.random.default_rng(3)
    inputs: list[Array] = [rng.integers(0, 1 << 16, 4096).astype(np.uint16) for _ in range(3)]
    # 129 / 128 * 1.5 + 2 ** -60: the product is in the middle of two bfloat16
    inputs[0][:8], inputs[1][:8], inputs[2][:8] = 0x3F81, 0x3FC0, 0x2180
    views = [each.view(np.float16) if dtype == "float16" else each for each in inputs]
    results = [np.zeros_like(views[0]), np.zeros_like(views[0])]
    llvm.build(program)["f"](*views, results[0])
    interp.build(program)["f"](*views, results[1])
    got, want = (result.view(np.uint16).astype(int) for result in results)
    magnitude = 0x7C00 if dtype == "float16" else 0x7F80
    nan = ((got & 0x7FFF) > magnitude) & ((want & 0x7FFF) > magnitude)
    assert ((got == want) | nan).all()


@pytest.mark.parametrize("name", ["nearbyint", "atan", "erf"])
def test_functions_of_vectors(name: str) -> None:
    """A vectorized loop calls a function for all lanes at once."""
    text = f"""
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.vectorized(16):
        B[i] = T.{name}(A[i])
"""
    lowered = tvmscript.lower(tvmscript.from_source(text), "llvm")
    assert f"T.{name}(A_1[0:16])" in lowered.script()


@pytest.mark.parametrize("name", ["exp", "exp2", "tanh", "erf", "log"])
def test_processors_without_fused_sums(name: str) -> None:
    """Found by the fuzzer: where AVX-512 is without FMA, its routine of exp was 16 units off."""
    bound, _, (low, high), _ = UNARY[name]
    x = np.linspace(max(low, -80.0), min(high, 80.0), 4096).astype("float32")
    op = Op.get(f"tir.{name}")
    program = elementwise([lambda a: tir.Call(a.dtype, op, (a,))], [DType("float32")], len(x))
    result = np.zeros_like(x)
    llvm.build(program, target="llvm -mattr=-fma,-f16c")["f"](x, result)
    reference: Any = np.vectorize(math.erf) if name == "erf" else getattr(np, name)
    exact = reference(x.astype("float64"))
    units = np.abs(result - exact) / np.spacing(np.abs(exact).astype("float32"))
    assert units.max() <= bound + 1.5
