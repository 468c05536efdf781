"""Where definitions stand that TVM's text has in places where they do not read back."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.stmt import AttrStmt, Evaluate


def test_buffer_over_the_only_allocation_of_a_branch() -> None:
    """TVM names the memory before it is allocated."""
    text = """# from tvm.script import tir as T

@T.prim_func(private=True)
def main(n: T.int32):
    if n < 2:
        L = T.allocate([2], "int32", "global")
        L_1 = T.Buffer((2,), "int32", data=L)
        L_1[0] = n
        L_1[1] = L_1[0] + 1"""
    assert tvmscript.from_source(text).script() == text


def test_virtual_threads_of_any_axis() -> None:
    """TVM reads threads of the device where its text has virtual ones on an axis such as vthread.x."""
    text = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), x: T.int32):
    with T.launch_thread("vthread.x", 4) as v:
        A[v] = T.float32(1)
    with T.attr(T.iter_var(x, T.Range(0, 4), "ThreadIndex", "vthread.x"), "thread_extent", 4):
        T.evaluate(0)
"""
    func = tvmscript.from_source(text, check_well_formed=False)
    keys = [node.attr_key for node in nodes(func.body) if isinstance(node, AttrStmt)]
    assert keys == ["virtual_thread", "thread_extent"]
    assert structural_equal(func, tvmscript.from_source(func.script(), check_well_formed=False))


n, m = Var("n", "int32"), Var("m", "int32")


@pytest.mark.parametrize(
    ("shape", "strides", "offset", "lines"),
    [
        ((4, 8), (n, m), 0, ['A = T.match_buffer(a, (4, 8), strides=("n", "m"))']),
        ((n,), (), 0, ["n = T.int32()", "A = T.match_buffer(a, (n,))"]),
        ((4,), (), n, ["A = T.match_buffer(a, (4,), offset_factor=1)"]),
        ((n,), (), n, ["n = T.int32()", "A = T.match_buffer(a, (n,), elem_offset=n)"]),
        ((n * 2,), (), n, ["n = T.int32()", "A = T.match_buffer(a, (n * 2,), elem_offset=n)"]),
        ((4, 8), (n, 1), n * 2, ["n = T.int32()", "A = T.match_buffer(a, (4, 8), strides=(n, 1), elem_offset=n * 2)"]),
        ((4, 8), (n, m), m + 1,
         ["m = T.int32()", 'A = T.match_buffer(a, (4, 8), strides=("n", m), elem_offset=m + 1)']),
        ((4, 8), (n, n), 0, ["n = T.int32()", "A = T.match_buffer(a, (4, 8), strides=(n, n))"]),
        ((4, m), (n, n * m), n + m,
         ["m, n = T.int32(), T.int32()", "A = T.match_buffer(a, (4, m), strides=(n, n * m), elem_offset=n + m)"]),
    ],
)  # fmt: skip
def test_sizes_of_a_buffer_that_several_parts_use(
    shape: tuple[Any, ...], strides: tuple[Any, ...], offset: Any, lines: list[str]
) -> None:
    param = Var("a", "handle")
    buffer = make_buffer(shape, "float32", "A", strides=strides, elem_offset=offset)
    func = PrimFunc((param,), Evaluate(as_expr(0)), None, {param: buffer})
    text = func.script()
    assert [line.strip() for line in text.splitlines() if " = " in line] == lines
    assert structural_equal(func, tvmscript.from_source(text))
