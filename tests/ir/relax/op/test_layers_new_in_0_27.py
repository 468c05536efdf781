"""New layers, image and vision operators of TVM 0.27: inference as TVM printed it, and NumPy references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript as tvmscript  # installs the printer: sizes are compared as text
from tests.ir.relax.op import library
from tests.ir.relax.op.current import INFERRED
from tests.ir.relax.op.library import operator
from tests.ir.relax.op.test_new_in_0_27 import REFUSED, text_of
from tvmscript.ir.core.dtype import VOID
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.struct_info import TensorStructInfo


@pytest.mark.parametrize(("name", "args", "keywords", "expected"), INFERRED)
def test_inferred(name: str, args: list[Any], keywords: dict[str, Any], expected: str) -> None:
    if expected == REFUSED:
        with pytest.raises(InvalidCall):
            library.call((name, args, keywords))
    else:
        assert text_of(library.inferred((name, args, keywords))[0]) == expected


@pytest.mark.parametrize("name", sorted({case[0] for case in INFERRED}))
def test_numpy_gives_what_is_inferred(name: str) -> None:
    reference = operator(name).reference
    compared = 0
    for case in [each[:3] for each in INFERRED if each[0] == name and each[3] != REFUSED]:
        call = library.call(case)
        arrays = [library.array(argument) for argument in call.args]
        if reference is None or any(array is None for array in arrays):
            continue
        if name == "nn.prelu" and arrays[1].size not in (1, arrays[0].shape[call.attrs["axis"]]):
            continue  # TVM infers that too, and computes nothing
        if name == "nn.conv3d_transpose":
            result = reference(np, *arrays, **call.attrs)
            result = result if call.attrs["out_dtype"] is VOID else result.astype(str(call.attrs["out_dtype"]))
        else:
            result = reference(np, *arrays, *call.attrs.values())
        compared += 1
        assert library.describes(call.struct_info, result if isinstance(result, tuple) else np.asarray(result))
    assert (compared > 0) == (reference is not None)


#: (operator, arguments, attributes in order, result); lists are arrays
BY_HAND: list[tuple[str, list[Any], list[Any], Any]] = [
    ("nn.batch_flatten", [[[[1, 2], [3, 4]]]], [], [[1, 2, 3, 4]]),
    ("nn.pixel_shuffle", [[[[1]], [[2]], [[3]], [[4]]]], [2], [[[1, 2], [3, 4]]]),
    ("nn.prelu", [[[2.0, -2.0], [-4.0, 4.0]], [0.5, 0.25]], [1], [[2.0, -0.5], [-2.0, 4.0]]),
    ("nn.softplus", [[0.0, 30.0]], [1.0, 20.0], [float(np.log(2.0)), 30.0]),
    ("nn.selu", [[0.0, 1.0]], [], [0.0, 1.0507009873554805]),
    ("nn.instance_norm", [[[[1.0, 3.0]]], [2.0], [1.0]], [1, (2,), 0.0, True, True], [[[-1.0, 3.0]]]),
    ("memory.ensure_zero_offset", [[1, 2]], [], [1, 2]),
    ("image.affine_grid", [[[[1.0, 0.0, 0.0], [0.0, 1.0, 0.5]]], (1, 2)], [True], [[[[-1.0, 1.0]], [[-0.5, -0.5]]]]),
    (
        "vision.get_valid_counts",
        [[[[0.0, 0.2], [1.0, 0.9], [-1.0, 0.8]]]],
        [0.5, 0, 1],
        [[1], [[[1.0, 0.9], [-1.0, -1.0], [-1.0, -1.0]]], [[1, -1, -1]]],
    ),
]


@pytest.mark.parametrize(("name", "arrays", "attrs", "result"), BY_HAND)
def test_by_hand(name: str, arrays: list[Any], attrs: list[Any], result: Any) -> None:
    reference = operator(name).reference
    assert reference is not None
    values = [np.array(each) if isinstance(each, list) else each for each in arrays]
    actual = reference(np, *values, *attrs)
    assert [each.tolist() for each in actual] == result if isinstance(actual, tuple) else actual.tolist() == result


def test_a_function_of_python() -> None:
    x = Var("x", TensorStructInfo([4], "float32"))
    call = script_function_of(operator("call_py_func"))("work", x, out_sinfo=x.struct_info)
    assert call.struct_info is x.struct_info
    assert call.script(dialect="0.27") == 'R.call_py_func("work", x, out_ty=R.Tensor((4,), dtype="float32"))'
    assert call.script() == 'R.call_py_func("work", x, out_sinfo=R.Tensor((4,), dtype="float32"))'


def _boxes(dtypes: tuple[str, str, str]) -> Any:
    """A call of multibox_transform_loc: two images, one class, seven boxes."""
    shapes = ((2, 1, 7), (2, 28), (1, 7, 4))
    args = [Var("x", TensorStructInfo(shape, dtype)) for shape, dtype in zip(shapes, dtypes, strict=True)]
    return script_function_of(operator("vision.multibox_transform_loc"))(*args)


def test_boxes_scores_and_anchors_have_one_dtype() -> None:
    with pytest.raises(InvalidCall, match="loc_pred takes float16, as cls_pred, but got int8"):
        _boxes(("float16", "int8", "float16"))
    with pytest.raises(InvalidCall, match="anchor takes float16, as cls_pred, but got int8"):
        _boxes(("float16", "float16", "int8"))


@pytest.mark.parametrize("unknown", range(3))
def test_dtypes_of_boxes_need_not_be_known(unknown: int) -> None:
    dtypes = ["float16"] * 3
    dtypes[unknown] = "void"
    said = ', dtype="float16"' if unknown else ""
    expected = f"R.Tuple(R.Tensor((2, 7, 4){said}), R.Tensor((2, 1, 7){said}))"
    assert _boxes((dtypes[0], dtypes[1], dtypes[2])).struct_info.script() == expected


def test_dtypes_of_counts_and_places_need_not_be_known() -> None:
    shapes = ((2, 4, 6), (2,), (2, 4))
    args = [Var("x", TensorStructInfo(shape, "void")) for shape in shapes]
    call = script_function_of(operator("vision.non_max_suppression"))(*args, return_indices=False)
    assert call.struct_info is not None
    assert call.struct_info.script() == "R.Tensor((2, 4, 6))"
