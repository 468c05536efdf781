"""Helpers of operators: their values are those of TVM's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import tvmscript
from tvmscript import te, tir, topi
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.graph import attention
from tvmscript.ir.topi.nn.utils import infer_pad, infer_stride
from tvmscript.ir.topi.utils import traverse_inline
from tvmscript.topi import nn, utils

N: Final = te.var("n")
#: name -> what a call gives, as text, and the text that TVM gives
VALUES: Final[dict[str, tuple[Any, str]]] = {
    "get_const_int": (utils.get_const_int(tir.const(3, "int32")), "3"),
    "get_const_float": (utils.get_const_float(tir.const(1.5, "float32")), "1.5"),
    "get_const_tuple": (utils.get_const_tuple((N + 0, tir.const(2, "int32") + 1, 4)), "(n, 3, 4)"),
    "get_float_tuple": (utils.get_float_tuple([1.5]), "(1.5,)"),
    "equal_const_int": (
        [utils.equal_const_int(N, 3), utils.equal_const_int(tir.const(3, "int32"), 3)],
        "[False, True]",
    ),
    "ceil_div": ([utils.ceil_div(7, 2), utils.ceil_div(N, 2)], "[4, (n + 1) // 2]"),
    "prod": (utils.prod(()), "1"),
    "ravel_index": (utils.ravel_index((N, 2, 3), (4, 5, 6)), "(n * 5 + 2) * 6 + 3"),
    "unravel_index": (utils.unravel_index(17, (4, 5)), "[3, 2]"),
    "unravel_index of an expression": (utils.unravel_index(N, (4, 5)), "[n // 5, n % 5]"),
    "get_max_power2_factor": ([utils.get_max_power2_factor(24), utils.get_max_power2_factor(64, 16)], "[8, 16]"),
    "is_empty_shape": ([utils.is_empty_shape((1, 0, 2)), utils.is_empty_shape((1, 2))], "[True, False]"),
    "is_dynamic_shape": ([utils.is_dynamic_shape((1, 2)), utils.is_dynamic_shape((N, 2))], "[False, True]"),
    "swap": (utils.swap([1, 2, 3, 4], 1), "[1, 4, 3, 2]"),
    "layouts of blocks": ([utils.nchw_pack_layout("NCHW2n4c"), utils.ncw_pack_layout("NCW2n4c")], "[True, True]"),
    "layouts of channels": ([utils.nchw_xc_layout("NCHW4c"), utils.ncw_xc_layout("NCW4c")], "[True, True]"),
    "other layouts": ([utils.nchw_xc_layout("NCHW"), utils.nchw_pack_layout("NCHW4c")], "[False, False]"),
    "get_shape": (utils.get_shape((1, 2, 3, 4), "NCHW", "NHWC"), "(1, 3, 4, 2)"),
    "get_pad_tuple": (nn.get_pad_tuple((1, 2), (3, 3)), "(1, 2, 1, 2)"),
    "get_pad_tuple SAME": (nn.get_pad_tuple("SAME", (4, 3)), "(2, 1, 1, 1)"),
    "get_pad_tuple1d": (nn.get_pad_tuple1d(1, 3), "(1, 1)"),
    "get_pad_tuple3d": (nn.get_pad_tuple3d((1, 2, 3), (3, 3, 3)), "(1, 2, 3, 1, 2, 3)"),
    "get_pad_tuple_generic": (nn.get_pad_tuple_generic((1, 2, 3, 4), (3, 3)), "([1, 2], [3, 4])"),
    "infer_pad": (infer_pad(te.placeholder((1, 3, 8, 8)), te.placeholder((1, 3, 10, 12))), "(1, 2)"),
    "infer_pad of none": (infer_pad(te.placeholder((1, 3, 8, 8)), None), "(0, 0)"),
}


@pytest.mark.parametrize("name", VALUES)
def test_values(name: str) -> None:
    value, expected = VALUES[name]
    assert str(value) == expected


def test_stride() -> None:
    shapes = ((1, 3, 10, 9), (4, 3, 3, 3), (1, 4, 4, 4))
    assert str(infer_stride(*[te.placeholder(shape) for shape in shapes])) == "(2, 2)"


def test_windows_of_unknown_size() -> None:
    row = te.placeholder((1, 1, 8), name="row")
    pooled = nn.pool1d(row, [N], [1], [1], [0, 0], "max")
    function = tvmscript.build(te.create_prim_func([row, N, pooled]), target="interp")
    source, result = np.array([[[5, 1, 4, 2, 8, 3, 7, 6]]], "float32"), np.zeros((1, 1, 6), "float32")
    function(source, 3, result)
    np.testing.assert_array_equal(result, [[[5, 4, 8, 8, 8, 7]]])


def test_constants() -> None:
    matrix = utils.const_matrix(np.array([[1.5, 2], [3, 4], [5, 6]], "float32"))
    vector = utils.const_vector(np.array([7, 8], "int32"))
    assert [str(tensor.shape) for tensor in (matrix, vector)] == ["(3, 2)", "(2,)"]
    assert [tensor.dtype for tensor in (matrix, vector)] == ["float32", "int32"]
    body = te.create_prim_func([vector]).script()
    assert "T.Select(v_i % 2 == 1, 8, T.Select(v_i % 2 == 0, 7, 0))" in body


def test_traverse_inline() -> None:
    x = te.placeholder((4, 4), name="x")
    result = topi.exp(topi.add(x, topi.nn.matmul(x, x)))
    schedule = te.create_schedule(result.op)
    names: list[str] = []
    traverse_inline(schedule, result.op, lambda op: names.append(op.name))
    assert names == ["T_matmul_NN", "T_add", "compute"]


REFUSED: Final[dict[str, Callable[[], Any]]] = {
    "variable": lambda: utils.get_const_int(N),
    "integer": lambda: utils.get_const_float(2),
    "layout": lambda: utils.get_shape((1, 2), "NC", "NH"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    with pytest.raises(InvalidOperand):
        REFUSED[name]()


@pytest.mark.parametrize(
    ("keys", "values", "window", "is_computed"),
    [(2, 2, None, True), (2, 2, 4, False), (1, 2, None, False), (2, 1, None, False), (1, 1, None, False)],
)
def test_attention_is_of_heads_with_keys_and_values_of_their_own(
    keys: int, values: int, window: int | None, is_computed: bool
) -> None:
    query, key, value = [te.placeholder((1, 4, heads, 8)) for heads in (2, keys, values)]
    result = attention(query, key, value, None, None, None, window)
    assert (result is not NotImplemented) is is_computed


def test_slices_end_with_the_tensor() -> None:
    """Where there are fewer ends than beginnings."""
    x = te.placeholder((8, 6), name="x")
    some, all_ends = topi.strided_slice(x, [1, 2], [3]), topi.strided_slice(x, [1, 2], [3, 6])
    made = [te.create_prim_func([x, each]) for each in (some, all_ends)]
    assert tvmscript.ir.structural_equal(*made)
