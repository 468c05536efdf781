"""Laws of numbers in programs: bit patterns of floats, constant data, dtypes, folded operators, functions."""

from __future__ import annotations

import copy
import math
import pickle
import random
import struct
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.arith.evaluate import Undefined, evaluate
from tvmscript.fuzz.laws import EDGES, Law, require, require_refusal
from tvmscript.fuzz.programs.python_integers import wrapped
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.core import DType, WrongType
from tvmscript.ir.core.errors import InvalidDType
from tvmscript.ir.core.values import nan
from tvmscript.ir.core.values.constant_data import fingerprint, pack
from tvmscript.ir.core.values.float_formats import FORMATS, encoder, value_of
from tvmscript.ir.tir import BinaryOp, FloatImm, IntImm, Var, intrin
from tvmscript.ir.tir import expr as e
from tvmscript.ir.tir.intrin import bits, derived, reference_math
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, Reference

#: dtype -> (exponent bits, fraction bits)
_IEEE: Final = {"float16": (5, 10), "bfloat16": (8, 7), "float32": (8, 23), "float64": (11, 52)}
_INTEGERS: Final = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def _nan(rng: random.Random) -> None:
    """A pattern with all bits of the exponent and a payload is a nan, and comes back from value and text."""
    dtype = DType(rng.choice([*_IEEE]))
    exponent, fraction = _IEEE[dtype]
    payload = rng.choice((0, 1, 1 << (fraction - 1), (1 << fraction) - 1, rng.getrandbits(fraction)))
    sign, ones = rng.randrange(2), (1 << exponent) - 1
    power = ones if rng.randrange(4) else rng.randrange(ones)
    pattern = int(f"{sign:b}{power:0{exponent}b}{payload:0{fraction}b}", 2)
    value = nan.nan_from_bits(dtype, pattern)
    if power != ones or payload == 0:
        require("nan", f"the value of {pattern:#x} as {dtype}", value, None)
        require("nan", f"a pattern of {dtype} with another bit", nan.nan_from_bits(dtype, pattern | 1 << 200), None)
        return
    assert value is not None
    whole = struct.unpack("<Q", struct.pack("<d", value))[0]
    padded = f"{payload:0{fraction}b}".ljust(52, "0")
    require("nan", f"the double of {pattern:#x} as {dtype}", f"{whole:064b}", f"{sign}{'1' * 11}{padded}")
    require("nan", f"the pattern of {value} as {dtype}", nan.nan_bits(dtype, value), pattern)
    canonical = nan.canonical_nan(dtype, value)
    require("nan", "the canonical nan", struct.pack("<d", canonical), struct.pack("<d", value))
    is_default = payload == 1 << (fraction - 1) and sign == 0
    text = nan.nan_text(dtype, value)
    require("nan", "the text", text, "nan" if is_default else f"nan:0x{pattern:x}")
    again = nan.nan_from_text(dtype, text)
    require("nan", f"what {text} means", again is not None and struct.pack("<d", again), struct.pack("<d", value))
    for wrong in ("", "NaN", text[1:], f"{text}g", f"nan:0x{'f' * 17}", "nan:0x", "nan:0x7", "nan:0x-7"):
        require("nan", f"what {wrong} means", nan.nan_from_text(dtype, wrong), None)
    low: float = struct.unpack("<d", struct.pack("<Q", sign << 63 | 0x7FF << 52 | 1))[0]
    quiet = f"{sign}{'1' * exponent}1{'0' * (fraction - 1)}" if fraction < 52 else f"{sign}{'1' * 11}{'0' * 51}1"
    require("nan", "a payload that is cut", nan.nan_bits(dtype, low), int(quiet, 2))
    require("nan", "the pattern of a format with one nan", nan.nan_bits(DType("float8_e4m3fnuz"), low), None)
    require("nan", "a nan of such a format", nan.nan_from_bits(DType("float8_e4m3fnuz"), pattern), None)


