"""Memory: addresses, pointers into buffers, fields of the runtime's structures, workspaces, copies."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import BOOL, HANDLE, INT32, VOID, CallEffect, DType, PointerType, PrimType, Span
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Call, Var
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, offer, script_intrinsic, surface

UPDATE = CallEffect.UPDATE_STATE

address_of = script_intrinsic("address_of", "buffer_load", HANDLE, doc="The address of a buffer's element.")
isnullptr = script_intrinsic("isnullptr", "x", BOOL, doc="Whether a handle is null.")
tvm_access_ptr = script_intrinsic(
    "tvm_access_ptr",
    "ptype data offset extent rw_mask",
    HANDLE,
    effect=CallEffect.SPECIAL_CALL_ARG,
    doc="A pointer to `extent` elements from `offset` on; rw_mask is 1 for reads, 2 for writes.",
)
tvm_static_handle = Intrinsic(
    "tvm_static_handle",
    "",
    HANDLE,
    effect=CallEffect.SPECIAL_CALL_ARG,
    doc="A handle that lives as long as the module.",
)
tvm_struct_get_ = Intrinsic(
    "tvm_struct_get",
    "arr index field",
    None,
    effect=CallEffect.READ_STATE,
    dtype_position="last",
    doc="A field of a structure of the runtime.",
)


@surface("tvm_struct_get")
def tvm_struct_get(arr: Any, index: Any, field: Any, dtype: Any, span: Span | None = None) -> Expr:
    """The field numbered `field` of the structure at arr[index], as a value of `dtype`."""
    return tvm_struct_get_(arr, index, field, dtype=dtype, span=span)


tvm_struct_set = script_intrinsic(
    "tvm_struct_set", "arr index field value", INT32, effect=UPDATE, doc="Set a field of a structure."
)
tvm_stack_alloca = script_intrinsic(
    "tvm_stack_alloca", "dtype_str num", HANDLE, effect=UPDATE, doc="Allocate num structures on the stack."
)
tvm_stack_make_shape = script_intrinsic(
    "tvm_stack_make_shape", "*args", HANDLE, effect=UPDATE, doc="A shape on the stack."
)
tvm_stack_make_array = script_intrinsic(
    "tvm_stack_make_array",
    "data shape strides ndim arr_dtype elem_offset",
    HANDLE,
    effect=UPDATE,
    doc="An array structure on the stack; the dtype is that of the fifth argument.",
)
type_annotation_ = Intrinsic("type_annotation", "*args", None, dtype_position="first", doc="A dtype as an expression.")


@surface("type_annotation")
def type_annotation(dtype: str, span: Span | None = None) -> Expr:
    """A dtype as an expression, for arguments that say one."""
    return Call(DType(dtype), type_annotation_, (), span)


tvm_backend_alloc_workspace = script_intrinsic(
    "TVMBackendAllocWorkspace",
    "device_type device_id nbytes dtype_code_hint dtype_bits_hint",
    HANDLE,
    effect=UPDATE,
    doc="Temporary memory of a device.",
)
tvm_backend_free_workspace = script_intrinsic(
    "TVMBackendFreeWorkspace", "device_type device_id ptr", INT32, effect=UPDATE, doc="Free a workspace."
)
nd_mem_alloc_with_scope = Intrinsic(
    "nd_mem_alloc_with_scope", "*args", HANDLE, effect=UPDATE, doc="Memory of several dimensions in a scope."
)
lookup_param = script_intrinsic(
    "lookup_param", "param_name", HANDLE, effect=UPDATE, doc="A parameter of the model by name."
)


def _element(args: tuple[Expr, ...]) -> DType:
    """The dtype of the element whose address the first argument is."""
    first = args[0] if args else None
    return first.args[0].dtype if isinstance(first, Call) and first.op is address_of else INT32


prefetch = offer(
    Intrinsic(
        "prefetch",
        "*args",
        _element,
        effect=UPDATE,
        functions={"llvm": {"": "llvm.prefetch"}},
        doc="Prefetch memory at an address.",
    ),
    "prefetch",
)
atomic_add = Intrinsic(
    "atomic_add",
    "*args",
    None,
    least_inputs=2,
    effect=UPDATE,
    cuda="atomicAdd({0}, {1})",
    doc="Add to memory atomically; returns the old value.",
)
dma_copy = Intrinsic("dma_copy", "*args", INT32, effect=UPDATE, doc="Start an asynchronous copy.")
dma_wait = Intrinsic("dma_wait", "*args", INT32, effect=UPDATE, doc="Wait until at most so many copies are pending.")
dma_start_group = Intrinsic("dma_start_group", "*args", INT32, effect=UPDATE, doc="Start a group of copies.")
dma_end_group = Intrinsic("dma_end_group", "*args", INT32, effect=UPDATE, doc="End a group of copies.")


def _texel(args: tuple[Expr, ...]) -> DType:
    """Return the dtype of the elements that a pointer to a texture has, for each lane of the last index."""
    annotation = args[0].pointer_type if args and isinstance(args[0], Var) else None
    element = annotation.element_type if isinstance(annotation, PointerType) else None
    if not isinstance(element, PrimType):
        raise WrongType(where="texture2d_load", expected="a typed pointer first", got=repr(args[:1]))
    return element.dtype.with_lanes(args[-1].dtype.lanes)


texture2d_load = Intrinsic(
    "texture2d_load", "*args", _texel, effect=UPDATE, vectorizable=True, doc="An element of a texture."
)
texture2d_store = Intrinsic(
    "texture2d_store", "*args", VOID, effect=UPDATE, vectorizable=True, doc="Set an element of a texture."
)
