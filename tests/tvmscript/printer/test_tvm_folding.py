"""Which operators of constants are written as `T.Add(x, 0)`: real TVM is asked for every one of them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import tvmscript

ARITHMETIC = ("Add", "Sub", "Mul", "FloorDiv", "FloorMod")
FLOATING = ("Add", "Sub", "Mul", "Div")
COMPARISONS = ("LT", "LE", "GT", "GE", "EQ", "NE")
INTEGERS = ("int8", "int32", "int64", "uint8", "uint32", "int16")
FLOATS = ("float16", "float32", "float64")


def short(dtype: str) -> str:
    """A name for the parameter of a dtype."""
    return dtype[0] + dtype.lstrip("uintfloa")


def operands(dtype: str, variable: str, values: tuple[int, ...]) -> list[str]:
    return [variable, *[str(v) if dtype == "int32" else f"T.{dtype}({v})" for v in values]]


def is_refused(op: str, dtype: str, a: str, b: str) -> bool:
    """TVM prints neither a division by 0 nor a difference of unsigned constants that is negative."""
    if op in ("Div", "FloorDiv", "FloorMod"):
        return b in ("0", f"T.{dtype}(0)")
    return op == "Sub" and dtype.startswith("u") and a == f"T.{dtype}(0)" and b.startswith("T.") and "(0)" not in b


def lines() -> list[str]:
    found: list[str] = []
    for dtype in (*INTEGERS, *FLOATS):
        items = operands(dtype, short(dtype), (0, 1, 2))
        ops = ARITHMETIC if dtype in INTEGERS else FLOATING
        for op, a, b in product((*ops, *COMPARISONS), items, items):
            if not is_refused(op, dtype, a, b):
                found.append(f"T.evaluate(T.{op}({a}, {b}))")
    logical = ("b", "T.bool(False)", "T.bool(True)")
    return [*found, *[f"T.evaluate(T.{op}({a}, {b}))" for op, a, b in product(("And", "Or"), logical, logical)]]


def source() -> str:
    params = [f"{short(dtype)}: T.{dtype}" for dtype in (*INTEGERS, *FLOATS)]
    body = "\n".join([f"    {line}" for line in lines()])
    return f"@T.prim_func(private=True)\ndef main({', '.join(params)}, b: T.bool):\n{body}\n"


@pytest.mark.oracle
def test_as_tvm_decides(oracle: Any) -> None:
    theirs = oracle.print(source()).splitlines()
    ours = tvmscript.from_source(source()).script().splitlines()
    assert len(ours) > 800
    assert ours == theirs


def test_read_back() -> None:
    program = tvmscript.from_source(source())
    assert tvmscript.from_source(program.script()).script() == program.script()


@pytest.mark.parametrize(
    "text",
    [
        "T.Min(x, x)", "T.Max(1, 2)", "T.min(x, 1)", "T.Mod(x, 1)", "T.Mod(0, x)", "T.truncmod(x, 2)", "x + 1", "0 - x",
        "T.Add(x, 0)", "T.Mul(0, x)", "T.FloorDiv(0, x)", "x // 2", "T.FloorMod(x, 1)", "T.LT(1, 2)", "1 < x",
        "T.Div(x, 2)", "T.FloorDiv(x, 0)", "T.FloorMod(x, 0)",
    ],
)  # fmt: skip
def test_what_reads_the_same_in_tvm(text: str) -> None:
    func = tvmscript.from_source(f"@T.prim_func\ndef main(x: T.int32):\n    T.evaluate({text})\n")
    assert func.body.value.script() == text


CALLS = [
    *[f"T.{name}(T.float32(1.5))" for name in ("exp", "log", "sqrt", "floor", "ceil", "trunc", "round", "abs")],
    *[f"T.{name}(f)" for name in ("floor", "nearbyint", "erf")],
    "T.nearbyint(T.float64(2.5))", "T.pow(T.float32(2), T.float32(3))", "T.pow(f, T.float32(1))",
    *[
        f"T.{name}({cast.format(a)}, {cast.format(b)})"
        for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right")
        for cast in ("{}", "T.int64({})", "T.uint8({})", "T.int8({})", "T.uint32({})")
        for a, b in ((7, 1), (6, 2))
    ],
    "T.shift_left(x, 0)", "T.shift_right(x, 0)", "T.shift_left(x, 1)", "T.bitwise_and(x, 0)", "T.bitwise_or(0, x)",
    "T.bitwise_not(5)", "T.popcount(3)", "T.clz(3)", "T.if_then_else(T.bool(True), x, 1)", "T.if_then_else(b, 1, 1)",
    "T.likely(b)", "T.reinterpret(\"int32\", T.float32(1))", "T.q_multiply_shift(1, 2, 3, 4)",
]  # fmt: skip


@pytest.mark.oracle
def test_calls_of_constants_as_tvm_decides(oracle: Any) -> None:
    body = "\n".join([f"    T.evaluate({call})" for call in CALLS])
    text = f"@T.prim_func(private=True)\ndef main(x: T.int32, f: T.float32, b: T.bool):\n{body}\n"
    theirs = oracle.print(text).splitlines()
    ours = tvmscript.from_source(text).script().splitlines()
    assert len(theirs) == len(ours) == len(CALLS) + 4
    short = [call.replace("T.abs", "T.fabs") for call in CALLS]
    kept = 0
    for their, our, call in zip(theirs[4:], ours[4:], short, strict=True):
        if their.strip() == call:
            kept += 1
            assert our == their
        else:
            assert our.strip() in (call, f"T.evaluate({call})"), f"TVM makes {their.strip()} of {call}"
    assert kept > 20


REMAINDERS = """
    T.evaluate(T.FloorMod(0, i))
    T.evaluate(T.FloorMod(i, 0))
    T.evaluate(T.FloorMod(i, 1))
    T.evaluate(1 % i)
    T.evaluate(i % 2)
    T.evaluate(2 % i)
    T.evaluate(h % T.int16(0))
    T.evaluate(h % T.int16(1))
"""


def test_remainders() -> None:
    """Only those of indices are folded, where the left one is 0 or the right one 0 or 1."""
    text = f"@T.prim_func(private=True)\ndef main(i: T.int32, h: T.int16):{REMAINDERS}"
    assert REMAINDERS.strip() in tvmscript.from_source(text).script()
