"""Products of int8 by instructions whose first factor is unsigned: A + 128 is multiplied, and 128 * B subtracted."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.core import nodes
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.analysis.regions import point_region
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct, match_matrix_product
from tvmscript.ir.schedule.default.split_nests import split_nests
from tvmscript.ir.schedule.default.unscheduled import is_plain_nest
from tvmscript.ir.schedule.intrinsics.dot import dot_instructions
from tvmscript.ir.schedule.rewrite.cache_blocks import wrap_in_loops
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferStore,
    Expr,
    IntImm,
    IterKind,
    PrimFunc,
    Stmt,
    Var,
    make_buffer,
    substitute,
    uses,
)
from tvmscript.ir.tir.expr import Cast, IterVar, Mul, Range
from tvmscript.ir.tir.intrin.bits import bitwise_xor

#: rows and columns from which on the sums of B and the copy of A cost less than what they save
_FEWEST: Final = 64
_OFFSET: Final = 128


def make_factors_unsigned(func: PrimFunc, model: MachineModel) -> PrimFunc:
    """Return an unscheduled function whose large products of int8 have an unsigned A, where that is an instruction.

    rewrite:
        C[vi, vj] += A[vi, vk] * B[vk, vj]    -->    C_unsigned[v0, v1] = uint8(A[v0, v1]) ^ 128
                                                     C_excess[v0] += B[v1, v0]
                                                     C_product[vi, vj] += C_unsigned[vi, vk] * B[vk, vj]
                                                     C[vi, vj] = C_product[vi, vj] - C_excess[vj] * 128
    """
    names = "int8", "int8", "int32"
    signed, unsigned = (dot_instructions(*dtypes, model.dot_features) for dtypes in (names, ("uint8", *names[1:])))
    if not signed or not unsigned or not signed[0].rows or signed[0].uses_tiles:
        return func
    return split_nests(func, _split_product)


def _split_product(stmt: Stmt, inner: BlockRealize) -> tuple[list[Stmt], list[Buffer]] | None:
    """Return the nests in place of that of a large product of int8, and their buffers."""
    if not fold.is_true(inner.predicate) or not is_plain_nest(stmt):
        return None
    block = inner.block
    product = match_matrix_product(block)
    if product is None or not _is_large(product):
        return None
    name = block.name_hint
    shapes: dict[str, list[Expr]] = {
        "unsigned": [*product.a.indices],
        "excess": [*product.batch, product.column],
        "product": [*product.c.indices],
    }
    dtypes = {"unsigned": "uint8", "excess": "int32", "product": "int32"}
    unsigned, excess, total = (
        make_buffer([product.extents[axis] for axis in axes if isinstance(axis, Var)], dtypes[part], f"{name}_{part}")
        for part, axes in shapes.items()
    )
    element, part = BufferLoad(excess, tuple(shapes["excess"])), BufferLoad(total, product.c.indices)
    factors = Cast("int32", BufferLoad(unsigned, product.a.indices)), Cast("int32", product.b)
    zero = IntImm("int32", 0)
    stores = {
        "unsigned": BufferStore(
            unsigned, bitwise_xor(Cast("uint8", product.a), IntImm("uint8", _OFFSET)), product.a.indices
        ),
        "excess": BufferStore(excess, element + factors[1], element.indices),
        "product": BufferStore(total, part + factors[0] * factors[1], part.indices),
        "signed": BufferStore(product.c.buffer, part - element * _OFFSET, part.indices),
    }
    # the sum that is reduced keeps the name of the block
    names = {"product": name}
    nests = [_make_nest(names.get(kind, f"{name}_{kind}"), store, product, zero) for kind, store in stores.items()]
    return nests, [unsigned, excess, total]


def _is_large(product: MatrixProduct) -> bool:
    """Whether a product of int8 is added up in int32, over all of A, B and C, for many rows and columns."""
    accesses = (product.a, product.b, product.c)
    if [str(access.buffer.dtype) for access in accesses] != ["int8", "int8", "int32"]:
        return False
    factors = next(node for node in nodes(product.c.value) if isinstance(node, Mul))
    is_plain = all(
        isinstance(factor, Cast) and factor.value in (product.a, product.b) for factor in (factors.a, factors.b)
    )
    is_whole = all(
        isinstance(axis, Var) and fold.is_const(size, product.size(axis))
        for access in accesses
        for axis, size in zip(access.indices, access.buffer.shape, strict=True)
    )
    is_constant = all(map(product.is_constant, product.axes))
    rows, columns, _ = product.sizes
    return is_plain and is_constant and is_whole and min(rows, columns) >= _FEWEST


def _make_nest(name: str, store: BufferStore, product: MatrixProduct, zero: Expr) -> Stmt:
    """Return loops around a store of what axes of a product index; what only the value uses is reduced from zero."""
    used = dict.fromkeys([*store.indices, *product.axes])
    axes = {axis: Var(axis.name, axis.dtype) for axis in used if isinstance(axis, Var) and axis in {*uses(store)}}
    domains = {axis: Range.from_min_extent(IntImm(axis.dtype, 0), product.extents[axis]) for axis in axes}
    loops = [(Var(f"ax{place}", axis.dtype), domains[axis]) for place, axis in enumerate(axes)]
    is_reduction = any(axis not in store.indices for axis in axes)
    kinds = (IterKind.DATA_PAR if axis in store.indices else IterKind.COMM_REDUCE for axis in axes)
    iter_vars = [IterVar(domains[axis], var, kind) for (axis, var), kind in zip(axes.items(), kinds, strict=True)]
    body = substitute(store, axes)
    loads = [node for node in nodes(body.value) if isinstance(node, BufferLoad) and node.buffer is not store.buffer]
    reads = [point_region(load.buffer, load.indices) for load in loads]
    init = body.replace(value=zero) if is_reduction else None
    writes = (point_region(store.buffer, body.indices),)
    block = Block(tuple(iter_vars), tuple(reads), writes, name, body, init)
    return wrap_in_loops(loops, BlockRealize(tuple([var for var, _ in loops]), fold.TRUE, block))
