"""What printed loops run over stands outside of them."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.fuzz.parser.names import NameBeforeLoop, check_names

INNER = """\
@T.prim_func
def f(n: T.int32):
    for i in range(n):
        for j in range(i):
            T.evaluate(j)
"""


def test_loops_in_each_other() -> None:
    check_names(tvmscript.from_source(INNER).script())
    with pytest.raises(NameBeforeLoop, match="i is a variable of the loop in line 1"):  # TS8071
        check_names("for i, j in T.grid(4, i):\n    T.evaluate(j)\n")
