"""Sorts of keys as unsigned words that are in the order of the keys: in vectors, or by digits."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir import EQ, NE, Expr, Select, cast, const
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.bitonic_sort import has_network, sort_words
from tvmscript.ir.topi.common import function, known_int
from tvmscript.ir.topi.radix_sort import has_digits, sort_by_digits

Key = Callable[[Expr], Expr]


def sorts_keys(dtype: DType, size: int | None) -> bool:
    """Return whether so many keys of a dtype are sorted as words, without their positions."""
    return _has_words(dtype) and (has_network(_wide(dtype).bits, size) or has_digits(_wide(dtype).bits, size))


def sorts_order(dtype: DType, size: int | None) -> bool:
    """Return whether so many keys of a dtype are sorted as words, with their positions."""
    return packs_positions(dtype, size) or (_has_words(dtype) and has_digits(_wide(dtype).bits, size))


def _has_words(dtype: DType) -> bool:
    return dtype.lanes == 1 and dtype.bits in (8, 16, 32, 64) and (dtype.is_integer or dtype.is_floating)


def packs_positions(dtype: DType, size: int | None) -> bool:
    """Return whether so many keys of a dtype are sorted as words that hold positions, too."""
    bits = _wide(dtype).bits
    return _has_words(dtype) and has_network(2 * bits, size) and size is not None and size <= 1 << bits


def _wide(dtype: DType) -> DType:
    """Return what keys are converted to: their bits are in the order of numbers, and the number of digits is even."""
    if dtype.is_floating:
        return dtype if dtype.bits >= 32 else DType("float32")
    return dtype if dtype.bits >= 16 else DType("int16")


def sorted_keys(ib: IRBuilder, extent: Expr, key: Key, is_ascend: bool) -> Callable[[Expr], Expr]:
    """Return the keys in order, as a function of the place. Of two zeros the negative one is the smaller one."""
    words = _Words(key(const(0, extent.dtype)).dtype, is_ascend)
    size = known_int(extent)

    def word(place: Expr) -> Expr:
        return words.word(key(place), is_stable=False)

    if size is not None and has_network(words.bits, size):
        in_order = sort_words(ib, words.dtype, size, word)
    else:
        in_order = sort_by_digits(ib, extent, extent, words.dtype, word, None)
    return lambda place: words.key(in_order[place])


def sorted_order(ib: IRBuilder, extent: Expr, count: Expr, key: Key, is_ascend: bool) -> BufferVar:
    """Return the numbers from 0 to `extent`, the first `count` of them in the stable order of their keys."""
    words = _Words(key(const(0, extent.dtype)).dtype, is_ascend)
    order = ib.allocate(extent.dtype, (extent,), "order")
    size = known_int(extent)
    if size is not None and packs_positions(words.key_dtype, size):
        _sort_packed(ib, size, count, words, key, order)
        return order
    with ib.for_range(count, extent, "i") as i:
        order[i] = i
    sort_by_digits(ib, extent, count, words.dtype, lambda place: words.word(key(place), is_stable=True), order)
    return order


def _sort_packed(ib: IRBuilder, size: int, count: Expr, words: _Words, key: Key, order: BufferVar) -> None:
    """Sort words of keys with positions behind them: all differ. Those from `count` on are behind all others."""
    packed = DType(f"uint{2 * words.bits}")
    shift_left, either = function("shift_left"), function("bitwise_or")

    def word(place: Expr) -> Expr:
        value = words.word(key(place), is_stable=True)
        if known_int(count) != size:
            value = Select(place < count, value, words.all)
        return either(shift_left(cast(packed, value), const(words.bits, packed)), cast(packed, place))

    in_order = sort_words(ib, packed, size, word)
    with ib.for_range(0, size, "i") as i:
        order[i] = cast(order.dtype, cast(words.dtype, in_order[i]))


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
