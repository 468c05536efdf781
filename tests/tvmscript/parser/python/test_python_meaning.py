"""Python's meaning is kept: the same text, run by CPython and by the interpreter, gives the same numbers.

One thing differs, as in TVM: a sum of two bools is a bool, not a number.

What would mean something else is refused: see tests/cases/refused (conditions, names, `is`, `in`, float `//`).
"""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import DTypeMismatch, TVMScriptError
from tvmscript.ir.tir.expr import Add, IntImm, Var

EXPRESSIONS = [
    "x // (2 * y + 1)", "x % (2 * y + 1)", "-x // 3", "-(x // 3)", "x // -3 * y", "x % -3 + y", "(x // 2) % 2",
    "x - y - z", "x - (y - z)", "x * y + z", "x + y * z", "-x * y", "~x + 1", "x & y | z", "x ^ y & z", "x << 1 + 1",
    "x >> 1", "-x >> 1", "(x < y) * x", "x < y < z", "x <= y < z", "x < y > z", "x == y == z", "x != y != z",
    "0 <= x < 3", "x < y and y < z", "x < y or y < z", "not x < y", "not (x < y and y < z)",
    "x < y and not y < z or x == z", "x < y or y < z and z < x", "(x < y or y < z) and z < x",
    "x if y < z else z", "(x if y < 0 else y) if z < 0 else z",
    "x + (1 if y != 0 else 0)", "1 + 2 * 3", "7 // -2", "7 % -2", "-7 // 2", "2 ** 3 ** 1", "True + x",
    "abs(-3) + x", "max(1, 2, 3) + min(2, 1)", "len((1, 2, 3)) * x", "(x, y, z)[1]", "int(2.9) + x",
    "round(2.6) * x", "sum([x, 2, y]) - sum((1, 2))", "pow(2, 3) + pow(7, 2, 5) * x",
]  # fmt: skip
KERNEL = """
@T.prim_func
def f(A: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = {}
"""
RANGE = range(-3, 4)


@pytest.mark.parametrize(
    ("value", "hint"),
    [("round(A[i])", "T.round"), ("pow(A[i], 2)", "T.pow"), ("sum(A)", "A[0] = A[0] + B[i]"), ("sum(A[i])", "A[0]")],
)
def test_expressions_for_numbers(value: str, hint: str) -> None:
    with pytest.raises(TVMScriptError, match="takes Python values") as caught:
        tvmscript.from_source(KERNEL.format(value))
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize("value", ["pow(2, 10**9)", "round(10**300, -10**9)", "sum(range(10**12))"])
def test_large_results(value: str) -> None:
    with pytest.raises(TVMScriptError, match=r"fewer digits|at most"):
        tvmscript.from_source(KERNEL.format(value))


def test_expressions() -> None:
    stores = "".join(
        f"        OUT[{k}, i, j, k] = T.Cast('int32', {text})\n" for k, text in enumerate(EXPRESSIONS)
    )  # fmt: skip
    source = (
        "@T.prim_func\n"
        f'def main(OUT: T.Buffer(({len(EXPRESSIONS)}, 7, 7, 7), "int32")):\n'
        "    for i, j, k in T.grid(7, 7, 7):\n"
        "        x = i - 3\n"
        "        y = j - 3\n"
        "        z = k - 3\n" + stores
    )
    out = np.zeros((len(EXPRESSIONS), 7, 7, 7), "int32")
    tvmscript.build(tvmscript.from_source(source), target="interp")["main"](out)
    for number, text in enumerate(EXPRESSIONS):
        code = compile(text, "<expression>", "eval")
        expected = [[[int(eval(code, {"x": x, "y": y, "z": z})) for z in RANGE] for y in RANGE] for x in RANGE]
        assert out[number].tolist() == expected, text


PROGRAMS = {
    "empty and negative ranges": """
for i in range(n):
    A[0] += 1
for i in range(n, 2):
    A[1] += i
for i in range(5, n):
    A[2] += i
""",
    "branches": """
for i in range(8):
    if i % 3 == 0:
        A[i] = 1
    elif i % 3 == 1 and i > n:
        A[i] = 2
    elif not i > n:
        A[i] = 3
    else:
        A[i] = 4
""",
    "while": """
A[0] = n * n + 7
while A[0] != 1 and A[1] < 50:
    if A[0] % 2 == 0:
        A[0] = A[0] // 2
    else:
        A[0] = 3 * A[0] + 1
    A[1] += 1
""",
    "augmented": """
for i in range(1, 8):
    A[i] = i - 4
    A[i] *= A[i - 1] + n
    A[i] -= 3
    A[i] //= 2
    A[i] %= 5
""",
    "values that do not change": """
for i in range(8):
    y = A[i] + i
    A[i] = 100
    A[i] = y + n
""",
    "names in branches": """
for i in range(8):
    if i > n:
        y = i * 2
        A[i] = y
    else:
        y = i * 3
        A[i] = y
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    body = PROGRAMS[name]
    text = '@T.prim_func\ndef main(A: T.Buffer((8,), "int32"), n: T.int32):\n' + body.replace("\n", "\n    ")
    main = tvmscript.build(tvmscript.from_source(text), target="interp")["main"]
    for n in range(-3, 7):
        array = np.zeros(8, "int32")
        main(array, n)
        expected = [0] * 8
        exec(body, {"A": expected, "n": n})
        assert array.tolist() == expected


@pytest.mark.parametrize(
    "written",
    ["n + 0", "n * 1", "0 + n", "n - n", "n // 1", "n % 1", "T.max(n, n)", "T.Add(1, 2)", "n + 1 + 2", "1 + n - 1",
     "T.if_then_else(n > 0, 1, 1)", "T.Select(T.bool(True), n, n)", "T.Cast(\"int32\", n)"],
)  # fmt: skip
def test_nothing_is_folded(written: str) -> None:
    func = tvmscript.from_source(f"@T.prim_func\ndef main(n: T.int32):\n    T.evaluate({written})\n")
    again = tvmscript.from_source(func.script())
    assert structural_equal(func, again)
    assert type(func.body.value).__name__ not in ("IntImm", "Var"), func.script()


def test_a_name_for_a_variable_is_a_variable() -> None:
    func = tvmscript.from_source("@T.prim_func\ndef main(n: T.int32):\n    x = n\n    y = x\n    T.evaluate(y)\n")
    assert "x: T.int32 = n" in func.script()
    assert "y: T.int32 = x" in func.script()


def test_widths_of_indices() -> None:
    n, m = Var("n", "int32"), Var("m", "int64")
    with pytest.raises(DTypeMismatch):
        Add(n, m)
    with pytest.raises(DTypeMismatch):
        Add(m, IntImm("int32", 1))
    # texts convert, as TVM does; numbers take the width of what they meet
    func = tvmscript.from_source("@T.prim_func\ndef main(n: T.int32, m: T.int64):\n    T.evaluate(n + m + 1)\n")
    assert func.body.value.dtype is DType("int64")
    assert 'T.Cast("int64", n) + m + T.int64(1)' in func.script()
