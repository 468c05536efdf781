"""What functions of `T` build: dtypes and forms as real TVM has them (asked once, written down here)."""

from __future__ import annotations

from typing import Any

import pytest

from tvmscript.ir.core.errors import (
    DTypeMismatch,
    DuplicateName,
    TVMScriptError,
    UnknownName,
    ValueOutOfRange,
    WrongArgumentCount,
    WrongType,
)
from tvmscript.ir.core.op import Op
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import (
    And,
    Broadcast,
    Call,
    Cast,
    FloatImm,
    FloorDiv,
    IntImm,
    Let,
    Select,
    StringImm,
    Var,
)
from tvmscript.ir.tir.intrin import SURFACE as T
from tvmscript.ir.tir.intrin.intrinsic import surface

x, half, i, j, b, h, u, v = (
    Var(name, dtype)
    for name, dtype in [
        ("x", "float32"),
        ("half", "float16"),
        ("i", "int32"),
        ("j", "int64"),
        ("b", "bool"),
        ("h", "handle"),
        ("u", "uint8"),
        ("v", "int8x4"),
    ]
)
A = make_buffer((IntImm("int32", 16),), "float16", "A")


def shown(expr: Any) -> tuple[str, str]:
    """Operator (or node) and dtype."""
    name = expr.op.name if isinstance(expr, Call) and isinstance(expr.op, Op) else type(expr).__name__
    return (name, str(expr.dtype))


