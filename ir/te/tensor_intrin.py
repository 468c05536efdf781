"""Tensor intrinsics: a computation on small tensors, and the statements that stand for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import WrongType
from tvmscript.ir.te.errors import InvalidOperation
from tvmscript.ir.te.tensor import Operation, Place, PlaceholderOp, Tensor, TensorSlice
from tvmscript.ir.tir import Buffer, Evaluate, Expr, IterVar, Range, Stmt, Var, as_expr, make_buffer
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.tir.te_nodes import ProducerLoad


@dataclass(frozen=True, eq=False)
class TensorIntrin:
    """Statements for the operation `op` on `buffers`, which stand for its inputs and outputs.

    `body` computes all of it. A reduction may be computed in steps instead: `reduce_init`, then each `reduce_update`.
    """

    name: str
    op: Operation
    inputs: tuple[Tensor, ...]
    buffers: tuple[Buffer, ...]
    scalar_params: tuple[Var, ...]
    body: Stmt | None
    reduce_init: Stmt | None = None
    reduce_update: Stmt | None = None

    def __call__(self, *args: TensorSlice | Operand, reduce_axis: IterVar | Sequence[IterVar] = ()) -> TensorIntrinCall:
        """Call the intrinsic on regions, `intrin(A[i, 0:16], B[0:16])`, in the function of a `te.compute`."""
        slices = [arg for arg in args if isinstance(arg, (TensorSlice, ProducerLoad))]
        scalars = tuple([as_expr(arg) for arg in args if not isinstance(arg, (TensorSlice, ProducerLoad))])
        axes = (reduce_axis,) if isinstance(reduce_axis, IterVar) else tuple(reduce_axis)
        tensors = tuple([arg.tensor if isinstance(arg, TensorSlice) else arg.producer for arg in slices])
        regions = tuple([tuple(map(_index_range, arg.indices)) for arg in slices])
        return TensorIntrinCall(self, tensors, regions, axes, scalars)


@dataclass(frozen=True, eq=False)
class TensorIntrinCall:
    """A call of a tensor intrinsic on regions of tensors."""

    intrin: TensorIntrin
    tensors: tuple[Any, ...]
    regions: tuple[tuple[Range, ...], ...]
    reduce_axis: tuple[IterVar, ...]
    scalar_inputs: tuple[Expr, ...]


def _index_range(index: Place) -> Range:
    if isinstance(index, slice):
        if index.step is not None:
            raise WrongType(where="a region of a tensor", expected="a slice without a step", got=repr(index))
        return Range(0 if index.start is None else index.start, index.stop)
    return Range.from_min_extent(as_expr(index), 1)


def decl_tensor_intrin(
    op: Operation,
    fcompute: Callable[..., Stmt | Expr | Sequence[Stmt | Expr]],
    name: str = "tensor_intrin",
    binds: Mapping[Tensor, Buffer] | None = None,
    scalar_params: Sequence[Var] | None = None,
    default_buffer_params: Mapping[str, Any] | None = None,
) -> TensorIntrin:
    """Declare a tensor intrinsic for an operation on placeholders.

    `fcompute` gets buffers of the inputs and outputs and returns a statement, or three: all of it, the begin of a
    reduction, a step of a reduction. `binds` gives the buffers of tensors whose layout matters. Raises `WrongType`,
    `InvalidOperation`.
    """
    if not isinstance(op, Operation):
        raise WrongType(where="te.decl_tensor_intrin", expected="an operation, such as C.op", got=repr(op))
    inputs = op.input_tensors
    for tensor in inputs:
        if not isinstance(tensor.op, PlaceholderOp):
            raise InvalidOperation(where="decl_tensor_intrin", reason=f"the input {tensor.name} is no placeholder")
    given, options = dict(binds or {}), dict(default_buffer_params or {})
    buffers = [
        given[tensor] if tensor in given else make_buffer(tensor.shape, tensor.dtype, tensor.op.name, **options)
        for tensor in (*inputs, *op.outputs)
    ]
    scalars = [list(scalar_params)] if scalar_params else []
    result = fcompute(buffers[: len(inputs)], buffers[len(inputs) :], *scalars)
    bodies = result if isinstance(result, Sequence) else [result]
    statements = [Evaluate(body) if isinstance(body, Expr) else body for body in bodies]
    return TensorIntrin(name, op, tuple(inputs), tuple(buffers), tuple(scalar_params or ()), *statements)
