"""Sorts of words by their digits (D. E. Knuth, The Art of Computer Programming, 5.2.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir import Expr, cast, const
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import function
from tvmscript.ir.topi.kernels import scalar

#: bits of a digit: elements are stored to as many lines at a time as there are digits
_BITS: Final = 8
_DIGITS: Final = 1 << _BITS
#: elements for each digit from which on digits take less time than comparisons
_LEAST: Final = 12


def has_digits(bits: int, size: int | None) -> bool:
    """Return whether so many words of some bits are sorted by their digits, of which there is an even number."""
    return bits in (16, 32, 64) and size is not None and size >= _LEAST * bits // _BITS


def sort_by_digits(
    ib: IRBuilder, extent: Expr, count: Expr, dtype: DType, word: Callable[[Expr], Expr], order: BufferVar | None
) -> BufferVar:
    """Sort the words `word(i)` for i below `count` from the last digit to the first, and their positions.

    Return the words. `order` is where the positions are stored, None where these are not wanted.
    """
    index_dtype, passes = extent.dtype, dtype.bits // _BITS
    source, target = ([ib.allocate(dtype, (extent,), name)] for name in ("words", "moved_words"))
    if order is not None:
        source.append(order)
        target.append(ib.allocate(index_dtype, (extent,), "moved"))
    begins = ib.allocate("int32", (passes * _DIGITS,), "begins")
    with ib.for_range(0, passes * _DIGITS, "i") as i:
        begins[i] = 0
    with ib.for_range(0, count, "i") as i:
        value = ib.let("word", word(i))
        for array, content in zip(source, (value, i), strict=False):
            array[i] = content
        for number in range(passes):
            digit = ib.let("digit", _digit(value, const(number, "int32")))
            begins[digit] = begins[digit] + 1
    total = scalar(ib, "int32", "total")
    with ib.for_range(0, passes, "place") as place:
        total[0] = 0
        with ib.for_range(0, _DIGITS, "i") as i:
            size = ib.let("size", begins[place * _DIGITS + i])
            begins[place * _DIGITS + i] = total[0]
            total[0] = total[0] + size
    # from one array to the other, and back
    with ib.for_range(0, passes // 2, "pair") as pair:
        for step, arrays in enumerate(((source, target), (target, source))):
            with ib.for_range(0, count, "i") as i:
                value = ib.let("word", arrays[0][0][i])
                digit = ib.let("digit", _digit(value, pair * 2 + step))
                begin = ib.let("begin", begins[digit])
                begins[digit] = begin + 1
                for old, new in zip(*arrays, strict=True):
                    new[cast(index_dtype, begin)] = old[i]
    return source[0]


def _digit(word: Expr, place: Expr) -> Expr:
    """Return a digit of a word, as a number among those of all places."""
    shifted = function("shift_right")(word, cast(word.dtype, place * _BITS))
    return place * _DIGITS + cast("int32", function("bitwise_and")(shifted, const(_DIGITS - 1, word.dtype)))
