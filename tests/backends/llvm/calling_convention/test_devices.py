"""An array on another device is refused before its memory is touched."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import tvmscript
from tvmscript.backends.runtime.errors import WrongDevice


class _DLTensor(ctypes.Structure):
    """DLPack's struct, as dlpack.h lays it out."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _OnCuda:
    """Four float32 that claim to be on a CUDA device; nobody may read them."""

    def __init__(self) -> None:
        self.shape = (ctypes.c_int64 * 1)(4)
        self.strides = (ctypes.c_int64 * 1)(1)
        self.managed = _Managed(_DLTensor(64, 2, 0, 1, 2, 32, 1, self.shape, self.strides, 0), None, None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)

    def __dlpack__(self, **options: Any) -> Any:
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.managed), b"dltensor", None)


def test_refused() -> None:
    func = tvmscript.from_source('@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n    A[0] = T.float32(1)\n')
    built = tvmscript.build(func)["f"]
    owner = _OnCuda()
    with pytest.raises(WrongDevice, match=r"f: the array A is on a device of DLPack type 2, not on the CPU"):
        built(tvm_ffi.from_dlpack(owner))
    array = np.zeros(4, "float32")
    built(array)
    assert array[0] == 1