def _formats(rng: random.Random) -> None:
    """A number becomes the nearest pattern, the even one of two; patterns come back, in the order of their values."""
    name = rng.choice([*FORMATS])
    form, encode = FORMATS[name], encoder(name)
    size = rng.randrange(form.largest + 1)
    value = value_of(size, form)
    require("float formats", f"the pattern of {value} as {name}", encode(value), size)
    if size < form.largest:
        above = value_of(size + 1, form)
        require("float formats", f"whether {name} grows from {size:#x} on", above > value, True)
        middle, step = (value + above) / 2, (above - value) / 8
        even = size if size % 2 == 0 else size + 1
        if not form.unsigned:  # powers of two: halves of the significand 1 are rounded up
            require("float formats", f"the pattern of {middle} as {name}", encode(middle), even)
        require("float formats", f"the pattern below {middle} as {name}", encode(middle - step), size)
        require("float formats", f"the pattern above {middle} as {name}", encode(middle + step), size + 1)
    largest = value_of(form.largest, form)
    last = value_of(form.largest - 1, form)
    require("float formats", f"what is too large for {name}", encode(largest + (largest - last)), form.overflow)
    require("float formats", f"the largest value of {name}", largest, derived.LARGEST[name])
    if form.unsigned:
        require("float formats", f"the pattern of a negative number as {name}", encode(-value), form.nan)
        return
    if value or form.signed_special:
        require("float formats", f"the pattern of {-value} as {name}", encode(-value), size | 1 << (form.bits - 1))
        require("float formats", f"the value of {size:#x} with a sign", value_of(size | form.sign, form), -value)
    if form.nan is not None:
        require("float formats", f"nan of {name}", value_of(encode(math.nan), form), math.nan)
    if form.overflow > form.largest and form.overflow != form.nan:
        require("float formats", f"infinity of {name}", value_of(encode(-math.inf), form), -math.inf)


def _data(rng: random.Random) -> None:
    """Constant data hold what NumPy's array of the same dtype does."""
    dtype = rng.choice((*_INTEGERS, "bool", "float16", "float32", "float64", *[*FORMATS][:3]))
    shape = tuple(rng.randint(0, 3) for _ in range(rng.randrange(3)))
    count = math.prod(shape)
    if dtype in FORMATS:
        values: list[Any] = [rng.choice((0.0, 1.0, -2.5, 0.75)) for _ in range(count)]
        expected = np.array([encoder(dtype)(value) for value in values], "uint16" if dtype == "bfloat16" else "uint8")
    elif dtype in _INTEGERS:
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        values = [rng.choice([low, high, *(edge for edge in EDGES if low <= edge <= high)]) for _ in range(count)]
        expected = np.array(values, dtype)
        for wrong in (low - 1, high + 1, 0.5):
            require_refusal("data", f"{wrong} of {dtype}", WrongType, partial(pack, [wrong], DType(dtype), (1,)))
    else:
        values = [bool(rng.randrange(2)) if dtype == "bool" else rng.choice((0.5, -1.5, 2.0)) for _ in range(count)]
        expected = np.array(values, dtype)
    data = pack(values, DType(dtype), shape)
    array = data.numpy()
    facts = (array.shape, str(array.dtype), array.tobytes(), data.tobytes(), data.tolist(), [*data], len(data))
    elements = expected.tolist()
    bytes_ = expected.tobytes()
    wanted = (shape, str(expected.dtype), bytes_, bytes_, elements, elements, shape[0] if shape else 0)
    require("data", f"{values} of {dtype}", facts, wanted)
    require("data", "the text", str(data), str(expected.reshape(shape)))
    others = [pack(values, DType(dtype), (1, *shape)), pack(values, DType(dtype), shape)]
    same = [fingerprint(other) == fingerprint(data) for other in others]
    require("data", "whether others have its fingerprint", same, [False, True])
    for name in ("int24", "float32x4", "handle"):
        require_refusal("data", f"data of {name}", WrongType, partial(pack, [0], DType(name), (1,)))


