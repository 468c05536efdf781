"""Which loops are reductions: their operator and term, or None."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.backends.llvm.codegen.reduction_patterns import Accumulation, match_reduction, match_reductions
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir import For


def loop_of(body: str) -> For:
    """Return a loop with some lines as its body."""
    lines = "\n".join([f"        {line}" for line in body.splitlines()])
    func = tvmscript.from_source(
        "@T.prim_func\ndef main(A: T.Buffer((8,)), S: T.Buffer((2,)), P: T.Buffer((2,), 'int32'), n: T.int32):\n"
        f"    for k in range(8):\n{lines}\n"
    )
    assert isinstance(func, tvmscript.PrimFunc)
    return next(node for node in nodes(func.body) if isinstance(node, For))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("S[0] = S[0] + A[k]", "Add A[k] None"),
        ("S[0] = A[k] + S[0]", "Add A[k] None"),
        ("S[0] = S[0] * A[k]", "Mul A[k] None"),
        ("S[0] = T.max(S[0], A[k])", "Max A[k] None"),
        ("S[0] = T.min(A[k], S[0])", "Min A[k] None"),
        ("S[0] = S[0] - A[k]", None),
        ("S[0] = S[1] + A[k]", None),
        ("S[0] = A[k]", None),
        ("if k < n:\n    S[0] = S[0] + A[k]", "Add A[k] k < n"),
        ("if k < n:\n    S[0] = S[0] + A[k]\nelse:\n    S[0] = 1.0", None),
        ("if k < n:\n    S[0] = 1.0\nelse:\n    S[0] = S[0] + A[k]", None),
        ("if k < n:\n    if k > 1:\n        S[0] = S[0] + A[k]", None),
        ("while k < n:\n    S[0] = S[0] + A[k]", None),
    ],
)
def test_one_accumulation(body: str, expected: str | None) -> None:
    found = match_reduction(loop_of(body))
    if expected is None:
        assert found is None
    else:
        assert isinstance(found, Accumulation)
        condition = None if found.condition is None else found.condition.script()
        assert f"{found.op.__name__} {found.term.script()} {condition}" == expected
        assert match_reductions(loop_of(body)) != []
