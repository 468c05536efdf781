"""Calls of operators: dispatch, control, hints, pointers, functions of C and of LLVM."""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.codegen import CALL_RULES, NOTHING, Codegen, call_rule, rule
from tvmscript.backends.llvm.codegen.expressions import emit_choice
from tvmscript.backends.llvm.codegen.math_calls import emit_by_entry
from tvmscript.backends.llvm.codegen.memory import locate
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.types import element_bytes, integer_constant, memory_type, value_type
from tvmscript.ir.core.op import Op
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.intrin import Intrinsic

#: Hints that a CPU kernel may ignore.
_IGNORED = ("assume", "start_profile_intrinsic", "end_profile_intrinsic", "tvm_storage_sync", "prefetch")
#: For looking at a program while it runs.
_INTERPRETED = ("tir.print", "tir.breakpoint")


@rule(tir.Call)
def emit_call(cg: Codegen, node: tir.Call) -> str:
    op = node.op
    if not isinstance(op, Op):
        return CALL_RULES[type(op)](cg, node)
    rule = CALL_RULES.get(op.name)
    if rule is None and isinstance(op, Intrinsic) and op.llvm is not None:
        return emit_by_entry(cg, node, op.llvm)
    if rule is None:
        hint = 'only the interpreter has it: target="interp"' if op.name in _INTERPRETED else None
        raise NotSupportedByLLVM(what=f"the operator {op.name}", span=node.span, hint=hint)
    return rule(cg, node)


@call_rule("if_then_else")
def emit_if_then_else(cg: Codegen, node: tir.Call) -> str:
    return emit_choice(cg, node.args[0], node.args[1], node.args[2])


@call_rule("likely", "tvm_thread_invariant")
def emit_first_argument(cg: Codegen, node: tir.Call) -> str:
    return cg.expr(node.args[0])


@call_rule(*_IGNORED)
def emit_nothing(cg: Codegen, node: tir.Call) -> str:
    return integer_constant(node.dtype, 0) if node.dtype.is_integer else NOTHING


@call_rule("undef")
def emit_undef(cg: Codegen, node: tir.Call) -> str:
    return cg.text.value(f"freeze {value_type(node.dtype)} poison")


@call_rule("ret")
def emit_ret(cg: Codegen, node: tir.Call) -> str:
    cg.emit_return(node)
    cg.text.place(cg.text.label("after"))
    return NOTHING


@call_rule("address_of")
def emit_address_of(cg: Codegen, node: tir.Call) -> str:
    load = node.args[0]
    if isinstance(load, tir.BufferLoad):
        return locate(cg, load.buffer, load.indices, load.dtype).pointer
    raise NotSupportedByLLVM(what="address_of of something that is no element of a buffer", span=node.span)


@call_rule("isnullptr")
def emit_isnullptr(cg: Codegen, node: tir.Call) -> str:
    return cg.text.value(f"icmp eq ptr {cg.expr(node.args[0])}, null")


@call_rule("tvm_access_ptr")
def emit_access_ptr(cg: Codegen, node: tir.Call) -> str:
    kind, data, offset = node.args[:3]
    element = memory_type(kind.dtype)
    scale = f"[{kind.dtype.lanes} x {memory_type(kind.dtype.element)}]" if kind.dtype.lanes > 1 else element
    return cg.text.value(f"getelementptr {scale}, ptr {cg.expr(data)}, {cg.typed(offset)}")


@call_rule("call_extern", "call_pure_extern")
def emit_call_extern(cg: Codegen, node: tir.Call) -> str:
    name, *args = node.args
    if not isinstance(name, tir.StringImm):
        raise NotSupportedByLLVM(what="call_extern of a name that is no constant", span=node.span)
    kinds = ", ".join(value_type(arg.dtype) for arg in args)
    result = "void" if node.dtype.code == "void" else value_type(node.dtype)
    symbol = cg.program.text.declare(name.value, f"{result} {{}}({kinds})")
    call = f"call {result} ({kinds}) {symbol}({', '.join(cg.typed(arg) for arg in args)})"
    if result == "void":
        cg.text.do(call)
        return NOTHING
    return cg.text.value(call)


@call_rule("call_llvm_intrin", "call_llvm_pure_intrin")
def emit_call_llvm_intrin(cg: Codegen, node: tir.Call) -> str:
    """`call_llvm_intrin("llvm.fma", ...)`: LLVM completes the names of other overloads."""
    name, *args = node.args
    if not isinstance(name, tir.StringImm) or not name.value.startswith("llvm."):
        raise NotSupportedByLLVM(what="an LLVM intrinsic that is not given by its name", span=node.span)
    if args and isinstance(args[0], tir.IntImm) and args[0].dtype == "uint32" and len(args) > 1:
        args = args[1:]  # TVM writes the number of arguments first
    kinds = [value_type(arg.dtype) for arg in args]
    result = "void" if node.dtype.code == "void" else value_type(node.dtype)
    full = name.value
    if node.dtype.code != "void" and not full.startswith(("llvm.x86.", "llvm.aarch64.", "llvm.arm.", "llvm.riscv.")):
        lanes = f"v{node.dtype.lanes}" if node.dtype.lanes > 1 else ""
        suffix = f"{lanes}{'i' if node.dtype.is_integer else 'f'}{node.dtype.bits}"
        full = full if full.endswith(suffix) else f"{full}.{suffix}"
    symbol = cg.program.text.declare(full, f"{result} {{}}({', '.join(kinds)})")
    call = f"call {result} {symbol}({', '.join(cg.typed(arg) for arg in args)})"
    if result == "void":
        cg.text.do(call)
        return NOTHING
    return cg.text.value(call)


@call_rule("atomic_add")
def emit_atomic_add(cg: Codegen, node: tir.Call) -> str:
    pointer, value = node.args[0], node.args[1]
    op = "fadd" if value.dtype.is_floating else "add"
    operands = f"ptr {cg.expr(pointer)}, {cg.typed(value)}"
    return cg.text.value(f"atomicrmw {op} {operands} monotonic, align {element_bytes(value.dtype)}")
