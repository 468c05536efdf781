"""The native slot `tp_call` of compiled functions, in the runtime module.

A call without keywords goes to tvm-ffi's own slot. What it refuses, and calls with keywords, go to a Python function:
`function.recover(args, kwargs, exception or None)`.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction
from tvmscript.backends.runtime.ffi import core

#: symbol of the slot in the runtime module
SYMBOL: Final = "tvmscript_call_slot"
#: symbols of tvm-ffi's slot and of the function `recover`
_BASE, _RECOVER = "tvmscript_base_call_slot", "tvmscript_recover"
#: functions and objects of Python's C API that the slot uses
_PYTHON: Final = (
    "PyDict_Size",
    "PyErr_Fetch",
    "PyErr_NormalizeException",
    "PyObject_CallFunctionObjArgs",
    "Py_DecRef",
    "_Py_NoneStruct",
)
# from Python's typeslots.h and object.h
_TP_CALL: Final = 50
_IS_DEFAULT_TYPE, _CAN_BE_SUBCLASSED = 1 << 18, 1 << 10
#: Python 3.11 keeps the address of the name
_TYPE_NAME: Final = b"tvmscript.backends.llvm.NativeFunction"


class _Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("function", ctypes.c_void_p))


class _Spec(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("basicsize", ctypes.c_int),
        ("itemsize", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(_Slot)),
    )


def define_call_slot(module: ModuleText) -> None:
    """`tvmscript_call_slot(self, args, kwargs)`: call tvm-ffi's slot, then `recover`."""
    slot = RuntimeFunction(module)
    exception = [slot.slot("ptr") for _ in ("type", "value", "traceback")]
    for part in exception:
        slot.store("ptr", "null", part)
    names = ("counted", "native", "returned", "failed", "recover")
    counted, native, returned, failed, recover = (slot.label(hint) for hint in names)
    slot.branch(slot.value("icmp eq ptr %kwargs, null"), native, counted)
    slot.place(counted)
    count = module.declare("PyDict_Size", "i64 {}(ptr)")
    slot.branch(slot.value(f"icmp eq i64 {slot.value(f'call i64 {count}(ptr %kwargs)')}, 0"), native, recover)
    slot.place(native)
    base = module.declare(_BASE, "ptr {}(ptr, ptr, ptr)")
    result = slot.value(f"call ptr {base}(ptr %self, ptr %args, ptr null)")
    slot.branch_likely(slot.value(f"icmp ne ptr {result}, null"), returned, failed)
    slot.place(returned)
    slot.do(f"ret ptr {result}")
    slot.place(failed)
    listed = ", ".join(f"ptr {part}" for part in exception)
    for name in ("PyErr_Fetch", "PyErr_NormalizeException"):
        slot.do(f"call void {module.declare(name, 'void {}(ptr, ptr, ptr)')}({listed})")
    slot.jump(recover)
    slot.place(recover)
    none, function = (module.declare(name, "void {}()") for name in ("_Py_NoneStruct", _RECOVER))
    error = slot.load("ptr", exception[1])
    values = ["%self", "%args"]
    for value in ("%kwargs", error):
        is_given = slot.value(f"icmp ne ptr {value}, null")
        values.append(slot.value(f"select i1 {is_given}, ptr {value}, ptr {none}"))
    call = module.declare("PyObject_CallFunctionObjArgs", "ptr {}(ptr, ...)")
    given = ", ".join(f"ptr {value}" for value in (function, *values, "null"))
    outcome = slot.value(f"call ptr (ptr, ...) {call}({given})")
    for part in exception:
        slot.do(f"call void {module.declare('Py_DecRef', 'void {}(ptr)')}(ptr {slot.load('ptr', part)})")
    slot.do(f"ret ptr {outcome}")
    slot.define(f"ptr @{SYMBOL}(ptr %self, ptr %args, ptr %kwargs)")


def recover(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None, error: BaseException | None) -> Any:
    """Go on where the slot stops."""
    return function.recover(args, kwargs or {}, error)


def symbols() -> dict[str, int]:
    """Return the addresses of what the slot uses."""
    addresses = {name: ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, name)) for name in _PYTHON}
    get_slot = ctypes.pythonapi.PyType_GetSlot
    get_slot.restype, get_slot.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_int)
    return {**addresses, _RECOVER: id(recover), _BASE: get_slot(core.Function, _TP_CALL)}


def function_type(address: int) -> Any:
    """Return a subclass of tvm-ffi's functions with the slot at this address."""
    slots = (_Slot * 2)(_Slot(_TP_CALL, address), _Slot(0, None))
    flags = _IS_DEFAULT_TYPE | _CAN_BE_SUBCLASSED
    spec = _Spec(_TYPE_NAME, 0, 0, flags, slots)
    create = ctypes.pythonapi.PyType_FromSpecWithBases
    create.restype, create.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object)
    return create(ctypes.addressof(spec), (core.Function,))
