"""What native code asks of the driver, for each device: filled in by a Python function when a device is first used."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, ClassVar, Final

import tvm_ffi

from tvmscript.backends.llvm.calling_convention import abi
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction
from tvmscript.backends.llvm.errors import carried
from tvmscript.backends.runtime.errors import CudaDriverError

#: devices that functions of one module launch kernels on
MOST_DEVICES: Final = 16


class DeviceState(ctypes.Structure):
    """Addresses of functions of the driver, and the context of a device; zeros until the device is used."""

    #: attributes of `Driver` of the same names
    names: ClassVar = (
        "launch", "encode", "get_context", "push_context", "pop_context", "is_capturing", "synchronize_stream",
        "error_string", "last_kernel", "context",
    )  # fmt: skip
    _fields_: ClassVar[Any] = [(name, ctypes.c_void_p) for name in names]


class Loader:
    """The states of the devices of a module, and the function that fills one."""

    def __init__(self, load: Callable[[int], None]) -> None:
        """`load` takes the number of a device; its errors are those of the call that uses the device."""
        self.states = (DeviceState * MOST_DEVICES)()
        self._function: Any = tvm_ffi.convert(carried(load))
        #: the address of the function as tvm-ffi has it
        self.handle: int = self._function.__chandle__()


def write_device_state(text: RuntimeFunction, loader: Loader, place: int, name: str) -> tuple[str, str]:
    """Write the lookup of the device of a call, which is argument `place`; return its number and its state.

    The first call for a device loads it, and calls the function `name` again.
    """
    given = text.value(f"trunc i64 {text.load('i64', '%args', abi.ANY_BYTES * place + abi.ANY_VALUE)} to i32")
    is_within = text.value(f"icmp ult i32 {given}, {MOST_DEVICES}")
    device = text.value(f"select i1 {is_within}, i32 {given}, i32 0")
    states = text.value(f"inttoptr i64 {ctypes.addressof(loader.states)} to ptr")
    state = text.element(f"[{ctypes.sizeof(DeviceState)} x i8]", states, device)
    has_context = text.value(f"icmp ne ptr {text.load('ptr', state, DeviceState.context.offset)}, null")
    with text.unless(f"and i1 {is_within}, {has_context}"):
        argument, result = (text.slot("{ i64, i64 }, align 8") for _ in range(2))
        text.store("i64", str(abi.INT), argument)
        text.store("i64", text.value(f"sext i32 {given} to i64"), argument, abi.ANY_VALUE)
        text.store("i64", str(abi.NONE), result)
        call = text.module.declare("TVMFFIFunctionCall", "i32 {}(ptr, ptr, i32, ptr)")
        function = text.value(f"inttoptr i64 {loader.handle} to ptr")
        status = text.value(f"call i32 {call}(ptr {function}, ptr {argument}, i32 1, ptr {result})")
        with text.unless(f"icmp eq i32 {status}, 0"):
            text.do(f"ret i32 {status}")
        again = text.value(f"call i32 @{name}(ptr %self, ptr %args, i32 %count, ptr %result)")
        text.do(f"ret i32 {again}")
    return device, state


def fail_with_status(text: RuntimeFunction, state: str, status: str, what: str) -> None:
    """Write the error for a status of the driver, with the driver's words for it."""
    words = text.slot("ptr, align 8")
    text.store("ptr", text.module.string("unknown"), words)
    text.value(f"call i32 {text.load('ptr', state, DeviceState.error_string.offset)}(i32 {status}, ptr {words})")
    reason = f"i32 {status}, ptr {text.load('ptr', words)}"
    text.fail(CudaDriverError, reason, what=what.replace("%", "%%"), reason="error %d (%s)")
