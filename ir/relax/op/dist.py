"""Operators on tensors that are spread over devices, `R.dist`."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.call_tir import OutSinfo, one_output, output, packed_arguments
from tvmscript.ir.relax.op.ccl import scattered
from tvmscript.ir.relax.op.operator import Operator
from tvmscript.ir.relax.op.shapes import known
from tvmscript.ir.relax.op.surface import make
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TensorStructInfo


def _first(call: Call) -> StructInfo:
    return known(call, 0) or ObjectStructInfo()


def _shard(call: Call) -> TensorStructInfo:
    return scattered(call)


def _call_tir_local_view(
    gvar: Any, args: Any, out_sinfo: OutSinfo, tir_vars: Any = None, *, span: Span | None = None
) -> Call:
    given = [gvar, packed_arguments(args), *([] if tir_vars is None else [tir_vars])]
    return make(call_tir_local_view, given, None, span, (one_output(out_sinfo, span),))


annotate_sharding = Operator(
    "dist.annotate_sharding",
    "value: Expr, device_mesh: any, placement: any",
    _first,
    doc="The tensor; a wish how it is spread over a mesh of devices.",
)
redistribute_replica_to_shard = Operator(
    "dist.redistribute_replica_to_shard",
    "input: Expr, num_workers: int, axis: int",
    _shard,
    doc="Of a tensor that each worker has as a whole, a part on each.",
)
call_tir_local_view = Operator(
    "dist.call_tir_local_view",
    "gvar: Func, args: Tuple, packed_ints: Shape | None = None",
    output,
    surface=_call_tir_local_view,
    doc="`call_tir` on what each worker has.",
)
