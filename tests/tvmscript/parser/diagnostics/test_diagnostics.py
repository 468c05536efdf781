"""Several errors in one report: what is told, what is not because it follows from something else, and where it ends.

Larger cases are in tests/cases/errors: several_errors.py, wrong_call.py, tile_level.py.
"""

from __future__ import annotations

import pickle
import time

import pytest

import tvmscript
from tvmscript import T
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.parser.diagnostics.report import MAX_ERRORS

HEADER = '@T.prim_func\ndef f(A: T.Buffer((16,), "float32"), n: T.int32):\n'


def error_of(text: str) -> DiagnosticError:
    with pytest.raises(DiagnosticError) as caught:
        tvmscript.from_source(text)
    return caught.value


def places(body: str) -> list[tuple[str, int]]:
    """Codes and lines of the body's errors, its first line being 1."""
    return [(error.code, (error.line or 0) - 2) for error in error_of(HEADER + body).errors]


def test_the_first_error_stands_for_all() -> None:
    error = error_of(HEADER + "    A[0, 0] = 1.0\n    A[1] = 2.0\n    A[x] = 1.0\n")
    first, second = error.errors
    assert first is error
    assert (error.code, error.line, error.column) == ("TS1005", 3, 5)
    assert (second.code, second.line, second.errors) == ("TS2003", 5, (second,))
    assert str(error).startswith(first.render_alone())
    assert str(error).endswith(f"\n\n{second.render_alone()}\n\n2 errors")


def test_one_error_is_shown_alone() -> None:
    error = error_of(HEADER + "    A[x] = 1.0\n")
    assert error.errors == (error,)
    assert not str(error).endswith("errors")


def test_reports_survive_pickling() -> None:
    error = error_of(HEADER + "    A[0, 0] = 1.0\n    A[x] = 1.0\n")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert [item.code for item in again.errors] == ["TS1005", "TS2003"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # names whose definition failed
        ("    x = T.foo(1)\n    y = x + 1\n    A[y] = x\n", [("TS2004", 1)]),
        ("    x, y = T.foo(1)\n    A[y] = x\n", [("TS2004", 1)]),
        ("    for i in n:\n        A[i] = 1.0\n        A[i, i] = 1.0\n", [("TS2009", 1)]),
        ("    with T.foo() as (i, j):\n        A[i] = j\n", [("TS2004", 1)]),
        ("    B = T.alloc_buffer((16,), 'float33')\n    B[0] = A[0]\n    A[0] = B[0]\n", [("TS1001", 1)]),
        ("    x: T.foo = n\n    A[x] = 1.0\n", [("TS2004", 1)]),
        ("    x = (T.foo(1), 2)\n    A[x[0]] = 1.0\n", [("TS2004", 1)]),
        # a name that is not known is told once
        ("    A[x] = 1.0\n    A[x + 1] = 1.0\n    for i in range(x):\n        A[i] = x\n", [("TS2003", 1)]),
        # a definition of its own makes a name good again
        ("    x = T.foo(1)\n    x = n + 1\n    A[x] = 1.0\n    A[x, x] = 1.0\n", [("TS2004", 1), ("TS1005", 4)]),
        # bodies of what failed are read
        ("    if A.data:\n        A[0, 0] = 1.0\n    else:\n        A[y] = 1.0\n",
         [("TS2021", 1), ("TS1005", 2), ("TS2003", 4)]),
        ("    while A.data:\n        A[0, 0] = 1.0\n", [("TS2021", 1), ("TS1005", 2)]),
        ("    with T.foo():\n        T.reads(A[0])\n        A[0, 0] = 1.0\n", [("TS2004", 1), ("TS1005", 3)]),
        # what a body has wrong is not told once more by the statement around it
        ("    with T.block('x'):\n        T.reads(A)\n        T.writes(A[0])\n        A[0] = 1.0\n", [("TS1003", 2)]),
        # statements behind a failed block are outside of it
        ("    with T.block('x'):\n        A[0, 0] = 1.0\n    T.reads(A[0])\n", [("TS1005", 2), ("TS2017", 3)]),
        # a body that is written into the one around it
        ("    T.block('x')\n    if True:\n        A[0, 0] = 1.0\n    T.reads(A[0])\n    T.reads(A[1])\n",
         [("TS1005", 3), ("TS2018", 5)]),
        # one place is told once, however often it is written out
        ("    for i in (1, 2, 3):\n        A[i, i] = 1.0\n", [("TS1005", 2)]),
    ],
)  # fmt: skip
def test_what_follows_is_not_told(body: str, expected: list[tuple[str, int]]) -> None:
    assert places(body) == expected


def test_parameters_and_functions() -> None:
    error = error_of(
        "@I.ir_module\n"
        "class Module:\n"
        "    I.module_attrs(1)\n"
        "    @T.prim_func\n"
        "    def f(a: T.foo, b, c: T.int32) -> T.bar:\n"
        "        T.evaluate(a + b + c)\n"
        "    def g(n: T.int32):\n"
        "        T.evaluate(n)\n"
        "    @T.prim_func\n"
        "    def h(n: T.int32):\n"
        "        Module.f(n, n, n)\n"
        "        Module.g(n)\n"
        "        T.evaluate(m)\n"
    )
    assert [(item.code, item.line) for item in error.errors] == [
        ("TS1003", 3), ("TS2004", 5), ("TS2015", 5), ("TS2004", 5), ("TS2023", 7), ("TS2003", 13),
    ]  # fmt: skip


def test_errors_of_macros_are_told() -> None:
    error = error_of("@T.macro\ndef m(A):\n    A[0, 0] = 1.0\n\n" + HEADER + "    m(A)\n    A[y] = 1.0\n")
    assert [(item.code, item.line) for item in error.errors] == [("TS1005", 3), ("TS2003", 8)]


def test_decorated_functions_tell_all_too() -> None:
    calls: list[int] = []

    def count(value: int) -> int:
        calls.append(value)
        return value

    with pytest.raises(DiagnosticError) as caught:

        @T.prim_func
        def f(A: T.Buffer((16,), "float32")):  # type: ignore[no-untyped-def,valid-type]
            A[count(0), 0] = 1.0
            A[count(1)] = 2.0
            A[missing] = 2.0  # type: ignore[name-defined]  # noqa: F821

    assert [item.code for item in caught.value.errors] == ["TS1005", "TS2003"]
    assert calls == [0, 1]  # each is called once


def test_many_errors_are_cut() -> None:
    error = error_of(HEADER + "    A[0, 0] = 1.0\n" * 1000)
    assert len(error.errors) == MAX_ERRORS
    assert str(error).endswith(f"{MAX_ERRORS} errors")


def test_many_errors_that_follow_end_soon() -> None:
    begin = time.perf_counter()
    error = error_of(HEADER + "    x = T.foo(1)\n" + "    A[x] = x\n" * 20_000)
    assert [item.code for item in error.errors] == ["TS2004"]
    assert time.perf_counter() - begin < 10
