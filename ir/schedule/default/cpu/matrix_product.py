"""Recognize the blocks that compute products of matrices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.default.cpu.sum_of_products import added_factors, different_axes, starts_at_zero
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, Cast, Expr, IntImm, IterKind, Var
from tvmscript.ir.tir.expr import Add, FloatImm, Mul, Sub

#: what a size is taken for that is known when the function runs
_ASSUMED: Final = 256


@dataclass(frozen=True)
class MatrixProduct:
    """What a block computes: `C[batch.., row, column] += A[batch.., row, sum] * B[batch.., sum, column]`."""

    batch: tuple[Var, ...]
    row: Var
    column: Var
    sum: Var
    a: BufferLoad
    b: BufferLoad
    c: BufferStore
    extents: Mapping[Var, Expr]

    def swapped(self) -> MatrixProduct:
        """Return the product of the transposed matrices."""
        return replace(self, row=self.column, column=self.row, a=self.b, b=self.a)

    def size(self, axis: Var) -> int:
        """Return the extent of an axis, an assumption where it is symbolic."""
        extent = self.extents[axis]
        return extent.value if isinstance(extent, IntImm) else _ASSUMED

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The rows, columns and terms, assumptions for symbolic ones."""
        return self.size(self.row), self.size(self.column), self.size(self.sum)

    @property
    def dtypes(self) -> tuple[str, str, str]:
        """The dtypes of A, B and C."""
        return str(self.a.buffer.dtype), str(self.b.buffer.dtype), str(self.c.buffer.dtype)

    @property
    def axes(self) -> tuple[Var, ...]:
        """The axes of the batch, the rows, the columns and the terms."""
        return (*self.batch, self.row, self.column, self.sum)

    def is_constant(self, axis: Var) -> bool:
        """Whether the extent of an axis is known."""
        return isinstance(self.extents[axis], IntImm)


def match_matrix_product(block: Block) -> MatrixProduct | None:
    """Return the matrix product that a block computes, None if it computes something else."""
    store = block.body
    if not isinstance(store, BufferStore) or not starts_at_zero(block, store.buffer):
        return None
    matrices = [_matrix(factor, store) for factor in added_factors(store) or ()]
    if len(matrices) != 2 or matrices[0] is None or matrices[1] is None:
        return None
    factors = matrices[0], matrices[1]
    extents = {axis.var: axis.dom.extent for axis in block.iter_vars if axis.dom is not None}
    sums = [axis.var for axis in block.iter_vars if axis.iter_type is IterKind.COMM_REDUCE]
    free = [axis.var for axis in block.iter_vars if axis.iter_type is IterKind.DATA_PAR]
    indices = [different_axes(access.indices) for access in (store, *factors)]
    if len(sums) + len(free) != len(block.iter_vars) or any(axes is None for axes in indices):
        return None
    c, x, y = ([*axes] for axes in indices if axes is not None)
    if not c or {*c} != {*free}:
        return None
    a, b, (in_a, in_b) = (*factors, (x, y)) if c[-1] in y and c[-1] not in x else (factors[1], factors[0], (y, x))
    batch = tuple(var for var in free if var in in_a and var in in_b)
    rows = [var for var in free if var in in_a and var not in in_b]
    columns = [var for var in free if var in in_b and var not in in_a]
    is_product = len(rows) == len(columns) == len(sums) == 1 and sums[0] in in_a and sums[0] in in_b
    if not is_product or columns[0] is not c[-1] or a.buffer is b.buffer or len(batch) + 2 != len(free):
        return None
    return MatrixProduct(batch, rows[0], columns[0], sums[0], a, b, store, extents)


def _matrix(factor: Expr, store: BufferStore) -> BufferLoad | None:
    """Return the only load of a factor that is over terms; its other loads are of other buffers, over axes of C."""
    loads = [part for part in nodes(factor) if isinstance(part, BufferLoad)]
    others = (Add, Sub, Mul, Cast, BufferLoad, Var, IntImm, FloatImm)
    if isinstance(factor, BufferLoad):
        return factor
    if not isinstance(factor, others) or not all(
        isinstance(part, others) for part in nodes(factor) if isinstance(part, Expr)
    ):
        return None
    matrices = [load for load in loads if not {*load.indices} <= {*store.indices}]
    buffers = [load.buffer for load in loads]
    is_alone = len({store.buffer, *buffers}) == len(buffers) + 1 and all(
        different_axes(load.indices) is not None for load in loads
    )
    return matrices[0] if len(matrices) == 1 and is_alone else None
