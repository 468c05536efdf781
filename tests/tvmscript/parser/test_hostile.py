"""Texts that were written to break a reader: each ends soon, with a diagnostic or a program."""

from __future__ import annotations

import time

import pytest

from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.parser import parse_program

HEADER = '@T.prim_func\ndef f(A: T.Buffer((16,), "float32"), n: T.int32):\n    '
DOUBLING = "\n".join(["x0 = (1, 2)", *(f"x{i + 1} = (x{i}, x{i})" for i in range(60))])
MACROS = "\n".join(
    ["@T.macro\ndef m0(A, x):\n    A[x] = 1.0"]
    + [f"@T.macro\ndef m{i + 1}(A, x):\n    m{i}(A, x)\n    m{i}(A, x)" for i in range(40)]
)

NESTED_MACROS = "@T.macro\ndef m0(A):\n    A[0] = 1.0\n" + "".join(
    f"@T.macro\ndef m{i + 1}(A):\n    for j in (0, 1, 2, 3, 4, 5, 6, 7):\n        m{i}(A)\n" for i in range(12)
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
    "unrolled loops of unrolled loops": HEADER
    + "".join("    " * i + f"for i{i} in (0, 1, 2, 3, 4, 5, 6, 7):\n    " for i in range(12))
    + "    " * 12
    + "A[0] = 1.0",
    "macros in unrolled loops": NESTED_MACROS + "\n" + HEADER + "m12(A)",
    "macros keep their names": "".join(f"@T.macro\ndef m{i}():\n    pass\n" for i in range(4000)) + HEADER + "pass",
    "hexadecimal digits": HEADER + "A[0x" + "f" * 100_000 + "] = 1.0",
    "many elements": HEADER + "A[0] = (" + "1, " * 66_000 + ")",
    "many extents": HEADER + "for i in T.grid(" + "2, " * 66_000 + "):\n        pass",
    "many keys": HEADER + "T.func_attr({" + "".join(f"'a{i}': {i}, " for i in range(66_000)) + "})",
    "long chain of comparisons": HEADER + "T.evaluate(" + "n < " * 2000 + "n)",
    "long name": HEADER + "A[" + "a" * 1_000_000 + "] = 1.0",
    "long string as an index": HEADER + "A['" + "a" * 1_000_000 + "'] = 1.0",
    "long line": HEADER + "A[0, 0] = 1.0" + " " * 1_000_000 + "; A[0, 0] = 1.0",
    "nested lambdas": HEADER + "x = " + "lambda: " * 3000 + "0",
    "nested conditionals": HEADER + "A[0] = " + "1.0 if n > 0 else " * 3000 + "1.0",
    "elif": HEADER + "if n > 0:\n        pass\n" + "    elif n > 1:\n        pass\n" * 3000,
    "nested dicts": HEADER + "T.func_attr(" + "{'a': " * 190 + "1" + "}" * 190 + ")\n    A[y] = 1.0",
    "many undefined names": HEADER + "\n    ".join(f"A[x{i}] = 1.0" for i in range(4_000)),
    "many wrong statements": HEADER + "\n    ".join("A[n, n] = 1.0" for _ in range(4_000)),
    "many classes": "class A:\n    pass\n" * 4_000,
    "NUL bytes": "\0" * 100_000,
    "surrogates": "\ud800" * 100_000,
    "backslashes": "\\\n" * 100_000,
    "dunder": HEADER + "T.evaluate(().__class__.__mro__)",
}

