"""Operators that TVM has since 0.27, for parsing and printing; backends refuse those without a rule."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.core import BOOL, HANDLE, INT32, VOID, CallEffect, DType, PointerType, PrimType, Span
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import BufferLoad, Call, StringImm, Var
from tvmscript.ir.tir.intrin.control import tvm_tuple
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, offer, same_as_first, script_intrinsic, surface
from tvmscript.ir.tir.intrin.memory import address_of, type_annotation
from tvmscript.ir.tir.operators import as_expr

UPDATE = CallEffect.UPDATE_STATE
JUMP = CallEffect.CONTROL_JUMP

break_loop = script_intrinsic("break_loop", "", VOID, effect=JUMP, cuda="break", doc="Leave the innermost loop.")
continue_loop = script_intrinsic(
    "continue_loop", "", VOID, effect=JUMP, cuda="continue", doc="Continue with the next iteration."
)
thread_return = script_intrinsic(
    "thread_return", "", VOID, effect=JUMP, cuda="return", doc="End this thread of the device."
)
kernel_replace_point = script_intrinsic(
    "tvm_kernel_replace_point", "", VOID, effect=UPDATE, doc="A placeholder for other code of the kernel."
)
warp_shuffle_xor = script_intrinsic(
    "tvm_warp_shuffle_xor",
    "mask value lane_mask width warp_size",
    lambda args: args[1].dtype,
    cuda="__shfl_xor_sync({mask}, {value}, {lane_mask}, {width})",
    effect=UPDATE,
    doc="The value of the thread whose number differs in the bits of lane_mask.",
)
handle_add_byte_offset = script_intrinsic(
    "handle_add_byte_offset",
    "handle offset",
    HANDLE,
    cuda="(void *)((char *){handle} + {offset})",
    doc="A pointer plus an offset in bytes.",
)
ignore_loop_partition = script_intrinsic(
    "ignore_loop_partition", "predicate", BOOL, doc="predicate, which loop partitioning ignores."
)
filter_ = script_intrinsic("filter", "var pred", BOOL, doc="Whether pred selects this thread.")
selector = script_intrinsic("selector", "var pred", same_as_first, doc="The first value of var for which pred is true.")
ptr_byte_offset_ = Intrinsic(
    "ptr_byte_offset",
    "data byte_offset dtype",
    HANDLE,
    cuda="(void *)((char *){data} + {byte_offset})",
    doc="A pointer to elements of a dtype: a pointer plus an offset in bytes.",
)
#: host code that launches a kernel: its name, its arguments, and a tuple of the names of the launch parameters
call_ffi_kernel_ = Intrinsic(
    "call_ffi_kernel", "*args", None, effect=UPDATE, script_name="", doc="Launch a kernel of the module."
)


@surface("call_ffi_kernel")
def call_ffi_kernel(
    *args: object, launch_params: Sequence[str], ret_ty: str = "int32", span: Span | None = None
) -> Expr:
    """Launch a kernel of the module: its name, its arguments, the extents that `launch_params` name."""
    names = tvm_tuple(*[StringImm(name) for name in launch_params], span=span)
    values = tuple(as_expr(arg, None, span) for arg in args)
    return Call(DType(ret_ty), call_ffi_kernel_, (*values, names), span)


@surface("ptr_byte_offset")
def ptr_byte_offset(data: object, byte_offset: object, dtype: Expr | str, span: Span | None = None) -> Expr:
    """A pointer to elements of a dtype: a pointer plus an offset in bytes."""
    element = dtype if isinstance(dtype, Expr) else type_annotation(dtype, span)
    return ptr_byte_offset_(data, byte_offset, element, span=span)


def pointer_type_of(value: Expr) -> PointerType | None:
    """Return the type of a pointer that says what it points to: one made here, or the address of an element."""
    match value:
        case Call(op=op, args=(data, _, element)) if op is ptr_byte_offset_:
            return PointerType(PrimType(element.dtype), data.storage_scope if isinstance(data, Var) else "global")
        case Call(op=op, args=(BufferLoad() as load, *_)) if op is address_of:
            return PointerType(PrimType(load.dtype), load.buffer.storage_scope)
        case _:
            return None


def _offset_dtype(args: tuple[Expr, ...]) -> DType:
    """Return the dtype of the offsets of a buffer."""
    load = args[0]
    if not isinstance(load, BufferLoad):
        raise WrongType(where="T.buffer_offset", expected="an element of a buffer", got=repr(load))
    return load.buffer.elem_offset.dtype


buffer_offset = script_intrinsic(
    "buffer_offset", "element", _offset_dtype, doc="The place of an element in its buffer, in elements."
)
print_buffer = script_intrinsic("print_buffer", "*args", INT32, effect=UPDATE, doc="Print the elements of a buffer.")
for _name, _params in (
    ("fill", "d index value rows cols"),
    ("load", "d index ptr stride rows cols transpose_matrix mma_M mma_N mma_K operand_role"),
    ("store", "d index ptr stride rows cols transpose_matrix mma_M mma_N mma_K operand_role"),
    ("multiply_accumulate", "d index_d a index_a b index_b c index_c M N K transpose_a transpose_b"),
):
    offer(
        Intrinsic(f"cooperative_tensor_{_name}", _params, VOID, effect=UPDATE,
                  doc=f"{_name.replace('_', ' ')} of a cooperative tensor of Metal."),
        defaults={"transpose_matrix": False, "transpose_a": False, "transpose_b": False, "mma_M": 0, "mma_N": 0,
                  "mma_K": 0, "operand_role": 0},
    )  # fmt: skip
