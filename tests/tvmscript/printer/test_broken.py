"""Programs that no pass should make: they print, say what is wrong, and read back as they are."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.dtype import FLOAT32
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.relax import expr as relax
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import FuncStructInfo, ShapeExpr, TensorStructInfo
from tvmscript.ir.relax.verify import verify as verify_graph
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import Add, BufferLoad, IntImm, IterKind, IterVar, Range, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import (
    Allocate,
    Block,
    BlockRealize,
    BufferStore,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    LetStmt,
    seq,
)
from tvmscript.ir.tir.verify import verify

TRUE = IntImm("bool", 1)
i, other_i, x, y = (Var(name, "int32") for name in ("i", "i", "x", "y"))


def c(value: int) -> IntImm:
    return IntImm("int32", value)


A = make_buffer((c(4),), "int32", "A")


def ev(value: Expr) -> Stmt:
    return Evaluate(value)


def loop(var: Var, body: Stmt, extent: Expr | None = None) -> Stmt:
    return For(var, c(0), c(4) if extent is None else extent, ForKind.SERIAL, body)


def block(body: Stmt, *axes: Var, alloc: bool = False) -> Stmt:
    iter_vars = tuple(IterVar(Range.from_min_extent(c(0), c(4)), axis, IterKind.DATA_PAR) for axis in axes)
    made = Block(iter_vars, (), (), "b", body, alloc_buffers=(A,) if alloc else ())
    return BlockRealize(tuple(c(0) for _ in axes), TRUE, made)


def root(body: Stmt) -> Stmt:
    return BlockRealize((), TRUE, Block((), (), (), "root", body))


def func(body: Stmt) -> PrimFunc:
    return PrimFunc((), body, attrs={"global_symbol": "f"})


STORE = BufferStore(A, c(1), (c(0),))
UNDEFINED = "{} is undefined here"
IRREGULAR = "{} is defined in several places, or used outside of its scope"

BROKEN: dict[str, tuple[Stmt, list[str]]] = {
    "undefined variables": (ev(Add(x, y)), [UNDEFINED.format("x"), UNDEFINED.format("y")]),
    "undeclared buffer": (BufferStore(A, BufferLoad(A, (x,)), (c(0),)), [UNDEFINED.format("A"), UNDEFINED.format("x")]),
    "body out of its loop": (STORE.replace(indices=(i,)), [UNDEFINED.format("A"), UNDEFINED.format("i")]),
    "loop variable after the loop": (seq(loop(i, ev(i)), ev(i)), [IRREGULAR.format("i")]),
    "loop variable before the loop": (seq(ev(i), loop(i, ev(i))), [IRREGULAR.format("i")]),
    "in another loop of that name": (seq(loop(i, ev(i)), loop(other_i, ev(Add(i, other_i)))), [IRREGULAR.format("i")]),
    "one variable for two loops": (seq(loop(i, ev(i)), loop(i, ev(i))), [IRREGULAR.format("i")]),
    "one variable for nested loops": (loop(i, loop(i, ev(i))), [IRREGULAR.format("i")]),
    "a loop that is its own bound": (loop(i, ev(i), Add(i, c(1))), [IRREGULAR.format("i")]),
    "let after its scope": (seq(LetStmt(x, c(1), ev(x)), ev(x)), [IRREGULAR.format("x")]),
    "let in another branch": (IfThenElse(TRUE, LetStmt(x, c(1), ev(x)), ev(x)), [IRREGULAR.format("x")]),
    "axis outside of its block": (root(seq(block(ev(x), x), ev(x))), [IRREGULAR.format("x")]),
    "one axis for two blocks": (root(seq(block(ev(x), x), block(ev(x), x))), [IRREGULAR.format("x")]),
    "memory after its allocation": (
        seq(Allocate(A.data, A.dtype, (c(4),), TRUE, ev(A.data)), ev(A.data)),
        [IRREGULAR.format("A")],
    ),
    "two variables of one name": (ev(Add(i, other_i)), [UNDEFINED.format("i"), UNDEFINED.format("i_1")]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_programs_read_back(name: str) -> None:
    body, notes = BROKEN[name]
    broken = func(body)
    with pytest.raises(TVMScriptError):
        verify(broken)
    text = broken.script()
    assert [line.split("# tvmscript: ")[1] for line in text.split("\n") if "# tvmscript" in line] == notes
    again = tvmscript.from_source(text, check_well_formed=False)
    assert_structural_equal(again, broken, map_free_vars=True)
    assert again.script() == text


def test_buffers_outside_of_their_block() -> None:
    text = func(root(seq(block(STORE, alloc=True), STORE))).script()
    assert (
        '    A = T.Buffer((4,), "int32", data=A_1)  # tvmscript: A is used outside of the scope that defines it' in text
    )
    tvmscript.from_source(text, check_well_formed=False)


def test_names_of_parts_are_free() -> None:
    assert "tvmscript" not in ev(Add(x, y)).script()
    assert "tvmscript" not in seq(loop(i, ev(i)), ev(i)).script()


# graphs

SCALAR = TensorStructInfo(ShapeExpr(()), FLOAT32, 0, None)
VECTOR = TensorStructInfo(ShapeExpr((Var("n", "int64"),)), FLOAT32, 1, None)
given, unbound, late, first = (relax.Var(name, SCALAR) for name in ("given", "unbound", "late", "first"))
sized = relax.Var("sized", VECTOR)


def graph(*bindings: tuple[relax.Var, relax.Var], result: relax.Var) -> Function:
    block = relax.BindingBlock(tuple([relax.VarBinding(var, value) for var, value in bindings]))
    known = result.struct_info or SCALAR
    body = relax.SeqExpr((block,), result, struct_info=known)
    info = FuncStructInfo((SCALAR,), known, True, None)
    return Function((given,), body, known, True, {"global_symbol": "f"}, struct_info=info)


@pytest.mark.parametrize(
    ("broken", "lines"),
    [
        # as TVM 0.17 writes it, but for the note
        (
            graph((first, unbound), result=first),
            ['unbound: R.Tensor((), dtype="float32")  # tvmscript: unbound is undefined here'],
        ),
        (
            graph((relax.Var("unbound", VECTOR), sized), result=given),
            ["n = T.int64()", 'sized: R.Tensor((n,), dtype="float32")  # tvmscript: sized is undefined here'],
        ),
        (
            graph((first, late), (late, given), result=first),
            ['late: R.Tensor((), dtype="float32")', 'first: R.Tensor((), dtype="float32") = late'],
        ),
    ],
    ids=["undefined", "undefined, of an undefined size", "used before"],
)
def test_broken_graphs_read_back(broken: Function, lines: list[str]) -> None:
    with pytest.raises(TVMScriptError):
        verify_graph(broken)
    text = broken.script()
    written = [line.strip() for line in text.partition(":\n")[2].split("\n")]
    assert written[: len(lines)] == lines
    again = tvmscript.from_source(text, check_well_formed=False)
    assert_structural_equal(again, broken, map_free_vars=True)
    assert again.script() == text
