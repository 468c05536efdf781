"""Products of matrices in CSR, whose parts an object holds: TVM's `topi.sparse` and `contrib.sparse`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tvmscript.ir.te.construct import compute, placeholder
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import known_int
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.kernels import kernel, scalar


class CSR(Protocol):
    """A matrix of which the elements of row r are `data[indptr[r]:indptr[r + 1]]`, in the columns `indices`."""

    shape: tuple[Extent, ...]
    data: Tensor
    indices: Tensor
    indptr: Tensor


class CSRPlaceholder:
    """A matrix in CSR that is an input."""

    stype = "csr"

    def __init__(self, shape: Sequence[Extent], nonzeros: Extent, dtype: str, name: str) -> None:
        self.shape, self.dtype, self.name = tuple(shape), dtype, name
        self.data = placeholder((nonzeros,), dtype, f"{name}_data")
        self.indices = placeholder((nonzeros,), "int32", f"{name}_indices")
        self.indptr = placeholder((shape[0] + 1,), "int32", f"{name}_indptr")


def csr_placeholder(
    shape: Sequence[Extent],
    nonzeros: Extent | None = None,
    dtype: str | None = None,
    name: str = "placeholder",
    stype: str | None = None,
) -> CSRPlaceholder:
    """Return a matrix in CSR that is an input. Raises `InvalidOperand`."""
    if stype not in (None, "csr") or len(shape) != 2 or nonzeros is None:
        raise InvalidOperand(
            where="sparse.placeholder", reason="a matrix in CSR has 2 extents and a number of elements"
        )
    return CSRPlaceholder(shape, nonzeros, dtype or "float32", name)


def _product(
    csr: CSR,
    shape: Sequence[Extent],
    dense: Tensor,
    at: Callable[[Expr, Expr], tuple[Expr, Expr]],
    name: str,
    is_left: bool,
) -> Tensor:
    """Return sums over the elements of rows of CSR; `at` gives a place in the dense matrix for a column and a line."""
    rows, lines = csr.shape[0], shape[1] if is_left else shape[0]

    def body(
        ib: IRBuilder, data: BufferVar, columns: BufferVar, pointers: BufferVar, source: BufferVar, out: BufferVar
    ) -> None:
        with ib.for_range(0, rows, "row", kind="parallel") as row, ib.for_range(0, lines, "line") as line:
            dot = scalar(ib, csr.data.dtype, "dot", const(0, csr.data.dtype))
            with ib.for_range(0, pointers[row + 1] - pointers[row], "idx") as idx:
                place = pointers[row] + idx
                dot[0] = dot[0] + data[place] * source[at(columns[place], line)]
            out[(row, line) if is_left else (line, row)] = dot[0]

    return kernel(name, shape, csr.data.dtype, [csr.data, csr.indices, csr.indptr, dense], body)


def _check(where: str, csr: CSR, dense: Tensor, axis: int, is_column: bool = False) -> None:
    if not all(hasattr(csr, part) for part in ("data", "indices", "indptr", "shape")):
        raise InvalidOperand(where=where, reason="a matrix in CSR has data, indices, indptr and a shape")
    if not isinstance(dense, Tensor) or dense.ndim != 2 or (is_column and known_int(dense.shape[1]) != 1):
        raise InvalidOperand(where=where, reason=f"the other operand is a {'column' if is_column else 'matrix'}")
    inner, other = known_int(csr.shape[1]), known_int(dense.shape[axis])
    if inner is not None and other is not None and inner != other:
        raise InvalidOperand(where=where, reason=f"the inner extents are {inner} and {other}")


def csrmm(a: CSR, b: Tensor, c: Tensor | None = None) -> Tensor:
    """Return `a @ b` of a matrix in CSR and a matrix, and a bias `c` for each row."""
    _check("sparse.csrmm", a, b, 0)
    result = _product(a, (a.shape[0], b.shape[1]), b, lambda column, line: (column, line), "csrmm", True)
    return result if c is None else compute(result.shape, lambda i, j: result(i, j) + c(i), tag="broadcast")


def csrmv(a: CSR, x: Tensor, y: Tensor | None = None) -> Tensor:
    """Return `a @ x` of a matrix in CSR and a column, and a bias of one element."""
    _check("sparse.csrmv", a, x, 0, True)
    result = _product(a, (a.shape[0], 1), x, lambda column, line: (column, line), "csrmv", True)
    return result if y is None else compute(result.shape, lambda i, j: result(i, j) + y(i), tag="broadcast")


def dense(data: Any, weight: Any, bias: Tensor | None = None) -> Tensor:
    """Return `data @ weight.T + bias`, where the data or the weight is in CSR."""
    where = "sparse.dense"
    is_left = not isinstance(data, Tensor)
    csr, other = (data, weight) if is_left else (weight, data)
    _check(where, csr, other, 1)
    shape = (csr.shape[0], other.shape[0]) if is_left else (other.shape[0], csr.shape[0])
    result = _product(csr, shape, other, lambda column, line: (line, column), "dense", is_left)
    return result if bias is None else compute(result.shape, lambda i, j: result(i, j) + bias(j), tag="broadcast")
