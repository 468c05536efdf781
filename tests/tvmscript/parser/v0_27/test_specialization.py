"""`@T.jit`: kernels whose constants are given later, and parameters that may be left out."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.language.tirx import JitFunction
from tvmscript.script import tirx

T: Any = tirx


SOURCE = """
@T.jit
def scale(A: T.Buffer((N,), "float32"), extra: T.Optional(T.handle), *, N: T.constexpr, M: T.constexpr = 2):
    T.static_assert(N % M == 0, "M divides N")
    for i in range(N // M):
        A[i] = A[i] * T.float32(M)
    if extra is not None:
        T.evaluate(extra)
"""


def signature(A: Any, extra: Any, *, N: Any, M: Any = 2) -> None: ...


signature.__name__ = "scale"
scale: JitFunction = T.jit(signature, source=SOURCE)


def plain(n: int, m: int, with_extra: bool) -> tvmscript.PrimFunc:
    extra = ", extra: T.handle" if with_extra else ""
    text = (
        f'# from tvm.script import tirx as T\n@T.prim_func\ndef scale(A: T.Buffer(({n},), "float32"){extra}):\n'
        f"    for i in range({n // m}):\n        A[i] = A[i] * T.float32({m})\n"
    )
    func = tvmscript.from_source(text + ("    T.evaluate(extra)\n" if with_extra else ""))
    assert isinstance(func, tvmscript.PrimFunc)
    return func


def test_values_are_constants() -> None:
    assert isinstance(scale, JitFunction)
    assert_structural_equal(scale.specialize(N=8), plain(8, 2, True))
    assert_structural_equal(scale.specialize(N=12, M=4), plain(12, 4, True))


def test_parameters_that_are_left_out() -> None:
    assert_structural_equal(scale.specialize(N=8, extra=None), plain(8, 2, False))
    assert_structural_equal(scale.specialize(N=8), plain(8, 2, True))


@pytest.mark.parametrize(
    ("values", "told"),
    [({}, "the parameter N takes a value"), ({"K": 1}, "no parameter of scale named K"), ({"N": 9}, "M divides N")],
)
def test_refused(values: dict[str, int], told: str) -> None:
    with pytest.raises(tvmscript.TVMScriptError, match=told):
        scale.specialize(**values)


def test_only_functions() -> None:
    with pytest.raises(tvmscript.TVMScriptError, match="a Python function"):
        T.jit(3)


def test_texts_need_defaults() -> None:
    head = "# from tvm.script import tirx as T\n@T.jit\n"
    body = '(A: T.Buffer((N,), "float32"), *, N: T.constexpr{}):\n    A[0] = T.float32(N)\n'
    func = tvmscript.from_source(f"{head}def f{body.format(' = 4')}")
    plain_text = f"{head}def f{body.format('')}".replace("jit", "prim_func").replace(", *, N: T.constexpr", "")
    assert_structural_equal(func, tvmscript.from_source(plain_text.replace("N", "4")))
    with pytest.raises(tvmscript.DiagnosticError, match="the parameter N takes a value"):
        tvmscript.from_source(f"{head}def f{body.format('')}")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("T.Optional(T.Optional(n))", r"got T\.Optional\(T\.Optional\(n\)\)"),
        ("T.SMEMPool()", r"got a T\.SMEMPool"),
        ("T.TMEMPool(T.SMEMPool(), 64)", r"got a T\.TMEMPool"),
    ],
)
def test_errors_have_words_for_what_is_no_expression(value: str, words: str) -> None:
    text = f"# from tvm.script import tirx as T\n\n@T.prim_func\ndef f(n: T.int32):\n    T.evaluate({value})\n"
    with pytest.raises(tvmscript.DiagnosticError, match=words):
        tvmscript.from_source(text)
