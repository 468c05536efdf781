"""Layouts: parsing, and round trips of shapes and arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tvmscript as tvmscript  # installs the printer: sizes are compared as text
from tvmscript.ir.relax.op.layout import (
    array_from_canonical,
    array_to_canonical,
    from_canonical,
    parse_layout,
    to_canonical,
)
from tvmscript.ir.relax.op.shape_rules import int64
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.var import Var


@pytest.mark.parametrize("name", ["NN", "4c", "N4c", "NCHW4", "nc", "NC0c", "N C", "NCHWc", "N-", "NC4cx"])
def test_names_that_are_no_layouts(name: str) -> None:
    assert parse_layout(name) is None


def test_axes() -> None:
    result = parse_layout("OIHW4i16o2i")
    assert result is not None
    assert result.ndim == 7
    assert result.letters == frozenset("OIHW")
    assert (result.block("I"), result.block("O"), result.block("H")) == (8, 16, 1)


def test_symbolic_extents() -> None:
    n, blocked = Var("n", "int64"), parse_layout("NCHW16c")
    assert blocked is not None
    result = from_canonical((n, n, int64(3), n), "NCHW", blocked)
    assert list(map(str, result)) == ["n", "(n + T.int64(15)) // T.int64(16)", "T.int64(3)", "n", "T.int64(16)"]
    back = to_canonical((n, n, int64(3), n, int64(16)), blocked, "NCHW")
    assert list(map(str, back)) == ["n", "n * T.int64(16)", "T.int64(3)", "n"]


@given(
    st.permutations("NCHW"),
    st.lists(st.tuples(st.sampled_from("CHW"), st.integers(2, 3)), max_size=3),
    st.lists(st.integers(1, 5), min_size=4, max_size=4),
)
def test_shapes_of_arrays_are_those_that_are_told(
    order: list[str], parts: list[tuple[str, int]], shape: list[int]
) -> None:
    name = "".join(order) + "".join(f"{inner}{letter.lower()}" for letter, inner in parts)
    target = parse_layout(name)
    assert target is not None
    array = np.arange(np.prod(shape)).reshape(shape)
    result = array_from_canonical(np, array, "NCHW", name)
    told = from_canonical([int64(extent) for extent in shape], "NCHW", target)
    assert [extent.value for extent in told if isinstance(extent, IntImm)] == list(result.shape)
    back = array_to_canonical(np, result, name, "NCHW")
    assert np.array_equal(back[tuple(slice(extent) for extent in shape)], array)
    again = to_canonical(told, target, "NCHW")
    assert [extent.value for extent in again if isinstance(extent, IntImm)] == list(back.shape)
