"""LowerDistIR: functions that each device runs on its shards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import IRModule, nodes, on, structural_equal
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.distributed_inference import axes_of_result
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    Constant,
    DataflowBlock,
    MatchCast,
    SeqExpr,
    Tuple,
    TupleGetItem,
    Var,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir
from tvmscript.ir.relax.op.ccl import allgather, allreduce, broadcast_from_worker0, scatter_from_worker0
from tvmscript.ir.relax.op.dist import (
    annotate_sharding,
    call_tir_local_view,
    redistribute,
    redistribute_replica_to_shard,
)
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo, map_fields
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.errors import CannotDistribute, NotDivisible
from tvmscript.ir.relax.variables import free_vars
from tvmscript.ir.tir import Div, IntImm

#: operators that communicate: they combine shards of all devices
_COLLECTIVES = (allgather, allreduce, redistribute_replica_to_shard)
#: operators that passes before this one replace, with those passes
_EARLIER = {
    annotate_sharding: "PropagateSharding",
    redistribute: "LegalizeRedistribute",
    call_tir: "LowerGlobalViewToLocalView",
}


@dataclass(frozen=True)
class LowerDistIR(RelaxFunctionPass):
    """Replace distributed tensors by the shards of one device.

    Parameters are the whole tensors, which matter on worker 0: they are broadcast, or scattered along the sharded axis.
    Results are shards. Raises `CannotDistribute` for a mesh of several dimensions, and for operators that combine
    sharded elements; `NotDivisible`.

    rewrite:
        x: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")     -->  x: R.Tensor((8, 8), "float32")
        y = R.dist.call_tir_local_view(cls.f, (x,), ...)            gv = R.ccl.scatter_from_worker0(x, 2, axis=0)
                                                                    y = R.call_tir(cls.f, (gv,), ...)
    """

    name = "relax.distributed.LowerDistIR"

    def transform(self, func: Function, mod: IRModule) -> Function:
        if not any(isinstance(part, DTensorStructInfo) for part in _infos(func)):
            return func
        lowered: Function = _LocalFunction().rewrite(func)
        return lowered


def _infos(func: Function) -> list[StructInfo | None]:
    variables = [part for part in nodes(func) if isinstance(part, Var)]
    fields: list[StructInfo | None] = []
    for var in (*func.params, *variables):
        info = var.struct_info
        fields += [info, *(info.fields if isinstance(info, TupleStructInfo) else ())]
    return fields


class _LocalFunction(RelaxRewriter):
    """Rewriter of a function to the view of one device."""

    def __init__(self) -> None:
        super().__init__()
        #: parameters that are to be distributed
        self._params: Sequence[Var] = ()
        self._used_later: set[Var] = set()

    @on(Function)
    def function(self, node: Function) -> Function:
        infos = [_of_whole_tensors(param.struct_info) for param in node.params]
        params = tuple([param.replace(struct_info=info) for param, info in zip(node.params, infos, strict=True)])
        self._params = [param for param, info in zip(node.params, infos, strict=True) if info is not param.struct_info]
        self.renamed.update(zip(node.params, params, strict=True))
        self._used_later = set(free_vars(node.body.replace(blocks=node.body.blocks[1:])))
        self.builder.begin_scope(params)
        body = self.rewrite(node.body)
        self.builder.end_scope()
        return node.replace(params=params, body=body, ret_struct_info=None)

    @on(SeqExpr)
    def sequence(self, node: SeqExpr) -> SeqExpr:
        """Rewrite a body; one without bindings has those of the parameters then."""
        if node.blocks:
            return super().sequence(node)

        def fill() -> RelaxExpr:
            self.block(BindingBlock(()))
            value: RelaxExpr = self.value(node.body)
            return value

        return self.builder.sequence(fill)

    def block(self, node: BindingBlock) -> None:
        self.builder.begin_block(isinstance(node, DataflowBlock))
        params, self._params = self._params, ()
        for param in params:
            whole = self.renamed[param]
            assert isinstance(whole, RelaxExpr)
            value = self._distributed(whole, param.struct_info)
            is_output = isinstance(node, DataflowBlock) and param in self._used_later
            emit = self.builder.emit_output if is_output else self.builder.emit
            self.renamed[param] = emit(value)
        for binding in node.bindings:
            self.rewrite(binding)

    def _distributed(self, value: RelaxExpr, info: StructInfo | None) -> RelaxExpr:
        """Return the shard of a tensor, or a tuple of them."""
        if isinstance(info, TupleStructInfo):
            fields = [self._distributed(TupleGetItem(value, index), each) for index, each in enumerate(info.fields)]
            return Tuple(tuple(fields))
        if not isinstance(info, DTensorStructInfo):
            return value
        _shard(info)
        axis = info.placement.dim_specs[0].axis
        if axis < 0:
            return Call(broadcast_from_worker0, (value,))
        return Call(scatter_from_worker0, (value,), {"num_workers": info.device_mesh.shape[0], "axis": axis})

    @on(Constant)
    def constant(self, node: Constant) -> Constant:
        info = node.struct_info
        return node.replace(struct_info=info.tensor_sinfo) if isinstance(info, DTensorStructInfo) else node

    @on(MatchCast)
    def match_cast(self, node: MatchCast) -> None:
        info = map_fields(node.struct_info, _shard)
        var = self.renamed[node.var] = node.var.replace(struct_info=info)
        self.builder.emit_normalized(node.replace(var=var, value=self.value(node.value), struct_info=info))

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        args = [self.value(arg) for arg in node.args]
        infos = tuple([map_fields(info, _shard) for info in node.sinfo_args])
        is_distributed = any(isinstance(arg.struct_info, DTensorStructInfo) for arg in node.args)
        if node.op is call_tir_local_view:
            return Call(call_tir, args, None, infos, span=node.span)
        if not is_distributed and not any(new is not old for new, old in zip(infos, node.sinfo_args, strict=True)):
            return node if _is_same(args, node.args) else Call(node.op, args, node.attrs, infos, span=node.span)
        if node.op in _EARLIER:
            name = node.op.script_name if isinstance(node.op, Operator) else ""
            reason = f"run relax.distributed.{_EARLIER[node.op]} before"
            raise CannotDistribute(what=name, reason=reason, span=node.span)
        if not isinstance(node.op, Operator):
            raise CannotDistribute(what="a call of a function", reason="inline it before", span=node.span)
        if node.op not in _COLLECTIVES:
            _check_whole_axes(node, node.op)
        return self._local(node, node.op, args, infos)

    def _local(self, node: Call, op: Operator, args: Sequence[Any], infos: Sequence[StructInfo]) -> Call:
        """Return the call on shards. Raises `CannotDistribute` where its result is not the shard."""
        error = CannotDistribute(
            what=op.script_name, reason="its result is not that of shards; run relax.LegalizeOps before", span=node.span
        )
        try:
            call = self.builder.normalize(Call(op, args, node.attrs, infos, span=node.span))
        except InvalidCall as invalid:
            raise error from invalid
        expected = None if node.struct_info is None else map_fields(node.struct_info, _shard)
        if isinstance(expected, TensorStructInfo) and not structural_equal(call.struct_info, expected):
            raise error
        assert isinstance(call, Call)
        return call


def _is_same(new: Sequence[object], old: Sequence[object]) -> bool:
    return all(a is b for a, b in zip(new, old, strict=True))


def _check_whole_axes(call: Call, op: Operator) -> None:
    """Check that an operator does not combine elements of several shards. Raises `CannotDistribute`."""
    whole: Any = call.replace(
        args=tuple([arg.replace(struct_info=_of_whole_tensors(arg.struct_info)) for arg in call.args]), struct_info=None
    )
    mapped = {(place, axis) for place, axis, _ in axes_of_result(whole) or ()}
    for place, arg in enumerate(call.args):
        info = arg.struct_info
        for spec in info.placement.dim_specs if isinstance(info, DTensorStructInfo) else ():
            if spec.axis >= 0 and (place, spec.axis) not in mapped:
                reason = f"it combines elements along the sharded axis {spec.axis}; run relax.LegalizeOps before"
                raise CannotDistribute(what=op.script_name, reason=reason, span=call.span)


def _of_whole_tensors(info: StructInfo | None) -> StructInfo | None:
    """Return struct info without the placement of tensors."""
    return None if info is None else map_fields(info, _whole)


def _whole(info: StructInfo) -> StructInfo:
    return info.tensor_sinfo if isinstance(info, DTensorStructInfo) else info


def _shard(info: StructInfo) -> StructInfo:
    """Return the struct info of a shard. Raises `CannotDistribute` and `NotDivisible`."""
    if not isinstance(info, DTensorStructInfo):
        return info
    shape = info.device_mesh.shape
    if len(shape) != 1:
        reason = f"its mesh has {len(shape)} dimensions, devices communicate along one"
        raise CannotDistribute(what="a tensor", reason=reason, span=info.span)
    tensor, axis = info.tensor_sinfo, info.placement.dim_specs[0].axis
    if axis < 0 or tensor.extents is None:
        return tensor
    extent = tensor.extents[axis]
    if isinstance(extent, IntImm) and extent.value % shape[0]:
        raise NotDivisible(what=f"axis {axis}", extent=extent.value, count=shape[0], span=info.span)
    extents = list(tensor.extents)
    extents[axis] = make(Div, extent, IntImm(extent.dtype, shape[0]))
    return TensorStructInfo(extents, tensor.dtype, vdevice=tensor.vdevice)
