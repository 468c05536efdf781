"""Products of int8 by instructions whose first factor is unsigned: A + 128 is multiplied, and 128 * B subtracted."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct, match_matrix_product
from tvmscript.ir.schedule.default.cpu.product_nests import is_plain_product, make_nest
from tvmscript.ir.schedule.default.split_nests import split_nests
from tvmscript.ir.schedule.default.unscheduled import is_plain_nest
from tvmscript.ir.schedule.intrinsics.dot import dot_instructions
from tvmscript.ir.tir import (
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferStore,
    Expr,
    IntImm,
    PrimFunc,
    Stmt,
    Var,
    make_buffer,
)
from tvmscript.ir.tir.expr import Cast
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
    nests = [
        make_nest(names.get(kind, f"{name}_{kind}"), store, product.extents, zero) for kind, store in stores.items()
    ]
    return nests, [unsigned, excess, total]


def _is_large(product: MatrixProduct) -> bool:
    """Whether a product of int8 is added up in int32, over all of A, B and C, for many rows and columns."""
    accesses = (product.a, product.b, product.c)
    if [str(access.buffer.dtype) for access in accesses] != ["int8", "int8", "int32"]:
        return False
    rows, columns, _ = product.sizes
    return is_plain_product(product) and min(rows, columns) >= _FEWEST
