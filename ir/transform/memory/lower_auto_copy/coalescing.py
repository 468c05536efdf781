"""Coalesce and vectorize copies between global and shared memory."""

from __future__ import annotations

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import sub
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.inverse import inverse_affine_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel
from tvmscript.ir.core import PointerType, PrimType
from tvmscript.ir.tir import Buffer, BufferStore, Expr, For, ForKind, IfThenElse, Stmt, Var, seq, substitute, uses
from tvmscript.ir.tir.expr import LT, Add, BufferLoad, FloorDiv, FloorMod, IntImm, IterKind, IterVar, Mul, Range
from tvmscript.ir.transform.memory.lower_auto_copy.copy_loops import (
    Copy,
    combine_digits,
    find_load,
    fuse,
    match_store,
    nest_in,
    perfect_nest,
    serial_loop,
)


def order_by_target(stmt: Stmt, copy: Copy) -> Stmt:
    """Reorder the loops of a plain copy to follow the elements of the target."""
    loops, store = perfect_nest(stmt)
    if not isinstance(store, BufferStore) or not isinstance(store.value, BufferLoad):
        return stmt
    analyzer = Analyzer()
    written = [
        (part, analyzer.simplify(sub(index, part.min)))
        for index, part in zip(store.indices, copy.target.region, strict=True)
    ]
    moving = [(part, index) for part, index in written if not _is_one(part.extent)]
    domains = {loop.loop_var: Range.from_min_extent(loop.min, loop.extent) for loop in loops}
    affine = detect_iter_map([index for _, index in moving], domains, True, IterMapLevel.Bijective).indices
    if len(affine) != len(loops):
        return stmt
    names = [Var(f"{loop.loop_var.name}_inverse", loop.loop_var.dtype) for loop in loops]
    values = inverse_affine_iter_map(affine, names)
    for loop in loops:
        if loop.loop_var not in values:
            if not _is_one(loop.extent):
                return stmt
            values[loop.loop_var] = loop.min
    places = iter(names)
    target = [part.min if _is_one(part.extent) else _add_index(part.min, next(places)) for part, _ in written]
    body: Stmt = BufferStore(store.buffer, substitute(store.value, values), tuple(target), span=store.span)
    for var, (part, _) in reversed(list(zip(names, moving, strict=True))):
        body = serial_loop(var, part.extent, body)
    return body


def _add_index(base: Expr, index: Expr) -> Expr:
    return index if isinstance(base, IntImm) and base.value == 0 else Add(base, index)


def _is_one(extent: Expr) -> bool:
    return isinstance(extent, IntImm) and extent.value == 1


