"""Random numbers from a counter: generators are values, and the same generator gives the same numbers.

A generator is ten uint64: the key, the counter (of which the first two words are the path of splits), and the bit of
the path that is set next (two words). The rounds are those of Threefry-4x64-20 (J. Salmon et al., Parallel Random
Numbers: As Easy as 1, 2, 3, SC 2011) but for two things, for numbers equal to TVM's: a round mixes the sum with its
second word once more, and the last injection of the key is left out. Splits are those of K. Claessen and M. Palka,
Splittable Pseudorandom Number Generators using Cryptographic Hashing, Haskell 2013.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Final

from tvmscript.ir.core import DType
from tvmscript.ir.te.tensor import Elements, Extent, Tensor
from tvmscript.ir.tir import EQ, LT, Expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder, unravel_position
from tvmscript.ir.topi.broadcast import (
    add,
    bitwise_or,
    divide,
    greater,
    left_shift,
    maximum,
    multiply,
    right_shift,
    subtract,
)
from tvmscript.ir.topi.common import function, product
from tvmscript.ir.topi.create import full, full_like
from tvmscript.ir.topi.elementwise import cast, log, reinterpret, sin, sqrt
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.index import where
from tvmscript.ir.topi.kernels import kernel, kernels, scalar
from tvmscript.ir.topi.reduction import argmin, sum
from tvmscript.ir.topi.scan import cumsum
from tvmscript.ir.topi.shape import expand_dims, squeeze
from tvmscript.ir.topi.slice import strided_slice

_ROTATIONS: Final = ((14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32))
_PARITY: Final = 0x1BD11BDAA9FC1A22
_ROUNDS: Final = 20
_TOP: Final = 1 << 63
_MAX: Final = (1 << 64) - 1
#: bits of a float of each dtype that a mantissa leaves out, and the bits of 1.0 behind them
_MANTISSAS: Final = {"float32": ("uint32", 9, 127, 23), "float64": ("uint64", 12, 1023, 52)}


def _word(value: int) -> Expr:
    return const(value, "uint64")


def _encrypt(ib: IRBuilder, key: Sequence[Expr], block: Sequence[Expr]) -> list[Expr]:
    """Return four words encrypted with a key of four words."""
    parity = _word(_PARITY)
    for word in key:
        parity = parity ^ word
    keys = [*key, ib.let("parity", parity)]
    words = list(block)
    for number in range(_ROUNDS):
        if number % 4 == 0:
            step = number // 4
            words = [word + keys[(n + step) % 5] for n, word in enumerate(words)]
            words[3] = words[3] + _word(step)
        mixed: list[Expr] = []
        for pair, bits in enumerate(_ROTATIONS[number % 8]):
            low, high = words[2 * pair], words[2 * pair + 1]
            total = ib.let("x", low + high)
            turned = (high << _word(bits)) | (high >> _word(64 - bits))
            mixed += [total, ib.let("y", (total + high) ^ turned)]
        words = [mixed[0], mixed[3], mixed[2], mixed[1]]
    return words


def _store(target: BufferVar, words: Sequence[Expr]) -> None:
    for place, word in enumerate(words):
        target[place] = word


def _next_path(gen: BufferVar) -> list[Expr]:
    """Return the bit of the path behind the one that is set next; it is in the second word behind the first."""
    return [gen[8] >> _word(1), function("if_then_else")(EQ(gen[8], _word(1)), _word(_TOP), _word(0))]


def _check(where: str, gen: Tensor) -> None:
    if gen.ndim != 1 or gen.dtype is not DType("uint64"):
        raise InvalidOperand(where=f"random.{where}", reason="a generator is a vector of 10 uint64")


def threefry_generate(gen: Tensor, out_shape: Sequence[Extent]) -> list[Tensor]:
    """Return the generator to go on with, and random uint64 in all their values."""
    _check("threefry_generate", gen)
    shape = list(out_shape)
    size = product(shape)
    count = cast_expr("uint64", size if isinstance(size, Expr) else const(size, "int32"))

    def body(ib: IRBuilder, source: BufferVar, target: BufferVar, numbers: BufferVar) -> None:
        state = ib.allocate("uint64", (10,), "state")
        zero = _word(0)
        with ib.if_scope(LT(source[7], _word(_MAX) - count)):
            _store(state, [source[n] for n in range(10)])
        with ib.else_scope():
            # the counter is at its end: go on with another path, or with another key where there is none
            with ib.if_scope(EQ(source[8], zero)):
                key = _encrypt(ib, [source[n] for n in range(4)], [_word(_MAX), _word(_MAX), zero, zero])
                _store(state, [*key, zero, zero, zero, zero, _word(_TOP), zero])
            with ib.else_scope():
                path = [source[4] | source[8], source[5] | source[9]]
                _store(state, [*[source[n] for n in range(4)], *path, zero, zero, *_next_path(source)])
        with ib.for_range(0, function("ceildiv")(size, 4), "block", kind="parallel") as block:
            offset = block.astype("uint64")
            counter = [state[4 + n] + offset for n in range(4)]
            words = _encrypt(ib, [state[n] for n in range(4)], counter)
            for n, word in enumerate(words):
                position = block * 4 + n
                with ib.if_scope(position < size):
                    numbers[unravel_position(position, shape)] = word
        _store(target, [*[state[n] for n in range(6)], zero, state[7] + count, state[8], state[9]])

    return kernels("threefry_generate", [(gen.shape, "uint64"), (shape, "uint64")], [gen], body)


def threefry_split(gen: Tensor) -> list[Tensor]:
    """Return two generators whose numbers are independent of one another."""
    _check("threefry_split", gen)

    def body(ib: IRBuilder, source: BufferVar, left: BufferVar, right: BufferVar) -> None:
        zero, half = _word(0), _word(1 << 62)
        with ib.if_scope(EQ(source[8], zero)):
            key = _encrypt(ib, [source[n] for n in range(4)], [source[n] for n in range(4, 8)])
            _store(left, [*key, zero, zero, zero, zero, half, zero])
            _store(right, [*key, _word(_TOP), zero, zero, zero, half, zero])
        with ib.else_scope():
            _store(left, [*[source[n] for n in range(8)], *_next_path(source)])
            path = [source[4] | source[8], source[5] | source[9]]
            _store(right, [*[source[n] for n in range(4)], *path, source[6], source[7], *_next_path(source)])

    return kernels("threefry_split", [(gen.shape, "uint64"), (gen.shape, "uint64")], [gen], body)


def uniform(
    gen: Tensor, low: Elements, high: Elements, out_shape: Sequence[Extent], out_dtype: str
) -> tuple[Tensor, Tensor]:
    """Return the generator to go on with, and numbers from `low` on and below `high`, of float32 or float64."""
    if out_dtype not in _MANTISSAS:
        raise InvalidOperand(where="random.uniform", reason=f"the dtype is float32 or float64, not {out_dtype}")
    kind, rest, one, width = _MANTISSAS[out_dtype]
    following, bits = threefry_generate(gen, out_shape)
    mantissa = right_shift(cast(bits, kind), const(rest, kind))
    exponent = left_shift(full(bits.shape, kind, one), const(width, kind))
    unit = subtract(reinterpret(bitwise_or(mantissa, exponent), out_dtype), const(1.0, out_dtype))
    return following, add(multiply(unit, subtract(high, low)), low)


def normal(
    gen: Tensor, mean: Elements, scale: Elements, out_shape: Sequence[Extent], out_dtype: str
) -> tuple[Tensor, Tensor]:
    """Return the generator to go on with, and normally distributed numbers, by Box and Muller's transform."""
    zero, one = const(0.0, out_dtype), const(1.0, out_dtype)
    following, samples = uniform(gen, zero, one, [2, *out_shape], out_dtype)
    first, second = (squeeze(strided_slice(samples, [n], [n + 1], [1], [0]), 0) for n in (0, 1))
    radius = sqrt(multiply(const(-2.0, out_dtype), log(subtract(one, first))))
    angle = sin(multiply(const(2.0 * pi, out_dtype), second))
    return following, add(multiply(multiply(radius, angle), scale), mean)


