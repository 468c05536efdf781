"""Methods of buffers in Python agree with scripts and with TVM 0.17."""

from __future__ import annotations

from typing import Any

import pytest

from tvmscript import tir
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import TVMScriptError, UnknownName, WrongRank, WrongType
from tvmscript.parser import from_source

A = tir.decl_buffer((4, 8), "float32", "A", scope="shared")
CUBE = tir.decl_buffer((4, 4, 8), "float32", "B", scope="shared")
i = tir.Var("i", "int32")


def fragment(text: str) -> Any:
    """What a script makes of the same words."""
    return from_source(
        f'i = T.int32()\nA = T.Buffer((4, 8), "float32", scope="shared")\n'
        f'B = T.Buffer((4, 4, 8), "float32", scope="shared")\n{text}'
    )


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (A.vload([i, 4]), "A[i, 4]"),
        (A.vload([i, 4], "float32x4"), "A[i, T.Ramp(4, 1, 4)]"),
        (CUBE.vload([i, 2, 4], "float32x4"), "B[i, 2, T.Ramp(4, 1, 4)]"),
        (CUBE.vload([i, 2, tir.Ramp(tir.IntImm("int32", 0), tir.IntImm("int32", 2), 4)]), "B[i, 2, 0:8:2]"),
        (A.vload([i, tir.Ramp(tir.IntImm("int32", 0), tir.IntImm("int32", 2), 4)]), "A[i, 0:8:2]"),
        (A.vstore([i, 4], 1.5), "A[i, 4] = T.float32(1.5)"),
        (A.vstore([i, 0], tir.Broadcast(tir.FloatImm("float32", 1), 4)), "A[i, 0:4] = T.Broadcast(T.float32(1), 4)"),
        (A.access_ptr("r"), 'T.tvm_access_ptr(T.type_annotation("float32"), A.data, 0, 32, 1)'),
        (A.access_ptr("rw", offset=8), 'T.tvm_access_ptr(T.type_annotation("float32"), A.data, 8, 24, 3)'),
        (
            A.access_ptr(2, content_lanes=4, extent=2),
            'T.tvm_access_ptr(T.type_annotation("float32x4"), A.data, 0, 2, 2)',
        ),
        (A.offset_of([i, 3])[0], "i * 8 + 3"),
    ],
    ids=str,
)
def test_as_in_scripts(made: Any, text: str) -> None:
    assert_structural_equal(made, fragment(text), map_free_vars=True)


def test_offsets_begin_at_that_of_the_buffer() -> None:
    """As in TVM, and in the access pointer."""
    start = tir.Var("start", "int32")
    B = tir.decl_buffer((4, 8), elem_offset=start, data=A.data)
    assert str(B.offset_of([i, 2])[0]) == "i * 8 + start + 2"
    assert str(tir.decl_buffer((4, 8), elem_offset=tir.const(5)).offset_of([1, 2])[0]) == "15"


def test_scope() -> None:
    assert A.scope() == "shared"
    assert tir.decl_buffer((4,)).scope() == "global"


def shape_of(buffer: tir.Buffer) -> list[str]:
    return [str(extent) for extent in buffer.shape]


def test_flattened() -> None:
    flat = A.get_flattened_buffer()
    assert (shape_of(flat), flat.strides, flat.data, flat.name) == (["32"], (), A.data, "A")
    assert flat.get_flattened_buffer() is flat
    assert shape_of(tir.decl_buffer((4, 8), strides=(16, 1)).get_flattened_buffer()) == ["64"]
    parted = tir.decl_buffer((2, 3, 4, 5), axis_separators=(2,)).get_flattened_buffer()
    assert (shape_of(parted), parted.axis_separators) == (["6", "20"], (1,))
    assert parted.get_flattened_buffer() is parted
    assert shape_of(tir.decl_buffer((2, 3, 4), axis_separators=(1,)).get_flattened_buffer()) == ["2", "12"]
    n = tir.Var("n", "int32")
    assert shape_of(tir.decl_buffer((n, 4)).get_flattened_buffer()) == ["n * 4"]
    assert shape_of(tir.decl_buffer(()).get_flattened_buffer()) == ["1"]


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda: A.vload([i]), WrongRank),
        (lambda: A.vload([i, 0], "int32x4"), WrongType),
        (lambda: A.vstore([i, 0], tir.IntImm("int64", 1)), TVMScriptError),
        (lambda: A.access_ptr("x"), UnknownName),
        (lambda: A.offset_of([i]), WrongRank),
    ],
)
def test_refused(ask: Any, error: type[TVMScriptError]) -> None:
    with pytest.raises(error):
        ask()


def test_wrong_masks_in_scripts() -> None:
    """It was a KeyError."""
    with pytest.raises(TVMScriptError, match="there is no access mask named 'x'"):
        fragment('A.access_ptr("x")')
