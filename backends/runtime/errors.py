"""Errors at run time: lookups in a module, arguments of a call, failures of a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tvmscript.ir.core import TVMScriptError

#: dtypes that NumPy has
_NUMPY_DTYPES: Final = frozenset(
    {"bool", "float16", "float32", "float64", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))}
)


class ExecutionError(TVMScriptError):
    """Base of everything that can go wrong once a program is built."""


class UnknownFunction(ExecutionError):
    """A compiled module has no function of this name."""

    code = "TS5001"
    message = "the module has no function named {name}"


class NoEntryFunction(ExecutionError):
    """A module with several functions is called itself. One of them is to be named `main`, or it is called by name:
    module["name"](...).
    """

    code = "TS5002"
    message = "the module has several functions and none is named main: {names}"


class NoSource(ExecutionError):
    """A compiled module is asked for a kind of source that it does not have. The kinds are "asm", "ll" and the like,
    as the target makes them.
    """

    code = "TS5003"
    message = "the module has no source of kind {kind}"


class ArgumentError(ExecutionError):
    """Base of errors in what a function is called with."""


class WrongNumberOfArguments(ArgumentError):
    """A compiled function is called with more or fewer arguments than it has parameters."""

    code = "TS5010"
    message = "{function} takes {expected} arguments, but got {got}"


class NotAnArray(ArgumentError):
    """A parameter is a buffer, and the argument is no array: NumPy arrays, tvm-ffi tensors and everything with DLPack
    are taken.
    """

    code = "TS5011"
    message = "{function}: {name} takes an array, but got {got}"

    @classmethod
    def propose(cls, facts: Mapping[str, object]) -> str | None:
        if facts.get("got") == "a pointer":
            return "a pointer is taken for a buffer of constant shape, in calls between functions of a module"
        return "pass a NumPy array of the buffer's dtype: numpy.array(values, dtype)"


class WrongArrayRank(ArgumentError):
    """An array has more or fewer dimensions than the buffer it is handed over for."""

    code = "TS5012"
    message = "{function}: the array {name} takes {expected} dimensions, but got {got}"


class WrongArrayDType(ArgumentError):
    """An array has another element type than its buffer. Arrays are not converted, because results are written into
    them.
    """

    code = "TS5013"
    message = "{function}: the array {name} takes {expected}, but got {got}"

    @classmethod
    def propose(cls, facts: Mapping[str, object]) -> str | None:
        expected = str(facts["expected"])
        if expected in _NUMPY_DTYPES:
            return f'pass a converted copy: array.astype("{expected}")'
        return f'convert it: tvmscript.nd.array(values, dtype="{expected}")' if "x" not in expected else None


class WrongArrayShape(ArgumentError):
    """An extent of an array is not that of its buffer, or contradicts another argument that has the same size."""

    code = "TS5014"
    message = "{function}: the array {name} takes the extent {expected} in dimension {axis}, but got {got}"


class WrongArrayStrides(ArgumentError):
    """An array is laid out in memory in another way than its buffer says. A contiguous copy
    (`numpy.ascontiguousarray`) has the usual layout.
    """

    code = "TS5015"
    message = "{function}: the array {name} {expected}, but got the strides {got}"

    @classmethod
    def propose(cls, facts: Mapping[str, object]) -> str | None:
        is_layout = any(word in str(facts["expected"]) for word in ("compact", "whole elements"))
        return "pass a contiguous copy: numpy.ascontiguousarray(array)" if is_layout else None


class WrongScalar(ArgumentError):
    """A parameter is a number, and the argument is none of its kind or does not fit in its type."""

    code = "TS5016"
    message = "{function}: {name} takes {expected}, but got {got}"


class ReadOnlyArray(ArgumentError):
    """A function writes into an array that may not be written."""

    code = "TS5017"
    message = "{function}: the array {name} cannot be written"
    advice = "pass a writable copy: array.copy()"


class WrongDevice(ArgumentError):
    """An array is in the memory of another device than the function runs on."""

    code = "TS5018"
    message = "{function}: the array {name} is on {got}, not on {expected}"


class UndecidedShape(ArgumentError):
    """No argument determines the value of a size: it is no extent of its own in any shape."""

    code = "TS5019"
    message = "{function}: no argument determines the size {name}"


class KernelAssertion(ExecutionError):
    """An assertion of the program does not hold; `text` is its message."""

    code = "TS5020"
    message = "{text}"


class OutOfBounds(ExecutionError):
    """An element is read or written that is outside of its buffer. The interpreter checks each access; compiled code
    does not.
    """

    code = "TS5021"
    message = "{access} {buffer}[{indices}] is outside of its shape ({shape})"


class OutOfMemoryRange(ExecutionError):
    """A buffer with an offset or strides reaches behind the end of the memory that it is handed."""

    code = "TS5022"
    message = "{buffer} needs elements {first} to {last} of memory that has {size}"


class DivisionByZero(ExecutionError):
    """The program divides an integer by zero."""

    code = "TS5023"
    message = "division by zero in {operator}"


class ShiftOutOfRange(ExecutionError):
    """A shift by less than zero, or by as many bits as the type has or more, has no result."""

    code = "TS5024"
    message = "{operator} by {amount}: a shift of {dtype} is at least 0 and less than {bits}"


class UndefinedVariable(ExecutionError):
    """A variable is read at run time before it has a value."""

    code = "TS5025"
    message = "the variable {name} is used, but not defined"


class TooManyCalls(ExecutionError):
    """The recursion of function calls is too deep."""

    code = "TS5026"
    message = "{function}: calls of functions nest too deeply"


class Unsupported(ExecutionError):
    """A part of the language is not available in this backend."""

    code = "TS5030"
    message = "{what} is not available in {where}"


class UnsupportedDType(ExecutionError):
    """There are no arrays of this element type here."""

    code = "TS5031"
    message = "{where} cannot hold {dtype}"
