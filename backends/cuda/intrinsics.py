"""Calls: forms of the intrinsics' entries, and operators whose text depends on their arguments."""

from __future__ import annotations

from functools import cache
from typing import Final

from tvmscript.backends.c.intrinsics import write_call as write_c_call
from tvmscript.backends.c.types import PRIMARY, UNARY, Value, string_literal
from tvmscript.backends.cuda.codegen import NARROW_FLOATS, CudaCodegen, call_rule, rule
from tvmscript.backends.cuda.pointers import pointer_to
from tvmscript.backends.cuda.ptx import write_ptx
from tvmscript.ir.arith.fold import mul
from tvmscript.ir.core import FLOAT32, FLOAT64, INT32, INT64, DType, GlobalVar, Op
from tvmscript.ir.core.dtype import HANDLE, VOID
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.intrin import Intrinsic
from tvmscript.ir.tir.intrin.debugging import fields_of
from tvmscript.ir.tir.intrin.device import DeviceInstruction

NOTHING: Final = Value("0", PRIMARY, INT32)


@rule(tir.Call)
def write_call(cg: CudaCodegen, node: tir.Call) -> Value:
    op = node.op
    if isinstance(op, GlobalVar):
        raise cg.refusal(f"a call of {op.name_hint} in a kernel", node.span)
    if isinstance(op, DeviceInstruction) and op.path.startswith("ptx.") and op.cuda is None:
        return write_ptx(cg, node, op.path)
    if isinstance(op, (Intrinsic, DeviceInstruction)) and op.cuda is not None:
        return _fill_in(cg, node, op, op.cuda)
    return write_c_call(cg, node)


def _fill_in(cg: CudaCodegen, node: tir.Call, op: Intrinsic | DeviceInstruction, form: str) -> Value:
    """Write the form of an operator with its arguments."""
    names = [name if isinstance(name, str) else name.name for name in op.params]
    texts = [_argument(cg, arg) for arg in node.args]
    named = {name: text for name, text in zip(names, texts, strict=False) if name.isidentifier()}
    try:
        text = form.format(*texts, **named)
    except (KeyError, IndexError):
        raise cg.refusal(f"the operator {op.name} with {len(texts)} arguments", node.span) from None
    if form.isidentifier():  # a statement: break, continue, return
        cg.line(f"{text};")
        return NOTHING
    return Value(text, PRIMARY if form[-1] == ")" and form[0] != "(" else UNARY, node.dtype)


def _argument(cg: CudaCodegen, arg: Expr) -> str:
    if isinstance(arg, tir.StringImm):
        return string_literal(arg.value)
    value = cg.expr(arg)
    return value.text if value.level >= UNARY or value.text.isidentifier() else f"({value.text})"


# -- threads


#: storage scope -> barrier of the threads that share it
_BARRIERS: Final = {"shared": "__syncthreads()", "shared.dyn": "__syncthreads()", "warp": "__syncwarp()"}


@call_rule("tvm_storage_sync")
def write_storage_sync(cg: CudaCodegen, node: tir.Call) -> Value:
    """Wait for the threads that share memory; what reads it asynchronously sees what was written before."""
    scope = node.args[0]
    barrier = _BARRIERS.get(scope.value) if isinstance(scope, tir.StringImm) else None
    if barrier is None:
        hint = getattr(scope, "value", scope)
        raise cg.refusal(f"a barrier of the scope {hint!r}; T.cuda.grid_sync() waits for all blocks", node.span)
    if cg.has_async_reads and barrier == "__syncthreads()":
        cg.line("async_proxy_fence();")
    return Value(barrier, PRIMARY, INT32)


@call_rule("ret")
def write_return(cg: CudaCodegen, node: tir.Call) -> Value:
    """End this thread: a kernel returns nothing."""
    cg.line("return;")
    return NOTHING


@call_rule("dp4a")
def write_dot_product(cg: CudaCodegen, node: tir.Call) -> Value:
    """Pass vectors of four bytes as words: signed ones, unless both vectors are unsigned."""
    *vectors, total = node.args
    word = "int32_t" if any(vector.dtype.is_signed for vector in vectors) else "uint32_t"
    words = [f"reinterpret<{word}>({cg.expr(vector).text})" for vector in vectors]
    text = f"__dp4a({', '.join(words)}, ({word}){_argument(cg, total)})"
    return Value(f"(int32_t){text}" if word == "uint32_t" else text, UNARY, node.dtype)


@call_rule("print")
def write_print(cg: CudaCodegen, node: tir.Call) -> Value:
    text, *values = node.args
    assert isinstance(text, tir.StringImm)
    pieces: list[str] = []
    numbers = iter(values)
    listed: list[str] = []
    for literal, spec in fields_of(text.value):
        pieces.append(literal.replace("%", "%%"))
        if spec is not None:
            conversion, argument = _printed(cg, next(numbers), spec)
            pieces.append(conversion)
            listed.append(argument)
    written = string_literal("".join(pieces) + "\n")
    return Value(f"printf({', '.join([written, *listed])})", PRIMARY, INT32)


