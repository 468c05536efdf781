"""The native slot `tp_call` of compiled functions; `define_call_slot` has its code.

A call with NumPy arrays alone, compact ones, hands their memory over at once. Others without keywords go to tvm-ffi's
own slot. What it refuses, and calls with keywords, go to a Python function:
`function.recover(args, kwargs, exception or None)`.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

from tvmscript.backends.llvm.calling_convention import numpy_layout
from tvmscript.backends.runtime.ffi import core

#: symbol of the slot in the runtime module
SYMBOL: Final = "tvmscript_call_slot"
#: symbols of tvm-ffi's slot, of the function `recover`, and of the address of a function of tvm-ffi: `OUTCOME`
BASE, RECOVER, OUTCOME_FUNCTION = "tvmscript_base_call_slot", "tvmscript_recover", "tvmscript_outcome_function"
#: symbol, in the runtime module, of a function that returns what another one has returned
OUTCOME: Final = "tvmscript_outcome"
#: functions and objects of Python's C API that the slot uses
_PYTHON: Final = (
    "PyDict_Size",
    "PyErr_Fetch",
    "PyErr_NormalizeException",
    "PyEval_RestoreThread",
    "PyEval_SaveThread",
    "PyLong_FromVoidPtr",
    "PyObject_CallFunctionObjArgs",
    "PyTuple_GetItem",
    "PyTuple_Pack",
    "PyTuple_Size",
    "Py_DecRef",
    "Py_IncRef",
    "_Py_NoneStruct",
)
# from Python's typeslots.h and object.h
_TP_CALL: Final = 50
_IS_DEFAULT_TYPE, _CAN_BE_SUBCLASSED = 1 << 18, 1 << 10
#: Python 3.11 keeps the address of the name
_TYPE_NAME: Final = b"tvmscript.backends.llvm.NativeFunction"


#: the address of `OUTCOME` as a function of tvm-ffi, once there is one, and what keeps that
_outcome_function = ctypes.c_void_p()
_kept: list[Any] = []


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


def recover(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None, error: BaseException | None) -> Any:
    """Go on where the slot stops."""
    return function.recover(args, kwargs or {}, error)


def symbols() -> dict[str, int]:
    """Return the addresses of what the slot uses."""
    addresses = {name: ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, name)) for name in _PYTHON}
    get_slot = ctypes.pythonapi.PyType_GetSlot
    get_slot.restype, get_slot.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_int)
    addresses |= {RECOVER: id(recover), BASE: get_slot(core.Function, _TP_CALL)}
    return {**addresses, OUTCOME_FUNCTION: ctypes.addressof(_outcome_function), **numpy_layout.symbols()}


def function_type(address: int, outcome: Any) -> Any:
    """Return a subclass of tvm-ffi's functions with the slot at this address; `outcome` is `OUTCOME` as a function."""
    _kept.append(outcome)
    _outcome_function.value = id(outcome)
    slots = (_Slot * 2)(_Slot(_TP_CALL, address), _Slot(0, None))
    flags = _IS_DEFAULT_TYPE | _CAN_BE_SUBCLASSED
    spec = _Spec(_TYPE_NAME, 0, 0, flags, slots)
    create = ctypes.pythonapi.PyType_FromSpecWithBases
    create.restype, create.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object)
    return create(ctypes.addressof(spec), (core.Function,))