def _dtypes(rng: random.Random) -> None:
    """Names of dtypes say code, width and lanes; NumPy has the same limits and sizes."""
    name = rng.choice((*_INTEGERS, "bool", "float16", "float32", "float64"))
    lanes = rng.choice((1, 2, 3, 4, 16, -2, -4))
    text = {1: name}.get(lanes, f"{name}x{lanes}" if lanes > 0 else f"{name}xvscalex{-lanes}")
    dtype = DType(text)
    kind = np.dtype(name)
    code = {"i": "int", "u": "uint", "f": "float", "b": "uint"}[kind.kind]
    width = 1 if name == "bool" else kind.itemsize * 8
    facts = (str(dtype), dtype.code, dtype.bits, dtype.lanes, dtype.itemsize, str(dtype.element), dtype.is_vector)
    require("dtypes", text, facts, (text, code, width, lanes, kind.itemsize, name, lanes != 1))
    require("dtypes", f"{text} of another name", DType(name).with_lanes(lanes), dtype)
    kinds = (dtype.is_integer, dtype.is_floating, dtype.is_bool, dtype.is_signed, dtype.is_scalable)
    expected = (kind.kind in "iub", kind.kind == "f", name == "bool", kind.kind == "i", lanes < 0)
    require("dtypes", f"kinds of {text}", kinds, expected)
    require("dtypes", f"the number of the kind of {text}", dtype.type_code, {"int": 0, "uint": 1, "float": 2}[code])
    if name in _INTEGERS:
        limits = (int(np.iinfo(name).min), int(np.iinfo(name).max))
        require("dtypes", f"limits of {text}", (dtype.min_value, dtype.max_value), limits)
        require("dtypes", f"limits of constants of {text}", dtype.limits, limits if lanes == 1 else None)
        constants: list[Any] = [derived.min_value(name), derived.max_value(name)]
        require("dtypes", f"constants of {name}", tuple(each.value for each in constants), limits)
    same = [copy.copy(dtype), copy.deepcopy(dtype), pickle.loads(pickle.dumps(dtype)), DType(str(dtype))]
    require("dtypes", f"copies of {text}", [each is dtype for each in same], [True] * 4)
    for wrong in (f"{name}y", f"{name}x0", f"{name}xvscalex1", f"{name}x", "int0", "uint129", "float31", "voidx2"):
        require_refusal("dtypes", wrong, InvalidDType, partial(DType, wrong))


# ---- operators that fold

_OPERATORS: Final[dict[str, type[BinaryOp]]] = {
    "add": e.Add, "subtract": e.Sub, "multiply": e.Mul, "floordiv": e.FloorDiv, "floormod": e.FloorMod,
    "truncdiv": e.Div, "truncmod": e.Mod, "min": e.Min, "max": e.Max, "div": e.Div, "indexdiv": e.FloorDiv,
    "indexmod": e.FloorMod,
}  # fmt: skip
_BITS: Final = ("shift_left", "shift_right", "bitwise_and", "bitwise_or", "bitwise_xor")


