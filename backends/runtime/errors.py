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


class UnknownFunction(ExecutionError, code="TS5001"):
    """A compiled module has no function of this name."""

    message = "the module has no function named {name}"


class NoEntryFunction(ExecutionError, code="TS5002"):
    """A module with several functions is called itself. One of them is to be named `main`, or it is called by name:
    module["name"](...).
    """

    message = "the module has several functions and none is named main: {names}"


class NoSource(ExecutionError, code="TS5003"):
    """A compiled module is asked for a kind of source that it does not have. The kinds are "asm", "ll" and the like,
    as the target makes them.
    """

    message = "the module has no source of kind {kind}"


class NoLibrary(ExecutionError, NotImplementedError, code="TS5004"):
    """A compiled module cannot be written to a file: it lives in its process. Programs can: `tvmscript.save`."""

    message = "{method} is not part of this package yet: compiled modules live in their process"
    advice = 'save the program with tvmscript.save and build it where it runs, or build it for target="c"'


class ArgumentError(ExecutionError):
    """Base of errors in what a function is called with."""


#: names of missing arguments that an error tells
_MOST_NAMES: Final = 8


class WrongNumberOfArguments(ArgumentError, code="TS5010"):
    """A compiled function is called with more or fewer arguments than it has parameters."""

    message = "{function} takes {expected} arguments, but got {got}"

    @classmethod
    def propose(cls, facts: Mapping[str, object]) -> str | None:
        parameters = facts.get("parameters")
        missing = parameters[int(str(facts["got"])) :] if isinstance(parameters, tuple) else ()
        more = ", ..." if len(missing) > _MOST_NAMES else ""
        return f"missing: {', '.join(missing[:_MOST_NAMES])}{more}" if missing else None


class NotAnArray(ArgumentError, code="TS5011"):
    """A parameter is a buffer, and the argument is no array: NumPy arrays, tvm-ffi tensors and everything with DLPack
    are taken.
    """

    message = "{function}: {name} takes an array, but got {got}"

    @classmethod
    def propose(cls, facts: Mapping[str, object]) -> str | None:
        if facts.get("got") == "a pointer":
            return "a pointer is taken for a buffer of constant shape, in calls between functions of a module"
        return "pass a NumPy array of the buffer's dtype: numpy.array(values, dtype)"


class WrongArrayRank(ArgumentError, code="TS5012"):
    """An array has more or fewer dimensions than the buffer it is handed over for."""

    message = "{function}: the array {name} takes {expected} dimensions, but got {got}"


class WrongArrayDType(ArgumentError, code="TS5013"):
    """An array has another element type than its buffer. Arrays are not converted, because results are written into
    them.
    """

    message = "{function}: the array {name} takes {expected}, but got {got}"

    @classmethod
    def propose(cls, facts: Mapping[str, object]) -> str | None:
        expected = str(facts["expected"])
        if expected in _NUMPY_DTYPES:
            return f'pass a converted copy: array.astype("{expected}")'
        return f'convert it: tvmscript.nd.array(values, dtype="{expected}")' if "x" not in expected else None


class WrongArrayShape(ArgumentError, code="TS5014"):
    """An extent of an array is not that of its buffer, or contradicts another argument that has the same size."""

    message = "{function}: the array {name} takes the extent {expected} in dimension {axis}, but got {got}"


class WrongArrayStrides(ArgumentError, code="TS5015"):
    """An array is laid out in memory in another way than its buffer says. A contiguous copy
    (`numpy.ascontiguousarray`) has the usual layout.
    """

    message = "{function}: the array {name} {expected}, but got the strides {got}"

    @classmethod
    def propose(cls, facts: Mapping[str, object]) -> str | None:
        is_layout = any(word in str(facts["expected"]) for word in ("compact", "whole elements"))
        return "pass a contiguous copy: numpy.ascontiguousarray(array)" if is_layout else None


class WrongScalar(ArgumentError, code="TS5016"):
    """A parameter is a number, and the argument is none of its kind or does not fit in its type."""

    message = "{function}: {name} takes {expected}, but got {got}"


class ReadOnlyArray(ArgumentError, code="TS5017"):
    """A function writes into an array that may not be written."""

    message = "{function}: the array {name} cannot be written"
    advice = "pass a writable copy: array.copy()"


class WrongDevice(ArgumentError, code="TS5018"):
    """An array is in the memory of another device than the function runs on."""

    message = "{function}: the array {name} is on {got}, not on {expected}"


