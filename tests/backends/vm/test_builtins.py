"""Packed functions of the virtual machine: shapes, checks with their contexts, closures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import relax
from tvmscript.backends.runtime.errors import WrongScalar

_HEAP = """
@R.function(pure=False)
def main(x: R.Tensor(ndim=2, dtype="float32"), s: R.Shape(ndim=1), c: R.Tensor((), "bool")):
    heap = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(2),), sinfo_args=R.Tensor(ndim=1, dtype="int64"))
    a = R.call_packed("vm.builtin.match_shape", x, heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), R.str("x"), sinfo_args=R.Tuple)
    b = R.call_packed("vm.builtin.match_shape", s, heap, R.prim_value(1), R.prim_value(3), R.prim_value(0), R.str("s"), sinfo_args=R.Tuple)
    d = R.call_packed("vm.builtin.make_shape", heap, R.prim_value(2), R.prim_value(0), R.prim_value(4), R.prim_value(1), R.prim_value(0), sinfo_args=R.Shape(ndim=2))
    e = R.call_packed("vm.builtin.reshape", x, d, sinfo_args=R.Tensor(ndim=2, dtype="float32"))
    f = R.call_packed("vm.builtin.shape_of", e, sinfo_args=R.Shape(ndim=2))
    g = R.call_packed("vm.builtin.make_prim_value", heap, R.prim_value(1), R.prim_value(0), sinfo_args=R.Prim("int64"))
    h = R.call_packed("vm.builtin.copy", x, sinfo_args=R.Tensor(ndim=2, dtype="float32"))
    i = R.call_packed("vm.builtin.read_if_cond", c, sinfo_args=R.Prim("bool"))
    return (e, f, g, h, i)
"""  # noqa: E501  # a call is a line


@pytest.fixture(scope="module")
def vm() -> relax.VirtualMachine:
    module = tvm.IRModule({"main": tvm.from_source(_HEAP, check_well_formed=False)})
    return relax.VirtualMachine(relax.build(module), tvm.cpu())


def test_shapes(vm: relax.VirtualMachine) -> None:
    x = np.arange(12, dtype="float32").reshape(3, 4)
    reshaped, shape, scalar, copy, condition = vm["main"](x, (3,), np.array(True))
    np.testing.assert_array_equal(reshaped.numpy(), x.reshape(4, 3))
    np.testing.assert_array_equal(copy.numpy(), x)
    assert (shape, scalar, condition) == ((4, 3), 3, True)


@pytest.mark.parametrize(
    ("columns", "rows", "message"),
    [
        (5, 3, "x takes the extent 4 in dimension 1, but got 5"),
        (4, 2, "s takes the extent 3 in dimension 0, but got 2"),
    ],
)
def test_shapes_that_do_not_match(vm: relax.VirtualMachine, columns: int, rows: int, message: str) -> None:
    with pytest.raises(WrongScalar, match=message):
        vm["main"](np.zeros((3, columns), "float32"), (rows,), np.array(True))


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        ('vm.builtin.check_tensor_info", x, R.prim_value(1), R.dtype("float32")', np.zeros(2, "float32"), (1,)),
        ('vm.builtin.check_tensor_info", x, R.prim_value(1), R.dtype("float32")', np.zeros(2, "float32"), np.zeros(2)),
        ('vm.builtin.check_tensor_info", x, R.prim_value(-1)', np.zeros((1, 1)), "text"),
        ('vm.builtin.check_shape_info", x, R.prim_value(2)', (1, 2), (1,)),
        ('vm.builtin.check_prim_value_info", x, R.dtype("int64")', 3, "three"),
        ('vm.builtin.check_tuple_info", x, R.prim_value(2)', [1, 2], [1]),
        ('vm.builtin.check_func_info", x', abs, 1),
    ],
)
def test_checks(check: str, good: Any, bad: Any) -> None:
    text = f"""
@R.function(pure=False)
def main(x: R.Object):
    a = R.call_packed("{check}, R.str("the context"), sinfo_args=R.Tuple)
    return R.prim_value(1)
"""
    module = tvm.IRModule({"main": tvm.from_source(text, check_well_formed=False)})
    vm = relax.VirtualMachine(relax.build(module), tvm.cpu())
    assert vm["main"](good) == 1
    with pytest.raises(WrongScalar, match="the context takes"):
        vm["main"](bad)