def _printed(cg: CudaCodegen, value: Expr, spec: str) -> tuple[str, str]:
    """Return the conversion of `printf` for a value, and the argument."""
    text = cg.expr(value)
    if value.dtype.is_floating:
        return f"%{spec}" if spec else "%g", text.as_type(FLOAT64).text
    if value.dtype.is_handle:
        return "%p", text.text
    wide = INT64 if value.dtype.is_signed else DType("uint64")
    return f"%ll{'d' if value.dtype.is_signed else 'u'}", text.as_type(wide).text


@call_rule("cuda.printf")
def write_printf(cg: CudaCodegen, node: tir.Call) -> Value:
    return Value(f"printf({', '.join(_argument(cg, arg) for arg in node.args)})", PRIMARY, INT32)


@call_rule("cuda.ldg")
def write_ldg(cg: CudaCodegen, node: tir.Call) -> Value:
    address, *_ = node.args
    kind = cg.type_name(node.dtype, node.span)
    return Value(f"*(const {kind} *){cg.expr(address).inside(UNARY)}", UNARY, node.dtype)


@call_rule("cuda.func_call")
def write_func_call(cg: CudaCodegen, node: tir.Call) -> Value:
    """Call a function whose text the program gives."""
    name, *args, source = node.args
    if not isinstance(name, tir.StringImm) or not isinstance(source, tir.StringImm):
        raise cg.refusal("T.cuda.func_call without a name and a text", node.span)
    cg.program.imports[source.value.rstrip() + "\n"] = None
    return Value(f"{name.value}({', '.join(_argument(cg, arg) for arg in args)})", PRIMARY, node.dtype)


@call_rule("cuda.mov_sreg")
def write_special_register(cg: CudaCodegen, node: tir.Call) -> Value:
    register = node.args[1]
    if not isinstance(register, tir.StringImm):
        raise cg.refusal("T.cuda.mov_sreg of a name that is no constant", node.span)
    bits = node.dtype.bits
    name = cg.names.fresh(register.value.strip("%").replace(".", "_"))
    cg.line(f"{cg.declare(node.dtype, name)};")
    letter = "l" if bits == 64 else "r"
    register_name = register.value if register.value.startswith("%") else f"%{register.value}"
    cg.line(f'asm volatile("mov.u{bits} %0, %{register_name};" : "={letter}"({name}));')
    return Value(name, PRIMARY, node.dtype)


#: operator of T.cuda.warp_reduce -> function of two values
_REDUCERS: Final = {"sum": "Sum", "add": "Sum", "max": "Max", "min": "Min"}


@call_rule("cuda.warp_reduce")
def write_warp_reduce(cg: CudaCodegen, node: tir.Call) -> Value:
    value, kind, width = node.args
    reducer = _REDUCERS.get(kind.value) if isinstance(kind, tir.StringImm) else None
    if reducer is None:
        raise cg.refusal("a reduction that is none of sum, max, min", node.span)
    text = f"warp_reduce<{reducer}, {cg.expr(width).text}>({cg.expr(value).text})"
    return Value(text, PRIMARY, node.dtype)


# -- functions by name


@cache
def _narrow_functions() -> dict[str, str]:
    """Return CUDA's functions of narrow floats, with those of float32 that compute them here."""
    tables = [
        op.functions["cuda"] for op in Op.registry.values() if isinstance(op, Intrinsic) and "cuda" in op.functions
    ]
    return {names["float16"]: names["float32"] for names in tables if "float16" in names}


@call_rule("call_extern", "call_pure_extern")
def write_call_extern(cg: CudaCodegen, node: tir.Call) -> Value:
    name, *args = node.args
    if not isinstance(name, tir.StringImm) or not name.value.isidentifier():
        raise cg.refusal("call_extern of a name that is no constant", node.span)
    wide = _narrow_functions().get(name.value) if node.dtype in NARROW_FLOATS else None
    if wide is not None:
        listed = ", ".join(cg.expr(arg).as_type(FLOAT32).text for arg in args)
        return Value(f"{wide}({listed})", PRIMARY, FLOAT32).as_type(node.dtype)
    if node.dtype is not VOID:
        cg.type_name(node.dtype, node.span)
    return Value(f"{name.value}({', '.join(_argument(cg, arg) for arg in args)})", PRIMARY, node.dtype)


@call_rule("prefetch")
def write_prefetch(cg: CudaCodegen, node: tir.Call) -> Value:
    return NOTHING


@call_rule("type_annotation")
def write_type(cg: CudaCodegen, node: tir.Call) -> Value:
    return NOTHING


@call_rule("tvm_access_ptr")
def write_access_ptr(cg: CudaCodegen, node: tir.Call) -> Value:
    """Write a pointer to elements of the type that the first argument names."""
    kind, data, offset = node.args[:3]
    dtype = DType(kind.value) if isinstance(kind, tir.StringImm) else kind.dtype
    return Value(pointer_to(cg, data, mul(offset, tir.IntImm(offset.dtype, dtype.lanes)), dtype.element), UNARY, HANDLE)
