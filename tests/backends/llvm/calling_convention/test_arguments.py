"""What a built function takes, and what it says about everything else."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tvm_ffi
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tests.backends.llvm.kernels import Array, build_text
from tvmscript.backends.llvm.calling_convention.adapt_arguments import ArgumentAdapter
from tvmscript.backends.runtime import errors
from tvmscript.backends.runtime.array import array, zeros
from tvmscript.backends.runtime.errors import WrongScalar
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core.errors import TVMScriptError

MATMUL = """
@T.prim_func
def matmul(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, 4), "float32")
    B = T.match_buffer(b, (4, m), "float32")
    C = T.match_buffer(c, (n, m), "float32")
    for i, j, k in T.grid(n, m, 4):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""
COPY = """
@T.prim_func
def copy(A: T.Buffer((8,), "{dtype}"), B: T.Buffer((8,), "{dtype}")):
    for i in range(8):
        B[i] = A[i]
"""


@pytest.fixture(scope="module")
def matmul() -> Module:
    return build_text(MATMUL)


def operands() -> list[Array]:
    rng = np.random.default_rng(0)
    return [rng.random((3, 4), np.float32), rng.random((4, 5), np.float32), np.zeros((3, 5), np.float32)]


def test_numpy_arrays_are_used_in_place(matmul: Module) -> None:
    a, b, c = operands()
    assert matmul["matmul"](a, b, c) is None
    np.testing.assert_allclose(c, a @ b, rtol=1e-6)


def test_other_arrays(matmul: Module) -> None:
    """tvm-ffi tensors, our own arrays, anything with DLPack."""
    a, b, c = operands()
    tensors = [tvm_ffi.from_dlpack(x) for x in (a, b, c)]
    matmul["matmul"](*tensors)
    np.testing.assert_allclose(c, a @ b, rtol=1e-6)
    ours = [array(a), array(b), zeros((3, 5))]
    matmul["matmul"](*ours)
    np.testing.assert_allclose(ours[2].numpy(), a @ b, rtol=1e-6)


def test_memory_without_alignment(matmul: Module) -> None:
    a, b, _ = operands()
    raw = np.zeros(15 * 4 + 65, np.uint8)
    start = (-raw.ctypes.data) % 64 + 4
    c = raw[start : start + 60].view(np.float32).reshape(3, 5)
    matmul["matmul"](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-6)


def test_empty_arrays(matmul: Module) -> None:
    """Sizes of 0 are sizes: nothing is written, and a sum of nothing is 0 rows of it."""
    c = np.zeros((0, 5), "float32")
    assert matmul["matmul"](np.zeros((0, 4), "float32"), np.zeros((4, 5), "float32"), c) is None
    assert c.shape == (0, 5)


def floats(*shape: int) -> Array:
    return np.zeros(shape, "float32")


MISTAKES: list[tuple[type[TVMScriptError], str, Any]] = [
    (errors.WrongNumberOfArguments, "matmul takes 3 arguments, but got 2", lambda a, b, c: (a, b)),
    (errors.WrongArrayShape, r"B .*extent 4 in dimension 0, but got 6", lambda a, b, c: (a, floats(6, 5), c)),
    (errors.WrongArrayShape, r"C .*extent 5 in dimension 1, but got 7", lambda a, b, c: (a, b, floats(3, 7))),
    (errors.WrongArrayDType, r"A .*float32, but got .*float64", lambda a, b, c: (a.astype("float64"), b, c)),
    (errors.WrongArrayDType, r"A .*float32, but got .*int32", lambda a, b, c: (a.astype("int32"), b, c)),
    (errors.WrongArrayRank, r"A .*2 dimensions, but got 3", lambda a, b, c: (a[None], b, c)),
    (errors.WrongArrayStrides, r"B .*compact.*\(1, 4\)", lambda a, b, c: (a, np.asfortranarray(b), c)),
    (errors.WrongArrayStrides, r"A .*compact.*\(-4, 1\)", lambda a, b, c: (a[::-1], b, c)),
    (errors.NotAnArray, r"B .*array, but got an int", lambda a, b, c: (a, 3, c)),
    (errors.NotAnArray, r"B .*array, but got None", lambda a, b, c: (a, None, c)),
    (errors.NotAnArray, r"B .*array, but got a str", lambda a, b, c: (a, "no", c)),
    (errors.NotAnArray, r"B .*array, but got a list", lambda a, b, c: (a, [1.0], c)),
]  # fmt: skip


