"""Functions of the tensor level and modules of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tvmscript.ir.core.dtype import FLOAT32, INT32, DType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import (
    Add,
    BufferLoad,
    BufferRegion,
    FloatImm,
    IntImm,
    IterKind,
    IterVar,
    Range,
    SizeVar,
    Var,
)
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import (
    Block,
    BlockRealize,
    BufferStore,
    For,
    ForKind,
)
from tvmscript.testing.defined import Defined
from tvmscript.testing.strategies.expressions import NAMES, SCALARS, exprs
from tvmscript.testing.strategies.statements import stmts


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
