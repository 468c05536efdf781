"""Nests in place of that of a product."""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir.arith import fold
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.analysis.regions import point_region
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct
from tvmscript.ir.schedule.rewrite.cache_blocks import wrap_in_loops
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    BufferLoad,
    BufferStore,
    Expr,
    IntImm,
    IterKind,
    Stmt,
    Var,
    substitute,
    uses,
)
from tvmscript.ir.tir.expr import Cast, IterVar, Mul, Range


def is_plain_product(product: MatrixProduct) -> bool:
    """Whether all of A is multiplied by all of B, cast at most, for all of C, and sizes are constant."""
    factors = next(node for node in nodes(product.c.value) if isinstance(node, Mul))
    loads = [factor.value if isinstance(factor, Cast) else factor for factor in (factors.a, factors.b)]
    is_whole = all(
        isinstance(axis, Var) and fold.is_const(size, product.size(axis))
        for access in (product.a, product.b, product.c)
        for axis, size in zip(access.indices, access.buffer.shape, strict=True)
    )
    is_constant = all(map(product.is_constant, product.axes))
    return is_whole and is_constant and all(load in (product.a, product.b) for load in loads)


def make_nest(name: str, store: BufferStore, extents: Mapping[Var, Expr], zero: Expr) -> Stmt:
    """Return loops around a store of what axes index; axes that only the value uses are reduced from zero."""
    used = dict.fromkeys([*store.indices, *extents])
    axes = {axis: Var(axis.name, axis.dtype) for axis in used if isinstance(axis, Var) and axis in {*uses(store)}}
    domains = {axis: Range.from_min_extent(IntImm(axis.dtype, 0), extents[axis]) for axis in axes}
    loops = [(Var(f"ax{place}", axis.dtype), domains[axis]) for place, axis in enumerate(axes)]
    stored = uses(store.indices)
    is_reduction = any(axis not in stored for axis in axes)
    kinds = (IterKind.DATA_PAR if axis in stored else IterKind.COMM_REDUCE for axis in axes)
    iter_vars = [IterVar(domains[axis], var, kind) for (axis, var), kind in zip(axes.items(), kinds, strict=True)]
    body = substitute(store, axes)
    loads = [node for node in nodes(body.value) if isinstance(node, BufferLoad) and node.buffer is not store.buffer]
    reads = [point_region(load.buffer, load.indices) for load in loads]
    init = body.replace(value=zero) if is_reduction else None
    writes = (point_region(store.buffer, body.indices),)
    block = Block(tuple(iter_vars), tuple(reads), writes, name, body, init)
    return wrap_in_loops(loops, BlockRealize(tuple([var for var, _ in loops]), fold.TRUE, block))
