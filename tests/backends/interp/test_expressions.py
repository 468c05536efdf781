"""What expressions mean: laziness, vectors, single rounding, calls."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.backends.interp.running import kernel, run
from tvmscript.backends import interp
from tvmscript.backends.runtime import errors
from tvmscript.backends.runtime.array import array
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import IntImm, Let, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin import SURFACE, Intrinsic
from tvmscript.ir.tir.stmt import BufferStore

ONE = 'A: T.Buffer((4,), "float32")'


def value_of(expr: str, dtype: str = "int32", **scalars: Any) -> Any:
    """The value of an expression of scalar parameters."""
    kinds = {bool: "bool", int: "int32", float: "float32"}
    params = [f"{name}: T.{kinds[type(value)]}" for name, value in scalars.items()]
    source = kernel(", ".join([f'O: T.Buffer((1,), "{dtype}")', *params]), f"O[0] = {expr}")
    out = np.zeros(1, dtype)
    run(source, out, *scalars.values())
    return out[0]


def test_if_then_else_is_lazy_and_select_is_not() -> None:
    assert value_of("T.if_then_else(x == 0, -1, 10 // x)", x=0) == -1
    with pytest.raises(errors.DivisionByZero):
        value_of("T.Select(x == 0, -1, 10 // x)", x=0)
    assert value_of("T.Select(x == 0, -1, 10)", x=0) == -1


def test_and_or_stop_early() -> None:
    assert value_of("x != 0 and 10 // x > 1", "bool", x=0) == False  # noqa: E712
    assert value_of("x == 0 or 10 // x > 1", "bool", x=0) == True  # noqa: E712
    assert value_of("not (x == 0)", "bool", x=0) == False  # noqa: E712


def test_let() -> None:
    x = Var("x", "int32")
    out, param = make_buffer((IntImm("int32", 1),), "int32", "O"), Var("o", "handle")
    body = BufferStore(out, Let(x, IntImm("int32", 5), x * x), (IntImm("int32", 0),))
    result = np.zeros(1, "int32")
    interp.build(PrimFunc((param,), body, None, {param: out}))["main"](result)
    assert result[0] == 25


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        ("T.truncdiv(x, 3)", -2),
        ("T.truncmod(x, 3)", -1),
        ("x // 3", -3),
        ("x % 3", 2),
        ("x // -3", 2),
        ("x % -3", -1),
        ("T.shift_left(x, 1)", -14),
        ("T.shift_right(x, 1)", -4),
        ("T.bitwise_and(x, 12)", 8),
        ("T.bitwise_not(x)", 6),
        ("T.bitwise_xor(x, 1)", -8),
        ("T.abs(x)", 7),
        ("T.popcount(x)", 30),
        ("T.clz(x + 8)", 31),
        ("T.min(x, 2)", -7),
        ("T.max(x, 2)", 2),
        ("T.ceildiv(x, 2)", -3),
        ("T.likely(x)", -7),
        ("T.Cast('int32', T.Cast('uint8', x))", 249),
        ("T.Cast('int32', T.Cast('float32', x) / T.float32(2))", -3),
        ("T.reinterpret('int32', T.float32(1))", 0x3F800000),
    ],
)
def test_integers(expr: str, wanted: int) -> None:
    assert value_of(expr, x=-7) == wanted


def test_single_precision_rounds_each_operation() -> None:
    """(1 + 2**-24) - 1 is 0 in singles, and 2**-24 in doubles."""
    assert value_of("(x + T.float32(2.0 ** -24)) - T.float32(1)", "float32", x=1.0) == 0.0
    x, y = np.float32(1.1), np.float32(3.3)
    got = value_of("x * y + x", "float32", x=1.1, y=3.3)
    assert got == x * y + x


@pytest.mark.parametrize(
    ("dtype", "peer", "pattern"),
    [("bfloat16", ml_dtypes.bfloat16, "uint16"), ("e4m3_float8", ml_dtypes.float8_e4m3fn, "uint8")],
)
def test_narrow_floats(dtype: str, peer: Any, pattern: str) -> None:
    source = kernel(
        f'A: T.Buffer((64,), "{dtype}"), B: T.Buffer((64,), "{dtype}")',
        "for i in range(64):",
        "    B[i] = A[i] * A[63 - i] + A[i]",
    )
    a = np.random.default_rng(0).uniform(-2, 2, 64).astype(peer)
    b = np.zeros(64, peer)
    run(source, a, b)
    assert np.array_equal(b.astype("float32"), (a * a[::-1] + a).astype("float32"))
    patterns = np.zeros(64, pattern)
    run(source, array(a), patterns)
    assert np.array_equal(patterns, b.view(patterns.dtype))


@settings(max_examples=25)
@given(st.sampled_from(["exp", "log", "tanh", "sqrt", "sin", "erf", "floor", "round", "fabs"]), st.floats(width=32))
def test_math_functions(name: str, x: float) -> None:
    op = Intrinsic.get(f"tir.{name}")
    assert isinstance(op, Intrinsic)
    assert op.reference is not None
    got = value_of(f"T.{name}(x)", "float32", x=x)
    with np.errstate(over="ignore"):
        wanted = np.float32(op.reference(x))
    assert got == wanted or (math.isnan(got) and math.isnan(wanted))


def test_functions_of_two_and_three() -> None:
    assert value_of("T.pow(x, y)", "float32", x=2.0, y=10.0) == 1024
    assert value_of("T.atan2(x, y)", "float32", x=1.0, y=-1.0) == np.float32(3 * math.pi / 4)
    assert value_of("T.fmod(x, y)", "float32", x=-7.5, y=2.0) == -1.5
    assert value_of("T.nextafter(x, y)", "float32", x=1.0, y=2.0) == np.nextafter(np.float32(1), np.float32(2))
    assert value_of("T.q_multiply_shift(x, y, 31, 1)", x=1000, y=2**30) == 1000
    # one rounding: the product alone would round to 1
    assert value_of("T.fma(x, y, T.float32(-1))", "float32", x=1.0 + 2.0**-12, y=1.0 - 2.0**-12) == -(2.0**-24)
    assert value_of("T.fma(x, y, 5)", "int32", x=65537, y=65539) == (65537 * 65539 + 5) % 2**32


def test_exp_of_an_integer_is_an_integer() -> None:
    assert value_of("T.exp(x)", x=1) == 2


def test_classification() -> None:
    for name, wanted in (("isnan", [0, 0, 1]), ("isinf", [0, 1, 0]), ("isfinite", [1, 0, 0])):
        assert [value_of(f"T.{name}(x)", "bool", x=x) for x in (1.5, math.inf, math.nan)] == wanted


def vector(*lines: str, a: Any, lanes: int = 4, out: str = "int32") -> list[Any]:
    """Runs lines over the input A and the output O of as many elements."""
    o = np.zeros(lanes, out)
    run(kernel(f'A: T.Buffer(({a.size},), "{a.dtype}"), O: T.Buffer(({lanes},), "{out}")', *lines), a, o)
    return list(o.tolist())


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        ("@ + T.Broadcast(1, 4)", [2, -1, 4, 5]),
        ("T.Ramp(7, -2, 4)", [7, 5, 3, 1]),
        ("T.Shuffle([@], [3, 2, 1, 0])", [4, 3, -2, 1]),
        ("T.Shuffle([@, @], [0, 4, 1, 7])", [1, 1, -2, 4]),
        ("T.Select(@ > T.Broadcast(0, 4), @, T.Broadcast(9, 4))", [1, 9, 3, 4]),
        ("T.Select(A[0] == 1, @, T.Broadcast(9, 4))", [1, -2, 3, 4]),
        ("T.Cast('int32x4', @ > T.Broadcast(1, 4) and @ < T.Broadcast(4, 4))", [0, 0, 1, 0]),
        ("T.Cast('int32x4', @ < T.Broadcast(2, 4) or @ > T.Broadcast(3, 4))", [1, 1, 0, 1]),
        ("T.Cast('int32x4', T.Not(@ == T.Broadcast(3, 4)))", [1, 1, 0, 1]),
        ("T.min(@, T.Broadcast(2, 4))", [1, -2, 2, 2]),
        ("@ // T.Broadcast(2, 4)", [0, -1, 1, 2]),
        ("T.shift_left(@, T.Broadcast(2, 4))", [4, -8, 12, 16]),
        ("T.bitwise_and(@, T.Broadcast(6, 4))", [0, 6, 2, 4]),
        ("T.vectorcombine('int32x4', T.vectorhigh('int32x2', @), T.vectorlow('int32x2', @))", [3, 4, 1, -2]),
        ("T.reinterpret('int32x4', T.reinterpret('float32x4', @))", [1, -2, 3, 4]),
        ("T.abs(@)", [1, 2, 3, 4]),
    ],
)
def test_vectors(expr: str, wanted: list[int]) -> None:
    line = f"O[T.Ramp(0, 1, 4)] = {expr}".replace("@", "A[T.Ramp(0, 1, 4)]")
    assert vector(line, a=np.array([1, -2, 3, 4], "int32")) == wanted


def test_vectors_of_functions() -> None:
    a = np.array([0.5, 1.0, 2.0, 4.0], "float32")
    assert vector("O[T.Ramp(0, 1, 4)] = T.sqrt(A[T.Ramp(0, 1, 4)])", a=a, out="float32") == np.sqrt(a).tolist()


def test_bits_of_vectors_and_scalars() -> None:
    words = np.array([0x04030201, -1, 0, 0], "int32")
    source = kernel(
        'A: T.Buffer((4,), "int32"), O: T.Buffer((4,), "int8")', "O[T.Ramp(0, 1, 4)] = T.reinterpret('int8x4', A[0])"
    )
    out = np.zeros(4, "int8")
    run(source, words, out)
    assert out.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "call",
    [
        "T.call_packed('f', x)",
        "T.call_llvm_intrin('int32', 'llvm.ctpop', x)",
        "T.tvm_global_barrier_kinit()",
        "T.vscale()",
    ],
)
def test_what_is_not_available_says_so_when_it_is_reached(call: str) -> None:
    text = call[: call.index("(")]
    with pytest.raises(errors.Unsupported, match=text):
        value_of(call, x=1)
    assert value_of(f"T.if_then_else(x > 0, x, {call})", x=1) == 1


def test_calls_without_a_meaning_of_their_own_do_nothing() -> None:
    run(kernel("x: T.int32", "T.evaluate(T.assume(x > 0))", "T.evaluate(T.start_profile_intrinsic(1))"), -1)
    assert value_of("T.undef()") == -1


def test_every_entry_with_a_reference_runs() -> None:
    """One lane of each function of numbers, whatever its value, by the generic path."""
    integers = {"tir.popcount", "tir.clz", "tir.bitwise_and", "tir.bitwise_or", "tir.bitwise_xor", "tir.bitwise_not"}
    integers |= {"tir.shift_left", "tir.shift_right", "tir.large_uint_imm"}
    checked: list[str] = []
    for name, op in Intrinsic.registry.items():
        if not isinstance(op, Intrinsic) or (op.reference is None and op.typed_reference is None):
            continue
        surface = SURFACE.get(op.script_name)
        if surface is None or op.num_inputs not in (1, 2, 3):
            continue
        x = Var("x", "uint32" if name in integers else "float32")
        expr: Expr = surface(*[x] * op.num_inputs)
        out, param = make_buffer((IntImm("int32", 1),), expr.dtype, "O"), Var("o", "handle")
        func = PrimFunc((param, x), BufferStore(out, expr, (IntImm("int32", 0),)), None, {param: out})
        result = np.full(1, 77, str(expr.dtype))
        interp.build(func)["main"](result, 1)
        assert result[0] != 77, name
        checked.append(name)
    assert len(checked) > 35


def test_a_value_of_all_bits() -> None:
    assert value_of('T.Call("int8", "tir.undef", [])') == -1
    assert value_of('T.Call("uint16", "tir.undef", [])') == 65535
    for dtype in ("float16", "float32", "float64"):
        assert value_of(f'T.Cast("int32", T.isnan(T.Call("{dtype}", "tir.undef", [])))') == 1
