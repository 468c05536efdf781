"""Products on tensor cores: values in the interpreter, faults and bank conflicts, registers of the compiled kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import ARCHITECTURES, needs_nvrtc
from tests.ir.schedule.default.gpu.test_rules import convolution, program
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.gpu import matmul_tensorization, tile_model
from tvmscript.ir.schedule.default.gpu.last_wave import separate_last_wave
from tvmscript.ir.schedule.default.gpu.tile_model import WarpTiling
from tvmscript.ir.tir import Call, PrimFunc

PRODUCT = """
@T.prim_func
def main(A: T.Buffer(({a}), "{dtype}"), B: T.Buffer(({b}), "{dtype}"), C: T.Buffer(({n}, {m}), "{out}")):
    T.func_attr({{"dlight.allow_tf32": True}})
    for i, j, k in T.grid({n}, {m}, {k}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.{out}(0)
            C[vi, vj] = C[vi, vj] + T.cast(A[{at_a}], "{out}") * T.cast(B[{at_b}], "{out}")
"""
WITH_EPILOGUE = """
@T.prim_func
def main(A: T.Buffer((2, 20, 24), "float16"), B: T.Buffer((2, 24, 30), "float16"), E: T.Buffer((30,), "float16"),
         D: T.Buffer((2, 20, 30), "float16")):
    C = T.alloc_buffer((2, 20, 30), "float32")
    for b, i, j, k in T.grid(2, 20, 30, 24):
        with T.block("C"):
            vb, vi, vj, vk = T.axis.remap("SSSR", [b, i, j, k])
            with T.init():
                C[vb, vi, vj] = T.float32(0)
            C[vb, vi, vj] = C[vb, vi, vj] + T.cast(A[vb, vi, vk], "float32") * T.cast(B[vb, vk, vj], "float32")
    for b, i, j in T.grid(2, 20, 30):
        with T.block("D"):
            vb, vi, vj = T.axis.remap("SSS", [b, i, j])
            D[vb, vi, vj] = T.cast(T.max(C[vb, vi, vj] + T.cast(E[vj], "float32"), T.float32(0)), "float16")
"""
FOUR_BIT_WEIGHTS = """
@T.prim_func
def main(A: T.Buffer((32, 64), "float16"), W: T.Buffer((32, 32), "uint8"), S: T.Buffer((32, 2), "float16"),
         C: T.Buffer((32, 32), "float32")):
    B = T.alloc_buffer((32, 64), "float16")
    for j, k in T.grid(32, 64):
        with T.block("B"):
            vj, vk = T.axis.remap("SS", [j, k])
            B[vj, vk] = (T.cast(T.bitwise_and(T.shift_right(W[vj, vk // 2], T.cast(vk % 2 * 4, "uint8")), T.uint8(15)),
                                "float16") - T.float16(8)) * S[vj, vk // 32]
    for i, j, k in T.grid(32, 32, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "float32") * T.cast(B[vj, vk], "float32")
"""
#: `n` rows of any number
SYMBOLIC_ROWS = """
@T.prim_func
def main(a: T.handle, B: T.Buffer((64, 64), "float16"), c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 64), "float16")
    C = T.match_buffer(c, (n, 64), "float32")
    for i, j, k in T.grid(n, 64, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "float32") * T.cast(B[vj, vk], "float32")
"""
#: X @ X.T or X.T @ X
GRAM = """
@T.prim_func
def main(X: T.Buffer(({a}), "{dtype}"), C: T.Buffer(({n}, {n}), "float32")):
    T.func_attr({{"dlight.allow_tf32": True}})
    for i, j, k in T.grid({n}, {n}, {k}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.cast(X[{left}], "float32") * T.cast(X[{right}], "float32")
"""

TARGET = Target.make("cuda -arch=sm_90a")
DTYPES = [
    ("float16", "float32"), ("float16", "float16"), ("bfloat16", "float32"), ("float32", "float32"), ("int8", "int32"),
    ("e4m3_float8", "float32"),
]  # fmt: skip
#: layouts of float16 operands, and of others
LAYOUTS = ["nn", "nt", "tn", "tt"]
OTHER_LAYOUTS = ["nt", "tn"]


def product(n: int, m: int, k: int, dtype: str, out: str, layout: str) -> str:
    """Return a product; `t` in the layout: the operand is stored transposed."""
    a, at_a = (f"{k}, {n}", "vk, vi") if layout[0] == "t" else (f"{n}, {k}", "vi, vk")
    b, at_b = (f"{m}, {k}", "vj, vk") if layout[1] == "t" else (f"{k}, {m}", "vk, vj")
    return PRODUCT.format(a=a, b=b, at_a=at_a, at_b=at_b, n=n, m=m, k=k, dtype=dtype, out=out)


def gram(n: int, k: int, dtype: str, layout: str) -> str:
    """Return the products of an array with itself."""
    left, right = ("vi, vk", "vj, vk") if layout == "nt" else ("vk, vi", "vk, vj")
    return GRAM.format(n=n, k=k, a=f"{n}, {k}" if layout == "nt" else f"{k}, {n}", dtype=dtype, left=left, right=right)


def scheduled(text: str, target: Target = TARGET) -> IRModule:
    sch = gpu.MatmulTensorization().apply(program(text), target, False)
    assert sch is not None
    return sch.mod


CASES = {
    **{
        f"{dtype} to {out} {layout}": product(32, 32, 64, dtype, out, layout)
        for place, (dtype, out) in enumerate(DTYPES)
        for layout in (OTHER_LAYOUTS if place else LAYOUTS)
    },
    **{f"an array with itself, {layout}": gram(19, 34, "float16", layout) for layout in ("nt", "tn")},
    "odd sizes": product(19, 35, 34, "float16", "float32", "nt"),
    "sizes of whole vectors": product(24, 40, 40, "float16", "float32", "tn"),
    "batches and an epilogue": WITH_EPILOGUE,
    "weights of four bits": FOUR_BIT_WEIGHTS,
    "rows of any number": SYMBOLIC_ROWS,
    **{f"convolution {layout}": convolution(layout, "float16") for layout in ("NHWC", "NCHW")},
}  #: cases without conflicts of banks, of which all sectors are whole
HAVE_NO_NOTES = {*(f"float16 to float32 {layout}" for layout in LAYOUTS), "int8 to int32 nt", "sizes of whole vectors"}


def arguments(func: PrimFunc) -> list[Any]:
    return [argument.value for argument in random_inputs(func, dims={"n": 70})]


def reference(func: PrimFunc) -> list[Any]:
    """Return the arguments after a call of the function as it stands, compiled by LLVM."""
    arrays = arguments(func)
    tvmscript.build(func, target="llvm", default_schedule=False)["main"](*arrays)
    return arrays


#: cases of every run: each dtype, each layout, an epilogue
SHORT = {
    "float16 to float32 nn", "float16 to float32 tt", "bfloat16 to float32 nt", "int8 to int32 tn",
    "float32 to float32 nt", "e4m3_float8 to float32 nt", "batches and an epilogue", "weights of four bits",
    "an array with itself, tn",
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in CASES]
)
def test_values_and_faults(name: str) -> None:
    func = program(CASES[name])
    expected, actual = reference(func), arguments(func)
    report = run_sanitized(tvmscript.lower(scheduled(CASES[name]), TARGET), "main", actual)
    assert report.errors == ()
    if name in HAVE_NO_NOTES:
        assert report.notes == ()
    one, other = (np.asarray(arrays[-1], "float64") for arrays in (actual, expected))
    tolerance = 3e-2 if str(actual[-1].dtype) == "float16" else 1e-4
    np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
    loads = [sums for site, sums in report.traffic.items() if isinstance(site, Call)]
    assert loads
    assert all(sums.cost == sums.ideal for sums in loads)


@pytest.mark.parametrize("arch", ["sm_80", "sm_90a"])
def test_few_tiles_of_many_terms_are_split(arch: str) -> None:
    """Parts of the terms are a batch of blocks, and a second launch adds their sums."""
    func = program(product(64, 64, 16384, "float16", "float32", "nt"))
    assert tvmscript.build(func, target=f"cuda -arch={arch}").get_source().count("__global__") == 2


def test_values_of_split_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms are split in three parts."""
    monkeypatch.setattr(tile_model, "_LEAST_TERMS", 32)
    func = program(product(20, 35, 96, "float16", "float32", "nn"))
    actual = arguments(func)
    mod = tvmscript.lower(scheduled(product(20, 35, 96, "float16", "float32", "nn")), TARGET)
    assert run_sanitized(mod, "main", actual).errors == ()
    left, right, result = (np.asarray(array, "float64") for array in actual)
    np.testing.assert_allclose(result, left @ right, rtol=1e-3, atol=1e-3)


#: 84 rows: three tiles, of which two are computed at once
THREE_TILES = """
@T.prim_func
def main(A: T.Buffer((84, 64), "float16"), B: T.Buffer((30, 64), "float16"), E: T.Buffer((30,), "float16"),
         R: T.Buffer((84, 30), "float16"), D: T.Buffer((84, 30), "float16")):
    C = T.alloc_buffer((84, 30), "float32")
    S = T.alloc_buffer((84, 30), "float32")
    for i, j, k in T.grid(84, 30, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "float32") * T.cast(B[vj, vk], "float32")
    for i, j in T.grid(84, 30):
        with T.block("S"):
            vi, vj = T.axis.remap("SS", [i, j])
            S[vi, vj] = C[vi, vj] + T.cast(E[vj], "float32")
    for i, j in T.grid(84, 30):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.cast(S[vi, vj], "float16") + R[vi, vj]
"""


def compute_two_tiles_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a device compute two tiles of 32 x 32 at once, and launches cost nothing."""
    monkeypatch.setattr(matmul_tensorization, "_TILINGS", (WarpTiling(32, 32, 2, 2),))
    for module in (matmul_tensorization, tile_model):
        monkeypatch.setattr(module, "multiprocessors", lambda target: 2)
    monkeypatch.setattr(tile_model, "LAUNCH", 0)
    monkeypatch.setattr(tile_model, "_PRODUCTS_PER_PARTIAL_SUM", 0)
    monkeypatch.setattr(tile_model, "_LEAST_TERMS", 32)


@pytest.mark.parametrize("layout", ["epilogue", pytest.param("nn", marks=pytest.mark.long)])
def test_rows_of_the_last_wave_are_another_product(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tiles are a wave, parts of the terms of the third one are another one, and a launch adds these."""
    compute_two_tiles_at_once(monkeypatch)
    text = THREE_TILES if layout == "epilogue" else product(84, 30, 64, "float16", "float32", layout)
    expected, actual = reference(program(text)), arguments(program(text))
    mod = tvmscript.lower(scheduled(text), TARGET)
    assert len(mod.functions) == 1 + 3
    assert run_sanitized(mod, "main", actual).errors == ()
    np.testing.assert_allclose(actual[-1], expected[-1], rtol=3e-2, atol=3e-2)


@pytest.mark.parametrize(
    ("residual", "is_separated"),
    [("R[83 - vi, vj]", False), ("R[vi // 2, vj]", False), ("B[vj, vi % 64]", False), ("A[vi, vj]", True)],
)
def test_functions_of_other_rows_stay_whole(residual: str, is_separated: bool) -> None:
    func = program(THREE_TILES.replace("R[vi, vj]", residual))
    assert (separate_last_wave(func, lambda *_: 64) is not None) is is_separated


@needs_nvrtc
@pytest.mark.parametrize("dtype", dict(DTYPES))
def test_large_products_compile_without_spills(dtype: str) -> None:
    text = product(4096, 4096, 4096, dtype, dict(DTYPES)[dtype], "nt")
    module: Any = tvmscript.build(scheduled(text), target="cuda -arch=sm_90a")
    (report,) = module.report()
    assert not report.spills
    assert report.stack_bytes == 0
    assert report.threads == 256


@needs_nvrtc
@pytest.mark.long
@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("name", CASES)
def test_they_compile_for_each_architecture(name: str, arch: str) -> None:
    if "e4m3" in name and arch == "sm_80":
        pytest.skip("tensor cores take 8-bit floats from sm_89 on")
    module: Any = tvmscript.build(scheduled(CASES[name]), target=f"cuda -arch={arch}")
    assert not any(report.spills or report.stack_bytes for report in module.report())


@pytest.mark.parametrize("dtype", ["int8", "float16"])
def test_a_rule_for_int8_alone(dtype: str) -> None:
    text = product(32, 32, 64, dtype, "int32" if dtype == "int8" else "float32", "nt")
    assert (gpu.MatmulInt8Tensorization().apply(program(text), TARGET, False) is not None) == (dtype == "int8")


@pytest.mark.parametrize("rule", [gpu.MatmulWGMMA, gpu.MatmulTensorization])
def test_functions_that_ask_for_no_tensor_cores(rule: type[gpu.GPURule]) -> None:
    func = program(product(64, 64, 64, "float16", "float32", "nt"))
    assert rule().apply(func, TARGET, False) is not None
    assert rule().apply(func.with_attr("dlight.do_not_tensorize", 1), TARGET, False) is None
