"""Lower packed calls and device memory to runtime calls."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Final

from tvmscript.ir.arith.fold import cast, is_const, mul
from tvmscript.ir.core import Node, Op, PointerType, PrimType, Target, Visitor, closest, on
from tvmscript.ir.core.dtype import HANDLE, INT32, INT64, UINT64
from tvmscript.ir.tir import NE, Call, Expr, IntImm, PrimFunc, Stmt, StringImm, TirRewriter
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.tir.intrin.memory import isnullptr, tvm_backend_alloc_workspace, tvm_backend_free_workspace
from tvmscript.ir.tir.intrin.packed import (
    any_list_move,
    any_list_set_arg,
    anylist_getitem,
    tvm_call_packed,
    tvm_call_trace_packed_lowered,
    tvm_throw_last_error,
)
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, Evaluate, For, ForKind, IfThenElse, LetStmt, seq
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.calling_convention.lower_tvm_builtin.argument_stacks import CONVENTIONS, Sizes, Stacks
from tvmscript.ir.transform.calling_convention.runtime_fields import (
    UINT8,
    UINT16,
    Field,
    get_field,
    set_field,
    tvm_type_of,
)
from tvmscript.ir.transform.errors import UnknownConvention, UnknownDevice
from tvmscript.ir.transform.function_attributes import is_set

#: CPU allocations smaller than this many bytes stay on the stack
MAX_STACK_BYTES: Final = 1024
#: alignment of a workspace in bytes
WORKSPACE_ALIGNMENT: Final = 64
_CPU: Final = 1

#: operator -> lowered operator, and the number of arguments before the name of the callee
_PACKED: Final[dict[str, tuple[str, int]]] = {
    "tir.tvm_call_packed": ("tir.tvm_call_packed_lowered", 0),
    "tir.tvm_call_cpacked": ("tir.tvm_call_cpacked_lowered", 0),
    "tir.anylist_setitem_call_packed": ("tir.tvm_call_packed_lowered", 2),
    "tir.anylist_setitem_call_cpacked": ("tir.tvm_call_cpacked_lowered", 2),
}
_TRACED: Final = "tir.tvm_call_trace_packed"
_SHAPE: Final = "tir.tvm_stack_make_shape"
_ARRAY: Final = "tir.tvm_stack_make_array"
_DMA: Final = frozenset({"tir.dma_copy", "tir.dma_wait", "tir.dma_start_group", "tir.dma_end_group"})
_ND_ALLOCATION: Final = "tir.nd_mem_alloc_with_scope"
#: DLPack device type -> name in runtime functions
_DEVICE_NAMES: Final[dict[int, str]] = {
    1: "cpu", 2: "cuda", 3: "cuda_host", 4: "opencl", 5: "aocl", 7: "vulkan", 8: "metal", 9: "vpi", 10: "rocm",
    12: "ext_dev", 15: "webgpu", 16: "hexagon",
}  # fmt: skip


@dataclass(frozen=True)
class LowerTVMBuiltin(PrimFuncPass):
    """Lower operations of host functions to runtime calls.

    A host function has a target with the key `cpu`, or the attribute `tir.is_host_func`.

    - Arguments of packed calls, and their arrays and shapes, are stored on stacks. A stack is allocated once per
      function or body of a parallel loop. `convention` is `tvm-ffi` or `tvm-0.17`.
    - Allocations become workspaces of the device that the enclosing attributes `device_type` and `device_id` state,
      except small ones in global memory of the CPU. The attributes are removed.
    - Asynchronous copies and n-dimensional allocations become calls of `device_api.<device>.<name>`.

    Raises `UnknownDevice`, `UnknownConvention`.

    rewrite:
        T.call_packed("f", n)             -->   stack_ffi_any: T.handle = T.tvm_stack_alloca("tvm_ffi_any", 2)
                                                T.tvm_struct_set(stack_ffi_any, 0, 13, 1)
                                                T.tvm_struct_set(stack_ffi_any, 0, 14, 0)
                                                T.tvm_struct_set(stack_ffi_any, 0, 15, T.Cast("int64", n))
                                                ...
                                                T.call_packed_lowered("f", stack_ffi_any, 0, 1)
    """

    name = "tir.LowerTVMBuiltin"
    is_idempotent = True
    looks_for = frozenset({"device_id", "device_type", Allocate})
    looks_for_in_values = frozenset({*_PACKED, _TRACED, _SHAPE, _ARRAY, _ND_ALLOCATION, *_DMA, "tir.tvm_context_id"})
    convention: str = "tvm-ffi"

    def transform(self, func: PrimFunc) -> PrimFunc:
        if self.convention not in CONVENTIONS:
            raise UnknownConvention(name=self.convention, hint=closest(self.convention, CONVENTIONS))
        target = func.attrs.get("target")
        is_host = isinstance(target, Target) and "cpu" in target.keys
        if not is_host and not is_set(func, "tir.is_host_func"):
            return func
        device_type = IntImm(INT32, target.device_type) if isinstance(target, Target) else None
        return func.with_body(_BuiltinLowering(CONVENTIONS[self.convention], device_type).scope(func.body))


class _StackSizeCounter(Visitor):
    """Compute the stack sizes of the calls of a scope, without inner parallel loops."""

    def __init__(self, stacks: type[Stacks]) -> None:
        self.stacks = stacks
        #: sizes at the current call, and maximal sizes
        self.current, self.maximum = Sizes(), Sizes()

    @on(For)
    def loop(self, node: For) -> None:
        self.visit(node.min)
        self.visit(node.extent)
        if node.kind is not ForKind.PARALLEL:
            self.visit(node.body)

    @on(LetStmt)
    def let(self, node: LetStmt) -> None:
        if _op_name(node.value) == _ND_ALLOCATION:
            assert isinstance(node.value, Call)
            self.call_with(len(node.value.args) + 4, node.value)
            self.call_with(4, None)
        else:
            self.visit(node.value)
        self.visit(node.body)

    @on(Call)
    def call(self, node: Call) -> None:
        name = _op_name(node)
        if name in _PACKED:
            self.call_with(len(_stack_arguments(node, self.stacks)), node)
        elif name == _TRACED:
            self.current.arguments += len(node.args)
            self.walk(node)
            self.update_maximum()
            self.current.arguments -= 1
        elif name in _DMA:
            self.call_with(len(node.args), node)
        else:
            self.walk(node)
            self.current.shapes += len(node.args) if name == _SHAPE else 0
            self.current.arrays += name == _ARRAY
            self.update_maximum()

    def call_with(self, count: int, node: Call | None) -> None:
        before = replace(self.current)
        self.current.arguments += count + 1
        if node is not None:
            self.walk(node)
        self.update_maximum()
        self.current = before

    def update_maximum(self) -> None:
        self.maximum.arguments = max(self.maximum.arguments, self.current.arguments)
        self.maximum.arrays = max(self.maximum.arrays, self.current.arrays)
        self.maximum.shapes = max(self.maximum.shapes, self.current.shapes)


def _op_name(node: Expr) -> str:
    return node.op.name if isinstance(node, Call) and isinstance(node.op, Op) else ""


def _stack_arguments(node: Call, stacks: type[Stacks]) -> range:
    """Return the positions of the arguments that a call stores on the stack."""
    lowered, before = _PACKED[_op_name(node)]
    end = len(node.args)
    if stacks.has_resource and lowered == "tir.tvm_call_cpacked_lowered":
        end -= 1
    return range(before + 1, end)


class _BuiltinLowering(TirRewriter):
    def __init__(self, convention: type[Stacks], device_type: Expr | None) -> None:
        super().__init__()
        self.convention = convention
        self.device_type = device_type
        self.device_id: Expr | None = None
        self.stacks = convention(Sizes())
        self.used = Sizes()
        #: statements to insert before the current statement
        self.before: list[Stmt] = []

    # statements

    def scope(self, body: Stmt) -> Stmt:
        """Rewrite the body of a scope with stacks of its own."""
        counter = _StackSizeCounter(self.convention)
        counter.visit(body)
        outer, used = self.stacks, self.used
        self.stacks, self.used = self.convention(counter.maximum), Sizes()
        new_body = self.statement(body)
        if new_body is not body:
            new_body = self.stacks.wrap(new_body)
        self.stacks, self.used = outer, used
        return new_body

    def statement(self, stmt: Stmt) -> Stmt:
        outer = self.before
        self.before = []
        new_stmt: Stmt = self.table[type(stmt)](self, stmt)
        if self.before:
            new_stmt = seq(*self.before, new_stmt)
        self.before = outer
        return new_stmt

    def rewrite(self, node: Node) -> Any:
        return self.statement(node) if isinstance(node, Stmt) else self.table[type(node)](self, node)

    def value(self, value: object) -> Any:
        return self.statement(value) if isinstance(value, Stmt) else super().value(value)

    @on(For)
    def loop(self, node: For) -> Stmt:
        start, extent = self.rewrite(node.min), self.rewrite(node.extent)
        body = self.scope(node.body) if node.kind is ForKind.PARALLEL else self.rewrite(node.body)
        return node.rebuild(min=start, extent=extent, body=body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key not in ("device_id", "device_type"):
            return self.descend(node)
        outer = getattr(self, node.attr_key)
        setattr(self, node.attr_key, node.value)
        stmt = self.statement(node.body)
        setattr(self, node.attr_key, outer)
        return stmt

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        if _op_name(node.value) == _ND_ALLOCATION:
            return self.descend(self.nd_allocation(node))
        return self.descend(node)

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        """Replace an allocation by a workspace of the current device."""
        data, size = node.buffer_var, node.dtype.itemsize * node.dtype.lanes
        is_cpu = self.device_type is not None and is_const(self.device_type, _CPU)
        if is_cpu and data.storage_scope == "global":
            sizes = [extent.value for extent in node.extents if isinstance(extent, IntImm)]
            if len(sizes) == len(node.extents) and 0 < math.prod(sizes) * size < MAX_STACK_BYTES:
                return self.descend(node)
        node = self.descend(node)
        total: Expr = IntImm(UINT64, size)
        for extent in node.extents:
            total = mul(total, cast(UINT64, extent))
        device_type, device_id = self.device(data.name, node)
        code, bits = IntImm(INT32, tvm_type_of(node.dtype)[0]), IntImm(INT32, node.dtype.bits)
        memory = tvm_backend_alloc_workspace(device_type, device_id, total, code, bits, span=node.span)
        freed = NE(tvm_backend_free_workspace(device_type, device_id, data), IntImm(INT32, 0))
        body = seq(IfThenElse(isnullptr(data), _throw_last_error()), node.body, IfThenElse(freed, _throw_last_error()))
        body = AttrStmt(data, "storage_alignment", IntImm(INT32, WORKSPACE_ALIGNMENT), body)
        return LetStmt(data, memory, body, span=node.span)

    def device(self, what: str, node: Node) -> tuple[Expr, Expr]:
        """Return type and id of the current device. Raises `UnknownDevice`."""
        if self.device_type is None or self.device_id is None:
            part = "device_type" if self.device_type is None else "device_id"
            raise UnknownDevice(what=what, part=part, span=node.span)
        return cast(INT32, self.device_type), cast(INT32, self.device_id)

    def device_function(self, name: str, node: Node) -> StringImm:
        """Return the name of a runtime function of the current device."""
        kind = self.device_type
        if not isinstance(kind, IntImm) or kind.value not in _DEVICE_NAMES:
            raise UnknownDevice(what=name, part="device_type", span=node.span)
        return StringImm(f"device_api.{_DEVICE_NAMES[kind.value]}.{name}")

    def nd_allocation(self, node: LetStmt) -> Stmt:
        """Replace an n-dimensional allocation by packed calls."""
        call, var = node.value, node.var
        assert isinstance(call, Call)
        device_type, device_id = self.device(var.name, node)
        annotation = var.pointer_type
        element = annotation.element_type if isinstance(annotation, PointerType) else None
        dtype = element.dtype if isinstance(element, PrimType) else HANDLE
        code, bits = IntImm(INT32, tvm_type_of(dtype)[0]), IntImm(INT32, dtype.bits)
        args = (self.device_function("alloc_nd", node), device_type, device_id, code, bits, *call.args)
        memory = Call(HANDLE, tvm_call_packed, args, span=call.span)
        free_args = (self.device_function("free_nd", node), device_type, device_id, call.args[0], var)
        free = Call(INT32, tvm_call_packed, free_args)
        freed = NE(free, IntImm(INT32, 0))
        body = seq(IfThenElse(isnullptr(var), _throw_last_error()), node.body, IfThenElse(freed, _throw_last_error()))
        return LetStmt(var, memory, body, span=node.span)

    # calls

    @on(Call)
    def call(self, node: Call) -> Expr:
        name = _op_name(node)
        if name in _PACKED:
            return self.packed_call(node, name)
        if name == _TRACED:
            return self.traced_call(node)
        if name == _SHAPE:
            return self.shape(node)
        if name == _ARRAY:
            return self.array(node)
        if name in _DMA:
            function = self.device_function(name.removeprefix("tir."), node)
            return self.packed_call(Call(INT32, tvm_call_packed, (function, *node.args), span=node.span), _CALL)
        if name == "tir.tvm_context_id":
            return IntImm(node.dtype, 0)
        return self.descend(node)

    def packed_call(self, node: Call, name: str) -> Expr:
        """Return a call with its arguments on the stack, which are popped afterwards."""
        lowered, before = _PACKED[name]
        positions = _stack_arguments(node, self.convention)
        restored = replace(self.used)
        begin = self.used.arguments
        self.used.arguments += len(positions) + 1
        args = self.descend(node).args
        end = begin + len(positions)
        for slot, index in enumerate(positions, begin):
            self.set_argument(slot, args[index])
        self.before += self.stacks.end(end)
        self.used = restored
        extent = (IntImm(INT32, begin), IntImm(INT32, end))
        operands = (args[before], *self.stacks.call_operands(), *extent, *args[positions.stop :])
        if before == 0:
            return Call(node.dtype, Op.get(lowered), operands, span=node.span)
        self.before.append(Evaluate(Call(INT32, Op.get(lowered), operands, span=node.span)))
        return Call(INT32, any_list_move, (*args[:before], *self.stacks.call_operands(), extent[1]), span=node.span)

    def traced_call(self, node: Call) -> Expr:
        """Return a traced call, whose result is its last argument or the replacement of it."""
        begin = self.used.arguments
        self.used.arguments += len(node.args)
        args = self.descend(node).args
        end = begin + len(args) - 1
        for slot, arg in enumerate(args[1:], begin):
            self.set_argument(slot, arg)
        self.used.arguments = end
        extent = (IntImm(INT32, begin), IntImm(INT32, end))
        operands = (args[0], *self.stacks.call_operands(), *extent, args[-1])
        return Call(node.dtype, tvm_call_trace_packed_lowered, operands, span=node.span)

    def set_argument(self, place: int, arg: Expr) -> None:
        if isinstance(arg, Call) and arg.op is anylist_getitem:
            operands = (*arg.args, *self.stacks.call_operands(), IntImm(INT32, place))
            self.before.append(Evaluate(Call(INT32, any_list_set_arg, operands)))
        else:
            self.before += self.stacks.set_argument(place, arg)

    def shape(self, node: Call) -> Expr:
        """Return the address of a shape on the stack."""
        args = self.descend(node).args
        begin = self.used.shapes
        self.used.shapes += len(args)
        self.before += [self.stacks.set_shape(place, cast(INT64, arg)) for place, arg in enumerate(args, begin)]
        return self.stacks.shape_at(begin)

    def array(self, node: Call) -> Expr:
        """Return the address of an array on the stack."""
        place = self.used.arrays
        self.used.arrays += 1
        data, shape, strides, ndim, sample, offset = self.descend(node).args
        kind, number = self.device("an array", node)
        dtype = sample.dtype
        code, bits, lanes = self.stacks.type_of(dtype)
        if is_const(strides, 0):
            strides = reinterpret_(IntImm(UINT64, 0), dtype=HANDLE)
        if not is_const(offset, 0):
            offset = mul(offset, IntImm(offset.dtype, dtype.itemsize * dtype.lanes))
        values = {
            Field.DATA: data,
            Field.SHAPE: shape,
            Field.STRIDES: strides,
            Field.NDIM: ndim,
            Field.TYPE_CODE: IntImm(UINT8, code),
            Field.TYPE_BITS: IntImm(UINT8, bits),
            Field.TYPE_LANES: IntImm(UINT16, lanes),
            Field.BYTE_OFFSET: cast(UINT64, offset),
            Field.DEVICE_ID: number,
            Field.DEVICE_TYPE: kind,
        }
        self.before += [set_field(self.stacks.array, place, name, value) for name, value in values.items()]
        return get_field(self.stacks.array, place, Field.ARRAY)


_CALL: Final = "tir.tvm_call_packed"


def _throw_last_error() -> Stmt:
    return Evaluate(tvm_throw_last_error(dtype=INT32))
