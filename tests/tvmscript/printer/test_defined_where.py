"""Where definitions stand that TVM's text has in places where they do not read back."""

from __future__ import annotations

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.stmt import AttrStmt


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
