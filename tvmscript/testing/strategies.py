"""Hypothesis strategies that draw programs of the tensor level: well typed by construction, small when shrunk.

from hypothesis import given
from tvmscript.testing.strategies import prim_funcs

@given(prim_funcs())
def test_reads_back(func): ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from tvmscript.ir.core.dtype import BOOL, FLOAT32, INT32, DType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
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
    BufferRegion,
    Call,
    Cast,
    Div,
    FloatImm,
    FloorDiv,
    FloorMod,
    IntImm,
    IterKind,
    IterVar,
    Let,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    Ramp,
    Range,
    Select,
    Shuffle,
    SizeVar,
    StringImm,
    Sub,
    Var,
)
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.entry import Intrinsic
from tvmscript.ir.tir.stmt import (
    Allocate,
    AssertStmt,
    AttrStmt,
    Block,
    BlockRealize,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    LetStmt,
    While,
    seq,
)
from tvmscript.testing.defined import Defined

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


@st.composite
def stmts(
    draw: st.DrawFn,
    variables: Sequence[Var] = (),
    buffers: Sequence[Buffer] = (),
    depth: int = 2,
) -> Stmt:
    """A statement over the variables and buffers given. It need not be safe to run."""

    def expr(dtype: DType = INT32) -> Expr:
        return draw(exprs(dtype, variables, buffers, 2))

    def body(more_variables: Sequence[Var] = (), more_buffers: Sequence[Buffer] = ()) -> Stmt:
        return draw(stmts([*variables, *more_variables], [*buffers, *more_buffers], depth - 1))

    def name() -> str:
        return draw(st.sampled_from(NAMES))

    def store() -> Stmt:
        if not buffers:
            return Evaluate(expr())
        buffer = draw(st.sampled_from(list(buffers)))
        indices = tuple(draw(exprs(e.dtype, variables, buffers, 1)) for e in buffer.shape)
        return BufferStore(buffer, expr(buffer.dtype), indices)

    def loop() -> Stmt:
        dtype = draw(st.sampled_from([INT32, DType("int64")]))
        var = Var(name(), dtype)
        kind = draw(st.sampled_from([ForKind.SERIAL, ForKind.PARALLEL, ForKind.VECTORIZED, ForKind.UNROLLED]))
        facts: list[dict[str, Any]] = [
            {},
            {"pragma_x": IntImm("int32", 1)},
            {"s": "text \" ' \\ \n", "n": None},
            {"p": "a\\b"},
        ]
        annotations = draw(st.sampled_from(facts))
        return For(var, draw(constants(dtype)), expr(dtype), kind, body([var]), None, annotations)

    def nest() -> Stmt:
        """Loops in each other from 0 on, most of them plain; the extents of inner ones may be those around."""
        loops: list[tuple[Var, Expr, dict[str, Any]]] = []
        for _ in range(draw(st.integers(2, 3))):
            outer = [var for var, _, _ in loops]
            extent: Expr = IntImm("int32", draw(st.sampled_from([4, 1, 16])))
            if outer and draw(st.integers(0, 2)) == 2:
                extent = Add(draw(st.sampled_from(outer)), extent) if draw(st.booleans()) else outer[-1]
            notes = {"pragma_x": IntImm("int32", 1)} if draw(st.integers(0, 5)) == 5 else {}
            loops.append((Var(name(), INT32), extent, notes))
        made = body([var for var, _, _ in loops])
        for var, extent, notes in reversed(loops):
            kind = draw(st.sampled_from([*[ForKind.SERIAL] * 5, ForKind.PARALLEL]))
            made = For(var, IntImm("int32", 0), extent, kind, made, None, notes)
        return made

    def let() -> Stmt:
        var = Var(name(), draw(st.sampled_from(SCALARS)))
        return LetStmt(var, expr(var.dtype), body([var]))

    def allocate() -> Stmt:
        dtype = draw(st.sampled_from(SCALARS))
        var = Var(name(), PointerType(PrimType(dtype), draw(st.sampled_from(["global", "shared"]))))
        extent = IntImm("int32", draw(st.integers(1, 64)))
        buffer = make_buffer((extent,), dtype, name(), data=var)
        return Allocate(var, dtype, (extent,), IntImm("bool", 1), DeclBuffer(buffer, body((), [buffer])))

    def sequence() -> Stmt:
        return seq(body(), body())

    leaves: list[Callable[[], Stmt]] = [store, lambda: Evaluate(expr(draw(st.sampled_from(SCALARS))))]
    if depth == 0:
        leaf: Callable[[], Stmt] = draw(st.sampled_from(leaves))
        return leaf()
    choices: list[Callable[[], Stmt]] = [
        *leaves,
        sequence,
        loop,
        nest,
        let,
        allocate,
        lambda: IfThenElse(expr(BOOL), body(), body()),
        lambda: IfThenElse(expr(BOOL), body()),
        lambda: While(expr(BOOL), body()),
        lambda: AssertStmt(expr(BOOL), StringImm(draw(st.text(max_size=8))), body()),
        lambda: AttrStmt(StringImm("fact"), "key", expr(), body()),
    ]
    make: Callable[[], Stmt] = draw(st.sampled_from(choices))
    return make()


@st.composite
def parameters(draw: st.DrawFn) -> tuple[tuple[Var, ...], dict[Var, Buffer], list[Var]]:
    """Parameters of a function: scalars and buffers, fixed and symbolic shapes; and the variables they define."""
    symbols: list[Var] = []
    params: list[Var] = []
    buffers: dict[Var, Buffer] = {}
    scalars: list[Var] = []
    for index in range(draw(st.integers(1, 3))):
        if draw(st.integers(0, 3)) == 0:
            scalar = Var(draw(st.sampled_from(NAMES)), draw(st.sampled_from(SCALARS)))
            params.append(scalar)
            scalars.append(scalar)
            continue
        shape: list[Expr] = []
        for _ in range(draw(st.integers(0, 3))):
            kind = draw(st.sampled_from(["fixed", "fixed", "symbol", "known"]))
            if kind == "symbol":
                cls = draw(st.sampled_from([Var, SizeVar]))
                symbols.append(cls(draw(st.sampled_from(NAMES)), INT32))
                shape.append(symbols[-1])
            elif kind == "known" and symbols:
                shape.append(draw(st.sampled_from(symbols)))
            else:
                shape.append(IntImm("int32", draw(st.sampled_from([1, 2, 3, 7, 8, 16, 17]))))
        param = Var(f"p{index}", "handle")
        params.append(param)
        scope = draw(st.sampled_from(["global", "global", "shared"]))
        buffers[param] = make_buffer(
            tuple(shape), draw(st.sampled_from(SCALARS)), draw(st.sampled_from(NAMES)), scope=scope
        )
    return tuple(params), buffers, [*symbols, *scalars]


@st.composite
def prim_funcs(draw: st.DrawFn, depth: int = 2) -> PrimFunc:
    """A function that is well formed and need not be safe to run: for printers, parsers and passes over text."""
    params, buffers, variables = draw(parameters())
    body = draw(stmts(variables, list(buffers.values()), depth))
    facts: list[dict[str, Any]] = [
        {"global_symbol": "f"},
        {"global_symbol": "other", "tir.noalias": IntImm("bool", 1)},
    ]
    return PrimFunc(params, body, None, buffers, dict(draw(st.sampled_from(facts))))


@st.composite
def modules(draw: st.DrawFn, most: int = 2) -> IRModule:
    """A module of up to `most` functions of `prim_funcs`, with attributes of its own."""
    functions = draw(st.lists(prim_funcs(), max_size=most))
    attrs: dict[str, Any] = draw(st.sampled_from([{}, {"fact": 1, "text": "\"'\n"}]))
    named = {f"f{k}": func.with_attr("global_symbol", f"f{k}") for k, func in enumerate(functions)}
    return IRModule(named, attrs)


def dtypes() -> st.SearchStrategy[DType]:
    """Scalars of every kind and width, and some vectors of them."""
    return st.one_of(
        st.sampled_from(SCALARS),
        st.builds(
            lambda dtype, lanes: dtype.with_lanes(lanes), st.sampled_from(SCALARS), st.sampled_from([2, 3, 4, 8])
        ),
    )


@st.composite
def buffers(draw: st.DrawFn, dtype: DType | None = None) -> Buffer:
    """A buffer of rank 0 to 3 in any scope: extents 0, 1, primes, powers of two and their neighbours."""
    extents = draw(st.lists(st.sampled_from([4, 1, 2, 3, 7, 8, 9, 16, 17, 0]), max_size=3))
    shape = tuple(IntImm("int32", extent) for extent in extents)
    scope = draw(st.sampled_from(["global", "shared", "local"]))
    return make_buffer(shape, dtype or draw(st.sampled_from(SCALARS)), draw(st.sampled_from(NAMES)), scope=scope)


@st.composite
def regions(draw: st.DrawFn, buffer: Buffer, variables: Sequence[Var] = ()) -> BufferRegion:
    """A part of a buffer: from an expression of the variables, or from a number inside of it, so far as it goes."""
    ranges: list[Range] = []
    for extent in buffer.shape:
        size = extent.value if isinstance(extent, IntImm) else 1
        is_moving: bool = draw(st.booleans())
        if variables and is_moving:
            ranges.append(Range.from_min_extent(draw(exprs(extent.dtype, variables, (), 1)), IntImm(extent.dtype, 1)))
        else:
            low = draw(st.integers(0, max(size - 1, 0)))
            ranges.append(
                Range.from_min_extent(IntImm(extent.dtype, low), IntImm(extent.dtype, draw(st.integers(0, size - low))))
            )
    return BufferRegion(buffer, tuple(ranges))


@st.composite
def block_funcs(draw: st.DrawFn) -> PrimFunc:
    """A function of blocks that can be run: elementwise maps and reductions over small extents."""
    rank = draw(st.integers(1, 3))
    extents = [draw(st.sampled_from([1, 2, 3, 4, 7])) for _ in range(rank)]
    reduce_axes = [draw(st.booleans()) for _ in range(rank)]
    dtype = draw(st.sampled_from([FLOAT32, INT32, DType("int8"), DType("uint16")]))
    shape = tuple(IntImm("int32", e) for e in extents)
    source = make_buffer(shape, dtype, "A")
    kept = tuple(extent for extent, reduced in zip(shape, reduce_axes, strict=True) if not reduced)
    target = make_buffer(kept or (IntImm("int32", 1),), dtype, "B")
    loops = [Var(f"i{k}", "int32") for k in range(rank)]
    axes = [Var(f"v{k}", "int32") for k in range(rank)]
    iter_vars = tuple(
        IterVar(Range.from_min_extent(IntImm("int32", 0), e), v, IterKind.COMM_REDUCE if r else IterKind.DATA_PAR)
        for v, e, r in zip(axes, shape, reduce_axes, strict=True)
    )
    where: tuple[Expr, ...] = tuple(v for v, r in zip(axes, reduce_axes, strict=True) if not r) or (IntImm("int32", 0),)
    value = draw(exprs(dtype, axes, (), 1)) if not dtype.is_floating else source[tuple(axes)] * source[tuple(axes)]
    loaded = Add(BufferLoad(source, tuple(axes)), value) if not dtype.is_floating else value
    reducing = any(reduce_axes)
    update: Expr = Add(BufferLoad(target, where), loaded) if reducing else loaded
    block = Block(
        iter_vars,
        (BufferRegion(source, tuple(Range.from_min_extent(v, IntImm("int32", 1)) for v in axes)),),
        (BufferRegion(target, tuple(Range.from_min_extent(w, IntImm("int32", 1)) for w in where)),),
        "compute",
        BufferStore(target, update, where),
        BufferStore(target, constants_zero(dtype), where) if reducing else None,
    )
    body: Stmt = BlockRealize(tuple(loops), IntImm("bool", 1), block)
    for loop, extent in reversed(list(zip(loops, shape, strict=True))):
        body = For(loop, IntImm("int32", 0), extent, ForKind.SERIAL, body)
    root = BlockRealize((), IntImm("bool", 1), Block((), (), (), "root", body))
    a, b = Var("a", "handle"), Var("b", "handle")
    func = PrimFunc((a, b), root, None, {a: source, b: target}, {"global_symbol": "main"})
    made: PrimFunc = Defined().rewrite(func)
    return made


def constants_zero(dtype: DType) -> Expr:
    """Zero of a dtype."""
    return IntImm(dtype, 0) if dtype.is_integer else FloatImm(dtype, 0.0)


__all__ = [
    "block_funcs",
    "buffers",
    "constants",
    "dtypes",
    "exprs",
    "modules",
    "parameters",
    "prim_funcs",
    "regions",
    "stmts",
]
