"""Call functions of the packed convention with known arguments, so that all argument lookups are constants.

A function made by `tir.MakePackedAPI` reads its arguments from structures. Each field holds the value of a valid
argument, or one field is wrong, and the function must raise.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from tvmscript.backends import interp
from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.errors import Unsupported, UnsupportedDType
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core import FLOAT64, HANDLE, INT64, DType, IRModule, PointerType, TVMScriptError, on
from tvmscript.ir.tir import NOOP, Buffer, Call, Cast, Evaluate, Expr, IntImm, LetStmt, PrimFunc, Stmt, TirRewriter, Var
from tvmscript.ir.tir.intrin.memory import isnullptr, tvm_struct_get_, tvm_struct_set
from tvmscript.ir.transform.calling_convention.runtime_fields import (
    DTYPES,
    AnyType,
    ArgCode,
    Field,
    ffi_type_of,
    tvm_type_of,
)
from tvmscript.testing.schedule_values import difference

#: fields of an array that the function must check -> a wrong difference
_WRONG: Final = (
    (Field.NDIM, 1),
    (Field.TYPE_BITS, 8),
    (Field.TYPE_CODE, 1),
    (Field.TYPE_LANES, 1),
    (Field.DEVICE_TYPE, 3),
)


@dataclass
class _Array:
    """An array argument."""

    value: Any
    buffer: Buffer
    shape: list[int]
    #: strides in elements; None if compact
    strides: list[int] | None
    #: field -> a difference to the right value
    wrong: dict[Field, int] = field(default_factory=dict[Field, int])

    @property
    def storage(self) -> Any:
        """The elements as a NumPy array."""
        return self.value.storage if isinstance(self.value, NDArray) else self.value

    @property
    def steps(self) -> list[int]:
        """The actual strides in elements."""
        return [step // self.storage.itemsize for step in self.storage.strides]

    def lengthen(self, axis: int) -> None:
        """Report a larger extent."""
        self.shape[axis] += 1
        self.strides = self.steps

    def stretch(self, axis: int) -> None:
        """Report a larger stride."""
        self.strides = [step + (place == axis) for place, step in enumerate(self.steps)]

    def falsify(self, key: Field, added: int) -> None:
        self.wrong[key] = added


class _Arguments:
    """The arguments of one call, and their reported number."""

    def __init__(self, func: PrimFunc, values: Sequence[Any], rng: random.Random) -> None:
        self.params = func.params
        self.count = len(func.params)
        self.arrays: dict[Var, _Array] = {}
        self.numbers: dict[Var, Any] = {}
        for param, value in zip(func.params, values, strict=True):
            buffer = func.buffer_map.get(param)
            if buffer is None:
                self.numbers[param] = value
                continue
            array = self.arrays[param] = _Array(value, buffer, [], None)
            array.shape = list(array.storage.shape)
            if not array.storage.flags.c_contiguous or rng.random() < 0.5:
                array.strides = array.steps

    def say_more(self) -> None:
        """Report one more argument."""
        self.count += 1

    def codes(self) -> list[int]:
        """The type codes of the arguments before tvm-ffi."""
        return [ArgCode.DLTENSOR if param in self.arrays else
                ArgCode.INT if param.dtype.is_integer else ArgCode.FLOAT for param in self.params]  # fmt: skip


@dataclass(frozen=True)
class _Mistake:
    """A mistake in a call: its description and the change of the arguments."""

    words: str
    make: Callable[[_Arguments], None]


def _mistakes(func: PrimFunc) -> list[_Mistake]:
    """List the possible mistakes in calls of a function."""
    mistakes = [_Mistake("count", _Arguments.say_more)]
    for param, buffer in func.buffer_map.items():
        mistakes += [_of_array(param, key.name, _Array.falsify, key, added) for key, added in _WRONG]
        if isinstance(buffer.elem_offset, IntImm):
            mistakes.append(_of_array(param, "BYTE_OFFSET", _Array.falsify, Field.BYTE_OFFSET, 64))
        for axis, size in enumerate(buffer.shape):
            if isinstance(size, IntImm):
                mistakes.append(_of_array(param, f"extent {axis}", _Array.lengthen, axis))
                if size.value > 1 and not buffer.strides:
                    mistakes.append(_of_array(param, f"stride {axis}", _Array.stretch, axis))
    return mistakes


def _of_array(param: Var, words: str, change: Callable[..., None], *args: Any) -> _Mistake:
    return _Mistake(f"{words} of {param.name}", lambda given: change(given.arrays[param], *args))


class _Lookup(TirRewriter):
    """Replace fields by their values, and pointers by parameters."""

    def __init__(self, arguments: _Arguments, is_ffi: bool, device: int) -> None:
        super().__init__()
        self.params = arguments.params
        self.arrays = arguments.arrays
        self.numbers = arguments.numbers
        self.is_ffi = is_ffi
        self.device = device
        #: added parameters -> their values
        self.given: dict[Var, Any] = {}
        #: pointer to strides -> the array; compact arrays have dummy memory, since buffers refer to it
        self.steps: dict[Var, _Array] = {}

    def pointer(self, name: str, value: Any) -> Var:
        pointer = Var(name, HANDLE)
        self.given[pointer] = value
        return pointer

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        call = node.value
        # stores of results are ignored
        return NOOP if isinstance(call, Call) and call.op is tvm_struct_set else self.descend(node)

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        value = self.rewrite(node.value)
        if isinstance(value, Var) and value in self.steps:
            self.steps[node.var] = self.steps[value]
        return LetStmt(node.var, value, self.rewrite(node.body), span=node.span)

    @on(Buffer)
    def buffer(self, node: Buffer) -> Any:
        array = self.steps.get(node.data)
        if array is None or node in self.renamed:
            return self.renamed.get(node, node)
        renamed_buffer = self.renamed[node] = node.replace(shape=(IntImm(node.shape[0].dtype, len(array.shape)),))
        return renamed_buffer

    def define(self, name: Any) -> Any:
        return self.buffer(name) if isinstance(name, Buffer) else super().define(name)

    @on(Call)
    def call(self, node: Call) -> Expr:
        if node.op is isnullptr and isinstance(node.args[0], Var) and node.args[0] in self.steps:
            return IntImm("bool", self.steps[node.args[0]].strides is None)
        if node.op is not tvm_struct_get_:
            return self.descend(node)
        about, place, number = node.args
        assert isinstance(place, IntImm)
        assert isinstance(number, IntImm)
        key = Field(number.value)
        if isinstance(about, Var) and about in self.arrays:
            return self.of_array(self.arrays[about], key, node.dtype)
        param = self.params[place.value]
        if key is Field.ANY_TYPE_INDEX:
            return IntImm("int32", self.kind(param))
        return self.argument(param, node.dtype)

    def kind(self, param: Var) -> int:
        """The type index of an argument."""
        if param in self.arrays:
            return AnyType.DLTENSOR
        if param.dtype.is_bool:
            return AnyType.BOOL
        is_whole = param.dtype.is_integer or isinstance(self.numbers[param], int)
        return AnyType.INT if is_whole else AnyType.FLOAT

    def argument(self, param: Var, dtype: DType) -> Expr:
        """The value of an argument as the dtype of the load."""
        if param in self.arrays:
            return self.pointer(f"{param.name}_given", self.arrays[param].value)
        value = self.numbers[param]
        if dtype is FLOAT64:
            # the bits of an integer are a tiny number
            param_given = Var(f"{param.name}_given", FLOAT64)
            self.given[param_given] = float(value) if not isinstance(value, int) or not self.is_ffi else 5e-324
            return param_given
        param_given = Var(f"{param.name}_given", INT64)
        self.given[param_given] = int(value) if isinstance(value, int) else 1 << 50
        return param_given if dtype is INT64 else Cast(dtype, param_given)

    def of_array(self, array: _Array, key: Field, dtype: DType) -> Expr:
        if key is Field.DATA:
            return self.pointer(f"{array.buffer.name}_data", array.value)
        if key is Field.SHAPE:
            return self.pointer(f"{array.buffer.name}_shape", np.array(array.shape, "int64"))
        if key is Field.STRIDES:
            handle = self.pointer(
                f"{array.buffer.name}_strides", np.array(array.strides or [0] * len(array.shape), "int64")
            )
            self.steps[handle] = array
            return handle
        code, bits, lanes = (ffi_type_of if self.is_ffi else tvm_type_of)(array.buffer.dtype)
        fields = {
            Field.NDIM: len(array.shape),
            Field.TYPE_CODE: code,
            Field.TYPE_BITS: bits,
            Field.TYPE_LANES: lanes,
            Field.BYTE_OFFSET: 0,
            Field.DEVICE_ID: 0,
            Field.DEVICE_TYPE: self.device,
        }
        return IntImm(DTYPES.get(key, dtype), fields[key] + array.wrong.get(key, 0))


def wrong_call(before: IRModule, after: IRModule, name: str, seed: int) -> str | None:
    """Call a packed function with right and wrong arguments; describe what is wrong, None if nothing."""
    old, new = before[name], after[name]
    rng = random.Random(seed)
    target = old.attrs.get("target")
    device = getattr(target, "device_type", 1)
    dims = {
        var.name: rng.choice([1, 2, 3, 5])
        for buffer in old.buffer_map.values()
        for var in buffer.shape
        if isinstance(var, Var)
    }
    values = [each.value for each in random_inputs(old, seed, dims)]
    values = [_number(param, value, rng) for param, value in zip(old.params, values, strict=True)]
    kept = [_copy(value) for value in values]
    try:
        returned = interp.build(before)[name](*kept)
    except TVMScriptError:
        return None
    mistakes = _mistakes(old)
    for mistake in (None, *rng.sample(mistakes, min(3, len(mistakes)))):
        copies = [_copy(value) for value in values]
        arguments = _Arguments(old, copies, rng)
        if mistake is not None:
            mistake.make(arguments)
        try:
            result = _called(new, arguments, device)
        except (Unsupported, UnsupportedDType):
            return None
        except TVMScriptError as error:
            if mistake is None:
                return f"a call with right arguments ends with {error.text}"
            continue
        if mistake is not None:
            return f"a call with a wrong {mistake.words} does not stop"
        mismatch = difference(
            old, [np.array(each) for each in kept], [np.array(each) for each in copies], is_exact=True
        )
        if mismatch is not None:
            return (
                f"the packed function computes {mismatch['after']} and not {mismatch['before']} in {mismatch['buffer']}"
            )
        if result != 0:
            return f"the packed function returns {result}, the other one {returned}"
    return None


def _number(param: Var, value: Any, rng: random.Random) -> Any:
    """Sometimes replace a float by an integer."""
    return rng.randrange(5) if param.dtype.is_floating and isinstance(value, float) and rng.random() < 0.5 else value


def _copy(value: Any) -> Any:
    if isinstance(value, NDArray):
        return NDArray(value.storage.copy(), value.dtype)
    if not isinstance(value, np.ndarray):
        return value
    if value.flags.c_contiguous:
        return value.copy()
    # the copy has the same strides
    strided = np.lib.stride_tricks.as_strided(
        np.zeros(
            sum(step * (size - 1) for step, size in zip(value.strides, value.shape, strict=True)) // value.itemsize + 1,
            value.dtype,
        ),
        value.shape,
        value.strides,
    )
    strided[...] = value
    return strided


def _called(func: PrimFunc, arguments: _Arguments, device: int) -> Any:
    """Call a packed function."""
    lookup = _Lookup(arguments, len(func.params) == 4, device)
    body = lookup.rewrite(func.body)
    outer: list[Any] = []
    for var in func.params:
        if var.name == "num_args":
            outer.append(arguments.count)
        elif isinstance(var.pointer_type, PointerType) and var.name == "arg_type_ids":
            outer.append(np.array(arguments.codes() or [0], "int32"))
        else:
            outer.append(np.zeros(4, "int64"))
    wrapper = PrimFunc((*func.params, *lookup.given), body, func.ret_type, attrs={"global_symbol": "main"})
    return interp.build(IRModule({"main": wrapper}))["main"](*outer, *lookup.given.values())
