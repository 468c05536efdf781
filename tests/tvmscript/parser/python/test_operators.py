"""`and` and `or`: of numbers they are logical, of vectors bit by bit, of Python's values Python's."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import TVMScriptError

HEAD = '@T.prim_func\ndef main(A: T.Buffer((16,), "int32"), a: T.bool, b: T.bool, n: T.int32):\n    '
V, W = "A[0:4] < A[4:8]", "A[4:8] < A[8:12]"

#: an expression, and the same as calls
EXPRESSIONS = {
    "a and b": "T.And(a, b)",
    "a or b": "T.Or(a, b)",
    "a and b and n < 3": "T.And(T.And(a, b), n < 3)",
    f"{V} and {W}": f"T.bitwise_and({V}, {W})",
    f"{V} or {W}": f"T.bitwise_or({V}, {W})",
    "True and a": "T.And(T.bool(True), a)",
    "False or a": "T.Or(T.bool(False), a)",
    "False and a": "False",
    "True or a": "True",
    "(1 and 2) + n": "2 + n",
    "(0 or 3) + n": "3 + n",
}


def read(text: str) -> tvmscript.PrimFunc:
    func = tvmscript.from_source(f"{HEAD}T.evaluate({text})\n", check_well_formed=False)
    assert isinstance(func, tvmscript.PrimFunc)
    return func


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_truths(text: str) -> None:
    assert_structural_equal(read(text), read(EXPRESSIONS[text]))


@pytest.mark.parametrize("text", ["n and a", "a or n", "a and n"])
def test_numbers_are_no_conditions(text: str) -> None:
    with pytest.raises(TVMScriptError, match="write != 0 after it"):
        read(text)
