"""StableHLO operations element by element, on real, integer, truth and complex numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.frontends.functions import erf, round_away
from tvmscript.fuzz.frontends.pool import FLOATS, INTEGERS, Array
from tvmscript.fuzz.frontends.stablehlo_text import Writer

Function = Callable[..., Any]
_NORMAL: Final = NormalDist()


def _inverse_erf(x: float) -> float:
    return _NORMAL.inv_cdf((x + 1) / 2) / math.sqrt(2)


#: name -> function, the smallest and the largest element that it takes, whether it has no rounding errors
_OF_FLOATS: Final[Mapping[str, tuple[Function, float, float, bool]]] = {
    "stablehlo.abs": (np.abs, -50, 50, True), "stablehlo.cbrt": (np.cbrt, -50, 50, False),
    "stablehlo.ceil": (np.ceil, -50, 50, True), "stablehlo.cosine": (np.cos, -9, 9, False),
    "stablehlo.exponential": (np.exp, -9, 3, False), "stablehlo.exponential_minus_one": (np.expm1, -9, 3, False),
    "stablehlo.floor": (np.floor, -50, 50, True), "stablehlo.log": (np.log, 0.125, 50, False),
    "stablehlo.log_plus_one": (np.log1p, -0.75, 50, False),
    "stablehlo.logistic": (lambda x: 1 / (1 + np.exp(-x)), -9, 9, False),
    "stablehlo.negate": (np.negative, -50, 50, True),
    "stablehlo.round_nearest_even": (np.round, -50, 50, True),
    "stablehlo.round_nearest_afz": (round_away, -50, 50, True),
    "stablehlo.rsqrt": (lambda x: 1 / np.sqrt(x), 0.125, 50, False), "stablehlo.sign": (np.sign, -50, 50, True),
    "stablehlo.sine": (np.sin, -9, 9, False), "stablehlo.sqrt": (np.sqrt, 0.125, 50, False),
    "stablehlo.tan": (np.tan, -1, 1, False), "stablehlo.tanh": (np.tanh, -9, 9, False),
    "stablehlo.optimization_barrier": (lambda x: x, -50, 50, True), "chlo.erf": (erf, -5, 5, False),
    "chlo.square": (np.square, -7, 7, False), "chlo.sinh": (np.sinh, -3, 3, False),
    "chlo.cosh": (np.cosh, -3, 3, False),
    "chlo.asin": (np.arcsin, -0.75, 0.75, False), "chlo.acos": (np.arccos, -0.75, 0.75, False),
    "chlo.atan": (np.arctan, -50, 50, False), "chlo.asinh": (np.arcsinh, -9, 9, False),
    "chlo.acosh": (np.arccosh, 1.125, 9, False), "chlo.atanh": (np.arctanh, -0.75, 0.75, False),
    "chlo.erf_inv": (np.vectorize(_inverse_erf, otypes=["float64"]), -0.9375, 0.9375, False),
}  # fmt: skip
#: operations whose results jump: their operands have no rounding errors
_JUMPS: Final = ("ceil", "floor", "round_nearest_even", "round_nearest_afz", "sign")


def _truncated_quotient(a: Array, b: Array) -> Array:
    wide = np.abs(a.astype("int64")) // np.abs(b.astype("int64"))
    return np.asarray(wide * np.sign(a.astype("int64")) * np.sign(b.astype("int64")), a.dtype)


def _logical_shift(a: Array, b: Array) -> Array:
    unsigned = f"uint{8 * a.itemsize}"
    return np.asarray(a.astype(unsigned) >> b.astype(unsigned)).astype(a.dtype)


#: name -> function of floats, bounds of the second operand
_OF_TWO_FLOATS: Final[Mapping[str, tuple[Function, float, float]]] = {
    "add": (np.add, -50, 50), "subtract": (np.subtract, -50, 50), "multiply": (np.multiply, -7, 7),
    "divide": (np.divide, 0.125, 50), "maximum": (np.maximum, -50, 50), "minimum": (np.minimum, -50, 50),
    "remainder": (np.fmod, 0.125, 50), "atan2": (np.arctan2, 0.125, 50),
}  # fmt: skip
#: name -> function of integers, bounds of the second operand
_OF_TWO_INTEGERS: Final[Mapping[str, tuple[Function, float, float]]] = {
    "add": (np.add, -50, 50), "subtract": (np.subtract, -50, 50), "multiply": (np.multiply, -50, 50),
    "divide": (_truncated_quotient, 1, 50), "maximum": (np.maximum, -50, 50), "minimum": (np.minimum, -50, 50),
    "remainder": (np.fmod, 1, 50), "and": (np.bitwise_and, -50, 50), "or": (np.bitwise_or, -50, 50),
    "xor": (np.bitwise_xor, -50, 50), "shift_left": (np.left_shift, 0, 7),
    "shift_right_arithmetic": (np.right_shift, 0, 7), "shift_right_logical": (_logical_shift, 0, 7),
}  # fmt: skip
_OF_TWO_FLAGS: Final[Mapping[str, Function]] = {
    "add": np.logical_or, "and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor,
    "maximum": np.logical_or, "minimum": np.logical_and, "multiply": np.logical_and,
}  # fmt: skip
_COMPARISONS: Final[Mapping[str, Function]] = {
    "EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal,
}  # fmt: skip


def of_floats(w: Writer) -> None:
    name = w.rng.choice(list(_OF_FLOATS))
    function, low, high, is_exact = _OF_FLOATS[name]
    x = w.pool.pick(low=low, high=high, is_exact=name.partition(".")[2] in _JUMPS)
    w.bind(f"{name} {x.ref}", [x], function(x.array).astype(x.dtype), is_exact=is_exact)


def of_two(w: Writer) -> None:
    if w.rng.randrange(2):
        name = w.rng.choice(list(_OF_TWO_FLOATS))
        function, low, high = _OF_TWO_FLOATS[name]
        if name == "remainder":  # it jumps
            a = w.pool.pick(is_exact=True)
            b = w.pool.pick((a.dtype,), shape=a.shape, low=low, high=high, is_exact=True)
        else:
            a, b = w.pool.two(FLOATS, low, high)
    else:
        name = w.rng.choice(list(_OF_TWO_INTEGERS))
        function, low, high = _OF_TWO_INTEGERS[name]
        a, b = w.pool.two([each for each in INTEGERS if name != "shift_right_arithmetic" or each[0] == "i"], low, high)
    is_exact = name in ("add", "subtract", "maximum", "minimum")
    w.bind(f"stablehlo.{name} {a.ref}, {b.ref}", [a, b], function(a.array, b.array).astype(a.dtype), is_exact=is_exact)


def power(w: Writer) -> None:
    a = w.pool.pick(low=0.25, high=4)
    b = w.pool.pick((a.dtype,), shape=a.shape, low=-3, high=3)
    w.bind(f"stablehlo.power {a.ref}, {b.ref}", [a, b], np.power(a.array, b.array), is_exact=False)


def of_flags(w: Writer) -> None:
    a, b = w.pool.two(("bool",))
    if w.rng.randrange(4) == 0:
        w.bind(f"stablehlo.not {a.ref}", [a], ~a.array)
        return
    name = w.rng.choice(list(_OF_TWO_FLAGS))
    w.bind(f"stablehlo.{name} {a.ref}, {b.ref}", [a, b], _OF_TWO_FLAGS[name](a.array, b.array))


def of_integers(w: Writer) -> None:
    x = w.pool.pick(INTEGERS)
    bits, name = 8 * x.array.itemsize, w.rng.choice(("not", "popcnt", "count_leading_zeros", "abs", "sign", "negate"))
    if x.dtype[0] == "u" and name in ("abs", "sign", "negate"):
        name = "not"
    unsigned = x.array.astype(f"uint{bits}")

    def count(function: Callable[[int], int]) -> Array:
        return np.asarray(np.vectorize(function, otypes=["int64"])(unsigned), x.dtype)

    results: Mapping[str, Callable[[], Array]] = {
        "not": lambda: ~x.array, "popcnt": lambda: count(int.bit_count), "abs": lambda: np.abs(x.array),
        "count_leading_zeros": lambda: count(lambda value: bits - value.bit_length()),
        "sign": lambda: np.sign(x.array), "negate": lambda: -x.array,
    }  # fmt: skip
    w.bind(f"stablehlo.{name} {x.ref}", [x], results[name]())


def compare(w: Writer) -> None:
    name = w.rng.choice(list(_COMPARISONS))
    if w.rng.randrange(2):
        a = w.pool.pick(INTEGERS)
        kind = "UNSIGNED" if a.dtype[0] == "u" else "SIGNED"
    else:
        a, kind = w.pool.pick(is_exact=True), "FLOAT"
    b = w.pool.pick((a.dtype,), shape=a.shape, is_exact=True)
    w.bind(f"stablehlo.compare  {name}, {a.ref}, {b.ref},  {kind}", [a, b], _COMPARISONS[name](a.array, b.array))


def is_finite(w: Writer) -> None:
    data = w.pool.data(w.pool.shape(range(1, 5)), "float32")
    data.reshape(-1)[0] = w.rng.choice((np.inf, -np.inf, np.nan))
    x = w.constant(data) if w.rng.randrange(2) else w.pool.input(data)
    w.bind(f"stablehlo.is_finite {x.ref}", [x], np.isfinite(data))


def select(w: Writer) -> None:
    a, b = w.pool.two((*FLOATS, *INTEGERS))
    flags = w.pool.pick(("bool",), shape=w.rng.choice((a.shape, a.shape, ())))
    w.bind(
        f"stablehlo.select {flags.ref}, {a.ref}, {b.ref}", [flags, a, b], np.where(flags.array, a.array, b.array)
    )  # fmt: skip


def clamp(w: Writer) -> None:
    x = w.pool.pick((*FLOATS, "int32"))
    low, high = w.scalar(-1, x.dtype), w.scalar(2, x.dtype)
    if w.rng.randrange(2):
        low, high = (w.pool.input(w.pool.data(x.shape, x.dtype, *bounds)) for bounds in ((-2, 0), (0, 3)))
    w.bind(
        f"stablehlo.clamp {low.ref}, {x.ref}, {high.ref}", [low, x, high],
        np.minimum(np.maximum(x.array, low.array), high.array),
    )  # fmt: skip


def convert(w: Writer) -> None:
    x = w.pool.pick((*FLOATS, *INTEGERS, "bool"), low=0, high=40, is_exact=True)
    dtype = w.rng.choice([each for each in ("bool", "float16", *FLOATS, *INTEGERS) if each != x.dtype])
    w.bind(f"stablehlo.convert {x.ref}", [x], x.array.astype(dtype))
    if dtype == "float16":  # no other operation takes it
        half = w.pool.values[-1]
        w.bind(f"stablehlo.convert {half.ref}", [half], half.array.astype("float32"))


def bitcast(w: Writer) -> None:
    x = w.pool.pick(("float32", "int32", "uint8", "int64", "float64"), ranks=range(1, 4), is_exact=True)
    dtype = w.rng.choice(("int32", "uint32", "int64", "uint8", "int8"))
    bits, size = 8 * x.array.itemsize, x.shape[-1]
    ratio = np.dtype(dtype).itemsize / x.array.itemsize
    if ratio > 1:
        if size != ratio:
            return
        result = np.ascontiguousarray(x.array).view(dtype).reshape(x.shape[:-1])
    else:
        result = np.ascontiguousarray(x.array).view(dtype)
        result = result if bits == 8 * result.itemsize else result.reshape(*x.shape, -1)
    w.bind(f"stablehlo.bitcast_convert {x.ref}", [x], result)


def next_after(w: Writer) -> None:
    a, b = w.pool.two(("float32", "float64"))
    w.bind(f"chlo.next_after {a.ref}, {b.ref}", [a, b], np.nextafter(a.array, b.array), is_exact=False)


def _nonzero(x: Array) -> Array:
    return np.where(np.abs(x) < 0.5, x.dtype.type(1 + 1j), x)


#: name -> functions of complex numbers
_OF_COMPLEX: Final[Mapping[str, Function]] = {
    "stablehlo.negate": np.negative, "stablehlo.exponential": np.exp, "stablehlo.real": np.real,
    "stablehlo.imag": np.imag, "stablehlo.abs": np.abs, "chlo.square": np.square,
    "stablehlo.log": np.log,
}  # fmt: skip
_OF_TWO_COMPLEX: Final[Mapping[str, Function]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
}  # fmt: skip
_COMPLEX: Final = ("complex64", "complex64", "complex128")


def of_complex(w: Writer) -> None:
    shape, dtype = w.pool.shape(range(4)), w.rng.choice(_COMPLEX)
    a, b = (w.pool.input(_nonzero(w.pool.data(shape, dtype))) for _ in range(2))
    if w.rng.randrange(4) == 0:
        a = w.constant(a.array)
    kind = w.rng.randrange(5)
    if kind == 0:
        name = w.rng.choice(("EQ", "NE"))
        b = w.rng.choice((a, b))
        text = f"stablehlo.compare {name}, {a.ref}, {b.ref}, FLOAT"
        w.bind(text, [a, b], _COMPARISONS[name](a.array, b.array))
    elif kind == 1:
        parts = [w.pool.input(part.copy()) for part in (np.real(a.array), np.imag(a.array))]
        w.bind(f"stablehlo.complex {parts[0].ref}, {parts[1].ref}", parts, a.array)
    elif kind == 2:
        name = w.rng.choice(list(_OF_COMPLEX))
        w.bind(f"{name} {a.ref}", [a], np.asarray(_OF_COMPLEX[name](a.array)), is_exact=False)
    else:
        name = w.rng.choice(list(_OF_TWO_COMPLEX))
        text = f"stablehlo.{name} {a.ref}, {b.ref}"
        w.bind(text, [a, b], _OF_TWO_COMPLEX[name](a.array, b.array).astype(dtype), is_exact=False)


def fourier(w: Writer) -> None:
    """Transform the last axes."""
    rank = w.rng.randint(1, 2)
    shape = (2, w.rng.randint(1, 4), w.rng.randint(2, 6))
    axes, lengths = tuple(range(3 - rank, 3)), list(shape[3 - rank :])
    kind = w.rng.choice(("FFT", "IFFT", "RFFT", "IRFFT"))
    if kind == "RFFT":
        x = w.pool.input(w.pool.data(shape, "float32"))
        result: Array = np.fft.rfftn(x.array, lengths, axes)
    elif kind == "IRFFT":
        real = w.pool.data(shape, "float32")
        x = w.pool.input(np.fft.rfftn(real, lengths, axes).astype("complex64"))
        result = real
    else:
        x = w.pool.input(w.pool.data(shape, "complex64"))
        result = (np.fft.fftn if kind == "FFT" else np.fft.ifftn)(x.array, lengths, axes)
    dtype = "float32" if kind == "IRFFT" else "complex64"
    text = f"stablehlo.fft {x.ref}, type = {kind}, length = {lengths}"
    if w.rng.randrange(2):
        numbers = ", ".join(map(str, lengths))
        text = f'"stablehlo.fft"({x.ref}) <{{fft_length = array<i64: {numbers}>, fft_type = {kind}}}>'
    w.bind(text, [x], result.astype(dtype), is_exact=False)


OPERATIONS: Final[tuple[Callable[[Writer], None], ...]] = (
    of_floats, of_floats, of_two, of_two, power, of_flags, of_integers, compare, is_finite, select, clamp, convert,
    bitcast, next_after, of_complex, of_complex, fourier,
)  # fmt: skip
