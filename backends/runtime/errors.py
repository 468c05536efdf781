"""Errors of running programs: what is asked of a module, what is handed to a function, what goes wrong inside."""

from __future__ import annotations

from tvmscript.ir.core.errors import TVMScriptError


class ExecutionError(TVMScriptError):
    """Base of everything that can go wrong once a program is built."""


class UnknownFunction(ExecutionError):
    code = "TS5001"
    message = "the module has no function named {name}"


class NoEntryFunction(ExecutionError):
    code = "TS5002"
    message = "the module has several functions and none is named main: {names}"


class NoSource(ExecutionError):
    code = "TS5003"
    message = "the module has no source of kind {kind}"


class ArgumentError(ExecutionError):
    """Base of errors in what a function is called with."""


class WrongNumberOfArguments(ArgumentError):
    code = "TS5010"
    message = "{function} takes {expected} arguments, but got {got}"


class NotAnArray(ArgumentError):
    code = "TS5011"
    message = "{function}: {name} takes an array, but got {got}"


class WrongArrayRank(ArgumentError):
    code = "TS5012"
    message = "{function}: the array {name} takes {expected} dimensions, but got {got}"


class WrongArrayDType(ArgumentError):
    code = "TS5013"
    message = "{function}: the array {name} takes {expected}, but got {got}"


class WrongArrayShape(ArgumentError):
    code = "TS5014"
    message = "{function}: the array {name} takes the extent {expected} in dimension {axis}, but got {got}"


class WrongArrayStrides(ArgumentError):
    code = "TS5015"
    message = "{function}: the array {name} {expected}, but got the strides {got}"


class WrongScalar(ArgumentError):
    code = "TS5016"
    message = "{function}: {name} takes {expected}, but got {got}"


class ReadOnlyArray(ArgumentError):
    code = "TS5017"
    message = "{function}: the array {name} cannot be written"


class WrongDevice(ArgumentError):
    code = "TS5018"
    message = "{function}: the array {name} is on {got}, not on {expected}"


class UndecidedShape(ArgumentError):
    code = "TS5019"
    message = "{function}: no argument tells the value of {name}"


class KernelAssertion(ExecutionError):
    """A T.Assert of the program did not hold; `text` is the kernel's message."""

    code = "TS5020"
    message = "{text}"


class OutOfBounds(ExecutionError):
    code = "TS5021"
    message = "{access} {buffer}[{indices}] is outside of its shape ({shape})"


class OutOfMemoryRange(ExecutionError):
    code = "TS5022"
    message = "{buffer} needs elements {first} to {last} of memory that has {size}"


class DivisionByZero(ExecutionError):
    code = "TS5023"
    message = "division by zero in {operator}"


class ShiftOutOfRange(ExecutionError):
    code = "TS5024"
    message = "{operator} by {amount}: a shift of {dtype} is at least 0 and less than {bits}"


class UndefinedVariable(ExecutionError):
    code = "TS5025"
    message = "the variable {name} is used, but nothing defines it"


class TooManyCalls(ExecutionError):
    code = "TS5026"
    message = "{function}: calls of functions nest too deeply"


class Unsupported(ExecutionError):
    code = "TS5030"
    message = "{what} is not available in {where}"


class UnsupportedDType(ExecutionError):
    code = "TS5031"
    message = "{where} cannot hold {dtype}"
