"""Calls of kernels by kernels of the module, with the memory of buffers."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.runtime.errors import NotAnArray
from tvmscript.parser.diagnostics.errors import NotAnExpression, Refused

MODULE = """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def row({parameter}, s: T.float32):
        {match}
        for i in range(10):
            X[i] = X[i] * s

    @T.prim_func
    def main(A: T.Buffer((4, 10), "float32")):
        {call}
"""
BUFFER = 'X: T.Buffer((10,), "float32")', "pass"
MATCHED = "x: T.handle", 'X = T.match_buffer(x, (10,), "float32")'
POINTER = 'x: T.handle("float32")', 'X = T.Buffer((10,), "float32", data=x)'


def module_text(kind: tuple[str, str], call: str) -> str:
    return MODULE.format(parameter=kind[0], match=kind[1], call=call)


@pytest.mark.parametrize("target", ["interp", "llvm"])
@pytest.mark.parametrize("kind", [BUFFER, MATCHED, POINTER])
@pytest.mark.parametrize(
    ("call", "rows"), [("Module.row(A.data, 2.0)", [0]), ("Module.row(T.address_of(A[2, 0]), T.float32(2))", [2])]
)
def test_the_memory_of_a_buffer(target: str, kind: tuple[str, str], call: str, rows: list[int]) -> None:
    values = np.arange(40, dtype="float32").reshape(4, 10)
    expected = values.copy()
    expected[rows] *= 2
    tvmscript.build(tvmscript.from_source(module_text(kind, call)), target=target)["main"](values)
    np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize("target", ["interp", "llvm"])
def test_a_compact_array_of_vectors_and_two_dimensions(target: str) -> None:
    text = """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def helper(X: T.Buffer((2, 3), "float32x4"), Y: T.Buffer((), "int32")):
        for i, j in T.grid(2, 3):
            X[i, j] = X[i, j] + T.Broadcast(T.Cast("float32", Y[()]), 4)

    @T.prim_func
    def main(A: T.Buffer((24,), "float32"), B: T.Buffer((1,), "int32")):
        Module.helper(A.data, B.data)
"""
    values, addend = np.arange(24, dtype="float32"), np.array([5], "int32")
    tvmscript.build(tvmscript.from_source(text), target=target)["main"](values, addend)
    np.testing.assert_array_equal(values, np.arange(5, 29, dtype="float32"))


BARE = """@I.ir_module
class Module:
    @T.prim_func{private}
    def helper({parameter}, s: T.float32):
        {match}
        for i in range(10):
            X[i] = X[i] * s

    @T.prim_func
    def main(a: T.handle, b: T.handle):
        {body}
"""


@pytest.mark.parametrize("target", ["interp", "llvm", "c"])
@pytest.mark.parametrize("kind", [BUFFER, MATCHED, POINTER])
@pytest.mark.parametrize("is_public", [False, True])
@pytest.mark.parametrize("matched", ["", 'A = T.match_buffer(a, (10,), "float32")'])
def test_a_handle_of_the_caller_is_the_memory_of_its_array(
    target: str, kind: tuple[str, str], is_public: bool, matched: str
) -> None:
    """A parameter, with `match_buffer` or without, is passed on to a kernel as the address of the first element."""
    values, others = np.arange(16, dtype="float32"), np.arange(10, dtype="float32")
    body = f"{matched}\n        Module.helper(a, 2.0)\n        Module.helper(b, 3.0)"
    text = BARE.format(private="" if is_public else "(private=True)", parameter=kind[0], match=kind[1], body=body)
    tvmscript.build(tvmscript.from_source(text), target=target)["main"](values[6:], others)
    np.testing.assert_array_equal(values, [*range(6), *range(12, 32, 2)])
    np.testing.assert_array_equal(others, np.arange(0, 30, 3))


@pytest.mark.parametrize("target", ["interp", "llvm"])
def test_a_pointer_has_no_symbolic_shape(target: str) -> None:
    text = """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def helper(x: T.handle):
        n = T.int32()
        X = T.match_buffer(x, (n,), "float32")
        for i in range(n):
            X[i] = T.float32(0)

    @T.prim_func
    def main(A: T.Buffer((24,), "float32")):
        Module.helper(A.data)
"""
    with pytest.raises(NotAnArray) as caught:
        tvmscript.build(tvmscript.from_source(text), target=target)["main"](np.zeros(24, "float32"))
    assert caught.value.hint is not None
    assert "constant shape" in caught.value.hint


@pytest.mark.parametrize(
    ("call", "error", "hint"),
    [
        ("Module.row(A, 2.0)", NotAnExpression, "pass its memory: A.data"),
        ("Module.row(A[1, 0:10], 2.0)", Refused, "pass an address: T.address_of(A[1, 0]), or A.data for all elements"),
        ("Module.row(A[0, 3], 2.0)", Refused, "pass an address: T.address_of(A[0, 3]), or A.data for all elements"),
        ("Module.row(A.data, A.data)", Refused, "pass an element of a buffer: A[...]"),
    ],
)
def test_what_is_no_address_is_refused_when_it_is_read(call: str, error: type[Exception], hint: str) -> None:
    with pytest.raises(error) as caught:
        tvmscript.from_source(module_text(BUFFER, call))
    assert getattr(caught.value, "hint", None) == hint