def multinomial(gen: Tensor, probs: Tensor, num_samples: Extent) -> tuple[Tensor, Tensor]:
    """Return the generator to go on with, and indices drawn with the weights of the last axis, with replacement.

    Weights below 0 count as 0; they need not add up to 1.
    """
    weights = maximum(cast(probs, "float32"), const(0.0, "float32"))
    total = expand_dims(sum(weights, axis=-1), -1)
    ends = expand_dims(cumsum(divide(weights, total), axis=probs.ndim - 1), -1)
    zero, one = const(0.0, "float32"), const(1.0, "float32")
    following, samples = uniform(gen, zero, one, [*probs.shape[:-1], num_samples], "float32")
    distance = subtract(ends, expand_dims(samples, -2))
    is_behind = greater(distance, full_like(distance, 0.0))
    return following, argmin(where(is_behind, distance, full_like(distance, 1.0)), axis=-2)


def multinomial_from_uniform(probabilities: Tensor, uniform: Tensor, rows: Tensor, dtype: str) -> Tensor:
    """Return the first category of a row of probabilities whose cumulative probability exceeds a sample, else 0."""

    def body(ib: IRBuilder, weights: BufferVar, samples: BufferVar, places: BufferVar, target: BufferVar) -> None:
        with ib.for_range(0, uniform.shape[0], "i", kind="parallel") as i:
            total = scalar(ib, probabilities.dtype, "total", 0)
            category = scalar(ib, dtype, "category", -1)
            with ib.for_range(0, probabilities.shape[1], "k") as k:
                total[0] = total[0] + weights[places[i, 0], k]
                with ib.if_scope(function("all")(category[0] < 0, total[0] > samples[i, 0])):
                    category[0] = cast_expr(dtype, k)
            target[i, 0] = function("max")(category[0], const(0, dtype))

    return kernel("multinomial_from_uniform", uniform.shape, dtype, [probabilities, uniform, rows], body)
