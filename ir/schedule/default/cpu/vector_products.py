"""Default schedule of dot products of integers: a matrix times a vector, a few rows of two matrices.

Nothing is packed, because nothing is used often: each sum is a loop over its terms, which code generation splits into
vectors. Constant matrices are packed with the terms of a sum side by side.
"""

from __future__ import annotations

from itertools import product as pairs
from math import prod
from typing import Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct, match_matrix_product
from tvmscript.ir.schedule.default.cpu.packed_weights import panel_width
from tvmscript.ir.schedule.default.cpu.panel_layout import GroupLayout
from tvmscript.ir.schedule.default.cpu.steps import PARTITION, axis_loops, extent_of
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Buffer, BufferLoad, IntImm, Var

#: dtypes of factors and sums
_DTYPES: Final = frozenset([(left, right, "int32") for left, right in pairs(("int8", "uint8", "int16"), repeat=2)])
#: features with an instruction that adds up products of bytes (`backends/llvm/codegen/byte_products.py`)
_ADDS_BYTES: Final = frozenset({"avx512vnni", "avxvnni"})
#: vectors of sums that stay in registers
_TOGETHER: Final = 16
#: sums that take less than packing a factor
_FEW_SUMS: Final = 128


def schedule_vector_product(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    product = match_matrix_product(sch.get(block))
    if product is None or product.dtypes not in _DTYPES or not _reads_rows(sch, block, product):
        return None
    sums, together = prod(product.sizes[:2]), _sums_together(product, model)
    out = sch.cache_write(block, 0, "local") if together > 1 else None
    loops = axis_loops(sch, block, product.axes)
    term = loops.pop(product.sum)
    if out is None:
        sch.reorder(*loops.values(), term)
        sch.parallel(sch.fuse(*loops.values()))
    else:
        _, along = _matrix_of(product)
        outer, inner = sch.split(loops.pop(along), [None, together])
        sch.reorder(*loops.values(), outer, term, inner)
        sch.unroll(inner)
        sch.reverse_compute_at(out, outer)
        sch.vectorize(sch.get_loops(out)[-1])
        if product.size(along) % together:
            sch.annotate(outer, PARTITION, 1)
            is_one = all(extent_of(sch, loop) == 1 for loop in loops.values())
            sch.parallel(outer if is_one else sch.fuse(*loops.values()))
        else:
            sch.parallel(sch.fuse(*loops.values(), outer))
    init = sch.decompose_reduction(block, term)
    if out is not None:
        sch.vectorize(sch.get_loops(init)[-1])
    return f"{sums} sums of {product.sizes[2]} products, {together} at a time"


def _sums_together(product: MatrixProduct, model: MachineModel) -> int:
    """Return how many sums have vectors of their own at a time, so that their lanes are added together."""
    left, right, _ = product.dtypes
    if {left, right} not in ({"int8"}, {"int8", "uint8"}) or _ADDS_BYTES.isdisjoint(model.dot_features):
        return 1
    if min(product.sizes[:2]) > 1 or not all(map(product.is_constant, product.axes)):
        return 1
    # signed factors take two vectors of sums
    together = _TOGETHER // 2 if left == right else _TOGETHER
    return together if max(product.sizes[:2]) >= 2 * together else 1


def choose_rows(sch: Schedule, block: BlockRV, _: MachineModel) -> tuple[Buffer, GroupLayout] | None:
    """Return the matrix that a vector is multiplied by and its layout in rows of terms, None if that is its layout."""
    product = match_matrix_product(sch.get(block))
    if product is None or product.dtypes not in _DTYPES or 1 not in product.sizes[:2]:
        return None
    matrix, row = _matrix_of(product)
    indices, shape = [*matrix.indices], [size.value for size in matrix.buffer.shape if isinstance(size, IntImm)]
    if indices[-1] is product.sum or len(shape) < len(indices):
        return None
    places = [indices.index(axis) for axis in (row, product.sum)]
    leading = tuple([place for place in range(len(indices)) if place not in places])
    terms = product.sizes[2]
    return matrix.buffer, GroupLayout(tuple(shape), leading, (places[0],), (places[1],), 1, terms, terms)


def _matrix_of(product: MatrixProduct) -> tuple[BufferLoad, Var]:
    """Return the matrix of a product with a vector, and the axis of its rows."""
    return (product.b, product.column) if product.sizes[0] == 1 else (product.a, product.row)


def _reads_rows(sch: Schedule, block: BlockRV, product: MatrixProduct) -> bool:
    """Return whether the terms of each sum are side by side, of a vector and a matrix, or of two small ones.

    A matrix that is packed so is read as it is from here on.
    """
    rows, columns, terms = product.sizes
    if min(rows, columns) > 1:
        return rows * columns <= _FEW_SUMS and product.a.indices[-1] is product.sum is product.b.indices[-1]
    matrix, _ = _matrix_of(product)
    if matrix.indices[-1] is product.sum:
        return True
    if panel_width(sch, block, matrix.buffer) != terms:
        return False
    (producer,) = [each for each in sch.get_producers(block) if sch.get(each).writes[0].buffer is matrix.buffer]
    sch.compute_inline(producer)
    return True
