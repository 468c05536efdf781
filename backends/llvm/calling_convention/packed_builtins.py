"""Builtins of `tir.MakePackedAPI` and `tir.LowerTVMBuiltin`: struct fields, stack arrays, lowered packed calls."""

from __future__ import annotations

from tvmscript.backends.llvm.calling_convention.abi import ANY_BYTES, FIELDS, NONE, ON_THE_STACK
from tvmscript.backends.llvm.calling_convention.call_stubs import SIGNATURES
from tvmscript.backends.llvm.calling_convention.packed_calls import find_c_function, load_global_function, unbox
from tvmscript.backends.llvm.codegen.arithmetic import emit_index
from tvmscript.backends.llvm.codegen.codegen import NOTHING, Codegen, call_rule
from tvmscript.backends.llvm.codegen.memory import load, store
from tvmscript.backends.llvm.types import integer_constant
from tvmscript.ir.core import DType
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.transform.calling_convention.runtime_fields import DTYPES, Field, packed_dtype


def _field_address(cg: Codegen, node: tir.Call, value: DType) -> tuple[str, DType]:
    """Return the address of a field, and the dtype that it has in memory; `value` is that of what is read or set."""
    structure, place, which = node.args[:3]
    number = which.value if isinstance(which, tir.IntImm) else -1
    if value.lanes != 1:
        cg.refuse(f"a field of a structure as {value}", node)
    if number not in FIELDS:
        cg.refuse(f"the field {number} of a structure: tvm-ffi's convention does not have it", node)
    size, offset = FIELDS[number]
    base = cg.expr(structure)
    distance = (
        str(place.value * size + offset)
        if isinstance(place, tir.IntImm)
        else cg.text.value(f"add i64 {cg.text.value(f'mul i64 {emit_index(cg, place)}, {size}')}, {offset}")
    )
    where = base if distance == "0" else cg.text.value(f"getelementptr i8, ptr {base}, i64 {distance}")
    return where, DTYPES.get(Field(number)) or packed_dtype(value)


@call_rule("tvm_struct_get")
def emit_struct_get(cg: Codegen, node: tir.Call) -> str:
    where, dtype = _field_address(cg, node, node.dtype)
    which = node.args[2]
    if isinstance(which, tir.IntImm) and which.value == Field.ARRAY:
        return where
    return cg.convert.cast(load(cg, where, dtype), dtype, node.dtype)


@call_rule("tvm_struct_set")
def emit_struct_set(cg: Codegen, node: tir.Call) -> str:
    value = node.args[3]
    where, dtype = _field_address(cg, node, value.dtype)
    store(cg, where, cg.convert.cast(cg.expr(value), value.dtype, dtype), dtype)
    return integer_constant(node.dtype, 0)


@call_rule("handle_add_byte_offset")
def emit_add_byte_offset(cg: Codegen, node: tir.Call) -> str:
    handle, offset = node.args
    return cg.text.value(f"getelementptr i8, ptr {cg.expr(handle)}, i64 {emit_index(cg, offset)}")


@call_rule("tvm_stack_alloca")
def emit_stack_alloca(cg: Codegen, node: tir.Call) -> str:
    kind, count = node.args
    name = kind.value if isinstance(kind, tir.StringImm) else ""
    if name not in ON_THE_STACK or not isinstance(count, tir.IntImm):
        cg.refuse(f"{count} places for {kind} on the stack: tvm-ffi's convention does not have them", node)
    return cg.text.slot(f"[{max(count.value, 1) * ON_THE_STACK[name]} x i8], align {64 if name == 'tensormap' else 8}")


@call_rule("tvm_call_packed_lowered")
def emit_call_packed_lowered(cg: Codegen, node: tir.Call) -> str:
    name, first, count = _stacked_arguments(cg, node)
    function = load_global_function(cg, name)
    call = cg.program.text.declare("tvmscript_call", SIGNATURES["tvmscript_call"])
    return _emit_call(cg, f"{call}(ptr {function}, ptr {first}, i32 {count}", node.dtype)


@call_rule("tvm_call_cpacked_lowered")
def emit_call_cpacked_lowered(cg: Codegen, node: tir.Call) -> str:
    name, first, given = _stacked_arguments(cg, node)
    symbol, count = find_c_function(cg, name, given)
    return _emit_call(cg, f"{symbol}(ptr null, ptr {first}, i32 {count}", node.dtype)


def _stacked_arguments(cg: Codegen, node: tir.Call) -> tuple[str, str, int]:
    """Return callee, address of the first argument and number of arguments of a call on a stack."""
    if len(node.args) != 4:
        cg.refuse("a packed call by another convention than tvm-ffi's", node)
    name, stack, begin, end = node.args
    if not isinstance(name, tir.StringImm) or not isinstance(begin, tir.IntImm) or not isinstance(end, tir.IntImm):
        cg.refuse("a packed call whose name or place on the stack is no constant", node)
    first = cg.text.value(f"getelementptr i8, ptr {cg.expr(stack)}, i64 {begin.value * ANY_BYTES}")
    return name.value, first, end.value - begin.value


def _emit_call(cg: Codegen, call: str, dtype: DType) -> str:
    """Complete a call with the slot of its result, check its status and return the result."""
    result = cg.text.slot("{ i64, i64 }, align 8")
    cg.text.do(f"store i64 {NONE}, ptr {result}, align 8")
    cg.check(cg.text.value(f"call i32 {call}, ptr {result})"))
    return unbox(cg, result, dtype)


@call_rule("tvm_throw_last_error")
def emit_throw_last_error(cg: Codegen, node: tir.Call) -> str:
    cg.leave("-1")
    cg.text.place(cg.text.label("after"))
    return integer_constant(node.dtype, 0) if node.dtype.is_integer else "null" if node.dtype.is_handle else NOTHING
