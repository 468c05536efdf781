"""Structural equality and hash of graph functions: variables are mapped by definition."""

from __future__ import annotations

import pytest

from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.relax.expr import BindingBlock, MatchCast, SeqExpr, Tuple, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import FuncStructInfo, PrimStructInfo, ShapeStructInfo, TensorStructInfo
from tvmscript.ir.tir.var import Var as SizeVar


def _function(name: str = "n", extra: int = 0, of: int = 0, dtype: str = "float32") -> Function:
    n, k = SizeVar(name, "int64"), SizeVar("k", "int64")
    x = Var("x", TensorStructInfo([n + 1, 4], dtype))
    y = Var("y", TensorStructInfo([n], dtype))
    cast = MatchCast(Var("c", TensorStructInfo([k, n + extra])), x, TensorStructInfo([k, n + extra]))
    last = VarBinding(Var("r"), (x, y)[of])
    return Function((x, y), SeqExpr((BindingBlock((cast, last)),), last.var), TensorStructInfo(ndim=-1))


def test_names_do_not_count() -> None:
    one, other = _function(), _function("m")
    assert structural_equal(one, other)
    assert structural_hash(one) == structural_hash(other)


@pytest.mark.parametrize("changed", [{"extra": 1}, {"of": 1}, {"dtype": "float16"}])
def test_what_counts(changed: dict[str, object]) -> None:
    one, other = _function(), _function(**changed)  # type: ignore[arg-type]  # one of the keywords
    assert not structural_equal(one, other)
    assert structural_hash(one) != structural_hash(other)


def test_sizes_of_a_function_type_are_its_own() -> None:
    def result(name: str) -> FuncStructInfo:
        n = SizeVar(name, "int64")
        return FuncStructInfo((ShapeStructInfo((n,)), PrimStructInfo("int64", n)), TensorStructInfo([n]))

    assert structural_equal(result("n"), result("m"))
    assert structural_hash(result("n")) == structural_hash(result("m"))


def test_free_sizes_are_themselves() -> None:
    n, m = SizeVar("n", "int64"), SizeVar("m", "int64")
    assert structural_equal(TensorStructInfo([n]), TensorStructInfo([n]))
    assert not structural_equal(TensorStructInfo([n]), TensorStructInfo([m]))
    assert structural_equal(TensorStructInfo([n]), TensorStructInfo([m]), map_free_vars=True)


def test_pairs_are_one_to_one() -> None:
    def result(first: str, second: str) -> Function:
        sizes = {name: SizeVar(name, "int64") for name in (first, second)}
        x = Var("x", TensorStructInfo([sizes[first], sizes[second]]))
        return Function((x,), SeqExpr((), Tuple((x,))))

    assert structural_equal(result("a", "b"), result("b", "a"))
    assert not structural_equal(result("a", "b"), result("a", "a"))
    assert not structural_equal(result("a", "a"), result("a", "b"))
