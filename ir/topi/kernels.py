"""Kernels: operators whose results loops write into buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvmscript.ir.te.construct import extern
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Buffer, Expr, Stmt, make_buffer
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder, create, unravel_position
from tvmscript.ir.topi.common import product

#: shape and dtype of an output
Output = tuple[Sequence[Extent], str]
#: emits the statements of a kernel over the buffers of its inputs and outputs
Body = Callable[..., None]


def kernels(
    name: str,
    outputs: Sequence[Output],
    inputs: Sequence[Tensor],
    body: Body,
    buffer_names: Sequence[str] | None = None,
) -> list[Tensor]:
    """Return the tensors that `body(ib, *inputs, *outputs)` writes; `outputs` are their shapes and dtypes.

    With `buffer_names` the buffers of the outputs have no symbolic offset.
    """

    def emit(ins: list[Buffer], outs: list[Buffer]) -> Stmt:
        ib = create()
        body(ib, *map(ib.buffer_ptr, ins), *map(ib.buffer_ptr, outs))
        return ib.get()

    shapes = [list(shape) for shape, _ in outputs]
    dtypes = [str(dtype) for _, dtype in outputs]
    buffers = None
    if buffer_names is not None:
        buffers = [make_buffer(*parts) for parts in zip(shapes, dtypes, buffer_names, strict=True)]
    tensors = extern(shapes, inputs, emit, name=name, dtype=dtypes, out_buffers=buffers)
    return [tensors] if isinstance(tensors, Tensor) else tensors


def kernel(
    name: str,
    shape: Sequence[Extent],
    dtype: str,
    inputs: Sequence[Tensor],
    body: Body,
    buffer_name: str | None = "out_buf",
) -> Tensor:
    """Return the tensor that `body(ib, *inputs, output)` writes."""
    names = None if buffer_name is None else [buffer_name]
    return kernels(name, [(shape, dtype)], inputs, body, names)[0]


def rows_along(shape: Sequence[Extent], axis: int) -> tuple[Extent, Callable[[Expr, Expr], tuple[Expr, ...]]]:
    """Return the number of rows along an axis, and the function from a row and a position in it to indices."""
    others = [extent for number, extent in enumerate(shape) if number != axis]

    def at(row: Expr, position: Expr) -> tuple[Expr, ...]:
        indices = unravel_position(row, others)
        return (*indices[:axis], position, *indices[axis:])

    return product(others), at


def scalar(ib: IRBuilder, dtype: str, name: str, value: Operand | None = None) -> BufferVar:
    """Return a local variable `x[0]`, with a value where one is given."""
    variable = ib.allocate(dtype, (1,), name, scope="local")
    if value is not None:
        variable[0] = value
    return variable
