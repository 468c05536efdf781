"""New operators of TVM 0.27: inference as TVM printed it, and NumPy references."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import tvmscript as tvmscript  # installs the printer: sizes are compared as text
from tests.ir.relax.op import library
from tests.ir.relax.op.library import operator
from tvmscript.ir.relax.errors import InvalidCall

X, WHERE = "float32[2, 3, 4]", "int64[5]"
REFUSED = "refused"

#: (operator, arguments, keywords, what is inferred: `float32[2, n]`, `float32[?3]`; several of a tuple)
INFERRED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("atan2", [X, X], {}, X), ("atan2", ["int32[2]", "int32[2]"], {}, "int32[2]"),
    ("left_shift", ["int32[2]", "int32[3, 1]"], {}, "int32[3, 2]"),
    ("log_add_exp", [X, "float32[n, m, 4]"], {}, "float32[?3]"), ("log_add_exp", [X, X], {}, X),
    ("floor_mod", [X, X], {}, X), ("mod", [X, X], {}, X), ("right_shift", [X, X], {}, X),
    ("right_shift", ["int32[2]", "int32[2]"], {}, "int32[2]"),
    ("trunc", [X], {}, X), ("trunc", ["int32[2]"], {}, "int32[2]"),
    ("bucketize", [X, "float32[5]"], {}, "int64[2, 3, 4]"), ("bucketize", [X, "int32[5]"], {}, "int64[2, 3, 4]"),
    ("bucketize", [X, "float32[5]", True, True], {}, "int32[2, 3, 4]"), ("bucketize", [X, X], {}, REFUSED),
    ("bucketize", ["float32[?3]", "float32[?1]"], {}, "int64[?3]"),
    ("eye", [3], {}, "float32[3, 3]"), ("eye", ["n", 4, 1, "int32"], {}, "int32[n, 4]"),
    ("eye_like", ["float32[2, 3]"], {}, "float32[2, 3]"), ("eye_like", [X, 1, "int8"], {}, REFUSED),
    ("gather_elements", [X, "int64[2, 3, 5]", 2], {}, "float32[2, 3, 5]"), ("gather_elements", [X, X], {}, REFUSED),
    ("gather_elements", [X, WHERE], {}, REFUSED), ("gather_elements", ["float32[?3]", "int64[?3]"], {}, "float32[?3]"),
    ("gather_elements", ["float32[?]", "int64[?]"], {}, "float32[?]"),
    ("gather_elements", [X, "int32[2, 5, 4]", 5], {}, REFUSED),
    ("gather_nd", [X, "int64[5, 2]"], {}, "float32[5, 4]"),
    ("gather_nd", [X, "int64[2, 5, 1]", 1], {}, "float32[2, 5, 4]"),
    ("gather_nd", [X, "int64[5, 4]"], {}, REFUSED), ("gather_nd", [X, "int64[5, n]"], {}, "float32[?]"),
    ("gather_nd", [X, "int64[?2]"], {}, "float32[?]"), ("gather_nd", [X, X], {}, REFUSED),
    ("gather_nd", ["float32[?]", "int64[5, 2]"], {}, "float32[?]"),
    ("gather_nd", ["float32[?3]", "int64[5, 2]"], {}, "float32[?2]"),
    ("hamming_window", [8, True, 0.5, 0.5, "float32"], {}, "float32[8]"),
    ("hamming_window", [8, True, 0.5, 0.5, "int32"], {}, REFUSED),
    ("hamming_window", ["n", True, 0.5, 0.5, "float32"], {}, "float32[n]"),
    ("hamming_window", [0, False, 0.5, 0.5, "float32"], {}, REFUSED),
    ("index_put", ["float32[9]", WHERE, "float32[5]"], {}, "float32[9]"),
    ("index_put", [X, [WHERE, WHERE], "float32[5, 4]", True], {}, REFUSED),
    ("index_put", ["float32[9]", "float32[5]", "float32[5]"], {}, REFUSED),
    ("index_put", ["float32[9]", WHERE, "int8[5]"], {}, REFUSED),
    ("index_put", ["float32[?3]", WHERE, "float32[5]"], {}, REFUSED),
    ("index_tensor", [X, [WHERE, WHERE]], {}, "float32[5, 4]"),
    ("index_tensor", [X, ["int64[5, 1]", "int32[1, 6]"]], {}, "float32[5, 6, 4]"),
    ("index_tensor", [X, ["float32[5]"]], {}, REFUSED), ("index_tensor", [X, [WHERE] * 4], {}, REFUSED),
    ("index_tensor", [X, ["bool[5]"]], {}, REFUSED), ("index_tensor", [X, ["uint8[5]"]], {}, REFUSED),
    ("index_tensor", [X, ["int64[n]", "int64[n]"]], {}, "float32[n, 4]"),
    ("index_tensor", [X, [WHERE, "int64[6]"]], {}, REFUSED), ("index_tensor", [X, ["int64[?1]"]], {}, "float32[?]"),
    ("index_tensor", ["float32[?3]", [WHERE]], {}, "float32[?3]"),
    ("index_tensor", [X, ["int64[n]", "int64[m]"]], {}, "float32[?]"),
    ("median", [X], {}, "float32[]"), ("median", [X, 1], {}, "float32[2, 4] int64[2, 4]"),
    ("median", [X, [1, 2], True], {}, "float32[2, 1, 1]"),
    ("median", [X, 1, True], {}, "float32[2, 1, 4] int64[2, 1, 4]"),
    ("median", ["float32[?3]", 1], {}, "float32[?2] int64[?2]"),
    ("median", ["float32[?]", 1], {}, "float32[?] int64[?]"),
    ("median", [X, None, True], {}, "float32[1, 1, 1]"),
    ("meshgrid", [["float32[2]", "float32[3]"]], {}, "float32[2, 3] float32[2, 3]"),
    ("meshgrid", [["float32[2]"]], {}, "float32[2]"), ("meshgrid", [[X, X]], {}, REFUSED),
    ("meshgrid", [["float32[2]", "float32[?1]"]], {}, "float32[?2] float32[?2]"),
    ("meshgrid", [["float32[2]", "int8[3]"]], {}, REFUSED), ("meshgrid", [["float32[]", "float32[2]"]], {}, REFUSED),
    ("nonzero", [X], {}, "int64[?2]"), ("nonzero", ["float32[]"], {}, "int64[?2]"),
    ("one_hot", [WHERE, 1, 0, 7], {}, "int64[5, 7]"), ("one_hot", ["int32[2, 3]", 1, 0, 7, 0], {}, "int64[7, 2, 3]"),
    ("one_hot", [X, 1, 0, 7], {}, REFUSED), ("one_hot", ["int64[?2]", 1, 0, 7], {}, "int64[?3]"),
    ("one_hot", ["int64[?]", 1, 0, 7], {}, "int64[?]"), ("one_hot", [WHERE, 1, 0, 7, 3], {}, REFUSED),
    ("one_hot", [WHERE, 1, 0, -1], {}, REFUSED), ("one_hot", [WHERE, 1, 0.0, 3], {}, REFUSED),
    ("outer", ["float32[2]", "float32[3]"], {}, "float32[2, 3]"),
    ("outer", ["float32[n]", "float32[3]"], {}, "float32[n, 3]"),
    ("outer", [X, X], {}, REFUSED), ("outer", ["float32[2]", "int8[3]"], {}, "float32[2, 3]"),
    ("outer", ["float32[?1]", "float32[3]"], {}, "float32[?2]"), ("outer", ["float32[?]", "float32[3]"], {}, REFUSED),
    ("reverse_sequence", [X, "int64[2]"], {}, X), ("reverse_sequence", [X, "int64[3]"], {}, REFUSED),
    ("reverse_sequence", [X, "int64[3, 2]"], {}, REFUSED), ("reverse_sequence", [X, "float32[2]"], {}, REFUSED),
    ("reverse_sequence", [X, "int64[3]", 7, 1], {}, REFUSED),
    ("reverse_sequence", ["float32[?3]", WHERE], {}, "float32[?3]"),
    ("scatter_nd", [X, "int64[5, 2]", "float32[5, 4]"], {}, X),
    ("scatter_nd", [X, "int64[5, 2]", "float32[5, 5]"], {}, REFUSED),
    ("scatter_nd", [X, "float32[5, 2]", "float32[5, 4]"], {}, REFUSED),
    ("scatter_nd", [X, "int64[5, 2]", "int8[5, 4]"], {}, REFUSED),
    ("scatter_nd", ["float32[?3]", "int64[5, 2]", "float32[5, 4]"], {}, "float32[?3]"),
    ("scatter_nd", [X, "int64[5, 4]", "float32[5, 4]"], {}, REFUSED),
    ("size", [X], {}, "int64[]"), ("size", ["float32[?]"], {}, "int64[]"), ("size", ["(1)"], {}, REFUSED),
    ("slice_scatter", [X, "float32[1, 3, 4]", 0, 1, 1], {}, X),
    ("slice_scatter", [X, "float32[2, 2, 4]", 0, 3, 2, 1], {}, X),
    ("slice_scatter", [X, "float32[2, 2, 4]", 1, 9, 1, 1], {}, REFUSED),
    ("slice_scatter", [X, "float32[2, 2, 4]", -2, 3, 1, 1], {}, X),
    ("slice_scatter", [X, X, 0, 3, 2, 1], {}, REFUSED),
    ("slice_scatter", [X, "int8[2, 2, 4]", 0, 3, 2, 1], {}, REFUSED),
    ("slice_scatter", ["float32[n, m, 4]", "float32[n, 2, 4]", 0, 3, 2, 1], {}, "float32[n, m, 4]"),
    ("slice_scatter", ["float32[?3]", "float32[2, 2, 4]", 0, 3, 2, 1], {}, "float32[?3]"),
    ("slice_scatter", [X, "float32[2, 4]", 0, 3, 2, 1], {}, REFUSED),
    ("slice_scatter", [X, "float32[2, 2, 4]", 0, 3, 2, 9], {}, REFUSED),
    ("slice_scatter", [X, "float32[2, 2, 4]", 0, 3, 0, 1], {}, REFUSED),
    ("stack", [[X, X], 1], {}, "float32[2, 2, 3, 4]"), ("stack", [[X, X], -1], {}, "float32[2, 3, 4, 2]"),
    ("stack", [[X, X], None], {}, "float32[2, 2, 3, 4]"), ("stack", [[X, "float32[?3]"], 1], {}, "float32[?4]"),
    ("stack", [[X, "float32[?]"], 1], {}, "float32[?4]"), ("stack", [[X, "float32[2, 3, 5]"], 1], {}, REFUSED),
    ("stack", [[X, "int8[2, 3, 4]"], 1], {}, REFUSED), ("stack", [[X], 1], {}, "float32[2, 1, 3, 4]"),
    ("stack", [[X, X], 4], {}, REFUSED), ("stack", [[X, "float32[n, 3, 4]"], 1], {}, "float32[?4]"),
    ("stack", [[X, "[2, 3, 4]"], 1], {}, "[2, 2, 3, 4]"),
]  # fmt: skip


def text_of(told: Any) -> str:
    """Struct info as the cases write it."""
    if told[0] == "tuple":
        return " ".join(text_of(field) for field in told[1])
    _, ndim, dtype, _, sizes = told
    if sizes is None:
        return f"{dtype}[?{'' if ndim < 0 else ndim}]"
    return f"{dtype}[{', '.join(sizes).replace('T.int64(', '').replace(')', '')}]"


@pytest.mark.parametrize(("name", "args", "keywords", "expected"), INFERRED)
def test_inferred(name: str, args: list[Any], keywords: dict[str, Any], expected: str) -> None:
    if expected is REFUSED:
        with pytest.raises(InvalidCall):
            library.call((name, args, keywords))
    else:
        assert text_of(library.inferred((name, args, keywords))[0]) == expected


#: NumPy has no shifts of floats
NOT_NUMPY = {'["right_shift", ["float32[2, 3, 4]", "float32[2, 3, 4]"], {}]'}


@pytest.mark.parametrize("name", sorted({case[0] for case in INFERRED}))
def test_numpy_gives_what_is_inferred(name: str) -> None:
    compared = 0
    for case in [each[:3] for each in INFERRED if each[0] == name and each[3] is not REFUSED]:
        call = library.call(case)
        arrays = [library.array(argument) for argument in call.args]
        if any(array is None for array in arrays) or json.dumps(case) in NOT_NUMPY:
            continue
        assert call.op.reference is not None
        result = call.op.reference(np, *arrays, *call.attrs.values())
        is_tuple = isinstance(result, tuple | list)
        compared += 1
        assert library.describes(call.struct_info, tuple(map(np.asarray, result)) if is_tuple else np.asarray(result))
    assert compared


#: (operator, arguments, attributes in order, result); lists are arrays
BY_HAND: list[tuple[str, list[Any], list[Any], Any]] = [
    ("median", [[4, 1, 3, 2]], [(0,), False], [2, 3]),
    ("median", [[4, 1, 3, 2]], [None, False], 2),
    ("one_hot", [[1, 0], 5, 7], [3, -1], [[7, 5, 7], [5, 7, 7]]),
    ("reverse_sequence", [[[1, 2, 3], [4, 5, 6]], [2, 3]], [1, 0], [[2, 1, 3], [6, 5, 4]]),
    ("reverse_sequence", [[[1, 2, 3], [4, 5, 6]], [2, 1, 2]], [0, 1], [[4, 2, 6], [1, 5, 3]]),
    ("gather_nd", [[[1, 2], [3, 4]], [[1, 0], [0, 1]]], [0], [3, 2]),
    ("gather_nd", [[[1, 2], [3, 4]], [[1], [0]]], [1], [2, 3]),
    ("scatter_nd", [[1, 2, 3], [[2], [2]], [5, 6]], ["add"], [1, 2, 14]),
    ("index_put", [[1, 2, 3], [2, 0], [5, 6]], [False], [6, 2, 5]),
    ("slice_scatter", [[1, 2, 3, 4], [8, 9], 0, 4, 2], [0], [8, 2, 9, 4]),
    ("bucketize", [[0, 2, 5], [1, 2, 3]], [True, True], [0, 2, 3]),
    ("mod", [[-7], [3]], [], [-1]),
    ("floor_mod", [[-7], [3]], [], [2]),
    ("nonzero", [[[0, 1], [2, 0]]], [], [[0, 1], [1, 0]]),
]


@pytest.mark.parametrize(("name", "arrays", "attrs", "result"), BY_HAND)
def test_by_hand(name: str, arrays: list[Any], attrs: list[Any], result: Any) -> None:
    reference = operator(name).reference
    assert reference is not None
    actual = reference(np, *[np.array(each) if isinstance(each, list) else each for each in arrays], *attrs)
    assert np.asarray(actual).tolist() == result
