"""Collective communication between workers, `R.ccl`."""

from __future__ import annotations

from typing import Any, Final

from tvmscript.ir.arith.fold import make, mul
from tvmscript.ir.core import INT64
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo, Placement, PlacementSpec
from tvmscript.ir.relax.expr import Call, ExternFunc, ShapeExpr, Tuple
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.axis_mapping import map_no_axes
from tvmscript.ir.relax.op.call_tir import call_dps_packed
from tvmscript.ir.relax.op.layout import literal_extents
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import Div, Expr, FloorMod, cast
from tvmscript.ir.topi import inventory

#: kinds of reductions in the order of their numbers in the runtime
_REDUCTIONS: Final = ("sum", "prod", "min", "max", "avg")


def _infer_all_reduce(call: Call) -> TensorStructInfo:
    if call.attrs["op_type"] not in _REDUCTIONS:
        raise invalid_argument(call, "op_type", f"one of {', '.join(_REDUCTIONS)}", repr(call.attrs["op_type"]))
    return rules.infer_same(call)


def _infer_all_gather(call: Call) -> StructInfo:
    """Infer the concatenation; for a distributed tensor, the same tensor with axis 0 whole."""
    given = rules.struct_info_of(call, 0)
    if isinstance(given, DTensorStructInfo):
        specs = [PlacementSpec() if spec.axis == 0 else spec for spec in given.placement.dim_specs]
        return given.replace(placement=Placement(tuple(specs)), span=call.span)
    x, workers = rules.expect_tensor(call), rules.expect_prim(call, 1)
    extents = literal_extents(x)
    rules.check_not_scalar(call, 0, x)
    if extents is None or workers.value is None:
        return rules.tensor_of_ndim(x.ndim, x.dtype, x.vdevice)
    whole = mul(cast(INT64, extents[0]), cast(INT64, workers.value))
    return rules.tensor_of_shape((whole, *extents[1:]), x.dtype, x.vdevice)


def _infer_scatter(call: Call) -> TensorStructInfo:
    """Infer one part. As in TVM, the first extent must be divisible, whatever the axis."""
    return infer_scattered(call, 0)


def infer_scattered(call: Call, checked: int | None = None) -> TensorStructInfo:
    """Infer one part of the tensor: its extent along the axis is divided by the number of workers.

    Raises `InvalidCall` where the shape is unknown, or the extent of axis `checked` (default: the split axis) is
    provably not divisible.
    """
    x, workers, axis = rules.expect_tensor(call), call.attrs["num_workers"], call.attrs["axis"]
    extents: rules.Extents = literal_extents(x)
    if extents is None:
        raise invalid_argument(call, 0, "a tensor of known shape", "one of unknown shape")
    if not 0 <= axis < len(extents):
        raise invalid_argument(call, "axis", f"an axis from 0 to {len(extents) - 1}", axis)
    if workers < 1:
        raise invalid_argument(call, "num_workers", "a positive integer", workers)
    extent = extents[axis if checked is None else checked]
    if rules.provably_differ(make(FloorMod, cast(INT64, extent), rules.int64(workers)), rules.int64(0)):
        raise invalid_argument(call, 0, f"an extent divisible by {workers}, the number of workers", extent)
    return rules.tensor_of_shape(
        (*extents[:axis], _divide_extent(extents[axis], workers), *extents[axis + 1 :]), x.dtype, x.vdevice
    )


def _divide_extent(extent: Expr, workers: int) -> Expr:
    return make(Div, cast(INT64, extent), rules.int64(workers))


def _call_runtime(name: str, call: Call, *args: RelaxExpr) -> Call:
    """Return the call of a function of the runtime that fills a tensor."""
    assert call.struct_info is not None
    return Call(call_dps_packed, (ExternFunc(f"runtime.disco.{name}"), Tuple(args)), sinfo_args=(call.struct_info,))


def _expand_scatter(builder: Any, call: Call) -> Call:
    """Return the call of the runtime with the parts along axis 0."""
    (x,) = call.args
    workers, axis = call.attrs["num_workers"], call.attrs["axis"]
    info = x.struct_info
    assert isinstance(info, TensorStructInfo)
    extents = list(info.extents or ())
    parts = [*extents[:axis], rules.int64(workers), _divide_extent(extents[axis], workers), *extents[axis + 1 :]]
    value = builder.emit_te(inventory().reshape, x, parts)
    if axis > 0:
        value = builder.emit_te(inventory().transpose, value, [axis, *range(axis), *range(axis + 1, len(parts))])
    return _call_runtime("scatter_from_worker0", call, value)


allreduce = Operator(
    "ccl.allreduce",
    "x: Expr, op_type: str = 'sum'",
    _infer_all_reduce,
    v0_27_parameters="in_group: bool = True",
    layout="elementwise",
    mapped_axes=map_no_axes,
    expand=lambda _, call: _call_runtime(
        "allreduce", call, call.args[0], ShapeExpr((_REDUCTIONS.index(call.attrs["op_type"]),))
    ),
    doc="Reduce over all workers; every worker has the result.",
)
allgather = Operator(
    "ccl.allgather",
    "x: Expr, num_workers: Prim",
    _infer_all_gather,
    v0_27_parameters="in_group: bool = True",
    layout="elementwise",
    expand=lambda _, call: _call_runtime("allgather", call, call.args[0]),
    doc="Concatenate the tensors of all workers along axis 0; every worker has the result.",
)
broadcast_from_worker0 = Operator(
    "ccl.broadcast_from_worker0",
    "x: Expr",
    rules.infer_same,
    layout="elementwise",
    expand=lambda _, call: _call_runtime("broadcast_from_worker0", call, call.args[0]),
    doc="Copy the tensor of worker 0 to all workers.",
)
scatter_from_worker0 = Operator(
    "ccl.scatter_from_worker0",
    "x: Expr, num_workers: int, axis: int = 0",
    _infer_scatter,
    expand=_expand_scatter,
    doc="Split the tensor of worker 0 along an axis and send one part to each worker.",
)
