"""Packed calls: launches of kernels of the module, and functions that are registered by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from tvmscript.backends.interp.calls import SPECIAL, ArrayStruct, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.runtime.arguments import row_major
from tvmscript.backends.runtime.array import storage_dtype
from tvmscript.ir.tir import Call, StringImm

#: The function that chooses the device of the launches that come: here there is one.
_SET_DEVICE = "__tvm_set_device"


def _packed_call(compiler: Compiler, node: Call) -> Code:
    """Run the kernel of this symbol, or the function that is registered under the name when the call is reached.

    Launch extents that follow a kernel's arguments are ignored: the kernel has its own.
    """
    name, *args = node.args
    if not isinstance(name, StringImm):
        return unavailable(node)
    if name.value == _SET_DEVICE:
        return lambda frame: 0
    kernel = compiler.linker.kernel(name.value)
    if kernel is None:
        return _registered_call(compiler, node, name.value) if compiler.linker.calls_registered else unavailable(node)
    count, enter = kernel
    codes = [compiler.code(arg) for arg in args[:count]]

    def launch(frame: Frame) -> int:
        enter(tuple([code(frame) for code in codes]))
        return 0

    return launch


def _registered_call(compiler: Compiler, node: Call, name: str) -> Code:
    """Call a function of `tvm.register_func`. Arrays are passed as tensors over the same memory."""
    refuse = unavailable(node)
    codes = [compiler.code(arg) for arg in node.args[1:]]

    def call(frame: Frame) -> Any:
        import tvm_ffi  # it takes a while to import

        function = tvm_ffi.get_global_func(name, allow_missing=True)
        if function is None:
            return refuse(frame)
        values = [code(frame) for code in codes]
        result = function(*[_tensor(value) if isinstance(value, ArrayStruct) else value for value in values])
        return 0 if result is None else result

    return call


def _tensor(array: ArrayStruct) -> Any:
    import tvm_ffi  # it takes a while to import

    stored = storage_dtype(array.dtype)
    steps = row_major(array.shape) if array.strides is None else array.strides
    start = array.pointer.offset + array.elem_offset * stored.itemsize
    strides = [step * stored.itemsize for step in steps]
    return tvm_ffi.from_dlpack(np.ndarray(array.shape, stored, array.pointer.memory.raw, start, strides))


SPECIAL["tir.tvm_call_packed"] = _packed_call
