"""What `tir.MakePackedAPI` and `tir.LowerTVMBuiltin` make: fields of structures, stacks, calls of what lies on them."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.calling_convention.abi import ANY_BYTES, FIELDS, NONE, ON_THE_STACK
from tvmscript.backends.llvm.calling_convention.argument_checks import SIGNATURES
from tvmscript.backends.llvm.calling_convention.packed_calls import PackedCalls
from tvmscript.backends.llvm.codegen.codegen import on, operators
from tvmscript.backends.llvm.codegen.intrinsics import NOTHING
from tvmscript.backends.llvm.codegen.parallel import Parallel
from tvmscript.backends.llvm.codegen.statements import ALIGNMENT, Owned
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.types import integer_constant
from tvmscript.ir.core.dtype import INT64, DType
from tvmscript.ir.core.op import Op
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir import stmt
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.transform.functions.runtime_fields import DTYPES, Field, packed_dtype

_CPU: Final = 1


class LoweredCalls(PackedCalls):
    """Statements with what the passes make of packed functions and packed calls, by tvm-ffi's convention."""

    def __init__(self, program: Program, text: FunctionText, name: str, outer: Parallel | None = None) -> None:
        super().__init__(program, text, name, outer)
        #: workspaces that are not freed yet
        self._workspaces: dict[tir.Var, Owned] = {}

    def inner(self) -> LoweredCalls:
        return LoweredCalls(self.program, FunctionText(self.program.text), self.name, self)

    def _field(self, node: tir.Call, value: DType) -> tuple[str, DType]:
        """The address of a field, and the dtype that it has in memory; `value` is that of what is read or set."""
        structure, place, which = node.args[:3]
        number = which.value if isinstance(which, tir.IntImm) else -1
        if value.lanes != 1:
            self.refuse(f"a field of a structure as {value}", node)
        if number not in FIELDS:
            self.refuse(f"the field {number} of a structure: tvm-ffi's convention does not have it", node)
        size, offset = FIELDS[number]
        base = self.expr(structure)
        distance = (
            str(place.value * size + offset)
            if isinstance(place, tir.IntImm)
            else self.text.value(f"add i64 {self.text.value(f'mul i64 {self.index(place)}, {size}')}, {offset}")
        )
        where = base if distance == "0" else self.text.value(f"getelementptr i8, ptr {base}, i64 {distance}")
        return where, DTYPES.get(Field(number)) or packed_dtype(value)

    @operators("tvm_struct_get")
    def _get_field(self, node: tir.Call) -> str:
        where, dtype = self._field(node, node.dtype)
        which = node.args[2]
        if isinstance(which, tir.IntImm) and which.value == Field.ARRAY:
            return where
        return self.convert.cast(self.load(where, dtype), dtype, node.dtype)

    @operators("tvm_struct_set")
    def _set_field(self, node: tir.Call) -> str:
        value = node.args[3]
        where, dtype = self._field(node, value.dtype)
        self.store(where, self.convert.cast(self.expr(value), value.dtype, dtype), dtype)
        return integer_constant(node.dtype, 0)

    @operators("handle_add_byte_offset")
    def _behind(self, node: tir.Call) -> str:
        handle, offset = node.args
        return self.text.value(f"getelementptr i8, ptr {self.expr(handle)}, i64 {self.index(offset)}")

    @operators("tvm_stack_alloca")
    def _on_the_stack(self, node: tir.Call) -> str:
        kind, count = node.args
        name = kind.value if isinstance(kind, tir.StringImm) else ""
        if name not in ON_THE_STACK or not isinstance(count, tir.IntImm):
            self.refuse(f"{count} places for {kind} on the stack: tvm-ffi's convention does not have them", node)
        return self.text.slot(f"[{max(count.value, 1) * ON_THE_STACK[name]} x i8], align 8")

    @operators("tvm_call_packed_lowered")
    def _lowered_call(self, node: tir.Call) -> str:
        name, first, count = self._stacked(node)
        function = self.global_function(name)
        call = self.program.text.declare("tvmscript_call", SIGNATURES["tvmscript_call"])
        return self._called(f"{call}(ptr {function}, ptr {first}, i32 {count}", node.dtype)

    @operators("tvm_call_cpacked_lowered")
    def _lowered_c_call(self, node: tir.Call) -> str:
        name, first, given = self._stacked(node)
        symbol, count = self.c_function(name, given)
        return self._called(f"{symbol}(ptr null, ptr {first}, i32 {count}", node.dtype)

    def _stacked(self, node: tir.Call) -> tuple[str, str, int]:
        """What a call on a stack calls, the address of its first argument, and how many these are."""
        if len(node.args) != 4:
            self.refuse("a packed call by another convention than tvm-ffi's", node)
        name, stack, begin, end = node.args
        if not isinstance(name, tir.StringImm) or not isinstance(begin, tir.IntImm) or not isinstance(end, tir.IntImm):
            self.refuse("a packed call whose name or place on the stack is no constant", node)
        first = self.text.value(f"getelementptr i8, ptr {self.expr(stack)}, i64 {begin.value * ANY_BYTES}")
        return name.value, first, end.value - begin.value

    def _called(self, call: str, dtype: DType) -> str:
        """The result of a call that is written up to where its result goes."""
        result = self.text.slot("{ i64, i64 }, align 8")
        self.text.do(f"store i64 {NONE}, ptr {result}, align 8")
        self.check(self.text.value(f"call i32 {call}, ptr {result})"))
        return self.unbox(result, dtype)

    @operators("tvm_throw_last_error")
    def _throw(self, node: tir.Call) -> str:
        self.leave("-1")
        self.text.place(self.text.label("after"))
        return integer_constant(node.dtype, 0) if node.dtype.is_integer else "null" if node.dtype.is_handle else NOTHING

    @on(stmt.LetStmt)
    def _let_statement(self, node: stmt.LetStmt) -> None:
        value = node.value
        if not isinstance(value, tir.Call) or _name(value) != "tir.TVMBackendAllocWorkspace":
            self.bind(node.var, value)
            self.statement(node.body)
            return
        self._workspace(node.var, value, node.body)

    def _workspace(self, data: tir.Var, node: tir.Call, body: Stmt) -> None:
        """Memory that the program frees; ways out before that free it, too."""
        self._require_cpu(node)
        size = self.convert.cast(self.expr(node.args[2]), node.args[2].dtype, INT64)
        padded = self.text.value(f"add i64 {self.overloaded('llvm.umax', INT64, [size, '1'])}, {ALIGNMENT - 1}")
        self.env[data] = pointer = self.claim(self.text.value(f"and i64 {padded}, {-ALIGNMENT}"), data)
        self.exclusive.add(data)
        memory = Owned(self.text.label("freed"))
        self.owned.append(memory)
        self._workspaces[data] = memory
        self.statement(body)
        if memory in self.owned:
            self.refuse(f"the workspace {data.name}, which is not freed where it is last used", node)
        if memory.is_left:
            after = self.text.label("after")
            self.text.jump(after)
            self.text.place(memory.way_out)
            self.free(pointer)
            self.unwind()
            self.text.place(after)

    @operators("TVMBackendFreeWorkspace")
    def _free_workspace(self, node: tir.Call) -> str:
        self._require_cpu(node)
        data = node.args[2]
        memory = self._workspaces.get(data) if isinstance(data, tir.Var) else None
        if memory is None or not self.owned or self.owned[-1] is not memory:
            self.refuse("freeing something else than the workspace that was allocated last", node)
        self.owned.pop()
        self.free(self.expr(data))
        return integer_constant(node.dtype, 0)

    def _require_cpu(self, node: tir.Call) -> None:
        kind: Expr = node.args[0]
        if not isinstance(kind, tir.IntImm) or kind.value != _CPU:
            self.refuse("memory of another device than the CPU", node)


def _name(node: tir.Call) -> str:
    return node.op.name if isinstance(node.op, Op) else ""
