"""LegalizeRedistribute: tensors change their placement by collective communication."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import IRModule, on, structural_equal
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement
from tvmscript.ir.relax.expr import Call, PrimValue
from tvmscript.ir.relax.op.ccl import allgather
from tvmscript.ir.relax.op.dist import redistribute, redistribute_replica_to_shard
from tvmscript.ir.relax.op.manipulate import permute_dims
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.base import RelaxRewriterPass
from tvmscript.ir.relax.transform.errors import CannotDistribute
from tvmscript.ir.tir import IntImm


@dataclass(frozen=True)
class LegalizeRedistribute(RelaxRewriterPass):
    """Replace `R.dist.redistribute`: shards are gathered, and each device takes its shard of a whole tensor.

    Raises `CannotDistribute` for another mesh, and for a mesh of several dimensions.

    rewrite:
        y = R.dist.redistribute(x, mesh, "R")     -->  y = R.ccl.allgather(x, 2)
        z = R.dist.redistribute(y, mesh, "S[1]")  -->  z = R.dist.redistribute_replica_to_shard(y, 2, axis=1)
    """

    name = "relax.distributed.LegalizeRedistribute"

    def rewriter(self, mod: IRModule) -> RelaxRewriter:
        return _Legalizer()


class _Legalizer(RelaxRewriter):
    """Rewriter of calls of `R.dist.redistribute`."""

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        if call.op is not redistribute:
            return call
        value = call.args[0]
        assert isinstance(value, RelaxExpr)
        info, mesh, placement = value.struct_info, call.attrs["device_mesh"], call.attrs["placement"]
        assert isinstance(info, DTensorStructInfo)
        assert isinstance(mesh, DeviceMesh)
        assert isinstance(placement, Placement)
        for holds, reason in (
            (structural_equal(info.device_mesh, mesh), "the meshes differ"),
            (len(mesh.shape) == 1, f"the mesh has {len(mesh.shape)} dimensions"),
        ):
            if not holds:
                raise CannotDistribute(what=call.op.script_name, reason=reason, span=call.span)
        (old,), (new,) = info.placement.dim_specs, placement.dim_specs
        if old.axis == new.axis:
            return value
        if old.axis >= 0:
            value = self._gathered(value, info.tensor_sinfo.ndim, old.axis, mesh.shape[0])
        if new.axis < 0:
            return value
        attrs = {"num_workers": mesh.shape[0], "axis": new.axis}
        return Call(redistribute_replica_to_shard, (value,), attrs, span=call.span)

    def _gathered(self, value: RelaxExpr, ndim: int, axis: int, workers: int) -> RelaxExpr:
        """Return a tensor gathered along an axis; `R.ccl.allgather` concatenates along axis 0."""
        number = PrimValue(IntImm("int64", workers))
        if axis == 0:
            return Call(allgather, (value, number))
        order = (axis, *(place for place in range(ndim) if place != axis))
        first = Call(permute_dims, (value,), {"axes": order})
        back = tuple([order.index(place) for place in range(ndim)])
        return Call(permute_dims, (Call(allgather, (first, number)),), {"axes": back})
