"""External calls: C functions, packed functions of the runtime, LLVM intrinsics."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tvmscript.ir.core import HANDLE, INT32, CallEffect, DType, Op, Span
from tvmscript.ir.core.errors import WrongArgumentCount, WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Call, StringImm
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, offer, script_intrinsic, surface
from tvmscript.ir.tir.intrin.memory import tvm_stack_make_array, tvm_stack_make_shape
from tvmscript.ir.tir.operators import as_expr, const

UPDATE = CallEffect.UPDATE_STATE


#: the types at the end of an overloaded LLVM intrinsic's name: `.v4i32.v8i16`, `.f32`, `.p0`
_OVERLOAD = re.compile(r"(?:\.(?:(?:nxv|v)\d+)?(?:[iuf]\d+|bf16|p\d+))+$")
#: targets whose intrinsics have types in their names that are no overloads: `llvm.nvvm.fma.rn.f16`
_OWN_TYPES = ("llvm.nvvm.", "llvm.amdgcn.")


def _without_overload(name: str) -> str:
    """The name of an LLVM intrinsic itself: its overload is told by the arguments. `llvm.ctpop.i8` is `llvm.ctpop`."""
    return name if name.startswith(_OWN_TYPES) else _OVERLOAD.sub("", name)


class _LLVMCall(Intrinsic):
    __slots__ = ()

    def __call__(self, *args: object, dtype: DType | str | None = None, span: Span | None = None) -> Call:
        if args and isinstance(args[0], str):
            args = (_without_overload(args[0]), *args[1:])
        return super().__call__(*args, dtype=dtype, span=span)


def _typed_call(
    name: str, first: str, doc: str, effect: CallEffect = UPDATE, kind: type[Intrinsic] = Intrinsic
) -> Intrinsic:
    return offer(kind(name, f"{first} *args", None, effect=effect, dtype_position="first", doc=doc), typed=True)


call_extern = _typed_call("call_extern", "func_name", "Call a C function by name.")
call_pure_extern = _typed_call("call_pure_extern", "func_name", "Call a C function without effects.", CallEffect.PURE)
# The second argument is the intrinsic's name ("llvm.fma"); TVM keeps LLVM's number of it, which no other LLVM knows.
call_llvm_intrin = _typed_call("call_llvm_intrin", "name", "Call an intrinsic of LLVM.", kind=_LLVMCall)
call_llvm_pure_intrin = _typed_call(
    "call_llvm_pure_intrin", "name", "Call an intrinsic of LLVM without effects.", CallEffect.PURE, _LLVMCall
)
call_spirv_pure_glsl450 = Intrinsic(
    "call_spirv_pure_glsl450",
    "*args",
    lambda args: args[-1].dtype,
    doc="Call a GLSL instruction of SPIR-V: its number, its arguments.",
)


@surface("llvm_lookup_intrinsic_id")
def llvm_lookup_intrinsic_id(name: str, span: Span | None = None) -> str:
    """The name itself, without an overload's types: intrinsics of LLVM are known by name here."""
    return _without_overload(name)


@surface("call_intrin")
def call_intrin(*args: object, dtype: object = None, span: Span | None = None) -> Expr:
    """`T.call_intrin(dtype, "tir.exp", x)`: a call of the operator of this name. Raises `UnknownName`."""
    given = args if dtype is None else (dtype, *args)
    if len(given) < 2:
        raise WrongArgumentCount(
            where="T.call_intrin", expected="a dtype and an operator's name", got=len(given), span=span
        )
    result, name, *values = given
    if not isinstance(result, str) or not isinstance(name, (str, Op)):
        raise WrongType(where="T.call_intrin", expected="a dtype and an operator's name", got=repr(name), span=span)
    op = name if isinstance(name, Op) else Op.get(name)
    return Call(DType(result), op, tuple(as_expr(value, None, span) for value in values), span)


