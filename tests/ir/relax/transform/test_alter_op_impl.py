"""AlterOpImpl: kernels over other layouts compute the same values."""

from __future__ import annotations

from itertools import product
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


def _kernel_of(shapes: tuple[str, str, str]) -> PrimFunc:
    """The kernel `a * 2, a + 1` over buffers of 16 elements, each a vector or a matrix of 4 rows."""
    a, b, c = ("vi" if shape == "(16,)" else "vi // 4, vi % 4" for shape in shapes)
    kernel: PrimFunc = tvm.from_source(f"""
@T.prim_func(private=True)
def work(a: T.Buffer({shapes[0]}, "float32"), b: T.Buffer({shapes[1]}, "float32"), c: T.Buffer({shapes[2]}, "float32")):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            b[{b}] = a[{a}] * T.float32(2)
            c[{c}] = a[{a}] + T.float32(1)
""")
    return kernel


@pytest.mark.parametrize("places", [*product((False, True), repeat=3)])
def test_buffers_that_stay(places: tuple[bool, bool, bool]) -> None:
    """Each buffer has a layout or none; without any there are neither layouts nor items of the results."""
    first, second, third = ("(4, 4)" if is_matrix else "(16,)" for is_matrix in places)
    layouts: list[Any] = [_rows if is_matrix else None for is_matrix in places]
    after = AlterOpImpl({"my.work": _kernel_of((first, second, third))}, {"my.work": layouts}, {})(_program(16))
    assert after.script().count("R.layout_transform(") == 2 * sum(places)
    x = np.arange(16, dtype="float32")
    for value, expected in zip(results(LegalizeOps()(after), [x]), [x * 4, x * 2 + 1], strict=True):
        np.testing.assert_array_equal(value, expected)


@pytest.mark.parametrize("layout", [None, _rows])
@pytest.mark.parametrize("size", [16, 14])
def test_one_result(layout: Any, size: int) -> None:
    program: tvm.IRModule = tvm.from_source(f"""
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer(({size},), "float32"), b: T.Buffer(({size},), "float32")):
        T.func_attr({{"operator_name": "my.double"}})
        for i in range({size}):
            with T.block("b"):
                vi = T.axis.spatial({size}, i)
                b[vi] = a[vi] * T.float32(2)

    @R.function
    def main(x: R.Tensor(({size},), "float32")):
        cls = Module
        gv = R.call_tir(cls.double, (x,), R.Tensor(({size},), "float32"))
        return gv
""")
    extents, indices = ((size,), "vi") if layout is None else ((4, 4), "vi // 4, vi % 4")
    kernel: PrimFunc = tvm.from_source(f"""
@T.prim_func(private=True)
def double(a: T.Buffer({extents}, "float32"), b: T.Buffer({extents}, "float32")):
    for i in range({16 if layout else size}):
        with T.block("b"):
            vi = T.axis.spatial({16 if layout else size}, i)
            b[{indices}] = a[{indices}] + a[{indices}]
""")
    layouts: list[Any] = [layout, layout]
    after = AlterOpImpl({"my.double": kernel}, {"my.double": layouts}, {})(program)
    assert "double_replacement" in after.script()
    x = np.arange(size, dtype="float32")
    np.testing.assert_array_equal(results(LegalizeOps()(after), [x]), x * 2)


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