@pytest.mark.parametrize(("error", "text", "change"), MISTAKES, ids=lambda value: getattr(value, "__name__", None))
def test_mistakes(matmul: Module, error: type[TVMScriptError], text: str, change: Any) -> None:
    """Each message names the function, the argument, what is expected and what came."""
    with pytest.raises(error) as raised:
        matmul["matmul"](*change(*operands()))
    assert raised.value.text.startswith("matmul")
    assert re.search(text, raised.value.text)


def test_the_error_has_its_facts(matmul: Module) -> None:
    a, b, _ = operands()
    with pytest.raises(errors.WrongArrayShape) as raised:
        matmul["matmul"](a, b, np.zeros((3, 9), "float32"))
    assert raised.value.facts == {"function": "matmul", "name": "C", "expected": "5", "axis": "1", "got": "9"}
    assert raised.value.code == "TS5014"


def test_the_place_of_arrays_that_cannot_be_written(matmul: Module) -> None:
    a, b, c = operands()
    c.flags.writeable = False
    with pytest.raises(errors.ReadOnlyArray) as raised:
        matmul["matmul"](a, b, c)
    assert raised.value.span is not None
    assert raised.value.span.line == 8


def test_the_facts_of_strides() -> None:
    """What is expected is no part of the name."""
    module = build_text("""
@T.prim_func
def f(a: T.handle, r: T.int32):
    A = T.match_buffer(a, (4, 3), "float32", strides=(r, 1))
    A[0, 0] = T.float32(1)
""")
    with pytest.raises(errors.WrongArrayStrides) as raised:
        module["f"](np.asfortranarray(floats(4, 3)), 1)
    facts = {"function": "f", "name": "A", "expected": "must have the stride 1 in dimension 1", "got": "(1, 4)"}
    assert raised.value.facts == facts


@pytest.mark.parametrize("name", ["bool", "int8", "uint16", "int64", "float16", "float64"])
def test_dtypes_that_numpy_has(name: str) -> None:
    source = np.arange(8).astype(name)
    target = np.zeros(8, name)
    build_text(COPY.format(dtype=name))["copy"](source, target)
    np.testing.assert_array_equal(target, source)


@pytest.mark.parametrize(
    ("name", "numpy_name"), [("bfloat16", "bfloat16"), ("e4m3_float8", "float8_e4m3fn"), ("int4", "int4")]
)
def test_dtypes_of_ml_dtypes(name: str, numpy_name: str) -> None:
    """As arrays of ml_dtypes, and as plain arrays of their bit patterns."""
    copy = build_text(COPY.format(dtype=name))["copy"]
    kind = getattr(ml_dtypes, numpy_name)
    source, target = np.arange(8).astype(kind), np.zeros(8, kind)
    copy(source, target)
    assert (source == target).all()
    plain = np.dtype({"bfloat16": "uint16", "e4m3_float8": "uint8", "int4": "int8"}[name])
    patterns, result = np.arange(8).astype(plain), np.zeros(8, plain)
    copy(patterns, result)
    np.testing.assert_array_equal(result, patterns)
    with pytest.raises(errors.WrongArrayDType):
        copy(np.zeros(8, ml_dtypes.float8_e5m2), target)


