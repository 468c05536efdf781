"""Inference and errors of the constructors of Relax nodes."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import UnknownName, WrongRank, WrongType
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.relax.expr import (
    Call,
    Constant,
    ExternFunc,
    If,
    PrimValue,
    SeqExpr,
    ShapeExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.binary import add
from tvmscript.ir.relax.op.call_packed import call_packed
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir.var import Var as SizeVar

N = SizeVar("n", "int64")
X = Var("x", TensorStructInfo([N, 4], "float32"))


@pytest.mark.parametrize(
    ("value", "info"),
    [
        (ShapeExpr([N, 4]), ShapeStructInfo((N, 4))),  # type: ignore[arg-type]  # integers are sizes
        (PrimValue(4), PrimStructInfo("int64", PrimValue(4).value)),
        (PrimValue(True), PrimStructInfo("bool", PrimValue(True).value)),
        (StringImm("text"), ObjectStructInfo()),
        (Tuple((X, X)), TupleStructInfo((TensorStructInfo([N, 4], "float32"),) * 2)),
        (TupleGetItem(Tuple((X, PrimValue(1))), 0), TensorStructInfo([N, 4], "float32")),
        (SeqExpr((), X), TensorStructInfo([N, 4], "float32")),
        (Constant(np.zeros((2, 3), "float32"), "float32"), TensorStructInfo([2, 3], "float32")),
        (Call(ExternFunc("f"), (X,)), ObjectStructInfo()),
        (Call(ExternFunc("f"), (X,), sinfo_args=(PrimStructInfo("int64"),)), PrimStructInfo("int64")),
    ],
    ids=lambda item: type(item).__name__,
)
def test_inferred(value: Var, info: TensorStructInfo) -> None:
    assert value.struct_info is not None
    assert structural_equal(value.struct_info, info)


def test_an_if_is_what_its_branches_have_in_common() -> None:
    cond = Var("c", TensorStructInfo([], "bool"))
    other = Var("y", TensorStructInfo([N, 5], "float32"))
    result = If(cond, SeqExpr((), X), SeqExpr((), other))
    assert result.struct_info is not None
    assert structural_equal(result.struct_info, TensorStructInfo(None, "float32", 2))


def test_a_function_returns_what_its_body_is() -> None:
    result = Function((X,), SeqExpr((), Tuple((X, X))))
    assert isinstance(result.ret_struct_info, TupleStructInfo)
    assert isinstance(result.struct_info, FuncStructInfo)
    assert result.struct_info.ret is result.ret_struct_info


def test_a_call_of_a_global_variable() -> None:
    func = Function((X,), SeqExpr((), X))
    known = GlobalVar("f", struct_info=func.struct_info)
    result = Call(known, (Var("y", TensorStructInfo([7, 4], "float32")),))
    assert result.struct_info is not None
    assert structural_equal(result.struct_info, TensorStructInfo([7, 4], "float32"))
    assert Call(GlobalVar("g"), (X,)).struct_info is None


def test_what_follows_is_inferred_again() -> None:
    half = Var("h", TensorStructInfo([N, 4], "float16"))
    call = Call(add, (X, X)).replace(args=(half, half))
    assert isinstance(call.struct_info, TensorStructInfo)
    assert call.struct_info.dtype == "float16"
    assert X.replace(name_hint="z").struct_info is X.struct_info
    given = Call(GlobalVar("g"), (X,), struct_info=ObjectStructInfo())
    assert given.replace(args=(half,)).struct_info is given.struct_info


def test_rank_and_shape_agree() -> None:
    assert TensorStructInfo([N, 4]).ndim == 2
    with pytest.raises(WrongRank):
        TensorStructInfo([N, 4], ndim=3)
    with pytest.raises(WrongRank):
        ShapeStructInfo((N,), 2)


def test_refusals() -> None:
    with pytest.raises(WrongType, match="0 to 1"):
        TupleGetItem(Tuple((X, X)), 2)
    with pytest.raises(WrongType, match="sizes of int64"):
        ShapeExpr([SizeVar("f", "float32")])
    with pytest.raises(WrongType):
        PrimStructInfo("int32", N)
    with pytest.raises(WrongType, match="a shape"):
        TensorStructInfo(PrimValue(3))
    with pytest.raises(WrongType, match="a dtype or a value of the tensor level"):
        PrimStructInfo(None)
    with pytest.raises(IndexError, match="a tuple of 1 has no item 3"):
        Var("t", TupleStructInfo((ObjectStructInfo(),)))[3]
    with pytest.raises(UnknownName, match="there is no size named m"):
        Function((X,), SeqExpr((), X)).bind_symbolic_vars({"m": 3})


def test_what_has_no_end_is_not_gone_through() -> None:
    """Any item of a value of unknown kind can be asked for; going through them all would never end."""
    one, two = TensorStructInfo(ndim=1, dtype="float32"), ObjectStructInfo()
    assert [item.index for item in Var("t", TupleStructInfo((one, two)))] == [0, 1]
    for info in (one, two):
        with pytest.raises(TypeError, match="no items to go through"):
            iter(Var("x", info))
    with pytest.raises(WrongType, match="sinfo_args takes struct info"):
        call_packed("f", sinfo_args=cast("Any", Var("q", two)))
