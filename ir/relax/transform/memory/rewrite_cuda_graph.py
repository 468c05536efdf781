"""RewriteCUDAGraph: outline launches over memory that stays the same, which a device captures once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, Node, nodes
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import (
    Binding,
    BindingBlock,
    Call,
    Constant,
    DataflowBlock,
    DataTypeImm,
    ExternFunc,
    MatchCast,
    PrimValue,
    SeqExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_packed import call_builtin_with_ctx
from tvmscript.ir.relax.op.memory import alloc_storage, alloc_tensor
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.struct_info import ShapeExpr
from tvmscript.ir.tir import IntImm, PrimFunc
from tvmscript.ir.tir.substitute import rename_definitions
from tvmscript.ir.transform.base import Pass, option

#: values that never change
_LITERALS = (Constant, PrimValue, StringImm, DataTypeImm)


@dataclass(frozen=True)
class RewriteCUDAGraph(Pass):
    """Outline calls whose arguments lie in storage of constant size or are weights, behind the parameters that the
    attribute `num_input` counts. The storage is allocated once. Does nothing without `use_cuda_graph`.

    Storage of results stays, and so do the calls that write it.

    rewrite:
        cls.exp(alloc, alloc1)  -->  R.call_builtin_with_ctx(
                                         "vm.builtin.cuda_graph.run_or_capture",
                                         (cls.main_cuda_graph_capture, (alloc, alloc1), R.prim_value(0)),
                                     )
    """

    name = "relax.RewriteCUDAGraph"
    use_cuda_graph: bool = option("relax.backend.use_cuda_graph", False)

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        if not self.use_cuda_graph:
            return mod
        outliner = _Outliner(mod)
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                outliner.function(var, func)
        return outliner.builder.finalize()


class _Outliner:
    """Outlines the regions of all functions of a module."""

    def __init__(self, mod: IRModule) -> None:
        self.mod = mod
        self.builder = BlockBuilder(mod)
        #: numbers of allocations and of regions
        self._num_allocations = self._num_regions = 0

    def function(self, var: GlobalVar, func: Function) -> None:
        """Outline the regions of a function; one with dataflow blocks stays."""
        blocks = func.body.blocks
        if any(isinstance(block, DataflowBlock) for block in blocks):
            return
        bindings = [binding for block in blocks for binding in block.bindings]
        values = _StaticValues(func, self.mod)
        if not values.storages:
            return
        allocation = self._allocation(values.storages)
        kept: list[Binding] = [allocation]
        region: list[VarBinding] = []
        for place, binding in enumerate(bindings):
            if not isinstance(binding, VarBinding) or not values.add(binding):
                self._close(var, region, [*bindings[place:], func.body.body], kept)
                kept.append(binding)
            elif binding in values.storages:
                kept.append(binding.replace(value=TupleGetItem(allocation.var, values.storages.index(binding))))
            elif region or values.is_launch(binding.value):
                region.append(binding)
            else:
                kept.append(binding)
        self._close(var, region, [func.body.body], kept)
        body = SeqExpr((BindingBlock(tuple(kept)),), func.body.body)
        self.builder.update_func(var, func.replace(body=body))

    def _allocation(self, storages: Sequence[VarBinding]) -> VarBinding:
        """Add the function that allocates storage, and return the binding of its call."""
        copies = [VarBinding(Var(each.var.name_hint, each.var.struct_info), each.value) for each in storages]
        function = self._add((), copies, [copy.var for copy in copies], "cuda_graph_alloc")
        args = [function, PrimValue(self._num_allocations)]
        self._num_allocations += 1
        return self._call("get_cached_alloc", args, self._results(function))

    def _close(self, caller: GlobalVar, region: list[VarBinding], rest: Sequence[Node], kept: list[Binding]) -> None:
        """Replace a region by the call of a function."""
        if not region:
            return
        bound = [binding.var for binding in region]
        used_later = {part for each in rest for part in nodes(each) if isinstance(part, Var)}
        outputs = [var for var in bound if var in used_later]
        used = dict.fromkeys(part for each in region for part in nodes(each.value) if isinstance(part, Var))
        inputs = [var for var in used if var not in bound]
        function = self._add(inputs, region, outputs, f"{caller.name_hint}_cuda_graph_capture")
        args = [function, Tuple(tuple(inputs)), PrimValue(self._num_regions)]
        self._num_regions += 1
        call = self._call("run_or_capture", args, self._results(function))
        kept.append(call)
        kept += [VarBinding(var, TupleGetItem(call.var, index)) for index, var in enumerate(outputs)]
        region.clear()

    def _call(self, name: str, args: Sequence[Any], info: StructInfo) -> VarBinding:
        callee = ExternFunc(f"vm.builtin.cuda_graph.{name}")
        call = Call(call_builtin_with_ctx, [callee, Tuple(tuple(args))], {}, [info])
        return VarBinding(Var(self.builder.get_unique_name("gv"), info), call)

    def _results(self, function: GlobalVar) -> StructInfo:
        """Return the struct info of what a function of the module returns."""
        info = self.builder.get()[function]
        assert isinstance(info, Function)
        assert info.ret_struct_info is not None
        return info.ret_struct_info

    def _add(
        self, params: Sequence[Var], bindings: Sequence[VarBinding], outputs: Sequence[Var], name: str
    ) -> GlobalVar:
        """Add a function with variables of its own to the module."""
        values = Tuple(tuple(outputs))
        result = Var("gv", values.struct_info)
        body = SeqExpr((BindingBlock((*bindings, VarBinding(result, values))),), result)
        if not outputs:
            body = SeqExpr((BindingBlock(tuple(bindings)),), values)
        function = Function(tuple(params), body, attrs={"relax.force_pure": 1})
        return self.builder.add_func(rename_definitions(function), name)


class _StaticValues:
    """The values of a function that are the same in every call: storage that is lifted, tensors in it, weights."""

    def __init__(self, func: Function, mod: IRModule) -> None:
        self._mod = mod
        count = func.attrs.get("num_input")
        weights = () if count is None else func.params[int(count) :]
        self._static: set[Var] = set(weights)
        returned = _returned(func)
        #: bindings of storage that is allocated once
        self.storages = [
            binding
            for block in func.body.blocks
            for binding in block.bindings
            if isinstance(binding, VarBinding) and _has_constant_size(binding.value) and binding.var not in returned
        ]
        self._storage_vars = {binding.var for binding in self.storages}

    def add(self, binding: VarBinding) -> bool:
        """Return whether the value of the next binding is static, and note its variable."""
        is_static = binding.var in self._storage_vars or self._is_static(binding.value)
        if is_static:
            self._static.add(binding.var)
        return is_static

    def is_launch(self, value: RelaxExpr) -> bool:
        """Return whether a value is the call of a kernel or of a packed function."""
        callee: Any = value.op if isinstance(value, Call) else None
        is_kernel = isinstance(callee, GlobalVar) and isinstance(self._mod[callee], PrimFunc)
        return is_kernel or isinstance(callee, ExternFunc)

    def _is_static(self, value: Any) -> bool:
        if isinstance(value, Var):
            return value in self._static
        if isinstance(value, ShapeExpr):
            return all(isinstance(extent, IntImm) for extent in value.values)
        if isinstance(value, Tuple):
            return all(map(self._is_static, value.fields))
        if isinstance(value, TupleGetItem):
            return self._is_static(value.tuple_value)
        if isinstance(value, Call):
            is_known = value.op in (alloc_tensor, reshape) or self.is_launch(value)
            return is_known and all(map(self._is_static, value.args))
        return isinstance(value, _LITERALS)


def _returned(func: Function) -> set[Var]:
    """Return the variables whose memory may be part of the result."""
    returned = {part for part in nodes(func.body.body) if isinstance(part, Var)}
    for block in reversed(func.body.blocks):
        for binding in reversed(block.bindings):
            if isinstance(binding, (VarBinding, MatchCast)) and binding.var in returned:
                returned.update(part for part in nodes(binding.value) if isinstance(part, Var))
    return returned


def _has_constant_size(value: RelaxExpr) -> bool:
    """Whether a value allocates storage of constant size."""
    size = value.args[0] if isinstance(value, Call) and value.op is alloc_storage else None
    return isinstance(size, ShapeExpr) and all(isinstance(extent, IntImm) for extent in size.values)
