"""Arguments that functions of `arith` refuse, each with words of the error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tvmscript.ir.arith import python_operators, tile_layouts
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import offset_of
from tvmscript.ir.arith.int_set import as_int_set
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.inverse import inverse_affine_iter_map
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.tir import IntImm, Range, Var

X = Var("x", "int32")
EIGHT = IntImm("int32", 8)
#: what a checker of types would refuse
THREE: Any = 3
ROWS = tile_layouts.row_major([4, 2])
DIGIT = detect_iter_map([X], {X: Range.from_extent(EIGHT)}).indices

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "bounds that are none": (lambda: Analyzer().update(X, THREE), "a ConstIntBound"),
    "strides of another rank": (lambda: offset_of([EIGHT], [EIGHT, EIGHT], [X]), "1 strides"),
    "a domain that is none": (lambda: as_int_set(THREE), "a Range or IntervalSet"),
    "an inverse of fewer results": (lambda: inverse_affine_iter_map(DIGIT, [X, X]), "1 results"),
    "a minimum of one": (lambda: python_operators.FUNCTIONS["min"](X), "two or more operands"),
    "dimensions that end before the layout": (lambda: tile_layouts.group(ROWS, [4]), "of 8 coordinates"),
    "dimensions that end behind the layout": (lambda: tile_layouts.group(ROWS, [4, 2, 2]), "of 8 coordinates"),
    "dimensions across iters": (lambda: tile_layouts.group(ROWS, [3, 2]), "of 8 coordinates"),
    "dimensions of variable size": (lambda: tile_layouts.group_many(ROWS, [[X, 2]]), "of 8 coordinates"),
}


@pytest.mark.parametrize(("call", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(call: Callable[[], object], words: str) -> None:
    with pytest.raises(TVMScriptError, match=words):
        call()
