"""Calls out of a kernel: C functions, packed functions, functions of the module, LLVM's intrinsics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm_ffi

import tvmscript
from tests.backends.llvm.kernels import build_text, elementwise
from tvmscript.backends import llvm
from tvmscript.backends.llvm.errors import NotSupportedByLLVM, UnknownPackedFunction
from tvmscript.backends.runtime.errors import UnknownSymbol, WrongArrayShape
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.intrin import bits, packed


def test_c_functions() -> None:
    """Found in the process by name; an unknown one is refused when the module is built."""
    module = build_text("""
@T.prim_func
def roots(A: T.Buffer((4,), "float64")):
    for i in range(4):
        A[i] = T.call_extern("float64", "cbrt", A[i]) + T.call_pure_extern("float64", "fabs", T.float64(-1))
""")
    got = np.array([8.0, 27.0, 1.0, 64.0])
    module["roots"](got)
    np.testing.assert_allclose(got, [3.0, 4.0, 2.0, 5.0])
    with pytest.raises(UnknownSymbol, match="no_such_function_anywhere"):
        build_text("""
@T.prim_func
def f(A: T.Buffer((4,), "float64")):
    A[0] = T.call_extern("float64", "no_such_function_anywhere", A[0])
""")


PACKED = """
@T.prim_func
def outer(A: T.Buffer((2, 3), "float32"), n: T.int32):
    T.evaluate(T.call_packed("tvmscript.test.record", A, n, T.float32(0.5), "text", T.bool(True)))
    A[0, 0] = T.Cast("float32", T.call_packed("tvmscript.test.count", n))
"""


def test_packed_functions() -> None:
    """Python functions that are registered with tvm-ffi get arrays, numbers and strings, and give numbers."""
    seen: list[Any] = []

    def record(array: Any, *rest: Any) -> list[int]:
        view = np.from_dlpack(array)
        view[1] = 7
        seen.append((view.shape, *rest))
        return [1, 2]

    tvm_ffi.register_global_func("tvmscript.test.record", record, override=True)
    tvm_ffi.register_global_func("tvmscript.test.count", lambda n: n + 1, override=True)
    data = np.zeros((2, 3), "float32")
    outer = build_text(PACKED)["outer"]
    for _ in range(3):
        outer(data, 41)
    assert seen == [((2, 3), 41, 0.5, "text", True)] * 3
    np.testing.assert_array_equal(data, [[42, 0, 0], [7, 7, 7]])


def test_errors_of_packed_functions() -> None:
    """What a packed function raises passes through the kernel, from threads, too; unknown names are told."""

    def fail(index: int) -> None:
        if index == 3:
            raise ZeroDivisionError("on purpose")

    tvm_ffi.register_global_func("tvmscript.test.fail", fail, override=True)
    module = build_text("""
@I.ir_module
class M:
    @T.prim_func
    def serial(n: T.int32):
        T.func_attr({"global_symbol": "serial"})
        for i in range(n):
            T.evaluate(T.call_packed("tvmscript.test.fail", i))

    @T.prim_func
    def threads(n: T.int32):
        T.func_attr({"global_symbol": "threads"})
        for i in T.parallel(n):
            T.evaluate(T.call_packed("tvmscript.test.fail", i))

    @T.prim_func
    def missing(n: T.int32):
        T.func_attr({"global_symbol": "missing"})
        T.evaluate(T.call_packed("tvmscript.test.nobody", n))
""")
    for name in ("serial", "threads"):
        module[name](3)
        with pytest.raises(Exception, match="on purpose"):
            module[name](8)
    with pytest.raises(UnknownPackedFunction, match=r"tvmscript\.test\.nobody"):
        module["missing"](1)


def test_functions_of_the_module() -> None:
    """Private functions of numbers are called directly; functions of buffers check what they are handed."""
    module = build_text("""
@I.ir_module
class M:
    @T.prim_func(private=True)
    def square(x: T.float32) -> T.float32:
        T.evaluate(T.ret(x * x))

    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        T.func_attr({"global_symbol": "main"})
        for i in range(4):
            A[i] = M.square(A[i]) + T.float32(1)
