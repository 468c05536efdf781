"""The names of `tvm.runtime`: devices, arrays, registered functions, values of Python as nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tvm_ffi

from tvmscript.backends.runtime import global_functions
from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.device import Device, cpu, cuda, device, enabled, metal, opencl, rocm, vulkan
from tvmscript.backends.runtime.module import Module
from tvmscript.backends.runtime.timing import BenchmarkResult
from tvmscript.ir.core import INT32, DType, Node, TVMScriptError, UnknownName, WrongType
from tvmscript.ir.core.errors import DuplicateName
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.tir import Expr, as_expr, const
from tvmscript.ir.tir.base import EqualOp

if TYPE_CHECKING:
    from tvmscript.backends.vm.executable import Executable
    from tvmscript.frontend.relay.build import GraphExecutorFactory

__all__ = [
    "BenchmarkResult",
    "DataType",
    "DataTypeCode",
    "Device",
    "Module",
    "NDArray",
    "Object",
    "PackedFunc",
    "ShapeTuple",
    "String",
    "TVMError",
    "cl",
    "const",
    "convert",
    "cpu",
    "cuda",
    "device",
    "enabled",
    "get_global_func",
    "gpu",
    "load_module",
    "metal",
    "num_threads",
    "opencl",
    "register_func",
    "remove_global_func",
    "rocm",
    "threads",
    "vulkan",
]

Object = Node
DataType = DType
String = str
ShapeTuple = tvm_ffi.Shape
PackedFunc = tvm_ffi.Function
TVMError = TVMScriptError
gpu = cuda
cl = opencl
remove_global_func = global_functions.remove


class DataTypeCode(IntEnum):
    """Numbers of the kinds of dtypes (DLPack's)."""

    INT = 0
    UINT = 1
    FLOAT = 2
    HANDLE = 3
    BFLOAT = 4
    E4M3Float = 6
    E5M2Float = 7


def register_func(
    func_name: str | Callable[..., Any], f: Callable[..., Any] | None = None, override: bool = False
) -> Any:
    """Register a Python function under a global name; without `f` it is a decorator. Tensors reach it as `NDArray`.

    Raises `DuplicateName` for a name that is taken, unless `override`.
    """
    if callable(func_name):
        return register_func(func_name.__name__, func_name, override)
    name = func_name

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        if not override and tvm_ffi.get_global_func(name, allow_missing=True) is not None:
            raise DuplicateName(kind="global function", name=name)
        global_functions.register(name, function, override)
        return function

    return register if f is None else register(f)


def get_global_func(name: str, allow_missing: bool = False) -> Any:
    """Return the function of a global name; None where it is missing and may be. Raises `UnknownName`."""
    function = tvm_ffi.get_global_func(name, allow_missing=True)
    if function is None and name.startswith("vm.builtin."):
        # programs without graphs need no virtual machine
        from tvmscript.backends.vm.builtins import more_builtins

        function = more_builtins().get(name)
    if function is None and not allow_missing:
        raise UnknownName(kind="global function", name=name)
    return function


def convert(value: Any) -> Any:
    """Return a value of Python as TVM has it: numbers as constants, sequences as tuples, functions as `PackedFunc`.

    Raises `WrongType` for a value that has no form there.
    """
    if isinstance(value, EqualOp):
        return value.asobject()
    if value is None or isinstance(value, (str, Node, NDArray, Device, Module, PackedFunc, ShapeTuple)):
        return value
    if isinstance(value, (list, tuple)):
        return tuple([convert(item) for item in value])
    if isinstance(value, Mapping):
        return {convert(key): convert(item) for key, item in value.items()}
    if callable(value):
        return tvm_ffi.convert(global_functions.with_arrays(value))
    try:
        expr: Expr = as_expr(value)
    except WrongType as error:
        raise WrongType(where="convert", expected="a value that TVM has", got=repr(value)) from error
    return expr


def load_module(path: str | Path) -> Module | Executable | GraphExecutorFactory:
    """Return the module, the executable of graphs or the module of `relay.build` that `export_library` wrote.

    Raises `WrongPackage` for a file of another machine or version, and `OSError` where it cannot be read.
    """
    # a process that loads nothing needs no archives
    from tvmscript.cached_build import load_library
    from tvmscript.package import Package

    package = Package.read(path)
    if package.kind == "kernels":
        return load_library(package.libraries["kernels"], package.program, package.target)
    from tvmscript.frontend.relay.build import load_graphs

    return load_graphs(package)


def threads(count: int | None = None) -> int:
    """Return the number of threads of parallel loops; given a number, set it and return the one before.

    At the start it is OMP_NUM_THREADS, or the number of processors of the process. Raises `WrongType`.
    """
    if count is not None and not 0 < count <= INT32.max_value:
        raise WrongType(where="threads", expected="a number of at least 1", got=count)
    from tvmscript.backends.llvm import linked_code

    return linked_code.threads(count or 0)


def num_threads() -> int:
    """Return the number of threads of parallel loops."""
    return threads()


# TVM's modules below this one are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Array": "builtins:tuple",
        "Map": "builtins:dict",
        "load_module": "tvmscript.package",
        "load_param_dict": "tvmscript.frontend.relay.params",
        "save_param_dict": "tvmscript.frontend.relay.params",
    },
)
