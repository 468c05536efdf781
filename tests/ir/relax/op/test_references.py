"""References that are not a single NumPy function, on small arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ir.relax.op.library import operator
from tvmscript.ir.core.dtype import VOID, DType
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.expr import Call, Var
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import TensorStructInfo

#: (operator, arguments, attributes in order, result); lists are arrays
BY_HAND: list[tuple[str, list[Any], list[Any], Any]] = [
    ("cumsum", [[1, 2, 3]], [0, VOID, None], [1, 3, 6]),
    ("cumsum", [[1, 2, 3]], [0, VOID, 1], [0, 1, 3]),
    ("cumprod", [[[2, 3], [4, 5]]], [None, VOID, 1], [1, 2, 6, 24]),
    ("scatter_elements", [[1, 2, 3], [2, 0], [7, 8]], [0, "update"], [8, 2, 7]),
    ("scatter_elements", [[1, 2, 3], [2, 2], [7, 8]], [0, "add"], [1, 2, 18]),
    ("scatter_elements", [[1, 2, 3], [2, 2], [7, 8]], [0, "max"], [1, 2, 8]),
    ("scatter_elements", [[1, 2, 3], [2, 2], [6, 9]], [0, "mean"], [1, 2, 6]),
    ("split", [[1, 2, 3, 4, 5]], [2, 0], [[1, 2, 3], [4, 5]]),
    ("split", [[1, 2, 3]], [(1, 9), 0], [[1], [2, 3], []]),
    ("argsort", [[3, 1, 3]], [-1, True, "int32"], [0, 2, 1]),
    ("sort", [[3, 1, 2]], [-1, True], [3, 2, 1]),
    ("topk", [[3, 1, 2]], [2, 0, "both", True, "int32"], [[3, 2], [0, 2]]),
    ("topk", [[3, 1, 2]], [2, 0, "indices", False, "int32"], [1, 2]),
    ("collapse_sum_to", [[[1, 2], [3, 4]], (2,)], [], [4, 6]),
    ("collapse_sum_to", [[[1, 2], [3, 4]], (2, 1)], [], [[3], [7]]),
    ("strided_slice", [[1, 2, 3, 4], (0,), (3,), (0,), (-2,)], [False], [4, 2]),
    ("strided_slice", [[1, 2, 3, 4], (0,), (-1,), (-9,), (-2,)], [False], [4, 2]),
    ("gather_elements", [[[1, 2], [3, 4]], [[1, 0], [0, 0]]], [0], [[3, 2], [1, 2]]),
    ("gather_elements", [[[1, 2], [3, 4]], [[1]]], [0], [[3]]),
    ("gather_elements", [[[1, 2], [3, 4]], [[1, 1, 0]]], [-1], [[2, 2, 1]]),
    ("erf", [[0.0]], [], [0.0]),
    ("sigmoid", [[0.0]], [], [0.5]),
    ("round", [[0.5, 1.5, -2.5, 0.25, -0.75]], [], [1.0, 2.0, -3.0, 0.0, -1.0]),
    ("quantize", [[0.5, -2.5, 1.25], [1.0], [0]], ["int8", -1], [1, -3, 1]),
    ("rsqrt", [[4.0]], [], [0.5]),
    ("divide", [[7, -7], [2, 2]], [], [3, -3]),
    ("clip", [[1, 5, 9], 2, 6], [], [2, 5, 6]),
    ("hamming_window", [5, 0, 0.5, 0.5], ["float16"], [0.0, 0.5, 1.0, 0.5, 0.0]),
    ("hamming_window", [4, 1, 0.5, 0.5], ["float16"], [0.0, 0.5, 1.0, 0.5]),
    ("hamming_window", [1, 0, 0.75, 0.25], ["float16"], [0.5]),
    ("multinomial_from_uniform", [[[0.25, 0.75]], [[0.1], [0.5]], [[0], [0]]], ["int64"], [[0], [1]]),
]


@pytest.mark.parametrize(("name", "arrays", "attrs", "result"), BY_HAND)
def test_by_hand(name: str, arrays: list[Any], attrs: list[Any], result: Any) -> None:
    reference = operator(name).reference
    assert reference is not None
    values = [np.array(each) if isinstance(each, list) else each for each in arrays]
    actual = reference(np, *values, *attrs)
    assert [each.tolist() for each in actual] == result if isinstance(actual, tuple) else actual.tolist() == result


#: dtypes of every kind
DTYPES = ("bool", "int8", "uint8", "int64", "float16", "float64")


@pytest.mark.parametrize("dtype", DTYPES)
def test_references_give_the_dtypes_that_are_inferred(dtype: str) -> None:
    """NumPy makes float16 of flags that are rounded, float64 of integers that are added as logarithms."""
    compared = 0
    for actual in Op.registry.values():
        if not isinstance(actual, Operator) or actual.reference is None:
            continue
        if not all(each.is_argument and each.kind == "Expr" and not each.variadic for each in actual.parameters):
            continue
        try:
            info = Call(actual, [Var("x", TensorStructInfo([2, 2], dtype)) for _ in actual.parameters]).struct_info
            with np.errstate(all="ignore"):  # arctanh of ones
                result = actual.reference(np, *[np.ones((2, 2), dtype) for _ in actual.parameters])
        except (InvalidCall, TypeError):  # refused, or without meaning in NumPy: -x of flags
            continue
        if isinstance(info, TensorStructInfo):
            compared += 1
            assert (actual.name, str(result.dtype)) == (actual.name, str(info.dtype))
    assert compared > 40


def test_adaptive_pooling_of_blocks() -> None:
    """The axes are those of the layout's capitals: a layout with blocks has a dimension more than axes."""
    reference = operator("nn.adaptive_avg_pool2d").reference
    assert reference is not None
    data = np.arange(2 * 3 * 4 * 4 * 2, dtype="float32").reshape(2, 3, 4, 4, 2)
    result = reference(np, data, output_size=(2, 1), layout="NCHW2c", out_layout="NCHW2c")
    assert result.shape == (2, 3, 2, 1, 2)
    np.testing.assert_allclose(result[:, :, 0, 0, :], data[:, :, :2].mean(axis=(2, 3)))


@pytest.mark.parametrize(("name", "kernel"), [("nn.conv1d", "OIW"), ("nn.conv1d_transpose", "IOW")])
def test_convolutions_have_the_dtype_that_is_asked_for(name: str, kernel: str) -> None:
    reference = operator(name).reference
    assert reference is not None
    attrs = {"strides": (1,), "padding": (0, 0), "dilation": (1,), "groups": 1, "output_padding": (0,)}
    layouts = {"data_layout": "NCW", "kernel_layout": kernel, "out_layout": "NCW"}
    ones = np.ones((1, 1, 3), "float32")
    for asked, result in ((VOID, "float32"), (DType("float64"), "float64")):
        assert reference(np, ones, ones, **attrs, **layouts, out_dtype=asked).dtype == result
