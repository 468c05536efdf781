"""Functions of `tvm.tir` that are not those of `T`."""

from __future__ import annotations

from types import ModuleType

import numpy
import pytest

import tvmscript
from tvmscript import relax, te, tir
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


def test_reductions() -> None:
    """`tir` has the reductions of `te`; max and min of two values are no reductions."""
    rows, k = te.placeholder((4, 8), name="A"), te.reduce_axis((0, 8), "k")
    total = tir.sum(rows[0, k], axis=k)
    assert isinstance(total, tir.Reduce)
    assert isinstance(tir.max(rows[0, k], axis=[k]), tir.Reduce)
    assert isinstance(tir.max(i, n), tir.Max)
    product = tir.comm_reducer(lambda a, b: a * b, lambda dtype: tir.const(1, dtype=dtype))
    values = numpy.arange(32, dtype="float32").reshape(4, 8) / 16
    out = numpy.zeros(4, "float32")
    result = te.compute((4,), lambda row: product(rows[row, k], axis=k), name="B")
    tvmscript.build(te.create_prim_func([rows, result]), target="interp")["main"](values, out)
    numpy.testing.assert_allclose(out, values.prod(axis=1), rtol=1e-6)


@pytest.mark.parametrize(("module", "name", "letter"), [(tir, "prim_func", "T"), (relax, "function", "R")])
def test_names_of_the_language(module: ModuleType, name: str, letter: str) -> None:
    """TVM has two modules `tir` and `relax`; an import of the other one is answered."""
    with pytest.raises(AttributeError, match=f"'{name}': it is in {letter}, `from tvmscript import {letter}`"):
        getattr(module, name)
