"""AlterOpImpl: kernels over other layouts compute the same values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tests.ir.relax.transform.graph_values import results
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.relax.transform.errors import CannotReplaceKernel
from tvmscript.ir.relax.transform.operators.alter_op_impl import AlterOpImpl
from tvmscript.ir.relax.transform.operators.legalize_ops import LegalizeOps
from tvmscript.ir.tir import PrimFunc


def _kernel(size: int, rows: int) -> PrimFunc:
    """The kernel `a * 2, a + 1` over a matrix."""
    kernel: PrimFunc = tvm.from_source(f"""
@T.prim_func(private=True)
def work(a: T.Buffer(({rows}, {size}), "float32"), b: T.Buffer(({rows}, {size}), "float32"),
         c: T.Buffer(({rows}, {size}), "float32")):
    for i, j in T.grid({rows}, {size}):
        with T.block("b"):
            vi, vj = T.axis.remap("SS", [i, j])
            b[vi, vj] = a[vi, vj] * T.float32(2)
            c[vi, vj] = a[vi, vj] + T.float32(1)
""")
    return kernel


def _program(size: int) -> tvm.IRModule:
    program: tvm.IRModule = tvm.from_source(f"""
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def work(a: T.Buffer(({size},), "float32"), b: T.Buffer(({size},), "float32"), c: T.Buffer(({size},), "float32")):
        T.func_attr({{"operator_name": "my.work"}})
        for i in range({size}):
            with T.block("b"):
                vi = T.axis.spatial({size}, i)
                b[vi] = a[vi] * T.float32(2)
                c[vi] = a[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor(({size},), "float32")):
        cls = Module
        with R.dataflow():
            lv = R.call_tir(cls.work, (x,), [R.Tensor(({size},), "float32"), R.Tensor(({size},), "float32")])
            lv1 = lv[0]
            gv = R.call_tir(cls.work, (lv1,), [R.Tensor(({size},), "float32"), R.Tensor(({size},), "float32")])
            R.output(gv)
        return gv
""")
    return program


def _rows(i: Any) -> tuple[Any, ...]:
    return (i // 4, i % 4)


@pytest.mark.parametrize("size", [16, 14])
def test_values(size: int) -> None:
    program = _program(size)
    layouts: list[Any] = [_rows, IndexMap.from_func(_rows), _rows]
    after = AlterOpImpl({"my.work": _kernel(4, 4)}, {"my.work": layouts}, {})(program)
    text = after.script()
    assert text.count("R.layout_transform(") == 6
    assert ("remove_pad" in text) == (size == 14)
    x = np.arange(size, dtype="float32")
    for value, expected in zip(results(LegalizeOps()(after), [x]), [x * 4, x * 2 + 1], strict=True):
        np.testing.assert_array_equal(value, expected)


def test_axis_separators() -> None:
    layouts: list[Any] = [lambda i: (i // 4, IndexMap.AXIS_SEPARATOR, i % 4), _rows, _rows]
    after = AlterOpImpl({"my.work": _kernel(4, 4)}, {"my.work": layouts}, {"my.work": [[], [1], []]})(_program(16))
    assert after.script().count("axis_separators=[1]") == 2


def test_other_operators_stay() -> None:
    program = _program(16)
    assert AlterOpImpl({"your.work": _kernel(4, 4)}, {}, {})(program) is program


def test_refused() -> None:
    with pytest.raises(CannotReplaceKernel, match="layouts are given for 1 buffers, and it has 3 parameters"):
        AlterOpImpl({"my.work": _kernel(4, 4)}, {"my.work": [_rows]}, {})(_program(16))
    copy: PrimFunc = tvm.from_source("""
@T.prim_func(private=True)
def copy(a: T.Buffer((16,), "float32"), b: T.Buffer((16,), "float32")):
    for i in range(16):
        b[i] = a[i]
""")
    with pytest.raises(CannotReplaceKernel, match="they have 3 parameters, and the replacement 2"):
        AlterOpImpl({"my.work": copy}, {}, {})(_program(16))
