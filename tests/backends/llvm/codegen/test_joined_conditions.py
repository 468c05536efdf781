"""Statements under one condition are joined."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.backends.llvm.codegen.joined_conditions import JoinConditions
from tvmscript.ir.tir import PrimFunc

FUNCTION = """
@T.prim_func
def main(A: T.Buffer((64,), "int32"), n: T.int32, m: T.int32):
{body}
"""
CASES = {
    "equal": (
        """
        if n < 4:
            A[0] = 1
        if n < 4:
            A[1] = 2
        A[2] = 3
        """,
        """
        if n < 4:
            A[0] = 1
            A[1] = 2
        A[2] = 3
        """,
    ),
    "implied": (
        """
        A[2] = 3
        if n < 4:
            A[0] = 1
        if n < 3:
            A[1] = 2
        if n < 3:
            A[3] = 2
        if n < 4:
            A[4] = 2
        """,
        """
        A[2] = 3
        if n < 4:
            A[0] = 1
            if n < 3:
                A[1] = 2
                A[3] = 2
            A[4] = 2
        """,
    ),
    "in loops": (
        """
        for i in range(8):
            if i < n:
                A[i] = 1
            if i < n:
                A[i + 8] = 1
        """,
        """
        for i in range(8):
            if i < n:
                A[i] = 1
                A[i + 8] = 1
        """,
    ),
}
#: sequences that stay: a weaker condition, another one, an else, one that a statement may change, a statement between
KEPT = (
    "if n < 4:\n    A[0] = 1\nif n < 5:\n    A[1] = 2",
    "if n < 4:\n    A[0] = 1\nif m < 4:\n    A[1] = 2",
    "if n < 4:\n    A[0] = 1\nelse:\n    A[0] = 2\nif n < 4:\n    A[1] = 2",
    "if n < 4:\n    A[0] = 1\nif n < 4:\n    A[0] = 2\nelse:\n    A[1] = 2",
    "if A[0] < 4:\n    A[0] = 10\nif A[0] < 4:\n    A[1] = 2",
    "if n < 4:\n    A[0] = 1\nA[2] = 3\nif n < 4:\n    A[1] = 2",
)


def _function(body: str) -> PrimFunc:
    func = tvmscript.from_source(FUNCTION.format(body=body))
    assert isinstance(func, PrimFunc)
    return func


def _joined(body: str) -> tuple[PrimFunc, PrimFunc]:
    func = _function(body)
    return func, func.with_body(JoinConditions().rewrite(func.body))


@pytest.mark.parametrize("name", CASES)
def test_joined(name: str) -> None:
    before, after = CASES[name]
    tvmscript.ir.assert_structural_equal(_joined(before)[1], _function(after))


@pytest.mark.parametrize("body", KEPT)
def test_kept(body: str) -> None:
    before, after = _joined("    " + body.replace("\n", "\n    "))
    assert after.body is before.body