def pack_buffer(buffer: Buffer, span: Span | None = None) -> Expr:
    """A buffer as the array structure that packed functions take."""
    shape = tvm_stack_make_shape(*buffer.shape, span=span)
    strides: object = tvm_stack_make_shape(*buffer.strides, span=span) if buffer.strides else 0
    sample = const(0, buffer.dtype, span)
    return tvm_stack_make_array(buffer.data, shape, strides, len(buffer.shape), sample, buffer.elem_offset, span=span)


def _packed(name: str, doc: str) -> Intrinsic:
    short = name.removeprefix("tvm_")
    entry = Intrinsic(name, "*args", INT32, least_inputs=1, effect=UPDATE, script_name=short, doc=doc)

    def build(*args: object, dtype: object = None, span: Span | None = None) -> Expr:
        return entry(*(pack_buffer(arg, span) if isinstance(arg, Buffer) else arg for arg in args), span=span)

    build.__name__ = build.__qualname__ = short
    build.__doc__ = f"{doc} Buffers are handed over as arrays."
    surface(short, name)(build)
    return entry


tvm_call_packed = _packed("tvm_call_packed", "Call a function of the runtime by name.")
tvm_call_cpacked = _packed("tvm_call_cpacked", "Call a C function with the packed calling convention.")
tvm_call_packed_lowered = _packed("tvm_call_packed_lowered", "A packed call with its stacks of values and types.")
tvm_call_cpacked_lowered = _packed("tvm_call_cpacked_lowered", "A C packed call with its stacks.")
tvm_call_trace_packed = Intrinsic(
    "tvm_call_trace_packed",
    "*args",
    lambda args: args[-1].dtype,
    effect=UPDATE,
    doc="A packed call that traces a value.",
)
tvm_call_trace_packed_lowered = Intrinsic(
    "tvm_call_trace_packed_lowered",
    "*args",
    lambda args: args[-1].dtype,
    effect=UPDATE,
    doc="A traced call with its stacks.",
)
tvm_check_return = script_intrinsic(
    "tvm_check_return", "expected return_unexpected nested_call", INT32, doc="Check the value that a call returned."
)
tvm_throw_last_error = script_intrinsic(
    "tvm_throw_last_error", "", HANDLE, effect=UPDATE, doc="Raise the error that was recorded last."
)
tvm_context_id = Intrinsic("tvm_context_id", "", INT32, effect=CallEffect.READ_STATE, doc="The number of the context.")
tvm_thread_context = Intrinsic("tvm_thread_context", "ctx", None, effect=UPDATE, doc="The context of a thread.")

anylist_getitem = script_intrinsic(
    "anylist_getitem",
    "list_handle index",
    HANDLE,
    num_inputs=-1,
    effect=CallEffect.READ_STATE,
    doc="An item of a list of the runtime.",
)
anylist_resetitem = script_intrinsic(
    "anylist_resetitem", "list_handle index", INT32, num_inputs=-1, effect=UPDATE, doc="Drop an item of a list."
)
anylist_setitem_call_packed = script_intrinsic(
    "anylist_setitem_call_packed",
    "list_handle index func_name *args",
    INT32,
    effect=UPDATE,
    doc="Store the result of a packed function in a list.",
)
anylist_setitem_call_cpacked = script_intrinsic(
    "anylist_setitem_call_cpacked",
    "list_handle index func_name *args",
    INT32,
    effect=UPDATE,
    doc="Store the result of a C packed function in a list.",
)
any_list_move = Intrinsic(
    "TVMBackendAnyListMoveFromPackedReturn",
    "list index ret",
    INT32,
    effect=UPDATE,
    script_name="",
    doc="Move a returned value into a list.",
)
any_list_set_arg = Intrinsic(
    "TVMBackendAnyListSetPackedArg",
    "list index values types position",
    INT32,
    least_inputs=4,  # 0.27 has values and types in one
    effect=UPDATE,
    script_name="",
    doc="Pass an item of a list as an argument.",
)


def trace(args: Sequence[object], trace_action: str = "tvm.default_trace_action") -> Call:
    """Return a call that shows values to a function of the runtime, and has the last of them as its value."""
    values = [as_expr(arg) for arg in args]
    return Call(values[-1].dtype, tvm_call_trace_packed, (StringImm(trace_action), *values))
