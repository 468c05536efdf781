"""Products of float16 and bfloat16 are added up in float32, and rounded once.

A reduction axis is the licence, as for sums (`backends/llvm/codegen/half_sums.py`), and that of fused multiply-adds.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.matrix_product import match_matrix_product
from tvmscript.ir.schedule.default.cpu.product_nests import is_plain_product, make_nest
from tvmscript.ir.schedule.default.split_nests import split_nests
from tvmscript.ir.schedule.default.unscheduled import is_plain_nest
from tvmscript.ir.schedule.intrinsics.dot import dot_instructions
from tvmscript.ir.tir import BlockRealize, Buffer, BufferLoad, BufferStore, Expr, PrimFunc, Stmt, Var, make_buffer
from tvmscript.ir.tir.expr import Cast, FloatImm
from tvmscript.ir.transform.function_attributes import contracts, splits_reductions

_HALVES: Final = ("float16", "bfloat16")
_WIDE: Final = "float32"
#: uses of an element from which on a copy of a factor in float32 costs less than what it saves
_FEWEST: Final = 28


def widen_half_products(func: PrimFunc, model: MachineModel) -> PrimFunc:
    """Return an unscheduled function whose products of halves are added up in float32.

    Factors are copied to float32 unless instructions multiply halves, or each element is used a few times.

    rewrite:
        C[vi, vj] += A[vi, vk] * B[vk, vj]    -->    C_left[v0, v1] = float32(A[v0, v1])
                                                     C_right[v0, v1] = float32(B[v0, v1])
                                                     C_sums[vi, vj] += C_left[vi, vk] * C_right[vk, vj]
                                                     C[vi, vj] = float16(C_sums[vi, vj])
    """
    is_allowed = model.splits_reductions and model.contracts and splits_reductions(func) and contracts(func)
    return split_nests(func, partial(_split_product, model=model)) if is_allowed else func


def _split_product(stmt: Stmt, inner: BlockRealize, *, model: MachineModel) -> tuple[list[Stmt], list[Buffer]] | None:
    """Return the nests in place of that of a product of halves, and their buffers."""
    if not fold.is_true(inner.predicate) or not is_plain_nest(stmt):
        return None
    product = match_matrix_product(inner.block)
    if product is None or not is_plain_product(product):
        return None
    left, right, total = product.dtypes
    if {left, right, total} - {*_HALVES, _WIDE} or not {left, right, total} & {*_HALVES}:
        return None
    rows, columns, _ = product.sizes
    has_instructions = bool(dot_instructions(left, right, _WIDE, model.dot_features))
    name, zero = inner.block.name_hint, FloatImm(_WIDE, 0.0)
    buffers: list[Buffer] = []

    def widened(access: BufferLoad | BufferStore, part: str) -> Buffer:
        shape = [product.extents[axis] for axis in access.indices if isinstance(axis, Var)]
        buffers.append(make_buffer(shape, _WIDE, f"{name}_{part}"))
        return buffers[-1]

    nests: list[Stmt] = []
    factors: list[Expr] = []
    for load, part, uses in ((product.a, "left", columns), (product.b, "right", rows)):
        factor: Expr = load if load.dtype == _WIDE else Cast(_WIDE, load)
        if uses >= _FEWEST and load.dtype != _WIDE and not has_instructions:
            copied = widened(load, part)
            nests.append(make_nest(f"{name}_{part}", BufferStore(copied, factor, load.indices), product.extents, zero))
            factor = BufferLoad(copied, load.indices)
        factors.append(factor)
    indices, result = product.c.indices, product.c.buffer
    sums = widened(product.c, "sums") if total != _WIDE else result
    if not buffers:
        return None
    element = BufferLoad(sums, indices)
    nests.append(make_nest(name, BufferStore(sums, element + factors[0] * factors[1], indices), product.extents, zero))
    if sums is not result:
        nests.append(
            make_nest(f"{name}_rounded", BufferStore(result, Cast(total, element), indices), product.extents, zero)
        )
    return nests, buffers
