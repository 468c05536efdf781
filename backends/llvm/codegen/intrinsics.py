"""Calls of operators: dispatch, control, hints, pointers, functions of C and of LLVM."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.backends.llvm.codegen.codegen import NOTHING, Codegen, call_rule, rule
from tvmscript.backends.llvm.codegen.expressions import emit_choice
from tvmscript.backends.llvm.codegen.math_calls import emit_by_entry
from tvmscript.backends.llvm.codegen.memory import locate
from tvmscript.backends.llvm.codegen.tile_registers import configure_tiles
from tvmscript.backends.llvm.errors import NotSupportedByLLVM, WrongIntrinsicCall
from tvmscript.backends.llvm.linked_code import is_known
from tvmscript.backends.llvm.llvm_intrinsics import VECTORS_OF_HALF_ON_X86, Signature, WrongCall, signatures
from tvmscript.backends.llvm.types import element_bytes, integer_constant, is_encoded, memory_type, value_type
from tvmscript.ir.core import Op, closest
from tvmscript.ir.tir import Expr
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
        return cg.call_rules[type(op)](cg, node)
    rule = cg.call_rules.get(op.name)
    if rule is None and isinstance(op, Intrinsic) and op.llvm is not None:
        return emit_by_entry(cg, node, op.llvm)
    if rule is None:
        hint = 'only the interpreter has it: target="interp"' if op.name in _INTERPRETED else None
        cg.refuse(f"the operator {op.name}", node, hint)
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
    return cg.text.value(f"icmp eq ptr {_pointer(cg, node, node.args[0])}, null")


def _pointer(cg: Codegen, node: tir.Call, arg: Expr) -> str:
    """Write an argument that has to be a pointer. Raises `NotSupportedByLLVM`."""
    if not arg.dtype.is_handle:
        op = node.op.name if isinstance(node.op, Op) else "a call"
        raise NotSupportedByLLVM(what=f"{op} of a {arg.dtype} where a pointer has to be", span=node.span)
    return cg.expr(arg)


@call_rule("tvm_access_ptr")
def emit_access_ptr(cg: Codegen, node: tir.Call) -> str:
    kind, data, offset = node.args[:3]
    element = memory_type(kind.dtype)
    scale = f"[{kind.dtype.lanes} x {memory_type(kind.dtype.element)}]" if kind.dtype.lanes > 1 else element
    if not offset.dtype.is_integer or offset.dtype.lanes > 1:
        raise NotSupportedByLLVM(what=f"tvm_access_ptr with an offset of {offset.dtype}", span=node.span)
    return cg.text.value(f"getelementptr {scale}, ptr {_pointer(cg, node, data)}, {cg.typed(offset)}")


@call_rule("call_extern", "call_pure_extern")
def emit_call_extern(cg: Codegen, node: tir.Call) -> str:
    name, *args = node.args
    if not isinstance(name, tir.StringImm):
        raise NotSupportedByLLVM(what="call_extern of a name that is no constant", span=node.span)
    cg.program.refuse_name(name.value, node.span)
    signature = f"{_result_type(node)} {{}}({', '.join(value_type(arg.dtype) for arg in args)})"
    return _call(cg, node, cg.program.text.declare(name.value, signature), args)


@call_rule("call_llvm_intrin", "call_llvm_pure_intrin")
def emit_call_llvm_intrin(cg: Codegen, node: tir.Call) -> str:
    """`call_llvm_intrin("llvm.fma", ...)`: the arguments complete the name of an overloaded intrinsic."""
    name, *args = node.args
    if not isinstance(name, tir.StringImm) or not name.value.startswith("llvm."):
        raise NotSupportedByLLVM(what="an LLVM intrinsic that is not given by its name", span=node.span)
    signature = _signature(cg, name.value, node)
    if len(args) == len(signature.params) + 1 and isinstance(args[0], tir.IntImm) and args[0].dtype == "uint32":
        args = args[1:]  # TVM writes the number of arguments first
    try:
        full = signature.resolve(node.dtype, args)
    except WrongCall as error:
        raise WrongIntrinsicCall(name=name.value, signature=signature.text, reason=str(error), span=node.span) from None
    target = cg.program.target
    feature = VECTORS_OF_HALF_ON_X86.get(name.value)
    is_vector_of_half = node.dtype.lanes > 1 and node.dtype.element == "float16"
    if feature and is_vector_of_half and target.is_x86 and not target.has_feature(feature):
        raise NotSupportedByLLVM(what=f"{name.value} of {node.dtype} for a processor without {feature}", span=node.span)
    if signature.uses_tiles:
        configure_tiles(cg)
    declared = f"{_result_type(node)} {{}}({', '.join(value_type(arg.dtype) for arg in args)})"
    return _call(cg, node, cg.program.text.declare(full, declared), args)


def _signature(cg: Codegen, name: str, node: tir.Call) -> Signature:
    """Return the signature of an intrinsic that the target has. Raises `NotSupportedByLLVM`."""
    signature = signatures().get(name)
    if signature is None:
        raise NotSupportedByLLVM(
            what=f"the LLVM intrinsic {name}", span=node.span, hint=closest(name, list(signatures()))
        )
    library = signature.library_function
    if library and cg.program.target.is_host and not (is_known(library) and is_known(f"{library}f")):
        hint = f"LLVM needs the C function {library} for it, which is not loaded in this process"
        raise NotSupportedByLLVM(what=f"the LLVM intrinsic {name}", span=node.span, hint=hint)
    if signature.feature and not cg.program.target.has_feature(signature.feature):
        hint = f'build for a processor that has {signature.feature}: target="llvm -mattr=+{signature.feature}"'
        raise NotSupportedByLLVM(what=f"{name} for a processor without {signature.feature}", span=node.span, hint=hint)
    return signature


def _result_type(node: tir.Call) -> str:
    return "void" if node.dtype.code == "void" else value_type(node.dtype)


def _call(cg: Codegen, node: tir.Call, symbol: str, args: Sequence[Expr]) -> str:
    """Write a call of a declared function; return the operand of its value."""
    kinds = ", ".join(value_type(arg.dtype) for arg in args)
    call = f"call {_result_type(node)} ({kinds}) {symbol}({', '.join(cg.typed(arg) for arg in args)})"
    if node.dtype.code == "void":
        cg.text.do(call)
        return NOTHING
    return cg.text.value(call)


@call_rule("atomic_add")
def emit_atomic_add(cg: Codegen, node: tir.Call) -> str:
    pointer, value = node.args[0], node.args[1]
    if is_encoded(value.dtype) or value.dtype.lanes > 1 or value.dtype.bits % 8:
        raise NotSupportedByLLVM(what=f"atomic_add of {value.dtype}", span=node.span)
    op = "fadd" if value.dtype.is_floating else "add"
    operands = f"ptr {_pointer(cg, node, pointer)}, {cg.typed(value)}"
    return cg.text.value(f"atomicrmw {op} {operands} monotonic, align {element_bytes(value.dtype)}")
