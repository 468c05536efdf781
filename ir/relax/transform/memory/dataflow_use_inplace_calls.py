"""DataflowUseInplaceCalls: write results of elementwise operators into arguments that are not used afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import IRModule, nodes, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    DataflowBlock,
    DataflowVar,
    MatchCast,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.builtin import stop_lift_params
from tvmscript.ir.relax.op.call_tir import call_dps_packed, call_tir, call_tir_inplace
from tvmscript.ir.relax.op.memory import ensure_zero_offset, view
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import shapes_provably_equal
from tvmscript.ir.relax.transform.operators.legalize_ops import call_kernel
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.tir.substitute import copied, substitute
from tvmscript.ir.transform.base import Pass

#: operators whose result has the element of an argument at each index
_ELEMENTWISE: Final = frozenset(
    f"relax.{name}" for name in ("add", "subtract", "multiply", "divide", "nn.silu", "nn.relu")
)
#: operators whose result may be the memory of their first argument
_VIEWS: Final = frozenset((reshape, view, ensure_zero_offset, stop_lift_params))


@dataclass(frozen=True)
class DataflowUseInplaceCalls(Pass):
    """Replace calls in dataflow blocks by calls of kernels that write into an argument of the shape and dtype of the
    result.

    The argument is a tensor that the block computes and that nothing uses afterwards, under no name. Reshapes and views
    share the memory of their argument; results of functions may share that of all arguments.

    rewrite:
        z = R.add(x, y)      -->  z = R.call_tir_inplace(cls.add_inplace, (x, y), ..., inplace_indices=[0])
    """

    name = "relax.DataflowUseInplaceCalls"
    is_idempotent = True

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        rewriter = _InplaceCalls(BlockBuilder(mod))
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                rewritten = rewriter.rewrite(func)
                if rewritten is not func:
                    rewriter.builder.update_func(var, rewritten)
        return rewriter.builder.finalize() if rewriter.is_changed else mod


class _Memory:
    """The memory that variables of a block hold, as sets of numbers; a tuple holds the memory of all its items."""

    def __init__(self) -> None:
        self.held: dict[Var, frozenset[int]] = {}
        #: the memory of each item of a tuple
        self.items: dict[Var, tuple[frozenset[int], ...]] = {}
        self._next = 0

    def new(self) -> frozenset[int]:
        """Return memory that no variable holds."""
        self._next += 1
        return frozenset((self._next,))

    def of(self, value: Any) -> frozenset[int]:
        """Return the memory of a value that is no call. That of values outside of the block has the number 0."""
        if isinstance(value, Var):
            return self.held.get(value, frozenset((0,)))
        if isinstance(value, TupleGetItem) and isinstance(value.tuple_value, Var):
            items = self.items.get(value.tuple_value)
            return items[value.index] if items is not None else self.of(value.tuple_value)
        return frozenset((0,)).union(*(self.of(part) for part in nodes(value) if isinstance(part, Var)))

    def bind(self, var: Var, value: Any) -> None:
        """Note what a variable holds."""
        if isinstance(value, Tuple):
            self.items[var] = tuple([self.of(field) for field in value.fields])
        elif isinstance(value, Call) and _is_fresh(value) and isinstance(var.struct_info, TupleStructInfo):
            self.items[var] = tuple([self.new() for _ in var.struct_info.fields])
        elif isinstance(value, Var) and value in self.items:
            self.items[var] = self.items[value]
        if var in self.items:
            self.held[var] = frozenset[int]().union(*self.items[var])
        elif isinstance(value, Call):
            self.held[var] = self.new() if _is_fresh(value) else self._of_call(value)
        else:
            self.held[var] = self.of(value)

    def _of_call(self, call: Call) -> frozenset[int]:
        args = call.args[:1] if call.op in _VIEWS else call.args
        return self.new().union(*(self.of(part) for arg in args for part in nodes(arg) if isinstance(part, Var)))


def _is_fresh(call: Call) -> bool:
    """Whether the result of a call is memory of its own."""
    if call.op in (call_tir, call_dps_packed):
        return True
    return isinstance(call.op, Operator) and call.op not in _VIEWS and call.op.reference is not None


def _inplace_arguments(block: DataflowBlock) -> dict[Var, Var]:
    """Return the argument that the value of each variable may be written into."""
    bindings = [binding for binding in block.bindings if isinstance(binding, (VarBinding, MatchCast))]
    last_use: dict[Var, int] = {}
    outputs: list[Var] = []
    for number, binding in enumerate(bindings):
        for part in nodes(binding.value):
            if isinstance(part, Var):
                last_use[part] = number
        if not isinstance(binding.var, DataflowVar):
            outputs.append(binding.var)
    memory = _Memory()
    chosen: dict[Var, Var] = {}
    for number, binding in enumerate(bindings):
        value = binding.value
        if isinstance(binding, VarBinding) and isinstance(value, Call):
            live = [var for var in memory.held if last_use.get(var, -1) > number or var in outputs]
            blocked = frozenset((0,)).union(*(memory.held[var] for var in live))
            for arg in _candidates(binding.var, value, memory, blocked):
                chosen[binding.var] = arg
        memory.bind(binding.var, value)
        if binding.var in chosen:
            memory.held[binding.var] = memory.of(chosen[binding.var])
    return chosen


def _candidates(var: Var, call: Call, memory: _Memory, blocked: frozenset[int]) -> Iterator[Var]:
    """Yield the arguments that the result may be written into; TVM takes the last one."""
    info = var.struct_info
    if not isinstance(call.op, Operator) or call.op.name not in _ELEMENTWISE or not isinstance(info, TensorStructInfo):
        return
    for arg in call.args:
        if not isinstance(arg, Var) or memory.of(arg) & blocked:
            continue
        others = [other for other in call.args if other is not arg and isinstance(other, Var)]
        if any(memory.of(arg) & memory.of(other) for other in others):
            continue
        given = arg.struct_info
        if (
            isinstance(given, TensorStructInfo)
            and given.dtype is info.dtype
            and shapes_provably_equal(given.extents, info.extents)
        ):
            yield arg


class _InplaceCalls(RelaxRewriter):
    """Rewriter of calls in dataflow blocks."""

    def __init__(self, builder: BlockBuilder) -> None:
        super().__init__(builder)
        #: kernels that are not in place
        self._kernels = BlockBuilder()
        self._chosen: dict[Var, Var] = {}
        self.is_changed = False

    def block(self, node: BindingBlock) -> None:
        if isinstance(node, DataflowBlock):
            self._chosen.update(_inplace_arguments(node))
        super().block(node)

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        arg = self._chosen.get(node.var)
        call = node.value
        if arg is None or not isinstance(call, Call):
            super().var_binding(node)
            return
        kernel_call = call_kernel(self._kernels, call.op, self.value(call))
        if isinstance(kernel_call, Call) and kernel_call.op is call_tir:
            call = self._in_place(kernel_call, self.value(arg))
            self.is_changed = True
        super().var_binding(node.replace(value=call))

    def _in_place(self, call: Call, arg: Var) -> Call:
        """Return the call of a kernel that writes its result into an argument."""
        callee: Any = call.args[0]
        args: Any = call.args[1]
        place = max(number for number, each in enumerate(args.fields) if each is arg)
        kernel: Any = self._kernels.get()[callee]
        added = self.builder.add_func(_write_into(kernel, place, len(args.fields)), f"{callee.name_hint}_inplace")
        attrs = {"inplace_indices": (place,)}
        return Call(call_tir_inplace, [added, *call.args[1:]], attrs, call.sinfo_args)


def _write_into(kernel: PrimFunc, place: int, output: int) -> PrimFunc:
    """Return a kernel that writes into the buffer of one parameter instead of that of another."""
    target, source = kernel.params[output], kernel.params[place]
    buffers = {param: buffer for param, buffer in kernel.buffer_map.items() if param is not target}
    body = substitute(kernel.body, {kernel.buffer_map[target]: kernel.buffer_map[source]})
    params = tuple([param for param in kernel.params if param is not target])
    return copied(kernel.replace(params=params, buffer_map=buffers, body=body), {}, is_fresh=True)