@pytest.mark.parametrize(
    ("built", "operator", "dtype"),
    [
        (T["exp"](i), "tir.exp", "int32"),
        (T["exp"](2.5), "tir.exp", "float32"),
        (T["clz"](j), "tir.clz", "int32"),
        (T["popcount"](u), "tir.popcount", "uint8"),
        (T["pow"](x, 2), "tir.pow", "float32"),
        (T["pow"](2, x), "tir.pow", "float32"),
        (T["power"](x, FloatImm("float64", 2)), "tir.pow", "float64"),
        (T["ldexp"](x, i), "tir.ldexp", "float32"),
        (T["isnan"](x), "tir.isnan", "bool"),
        (T["isnullptr"](i), "tir.isnullptr", "bool"),
        (T["isnan"](i), "IntImm", "bool"),
        (T["isfinite"](v), "Broadcast", "boolx4"),
        (T["abs"](x), "tir.fabs", "float32"),
        (T["abs"](u), "Var", "uint8"),
        (T["abs"](v), "Select", "int8x4"),
        (T["ceil"](i), "Var", "int32"),
        (T["round"](x), "tir.round", "float32"),
        (T["reinterpret"]("float32", i), "tir.reinterpret", "float32"),
        (T["reinterpret"]("int8x4", i), "tir.reinterpret", "int8x4"),
        (T["reinterpret"]("int32", i), "Var", "int32"),
        (T["reinterpret"](i, dtype="float32"), "tir.reinterpret", "float32"),
        (T["q_multiply_shift"](j, 3, 31, -2), "tir.q_multiply_shift", "int32"),
        (T["if_then_else"](b, 1, 2.0), "tir.if_then_else", "float32"),
        (T["if_then_else"](b, i, j), "tir.if_then_else", "int64"),
        (T["likely"](b), "tir.likely", "bool"),
        (T["likely"](1), "IntImm", "int32"),
        (T["ret"](IntImm("int64", 0)), "tir.ret", "int64"),
        (T["undef"](), "tir.undef", "int32"),
        (T["tvm_struct_get"](h, 0, 1, "handle"), "tir.tvm_struct_get", "handle"),
        (T["tvm_struct_set"](h, 0, 1, x), "tir.tvm_struct_set", "int32"),
        (T["tvm_access_ptr"](T["type_annotation"]("float32"), A.data, 0, 16, "r"), "tir.tvm_access_ptr", "handle"),
        (T["type_annotation"]("float32"), "tir.type_annotation", "float32"),
        (T["address_of"](A[0]), "tir.address_of", "handle"),
        (T["call_extern"]("float32", "f", x, 1), "tir.call_extern", "float32"),
        (T["call_extern"]("f", x, dtype="float32"), "tir.call_extern", "float32"),
        (T["call_packed"]("f", x, "s"), "tir.tvm_call_packed", "int32"),
        (T["call_llvm_intrin"]("float32", "llvm.fma", x, x, x), "tir.call_llvm_intrin", "float32"),
        (T["call_intrin"]("float32", "tir.exp", x), "tir.exp", "float32"),
        (T["vectorlow"]("int8x2", v), "tir.vectorlow", "int8x2"),
        (T["vectorcombine"]("int8x8", v, v), "tir.vectorcombine", "int8x8"),
        (T["mma_fill"]("float16", 8, h, 0), "tir.mma_fill", "float16"),
        (T["ptx_commit_group"](), "tir.ptx_commit_group", "void"),
        (T["tvm_warp_shuffle"](1, x, i, 32, 32), "tir.tvm_warp_shuffle", "float32"),
        (T["tvm_storage_sync"]("shared"), "tir.tvm_storage_sync", "int32"),
        (T["min"](i, j), "Min", "int64"),
        (T["max"](x, 1), "Max", "float32"),
        (T["truncdiv"](i, 4), "Div", "int32"),
        (T["truncmod"](x, x), "Mod", "float32"),
        (T["ceildiv"](i, j), "FloorDiv", "int64"),
        (T["max_value"]("int8"), "IntImm", "int8"),
        (T["infinity"]("float16"), "FloatImm", "float16"),
        (T["cast"](x, "int32"), "Cast", "int32"),
        (i << j, "tir.shift_left", "int64"),
        (u << i, "tir.shift_left", "int32"),
        (i >> 2, "tir.shift_right", "int32"),
        (1 << i, "tir.shift_left", "int32"),
        (i & b, "tir.bitwise_and", "int32"),
        (b | b, "tir.bitwise_or", "bool"),
        (3 ^ i, "tir.bitwise_xor", "int32"),
        (~b, "tir.bitwise_not", "bool"),
        (v & 3, "tir.bitwise_and", "int8x4"),
    ],
)
def test_operator_and_dtype(built: Expr, operator: str, dtype: str) -> None:
    assert shown(built) == (operator, dtype)


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        ("float32", -3.4028234663852886e38, 3.4028234663852886e38),
        ("float16", -65504.0, 65504.0),
        ("bfloat16", -3.3895313892515355e38, 3.3895313892515355e38),
        ("float64", -1.7976931348623157e308, 1.7976931348623157e308),
        ("e4m3_float8", -448.0, 448.0),
        ("e5m2_float8", -57344.0, 57344.0),
        ("int8", -128, 127),
        ("uint64", 0, 2**64 - 1),
        ("bool", 0, 1),
    ],
)
def test_limits(dtype: str, low: float, high: float) -> None:
    assert T["min_value"](dtype).value == low
    assert T["max_value"](dtype).value == high


def test_keyword_dtype_is_dropped() -> None:
    assert shown(T["exp"](x, dtype="float64")) == ("tir.exp", "float32")


def test_arguments_by_name() -> None:
    made = T["tvm_struct_set"](h, 0, value=x, field=1)
    assert made.args[2].value == 1
    assert made.args[3] is x


def test_default_arguments() -> None:
    made = T["simdgroup_load"](h, 0, h, 8)
    assert [arg.value for arg in made.args[4:]] == [8, 8, 0]


def test_left_out_operator_of_mma() -> None:
    without = T["ptx_mma"]("float16", "m16n8k8", "row", "col", "fp16", "fp16", "fp16", h, 0, h, 0, h, 0, False)
    assert len(without.args) == 13
    assert len(T["ptx_mma"]("float16", *without.args, "xor").args) == 14


def test_nan_of_half_is_asked_in_single() -> None:
    asked = T["isnan"](half).args[0]
    assert isinstance(asked, Cast)
    assert asked.dtype == "float32"


def test_isfinite_is_a_conjunction() -> None:
    assert isinstance(T["isfinite"](x), And)
    assert isinstance(T["isinf"](x), And)


def test_abs_of_integers() -> None:
    made = T["abs"](i)
    assert isinstance(made, Select)
    assert made.true_value is i


