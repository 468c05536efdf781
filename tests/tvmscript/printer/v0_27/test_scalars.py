"""Mutable scalars of 0.27: which local buffers of one element are written as `x: T.float32`."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.span import Source, Span

HEAD = '# from tvm.script import tirx as T\n\n@T.prim_func{}\ndef f(A: T.Buffer((64,), "float32"), n: T.int32):\n'


def read(body: str, options: str = "") -> tvmscript.PrimFunc:
    indented = "".join([f"    {line}\n" for line in body.split("\n")])
    func = tvmscript.from_source(HEAD.format(options) + indented, check_well_formed=False)
    assert isinstance(func, tvmscript.PrimFunc)
    return func


def written(func: tvmscript.PrimFunc) -> str:
    lines = func.script(dialect="0.27", comments=False).split("\n")
    return "\n".join([line.removeprefix("    ") for line in lines[lines.index("") + 3 :]])


#: bodies that are written as they are
SCALARS = {
    "value": "x: T.int32 = n\nA[x] = T.float32(1.0)",
    "no value": "x: T.float32\nA[0] = T.float32(1.0)",
    "store": 'x: T.uint8\nfor i in range(4):\n    x = T.Cast("uint8", i)',
    "its own value": "x: T.int32\nx = x + 1",
    "condition": "x: T.bool = n < 3\nif x:\n    A[0] = T.float32(1.0)",
    "loop": "x: T.float32 = T.float32(1.0)\nwhile x < T.float32(3.0):\n    y: T.float32 = x\n    x = y + x",
    "vector": "x: T.float32x4 = T.Broadcast(T.float32(1.0), 4)\nA[0:4] = x",
    "address": "x: T.float32\nT.address_of(x)",
}
#: buffers, because of how they are used
BUFFERS = {
    "pointer": "x = T.alloc_local((1,))\nT.evaluate(x.data)",
    "region": "x = T.alloc_local((1,))\nT.tile.zero(x[0:1])",
    "index": "x = T.alloc_local((1,))\nx[n] = T.float32(1.0)",
    "flat": "x = T.alloc_local((1,), layout=None)\nx[0] = T.float32(1.0)",
    "aligned": "x = T.alloc_local((1,), align=16)\nx[0] = T.float32(1.0)",
    "shared": "x = T.alloc_shared((1,))\nx[0] = T.float32(1.0)",
    "two elements": "x = T.alloc_local((2,))\nx[0] = T.float32(1.0)",
    "view": 'x = T.alloc_local((1,))\ny = x.view("int32")\nx[0] = T.float32(1.0)\ny[0] = 1',
}


@pytest.mark.parametrize("body", [*SCALARS.values(), *BUFFERS.values()], ids=[*SCALARS, *BUFFERS])
def test_written(body: str) -> None:
    func = read(body)
    assert written(func) == body
    assert_structural_equal(read(written(func)), func)


@pytest.mark.parametrize(
    "body",
    [
        "x: T.int32 = n\nA[x] = T.float32(1.0)",
        'x = T.alloc_local((1,), "int32")\nx[0] = n\nA[x[0]] = T.float32(1.0)',
        'x: T.int32 = n\ny = T.alloc_local((1,), "int32")\ny[0] = x\nx = y[0] + 1',
    ],
    ids=["scalar", "buffer", "both"],
)
def test_schedulable_functions_have_both(body: str) -> None:
    """In functions with `s_tir=True` buffers have no layout, and scalars do: what was read as either stays it."""
    func = read(body, "(s_tir=True)")
    assert written(func) == body
    assert_structural_equal(read(written(func), "(s_tir=True)"), func)


@pytest.mark.parametrize("options", ["", "(s_tir=True)"])
@pytest.mark.parametrize("first_line", [1, 2, 100])
def test_the_options_are_those_of_the_text(options: str, first_line: int) -> None:
    """Also where the text begins somewhere in a file."""
    func = read("A[0] = T.float32(1.0)", options)
    span = func.span
    assert span is not None
    source = Source(f"@decorator\n{span.source.text}\n@T.prim_func{options}\n", first_line=first_line)
    place = span.line + first_line
    moved = func.replace(span=Span(source, place, span.column, place, span.end_column))
    assert f"@T.prim_func{options}\n" in moved.script(dialect="0.27", comments=False)


@pytest.mark.parametrize(
    "message",
    [
        '("RuntimeError", ["joined"])',
        '("RuntimeError", ["in ", "three", " parts"])',
        '("ValueError", ["A has ", "shape"])',
        '("TypeError", [])',
        '("OwnError", ["x"])',
    ],
)
def test_parts_of_messages(message: str) -> None:
    func = read(f"assert n > 1, {message}\nA[0] = T.float32(1.0)")
    assert written(func) == f"assert n > 1, {message}\nA[0] = T.float32(1.0)"
    assert "assert n > 1" in func.script()


def test_messages_that_were_changed() -> None:
    """Parts that are no longer those of the message are not written."""
    func = read('assert n > 1, ("ValueError", ["a", "b"])\nA[0] = T.float32(1.0)')
    body = func.body
    assert isinstance(body, tvmscript.tir.AssertStmt)
    other = func.with_body(body.replace(message=tvmscript.tir.StringImm("KeyError: c")))
    assert written(other).startswith('assert n > 1, ("KeyError", ["c"])\n')
    plain = read('assert n > 1, ("ValueError", "not in a list")\nA[0] = T.float32(1.0)')
    assert written(plain).startswith('assert n > 1, ("ValueError", ["not in a list"])\n')