@pytest.mark.parametrize("name", ["bfloat16", "float8_e5m2"])
def test_native_code_takes_arrays_of_ml_dtypes_from_the_second_call_on(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = build_text(COPY.format(dtype=name))["copy"]
    kind = np.dtype(getattr(ml_dtypes, name))
    source, target = np.arange(8).astype(kind), np.zeros(8, kind)
    copy(source, target)
    monkeypatch.setattr(ArgumentAdapter, "adapt", lambda adapter, args: pytest.fail("a view was made"))
    source = source[::-1].copy()
    copy(source, target)
    assert (source == target).all()
    with pytest.raises(errors.WrongArrayDType, match=name):
        build_text(COPY.format(dtype="float32"))["copy"](source, np.zeros(8, "float32"))
    monkeypatch.undo()
    source.flags.writeable = False
    copy(source, target)
    with pytest.raises(errors.ReadOnlyArray):
        copy(target, source)
    with pytest.raises(errors.WrongArrayStrides):
        copy(np.zeros(16, kind)[::2], target)


def test_bool_arrays_as_bytes() -> None:
    source, target = np.array([0, 1, 2, 0, 255, 0, 0, 1], np.uint8), np.zeros(8, np.uint8)
    build_text(COPY.format(dtype="bool"))["copy"](source, target)
    np.testing.assert_array_equal(target, source != 0)


def test_foreign_byte_order_is_refused() -> None:
    with pytest.raises(TVMScriptError):
        build_text(COPY.format(dtype="float32"))["copy"](np.zeros(8, ">f4"), np.zeros(8, "f4"))


def test_read_only_arrays() -> None:
    """They may be read; writing to one is refused by name."""
    copy = build_text(COPY.format(dtype="float32"))["copy"]
    source, target = np.arange(8, dtype="float32"), np.zeros(8, "float32")
    source.flags.writeable = False
    copy(source, target)
    np.testing.assert_array_equal(target, source)
    with pytest.raises(errors.ReadOnlyArray, match="the array B"):
        copy(target, source)
    assert source[3] == 3.0


SCALARS = """
@T.prim_func
def fill(A: T.Buffer((4,), "float64"), flag: T.bool, small: T.int8, wide: T.uint64, real: T.float32):
    A[0] = T.Cast("float64", flag)
    A[1] = T.Cast("float64", small)
    A[2] = T.Cast("float64", wide)
    A[3] = T.Cast("float64", real)
"""


def test_scalars() -> None:
    """Python's numbers are converted; integers must fit."""
    fill = build_text(SCALARS)["fill"]
    out = np.zeros(4)
    fill(out, True, -128, 2**64 - 1, 0.1)
    np.testing.assert_array_equal(out, [1.0, -128.0, float(2**64 - 1), float(np.float32(0.1))])
    fill(out, np.bool_(False), np.int8(5), 7, 3)
    np.testing.assert_array_equal(out, [0.0, 5.0, 7.0, 3.0])
    for bad in [
        (out, 2, 0, 0, 0.0),
        (out, True, 128, 0, 0.0),
        (out, True, 0, -1, 0.0),
        (out, True, 0.5, 0, 0.0),
        (out, True, 0, 2**64, 0.0),
        (out, True, 0, 0, "x"),
    ]:
        with pytest.raises(errors.WrongScalar):
            fill(*bad)


SYMBOLS = """
@T.prim_func
def twice(a: T.handle, b: T.handle, n: T.int64):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n * T.int64(2),), "int32")
    for i in range(n):
        B[i * T.int64(2)] = A[i]
        B[i * T.int64(2) + T.int64(1)] = A[i]
"""


def test_sizes_as_expressions_and_parameters() -> None:
    """A size that is a parameter is checked against the shape, and so is an expression of it."""
    twice = build_text(SYMBOLS)["twice"]
    out = np.zeros(6, "int32")
    twice(np.array([1, 2, 3], "int32"), out, 3)
    np.testing.assert_array_equal(out, [1, 1, 2, 2, 3, 3])
    with pytest.raises(errors.WrongArrayShape, match=r"B .*extent 6"):
        twice(np.zeros(3, "int32"), np.zeros(5, "int32"), 3)
    with pytest.raises(errors.WrongArrayShape, match=r"A .*extent 4"):
        twice(np.zeros(3, "int32"), np.zeros(6, "int32"), 4)


STRIDED = """
@T.prim_func
def rows(a: T.handle, b: T.handle):
    s = T.int32()
    o = T.int32()
    A = T.match_buffer(a, (3, 4), "float32", strides=(s, 1), elem_offset=o)
    B = T.match_buffer(b, (3, 4), "float32")
    for i, j in T.grid(3, 4):
        B[i, j] = A[i, j]
"""


def test_strides_are_bound() -> None:
    rows = build_text(STRIDED)["rows"]
    base = np.arange(60, dtype="float32").reshape(6, 10)
    out = np.zeros((3, 4), "float32")
    for view in (base[::2, 3:7], base[:3, :4], np.ascontiguousarray(base[:3, :4]), base[3::-1, 2:6][:3]):
        rows(view, out)
        np.testing.assert_array_equal(out, view)
    with pytest.raises(errors.WrongArrayStrides, match="stride 1 in dimension 1"):
        rows(base[:3, :8:2], out)


EMPTY = """
@T.prim_func
def f(a: T.handle):
    T.func_attr({"global_symbol": "f"})
    n = T.int32()
    m = T.int32()
    s = T.int32()
    A = T.match_buffer(a, (n, m), "uint8", strides=(s, 1))
    for i, j in T.grid(n, m):
        A[i, j] = A[i, j] + T.uint8(1)
"""


@pytest.mark.parametrize("target", ["interp", "llvm", "c"])
def test_strides_of_empty_arrays(target: str) -> None:
    """They do not matter: NumPy hands over zeros."""
    f = build_text(EMPTY, target)["f"]
    f(np.zeros((0, 10), "uint8")[:, ::2])
    f(np.zeros((10, 0), "uint8").T)
    f(np.zeros((4, 10), "uint8")[:, :1])
    with pytest.raises(errors.WrongArrayStrides):
        f(np.zeros((4, 10), "uint8")[:, ::2])


def test_byte_offsets() -> None:
    """A tensor that begins inside of its memory, as DLPack can say."""
    copy = build_text(COPY.format(dtype="float32"))["copy"]
    source, target = np.arange(12, dtype="float32"), np.zeros(8, "float32")
    copy(tvm_ffi.from_dlpack(source[4:]), target)
    np.testing.assert_array_equal(target, source[4:])


def test_pointers_and_results() -> None:
    """A handle parameter takes an address or None; T.ret gives a number."""
    module = build_text("""
@T.prim_func
def is_set(p: T.handle, x: T.float32) -> T.bool:
    if T.isnullptr(p):
        T.evaluate(T.ret(T.bool(False)))
    T.evaluate(T.ret(x > T.float32(1)))
""")
    assert module["is_set"](None, 2.0) is False
    assert module["is_set"](ctypes.c_void_p(8), 2.0) is True
    assert module["is_set"](ctypes.c_void_p(8), 0.5) is False


NUMBERS = st.one_of(
    st.integers(-(2**70), 2**70),
    st.sampled_from(
        [2**63, 2**64 - 1, 2**64, -(2**63) - 1, 10**400, True, np.bool_(True), np.float32(1.5), 1 + 2j, None]
    ),
    st.integers(0, 2**64 - 1).map(np.uint64),
    st.integers(-(2**63), 2**63 - 1).map(np.int64),
    st.integers(0, 255).map(np.uint8),
    st.floats(),
    st.floats(width=32).map(np.float32),
)
NUMERIC_DTYPES = ("int8", "uint8", "int32", "int64", "uint64", "bool", "float16", "float32", "float64")


@pytest.mark.parametrize("dtype", NUMERIC_DTYPES)
@settings(max_examples=150)
@given(NUMBERS)
def test_numbers_as_the_interpreter_takes_them(dtype: str, number: object) -> None:
    """Both refuse a number, or both take it for the same one."""
    results: list[object] = []
    for function in _stores_of(dtype):
        stored = np.zeros(1, dtype)
        try:
            function(number, stored)
        except WrongScalar:
            results.append("refused")
        else:
            results.append(stored.tobytes() if stored[0] == stored[0] else "nan")
    assert results[0] == results[1]


@cache
def _stores_of(dtype: str) -> list[Callable[..., object]]:
    text = f"""@T.prim_func
def f(x: T.{dtype}, B: T.Buffer((1,), "{dtype}")):
    B[0] = x
"""
    return [tvmscript.build(tvmscript.from_source(text), target=target)["f"] for target in ("interp", "llvm")]


def test_unsigned_number_for_a_float() -> None:
    """The calling convention has no such integer: it is converted first."""
    stored = np.zeros(1, "float64")
    _stores_of("float64")[1](np.uint64(2**63), stored)
    assert stored[0] == 2.0**63
