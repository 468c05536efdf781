"""`build` and accesses outside of buffers: refused where that is proven, trapped with `check_bounds`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.backends.runtime.errors import KernelAssertion, OutOfBounds
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.analysis.errors import AccessOutOfBounds

SIZE = 16


def program(body: str) -> tvmscript.PrimFunc:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    params = 'A: T.Buffer((16,), "float32"), I: T.Buffer((16,), "int32"), n: T.int32'
    func: tvmscript.PrimFunc = tvmscript.from_source(f"@T.prim_func\ndef f({params}):\n{lines}\n")
    return func


@pytest.mark.parametrize(
    "body",
    [
        "A[-1] = T.float32(1)",
        "A[16] = T.float32(1)",
        "A[0] = A[16]",
        "for i in range(17):\n    A[i] = T.float32(1)",
        "for i in range(16):\n    A[i * 2] = T.float32(1)",
        "B = T.decl_buffer((32,), data=A.data)\nB[17] = T.float32(1)",
        "A[13:17] = T.Broadcast(T.float32(1), 4)",
    ],
)
def test_proven(body: str) -> None:
    """Refused with the line; built with the option, and then trapped. Reading and printing take it."""
    func = program(body)
    assert tvmscript.from_source(func.script()) is not None
    with pytest.raises(AccessOutOfBounds, match=r"allow_out_of_bounds=True") as caught:
        tvmscript.build(func)
    assert caught.value.span is not None
    assert caught.value.span.line >= 3
    assert "f" in tvmscript.build(func, allow_out_of_bounds=True)
    trapped = tvmscript.build(func, allow_out_of_bounds=True, check_bounds=True)
    with pytest.raises(KernelAssertion):
        trapped["f"](np.zeros(SIZE, "float32"), np.zeros(SIZE, "int32"), 0)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("A[n] = T.float32(1)", 3),
        ("A[0] = A[n]", 3),
        ("A[I[0]] = T.float32(1)", 3),
        ("for i in range(16):\n    A[I[i]] = T.float32(1)", 4),
        ("for i in T.parallel(16):\n    A[I[i]] = T.float32(1)", 4),
        ("for i in T.vectorized(16):\n    A[I[i]] = T.float32(1)", 4),
        ("for i in T.unroll(16):\n    A[I[i]] = T.float32(1)", 4),
        ("if A[n] == T.float32(0):\n    A[0] = T.float32(1)", 3),
        ("A[0] = T.Select(n < 16, A[n], T.float32(1))", 3),
        ("A[n:n + 4] = T.Broadcast(T.float32(1), 4)", 3),
        ("B = T.decl_buffer((32,), data=A.data)\nB[n] = T.float32(1)", 4),
        ("with T.LetStmt(A[n]) as x:\n    A[0] = x", 3),
        ("T.evaluate(T.call_extern('int32', 'abs', T.Cast('int32', A[n])))", 3),
        ("with T.block('b'):\n    vi = T.axis.spatial(16, n)\n    A[vi] = T.float32(1)", 4),
        ("while A[n] == T.float32(0):\n    A[0] = T.float32(1)", 3),
    ],
)
@pytest.mark.parametrize("n", [16, 17, 1 << 20, -1, -(1 << 20)])
def test_trapped(body: str, line: int, n: int) -> None:
    """The error has the buffer, its shape, the index and the line; nothing is written."""
    built = tvmscript.build(program(body), check_bounds=True)
    values = np.zeros(SIZE, "float32")
    with pytest.raises(KernelAssertion) as caught:
        built["f"](values, np.full(SIZE, n, "int32"), n)
    assert f":{line}: " in caught.value.text
    assert (
        "A of shape (16)" in caught.value.text or "B of shape (32)" in caught.value.text or "axis" in caught.value.text
    )
    assert not values.any()


def test_condition_that_leaves_its_buffer_later() -> None:
    """The condition of a `while` is evaluated once more than its body."""
    body = "k = T.alloc_buffer((1,), 'int32')\nk[0] = 0\nwhile A[k[0]] == T.float32(0):\n    k[0] = k[0] + 1"
    built = tvmscript.build(program(body), check_bounds=True)
    with pytest.raises(KernelAssertion, match="A of shape"):
        built["f"](np.zeros(SIZE, "float32"), np.zeros(SIZE, "int32"), 0)
    built["f"](np.eye(1, SIZE, 5, "float32")[0], np.zeros(SIZE, "int32"), 0)


MATCHED = """
@T.prim_func
def f(A: T.Buffer((10,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(3):
        with T.block("x"):
            vi = T.axis.spatial(3, i)
            T.reads(A[vi * 4:vi * 4 + 4])
            T.writes(B[vi * 4:vi * 4 + 4])
            M = T.match_buffer(A[vi * 4:vi * 4 + 4], (4,), "int32", offset_factor=1)
            for j in range(4):
                {}
"""


@pytest.mark.parametrize("guarded", ["if vi * 4 + j < 10: {} = {}", "{} = T.if_then_else(vi * 4 + j < 10, {}, 0)"])
def test_matched_region_that_overhangs(guarded: str) -> None:
    """Only an access leaves the buffer: that of a region may be guarded."""
    built = tvmscript.build(
        tvmscript.from_source(MATCHED.format(guarded.format("B[vi * 4 + j]", "M[j]"))), check_bounds=True
    )
    values = np.zeros(12, "int32")
    built["f"](np.arange(10, dtype="int32"), values)
    assert values.tolist() == [*range(10), 0, 0]


def test_access_of_a_matched_region_that_overhangs() -> None:
    built = tvmscript.build(tvmscript.from_source(MATCHED.format("B[vi * 4 + j] = M[j]")), check_bounds=True)
    with pytest.raises(KernelAssertion, match="A of shape"):
        built["f"](np.arange(10, dtype="int32"), np.zeros(12, "int32"))


def _built(offset: int, step: int, extent: str, guard: str) -> list[Module]:
    func = program(
        f"for i in range({extent}):\n"
        f"    if {guard}:\n"
        f"        A[i * {step} + {offset}] = A[i * {step} + {offset}] + T.float32(1)"
    )
    checked = tvmscript.build(func, check_bounds=True, allow_out_of_bounds=True)
    return [checked, tvmscript.build(func, target="interp")]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(-3, 17), st.integers(-2, 3), st.sampled_from(["n", "4", "17"]),
    st.sampled_from(["i >= 0", "i < n", "i * 2 < n", "n > 3"]), st.integers(-2, 20),
)  # fmt: skip
def test_as_the_interpreter(offset: int, step: int, extent: str, guard: str, n: int) -> None:
    """Compiled code that is checked stops where the interpreter does, having written the same."""
    outcomes: list[object] = []
    for built in _built(offset, step, extent, guard):
        values = np.zeros(SIZE, "float32")
        try:
            built["f"](values, np.zeros(SIZE, "int32"), n)
        except (KernelAssertion, OutOfBounds):
            outcomes.append(("stopped", values.tolist()))
        else:
            outcomes.append(("done", values.tolist()))
    assert outcomes[0] == outcomes[1]
