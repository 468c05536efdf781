"""Copies of matrices to the layouts that instructions for dot products of narrow numbers read.

Terms of 32 bits that belong together are a group: 4 of int8, 2 of bfloat16.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Final

from tvmscript.ir.core import DType
from tvmscript.ir.schedule.intrinsics.builders import (
    Lets,
    Maker,
    buffer,
    call,
    copy,
    function,
    integer,
    lane_indices,
    load,
    store,
)
from tvmscript.ir.tir import Buffer, BufferLoad, Expr, Shuffle, Stmt, Var
from tvmscript.ir.tir.stmt import seq
from tvmscript.ir.tir.tensor_intrin import TensorIntrin


def _make(
    source_shape: tuple[int, ...],
    target_shape: tuple[int, ...],
    dtype: str,
    elements: Callable[[Buffer, Buffer, Var, Var], tuple[BufferLoad, BufferLoad]],
    body: Callable[[Buffer, Buffer], Stmt],
) -> TensorIntrin:
    """Construct a copy from S, whose rows may lie anywhere, to T; `elements` are those of T and S at the axes of S."""

    def buffers() -> tuple[Buffer, Buffer]:
        source = buffer("S", source_shape, dtype, offset_factor=1, is_strided=True)
        return source, buffer("T", target_shape, dtype, offset_factor=1)

    s, t = buffers()
    desc = function((s, t), (s,), (t,), copy(source_shape, "copy", lambda *axes: elements(s, t, *axes)))
    s, t = buffers()
    return TensorIntrin(desc, function((s, t), (s,), (t,), body(s, t)))


def _interleave(let: Lets, rows: Sequence[Expr]) -> Expr:
    """Return the elements of vectors in turns; their number is a power of two."""
    while len(rows) > 1:
        half, size = len(rows) // 2, rows[0].dtype.lanes
        places = tuple([integer(place + side) for place in range(size) for side in (0, size)])
        rows = [let("mixed", Shuffle((rows[k], rows[k + half]), places)) for k in range(half)]
    return rows[0]


def _transpose(let: Lets, rows: Sequence[Expr]) -> Sequence[Expr]:
    """Return the columns of as many vectors as each has elements, a power of two."""
    size = len(rows)
    mixes = [
        tuple([integer(start + place + side) for place in range(size // 2) for side in (0, size)])
        for start in (0, size // 2)
    ]
    for _ in range(size.bit_length() - 1):
        halves = zip(rows[: size // 2], rows[size // 2 :], strict=True)
        rows = [let("mixed", Shuffle(pair, places)) for pair in halves for places in mixes]
    return rows


def interleave(terms: int, lanes: int, dtype: str) -> TensorIntrin:
    """T[i, k] = S[k, i]: `terms` rows of `lanes` elements side by side."""

    def body(s: Buffer, t: Buffer) -> Stmt:
        let = Lets()
        rows = [let("row", load(s, k, lane_indices(lanes))) for k in range(terms)]
        return let.around(store(t, _interleave(let, rows), 0, lane_indices(lanes * terms)))

    return _make((terms, lanes), (lanes, terms), dtype, lambda s, t, k, i: (load(t, i, k), load(s, k, i)), body)


def regroup(words: int, lanes: int, dtype: str) -> TensorIntrin:
    """T[k // terms, i, k % terms] = S[i, k]: `words` groups of each row, transposed as int32."""
    terms = 32 // DType(dtype).bits

    def elements(s: Buffer, t: Buffer, i: Var, k: Var) -> tuple[BufferLoad, BufferLoad]:
        return load(t, k // terms, i, k % terms), load(s, i, k)

    def body(s: Buffer, t: Buffer) -> Stmt:
        row_elements = lane_indices(terms * words)
        squares: list[Stmt] = []
        for first in range(0, lanes, words):
            let = Lets()
            rows = [
                let("row", call("reinterpret", f"int32x{words}", load(s, first + row, row_elements)))
                for row in range(words)
            ]
            groups = [
                store(t, call("reinterpret", f"{dtype}x{terms * words}", column), group, first, row_elements)
                for group, column in enumerate(_transpose(let, rows))
            ]
            squares.append(let.around(seq(*groups)))
        return seq(*squares)

    return _make((lanes, terms * words), (words, lanes, terms), dtype, elements, body)


def gather(words: int, dtype: str) -> TensorIntrin:
    """T[i, k] = S[k, i]: `words` groups of terms and as many rows, transposed as int32."""
    terms = 32 // DType(dtype).bits

    def body(s: Buffer, t: Buffer) -> Stmt:
        let = Lets()
        groups = [
            [let("row", load(s, terms * group + k, lane_indices(words))) for k in range(terms)]
            for group in range(words)
        ]
        rows = [let("words", call("reinterpret", f"int32x{words}", _interleave(let, group))) for group in groups]
        stores = [
            store(t, call("reinterpret", f"{dtype}x{terms * words}", column), i, lane_indices(terms * words))
            for i, column in enumerate(_transpose(let, rows))
        ]
        return let.around(seq(*stores))

    shape = terms * words, words
    return _make(shape, shape[::-1], dtype, lambda s, t, k, i: (load(t, i, k), load(s, k, i)), body)


#: terms, lanes, dtypes of groups that are packed
_GROUPS: Final = (
    (4, (64, 32, 16, 8, 4), ("int8", "uint8")),
    (2, (64, 32, 16, 8), ("int8", "uint8", "bfloat16")),
)
#: int32 of a vector, lanes of a panel of the instructions of a processor
_SQUARES: Final = ((16, 16), (16, 32), (16, 64), (8, 8), (8, 16))
_DTYPES: Final = ("int8", "uint8", "bfloat16")


def _makers() -> Iterator[tuple[str, Maker]]:
    for terms, counts, dtypes in _GROUPS:
        for lanes, dtype in product(counts, dtypes):
            yield f"interleave_{terms}x{lanes}_{dtype}", partial(interleave, terms, lanes, dtype)
    for dtype in _DTYPES:
        for words, lanes in _SQUARES:
            yield f"regroup_{words}x{lanes}_{dtype}", partial(regroup, words, lanes, dtype)
        yield f"gather_16_{dtype}", partial(gather, 16, dtype)


MAKERS: dict[str, Maker] = dict(_makers())
