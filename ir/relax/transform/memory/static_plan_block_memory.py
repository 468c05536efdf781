"""StaticPlanBlockMemory: share storage between tensors of a function that do not live at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import INT64, GlobalVar, IRModule, nodes, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.expr import (
    Call,
    ExternFunc,
    If,
    MatchCast,
    PrimValue,
    SeqExpr,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op import builtin, memory
from tvmscript.ir.relax.op.memory import view
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.op.vm import call_tir_dyn
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ShapeExpr
from tvmscript.ir.relax.symbolic_shape import provably_equal
from tvmscript.ir.relax.transform.memory.common.sizes import num_bytes
from tvmscript.ir.tir import Expr, IntImm, PrimFunc, Range
from tvmscript.ir.tir import Var as SizeVar
from tvmscript.ir.transform.base import Pass

#: a storage is reused for tensors of at most this many times its size, and of at least one part in as many
_MATCH_RANGE: Final = 16
#: the attribute of a function with the largest values of size variables
_UPPER_BOUNDS: Final = "tir_var_upper_bound"


@dataclass(frozen=True)
class StaticPlanBlockMemory(Pass):
    """Place tensors into shared storage, where their size is constant or bounded by `tir_var_upper_bound`.

    A tensor takes a storage of its dtype whose tensors have had their last use: the smallest that is large enough, or
    else the largest, which grows. Symbolic sizes share storage where they are equal.

    Tensors that a function returns, hands to graph functions or uses in branches keep their own allocation.

    rewrite:
        x = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), ...)
          -->  storage = R.memory.alloc_storage(R.shape([16]), ..., R.dtype("float32"))
               x = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([4]), R.dtype("float32"))
    """

    name = "relax.StaticPlanBlockMemory"
    is_idempotent = True

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        rewriter = _StorageRewriter()
        functions: dict[Any, Any] = {}
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                rewriter.storages = plan_storage(func, mod)
                func = rewriter.rewrite(func)
            functions[var] = func
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)


@dataclass(eq=False)
class Storage:
    """Storage that tensors share; `size` grows with them."""

    size: Expr
    call: Call
    #: the variable in the rewritten function
    var: Var | None = None

    @property
    def kind(self) -> tuple[object, ...]:
        """What a tensor must agree with: dtype, device and scope."""
        args: Any = self.call.args
        _, dtype, device, scope = args
        return dtype.value, device.value.value, scope.value


@dataclass(eq=False)
class Tensor:
    """A tensor that is allocated in a function, with the number of calls that take it."""

    call: Call
    size: Expr
    block: int
    uses: int = 0
    is_planned: bool = True
    storage: Storage | None = None


def plan_storage(func: Function, mod: IRModule) -> Mapping[Call, Storage]:
    """Return the storage of allocations that share storage."""
    usage = _Usage(func, mod)
    usage.sequence(func.body)
    usage.discard(func.body.body)
    plan = _Plan(usage)
    plan.sequence(func.body)
    return {tensor.call: tensor.storage for tensor in usage.allocated.values() if tensor.storage is not None}


#: the tensors of a value: one, those of the fields of a tuple, None for other values
Held = Tensor | tuple["Held", ...] | None


class _Usage:
    """Which tensors variables hold, and how often calls take them."""

    def __init__(self, func: Function, mod: IRModule) -> None:
        self.mod = mod
        self.allocated: dict[Call, Tensor] = {}
        self.held: dict[Var, Held] = {}
        self._block = 0
        self._bounds = _upper_bounds(func)

    def sequence(self, body: SeqExpr) -> None:
        self._block += 1
        block = self._block
        for binding in _bindings(body):
            value: Any = binding.value
            if isinstance(value, If):
                self.discard(value.cond)
                for branch in (value.true_branch, value.false_branch):
                    self.sequence(branch)
                    self.discard(branch.body)
                self._block = block
            elif isinstance(value, Call):
                self._call(binding.var, value, block)
            elif isinstance(value, Function):
                self.discard(value)
            else:
                self._hold(binding.var, value, block)
        self._block = block

    def _call(self, var: Var, call: Call, block: int) -> None:
        if call.op is builtin.alloc_tensor:
            size = self._size(call)
            tensor = self.allocated[call] = Tensor(call, size, block)
            self.held[var] = tensor
        elif call.op is reshape or call.op is view:
            self._hold(var, call.args[0], block)
        elif takes_tensors(call, self.mod):
            for tensor in self.tensors(call):
                tensor.uses += 1
                tensor.is_planned &= tensor.block == block
        else:
            self.discard(call)

    def _hold(self, var: Var, value: Any, block: int) -> None:
        held = self.held[var] = self._held_by(value)
        for tensor in _flat(held):
            tensor.is_planned &= tensor.block == block

    def _size(self, call: Call) -> Expr:
        """Return the bytes of a tensor, or an upper bound."""
        shape: Any = call.args[0]
        dtype: Any = call.args[1]
        extents = sorted([self._bound(extent) for extent in shape.values], key=_is_symbolic)
        return num_bytes(extents, dtype.value)

    def _bound(self, extent: Expr) -> Expr:
        if isinstance(extent, IntImm) or self._bounds is None:
            return extent
        largest = self._bounds.const_int_bound(extent).max_value
        return IntImm(INT64, largest) if largest < INT64.max_value else extent

    def _held_by(self, value: Any) -> Held:
        """Return the tensors of a variable, a tuple or its item; None for other values."""
        if isinstance(value, Var):
            return self.held.get(value)
        if isinstance(value, TupleGetItem):
            whole = self._held_by(value.tuple_value)
            return whole[value.index] if isinstance(whole, tuple) else whole
        if isinstance(value, Tuple):
            return tuple([self._held_by(field) for field in value.fields])
        return None

    def tensors(self, value: Any) -> Iterator[Tensor]:
        """Yield the tensors that a value holds, or that a call takes, one for each mention."""
        for part in value.args if isinstance(value, Call) else (value,):
            yield from _flat(self._held_by(part))

    def discard(self, value: Any) -> None:
        """Leave out all tensors that a value mentions."""
        for part in nodes(value):
            if isinstance(part, Var):
                for tensor in _flat(self.held.get(part)):
                    tensor.is_planned = False


def _flat(held: Held) -> Iterator[Tensor]:
    if isinstance(held, tuple):
        for each in held:
            yield from _flat(each)
    elif held is not None:
        yield held


class _Plan:
    """Assigns storage to tensors, in program order."""

    def __init__(self, usage: _Usage) -> None:
        self.usage = usage
        self._free: list[Storage] = []

    def sequence(self, body: SeqExpr) -> None:
        for binding in _bindings(body):
            value: Any = binding.value
            if isinstance(value, If):
                self._branches(value)
            elif isinstance(value, Call):
                self._call(value)

    def _branches(self, value: If) -> None:
        """Plan both branches with the storage that is free before; what they add is theirs alone."""
        before = list(self._free)
        for branch in (value.true_branch, value.false_branch):
            self._free = list(before)
            self.sequence(branch)
        self._free = before

    def _call(self, call: Call) -> None:
        tensor = self.usage.allocated.get(call)
        if tensor is not None:
            if tensor.is_planned and tensor.uses:
                tensor.storage = self._request(tensor)
        elif takes_tensors(call, self.usage.mod):
            for used in self.usage.tensors(call):
                used.uses -= 1
                if used.uses == 0 and used.storage is not None:
                    self._free.append(used.storage)

    def _request(self, tensor: Tensor) -> Storage:
        """Return a free storage that suits, or a new one."""
        new = Storage(tensor.size, tensor.call)
        suitable = [storage for storage in self._free if storage.kind == new.kind]
        storage = _best(suitable, tensor.size)
        if storage is None:
            return new
        self._free.remove(storage)
        if isinstance(tensor.size, IntImm) and isinstance(storage.size, IntImm):
            storage.size = IntImm(INT64, max(storage.size.value, tensor.size.value))
        return storage


def _best(free: Sequence[Storage], size: Expr) -> Storage | None:
    """Return the smallest storage that is large enough, the largest one where none is, None where none is near.

    As in TVM, the first of large ones of one size is taken, and the last of small ones.
    """
    if not isinstance(size, IntImm):
        return next((storage for storage in free if provably_equal(storage.size, size)), None)
    near = [
        (storage.size.value, storage)
        for storage in free
        if isinstance(storage.size, IntImm)
        and size.value // _MATCH_RANGE <= storage.size.value <= size.value * _MATCH_RANGE
    ]
    large = [item for item in near if item[0] >= size.value]
    if large:
        return min(large, key=lambda item: item[0])[1]
    return max(reversed(near), key=lambda item: item[0])[1] if near else None


def takes_tensors(call: Call, mod: IRModule) -> bool:
    """Return whether a call is one of a kernel or a packed function, which keeps none of its arguments."""
    callee: Any = call.args[0] if call.op is call_tir_dyn else call.op
    if isinstance(callee, GlobalVar):
        return callee in mod and isinstance(mod[callee], PrimFunc)
    return isinstance(callee, ExternFunc)


def _bindings(body: SeqExpr) -> Iterator[VarBinding | MatchCast]:
    for block in body.blocks:
        for binding in block.bindings:
            if isinstance(binding, (VarBinding, MatchCast)):
                yield binding


def _is_symbolic(size: Expr) -> bool:
    return not isinstance(size, IntImm)


def _upper_bounds(func: Function) -> Analyzer | None:
    """Return an analyzer that knows the largest values of the size variables, None where there are none."""
    given = func.attrs.get(_UPPER_BOUNDS)
    if not given:
        return None
    analyzer = Analyzer()
    infos = [param.struct_info for param in func.params if param.struct_info is not None]
    for size in {part: None for info in infos for part in nodes(info) if isinstance(part, SizeVar)}:
        largest = given.get(size.name)
        if largest is not None:
            analyzer.bind(size, Range.from_min_extent(IntImm(size.dtype, 0), IntImm(size.dtype, int(largest) + 1)))
    return analyzer


class _StorageRewriter(RelaxRewriter):
    """Rewriter of allocations; a storage is allocated before its first tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.storages: Mapping[Call, Storage] = {}

    @on(Call)
    def call(self, node: Call) -> Any:
        storage = self.storages.get(node)
        call = self.descend(node)
        if storage is None:
            return call
        shape, dtype, device, scope = call.args
        if storage.var is None:
            args = [ShapeExpr((storage.size,)), device, scope, dtype]
            storage.var = self.builder.emit(Call(memory.alloc_storage, args), "storage")
        return Call(memory.alloc_tensor, [storage.var, PrimValue(0), shape, dtype])
