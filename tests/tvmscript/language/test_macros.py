"""Macros: what they may be called with, where they may stand, what their errors say."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript import T
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.parser.names.namespace import OutsideOfKernel

BUFFER = 'A: T.Buffer((16,), "float32")'


def read(text: str) -> str:
    body: str = tvmscript.from_source(text).script().split("\n", 3)[3]
    return body


def refused(text: str) -> DiagnosticError:
    with pytest.raises(DiagnosticError) as caught:
        tvmscript.from_source(text)
    return caught.value


def test_defaults_and_rest() -> None:
    body = read(
        f"""@T.macro
def m(A, i, x=2.0, *rest, y: int = 3, **more):
    A[i] = x
    A[i + y] = T.float32(len(rest) + len(more))

@T.prim_func
def f({BUFFER}):
    m(A, 1)
    m(A, 2, 5.0, 7, 8, y=9, z=1)
"""
    )
    assert [line.strip() for line in body.splitlines()[1:]] == [
        "A[1] = T.float32(2)", "A[4] = T.float32(0)", "A[2] = T.float32(5)", "A[11] = T.float32(3)",
    ]  # fmt: skip


def test_what_a_macro_opens_runs_to_the_end_of_the_body() -> None:
    """As in TVM: a macro's statements become statements of the body that it is called in."""
    body = read(
        """@T.macro
def m(x):
    y = x + 1
    T.evaluate(y)

@T.prim_func
def f(n: T.int32):
    m(n)
    m(5)
"""
    )
    assert body == (
        "def f(n: T.int32):\n    y: T.int32 = n + 1\n    T.evaluate(y)\n    y_1: T.int32 = 6\n    T.evaluate(y_1)"
    )


def test_macros_of_a_module_are_members() -> None:
    body = tvmscript.from_source(
        f"""@I.ir_module
class M:
    @T.macro
    def clear(A, i):
        A[i] = 0.0

    @T.prim_func
    def f({BUFFER}):
        clear(A, 1)
        cls.clear(A, 2)
        M.clear(A, 3)
"""
    ).script()
    assert [f"A[{i}] = T.float32(0)" in body for i in (1, 2, 3)] == [True] * 3


def test_an_error_tells_the_calls() -> None:
    error = refused(
        f"""@T.macro
def inner(A, i):
    A[i, 0] = 1.0

@T.macro
def outer(A):
    inner(A, 2)

@T.prim_func
def f({BUFFER}):
    outer(A)
"""
    )
    assert error.line == 3
    assert [(span.line, text) for span, text in error.notes if span is not None] == [
        (7, "in the macro inner, which is called here"),
        (11, "in the macro outer, which is called here"),
    ]


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("m(A)", "missing a required argument: 'i'"),
        ("m(A, 1, 2)", "too many positional arguments"),
        ("m(A, 1, j=2)", "got an unexpected keyword argument 'j'"),
        ("m(A, 1, i=2)", "multiple values for argument 'i'"),
    ],
)
def test_arguments_are_checked(call: str, reason: str) -> None:
    error = refused(f"@T.macro\ndef m(A, i):\n    A[i] = 1.0\n@T.prim_func\ndef f({BUFFER}):\n    {call}\n")
    assert reason in str(error)
    assert "the signature is m(A, i)" in str(error)


def test_a_macro_that_calls_itself_ends() -> None:
    error = refused(f"@T.macro(hygienic=False)\ndef m(A):\n    m(A)\n@T.prim_func\ndef f({BUFFER}):\n    m(A)\n")
    assert error.code == "TS2020"
    assert [span.line for span, _ in error.notes if span is not None] == [3, 6]


def test_decorators_of_nested_functions() -> None:
    error = refused(f"@T.prim_func\ndef f({BUFFER}):\n    @T.prim_func\n    def g(i):\n        A[i] = 1.0\n")
    assert "@T.macro" in str(error)


def test_outside_of_kernels_macros_mean_nothing() -> None:
    @T.macro
    def m(i):  # type: ignore[no-untyped-def]
        T.evaluate(i)

    assert repr(m) == "<macro m(i)>"
    with pytest.raises(OutsideOfKernel, match="m is only valid"):
        m(1)
