"""LowerGlobalViewToLocalView: kernels compute the shards of one device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tvmscript.ir.analysis.blocks.reducers import REDUCERS, NoReduction, reduction_of
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import cast, make
from tvmscript.ir.core import INT64, GlobalVar, IRModule, Node, Rewriter, Visitor, nodes, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.expr import Call, Tuple, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir, tuple_fields
from tvmscript.ir.relax.op.ccl import allreduce
from tvmscript.ir.relax.op.dist import call_tir_local_view
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.distributed.common.kernel_axes import Access, BufferAxis, KernelAxes, KernelBlock
from tvmscript.ir.relax.transform.errors import CannotDistribute, NotDivisible
from tvmscript.ir.tir import (
    Buffer,
    BufferStore,
    Expr,
    FloorDiv,
    FloorMod,
    For,
    IntImm,
    PrimFunc,
    Range,
    Var,
    rename_definitions,
    substitute,
)
from tvmscript.ir.tir.expr import BufferLoad, Div, IterKind, IterVar, Mul
from tvmscript.ir.transform.base import Pass

#: reductions that the devices complete, in the order of `REDUCERS`
_KINDS: Final = ("sum", "prod", "min", "max")


@dataclass(frozen=True)
class LowerGlobalViewToLocalView(Pass):
    """Replace kernels on distributed tensors by kernels on the shards of one device.

    Loops and buffers of the new kernels have the extents of shards. Where a kernel reduces over a sharded axis,
    `R.ccl.allreduce` completes the result. Raises `NotDivisible`, and `CannotDistribute` for kernels that use the
    index of a sharded axis, or that do more with a partial result than scaling a sum.

    rewrite:
        lv = R.dist.call_tir(cls.matmul, (x, w), R.DTensor((8, 8), "float32", "mesh[0]", "R"))
    -->
        gv = R.dist.call_tir_local_view(cls.matmul1, (x, w), out_sinfo=R.DTensor((8, 8), "float32", "mesh[0]", "R"))
        lv = R.ccl.allreduce(gv, op_type="sum")
    """

    name = "relax.distributed.LowerGlobalViewToLocalView"

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        builder = BlockBuilder(mod)
        rewriter = _LocalCalls(builder, mod)
        is_changed = False
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                rewritten = rewriter.rewrite(func)
                if rewritten is not func:
                    builder.update_func(var, rewritten)
                    is_changed = True
        return builder.finalize() if is_changed else mod


class _LocalCalls(RelaxRewriter):
    """Rewriter of the calls of kernels on distributed tensors."""

    def __init__(self, builder: BlockBuilder, mod: IRModule) -> None:
        super().__init__(builder)
        self.mod = mod

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        call = node.value
        callee: Any = call.args[0] if isinstance(call, Call) and call.op is call_tir else None
        kernel = self.mod[callee] if isinstance(callee, GlobalVar) and callee in self.mod else None
        if not isinstance(call, Call) or not isinstance(kernel, PrimFunc):
            super().var_binding(node)
            return
        results = tuple_fields(call.sinfo_args[0])
        args = self.value(call.args[1])
        infos = [*(arg.struct_info for arg in args.fields), *results] if isinstance(args, Tuple) else []
        if not any(isinstance(info, DTensorStructInfo) for info in infos):
            super().var_binding(node)
            return
        local = _LocalKernel(kernel, infos, len(results))
        name = self.builder.add_func(local.kernel, callee.name_hint)
        new_call: Any = Call(call_tir_local_view, (name, args, *call.args[2:]), None, call.sinfo_args, span=call.span)
        if local.reduction is not None:
            new_call = Call(allreduce, (self.builder.emit(new_call),), {"op_type": local.reduction})
        value = self.builder.normalize(new_call)
        self.builder.emit_normalized(node.replace(var=self.bound(node.var, value), value=value))


class _Shards(NamedTuple):
    """How axes that are split together are sharded."""

    number: int
    #: the number of the device
    device: Var


class _LocalKernel:
    """A kernel on shards, and the reduction that completes its result over all devices."""

    def __init__(self, kernel: PrimFunc, infos: Sequence[object], num_results: int) -> None:
        self.axes = KernelAxes(kernel)
        self.reduction: str | None = None
        #: sharded axes and variables
        self.shards: dict[BufferAxis, _Shards] = {}
        self.variables: dict[Var, _Shards] = {}
        buffers = [kernel.buffer_map.get(param) for param in kernel.params]
        self._shard(buffers, infos)
        self.kernel = kernel
        if self.shards:
            self._check(kernel, num_results)
            self.kernel = self._rewritten(kernel)

    def _fail(self, what: str, reason: str, node: Node | None = None) -> CannotDistribute:
        return CannotDistribute(what=what, reason=reason, span=getattr(node, "span", None))

    def _shard(self, buffers: Sequence[Buffer | None], infos: Sequence[object]) -> None:
        """Find the sharded axes of all buffers. Raises `CannotDistribute` where arguments disagree."""
        given: dict[BufferAxis, int] = {}
        own_axes: set[BufferAxis] = set()
        for buffer, info in zip(buffers, infos, strict=False):
            if buffer is None or not isinstance(info, DTensorStructInfo):
                continue
            own_axes.update((buffer, axis) for axis in range(len(buffer.shape)))
            for extent, spec in zip(info.device_mesh.shape, info.placement.dim_specs, strict=True):
                if spec.axis >= 0:
                    given[buffer, spec.axis] = extent
        self.shards.update({axis: _Shards(number, Var("device", INT64)) for axis, number in given.items()})
        for group in self.axes.groups:
            numbers = {given.get(axis) for axis in group.axes if axis in own_axes}
            number = next(iter(numbers - {None}), None)
            if number is None:
                continue
            if len(numbers) > 1:
                buffer, axis = next(axis for axis in group.axes if axis in own_axes and given.get(axis) != number)
                what = f"axis {axis} of {buffer.name}"
                raise self._fail(what, "it is not sharded as the axes that it is computed with", buffer)
            shards = _Shards(number, Var("device", INT64))
            self.shards.update(dict.fromkeys(group.axes, shards))
            self.variables.update(dict.fromkeys(group.variables, shards))

    def _check(self, kernel: PrimFunc, num_results: int) -> None:
        """Check that each device computes its shards. Raises `CannotDistribute`."""
        checker = _AccessChecker(self.shards, self.variables)
        accesses = {id(access) for block in self.axes.blocks for access in block.accesses()}
        for part in nodes(kernel.body):
            if isinstance(part, (BufferLoad, BufferStore)) and id(part) not in accesses:
                raise self._fail(f"an access of {part.buffer.name}", "it is outside of blocks", part)
        reductions: list[KernelBlock] = []
        for block in self.axes.blocks:
            checker.check(block)
            self._check_loops(block)
            if any(
                each.iter_type is IterKind.COMM_REDUCE and each.var in self.variables for each in block.block.iter_vars
            ):
                reductions.append(block)
        if reductions:
            self._complete(reductions, num_results)

    def _check_loops(self, block: KernelBlock) -> None:
        for iter_var, value in zip(block.block.iter_vars, block.realize.iter_values, strict=True):
            if iter_var.var in self.variables and not isinstance(value, Var):
                what = f"the block {block.block.name_hint}"
                raise self._fail(what, f"{iter_var.var.name} is no loop variable", block.block)

    def _complete(self, reductions: Sequence[KernelBlock], num_results: int) -> None:
        """Find the reduction over devices. Raises `CannotDistribute`."""
        first = reductions[0].block
        what = f"the reduction of block {first.name_hint}"
        if len(reductions) > 1 or num_results > 1:
            raise self._fail(what, "the kernel uses its result for another reduction or result", first)
        try:
            reduction = reduction_of(first)
        except NoReduction as error:
            raise self._fail(what, error.why, first) from error
        place = REDUCERS.index(reduction.combination.reducer)
        if place >= len(_KINDS) or len(reduction.updates) > 1:
            raise self._fail(what, "devices complete sums, products, minima and maxima", first)
        self.reduction = _KINDS[place]
        partial = {reduction.updates[0].buffer}
        for block in self.axes.blocks:
            loads = [access for access in block.accesses() if isinstance(access, BufferLoad)]
            if block.block is first or partial.isdisjoint(access.buffer for access in loads):
                continue
            body = block.block.body
            if not isinstance(body, BufferStore) or not _scales(body.value, self.reduction):
                raise self._fail(what, f"block {block.block.name_hint} computes with the partial result", first)
            partial.add(body.buffer)

    def _rewritten(self, kernel: PrimFunc) -> PrimFunc:
        loops: dict[Var, _Shards] = {}
        for block in self.axes.blocks:
            for iter_var, value in zip(block.block.iter_vars, block.realize.iter_values, strict=True):
                if iter_var.var in self.variables and isinstance(value, Var):
                    loops[value] = self.variables[iter_var.var]
        rewriter = _Sharder(self.shards, {**self.variables, **loops})
        buffers = {param: rewriter.sharded(buffer) for param, buffer in kernel.buffer_map.items()}
        return rename_definitions(kernel.replace(body=rewriter.rewrite(kernel.body), buffer_map=buffers))


def _scales(value: Expr, reduction: str) -> bool:
    """Return whether a value is a partial result, times or divided by a number where it is a sum."""
    if isinstance(value, BufferLoad):
        return True
    if reduction != "sum" or not isinstance(value, (Mul, Div)):
        return False
    factors = (value.a,) if isinstance(value, Div) else (value.a, value.b)
    loads = [part for part in nodes(value) if isinstance(part, BufferLoad)]
    return len(loads) == 1 and loads[0] in factors


class _AccessChecker(Visitor):
    """Checks that a device that runs over its part of the loops accesses its shards."""

    def __init__(self, shards: Mapping[BufferAxis, _Shards], variables: Mapping[Var, _Shards]) -> None:
        self._shards = shards
        self._variables = variables
        self._block = ""
        self._analyzer = Analyzer()
        #: variable of a loop -> the same in the whole loop, for the part of a device
        self._whole: dict[Var, Expr] = {}

    def check(self, block: KernelBlock) -> None:
        """Check a block. Raises `CannotDistribute` and `NotDivisible`."""
        self._block = block.block.name_hint
        self._analyzer, self._whole = Analyzer(), {}
        for each in {*self._variables.values(), *self._shards.values()}:
            self._analyzer.bind(each.device, Range.from_min_extent(0, each.number))
        for var, extent in block.extents.items():
            shards = self._variables.get(var)
            part = _divided(var.name, extent, shards)
            self._analyzer.bind(var, Range.from_min_extent(IntImm(var.dtype, 0), part))
            if shards is not None:
                self._whole[var] = var + cast(var.dtype, shards.device) * part
        for stmt in (block.block.init, block.block.body):
            if stmt is not None:
                self.visit(stmt)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self._indices(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self._indices(node)
        self.visit(node.value)

    def _indices(self, access: Access) -> None:
        """Check that an index in the whole axis is the same in the shard, plus the first index of the shard."""
        for axis, (index, extent) in enumerate(zip(access.indices, access.buffer.shape, strict=False)):
            whole = substitute(index, self._whole)
            shards = self._shards.get((access.buffer, axis))
            local = index
            if shards is not None:
                first = cast(index.dtype, shards.device) * _divided(access.buffer.name, extent, shards)
                local = index + first
            if not self._analyzer.can_prove_equal(whole, local):
                raise self._error(f"it accesses other shards of axis {axis} of {access.buffer.name}", access)

    @on(Var)
    def var(self, node: Var) -> None:
        if node in self._variables:
            raise self._error(f"it computes with the index {node.name} of a sharded axis", node)

    def _error(self, reason: str, node: Node) -> CannotDistribute:
        return CannotDistribute(what=f"block {self._block}", reason=reason, span=node.span)


class _Sharder(Rewriter):
    """Rewriter of a kernel: sharded loops and buffers have the extents of shards."""

    def __init__(self, shards: Mapping[BufferAxis, _Shards], variables: Mapping[Var, _Shards]) -> None:
        super().__init__()
        self.shards = shards
        self.variables = variables

    def sharded(self, buffer: Buffer) -> Buffer:
        """Return the shard of a buffer."""
        shape = tuple(
            [_divided(buffer.name, extent, self.shards.get((buffer, axis))) for axis, extent in enumerate(buffer.shape)]
        )
        if all(new is old for new, old in zip(shape, buffer.shape, strict=True)):
            return buffer
        new_buffer = buffer.replace(shape=shape)
        self.renamed[buffer] = new_buffer
        return new_buffer

    def define(self, name: Any) -> Any:
        return self.sharded(name) if isinstance(name, Buffer) else super().define(name)

    @on(For)
    def loop(self, node: For) -> For:
        loop = self.descend(node)
        return loop.replace(extent=_divided(node.loop_var.name, loop.extent, self.variables.get(node.loop_var)))

    @on(IterVar)
    def iter_var(self, node: IterVar) -> IterVar:
        shards = self.variables.get(node.var)
        if shards is None or node.dom is None:
            return self.descend(node)
        dom = node.dom.replace(extent=_divided(node.var.name, node.dom.extent, shards))
        return node.replace(dom=dom)


def _divided(name: str, extent: Expr, shards: _Shards | None) -> Expr:
    """Return the extent of a shard. Raises `NotDivisible`."""
    if shards is None:
        return extent
    analyzer, divisor = Analyzer(), IntImm(extent.dtype, shards.number)
    if not analyzer.can_prove_equal(make(FloorMod, extent, divisor), 0):
        raise NotDivisible(what=name, extent=extent, count=shards.number, span=extent.span)
    return analyzer.simplify(make(FloorDiv, extent, divisor))
