"""Parameters become arrays of vectors where their last extent is a multiple of the lanes."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.transform.registry import get_pass


@pytest.mark.parametrize("lanes", [2, 4, 8])
@pytest.mark.parametrize(
    "extent", ["n * 2", "n * 4", "n * 8", "n * 12", "n * 3", "n * 1", "n * 4 + 4", "n * 4 + 2", "n", "16", "18"]
)
def test_extents_that_are_multiples(extent: str, lanes: int) -> None:
    text = f"""
@T.prim_func
def main(b: T.handle, n: T.int32):
    B = T.match_buffer(b, ({extent},), "int32")
    for i in range(2):
        B[i * {lanes}: i * {lanes} + {lanes}] = T.Broadcast(1, {lanes})
"""
    made = get_pass("tir.PointerValueTypeRewrite")(tvmscript.from_source(text))
    (buffer,) = made.buffer_map.values()
    is_multiple = all(eval(extent, {"n": n}) % lanes == 0 for n in range(1, 9))
    assert buffer.dtype == (f"int32x{lanes}" if is_multiple else "int32")
