"""8-bit floats in other floats: every value is converted as the interpreter does it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import tvmscript
from tvmscript.backends import interp
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.dtypes.fp8_compute_legalize import FP8ComputeLegalize

NARROW = ("e4m3_float8", "e5m2_float8")
#: bits of float32 numbers around every end of the narrow ones: 0, subnormal, normal, too large, infinite, NaN
POWERS = [2.0**exponent for exponent in (-17, -16, -14, -10, -9, -7, -6, 16)]
EDGES = np.array([0, *POWERS, 448, 464, 480, 57344, 61440, np.inf], "float32").view("uint32")


def floats() -> NDArray[np.uint32]:
    """Float32 numbers as bits, of both signs."""
    near = (EDGES[:, None] + np.arange(-2, 3, dtype="int64")).ravel().clip(0, 0x7FFFFFFF)
    some = np.random.default_rng(0).integers(0x33000000, 0x48000000, 600)
    bits = np.concatenate([near, some, [0x7FC00000, 0x7F800001, 0x7FFFFFFF]]).astype("uint32")
    return np.concatenate([bits, bits | np.uint32(0x80000000)])


def kernel(narrow: str, wide: str, count: int) -> PrimFunc:
    made = tvmscript.from_source(f"""
@T.prim_func
def main(
    A: T.Buffer((256,), "uint8"),
    B: T.Buffer((256,), "{wide}"),
    C: T.Buffer(({count},), "{wide}"),
    D: T.Buffer(({count},), "uint8"),
):
    for i in range(256):
        B[i] = T.Cast("{wide}", T.reinterpret("{narrow}", A[i]))
    for i in range({count}):
        D[i] = T.reinterpret("uint8", T.Cast("{narrow}", C[i]))
""")
    assert isinstance(made, PrimFunc)
    return made


@pytest.mark.parametrize("wide", ["float32", "float16"])
@pytest.mark.parametrize("narrow", NARROW)
def test_every_value(narrow: str, wide: str) -> None:
    given = floats().view("float32")
    if wide == "float16":
        with np.errstate(over="ignore", invalid="ignore"):
            given = given.astype("float16")
    func = kernel(narrow, wide, len(given))
    made: list[tuple[NDArray[np.generic], NDArray[np.uint8]]] = []
    for each in (func, FP8ComputeLegalize(promote_dtype_str=wide, is_exact_for_all=True)(func)):
        widened, narrowed = np.zeros(256, wide), np.zeros(len(given), "uint8")
        interp.build(each)["main"](np.arange(256, dtype="uint8"), widened, given.copy(), narrowed)
        made.append((widened, narrowed))
    (expected, expected_bits), (widened, narrowed) = made
    np.testing.assert_array_equal(widened, expected)
    is_nan = np.isnan(given)
    np.testing.assert_array_equal(narrowed[~is_nan], expected_bits[~is_nan])
    least = 0x7F if narrow == "e4m3_float8" else 0x7D
    assert ((narrowed[is_nan] & 0x7F) >= least).all()


def test_pipelines_for_devices_take_it() -> None:
    text = """
@T.prim_func
def main(A: T.Buffer((32,), "e4m3_float8"), B: T.Buffer((32,), "e4m3_float8")):
    T.func_attr({"global_symbol": "main"})
    for i in T.thread_binding(32, thread="threadIdx.x"):
        B[i] = A[i] + A[i]
"""
    lowered = tvmscript.lower(tvmscript.from_source(text), "cuda -arch=sm_80")
    given, made = np.arange(32, dtype="uint8"), np.zeros(32, "uint8")
    tvmscript.build(lowered, target="interp")["main"](given, made)
    before = np.zeros(32, "uint8")
    tvmscript.build(tvmscript.from_source(text), target="interp")["main"](given, before)
    np.testing.assert_array_equal(made, before)
