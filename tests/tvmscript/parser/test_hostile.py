"""Texts that were written to break a reader: each ends soon, with a diagnostic or a program."""

from __future__ import annotations

import time

import pytest

from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.parser import parse_program

HEADER = '@T.prim_func\ndef f(A: T.Buffer((16,), "float32"), n: T.int32):\n    '
DOUBLING = "\n".join(["x0 = (1, 2)", *(f"x{i + 1} = (x{i}, x{i})" for i in range(60))])
MACROS = "\n".join(
    ["@T.macro\ndef m0(A, x):\n    A[x] = 1.0"]
    + [f"@T.macro\ndef m{i + 1}(A, x):\n    m{i}(A, x)\n    m{i}(A, x)" for i in range(40)]
)

BRANCHES = "".join(" " * (8 + i) + "if n > 0:\n" for i in range(90)) + " " * 200 + "pass"

REFUSED = {
    "huge power": HEADER + "A[10**10**10] = 1.0",
    "tower of powers": HEADER + "A[2**2**2**2**2**2] = 1.0",
    "digits": HEADER + "A[0] = " + "9" * 5000,
    "shift": HEADER + "A[1 << 10**12] = 1.0",
    "long string": HEADER + "A['a' * 10**12] = 1.0",
    "null byte": HEADER + "A[0] = 1\0",
    "surrogate": HEADER + "A[0] = '\ud800'",
    "parentheses": HEADER + "A[" + "(" * 300 + "0" + ")" * 300 + "] = 1.0",
    "minus signs": HEADER + "A[" + "-" * 3000 + "n] = 1.0",
    "many minus signs": HEADER + "A[" + "-" * 100_000 + "n] = 1.0",
    "long sum": HEADER + "A[" + "+".join(["n"] * 600) + "] = 1.0",
    "longer sum": HEADER + "A[" + "+".join(["n"] * 100_000) + "] = 1.0",
    "long conjunction": HEADER + "if " + " and ".join(["n > 1"] * 3000) + ":\n        pass",
    "attributes": HEADER + "n" + ".a" * 5000,
    "calls": HEADER + "f" + "()" * 5000,
    "many variables": HEADER + "\n    ".join(f"x{i} = n + {i}" for i in range(5000)),
    "indentation": HEADER + "if n > 0:\n" + "".join(" " * (8 + i) + "if n > 0:\n" for i in range(150)),
    "tabs": "@T.prim_func\ndef f(n: T.int32):\n\tT.evaluate(n)\n        T.evaluate(n)",
    "format width": HEADER + "T.evaluate(f'{1:10000000000}')",
    "percent format": HEADER + "T.evaluate('%1000000000d' % 1)",
    "long range": HEADER + "for i in list(range(10**9)):\n        pass",
    "unpacked range": HEADER + "T.evaluate(*range(10**9))",
    "huge extent": '@T.prim_func\ndef f(A: T.Buffer((10**30,), "float32")):\n    pass',
    "huge float": HEADER + "A[0] = 10**400",
    "lanes": HEADER + "A[T.Ramp(0, 1, 10**9)] = 1.0",
    "elements of a buffer": HEADER + "for x in tuple(A):\n        pass",
    "elements of a constructor": HEADER + "T.Buffer((4,), strides=T.int32)",
    "doubled tuples": DOUBLING + "\n" + HEADER + 'T.func_attr({"a": x60})',
    "doubled expressions": HEADER
    + "\n    ".join(["x0 = T.meta_var(n)", *(f"x{i + 1} = T.meta_var(x{i} + x{i})" for i in range(60))]),
    "macros of macros": MACROS + "\n" + HEADER + "m40(A, n)",
    "macro in itself": "@T.macro\ndef m(A):\n    m(A)\n" + HEADER + "m(A)",
    "nothing": "",
    "dunder": HEADER + "T.evaluate(().__class__.__mro__)",
}

READ = {
    "byte order mark": "\ufeff" + HEADER + "pass",
    "line ends": (HEADER + "A[0] = 1.0\n").replace("\n", "\r\n"),
    "form feed": HEADER + "A[0] = 1.0\n\f\n    A[1] = 2.0",
    "letters": HEADER + "ärger = n + 1\n    A[ärger] = 1.0",
    "infinite literal": HEADER + "A[0] = 1e999",
    "many branches": HEADER + "if n > 0:\n" + BRANCHES,
    "hundreds of variables": HEADER + "\n    ".join(f"x{i} = n + {i}" for i in range(800)),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(DiagnosticError) as caught:
        parse_program(REFUSED[name])
    assert caught.value.line is not None
    assert len(str(caught.value)) < 200_000
    assert time.perf_counter() - begin < 20


@pytest.mark.parametrize("name", READ)
def test_read(name: str) -> None:
    assert list(parse_program(READ[name])) == ["f"]