class UndecidedShape(ArgumentError, code="TS5019"):
    """No argument determines the value of a size: it is no extent of its own in any shape."""

    message = "{function}: no argument determines the size {name}"


class WrongKeywords(ArgumentError, code="TS5027"):
    """A function is called with names that are not those of its parameters, or with two arguments for one."""

    message = "{function}: {reason}"


class KernelAssertion(ExecutionError, code="TS5020"):
    """An assertion of the program does not hold; `text` is its message."""

    message = "{text}"


class OutOfBounds(ExecutionError, code="TS5021"):
    """An element is read or written that is outside of its buffer. The interpreter checks each access; compiled code
    does not.
    """

    message = "{access} {buffer}[{indices}] is outside of its shape ({shape})"


class OutOfMemoryRange(ExecutionError, code="TS5022"):
    """A buffer with an offset or strides reaches behind the end of the memory that it is handed."""

    message = "{buffer} needs elements {first} to {last} of memory that has {size}"


class DivisionByZero(ExecutionError, code="TS5023"):
    """The program divides an integer by zero."""

    message = "division by zero in {operator}"


class ShiftOutOfRange(ExecutionError, code="TS5024"):
    """A shift by less than zero, or by as many bits as the type has or more, has no result."""

    message = "{operator} by {amount}: a shift of {dtype} is at least 0 and less than {bits}"


class UndefinedVariable(ExecutionError, code="TS5025"):
    """A variable is read at run time before it has a value."""

    message = "the variable {name} is used, but not defined"


class TooManyCalls(ExecutionError, code="TS5026"):
    """The recursion of function calls is too deep."""

    message = "{function}: calls of functions nest too deeply"


class TooManyIterations(ExecutionError, code="TS5064"):
    """A `while` loop runs longer than the run may take: `interp.build(mod, while_limit=...)` sets the limit."""

    message = "a while loop runs for more iterations than the run may take"


class Deadlock(ExecutionError, code="TS5047"):
    """Threads wait for a barrier at which nothing arrives any more: one in shared memory (mbarrier), or one of all
    blocks (`T.cuda.grid_sync()`) of which some have ended.
    """

    message = "{waiting} of {threads} threads wait for arrivals that do not come"


class NoSuchBlock(ExecutionError, code="TS5052"):
    """A thread asks for the shared memory of a block that its cluster does not have (`T.ptx.mapa`, multicast copies).
    The extents of `clusterCtaIdx` are those of a cluster; without them each block is alone.
    """

    message = "there is no block {rank} in a cluster of {size}"


class Unsupported(ExecutionError, code="TS5030"):
    """A part of the language is not available in this backend."""

    message = "{what} is not available in {where}"


class UnsupportedDType(ExecutionError, ValueError, code="TS5031"):
    """There are no arrays of this element type here."""

    message = "{where} cannot hold {dtype}"


class WrongValues(ExecutionError, ValueError, code="TS5032"):
    """An array is filled with values of another shape."""

    message = "{where} takes {expected}, but got {got}"


class UnknownSymbol(ExecutionError, code="TS6004"):
    """A C function that T.call_extern names is nowhere in the process. Load its library first: ctypes.CDLL(path,
    ctypes.RTLD_GLOBAL). Code for instructions that the processor lacks calls functions of libgcc, which can be missing.
    """

    message = "the program calls the C function {name}, which is not loaded in this process"


class NoCudaDriver(ExecutionError, code="TS6504"):
    """A function of a module for CUDA is called, or memory of a CUDA device is asked for, on a machine without a
    driver, or without a GPU. Building and `get_source` need none.
    """

    message = "{function} needs a GPU, and {reason}"
    advice = 'build(..., target="interp") runs kernels, threads and barriers without one'


class CudaDriverError(ExecutionError, code="TS6505"):
    """CUDA's driver refuses a call: memory is not available, a kernel was launched with sizes that the device does not
    have, or an earlier kernel failed.
    """

    message = "CUDA's driver refuses {what}: {reason}"


class MisalignedArray(ArgumentError, code="TS6507"):
    """A kernel loads vectors of up to 16 bytes, and the memory of an argument does not begin at a multiple of 16."""

    message = "{function}: the memory of {name} must begin at a multiple of 16 bytes"
    advice = "pass a copy; a view that begins inside of another array may be misaligned"


class KernelOutOfMemory(ExecutionError, code="TS6010"):
    """A compiled function could not get the memory for one of its buffers."""

    message = "{function}: out of memory for the buffer {name}"