def test_ceildiv_is_written_out() -> None:
    made = T["ceildiv"](i, 4)
    assert isinstance(made, FloorDiv)
    assert made.b.value == 4  # type: ignore[attr-defined]


def test_let() -> None:
    made = T["Let"](i + 1, where={i: 5})
    assert isinstance(made, Let)
    assert made.var is i


def test_range_subtracts_constants() -> None:
    assert T["Range"](2, 10).extent.value == 8
    assert T["Range"](0, i).extent is i


def test_iter_var_kinds() -> None:
    made = T["iter_var"]("t", T["Range"](0, 8), "ThreadIndex", "threadIdx.x")
    assert (made.var.name, made.thread_tag, int(made.iter_type)) == ("t", "threadIdx.x", 1)
    with pytest.raises(UnknownName):
        T["iter_var"]("t", None, "Sideways", "")


def test_buffers_are_packed_for_packed_calls() -> None:
    packed = T["call_packed"]("f", A).args[1]
    assert packed.op is Op.get("tir.tvm_stack_make_array")
    assert packed.args[3].value == 1


def test_strings_become_constants() -> None:
    first = T["call_extern"]("int32", "f").args[0]
    assert isinstance(first, StringImm)
    assert first.value == "f"


def test_broadcast_operands() -> None:
    right = (v << 2).args[1]  # type: ignore[attr-defined]
    assert isinstance(right, Broadcast)


@pytest.mark.parametrize(
    ("build", "error", "text"),
    [
        (lambda: T["exp"](), WrongArgumentCount, "T.exp takes 1 argument (x), but got 0"),
        (lambda: T["exp"](x, x), WrongArgumentCount, "T.exp takes 1 argument (x), but got 2"),
        (lambda: T["exp"](y=x), UnknownName, "no parameter of T.exp named y"),
        (lambda: T["atan2"](x), WrongArgumentCount, "T.atan2 takes 2 arguments (x1, x2), but got 1"),
        (lambda: T["pow"](i, 2), WrongType, "T.pow takes floats, but got int32"),
        (lambda: T["truncdiv"](x, 2.0), WrongType, "T.truncdiv takes integers, but got float32"),
        (lambda: T["ceildiv"](x, 2.0), WrongType, "T.ceildiv takes integers"),
        (lambda: T["if_then_else"](i, 1, 2), WrongType, "a scalar bool condition, but got int32"),
        (lambda: T["reinterpret"]("int64", x), WrongType, "as many bits as int64, but got float32"),
        (lambda: T["reinterpret"](x), WrongType, "a dtype and a value"),
        (lambda: T["infinity"]("int32"), WrongType, "a dtype with infinity, but got int32"),
        (lambda: T["max_value"]("int32x4"), WrongType, "a scalar number type, but got int32x4"),
        (lambda: T["call_extern"](x, "f"), WrongType, "T.call_extern takes a dtype first"),
        (lambda: T["call_intrin"]("float32", "tir.nope", x), UnknownName, "no operator named tir.nope"),
        (lambda: T["call_intrin"]("float32"), WrongArgumentCount, "a dtype and an operator's name"),
        (lambda: T["Let"](x, where={}), WrongType, "one variable and its value"),
        (lambda: T["abs"](h), WrongType, "T.abs takes a number, but got handle"),
        (lambda: T["isinf"](h), WrongType, "T.isinf takes a number, but got handle"),
        (lambda: x & 1, WrongType, "& takes integers, but got float32"),
        (lambda: ~x, WrongType, "~ takes an integer, but got float32"),
        (lambda: i >> 40, ValueOutOfRange, "40 does not fit in a shift of 32 bits"),
        (lambda: i << -1, ValueOutOfRange, "-1 does not fit"),
        (lambda: T["pow"](x, h), DTypeMismatch, "float32 and handle"),
        (lambda: surface("exp")(T["log"]), DuplicateName, "already a T function named exp"),
    ],
)
def test_refusals(build: Any, error: type[TVMScriptError], text: str) -> None:
    with pytest.raises(error) as caught:
        build()
    assert text in str(caught.value)
