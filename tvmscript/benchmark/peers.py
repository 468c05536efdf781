"""Kernels of other libraries: functions of the file with the library's name before that of the kernel, and Apache TVM.

    def numpy_scale(A, B): ...          # NumPy arrays
    def torch_scale(A, B): ...          # tensors on the same memory
    def numba_scale(A, B): ...          # NumPy arrays; compiled by `numba.njit` unless it is already

They take the parameters of the kernel and write into the same outputs. `reference_scale` and `reference` serve as NumPy
ones. TVM compiles the kernel itself.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from tvmscript.backends.llvm.host import host
from tvmscript.benchmark.timing import Call
from tvmscript.ir.core import IRModule, TVMScriptError

#: library -> the module that has to be installed
LIBRARIES: Final = {
    "numpy": "numpy",
    "torch": "torch",
    "numba": "numba",
    "tvm": "tvm",
    "onnxruntime": "onnxruntime",
}


class PeerMissing(TVMScriptError, code="TS7025"):
    """`tvmscript bench --vs` names a library that is not installed here."""

    message = "{library} is not installed in this environment"


class PeerFailed(TVMScriptError, code="TS7026"):
    """A library that `tvmscript bench` compares with raised an error on a kernel."""

    message = "{library} fails on {name}: {reason}"


def is_installed(library: str) -> bool:
    """Return whether a library can be imported."""
    return importlib.util.find_spec(LIBRARIES[library.partition(".")[0]]) is not None


def require(library: str) -> None:
    """Raise `PeerMissing` for a library that cannot be imported."""
    if not is_installed(library):
        raise PeerMissing(library=library)


def function_of(library: str, name: str, functions: Mapping[str, Callable[..., object]]) -> Any:
    """Return the function of a file that computes what a kernel does; None where there is none."""
    names = [f"{library}_{name}", *([f"reference_{name}", "reference"] if library == "numpy" else [])]
    return next((functions[each] for each in names if each in functions), None)


def prepare(
    library: str, name: str, module: IRModule, function: Any, arguments: Sequence[Any], threads: int
) -> tuple[Call, Callable[[], list[Any]]]:
    """Return a call of a library's kernel, and what gives its arguments as NumPy arrays. Raises `PeerFailed`."""
    try:
        if library == "tvm":
            return _tvm(name, module, arguments)
        given = list(arguments)
        if library == "torch":
            torch = importlib.import_module("torch")
            torch.set_num_threads(threads)
            given = [torch.from_numpy(each) if isinstance(each, np.ndarray) else each for each in given]
        elif library == "numba":
            numba = importlib.import_module("numba")
            numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
            function = function if hasattr(function, "py_func") else numba.njit(function)
        function(*given)
    except Exception as error:
        raise PeerFailed(library=library, name=name, reason=f"{type(error).__name__}: {error}") from error
    return partial(function, *given), lambda: list(arguments)


def _tvm(name: str, module: IRModule, arguments: Sequence[Any]) -> tuple[Call, Callable[[], list[Any]]]:
    """Compile the kernel by Apache TVM 0.27 for this processor; its code takes tensors of its own."""
    tvm = importlib.import_module("tvm")
    target = tvm.target.Target({"kind": "llvm", "mcpu": host()[1]})
    program = tvm.script.from_source(module.script(dialect="0.27"))
    function = tvm.compile(program, target=target)[name]
    given = [tvm.runtime.tensor(each) if isinstance(each, np.ndarray) else each for each in arguments]
    function(*given)
    return (
        partial(function, *given),
        lambda: [each.numpy() if isinstance(each, tvm.runtime.Tensor) else each for each in given],
    )
