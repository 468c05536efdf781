"""Rules of well-formedness, on programs made by hand. Texts that break them are in tests/cases/errors."""

from __future__ import annotations

import pytest

from tvmscript.ir.core.dtype import HANDLE, INT32
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.tir import errors
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.errors import RULES
from tvmscript.ir.tir.expr import BufferLoad, Call, IterKind, IterVar, Let, Range, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import const
from tvmscript.ir.tir.stmt import AttrStmt, DeclBuffer, Evaluate, For, ForKind, LetStmt, SeqStmt
from tvmscript.ir.tir.te_nodes import CommReducer, Reduce
from tvmscript.ir.tir.verify import verify

i, j = Var("i", INT32), Var("j", INT32)
four = const(4)
NOTHING = Evaluate(const(0))


def loop(var: Var, body: Stmt) -> For:
    return For(var, const(0), four, ForKind.SERIAL, body)


def func(body: Stmt, *params: Var) -> PrimFunc:
    return PrimFunc(params, body)


def module(**functions: PrimFunc) -> IRModule:
    made = IRModule()
    for name, item in functions.items():
        made[name] = item
    return made


GOOD = {
    "use in its loop": func(loop(i, Evaluate(i))),
    "parameter": func(Evaluate(i), i),
    "copies of a let expression": func(SeqStmt((Evaluate(Let(i, four, i)), Evaluate(Let(i, const(4), i))))),
    "thread index launched twice": func(
        SeqStmt(
            (
                AttrStmt(IterVar(Range(0, four), i, IterKind.THREAD_INDEX, "threadIdx.x"), "thread_extent",
                         four, Evaluate(i)),
                AttrStmt(IterVar(Range(0, four), i, IterKind.THREAD_INDEX, "threadIdx.x"), "thread_extent",
                         four, Evaluate(i)),
            )
        )
    ),
}  # fmt: skip

BAD: dict[str, tuple[type[IRError], PrimFunc]] = {
    "undefined": (errors.UndefinedVariable, func(Evaluate(i))),
    "out of scope": (errors.UndefinedVariable, func(SeqStmt((loop(i, NOTHING), Evaluate(i))))),
    "in its own value": (errors.UndefinedVariable, func(LetStmt(i, i, NOTHING))),
    "in its own extent": (errors.UndefinedVariable, func(For(i, const(0), i, ForKind.SERIAL, NOTHING))),
    "nested": (errors.DefinedTwice, func(loop(i, loop(i, NOTHING)))),
    "one after the other": (errors.DefinedTwice, func(SeqStmt((loop(i, NOTHING), loop(i, NOTHING))))),
    "two parameters": (errors.DefinedTwice, func(NOTHING, i, i)),
    "let expressions": (
        errors.DefinedTwice,
        func(SeqStmt((Evaluate(Let(i, four, i)), Evaluate(Let(i, const(5), i))))),
    ),
    "free buffer": (
        errors.UndeclaredBuffer,
        func(Evaluate(BufferLoad(make_buffer((four,), "float32", "A"), (const(0),)))),
    ),
    "declared over nothing": (
        errors.UndeclaredBuffer,
        func(DeclBuffer(make_buffer((four,), "float32", "A", data=Var("p", HANDLE)), NOTHING)),
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_holds(name: str) -> None:
    program = GOOD[name]
    verify(program)
    assert isinstance(program, PrimFunc)


@pytest.mark.parametrize("name", BAD)
def test_broken(name: str) -> None:
    error, program = BAD[name]
    with pytest.raises(error):
        verify(program)
    assert error in RULES


def test_functions_of_a_module() -> None:
    missing = func(Evaluate(Call("void", GlobalVar("g"), ())))
    with pytest.raises(errors.UndefinedFunction, match="the function g"):
        verify(module(f=missing))
    verify(missing)


def test_symbols_of_a_module() -> None:
    twice = func(NOTHING).with_attr("global_symbol", "main")
    with pytest.raises(errors.SameSymbol, match="the same global symbol main"):
        verify(module(f=twice, g=twice))


def test_every_rule_is_described() -> None:
    assert all(text and text[0].islower() for text in RULES.values())


@pytest.mark.parametrize("part", ["source", "condition", "init", "axis", "identity", "result"])
def test_reductions_are_well_formed_in_each_part(part: str) -> None:
    """Each may use what is defined around it, sources and conditions the axes, too."""
    a, b, k, n = (Var(name, INT32) for name in "abkn")

    def reduction(**parts: Expr) -> PrimFunc:
        of = {"source": k, "condition": k < four, "init": four, "axis": four, "identity": const(0), "result": a + b}
        of |= parts
        combiner = CommReducer((a,), (b,), (of["result"],), (of["identity"],))
        axis = IterVar(Range(0, of["axis"]), k, IterKind.COMM_REDUCE)
        value = Reduce(combiner, (of["source"],), (axis,), of["condition"], 0, (of["init"],))
        return func(Evaluate(value), n)

    undefined = i < four if part == "condition" else i
    verify(reduction())
    verify(reduction(**{part: n < four if part == "condition" else n}))
    with pytest.raises(errors.UndefinedVariable):
        verify(reduction(**{part: undefined}))
