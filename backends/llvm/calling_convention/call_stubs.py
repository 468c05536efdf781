"""Calls of packed functions with arguments on a stack, and views of tensors: part of the runtime module."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention import abi
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction

#: name -> type, for declarations
SIGNATURES: Final = {
    "tvmscript_call": "i32 {}(ptr, ptr, i32, ptr)",
    "tvmscript_view": "i32 {}(ptr, ptr, i32, ptr)",
}
_ANY: Final = "{ i64, i64 }"


def define_call_stubs(module: ModuleText) -> None:
    """Add `tvmscript_call` and `tvmscript_view` to a module."""
    _define_tensor_view(module)
    _define_release(module)
    _define_call(module)
    _define_view(module)


def _create_view(function: RuntimeFunction, owner: str, tensor: str, out: str) -> str:
    """Call tvm-ffi to make a tensor object over the memory of a DLTensor; return the status."""
    create = function.module.declare("TVMFFITensorCreateUnsafeView", "i32 {}(ptr, ptr, ptr)")
    return function.value(f"call i32 {create}(ptr {owner}, ptr {tensor}, ptr {out})")


def _copy_tensor(function: RuntimeFunction, tensor: str) -> str:
    """Return a copy of a DLTensor on the stack."""
    copy = function.slot(f"{abi.DLTENSOR}, align 8")
    fields = function.value(f"load {abi.DLTENSOR}, ptr {tensor}, align 8")
    function.do(f"store {abi.DLTENSOR} {fields}, ptr {copy}, align 8")
    return copy


def _define_tensor_view(module: ModuleText) -> None:
    """`tensor_view(DLTensor, out)`: a tensor object that does not own its memory, with strides; the status."""
    view = RuntimeFunction(module)
    copy = _copy_tensor(view, "%array")
    rank = view.load("i32", "%array", abi.NDIM)
    shape, strides = view.load("ptr", "%array", abi.SHAPE), view.load("ptr", "%array", abi.STRIDES)
    compact, create = view.label("compact"), view.label("create")
    view.branch(view.value(f"icmp ne ptr {strides}, null"), create, compact)
    view.place(compact)
    computed, size = view.value(f"alloca i64, i32 {rank}, align 8"), view.slot("i64")
    view.store("ptr", computed, copy, abi.STRIDES)
    view.store("i64", "1", size)
    with view.count_down(rank) as axis:
        stride = view.load("i64", size)
        view.store("i64", stride, view.element("i64", computed, axis))
        extent = view.load("i64", view.element("i64", shape, axis))
        view.store("i64", view.value(f"mul i64 {stride}, {extent}"), size)
    view.jump(create)
    view.place(create)
    view.do(f"ret i32 {_create_view(view, 'null', copy, '%out')}")
    view.define("internal i32 @tensor_view(ptr %array, ptr %out)")


def _define_release(module: ModuleText) -> None:
    """`release_views(args, values, count)`: release the tensor objects among the first `count` values."""
    release = RuntimeFunction(module)
    with release.count_up("%count") as index:
        kind = release.load("i32", release.element(_ANY, "%args", index))
        drop, done = release.label("drop"), release.label("kept")
        release.branch(release.value(f"icmp eq i32 {kind}, {abi.ARRAY}"), drop, done)
        release.place(drop)
        view = release.load("ptr", release.element(_ANY, "%values", index), abi.ANY_VALUE)
        drop_reference = module.declare("TVMFFIObjectDecRef", "i32 {}(ptr)")
        release.value(f"call i32 {drop_reference}(ptr {view})")
        release.jump(done)
        release.place(done)
    release.do("ret void")
    release.define("internal void @release_views(ptr %args, ptr %values, i32 %count)")


def _define_call(module: ModuleText) -> None:
    """`tvmscript_call(function, args, count, result)`: call a packed function; the status.

    Arrays among the arguments are handed over as tensor objects: Python cannot look into a bare DLTensor.
    """
    call = RuntimeFunction(module)
    values, view = call.value(f"alloca {_ANY}, i32 %count, align 8"), call.slot("ptr, align 8")
    with call.count_up("%count") as index:
        source, target = call.element(_ANY, "%args", index), call.element(_ANY, values, index)
        array, plain, done = call.label("array"), call.label("plain"), call.label("stored")
        call.branch(call.value(f"icmp eq i32 {call.load('i32', source)}, {abi.ARRAY}"), array, plain)
        call.place(array)
        tensor = call.load("ptr", source, abi.ANY_VALUE)
        status = call.value(f"call i32 @tensor_view(ptr {tensor}, ptr {view})")
        with call.unless(f"icmp eq i32 {status}, 0"):
            call.do(f"call void @release_views(ptr %args, ptr {values}, i32 {index})")
            call.do("ret i32 -1")
        call.store("i64", str(abi.TENSOR), target)
        call.store("ptr", call.load("ptr", view), target, abi.ANY_VALUE)
        call.jump(done)
        call.place(plain)
        call.do(f"store {_ANY} {call.load(_ANY, source)}, ptr {target}")
        call.jump(done)
        call.place(done)
    invoke = module.declare("TVMFFIFunctionCall", "i32 {}(ptr, ptr, i32, ptr)")
    status = call.value(f"call i32 {invoke}(ptr %function, ptr {values}, i32 %count, ptr %result)")
    call.do(f"call void @release_views(ptr %args, ptr {values}, i32 %count)")
    call.do(f"ret i32 {status}")
    call.define("i32 @tvmscript_call(ptr %function, ptr %args, i32 %count, ptr %result)")


def _define_view(module: ModuleText) -> None:
    """`tvmscript_view(tensor, dtype)`, as tvm-ffi calls it: the same memory as a tensor of another dtype.

    The dtype is a DLDataType in one word, of the same size as the tensor's.
    """
    view = RuntimeFunction(module)
    owner = view.load("ptr", "%args", abi.ANY_VALUE)
    copy = _copy_tensor(view, view.address(owner, abi.TENSOR_HEADER_BYTES))
    view.store("i32", view.load("i32", "%args", abi.ANY_BYTES + abi.ANY_VALUE), copy, abi.DTYPE)
    out = view.slot("ptr, align 8")
    with view.unless(f"icmp eq i32 {_create_view(view, owner, copy, out)}, 0"):
        view.do("ret i32 -1")
    view.store("i64", str(abi.TENSOR), "%result")
    view.store("ptr", view.load("ptr", out), "%result", abi.ANY_VALUE)
    view.do("ret i32 0")
    view.define("i32 @tvmscript_view(ptr %self, ptr %args, i32 %count, ptr %result)")
