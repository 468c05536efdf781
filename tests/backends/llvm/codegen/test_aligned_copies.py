"""Copies that are left out where the original is aligned: the rewritten text, values at all offsets, and refusals."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.llvm.codegen.aligned_copies import leave_out_aligned_copies

COPY = """    for k in range(4):
        P = T.allocate([64], "float32", "global")
        P_1 = T.Buffer((64,), data=P)
        for i in T.serial(4, annotations={"tir.copy_unless_aligned": 64}):
            for j in T.vectorized(16):
                P_1[i * 16 + j] = A[k * 64 + i * 16 + j]
        for i in range(64):
            C[k * 64 + i] = P_1[63 - i]
"""
HEAD = """@T.prim_func
def main(A: T.Buffer((256,), "float32"), C: T.Buffer((256,), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
"""


def rewritten(text: str) -> str:
    func = tvmscript.from_source(text)
    return str(func.with_body(leave_out_aligned_copies(func)).script(comments=False))


def test_text() -> None:
    """The copy is under the condition, and what reads it has the chosen memory."""
    text = rewritten(HEAD + COPY)
    condition = 'is_aligned: T.bool = T.reinterpret("int64", T.address_of(A[k * 64])) % T.int64(64) == T.int64(0)'
    lines = [line.strip() for line in text.splitlines()]
    start = lines.index(condition)
    assert lines[start + 1] == "if not is_aligned:"
    assert 'P_1_1: T.handle("float32", "global") = T.if_then_else(is_aligned, T.address_of(A[k * 64]), P_1)' in lines
    assert lines[-2:] == ["P_1_2 = T.Buffer((64,), data=P_1_1)", "C[k * 64 + i] = P_1_2[63 - i]"]
    assert "copy_unless_aligned" not in text


@pytest.mark.parametrize("offset", [0, 4, 32])
def test_values(offset: int) -> None:
    memory = np.arange(16 + 256 + offset, dtype=np.float32)
    first = -memory.ctypes.data // 4 % 16 + offset // 4
    a, c = memory[first : first + 256], np.zeros(256, np.float32)
    tvmscript.build(tvmscript.from_source(HEAD + COPY))["main"](a, c)
    np.testing.assert_array_equal(c, a.reshape(4, 64)[:, ::-1].ravel())


OUTSIDE = """    P = T.allocate([64], "float32", "global")
    P_1 = T.Buffer((64,), data=P)
    for k in range(4):
        READ_BEFORE
        for i in T.serial(64, annotations={"tir.copy_unless_aligned": 64}):
            P_1[i] = A[k * 64 + i]
        C[k * 64] = P_1[63]
    READ_BEHIND
"""


@pytest.mark.parametrize("place", ["READ_BEFORE", "READ_BEHIND"])
def test_a_copy_that_is_read_elsewhere_stays(place: str) -> None:
    """The iteration before has made it, or a loop that has ended."""
    read = HEAD + OUTSIDE.replace(place, "C[5] = P_1[7]")
    for other in ("READ_BEFORE", "READ_BEHIND"):
        read = read.replace(other, "T.evaluate(0)")
    assert rewritten(read) == str(tvmscript.from_source(read).script(comments=False))
    alone = HEAD + OUTSIDE.replace("READ_BEFORE", "T.evaluate(0)").replace("READ_BEHIND", "T.evaluate(0)")
    assert "if not is_aligned" in rewritten(alone)


WRITES = """    for i in range(256):
        A[i] = C[i] + T.float32(1)
"""


def test_the_original_may_be_written_before() -> None:
    text = HEAD + WRITES + COPY
    assert "if not is_aligned" in rewritten(text)
    a, c = np.zeros(256, np.float32), np.arange(256, dtype=np.float32)
    tvmscript.build(tvmscript.from_source(text))["main"](a, c)
    np.testing.assert_array_equal(c, (np.arange(256, dtype=np.float32) + 1).reshape(4, 64)[:, ::-1].ravel())


@pytest.mark.parametrize("is_inside", [False, True])
def test_the_original_may_not_be_written_beside_or_behind(is_inside: bool) -> None:
    """Behind the copy, and in the loop around it, whose next iteration copies again."""
    text = HEAD + (
        COPY.replace(
            "        for i in range(64):\n            C",
            "        A[7] = C[8]\n        for i in range(64):\n            C",
        )
        if is_inside
        else COPY + WRITES
    )
    assert text != HEAD + COPY
    assert rewritten(text) == str(tvmscript.from_source(text).script(comments=False))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('    T.func_attr({"tir.noalias": T.bool(True)})\n', "", id="arguments may overlap"),
        pytest.param("C[k * 64 + i] =", "A[k * 64 + i] =", id="the original is written"),
        pytest.param("C[k * 64 + i] = P_1[63 - i]", "P_1[i] = C[i]", id="the copy is written"),
        pytest.param("A[k * 64 + i * 16 + j]", "A[k * 64 + i + j * 4]", id="a transposed copy"),
        pytest.param("A[k * 64 + i * 16 + j]", "A[k * 64 + i * 16 + 15 - j]", id="a reversed copy"),
        pytest.param(
            "A[k * 64 + i * 16 + j]", 'T.Cast("float32", T.Cast("float16", A[k * 64 + i * 16 + j]))', id="rounded"
        ),
        pytest.param(
            "C[k * 64 + i] = P_1[63 - i]",
            'T.call_extern("int32", "f", T.address_of(P_1[i]))',
            id="who reads is unknown",
        ),
        pytest.param("C[k * 64 + i] = P_1[63 - i]", 'T.call_extern("int32", "f", P)', id="memory is passed on"),
        pytest.param("C[k * 64 + i] = P_1[63 - i]", "Q: T.handle = P", id="memory has another name"),
        pytest.param("C[k * 64 + i] = P_1[63 - i]", "Q: T.handle = T.address_of(A[0])", id="the original has one"),
    ],
)
def test_it_stays(old: str, new: str) -> None:
    assert old in HEAD + COPY
    text = (HEAD + COPY).replace(old, new)
    assert rewritten(text) == str(tvmscript.from_source(text).script(comments=False))
