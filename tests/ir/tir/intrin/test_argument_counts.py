"""Calls of every operator with any number of arguments: refused when they are built, or printed in each dialect."""

from __future__ import annotations

import random

import pytest

import tvmscript
from tvmscript.ir.core import Op
from tvmscript.ir.core.errors import WrongArgumentCount
from tvmscript.ir.tir import BufferLoad, Call, Evaluate, Expr, FloatImm, IntImm, PrimFunc, StringImm, Var
from tvmscript.ir.tir.intrin import device
from tvmscript.node_json import InvalidJson, load_json, save_json
from tvmscript.printer.errors import NoText

#: the operators of the tensor level; those of devices are in `device`
OPERATORS = sorted(name for name in Op.registry if name.startswith("tir."))
DTYPES = ["void", "int32", "float32", "handle", "bool", "float32x4"]


def draw_arguments(pick: random.Random, count: int) -> list[Expr]:
    memory = tvmscript.tir.decl_buffer((4,), "float32", "A")
    choices: list[Expr] = [IntImm("int32", 1), FloatImm("float32", 1.5), StringImm("x"), Var("n", "int32"),
                           memory.data, BufferLoad(memory, (IntImm("int32", 0),)), IntImm("bool", 1)]  # fmt: skip
    return pick.choices(choices, k=count)


def prints(call: Call) -> int:
    """Print, simplify and bound a call; return the number of dialects that have a text for it."""
    count = 0
    program = PrimFunc((), Evaluate(call))
    for dialect in ("0.17", "0.27"):
        try:
            count += bool(program.script(dialect=dialect))
        except NoText:
            continue
    analyzer = tvmscript.arith.Analyzer()
    assert isinstance(analyzer.simplify(call), Expr)
    analyzer.const_int_bound(call)
    return count


@pytest.mark.parametrize("count", range(5))
def test_any_number_of_arguments(count: int) -> None:
    assert device.INSTRUCTIONS
    pick, printed = random.Random(count), 0
    for name in OPERATORS:
        for dtype in pick.sample(DTYPES, 3):
            try:
                call = Call(dtype, Op.get(name), draw_arguments(pick, count))
            except WrongArgumentCount:
                continue
            printed += prints(call)
    assert printed > 50


@pytest.mark.parametrize("name", [name for name in OPERATORS if Op.get(name).least_inputs])
def test_too_few_arguments(name: str) -> None:
    with pytest.raises(WrongArgumentCount):
        Call("int32", name, [IntImm("int32", 0)] * (Op.get(name).least_inputs - 1))


@pytest.mark.parametrize("name", ["if_then_else", "bitwise_xor", "shift_left", "bitwise_not"])
def test_too_many_arguments(name: str) -> None:
    with pytest.raises(WrongArgumentCount):
        Call("int32", f"tir.{name}", [IntImm("int32", 0)] * 4)
    call = Call("float32", "tir.exp", [FloatImm("float32", 1)] * 2)
    assert str(call) == 'T.Call("float32", "tir.exp", [T.float32(1), T.float32(1)])'


def test_removed_arguments_in_json() -> None:
    program = tvmscript.from_source(
        '@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n    A[0] = T.exp(A[1])\n    T.evaluate(T.isnan(A[2]))\n'
    )
    text, start = save_json(program), '"args": {"t": [{'
    for place in [place for place in range(len(text)) if text.startswith(start, place)]:
        rest = text[text.index("]", place) :]
        with pytest.raises((InvalidJson, WrongArgumentCount)):
            load_json(text[: place + len(start) - 1] + rest)
