"""Sorts of long rows by the digits of their keys (D. E. Knuth, The Art of Computer Programming, 5.2.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir import EQ, NE, Expr, Select, cast, const
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import function
from tvmscript.ir.topi.kernels import scalar

Key = Callable[[Expr], Expr]
#: bits of a digit: elements are stored to as many lines at a time as there are digits
_BITS: Final = 8
_DIGITS: Final = 1 << _BITS
#: elements for each digit from which on digits take less time than comparisons
_LEAST: Final = 12


def has_digits(dtype: DType, size: int | None) -> bool:
    """Return whether so many keys of a dtype are sorted by their digits."""
    is_number = dtype.lanes == 1 and dtype.bits in (8, 16, 32, 64) and (dtype.is_integer or dtype.is_floating)
    return is_number and size is not None and size >= _LEAST * _wide(dtype).bits // _BITS


def _wide(dtype: DType) -> DType:
    """Return what keys are converted to: their bits are in the order of numbers, and the number of digits is even."""
    if dtype.is_floating:
        return dtype if dtype.bits >= 32 else DType("float32")
    return dtype if dtype.bits >= 16 else DType("int16")


def sorted_order(ib: IRBuilder, extent: Expr, count: Expr, key: Key, is_ascend: bool) -> BufferVar:
    """Return the numbers from 0 to `extent`, the first `count` of them in the stable order of their keys."""
    order = ib.allocate(extent.dtype, (extent,), "order")
    with ib.for_range(count, extent, "i") as i:
        order[i] = i
    _sort(ib, extent, count, _Words(key(const(0, extent.dtype)).dtype, is_ascend), key, order)
    return order


def sorted_keys(ib: IRBuilder, extent: Expr, key: Key, is_ascend: bool) -> Callable[[Expr], Expr]:
    """Return the keys in order, as a function of the place. Of two zeros the negative one is the smaller one."""
    words = _Words(key(const(0, extent.dtype)).dtype, is_ascend)
    in_order = _sort(ib, extent, extent, words, key, None)
    return lambda place: words.key(in_order[place])


def _sort(ib: IRBuilder, extent: Expr, count: Expr, words: _Words, key: Key, order: BufferVar | None) -> BufferVar:
    """Sort the words of keys from the last digit to the first, and the positions of the keys; return the words."""
    dtype, passes = extent.dtype, words.bits // _BITS
    source, target = ([ib.allocate(words.dtype, (extent,), name)] for name in ("words", "moved_words"))
    if order is not None:
        source.append(order)
        target.append(ib.allocate(dtype, (extent,), "moved"))
    begins = ib.allocate("int32", (passes * _DIGITS,), "begins")
    with ib.for_range(0, passes * _DIGITS, "i") as i:
        begins[i] = 0
    with ib.for_range(0, count, "i") as i:
        word = ib.let("word", words.word(key(i), is_stable=order is not None))
        for array, value in zip(source, (word, i), strict=False):
            array[i] = value
        for number in range(passes):
            digit = ib.let("digit", _digit(word, const(number, "int32")))
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
                word = ib.let("word", arrays[0][0][i])
                digit = ib.let("digit", _digit(word, pair * 2 + step))
                begin = ib.let("begin", begins[digit])
                begins[digit] = begin + 1
                for old, new in zip(*arrays, strict=True):
                    new[cast(dtype, begin)] = old[i]
    return source[0]


def _digit(word: Expr, place: Expr) -> Expr:
    """Return a digit of a word, as a number among those of all places."""
    shifted = function("shift_right")(word, cast(word.dtype, place * _BITS))
    return place * _DIGITS + cast("int32", function("bitwise_and")(shifted, const(_DIGITS - 1, word.dtype)))


class _Words:
    """Unsigned integers in the order of keys."""

    def __init__(self, key_dtype: DType, is_ascend: bool) -> None:
        self.key_dtype, self.is_ascend = key_dtype, is_ascend
        self.wide = _wide(key_dtype)
        self.bits = self.wide.bits
        self.dtype = DType(f"uint{self.bits}")
        self.sign = const(1 << (self.bits - 1), self.dtype)
        self.all = const((1 << self.bits) - 1, self.dtype)

    def word(self, key: Expr, *, is_stable: bool) -> Expr:
        """Return the word of a key. NaN is larger than all numbers; where an order is stable, both zeros are equal."""
        wide = cast(self.wide, key)
        bits, exclusive_or = function("reinterpret")(str(self.dtype), wide), function("bitwise_xor")
        if self.wide.is_floating:
            word = exclusive_or(bits, Select(bits >= self.sign, self.all, self.sign))
            if is_stable:
                word = Select(EQ(wide, const(0.0, self.wide)), self.sign, word)
            word = Select(NE(wide, wide), self.all, word)
        else:
            word = exclusive_or(bits, self.sign) if self.wide.is_signed else bits
        return word if self.is_ascend else exclusive_or(word, self.all)

    def key(self, word: Expr) -> Expr:
        """Return the key of a word."""
        exclusive_or = function("bitwise_xor")
        if not self.is_ascend:
            word = exclusive_or(word, self.all)
        if self.wide.is_floating:
            word = exclusive_or(word, Select(word >= self.sign, self.sign, self.all))
        elif self.wide.is_signed:
            word = exclusive_or(word, self.sign)
        return cast(self.key_dtype, function("reinterpret")(str(self.wide), word))
