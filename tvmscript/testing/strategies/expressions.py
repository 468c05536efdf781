"""Expressions of any dtype: scalars and vectors, well typed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from tvmscript.ir.core.dtype import BOOL, FLOAT32, INT32, DType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    BinaryOp,
    Broadcast,
    BufferLoad,
    Call,
    Cast,
    Div,
    FloatImm,
    FloorDiv,
    FloorMod,
    IntImm,
    Let,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    Ramp,
    Select,
    Shuffle,
    Sub,
    Var,
)
from tvmscript.ir.tir.intrin.entry import Intrinsic

INTEGER_OPS: tuple[type[BinaryOp], ...] = (Add, Sub, Mul, FloorDiv, FloorMod, Div, Mod, Min, Max)
FLOAT_OPS: tuple[type[BinaryOp], ...] = (Add, Sub, Mul, Div, Min, Max)
COMPARISONS: tuple[type[BinaryOp], ...] = (EQ, NE, LT, LE, GT, GE)
BIT_OPS = ("tir.bitwise_and", "tir.bitwise_or", "tir.bitwise_xor")
FLOAT_INTRINSICS = ("tir.exp", "tir.sqrt", "tir.tanh", "tir.fabs", "tir.floor", "tir.ceil", "tir.trunc")

_SCALAR_NAMES = (
    "int32 int64 float32 bool int8 int16 uint8 uint16 uint32 uint64 float16 float64 bfloat16 "
    "int4 uint3 int33 e4m3_float8 e5m2_float8"
)
SCALARS = tuple(map(DType, _SCALAR_NAMES.split()))
INTEGERS = tuple(dtype for dtype in SCALARS if dtype.is_integer and dtype.bits in (8, 16, 32, 64))

#: Names that printers get wrong: keywords, the languages' own names, clashes, what is no identifier.
NAMES = ("i", "x", "A", "v", "for", "T", "I", "cls", "x_1", "lambda", "a.b", "1st", "", "é", "range")


def dtypes() -> st.SearchStrategy[DType]:
    """Scalars of every kind and width, and some vectors of them."""
    return st.one_of(
        st.sampled_from(SCALARS),
        st.builds(
            lambda dtype, lanes: dtype.with_lanes(lanes), st.sampled_from(SCALARS), st.sampled_from([2, 3, 4, 8])
        ),
    )


def constants(dtype: DType) -> st.SearchStrategy[Expr]:
    """Constants of a scalar dtype, the edges of its range and special floats among them."""
    if dtype.is_integer:
        low, high = dtype.min_value, dtype.max_value
        edges = [v for v in (0, 1, -1, 2, 7, low, high, low + 1, high - 1) if low <= v <= high]
        return st.one_of(st.sampled_from(edges), st.integers(low, high)).map(lambda v: IntImm(dtype, v))
    special = st.sampled_from([0.0, -0.0, 1.0, 0.1, 1e-3, 1e20, math.inf, -math.inf, math.nan, 5e-324, 2.5])
    return st.one_of(special, st.floats()).map(lambda v: FloatImm(dtype, v))


def _intrinsic(name: str, *args: Expr) -> Call:
    op = Intrinsic.get(name)
    return Call(args[0].dtype, op, args)


@st.composite
def exprs(
    draw: st.DrawFn,
    dtype: DType = INT32,
    variables: Sequence[Var] = (),
    buffers: Sequence[Buffer] = (),
    depth: int = 3,
) -> Expr:
    """An expression of a dtype (scalar or vector) over the variables and buffers given."""
    leaves = [v for v in variables if v.dtype is dtype]
    if dtype.lanes > 1:
        return draw(_vectors(dtype, variables, buffers, depth))
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        wants_variable: bool = draw(st.booleans())
        if leaves and wants_variable:
            leaf: Expr = draw(st.sampled_from(leaves))
            return leaf
        return draw(constants(dtype))

    def sub(of: DType = dtype) -> Expr:
        return draw(exprs(of, variables, buffers, depth - 1))

    def binary() -> Expr:
        return draw(st.sampled_from(INTEGER_OPS if dtype.is_integer else FLOAT_OPS))(sub(), sub())

    def logic() -> Expr:
        kind = draw(st.sampled_from(["compare", "and", "or", "not", "chain"]))
        if kind == "chain":  # of comparisons Python makes chains
            inner = draw(st.sampled_from(COMPARISONS))(sub(INT32), sub(INT32))
            sides = [inner, sub()] if draw(st.booleans()) else [sub(), inner]
            return draw(st.sampled_from(COMPARISONS))(*sides)
        if kind == "compare":
            of = draw(st.sampled_from((*SCALARS, BOOL)))
            return draw(st.sampled_from(COMPARISONS))(sub(of), sub(of))
        if kind == "not":
            return Not(sub())
        return (And if kind == "and" else Or)(sub(), sub())

    def cast() -> Expr:
        of = draw(st.sampled_from([d for d in SCALARS if d is not dtype]))
        return Cast(dtype, sub(of))

    def load() -> Expr:
        fitting = [b for b in buffers if b.dtype is dtype]
        if not fitting:
            return binary() if not dtype.is_bool else logic()
        buffer = draw(st.sampled_from(fitting))
        return BufferLoad(buffer, tuple(draw(exprs(e.dtype, variables, (), depth - 1)) for e in buffer.shape))

    def let() -> Expr:
        var = Var(draw(st.sampled_from(NAMES)), draw(st.sampled_from([INT32, FLOAT32, dtype])))
        return Let(var, sub(var.dtype), draw(exprs(dtype, [*variables, var], buffers, depth - 1)))

    def intrinsic() -> Expr:
        if dtype.is_floating and dtype.bits >= 16:
            return _intrinsic(draw(st.sampled_from(FLOAT_INTRINSICS)), sub())
        if dtype.is_integer and not dtype.is_bool:
            return _intrinsic(draw(st.sampled_from(BIT_OPS)), sub(), sub())
        return Call(dtype, Intrinsic.get("tir.likely"), (sub(),)) if dtype.is_bool else sub()

    choices: list[Callable[[], Expr]] = [
        logic if dtype.is_bool else binary,
        logic if dtype.is_bool else binary,
        cast,
        lambda: Select(sub(BOOL), sub(), sub()),
        load,
        let,
        intrinsic,
        lambda: Call(dtype, Intrinsic.get("tir.if_then_else"), (sub(BOOL), sub(), sub())),
    ]
    make: Callable[[], Expr] = draw(st.sampled_from(choices))
    return make()


@st.composite
def _vectors(draw: st.DrawFn, dtype: DType, variables: Sequence[Var], buffers: Sequence[Buffer], depth: int) -> Expr:
    element, lanes = dtype.element, dtype.lanes

    def scalar() -> Expr:
        return draw(exprs(element, variables, buffers, max(depth - 1, 0)))

    kind = draw(st.sampled_from(["broadcast", "ramp", "shuffle", "binary"] if depth > 0 else ["broadcast"]))
    if kind == "ramp" and element.is_integer and not element.is_bool:
        return Ramp(scalar(), scalar(), lanes)
    if kind == "shuffle":
        picks = draw(st.lists(st.integers(0, lanes - 1), min_size=lanes, max_size=lanes))
        inner = draw(_vectors(dtype, variables, buffers, depth - 1))
        return Shuffle((inner,), tuple(IntImm("int32", pick) for pick in picks))
    if kind == "binary" and not element.is_bool:
        ops = INTEGER_OPS if element.is_integer else FLOAT_OPS
        left = draw(_vectors(dtype, variables, buffers, depth - 1))
        right = draw(_vectors(dtype, variables, buffers, depth - 1))
        return draw(st.sampled_from(ops))(left, right)
    return Broadcast(scalar(), lanes)
