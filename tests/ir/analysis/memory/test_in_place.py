"""Which statements may write their result into the memory of an operand: C into that of A."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.analysis.memory.in_place import is_in_place

EACH = "for i, j, k in T.grid(2, 4, 4):\n    C[i, j, k] = A[i, j, k]"
#: each element is computed once, from the same element
TAKEN = [
    ("C[0] = A[0]", "(64,)", "(64,)"),
    ("for i in range(8):\n    C[i] = A[i] + 1.0", "(64,)", "(64,)"),
    ("for i in range(8):\n    C[7 - i] = A[7 - i]", "(64,)", "(64,)"),
    ("for i in range(n):\n    C[i] = A[i]", "(64,)", "(64,)"),
    ("for i, j in T.grid(4, 8):\n    C[i, j] = A[i, j]", "(4, 8)", "(4, 8)"),
    ("for i, j in T.grid(4, 8):\n    C[j, i] = A[j, i]", "(8, 4)", "(8, 4)"),
    ("for i, j in T.grid(4, 1):\n    C[i, 0] = A[i, 0]", "(4, 8)", "(4, 8)"),
    ("for i, j in T.grid(4, 4):\n    C[i * 4 + j] = A[i * 4 + j]", "(64,)", "(64,)"),
    ("for i, j in T.grid(n, 4):\n    C[i * 4 + j] = A[i * 4 + j]", "(64,)", "(64,)"),
    ("for i, j in T.grid(4, n):\n    C[j * 4 + i] = A[j * 4 + i]", "(64,)", "(64,)"),
    ("for i in range(4):\n    C[i * 4 : i * 4 + 4] = A[i * 4 : i * 4 + 4]", "(64,)", "(64,)"),
    ("for i in range(8):\n    C[i * 2] = A[i * 2]\n    C[i * 2 + 1] = A[i * 2 + 1]", "(64,)", "(64,)"),
    (EACH, "(2, 4, 8)", "(2, 4, 8)"),
    (EACH, "(2, 4, 8)", "(3, 4, 8)"),
]
REFUSED = [
    # another element, or one that is already overwritten
    ("for i in range(8):\n    C[i] = A[i + 1]", "(64,)", "(64,)"),
    ("for i in range(8):\n    C[7 - i] = A[i]", "(64,)", "(64,)"),
    ("for i in range(8):\n    C[i] = A[i] + A[0]", "(64,)", "(64,)"),
    ("for i in range(8):\n    if A[i] > 0.0:\n        C[i] = A[i]", "(64,)", "(64,)"),
    (EACH, "(2, 4, 8)", "(2, 4, 6)"),
    (EACH, "(2, 4, 8)", "(2, 5, 8)"),
    # an element is computed twice
    ("while n > 0:\n    C[0] = A[0]", "(64,)", "(64,)"),
    ("for i, j in T.grid(2, 8):\n    C[j] = A[j]", "(64,)", "(64,)"),
    ("for i, j in T.grid(4, 4):\n    C[i + j] = A[i + j]", "(64,)", "(64,)"),
    ("for i, j in T.grid(4, 4):\n    C[i * 3 + j] = A[i * 3 + j]", "(64,)", "(64,)"),
    ("for i, j in T.grid(4, n):\n    C[i * 4 + j] = A[i * 4 + j]", "(64,)", "(64,)"),
    ("for i, j in T.grid(8, 8):\n    C[i // 2, j] = A[i // 2, j]", "(4, 8)", "(4, 8)"),
    ("for i, j in T.grid(4, 8):\n    C[i, 0] = A[i, 0]", "(4, 8)", "(4, 8)"),
    ("for i, j in T.grid(4, 4):\n    C[i, i] = A[i, i]", "(4, 8)", "(4, 8)"),
    ("for i in range(4):\n    C[i * 2 : i * 2 + 4] = A[i * 2 : i * 2 + 4]", "(64,)", "(64,)"),
    ("for i in range(8):\n    C[i] = A[i]\n    C[i] = A[i] * 2.0", "(64,)", "(64,)"),
    ("for i in range(8):\n    C[i * 2] = A[i * 2]\n    C[i * 2 + 2] = A[i * 2 + 2]", "(64,)", "(64,)"),
    (
        "for i in range(4):\n    for j in range(8):\n        C[i, j] = A[i, j]\n    C[i, 0] = A[i, 0]",
        "(4, 8)",
        "(4, 8)",
    ),
    # the old memory is written, or its address handed on
    ("for i in range(8):\n    A[i] = 0.0\n    C[i] = A[i]", "(64,)", "(64,)"),
    ("for i in range(8):\n    C[i] = T.call_extern('float32', 'f', A.data)", "(64,)", "(64,)"),
]


@pytest.mark.parametrize(
    ("body", "old", "new", "expected"), [(*case, True) for case in TAKEN] + [(*case, False) for case in REFUSED]
)
def test_is_in_place(body: str, old: str, new: str, expected: bool) -> None:
    lines = "\n".join([f"    {line}" for line in body.splitlines()])
    func = tvmscript.from_source(
        f"@T.prim_func\ndef main(A: T.Buffer({old}), C: T.Buffer({new}), n: T.int32):\n{lines}\n",
        check_well_formed=False,
    )
    assert isinstance(func, tvmscript.PrimFunc)
    a, c = [func.buffer_map[param].data for param in func.params[:2]]
    assert is_in_place(func.body, c, a, ()) is expected