""")
    got = np.array([1, 2, 3, 4], "float32")
    module["main"](got)
    np.testing.assert_array_equal(got, [2, 5, 10, 17])
    assert "square" not in module


NESTED = """
@I.ir_module
class M:
    @T.prim_func(private=True)
    def double(a: T.handle):
        A = T.match_buffer(a, ({size},), "float32")
        for i in range({size}):
            A[i] = A[i] * T.float32(2)

    @T.prim_func
    def main(a: T.handle):
        T.func_attr({{"global_symbol": "main"}})
        A = T.match_buffer(a, (4,), "float32")
        M.double(a)
        A[0] = T.float32(0)
"""


def test_a_float_for_an_integer_parameter_is_refused() -> None:
    """As the interpreter does: it would be cut off without a word. (The verifier finds it before.)"""
    unchecked = tvmscript.from_source(
        """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def twice(n: T.int32) -> T.int32:
        T.ret(n * 2)

    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        A[0] = T.Cast("float32", Module.twice(A[1]))
""",
        check_well_formed=False,
    )
    with pytest.raises(NotSupportedByLLVM, match="gives float32 for the int32 parameter n"):
        tvmscript.build(unchecked, target="llvm")


def test_functions_of_buffers() -> None:
    got = np.arange(4, dtype="float32")
    build_text(NESTED.format(size=4))["main"](got)
    np.testing.assert_array_equal(got, [0, 2, 4, 6])
    with pytest.raises(WrongArrayShape, match=r"double: .*5.*4"):
        build_text(NESTED.format(size=5))["main"](got)


def test_llvm_intrinsics() -> None:
    """By name, overloaded by the result's dtype."""

    def fused(a: Expr) -> Expr:
        return packed.call_llvm_pure_intrin(tir.StringImm("llvm.fma"), a, a, a, dtype=a.dtype)

    for lanes in (1, 4):
        data, got = np.arange(8, dtype="float64"), np.zeros(8)
        llvm.build(elementwise([fused], [DType("float64")], 8, lanes))["f"](data, got)
        np.testing.assert_array_equal(got, data * data + data)


def test_halves_of_two_lanes() -> None:
    """The halves of a vector of two are numbers."""
    module = build_text("""
@T.prim_func
def swap(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(4):
        B[i * 2 : i * 2 + 2] = T.vectorcombine(
            "float32x2",
            T.vectorhigh("float32", A[i * 2 : i * 2 + 2]),
            T.vectorlow("float32", A[i * 2 : i * 2 + 2]),
        )
""")
    got = np.zeros(8, "float32")
    module["swap"](np.arange(8, dtype="float32"), got)
    np.testing.assert_array_equal(got, [1, 0, 3, 2, 5, 4, 7, 6])


def test_fixed_point_products() -> None:
    """round(x * y * 2 ** (s - q)), as in the reference of the operator."""
    rng = np.random.default_rng(0)
    x, y = (rng.integers(-(2**31), 2**31, 64).astype("int32") for _ in range(2))
    s = rng.integers(-8, 8, 64).astype("int32")

    def product(a: Expr, b: Expr, c: Expr) -> Expr:
        q = tir.IntImm("int32", 31)
        q_lanes = q if a.dtype.lanes == 1 else tir.Broadcast(q, a.dtype.lanes)
        return bits.q_multiply_shift(a, b, q_lanes, c, dtype=a.dtype)

    reference: Any = bits.q_multiply_shift.reference
    want = [reference(int(a), int(b), 31, int(c)) for a, b, c in zip(x, y, s, strict=True)]
    small = np.abs(np.array(want)) < 2**31
    for lanes in (1, 4):
        got = np.zeros(64, "int32")
        llvm.build(elementwise([product], [DType("int32")] * 3, 64, lanes))["f"](x, y, s, got)
        np.testing.assert_array_equal(got[small & (s <= 0)], np.array(want)[small & (s <= 0)])
