"""Kernels that call intrinsics on scalars and vectors: math, bits, shuffles, conversions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tvmscript.ir.core import DType
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, const, make_buffer
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.expr import Broadcast, BufferLoad, Cast, IntImm, Mul, Ramp, Shuffle, Var
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind, seq
from tvmscript.testing.allclose import ulp_distance
from tvmscript.testing.lane_kernels import ROWS, Array, as_numbers

#: name -> allowed error in ulp relative to the interpreter, for float32 and float64
FUNCTIONS: Final[dict[str, tuple[int, int]]] = {
    op.script_name or op.name.removeprefix("tir."): op.ulp
    for op in Intrinsic.registry.values()
    if isinstance(op, Intrinsic) and op.ulp is not None
}
_ROUNDED: Final = tuple(name for name, far in FUNCTIONS.items() if far != (0, 0))
_EXACT: Final = tuple(name for name in FUNCTIONS if name not in _ROUNDED)
_WITH_TWO: Final = ("pow", "atan2", "hypot", "fmod", "copysign", "nextafter")
_FLOATS: Final = ("float32", "float64", "float32", "float64", "float16", "bfloat16", "e4m3_float8", "e5m2_float8")
_NARROW: Final = (
    "float8_e4m3", "float8_e3m4", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu",
    "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "e4m3_float8", "e5m2_float8", "bfloat16", "float16",
)  # fmt: skip
_INTEGERS: Final = ("int32", "int64", "uint32", "int8", "uint8", "int16", "uint64", "uint16", "int4", "int24")
_LANES: Final = (1, 4, 1, 8, 3, 2)

Load = Callable[[str], Expr]


def call(name: str, *args: Expr, dtype: DType | str | None = None) -> Expr:
    """A call of an intrinsic by its name."""
    op: Any = Intrinsic.get(f"tir.{name}")
    call: Expr = op(*args, dtype=dtype)
    return call


def _function(draw: st.DrawFn, load: Load, lanes: int) -> tuple[Expr, str]:
    """Draw a call of a rounded mathematical function."""
    return _called(draw, load, lanes, draw(st.sampled_from(_ROUNDED)))


def _exact(draw: st.DrawFn, load: Load, lanes: int) -> tuple[Expr, str]:
    """Draw a call of an exact function of floats."""
    return _called(draw, load, lanes, draw(st.sampled_from(_EXACT)))


def _called(draw: st.DrawFn, load: Load, lanes: int, name: str) -> tuple[Expr, str]:
    dtype = draw(st.sampled_from(_FLOATS))
    if name == "nextafter" and dtype.endswith("float8"):
        dtype = "bfloat16"
    value = load(dtype)
    if name == "pow" and draw(st.booleans()):  # of negative numbers whole powers alone are no nan
        return call(name, value, Cast(value.dtype, tir.Mod(load("int32"), _spread(IntImm("int32", 9), lanes)))), name
    if name in _WITH_TWO:
        return call(name, value, load(dtype)), name
    if name == "fma":
        return call(name, value, load(dtype), load(dtype)), name
    if name == "ldexp":
        return call(name, value, load(draw(st.sampled_from(("int32", "int8", "int64"))))), name
    return call(name, value), name


def _bits(draw: st.DrawFn, load: Load, lanes: int) -> tuple[Expr, str]:
    """Draw bit operations on integers."""
    dtype = draw(st.sampled_from(_INTEGERS))
    what = draw(st.sampled_from(("popcount", "clz", "and", "or", "xor", "not", "shift", "fma", "exact", "likely")))
    value = load(dtype)
    if what in ("popcount", "clz"):
        return call(what, value, dtype=value.dtype if what == "popcount" else DType("int32").with_lanes(lanes)), ""
    if what == "not":
        return call("bitwise_not", value), ""
    if what == "shift":
        name = draw(st.sampled_from(("shift_left", "shift_right")))
        width = _spread(
            const(DType(dtype).bits, DType(dtype)) if DType(dtype).bits > 4 else const(4, DType(dtype)), lanes
        )
        return call(name, value, tir.FloorMod(load(dtype), width)), ""
    if what == "fma":
        return call("fma", value, load(dtype), load(dtype)), ""
    if what == "exact":
        return call(draw(st.sampled_from(("floor", "ceil", "isnan", "isfinite", "isinf"))), value), ""
    if what == "likely":
        return call("likely", tir.LT(value, load(dtype))), ""
    return call(f"bitwise_{what}", value, load(dtype)), ""


def _fixed_point(draw: st.DrawFn, load: Load, lanes: int) -> tuple[Expr, str]:
    """Draw fixed-point multiplications."""
    dtype = DType("int32").with_lanes(lanes)
    x, y = load("int32"), Cast(dtype, load("int16"))  # so that products fit 64 bits

    def number(low: int, high: int) -> Expr:
        return _spread(IntImm("int32", draw(st.integers(low, high))), lanes)

    if draw(st.booleans()):
        shift = draw(st.integers(-8, 8))
        return call("q_multiply_shift", x, y, number(31, 31), _spread(IntImm("int32", shift), lanes), dtype=dtype), ""
    flags = draw(st.integers(0, 1)), draw(st.integers(0, 1))
    has = [_spread(IntImm("bool", flag), lanes) for flag in flags]
    return call("q_multiply_shift_per_axis", x, y, number(0, 8), number(0, 8), number(31, 31), *has, dtype=dtype), ""


def _parts(draw: st.DrawFn, load: Load, lanes: int) -> tuple[Expr, str]:
    """Draw shuffles, halves of vectors, masks."""
    dtype = draw(st.sampled_from((*_FLOATS, *_INTEGERS, "bool")))
    what = draw(st.sampled_from(("shuffle", "shuffle", "half", "combine", "mask", "if", "ramp", "let")))
    a, b = load(dtype), load(dtype)
    if what == "shuffle":
        count = 2 * lanes
        wanted = [draw(st.integers(0, count - 1)) for _ in range(lanes)]
        return Shuffle((a, b), tuple(IntImm("int32", lane) for lane in wanted)), ""
    if what == "half" and lanes % 2 == 0:
        half = DType(dtype).with_lanes(lanes // 2)
        parts = [call(name, value, dtype=half) for name, value in (("vectorhigh", a), ("vectorlow", b))]
        if lanes > 2 or draw(st.booleans()):
            return call("vectorcombine", *parts, dtype=DType(dtype).with_lanes(lanes)), ""
        return Shuffle(tuple(parts), (IntImm("int32", 1), IntImm("int32", 0))), ""
    if what == "mask" and lanes > 1:
        kind = draw(st.sampled_from(("int32", "int64", "uint8", "int8", "uint32")))
        edges = (0, 1, 3, 100, 126, 127, *((-128, -1, -3) if not kind.startswith("u") else (250, 255)))
        base, limit = (IntImm(kind, draw(st.sampled_from([e for e in edges if _fits(e, kind)]))) for _ in range(2))
        return call("get_active_lane_mask", base, limit, dtype=DType("bool").with_lanes(lanes)), ""
    if what == "ramp" and lanes > 1:
        stride = draw(st.integers(-3, 3))
        kind = draw(st.sampled_from(("int32", "int8", "uint8", "int64")))
        start = Shuffle((load(kind),), (IntImm("int32", 0),))
        step: Expr = IntImm(kind, stride if not kind.startswith("u") else abs(stride))
        if draw(st.booleans()):
            step = Shuffle((load(kind),), (IntImm("int32", lanes - 1),))
        return Ramp(start, step, lanes), ""
    if what == "let":
        var = Var("x", a.dtype)
        return tir.Let(var, a, tir.Select(tir.EQ(var, b), b, var)), ""
    if what == "if" and lanes == 1:
        return call("if_then_else", tir.LT(a, b) if dtype != "bool" else a, b, a, dtype=a.dtype), ""
    return tir.Select(tir.GE(a, b) if dtype != "bool" else tir.Not(a), a, b), ""


def _conversion(draw: st.DrawFn, load: Load, lanes: int) -> tuple[Expr, str]:
    """Draw casts between any dtypes, reinterpretations, arithmetic on narrow floats."""
    what = draw(st.sampled_from(("cast", "cast", "bits", "narrow", "narrow", "extreme")))
    if what == "bits":
        source, target = draw(st.sampled_from((("float32", "int32"), ("int64", "float64"), ("float16", "uint16"))))
        if draw(st.booleans()):
            source, target = target, source
        return call("reinterpret", load(source), dtype=DType(target).with_lanes(lanes)), ""
    if what == "extreme":
        dtype = draw(st.sampled_from((*_FLOATS, *_INTEGERS)))
        first, second = draw(st.sampled_from(((tir.Max, tir.Max), (tir.Min, tir.Min), (tir.Max, tir.Min))))
        limit = _spread(const(draw(st.integers(0, 3)), DType(dtype)), lanes)
        return second(first(limit, load(dtype)), limit), ""
    if what == "narrow":
        dtype = draw(st.sampled_from(_NARROW))
        cls = draw(st.sampled_from((tir.Add, tir.Sub, tir.Mul, tir.Max, tir.Min, tir.LT, tir.EQ, tir.NE, tir.Div)))
        expr: Expr = cls(load(dtype), load(dtype))
        return expr, "" if cls is not tir.Div else "fmod"
    kinds = (*_FLOATS, *_NARROW, *_INTEGERS, "bool")
    source, target = draw(st.sampled_from(kinds)), draw(st.sampled_from(kinds))
    return Cast(DType(target).with_lanes(lanes), load(source)), ""


def _spread(value: Expr, lanes: int) -> Expr:
    return value if lanes == 1 else Broadcast(value, lanes)


def _fits(value: int, kind: str) -> bool:
    dtype = DType(kind)
    return dtype.min_value <= value <= dtype.max_value


_WRITERS: Final[Sequence[Callable[[st.DrawFn, Load, int], tuple[Expr, str]]]] = (
    _function, _function, _exact, _exact, _bits, _fixed_point, _parts, _conversion, _conversion,
)  # fmt: skip


@st.composite
def intrinsic_kernels(draw: st.DrawFn, most: int = 4) -> tuple[PrimFunc, tuple[tuple[int, int], ...]]:
    """Draw a kernel that stores up to `most` values of intrinsics; also the ulp that float32 and float64 may be off."""
    lanes = draw(st.sampled_from(_LANES))
    rows = IntImm("int32", ROWS)
    var = Var("i", "int32")
    index: Expr = var if lanes == 1 else Ramp(Mul(var, IntImm("int32", lanes)), IntImm("int32", 1), lanes)
    sources: list[Buffer] = []

    def load(dtype: str) -> Expr:
        sources.append(make_buffer((rows,), dtype, f"A{len(sources)}"))
        return BufferLoad(sources[-1], (index,))

    targets: list[tuple[Buffer, tuple[int, int]]] = []
    stores: list[Stmt] = []
    for at in range(draw(st.integers(1, most))):
        value, name = draw(st.sampled_from(_WRITERS))(draw, load, lanes)
        target = make_buffer((rows,), value.dtype.element, f"B{at}")
        stores.append(BufferStore(target, value, (index,)))
        targets.append((target, FUNCTIONS.get(name, (0, 0))))
    body = For(var, IntImm("int32", 0), IntImm("int32", ROWS // lanes), ForKind.SERIAL, seq(*stores))
    buffers = [*sources, *(target for target, _ in targets)]
    params = tuple(Var(f"p{place}", "handle") for place in range(len(buffers)))
    func = PrimFunc(params, body, None, dict(zip(params, buffers, strict=True)), {"global_symbol": "main"})
    return func, (*[(0, 0)] * len(sources), *(far for _, far in targets))


def is_near(after: Array, before: Array, at: int, dtype: DType, far: tuple[int, int]) -> bool:
    """Test whether an element is within the allowed error; narrow floats may differ by one step."""
    if not dtype.is_floating or far == (0, 0):
        return False
    numbers = as_numbers(before, dtype)[at], as_numbers(after, dtype)[at]
    if any(np.isnan(number) for number in numbers):
        return False
    if dtype in FORMATS:
        representable = np.unique(as_numbers(np.arange(1 << dtype.bits), dtype))
        first, second = np.searchsorted(representable, numbers)
        return bool(abs(int(first) - int(second)) <= 1)
    most = {32: far[0], 64: far[1]}.get(dtype.bits, 1)
    largest = np.finfo(before.dtype).max
    # infinity is what is next to the largest number
    a, b = (np.clip(number, -largest, largest) for number in numbers)
    return bool(ulp_distance(np.array([b]), np.array([a]))[0] <= most)
