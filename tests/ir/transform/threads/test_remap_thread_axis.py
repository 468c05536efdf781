"""Launches along other axes."""

from __future__ import annotations

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.tir.expr import IterKind, IterVar, Var
from tvmscript.ir.transform.threads.remap_thread_axis import RemapThreadAxis

_TEXT = """
@T.prim_func
def main(A: T.Buffer((32,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("{}", 8)
    A[bx * 8 + tx] = T.float32(0)
"""


def test_an_axis_and_its_variable() -> None:
    axis = IterVar(None, Var("ty", "int32"), IterKind.THREAD_INDEX, "threadIdx.y")
    made = RemapThreadAxis({"threadIdx.x": axis})(tvmscript.from_source(_TEXT.format("threadIdx.x")))
    assert_structural_equal(made, tvmscript.from_source(_TEXT.format("threadIdx.y")))


def test_other_axes_stay() -> None:
    func = tvmscript.from_source(_TEXT.format("threadIdx.x"))
    assert RemapThreadAxis({"blockIdx.y": IterVar(None, Var("b", "int32"), IterKind.THREAD_INDEX, "z")})(func) is func


def test_launches_of_other_extents_read_back() -> None:
    """`T.launch_thread` takes one extent for a variable: the second launch is written out."""
    func = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((8,), "int32")):
    with T.launch_thread("threadIdx.x", 16) as tx:
        A[tx] = 1
    with T.launch_thread("threadIdx.x", 8) as tx:
        B[tx] = 2
""")
    axis = IterVar(None, Var("ty", "int32"), IterKind.THREAD_INDEX, "threadIdx.y")
    made = RemapThreadAxis({"threadIdx.x": axis})(func)
    assert_structural_equal(tvmscript.from_source(made.script()), made)
