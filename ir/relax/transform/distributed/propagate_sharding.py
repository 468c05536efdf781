"""PropagateSharding: distribute the tensors of functions by a few annotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, Span, nodes, on, structural_equal
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo, Placement, PlacementSpec
from tvmscript.ir.relax.distributed_inference import axes_of_result
from tvmscript.ir.relax.expr import (
    Call,
    Constant,
    DataflowVar,
    If,
    MatchCast,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.axis_mapping import contracted_axes
from tvmscript.ir.relax.op.call_tir import call_tir, tuple_fields
from tvmscript.ir.relax.op.dist import annotate_sharding, redistribute
from tvmscript.ir.relax.op.linear_algebra import matmul
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.distributed.common.axis_graph import MESH_AXIS, Axis, AxisGraph
from tvmscript.ir.relax.transform.distributed.common.kernel_axes import KernelAxes
from tvmscript.ir.relax.transform.errors import CannotDistribute, NotOnMesh, ShardingConflict
from tvmscript.ir.tir import IntImm, PrimFunc

#: tensors of a value: one, those of the fields of a tuple, None for other values
Tensors = Axis | list["Tensors"] | None


@dataclass(frozen=True)
class PropagateSharding(RelaxFunctionPass):
    """Distribute all tensors of the functions that have annotations.

    `R.dist.annotate_sharding` says where a tensor is. Calls of kernels and of operators whose axes are known pass the
    sharding on to arguments and results; where an annotation asks for another one, `R.dist.redistribute` changes it.
    An axis that is shorter than the mesh stays whole. Run `relax.LegalizeOps` before: operators that combine sharded
    elements are not completed over devices. Raises `ShardingConflict`, `NotOnMesh`, `CannotDistribute`.

    rewrite:
        lv = R.matmul(x, w)                                         -->  lv: R.DTensor(..., "mesh[0]", "S[1]") = ...
        y = R.dist.annotate_sharding(lv, mesh, placement="S[1]")         (w is "S[1]" too, x is "R")
    """

    name = "relax.distributed.PropagateSharding"

    def transform(self, func: Function, mod: IRModule) -> Function:
        if not any(isinstance(part, Call) and part.op is annotate_sharding for part in nodes(func.body)):
            return func
        collector = _AxisCollector(mod)
        collector.collect(func)
        collector.resolve()
        distributed: Function = _Distributor(collector).rewrite(func)
        return distributed


class _AxisCollector:
    """The axis graph of a function."""

    def __init__(self, mod: IRModule) -> None:
        self.mod = mod
        self.graph = AxisGraph()
        self._kernels: dict[GlobalVar, KernelAxes] = {}
        #: variable -> its tensors
        self.tensors: dict[Var, Tensors] = {}
        #: tensors with their struct info and names
        self.infos: dict[Axis, tuple[TensorStructInfo, str, Span | None]] = {}

    def collect(self, func: Function) -> None:
        """Join the axes of all calls. Raises `CannotDistribute` for conditionals and calls of functions."""
        for param in func.params:
            self._define(param)
        for block in func.body.blocks:
            for binding in block.bindings:
                self._binding(binding)

    def _define(self, var: Var) -> Tensors:
        tensors = self._new_tensors(var, var.struct_info, var.name_hint, count())
        self.tensors[var] = tensors
        return tensors

    def _new_tensors(self, node: Var | Constant, info: StructInfo | None, name: str, fields: Iterator[int]) -> Tensors:
        if isinstance(info, TensorStructInfo):
            tensor = Axis(node, MESH_AXIS, next(fields))
            self.infos[tensor] = info, name, node.span
            return tensor
        if isinstance(info, TupleStructInfo):
            return [self._new_tensors(node, field, name, fields) for field in info.fields]
        return None

    def tensors_of(self, value: Any) -> Tensors:
        """Return the tensors of a leaf, a tuple or an item of one."""
        if isinstance(value, Var):
            return self.tensors.get(value)
        if isinstance(value, Constant):
            return self._new_tensors(value, value.struct_info, "a constant", count())
        if isinstance(value, Tuple):
            return [self.tensors_of(field) for field in value.fields]
        if isinstance(value, TupleGetItem):
            whole = self.tensors_of(value.tuple_value)
            return whole[value.index] if isinstance(whole, list) else None
        return None

    def _binding(self, binding: Any) -> None:
        value = binding.value
        if isinstance(value, (If, Function)):
            what = "a conditional" if isinstance(value, If) else "a local function"
            raise CannotDistribute(what=what, reason="its tensors are not annotated together", span=value.span)
        if isinstance(value, Call):
            if not isinstance(value.op, Operator):
                reason = "only operators and kernels are distributed; run relax.InlinePrivateFunctions before"
                raise CannotDistribute(what="a call of a function", reason=reason, span=value.span)
            result = self._define(binding.var)
            if _tensors(result):
                self._call(value, result)
        else:
            self.tensors[binding.var] = self.tensors_of(value)

    def _call(self, call: Call, result: Tensors) -> None:
        if call.op is call_tir:
            self._kernel_call(call, result)
            return
        args = [self.tensors_of(arg) for arg in call.args]
        self._join_meshes(_tensors(args), result)
        if not isinstance(result, Axis):
            return
        if call.op is annotate_sharding:
            self.graph.annotate(result, call.attrs["device_mesh"], call.attrs["placement"])
        for place, axis, result_axis in axes_of_result(call) or ():
            argument = args[place]
            if isinstance(argument, Axis):
                self.graph.join(argument._replace(number=axis), result._replace(number=result_axis))
        left, right = (*args, None, None)[:2]
        if call.op is matmul and isinstance(left, Axis) and isinstance(right, Axis):
            first, second = contracted_axes(call)
            self.graph.join(left._replace(number=first), right._replace(number=second), is_result=False)

    def _join_meshes(self, args: Sequence[Axis], result: Tensors) -> None:
        for argument in args:
            for tensor in _tensors(result):
                self.graph.join(argument, tensor)

    def _kernel_call(self, call: Call, result: Tensors) -> None:
        """Join the axes of buffers that a kernel accesses with one index."""
        axes = self.kernel_axes(call)
        arguments = self.tensors_of(call.args[1])
        fields = arguments if isinstance(arguments, list) else []
        self._join_meshes(_tensors(arguments), result)
        tensors = [*fields, *_tensors(result)]
        for group in axes.groups_of_parameters():
            for (place, axis), (other_place, other) in combinations(group, 2):
                tensor, other_tensor = tensors[place], tensors[other_place]
                if isinstance(tensor, Axis) and isinstance(other_tensor, Axis):
                    ends = tensor._replace(number=axis), other_tensor._replace(number=other)
                    self.graph.join(*ends, is_result=place < len(fields) <= other_place)

    def kernel_axes(self, call: Call) -> KernelAxes:
        """Return the axes of the kernel of a call. Raises `CannotDistribute`."""
        callee: Any = call.args[0]
        kernel = self.mod[callee] if isinstance(callee, GlobalVar) and callee in self.mod else None
        if not isinstance(kernel, PrimFunc) or not isinstance(call.args[1], Tuple):
            raise CannotDistribute(what=f"the call of {callee}", reason="it is no kernel of the module", span=call.span)
        if callee not in self._kernels:
            self._kernels[callee] = KernelAxes(kernel)
        return self._kernels[callee]

    def resolve(self) -> None:
        """Propagate the annotations. Raises `ShardingConflict` and `NotOnMesh`."""
        self.graph.propagate()
        for tensor, (info, name, span) in self.infos.items():
            self._check(tensor, info, name, span)
        self.graph.propagate()

    def _check(self, tensor: Axis, info: TensorStructInfo, name: str, span: Span | None) -> None:
        """Check that the shardings of the axes of a tensor agree; keep short axes whole."""
        mesh = self.graph.sharding_of(tensor)
        if mesh is None:
            if isinstance(tensor.tensor, Var):
                raise NotOnMesh(name=name, span=span)
            return
        if tensor in self.graph.ambiguous:
            raise ShardingConflict(name=name, reason="annotations ask for two device meshes", span=span)
        dimensions: dict[int, int] = {}
        for number in range(max(info.ndim, 0)):
            axis = tensor._replace(number=number)
            sharding = self.graph.sharding_of(axis)
            if sharding is None:
                continue
            reason = None
            if axis in self.graph.ambiguous:
                reason = f"annotations ask for two shardings of axis {number}"
            elif not structural_equal(sharding.mesh, mesh.mesh):
                reason = f"axis {number} is on another device mesh"
            elif sharding.dimension in dimensions:
                reason = f"axes {dimensions[sharding.dimension]} and {number} along one dimension of the mesh"
            elif isinstance(tensor.tensor, Constant):
                reason = "constants are not sharded, make it a parameter"
            if reason is not None:
                raise ShardingConflict(name=name, reason=reason, span=span)
            dimensions[sharding.dimension] = number
            extent = info.extents[number] if info.extents is not None else None
            if isinstance(extent, IntImm) and extent.value < mesh.mesh.shape[sharding.dimension]:
                self.graph.keep_whole(axis)

    def distributed(self, info: StructInfo, tensors: Tensors) -> StructInfo:
        """Return the struct info of a value whose tensors are distributed."""
        if isinstance(info, TupleStructInfo) and isinstance(tensors, list):
            fields = [self.distributed(field, each) for field, each in zip(info.fields, tensors, strict=True)]
            return TupleStructInfo(tuple(fields))
        if not isinstance(info, TensorStructInfo) or not isinstance(tensors, Axis):
            return info
        placed = self.graph.placement_of(tensors, max(info.ndim, 0))
        return info if placed is None else DTensorStructInfo(info, *placed)


def _tensors(tensors: Tensors) -> list[Axis]:
    """Return the tensors in order."""
    if isinstance(tensors, list):
        return [axis for each in tensors for axis in _tensors(each)]
    return [] if tensors is None else [tensors]


class _Distributor(RelaxRewriter):
    """Rewriter of a function whose shardings are known."""

    def __init__(self, collector: _AxisCollector) -> None:
        super().__init__()
        self.collector = collector

    @on(Function)
    def function(self, node: Function) -> Function:
        params = tuple([self._distribute(param) for param in node.params])
        self.renamed.update(zip(node.params, params, strict=True))
        self.builder.begin_scope(params)
        body = self.rewrite(node.body)
        self.builder.end_scope()
        return node.replace(params=params, body=body, ret_struct_info=None)

    def _distribute(self, var: Var) -> Var:
        info = var.struct_info
        return var if info is None else var.replace(struct_info=self._wanted(var))

    def _wanted(self, var: Var) -> StructInfo:
        assert var.struct_info is not None
        return self.collector.distributed(var.struct_info, self.collector.tensors.get(var))

    @on(Constant)
    def constant(self, node: Constant) -> Constant:
        assert node.struct_info is not None
        info = self.collector.distributed(node.struct_info, self.collector.tensors_of(node))
        return node if info is node.struct_info else node.replace(struct_info=info)

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        call = node.value
        if not isinstance(call, Call):
            super().var_binding(node)
            return
        wanted = self._wanted(node.var)
        value: Any = self.value(call.args[0]) if call.op is annotate_sharding else self._distributed(call, wanted)
        info = value.struct_info
        if (
            isinstance(wanted, DTensorStructInfo)
            and isinstance(info, DTensorStructInfo)
            and not _is_placed_alike(info, wanted)
        ):
            source = self.builder.emit(value) if isinstance(value, Call) else value
            value = _move(source, wanted)
        elif call.op is annotate_sharding and not (
            isinstance(value, DataflowVar) and not isinstance(node.var, DataflowVar)
        ):
            self.renamed[node.var] = value
            return
        self.builder.emit_normalized(node.replace(var=self.bound(node.var, value), value=value))

    def _distributed(self, call: Call, wanted: StructInfo) -> Any:
        """Return a call on distributed tensors. Raises `CannotDistribute`."""
        args = [self.value(arg) for arg in call.args]
        infos = (self._kernel_results(call, args, wanted),) if call.op is call_tir else call.sinfo_args
        new_call: Any = self.builder.normalize(Call(call.op, args, call.attrs, infos, span=call.span))
        for info, expected in zip(_fields(new_call.struct_info), _fields(wanted), strict=False):
            if isinstance(expected, DTensorStructInfo) and not isinstance(info, DTensorStructInfo):
                name = call.op.script_name if isinstance(call.op, Operator) else "a call"
                reason = "the placement of its result is not known; run relax.LegalizeOps before"
                raise CannotDistribute(what=name, reason=reason, span=call.span)
        return new_call

    def _kernel_results(self, call: Call, args: Sequence[Any], wanted: StructInfo) -> StructInfo:
        """Return the results of a kernel: axes that it computes from sharded axes are sharded."""
        inputs = [field.struct_info for field in args[1].fields]
        results = list(tuple_fields(wanted))
        groups = list(self.collector.kernel_axes(call).groups_of_parameters())
        for number, info in enumerate(results):
            if not isinstance(info, DTensorStructInfo):
                continue
            axes = {
                dimension: next(axis for place, axis in group if place == len(inputs) + number)
                for group in groups
                if any(place == len(inputs) + number for place, _ in group)
                for place, axis in group
                if place < len(inputs)
                for dimension in _dimensions(inputs[place], axis)
            }
            specs = [PlacementSpec(axes.get(dimension, -1)) for dimension in range(len(info.device_mesh.shape))]
            results[number] = info.replace(placement=Placement(tuple(specs)))
        return TupleStructInfo(tuple(results)) if isinstance(wanted, TupleStructInfo) else results[0]

    @on(MatchCast)
    def match_cast(self, node: MatchCast) -> None:
        """Cast to the struct info of the distributed value."""
        info = self.collector.distributed(node.struct_info, self.collector.tensors.get(node.var))
        var = self.renamed[node.var] = node.var.replace(struct_info=info)
        self.builder.emit_normalized(node.replace(var=var, value=self.value(node.value), struct_info=info))


def _fields(info: StructInfo | None) -> tuple[StructInfo, ...]:
    return () if info is None else tuple_fields(info)


def _dimensions(info: StructInfo | None, axis: int) -> list[int]:
    """Return the dimensions of the mesh along which an axis is sharded."""
    specs = info.placement.dim_specs if isinstance(info, DTensorStructInfo) else ()
    return [dimension for dimension, spec in enumerate(specs) if spec.axis == axis]


def _is_placed_alike(info: DTensorStructInfo, other: DTensorStructInfo) -> bool:
    return structural_equal(info.device_mesh, other.device_mesh) and structural_equal(info.placement, other.placement)


def _move(value: RelaxExpr, info: DTensorStructInfo) -> Call:
    """Return the call that redistributes a tensor."""
    return Call(redistribute, (value,), {"device_mesh": info.device_mesh, "placement": info.placement})