def _folded(rng: random.Random) -> None:
    """What functions of `tir` fold has the value of the operation, and operations of constants are constants."""
    dtype = rng.choice(("int32", "int32", "int64", "int8", "uint8"))
    x = Var("x", dtype)
    low, high = DType(dtype).min_value, DType(dtype).max_value
    constants = [edge for edge in (0, 1, 2, 3, 5, -1, -4, 7) if low <= edge <= high]
    point = {x: rng.choice(constants)}
    name = rng.choice((*_OPERATORS, *_BITS, "ceildiv", "if_then_else", "abs", "all", "any"))
    a, b = (x if rng.randrange(3) == 0 else IntImm(dtype, rng.choice(constants)) for _ in range(2))
    law = f"folded {name}"
    if name in _BITS:
        if "shift" in name:
            b = IntImm(dtype, rng.randrange(4))
        if any(evaluate(each, point) < 0 for each in (a, b)):
            return
        folded, plain = FUNCTIONS[name](a, b), intrin.SURFACE[name](a, b)
    elif name == "if_then_else":
        condition = rng.choice((IntImm("bool", 0), IntImm("bool", 1), e.LT(x, IntImm(dtype, 2))))
        folded, plain = FUNCTIONS[name](condition, a, b), intrin.SURFACE[name](condition, a, b)
        require(law, f"{condition}", isinstance(folded, e.Call), not isinstance(condition, IntImm))
    elif name in ("all", "any"):
        conditions = [rng.choice((IntImm("bool", 0), IntImm("bool", 1), e.LT(x, IntImm(dtype, 2)))) for _ in range(3)]
        folded = FUNCTIONS[name](*conditions)
        expected = (all if name == "all" else any)(evaluate(each, point) for each in conditions)
        require(law, f"{folded}", bool(evaluate(folded, point)), expected)
        return
    elif name == "abs":
        number = IntImm(dtype, rng.choice(constants))
        require(law, number, evaluate(FUNCTIONS["abs"](number), {}), abs(number.value))
        return
    elif name == "ceildiv":
        divisor = IntImm(dtype, rng.choice((1, 2, 3, 4)))
        if dtype in ("int8", "uint8") and a is x:
            return
        if evaluate(a, point) + divisor.value - 1 < low:
            return
        folded = FUNCTIONS[name](a, divisor)
        require(law, f"{a} by {divisor}", evaluate(folded, point), -(-evaluate(a, point) // divisor.value))
        return
    else:
        folded, plain = FUNCTIONS[name](a, b), _OPERATORS[name](a, b)
    require(law, f"the dtype of {folded}", folded.dtype, plain.dtype)
    try:
        value = evaluate(plain, point)
    except Undefined:
        return
    require(law, f"{plain}", wrapped(evaluate(folded, point), DType(dtype)), wrapped(value, DType(dtype)))
    if isinstance(a, IntImm) and isinstance(b, IntImm) and name != "if_then_else":
        require(law, f"the kind of {a} and {b}", type(folded), IntImm)


def _folded_floats(rng: random.Random) -> None:
    """Constants of floats fold to what NumPy computes in their dtype, conversions to what NumPy's are."""
    dtype = rng.choice(("float16", "float32", "float64"))
    kind = np.dtype(dtype)
    with np.errstate(all="ignore"):
        x, y = (kind.type(rng.choice((0.0, 1.0, -1.5, 0.1, 3.0, 1e-3, 6e4, 2.0**-14))) for _ in range(2))
        cls, exact = rng.choice(((e.Add, x + y), (e.Sub, x - y), (e.Mul, x * y), (e.LT, x < y), (e.GE, x >= y)))
        folded = fold.try_fold(cls, FloatImm(dtype, float(x)), FloatImm(dtype, float(y)))
        what = f"{cls.__name__} of {x} and {y} of {dtype}"
        if isinstance(folded, (FloatImm, IntImm)) and type(folded.value) is not bool:
            require("folded floats", what, float(folded.value), float(exact))
        elif np.isfinite(exact):
            require("folded floats", what, folded, float(exact))
        to = rng.choice(("float16", "float32", "float64", "int8", "int32", "uint8"))
        converted = fold.cast_float(DType(to), FloatImm(dtype, float(x)))
        limits = (DType(to).min_value, DType(to).max_value)
        if DType(to).is_integer:
            whole = math.trunc(float(x))
            expected: object = whole if limits[0] <= whole <= limits[1] else None
        else:
            expected = float(x) if np.isfinite(np.dtype(to).type(x)) else None
        actual = None if converted is None else getattr(converted, "value", None)
        if actual is not None and isinstance(expected, float):
            actual, expected = float(np.dtype(to).type(actual)), float(np.dtype(to).type(expected))
        require("folded floats", f"{x} of {dtype} as {to}", actual, expected)
    number = rng.choice(EDGES)
    for to in ("int8", "uint16", "int32", "int64"):
        cast = fold.cast(DType(to), IntImm("int64", number))
        if to != "int64":
            require("folded casts", f"{number} as {to}", getattr(cast, "value", None), int(np.array(number).astype(to)))


# ---- functions

_FLOATS: Final = (0.0, -0.0, 0.5, 1.0, -1.0, 1.5, -2.5, 3.0, 1e3, -1e3, 1e-300, 2e300, math.inf, -math.inf, math.nan)
#: function -> NumPy's
_UNARY: Final = {
    "exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "sin": np.sin,
    "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "acosh": np.arccosh, "sqrt": np.sqrt,
    "sinh": np.sinh, "cosh": np.cosh, "atanh": np.arctanh, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "nearbyint": np.rint,
}  # fmt: skip


def _functions(rng: random.Random) -> None:
    """Reference functions have the values of NumPy, at poles and beyond the domain, too."""
    x, y = (rng.choice(_FLOATS) if rng.randrange(3) else rng.uniform(-4, 4) for _ in range(2))

    def near(name: str, actual: float, expected: Any) -> None:
        exact = float(np.float64(expected))
        is_near = math.isclose(actual, exact, rel_tol=1e-12, abs_tol=1e-300)
        is_same = is_near and math.copysign(1, actual) == math.copysign(1, exact)
        require("functions", f"{name} of {x} and {y}", exact if is_same else actual, exact)

    with np.errstate(all="ignore"):
        name = rng.choice([*_UNARY])
        near(name, getattr(reference_math, name)(x), _UNARY[name](np.float64(x)))
        near("exp10", reference_math.exp10(y), np.power(10.0, y))
        if (x, y) != (-math.inf, 0.5):  # NumPy takes the root, unlike C
            near("power", reference_math.power(x, y), np.power(np.float64(x), np.float64(y)))
        near("fmod", reference_math.fmod(x, y), np.fmod(x, y))
        near("rsqrt", reference_math.rsqrt(x), np.float64(1.0) / np.sqrt(np.float64(x)))
        near("sigmoid", reference_math.sigmoid(x), np.float64(1.0) / (1.0 + np.exp(-np.float64(x))))
        power = rng.randint(-80, 80)
        near("ldexp", reference_math.ldexp(x, power), np.ldexp(np.float64(x), power))
        exact = (
            x
            if not math.isfinite(x) or abs(x) > 1e15
            else math.copysign(math.floor(abs(Fraction(x)) + Fraction(1, 2)), x)
        )
        near("round", reference_math.round_away(x), exact)
        for dtype in ("float16", "float32", "float64"):
            kind = np.dtype(dtype).type
            following = reference_math.nextafter(DType(dtype))(float(kind(x)), float(kind(y)))
            require("functions", f"the {dtype} after {x} to {y}", following, float(np.nextafter(kind(x), kind(y))))


def _fused(rng: random.Random) -> None:
    """A product and a sum are rounded once: as the exact fraction is."""
    dtype = rng.choice(("float16", "float32", "float64"))
    kind = np.dtype(dtype).type
    with np.errstate(all="ignore"):
        a, b, c = (float(kind(rng.choice((*_FLOATS, 0.1, 1 / 3, 1 + 2**-10)))) for _ in range(3))
        result = float(kind(reference_math.fma(DType(dtype))(a, b, c)))
        if not all(map(math.isfinite, (a, b, c))):
            expected = float(kind(a) * kind(b) + kind(c)) if not (math.isfinite(a) and math.isfinite(b)) else c
            require("fma", f"{a} * {b} + {c}", result, expected)
            return
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if math.isinf(result):
        largest = Fraction(float(np.finfo(kind).max))
        require("fma", f"whether {a} * {b} + {c} is too large", abs(exact) > largest, True)
        return
    with np.errstate(all="ignore"):
        beside = [float(np.nextafter(kind(result), kind(side))) for side in (-math.inf, math.inf)]
    error = abs(exact - Fraction(result))
    nearer = [each for each in beside if math.isfinite(each) and abs(exact - Fraction(each)) < error]
    require("fma", f"{a} * {b} + {c} of {dtype}", result, nearer[0] if nearer else result)


def _lane(entry: Intrinsic, dtype: DType) -> Reference:
    reference = entry.lane(dtype)
    assert reference is not None
    return reference


def _bit_functions(rng: random.Random) -> None:
    """Counts of bits, complements and fixed-point products are those of Python's integers."""
    dtype = DType(rng.choice(("int8", "uint8", "int16", "uint32", "int64")))
    value = rng.randint(dtype.min_value, dtype.max_value)
    text = np.binary_repr(value, dtype.bits)
    leading = len(text) - len(text.lstrip("0"))
    actual = [_lane(entry, dtype)(value) for entry in (bits.popcount, bits.clz, bits.bitwise_not_)]
    complement = ~value if dtype.is_signed else dtype.max_value - value
    require("bits", f"{value} of {dtype}", actual, [text.count("1"), leading, complement])
    x, y, q, s = (
        rng.randint(-(1 << 31), 1 << 31),
        rng.randint(-(1 << 31), 1 << 31),
        rng.randint(1, 31),
        rng.randint(-8, 8),
    )
    exact = math.floor(Fraction(x * y) * Fraction(2) ** (s - q) + Fraction(1, 2))
    product = _lane(bits.q_multiply_shift, DType("int32"))
    require("bits", f"the product of {x} and {y}, {q} and {s}", product(x, y, q, s), exact)
    has_left, has_right, right = rng.randrange(2), rng.randrange(2), rng.randint(0, 8)
    per_axis = _lane(bits.q_multiply_shift_per_axis, DType("int32"))
    exact = math.floor(Fraction(x * y) * Fraction(2) ** (abs(s) * has_left - q - right * has_right) + Fraction(1, 2))
    require("bits", f"{x}, {y} by axis", per_axis(x, y, abs(s), right, q, has_left, has_right), exact)


LAWS: Final[dict[str, Law]] = {
    "nan": _nan,
    "formats": _formats,
    "data": _data,
    "dtypes": _dtypes,
    "folded": _folded,
    "folded_floats": _folded_floats,
    "functions": _functions,
    "fused": _fused,
    "bits": _bit_functions,
}
