"""Kernel launches of lowered host functions: packed calls of kernels of the module."""

from __future__ import annotations

from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.ir.tir import Call, StringImm

#: The function that chooses the device of the launches that come: here there is one.
_SET_DEVICE = "__tvm_set_device"


def _packed_call(compiler: Compiler, node: Call) -> Code:
    """Run the kernel of this symbol. Launch extents that follow its arguments are ignored: the kernel has its own."""
    name, *args = node.args
    if not isinstance(name, StringImm):
        return unavailable(node)
    if name.value == _SET_DEVICE:
        return lambda frame: 0
    kernel = compiler.linker.kernel(name.value)
    if kernel is None:
        return unavailable(node)
    count, enter = kernel
    codes = [compiler.code(arg) for arg in args[:count]]

    def launch(frame: Frame) -> int:
        enter(tuple([code(frame) for code in codes]))
        return 0

    return launch


SPECIAL["tir.tvm_call_packed"] = _packed_call
