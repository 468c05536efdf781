"""Strategies of PrimFuncs and modules of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tvmscript.ir.core import FLOAT32, INT32, DType, IRModule
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, make_buffer
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, For, ForKind
from tvmscript.testing.defined import Defined
from tvmscript.testing.strategies.expressions import NAMES, SCALARS, exprs
from tvmscript.testing.strategies.statements import stmts


@st.composite
def parameters(draw: st.DrawFn) -> tuple[tuple[tir.Var, ...], dict[tir.Var, Buffer], list[tir.Var]]:
    """Draw scalar and buffer parameters with fixed and symbolic shapes, and the variables that they define."""
    symbols: list[tir.Var] = []
    params: list[tir.Var] = []
    buffers: dict[tir.Var, Buffer] = {}
    scalars: list[tir.Var] = []
    for index in range(draw(st.integers(1, 3))):
        if draw(st.integers(0, 3)) == 0:
            scalar = tir.Var(draw(st.sampled_from(NAMES)), draw(st.sampled_from(SCALARS)))
            params.append(scalar)
            scalars.append(scalar)
            continue
        shape: list[Expr] = []
        for _ in range(draw(st.integers(0, 3))):
            kind = draw(st.sampled_from(["fixed", "fixed", "symbol", "known"]))
            if kind == "symbol":
                cls = draw(st.sampled_from([tir.Var, tir.SizeVar]))
                symbols.append(cls(draw(st.sampled_from(NAMES)), INT32))
                shape.append(symbols[-1])
            elif kind == "known" and symbols:
                shape.append(draw(st.sampled_from(symbols)))
            else:
                shape.append(tir.IntImm("int32", draw(st.sampled_from([1, 2, 3, 7, 8, 16, 17]))))
        param = tir.Var(f"p{index}", "handle")
        params.append(param)
        scope = draw(st.sampled_from(["global", "global", "shared"]))
        buffers[param] = make_buffer(
            tuple(shape), draw(st.sampled_from(SCALARS)), draw(st.sampled_from(NAMES)), scope=scope
        )
    return tuple(params), buffers, [*symbols, *scalars]


@st.composite
def prim_funcs(draw: st.DrawFn, depth: int = 2) -> PrimFunc:
    """Draw a well-formed function that need not be safe to run: for printers, parsers and passes over text."""
    params, buffers, variables = draw(parameters())
    body = draw(stmts(variables, list(buffers.values()), depth))
    facts: list[dict[str, Any]] = [
        {"global_symbol": "f"},
        {"global_symbol": "other", "tir.noalias": tir.IntImm("bool", 1)},
    ]
    return PrimFunc(params, body, None, buffers, dict(draw(st.sampled_from(facts))))


@st.composite
def modules(draw: st.DrawFn, most: int = 2) -> IRModule:
    """Draw a module of up to `most` functions of `prim_funcs`, with module attributes."""
    functions = draw(st.lists(prim_funcs(), max_size=most))
    attrs: dict[str, Any] = draw(st.sampled_from([{}, {"fact": 1, "text": "\"'\n"}]))
    named = {f"f{k}": func.with_attr("global_symbol", f"f{k}") for k, func in enumerate(functions)}
    return IRModule(named, attrs)


@st.composite
def block_funcs(draw: st.DrawFn) -> PrimFunc:
    """Draw a runnable function of blocks: elementwise maps and reductions over small extents."""
    rank = draw(st.integers(1, 3))
    shape = tuple(tir.IntImm("int32", draw(st.sampled_from([1, 2, 3, 4, 7]))) for _ in range(rank))
    is_reduced = [draw(st.booleans()) for _ in range(rank)]
    dtype = draw(st.sampled_from([FLOAT32, INT32, DType("int8"), DType("uint16")]))
    axes = [tir.Var(f"v{place}", "int32") for place in range(rank)]
    kept = [place for place in range(rank) if not is_reduced[place]]
    source = make_buffer(shape, dtype, "A")
    target = make_buffer(tuple(shape[place] for place in kept) or (tir.IntImm("int32", 1),), dtype, "B")
    where: tuple[Expr, ...] = tuple(axes[place] for place in kept) or (tir.IntImm("int32", 0),)
    load = tir.BufferLoad(source, tuple(axes))
    value: Expr
    if dtype.is_floating:
        rounded = tir.Cast(dtype, tir.Cast(DType("float16"), load))
        value = tir.Mul(load, rounded if draw(st.integers(0, 3)) == 3 else load)
    else:
        value = tir.Add(load, draw(exprs(dtype, axes, (), 1)))
    kinds = [tir.IterKind.COMM_REDUCE if each else tir.IterKind.DATA_PAR for each in is_reduced]
    block = Block(
        tuple(tir.IterVar(_from_0(extent), axis, kind) for axis, extent, kind in zip(axes, shape, kinds, strict=True)),
        (_element(source, axes),),
        (_element(target, where),),
        "compute",
        BufferStore(target, tir.Add(tir.BufferLoad(target, where), value) if any(is_reduced) else value, where),
        BufferStore(target, _zero(dtype), where) if any(is_reduced) else None,
    )
    a, b = tir.Var("a", "handle"), tir.Var("b", "handle")
    func = PrimFunc((a, b), _nest(block, shape), None, {a: source, b: target}, {"global_symbol": "main"})
    defined: PrimFunc = Defined().rewrite(func)
    return defined


def _nest(block: Block, shape: Sequence[Expr]) -> Stmt:
    """Construct a root block with loops around a block, one for each of its axes."""
    loops = [tir.Var(f"i{place}", "int32") for place in range(len(shape))]
    body: Stmt = BlockRealize(tuple(loops), tir.IntImm("bool", 1), block)
    for loop, extent in reversed(list(zip(loops, shape, strict=True))):
        body = For(loop, tir.IntImm("int32", 0), extent, ForKind.SERIAL, body)
    return BlockRealize((), tir.IntImm("bool", 1), Block((), (), (), "root", body))


def _from_0(extent: Expr) -> tir.Range:
    return tir.Range.from_min_extent(tir.IntImm("int32", 0), extent)


def _element(buffer: Buffer, indices: Sequence[Expr]) -> tir.BufferRegion:
    return tir.BufferRegion(
        buffer, tuple(tir.Range.from_min_extent(index, tir.IntImm("int32", 1)) for index in indices)
    )


def _zero(dtype: DType) -> Expr:
    return tir.IntImm(dtype, 0) if dtype.is_integer else tir.FloatImm(dtype, 0.0)
