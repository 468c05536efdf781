"""Errors of the LLVM backend: unsupported programs, and errors that compiled code raises."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ClassVar, ParamSpec, TypeVar

from tvmscript.backends.runtime import errors as runtime
from tvmscript.backends.runtime.errors import ExecutionError
from tvmscript.backends.runtime.ffi import core
from tvmscript.ir.core import TVMScriptError

P = ParamSpec("P")
R = TypeVar("R")


class NotSupportedByLLVM(TVMScriptError, code="TS6001"):
    """The program has something that the LLVM backend cannot compile."""

    message = "the LLVM backend cannot compile {what}"


class NoNativeCode(ExecutionError, code="TS6003"):
    """The module was compiled for another machine: its code can be looked at, not run."""

    message = "the module is compiled for {triple}, so its functions cannot run here; get_source shows them"


class InvalidLLVM(TVMScriptError, code="TS6005"):
    """LLVM refuses the code that the backend wrote for a program. Report it as a bug, with the program."""

    message = "LLVM refuses the code of this program: {reason}"


class WrongIntrinsicCall(TVMScriptError, code="TS6006"):
    """A call of an LLVM intrinsic does not have the intrinsic's signature.

    In a signature a letter stands for one type: F for a float or a vector of floats, I for an integer or a vector of
    integers; p is a pointer, and an argument with ! has to be a constant.
    """

    message = "{name} has the signature {signature}: {reason}"


class UnknownPackedFunction(ExecutionError, code="TS6011"):
    """T.call_packed names a function that nobody has registered."""

    message = "no packed function named {name} is registered"
    advice = "register it with tvmscript.register_func; nn.add_extern adds those of an external module to a model"


class TileRegistersRefused(ExecutionError, code="TS6013"):
    """Linux does not let this process use the tile registers of AMX, which the code was compiled for."""

    message = "Linux does not let this process use the tile registers of AMX (arch_prctl ARCH_REQ_XCOMP_PERM)"
    advice = 'build with the target "llvm -mattr=-amx-tile", or allow the call where a sandbox filters it'


#: Errors that compiled code raises.
RAISED: tuple[type[TVMScriptError], ...] = (
    runtime.KernelAssertion,
    runtime.NotAnArray,
    runtime.WrongArrayDType,
    runtime.WrongArrayRank,
    runtime.WrongArrayShape,
    runtime.WrongArrayStrides,
    runtime.WrongDevice,
    runtime.WrongNumberOfArguments,
    runtime.WrongScalar,
    runtime.KernelOutOfMemory,
    runtime.CudaDriverError,
    runtime.MisalignedArray,
    UnknownPackedFunction,
    TileRegistersRefused,
)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Return a pattern that finds a template's facts in a message made from it."""
    parts = re.split(r"\{(\w+)\}", template)
    return re.compile(
        "".join(f"(?P<{part}>.*?)" if i % 2 else re.escape(part) for i, part in enumerate(parts)), re.DOTALL
    )


def kind_of(error: type[TVMScriptError]) -> str:
    """Return the name of an error in compiled code."""
    return f"tvmscript.{error.__name__}"


class _FromText:
    """Base of the types that tvm-ffi calls with a message: what it gets is the error that the message is made of."""

    raised: ClassVar[type[TVMScriptError]]

    def __new__(cls, text: str) -> Any:
        match = _pattern(cls.raised.message).fullmatch(text)
        facts: dict[str, Any] = match.groupdict() if match is not None else {"text": text}
        return (cls.raised if match is not None else TVMScriptError)(**facts)


class _Carried(Exception):
    """An error of ours on its way through native code, by its number."""


#: errors on their way through native code
_carried: dict[str, TVMScriptError] = {}


def carried(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function for native code to call, whose errors of ours reach the Python caller as they are."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TVMScriptError as error:
            number = str(id(error))
            _carried[number] = error
            raise _Carried(number) from error

    return call


class _Arrived:
    """The type that tvm-ffi calls with the number of an error: what it gets is the error."""

    def __new__(cls, number: str) -> Any:
        return _carried.pop(number)


def register() -> None:
    """Tell tvm-ffi how to make the Python errors of what compiled code raises."""
    core.ERROR_TYPE_TO_NAME[_Carried] = _Carried.__name__
    core.ERROR_NAME_TO_TYPE[_Carried.__name__] = _Arrived
    for cls in RAISED:
        maker = type(cls.__name__, (_FromText,), {"raised": cls})
        core.ERROR_NAME_TO_TYPE[kind_of(cls)] = maker
        core.ERROR_TYPE_TO_NAME[maker] = kind_of(cls)