READ = {
    "byte order mark": "\ufeff" + HEADER + "pass",
    "line ends": (HEADER + "A[0] = 1.0\n").replace("\n", "\r\n"),
    "form feed": HEADER + "A[0] = 1.0\n\f\n    A[1] = 2.0",
    "letters": HEADER + "ärger = n + 1\n    A[ärger] = 1.0",
    "infinite literal": HEADER + "A[0] = 1e999",
    "huge exponent": HEADER + "A[0] = 1e999999999",
    "small exponent": HEADER + "A[0] = 1e-999999999",
    "many decorators": "@T.prim_func\n" * 4_000 + "def f(n: T.int32):\n    pass",
    "many arguments": HEADER + "T.evaluate(T.call_extern('int32', 'f'" + ", n" * 10_000 + "))",
    "many comments": HEADER + "pass\n" + "# comment\n" * 4_000,
    "many blank lines": HEADER + "pass\n" + "\n" * 100_000,
    "long string": HEADER + "'" + "a" * 1_000_000 + "'",
    "many statements": HEADER + "\n    ".join("A[n] = A[n] + 1.0" for _ in range(2000)),
    "many branches": HEADER + "if n > 0:\n" + BRANCHES,
    "hundreds of variables": HEADER + "\n    ".join(f"x{i} = n + {i}" for i in range(800)),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(DiagnosticError) as caught:
        parse_program(REFUSED[name])
    assert caught.value.line is not None
    assert len(str(caught.value)) < 20_000
    assert time.perf_counter() - begin < 20


@pytest.mark.parametrize("name", READ)
def test_read(name: str) -> None:
    ((found, program),) = parse_program(READ[name]).items()
    assert found == "f"
    # what is read is printed too, and reads back
    assert structural_equal(parse_program(program.script())["f"], program)


#: Ten million characters each: a seed and how often it is written.
LARGE = {
    "comments": HEADER + "pass\n" + "# comment\n" * 1_000_000,
    "string": HEADER + "'" + "a" * 10_000_000 + "'",
    "name": HEADER + "A[" + "a" * 10_000_000 + "] = 1.0",
    "parentheses": HEADER + "A[" + "(" * 5_000_000 + "0" + ")" * 5_000_000 + "] = 1.0",
    "digits": HEADER + "A[" + "9" * 10_000_000 + "] = 1.0",
    "sum": HEADER + "A[0] = " + "n + " * 2_500_000 + "n",
    "attributes": HEADER + "n" + ".a" * 5_000_000,
    "minus signs": HEADER + "A[" + "-" * 10_000_000 + "n] = 1.0",
    "elements": HEADER + "A[0] = (" + "1, " * 3_300_000 + ")",
    "decorators": "@T.prim_func\n" * 770_000 + "def f(n: T.int32):\n    pass",
    "stores": HEADER + "A[n] = A[n] + 1.0\n    " * 450_000,
    "wrong stores": HEADER + "A[n, n] = 1.0\n    " * 550_000,
    "undefined names": HEADER + "".join(f"A[x{i}] = 1.0\n    " for i in range(500_000)),
    "variables": HEADER + "".join(f"x{i} = n + {i}\n    " for i in range(500_000)),
    "functions": "".join(f"@T.prim_func\ndef f{i}(n: T.int32):\n    T.evaluate(n)\n" for i in range(180_000)),
    "macros": "".join(f"@T.macro\ndef m{i}():\n    pass\n" for i in range(300_000)),
    "classes": "class A:\n  pass\n" * 600_000,
    "comparisons": HEADER + "T.evaluate(" + "n < " * 2_500_000 + "n)",
    "NUL bytes": "\0" * 10_000_000,
    "surrogates": "\ud800" * 10_000_000,
    "parameters": "@T.prim_func\ndef f(" + "".join(f"a{i}: T.int32, " for i in range(560_000)) + "):\n    pass",
}


@pytest.mark.fuzz
@pytest.mark.parametrize("name", LARGE)
def test_large_texts_end(name: str) -> None:
    begin = time.perf_counter()
    shown = ""
    try:
        for program in parse_program(LARGE[name]).values():
            shown = program.script()[:100]
    except DiagnosticError as error:
        shown = str(error)
    assert 0 < len(shown) < 20_000
    assert time.perf_counter() - begin < 300
