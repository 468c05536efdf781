"""Nodes from Python values: numbers, lists, pairs, names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import DTypeMismatch, TVMScriptError, WrongType
from tvmscript.ir.core.types import PrimType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Range

# type checkers want nodes
tir: Any = tvmscript.tir
I32, I64, F16 = tir.Var("i", "int32"), tir.Var("l", "int64"), tir.Var("h", "float16")
A = tir.decl_buffer((16, 8), "float32", "A")
NOTHING = tir.Evaluate(0)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: tir.Add(I32, 1), "i + 1"),
        (lambda: tir.Sub(2, I64), "T.int64(2) - l"),
        (lambda: tir.Mul(F16, 2), "h * T.float16(2)"),
        (lambda: tir.LT(I64, 3), "l < T.int64(3)"),
        (lambda: tir.Select(I32 < 3, 1, I64), "T.Select(i < 3, T.int64(1), l)"),
        (lambda: tir.Cast("int64", 3), 'T.Cast("int64", 3)'),
        (lambda: tir.Ramp(I64, 1, 4), "T.Ramp(l, T.int64(1), 4)"),
        (lambda: tir.Broadcast(1.5, 4), "T.Broadcast(T.float32(1.5), 4)"),
        (lambda: tir.Call("float32", "tir.exp", [1.0]), "T.exp(T.float32(1))"),
        (lambda: tir.BufferLoad(A, [I32, 1]), "A[i, 1]"),
        (lambda: tir.BufferLoad(A, (I32, 1)), "A[i, 1]"),
        (lambda: Range(2, 10), "I.Range(2, 10)"),
        (lambda: Range(I64), "I.Range(T.int64(0), l)"),
        (lambda: Range.from_min_extent(I64, 4), "I.Range(l, T.int64(4) + l)"),
        (lambda: tir.IterVar((0, 4), "v", 0), 'T.iter_var(v, T.Range(0, 4), "DataPar", "")'),
        (lambda: tir.BufferRegion(A, [Range(0, 16), (2, 4)]), "A[0:16, 2:4]"),
        (lambda: tir.Evaluate(3), "T.evaluate(3)"),
        (lambda: tir.SeqStmt([NOTHING, tir.Evaluate(1)]), "T.evaluate(0)\nT.evaluate(1)"),
        (lambda: tir.For(I64, 0, 4, 0, NOTHING), "for l in range(T.int64(4)):\n    T.evaluate(0)"),
    ],
)
def test_text(made: Callable[[], Any], text: str) -> None:
    assert made().script().replace("l = T.int64()\n", "").replace("i = T.int32()\n", "") == text


def test_a_function() -> None:
    """A kernel built as users of TVM build it."""
    buffer = tir.decl_buffer([16], "float32", "X")
    scratch = tir.decl_buffer(16, name="Y")
    i, j = tir.Var("i", "int32"), tir.Var("j", "int32")
    body = tir.SeqStmt(
        [
            tir.For(i, 0, 16, tir.ForKind.SERIAL, tir.BufferStore(scratch, 1, [i])),
            tir.For(j, 0, 16, tir.ForKind.PARALLEL, tir.BufferStore(buffer, tir.BufferLoad(scratch, [j]) * 2.0, [j])),
        ]
    )
    body = tir.Allocate(scratch.data, "float32", [16], True, tir.DeclBuffer(scratch, body))
    func = tir.PrimFunc([buffer], body).with_attr("global_symbol", "main")
    expected = """
@T.prim_func
def main(X: T.Buffer((16,), "float32")):
    with T.allocate([16], "float32", "global") as Y_data:
        Y = T.decl_buffer((16,), data=Y_data)
        for i in range(16):
            Y[i] = T.float32(1)
        for j in T.parallel(16):
            X[j] = Y[j] * T.float32(2)
"""
    assert_structural_equal(func, tvmscript.from_source(expected))


def test_what_was_given_is_kept() -> None:
    """Nodes and tuples are not made again."""
    index = (I32, I32)
    assert tir.BufferLoad(A, index).indices is index
    assert tir.Add(I32, I32).a is I32
    assert tir.Allocate(A.data, DType("float32"), index, tir.const(True), NOTHING).extents is index


def test_names_of_dtypes() -> None:
    assert type(PrimType("float32").dtype) is DType  # type: ignore[arg-type]  # a name


@pytest.mark.parametrize(
    ("made", "error", "text"),
    [
        (lambda: tir.Add(I32, 1.5), DTypeMismatch, "float32"),
        (lambda: tir.Add(I32, True), DTypeMismatch, "bool"),
        (lambda: tir.Add(I32, [1]), WrongType, "[1]"),
        (lambda: tir.Evaluate(object()), WrongType, "object"),
        (lambda: tir.While(I32 < 3, 5), WrongType, "While.body takes Stmt, but got 5"),
        (lambda: tir.IfThenElse(I32 < 3, None), WrongType, "IfThenElse.then_case takes Stmt"),
        (lambda: tir.SeqStmt([NOTHING, 5]), WrongType, "SeqStmt.seq takes Stmt, but got 5"),
        (lambda: tir.SeqStmt(NOTHING), WrongType, "SeqStmt.seq takes a sequence of Stmt"),
        (lambda: tir.For(I32, 0, 4, 99, NOTHING), ValueError, "99"),
        (lambda: tir.BufferStore(A, 1.0, [0]), TVMScriptError, "2"),
        (lambda: tir.Call("float32", "tir.no_such_thing", []), TVMScriptError, "no_such_thing"),
        (lambda: tir.PrimFunc([5], NOTHING), WrongType, "PrimFunc.params takes Var, but got 5"),
    ],
)
def test_refused(made: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        made()
    assert text in str(caught.value)


def test_faults_of_checks_are_told() -> None:
    """A missing attribute that has nothing to do with Python values stays what it is."""

    class Strange(Expr):
        def __init__(self) -> None: ...

    with pytest.raises(AttributeError):
        tir.Add(Strange(), Strange())
