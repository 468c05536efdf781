"""Functions of `tvm.tir` that are not those of `T`."""

from __future__ import annotations

import pytest

from tvmscript import tir
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import WrongArgumentCount

i, n = tir.Var("i", "int32"), tir.Var("n", "int32")


def test_all_and_any() -> None:
    conditions = [i < 4, n > 0, i >= 0]
    assert_structural_equal(tir.all(*conditions), tir.And(tir.And(i < 4, n > 0), i >= 0), map_free_vars=True)
    assert_structural_equal(tir.any(*conditions), tir.Or(tir.Or(i < 4, n > 0), i >= 0), map_free_vars=True)
    assert tir.all(conditions[0]) is conditions[0]
    with pytest.raises(WrongArgumentCount):
        tir.any()


def test_statements_of_statements() -> None:
    parts: list[tir.Stmt] = [tir.Evaluate(i), tir.Evaluate(n), tir.Evaluate(i + n)]
    made = tir.stmt_seq(parts[0], tir.SeqStmt(tuple(parts[1:])))
    assert tir.stmt_list(made) == parts
    assert tir.stmt_list(parts[0]) == parts[:1]
    assert tir.stmt_seq(parts[0]) is parts[0]
