"""Hypothesis strategies of kernels of expressions over floats of every format, integers and bool, scalar and vector.

from hypothesis import given
from tvmscript.testing.lane_kernels import lane_kernels, samples

@given(lane_kernels())
def test_backends_agree(func): ...    # its arguments: samples(buffer.dtype, ROWS, seed) for each buffer
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from tvmscript.backends.runtime.array import storage_dtype
from tvmscript.backends.runtime.small_floats import values_of
from tvmscript.ir.core import DType
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.tir import Buffer, BufferStore, Expr, For, ForKind, PrimFunc, const, make_buffer, seq
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.expr import Broadcast, BufferLoad, Cast, IntImm, Mul, Ramp, Select, Var
from tvmscript.ir.tir.intrin import SURFACE

#: elements of each buffer: a multiple of each of `LANES`
ROWS: Final = 48
LANES: Final = (1, 4, 3, 8, 16)
_NAMES: Final = (
    "float32", "int32", "float16", "bfloat16", "float64", "bool", "e4m3_float8", "e5m2_float8", "uint8", "int8",
    "int64", "uint16",
)  # fmt: skip
KINDS: Final = tuple(map(DType, _NAMES))
#: integers that doubles do not hold
_WIDEST: Final = (DType("int64"), DType("uint64")) * 3
_BINARY: Final = (tir.Add, tir.Sub, tir.Mul, tir.Min, tir.Max)
_DIVISIONS: Final = (tir.Div, tir.FloorDiv, tir.FloorMod, tir.Mod)
_COMPARISONS: Final = (tir.LT, tir.LE, tir.GT, tir.GE, tir.EQ, tir.NE)
_ROUNDINGS: Final = ("floor", "ceil", "trunc", "round", "nearbyint")


@st.composite
def lane_exprs(draw: st.DrawFn, inputs: Sequence[Expr], kind: DType, depth: int = 4) -> Expr:
    """Draw an expression of a scalar dtype with the lanes of the inputs, one of each of `KINDS`.

    It is defined for all values: without integer divisions and casts of floats to integers.
    """
    lanes = inputs[0].dtype.lanes
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        wants_input: bool = draw(st.booleans())
        if wants_input:
            return next(value for value in inputs if value.dtype.element is kind)
        return _constant(draw, kind, lanes)

    def sub(of: DType = kind) -> Expr:
        return draw(lane_exprs(inputs, of, depth - 1))

    def condition() -> Expr:
        of = draw(st.sampled_from(KINDS))
        return draw(st.sampled_from(_COMPARISONS))(sub(of), sub(of))

    def logic() -> Expr:
        what = draw(st.sampled_from(("compare", "compare", "and", "or", "not")))
        if what == "compare":
            return condition()
        return tir.Not(sub()) if what == "not" else (tir.And if what == "and" else tir.Or)(sub(), sub())

    def cast() -> Expr:
        # casts of floats beyond the integer range are undefined
        fitting = [of for of in KINDS if of is not kind and (kind.is_floating or not of.is_floating)]
        return Cast(kind.with_lanes(lanes), sub(draw(st.sampled_from(fitting))))

    def rounding() -> Expr:
        expr: Expr = SURFACE[draw(st.sampled_from(_ROUNDINGS))](sub())
        return expr

    def root() -> Expr:
        expr: Expr = SURFACE["sqrt"](SURFACE["abs"](sub()))
        return expr

    choices: list[Callable[[], Expr]] = [cast, lambda: Select(condition(), sub(), sub())]
    if kind.is_bool:
        choices += [logic, logic]
    else:
        choices += [lambda: draw(st.sampled_from(_BINARY))(sub(), sub())] * 2
    if kind.is_floating and kind not in FORMATS:
        choices += [lambda: draw(st.sampled_from(_DIVISIONS))(sub(), sub()), rounding, root]
    make: Callable[[], Expr] = draw(st.sampled_from(choices))
    return make()


def _constant(draw: st.DrawFn, kind: DType, lanes: int) -> Expr:
    number = draw(st.floats(-16, 16, width=16)) if kind.is_floating else draw(st.integers(0, 1 if kind.is_bool else 99))
    scalar = const(number, kind)
    return scalar if lanes == 1 else Broadcast(scalar, lanes)


@st.composite
def lane_kernels(draw: st.DrawFn, most: int = 4) -> PrimFunc:
    """Draw a kernel that loads from a buffer of each of `KINDS` and stores up to `most` expressions."""
    lanes = draw(st.sampled_from(LANES))
    rows = IntImm("int32", ROWS)
    var = Var("i", "int32")
    index: Expr = var if lanes == 1 else Ramp(Mul(var, IntImm("int32", lanes)), IntImm("int32", 1), lanes)
    sources = [make_buffer((rows,), kind, f"A{place}") for place, kind in enumerate(KINDS)]
    inputs = [BufferLoad(source, (index,)) for source in sources]
    wanted = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=most))
    targets = [make_buffer((rows,), kind, f"B{place}") for place, kind in enumerate(wanted)]
    stores = [
        BufferStore(target, draw(lane_exprs(inputs, kind)), (index,))
        for target, kind in zip(targets, wanted, strict=True)
    ]
    return _function([*sources, *targets], _loop(var, lanes, stores))


@st.composite
def cast_kernels(draw: st.DrawFn) -> PrimFunc:
    """A kernel with a buffer of one of `KINDS` or of uint64, and one for each kind that it is cast to."""
    lanes = draw(st.sampled_from(LANES))
    kind = draw(st.sampled_from((*KINDS, *_WIDEST)))
    var = Var("i", "int32")
    index: Expr = var if lanes == 1 else Ramp(Mul(var, IntImm("int32", lanes)), IntImm("int32", 1), lanes)
    source = make_buffer((IntImm("int32", ROWS),), kind, "A")
    wanted = [of for of in KINDS if of is not kind and (of.is_floating or not kind.is_floating)]
    targets = [make_buffer(source.shape, of, f"B{place}") for place, of in enumerate(wanted)]
    value = BufferLoad(source, (index,))
    stores = [BufferStore(target, Cast(target.dtype.with_lanes(lanes), value), (index,)) for target in targets]
    return _function([source, *targets], _loop(var, lanes, stores))


def _loop(var: Var, lanes: int, stores: Sequence[BufferStore]) -> For:
    return For(var, IntImm("int32", 0), IntImm("int32", ROWS // lanes), ForKind.SERIAL, seq(*stores))


def _function(buffers: Sequence[Buffer], body: For) -> PrimFunc:
    params = tuple(Var(f"p{place}", "handle") for place in range(len(buffers)))
    return PrimFunc(params, body, None, dict(zip(params, buffers, strict=True)), {"global_symbol": "main"})


# stored elements

Array = npt.NDArray[Any]


def samples(dtype: DType, count: int, seed: int = 0) -> Array:
    """Draw stored elements: limits, small numbers, special floats, ties of roundings, random numbers.

    Formats that NumPy lacks are stored as bit patterns.
    """
    rng = np.random.default_rng(seed)
    stored = storage_dtype(dtype)
    if dtype.is_bool:
        return rng.integers(0, 2, count).astype(stored)
    if dtype.is_integer:
        low, high = dtype.min_value, dtype.max_value
        special = [v for v in (low, low + 1, high, high - 1, 0, 1, 2, 3, 5, -1, -2, -3, -5) if low <= v <= high]
        wide = rng.integers(low, high, count, dtype=np.int64 if low < 0 else np.uint64, endpoint=True)
        small = rng.integers(max(low, -9), min(high, 9), count, endpoint=True)
        values = np.where(rng.random(count) < 0.5, wide.astype(stored), small.astype(stored))
        values[rng.permutation(count)[: count // 3]] = rng.choice(np.array(special, object), count // 3).astype(stored)
        _replace_some(rng, values, [tie for tie in _ties(rng, dtype.bits) if low <= tie <= high])
        return values
    if dtype in FORMATS:
        return rng.integers(0, 1 << dtype.bits, count).astype(stored)
    info = np.finfo(stored)
    edges = [info.max, info.tiny, info.smallest_subnormal]
    special_floats = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, np.inf, -np.inf, np.nan, *edges, -3.5, 1e4]
    values = (rng.standard_normal(count) * 2.0 ** rng.integers(-12, 12, count)).astype(stored)
    values[rng.permutation(count)[: count // 3]] = rng.choice(np.array(special_floats), count // 3).astype(stored)
    ties = np.array([float(tie) for tie in _ties(rng, 60, info.nmant)]) * 2.0 ** rng.integers(-80, 8)
    with np.errstate(over="ignore"):
        _replace_some(rng, values, ties.astype(stored).tolist())
    return values


#: digits that binary floats keep, of the narrow formats to double
_PRECISIONS = (2, 3, 4, 8, 11, 24, 53)
#: those of formats with a wide range: others have no number of more than `_LARGEST_NARROW` bits
_WIDE = (8, 24, 53)
_LARGEST_NARROW = 17
_TIES = 24


def _ties(rng: np.random.Generator, bits: int, last: int | None = None) -> list[int]:
    """Integers halfway between two floats of some precision, and a bit to either side of it.

    The side is told by the last bit alone: what rounds such a number twice takes it for a tie. `last` is how many bits
    follow the first one, where that is fewer than the integer has.
    """
    ties: list[int] = []
    for _ in range(_TIES if bits > _PRECISIONS[0] else 0):  # others are exact in each format
        # the wide ones may be rounded on their way through a float that does not hold them either
        width = int(rng.integers(max(bits - 10, 3) if rng.random() < 0.5 else 3, bits, endpoint=True))
        kept = int(
            rng.choice([count for count in (_WIDE if width > _LARGEST_NARROW else _PRECISIONS) if count < width])
        )
        digits = int(rng.integers(1 << (kept - 1), 1 << kept)) * 2 + 1
        step = 1 if last is None or width <= last else 1 << (width - 1 - last)
        tie = (digits << (width - kept - 1)) + int(rng.integers(-1, 1, endpoint=True)) * step
        ties.append(tie if rng.random() < 0.5 else -tie)
    return ties


def _replace_some(rng: np.random.Generator, values: Array, others: list[int] | list[float]) -> None:
    """Put some of the numbers in random places, up to one in four."""
    places = rng.permutation(len(values))[: min(len(values) // 4, len(others))]
    values[places] = np.array(others[: len(places)], values.dtype)


def as_numbers(stored: Array, dtype: DType) -> Array:
    """Convert stored elements to numbers."""
    return np.array(values_of(dtype))[stored] if dtype in FORMATS else stored


def different(got: Array, want: Array, dtype: DType) -> Array:
    """Positions where two stored arrays differ; nan equals nan, -0.0 differs from 0.0.

    Formats without nan store zero with the sign of the nan, which is unspecified for 0 / 0.
    """
    a, b = as_numbers(got, dtype), as_numbers(want, dtype)
    if not dtype.is_floating:
        return np.flatnonzero(a != b)
    form = FORMATS.get(dtype.element)
    if form is not None and form.nan is None:
        return np.flatnonzero(a != b)
    same = (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)
    return np.flatnonzero(~same)


__all__ = ["KINDS", "LANES", "ROWS", "as_numbers", "different", "lane_exprs", "lane_kernels", "samples"]
