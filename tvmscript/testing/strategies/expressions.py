"""Strategies of well-typed expressions of any dtype, scalar and vector."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from tvmscript.ir.core import BOOL, FLOAT32, INT32, DType
from tvmscript.ir.tir import Buffer, Expr
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.testing.strategies.choice import one_of

INTEGER_OPS: tuple[type[tir.BinaryOp], ...] = (
    tir.Add,
    tir.Sub,
    tir.Mul,
    tir.FloorDiv,
    tir.FloorMod,
    tir.Div,
    tir.Mod,
    tir.Min,
    tir.Max,
)
FLOAT_OPS: tuple[type[tir.BinaryOp], ...] = (
    tir.Add,
    tir.Sub,
    tir.Mul,
    tir.Div,
    tir.Min,
    tir.Max,
    tir.FloorDiv,
    tir.FloorMod,
)
COMPARISONS: tuple[type[tir.BinaryOp], ...] = (tir.EQ, tir.NE, tir.LT, tir.LE, tir.GT, tir.GE)
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
    """Draw dtypes: scalars of every kind and width, and some vectors."""
    return st.one_of(
        st.sampled_from(SCALARS),
        st.builds(
            lambda dtype, lanes: dtype.with_lanes(lanes), st.sampled_from(SCALARS), st.sampled_from([2, 3, 4, 8])
        ),
    )


def constants(dtype: DType) -> st.SearchStrategy[Expr]:
    """Draw constants of a scalar dtype, including limits and special floats."""
    if dtype.is_integer:
        low, high = dtype.min_value, dtype.max_value
        edges = [v for v in (0, 1, -1, 2, 7, low, high, low + 1, high - 1) if low <= v <= high]
        return st.one_of(st.sampled_from(edges), st.integers(low, high)).map(lambda v: tir.IntImm(dtype, v))
    special = st.sampled_from([0.0, -0.0, 1.0, 0.1, 1e-3, 1e20, math.inf, -math.inf, math.nan, 5e-324, 2.5])
    return st.one_of(special, st.floats()).map(lambda v: tir.FloatImm(dtype, v))


@st.composite
def exprs(
    draw: st.DrawFn,
    dtype: DType = INT32,
    variables: Sequence[tir.Var] = (),
    buffers: Sequence[Buffer] = (),
    depth: int = 3,
) -> Expr:
    """Draw an expression of a dtype (scalar or vector) over variables and buffers."""
    if dtype.lanes > 1:
        return draw(_vectors(dtype, variables, buffers, depth))
    scalars = _Scalars(draw, dtype, variables, buffers, depth)
    return scalars.leaf() if depth == 0 or draw(st.integers(0, 4)) == 0 else scalars.inner()


@st.composite
def operator_exprs(draw: st.DrawFn, dtype: DType, variables: Sequence[tir.Var], depth: int = 3) -> Expr:
    """Draw nested operators over variables and small constants, to test parentheses."""
    if depth == 0 or draw(st.integers(0, 5)) == 5:
        leaves = [var for var in variables if var.dtype is dtype]
        return one_of(draw, [*leaves, tir.IntImm(dtype, 1) if dtype.is_integer else tir.FloatImm(dtype, 2.0)])

    def part(of: DType = dtype) -> Expr:
        return draw(operator_exprs(of, variables, depth - 1))

    if not dtype.is_bool:
        expr: Expr = one_of(draw, INTEGER_OPS if dtype.is_integer else FLOAT_OPS)(part(), part())
        return expr
    kind = one_of(draw, ("not", "logic", "comparison"))
    if kind == "not":
        return tir.Not(part())
    if kind == "logic":
        return one_of(draw, (tir.And, tir.Or))(part(), part())
    of = one_of(draw, [dtype, *dict.fromkeys(var.dtype for var in variables)])
    return one_of(draw, COMPARISONS)(part(of), part(of))


class _Scalars:
    """Draws expressions of a scalar dtype over variables and buffers."""

    def __init__(
        self, draw: st.DrawFn, dtype: DType, variables: Sequence[tir.Var], buffers: Sequence[Buffer], depth: int
    ) -> None:
        self.draw = draw
        self.dtype = dtype
        self.variables = variables
        self.buffers = buffers
        self.depth = depth

    def one(self, items: Sequence[Any]) -> Any:
        return one_of(self.draw, items)

    def part(self, dtype: DType | None = None, more: Sequence[tir.Var] = ()) -> Expr:
        """Draw an operand: of another dtype, or with more variables."""
        variables = [*self.variables, *more]
        return self.draw(exprs(self.dtype if dtype is None else dtype, variables, self.buffers, self.depth - 1))

    def leaf(self) -> Expr:
        candidates = [var for var in self.variables if var.dtype is self.dtype]
        wants_variable: bool = self.draw(st.booleans())
        leaf: Expr = self.one(candidates) if candidates and wants_variable else self.draw(constants(self.dtype))
        return leaf

    def inner(self) -> Expr:
        make: Callable[[_Scalars], Expr] = self.one(_OF_BOOL if self.dtype.is_bool else _OF_NUMBERS)
        return make(self)

    def binary(self) -> Expr:
        cls: type[tir.BinaryOp] = self.one(INTEGER_OPS if self.dtype.is_integer else FLOAT_OPS)
        return cls(self.part(), self.part())

    def logic(self) -> Expr:
        kind = self.one(["compare", "and", "or", "not", "chain"])
        if kind == "chain":  # of comparisons Python makes chains
            inner = self.comparison(INT32)
            sides = [inner, self.part()] if self.draw(st.booleans()) else [self.part(), inner]
            cls: type[tir.BinaryOp] = self.one(COMPARISONS)
            return cls(*sides)
        if kind == "compare":
            return self.comparison(self.one((*SCALARS, BOOL)))
        if kind == "not":
            return tir.Not(self.part())
        return (tir.And if kind == "and" else tir.Or)(self.part(), self.part())

    def comparison(self, dtype: DType) -> Expr:
        cls: type[tir.BinaryOp] = self.one(COMPARISONS)
        return cls(self.part(dtype), self.part(dtype))

    def cast(self) -> Expr:
        return tir.Cast(self.dtype, self.part(self.one([dtype for dtype in SCALARS if dtype is not self.dtype])))

    def select(self) -> Expr:
        return tir.Select(self.part(BOOL), self.part(), self.part())

    def load(self) -> Expr:
        fitting = [buffer for buffer in self.buffers if buffer.dtype is self.dtype]
        if not fitting:
            return self.logic() if self.dtype.is_bool else self.binary()
        buffer = self.one(fitting)
        indices = [self.draw(exprs(extent.dtype, self.variables, (), self.depth - 1)) for extent in buffer.shape]
        return tir.BufferLoad(buffer, tuple(indices))

    def let(self) -> Expr:
        var = tir.Var(self.one(NAMES), self.one([INT32, FLOAT32, self.dtype]))
        return tir.Let(var, self.part(var.dtype), self.part(more=[var]))

    def intrinsic(self) -> Expr:
        if self.dtype.is_floating and self.dtype.bits >= 16:
            return tir.Call(self.dtype, Intrinsic.get(self.one(FLOAT_INTRINSICS)), (self.part(),))
        if self.dtype.is_bool:
            return tir.Call(self.dtype, Intrinsic.get("tir.likely"), (self.part(),))
        if self.dtype.is_integer:
            return tir.Call(self.dtype, Intrinsic.get(self.one(BIT_OPS)), (self.part(), self.part()))
        return self.part()

    def conditional(self) -> Expr:
        return tir.Call(self.dtype, Intrinsic.get("tir.if_then_else"), (self.part(BOOL), self.part(), self.part()))


_OTHERS: Final = (_Scalars.cast, _Scalars.select, _Scalars.load, _Scalars.let, _Scalars.intrinsic, _Scalars.conditional)
_OF_BOOL: Final = (_Scalars.logic, _Scalars.logic, *_OTHERS)
_OF_NUMBERS: Final = (_Scalars.binary, _Scalars.binary, *_OTHERS)


@st.composite
def _vectors(
    draw: st.DrawFn, dtype: DType, variables: Sequence[tir.Var], buffers: Sequence[Buffer], depth: int
) -> Expr:
    element, lanes = dtype.element, dtype.lanes

    def scalar() -> Expr:
        return draw(exprs(element, variables, buffers, max(depth - 1, 0)))

    rows = [buffer for buffer in buffers if buffer.dtype is element and buffer.shape]
    kinds = ["broadcast", "ramp", "shuffle", "binary", *["slice"] * bool(rows)] if depth > 0 else ["broadcast"]
    kind = draw(st.sampled_from(kinds))
    if kind == "slice":
        buffer = one_of(draw, rows)
        *first, last = [draw(exprs(extent.dtype, variables, (), depth - 1)) for extent in buffer.shape]
        stride = tir.IntImm(last.dtype, draw(st.sampled_from([1, 2, 3])))
        return tir.BufferLoad(buffer, (*first, tir.Ramp(last, stride, lanes)))
    if kind == "ramp" and element.is_integer and not element.is_bool:
        return tir.Ramp(scalar(), scalar(), lanes)
    if kind == "shuffle":
        picks = draw(st.lists(st.integers(0, lanes - 1), min_size=lanes, max_size=lanes))
        inner = draw(_vectors(dtype, variables, buffers, depth - 1))
        return tir.Shuffle((inner,), tuple(tir.IntImm("int32", pick) for pick in picks))
    if kind == "binary" and not element.is_bool:
        ops = INTEGER_OPS if element.is_integer else FLOAT_OPS
        left = draw(_vectors(dtype, variables, buffers, depth - 1))
        right = draw(_vectors(dtype, variables, buffers, depth - 1))
        return draw(st.sampled_from(ops))(left, right)
    return tir.Broadcast(scalar(), lanes)