def coalesce(stmt: Stmt, copy: Copy) -> Stmt:
    """Split all iterations into a serial loop, thread loops (z, y, x) and a vector loop."""
    if any(not isinstance(nest_loop.extent, IntImm) or uses(nest_loop.min) for nest_loop in perfect_nest(stmt)[0]):
        return stmt
    loop = fuse(stmt)
    assert isinstance(loop.extent, IntImm), "it is a product of constants"
    axes = [tag for tag in ("threadIdx.z", "threadIdx.y", "threadIdx.x") if tag in copy.threads]
    sizes = [*[copy.threads[tag] for tag in axes], copy.vector_length]
    together = 1
    for size in sizes:
        together *= size
    count = -(-loop.extent.value // together)
    dtype = loop.loop_var.dtype
    names = [Var(f"{loop.loop_var.name}_{index}", dtype) for index in range(len(sizes) + 1)]
    whole = combine_digits(list(zip(names, [1, *sizes], strict=True)), loop.loop_var)
    body: Stmt = substitute(loop.body, {loop.loop_var: whole})
    if loop.extent.value % together:
        body = IfThenElse(LT(whole, loop.extent), body)
    body = For(names[-1], IntImm(dtype, 0), IntImm(dtype, sizes[-1]), ForKind.VECTORIZED, body)
    for var, tag in reversed(list(zip(names[1:-1], axes, strict=True))):
        axis = IterVar(None, Var(tag, dtype), IterKind.THREAD_INDEX, tag)
        body = For(var, IntImm(dtype, 0), IntImm(dtype, copy.threads[tag]), ForKind.THREAD_BINDING, body, axis)
    return serial_loop(names[0], IntImm(dtype, count), body)


# -- through registers


def through_registers(stmt: Stmt, copy: Copy) -> Stmt:
    """Split a copy into all loads of a thread to registers, then all its stores."""
    loops, _ = perfect_nest(stmt)
    store = match_store(stmt)
    threads = [loop for loop in loops if loop.kind is ForKind.THREAD_BINDING]
    own = [loop for loop in loops if loop.kind is not ForKind.THREAD_BINDING]
    if store is None:
        return stmt
    load = None if copy.source is None else find_load(store.value, copy.source.buffer)
    indices = store.indices if load is None else load.indices
    pieces = [piece for index in indices for piece in _loop_terms(index, own)]
    name = f"{store.buffer.name}_local"
    dtype = store.buffer.dtype
    shape = tuple([IntImm(index.dtype, extent) for extent, index in pieces])
    strides = store.buffer.strides if len(store.buffer.strides) == len(shape) else ()
    data = Var(name, PointerType(PrimType(dtype), "local"))
    local = Buffer(data, dtype, shape, strides, IntImm(store.buffer.elem_offset.dtype, 0), name)
    copy.allocated.append(local)
    place = tuple([index for _, index in pieces])
    second = nest_in(own, store.replace(value=BufferLoad(local, place)))
    renamed = {loop.loop_var: Var(f"{loop.loop_var.name}_cache", loop.loop_var.dtype) for loop in own}
    first: Stmt = substitute(BufferStore(local, store.value, place, span=store.span), renamed)
    for loop in reversed(own):
        first = loop.replace(loop_var=renamed[loop.loop_var], body=first)
    return nest_in(threads, seq(first, second))


def _loop_terms(index: Expr, loops: list[For]) -> list[tuple[int, Expr]]:
    """Return the contribution of each loop to an index: number of values, and value counted from 0."""
    sizes = {loop.loop_var: loop.extent.value for loop in loops if isinstance(loop.extent, IntImm)}
    terms: list[tuple[int, Expr]] = []
    _collect_terms(index, [], sizes, terms)
    return terms


#: operators, innermost first
_Chain = list[tuple[type[Mul] | type[FloorDiv] | type[FloorMod], int]]


def _collect_terms(expr: Expr, chain: _Chain, sizes: dict[Var, int], terms: list[tuple[int, Expr]]) -> None:
    if isinstance(expr, Add):
        _collect_terms(expr.a, chain, sizes, terms)
        _collect_terms(expr.b, chain, sizes, terms)
    elif isinstance(expr, (Mul, FloorDiv, FloorMod)) and isinstance(expr.b, IntImm):
        _collect_terms(expr.a, [(type(expr), expr.b.value), *chain], sizes, terms)
    elif isinstance(expr, Var) and expr in sizes:
        extent, scale, value = sizes[expr], 1, expr
        term: Expr = value
        for operator, number in chain:
            term = operator(term, IntImm(expr.dtype, number))
            extent, scale = _STEPS[operator](extent, scale, number)
        if extent > 1:
            terms.append((extent, FloorDiv(term, IntImm(expr.dtype, scale)) if scale > 1 else term))


def _scale(extent: int, scale: int, number: int) -> tuple[int, int]:
    return extent, scale * number


def _divide(extent: int, scale: int, number: int) -> tuple[int, int]:
    if scale % number == 0:
        return extent, scale // number
    return -(-extent * scale // number), 1


def _take_remainder(extent: int, scale: int, number: int) -> tuple[int, int]:
    return (1, 1) if scale % number == 0 else (min(extent, -(-number // scale)), scale)


_STEPS = {Mul: _scale, FloorDiv: _divide, FloorMod: _take_remainder}
