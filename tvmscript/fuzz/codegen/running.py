"""Run a kernel twice on equal arguments and compare results, return values and errors."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmscript.backends.runtime.errors import (
    ArgumentError,
    KernelAssertion,
    WrongArrayShape,
    WrongArrayStrides,
    WrongScalar,
)
from tvmscript.backends.runtime.module import Module
from tvmscript.fuzz.codegen.arguments import changed
from tvmscript.fuzz.errors import TakesTooLong
from tvmscript.fuzz.guard_pages import check_padding, guarded
from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import DType, TVMScriptError, nodes
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Var
from tvmscript.testing.allclose import ulp_distance
from tvmscript.testing.lane_kernels import Array, as_numbers, samples

#: facts of argument errors that all backends report alike
_FACTS: Final = ("function", "name", "axis", "expected")
#: the same for scalars
_OF_NUMBERS: Final = ("function", "name")
_DEFAULT: Final = 4
#: products that are less are rounded in float32, too
_LEAST: Final = 2.0**-100


@dataclass(frozen=True)
class Left:
    """The effects of a call: the memory of its arrays, its result, or its error."""

    arrays: tuple[Array, ...]
    returned: Any = None
    raised: Exception | None = None


def arguments_of(
    func: PrimFunc, seed: int, sizes: Mapping[str, int], shared: tuple[tuple[str, str, int], ...] = ()
) -> tuple[list[Any], list[Array]]:
    """Draw arguments of a function, and the memory of the arrays."""
    values: list[Any] = []
    memory: dict[str, Array] = {}
    inside = {name: (other, offset) for name, other, offset in shared}
    for place, param in enumerate(func.params):
        buffer = func.buffer_map.get(param)
        if buffer is None and param.dtype.is_handle:
            memory[param.name] = guarded(
                samples(DType("uint8"), sizes[param.name], seed + place), is_behind=seed % 2 == 1
            )
            values.append(memory[param.name])
        elif buffer is None:
            values.append(sizes[param.name] if param.name in sizes else number(param.dtype, seed + place))
        elif buffer.name in inside:
            other, offset = inside[buffer.name]
            count = int(np.prod(shape_of(buffer, sizes)))
            values.append(memory[other][offset : offset + count].reshape(shape_of(buffer, sizes)))
        else:
            whole, value = _array(buffer, sizes, seed + place, is_alone=not shared)
            memory[buffer.name] = whole
            values.append(value)
    return values, list(memory.values())


def arrays_of(func: PrimFunc) -> list[tuple[str, DType | None]]:
    """List the names of arrays among the parameters with their dtypes; memory of a bare handle has none."""
    buffers = [(param, func.buffer_map.get(param)) for param in func.params]
    return [
        (param.name, None) if buffer is None else (buffer.name, buffer.dtype)
        for param, buffer in buffers
        if buffer is not None or param.dtype.is_handle
    ]


def number(dtype: DType, seed: int) -> Any:
    """Draw a value of a scalar parameter."""
    value = samples(dtype, 1, seed)[0]
    if dtype in FORMATS:
        return float(as_numbers(np.array([value]), dtype)[0])
    return bool(value) if dtype.is_bool else value.item()


def shape_of(buffer: Buffer, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of an array for a buffer; lanes are its last dimension."""
    shape = tuple(value_of(extent, sizes) for extent in buffer.shape)
    return shape if buffer.dtype.lanes == 1 else (*shape, buffer.dtype.lanes)


def value_of(expr: Expr, sizes: Mapping[str, int]) -> int:
    """Evaluate an extent for given values of its variables."""
    size_values = {var: sizes.get(var.name, _DEFAULT) for var in nodes(expr) if isinstance(var, Var)}
    size = evaluate_size(expr, size_values)
    return _DEFAULT if size is None else max(size, 0)


def _array(buffer: Buffer, sizes: Mapping[str, int], seed: int, *, is_alone: bool) -> tuple[Array, Array]:
    shape = shape_of(buffer, sizes)
    dtype = buffer.dtype.element
    if not buffer.strides:
        value = samples(dtype, int(np.prod(shape)), seed).reshape(shape)
        if is_alone:
            # arrays next to guard pages detect accesses out of bounds
            value = guarded(value, is_behind=seed % 2 == 1)
        return value, value
    strides = [value_of(stride, sizes) for stride in buffer.strides]
    reach = sum(stride * max(extent - 1, 0) for stride, extent in zip(strides, shape, strict=True)) + 1
    whole = guarded(samples(dtype, reach, seed), is_behind=seed % 2 == 1)
    return whole, np.lib.stride_tricks.as_strided(whole, shape, [stride * whole.itemsize for stride in strides])


def left(
    built: Module,
    func: PrimFunc,
    seed: int,
    sizes: Mapping[str, int],
    shared: tuple[tuple[str, str, int], ...] = (),
    wrong: int | None = None,
) -> Left:
    """Call `main` and record its effects; `wrong` is the seed that changes an argument."""
    values, memory = arguments_of(func, seed, sizes, shared)
    if wrong is not None:
        values = changed(random.Random(wrong), values)
        memory = [value for value in values if isinstance(value, np.ndarray)]
    with np.errstate(all="ignore"):
        returned = raised = None
        try:
            returned = built["main"](*values)
        except TakesTooLong:
            raise
        except Exception as error:  # noqa: BLE001  # whatever a function that is called raises
            raised = error
    check_padding(memory)
    return Left(tuple(np.array(each) for each in memory), returned, raised)


def is_meant(error: Exception) -> bool:
    """Test whether compiled code must raise the same error; other errors mean that the program is invalid."""
    return isinstance(error, (ArgumentError, KernelAssertion)) or not isinstance(error, TVMScriptError)


def is_cut(error: Exception) -> bool:
    """Test whether an argument overflows its parameter: packed functions get 64 bits and truncate them, as in TVM."""
    return isinstance(error, WrongScalar) and " to " in str(error.facts["expected"])


def told(error: Exception | None) -> tuple[Any, ...]:
    """Extract the facts of an error that all backends report alike."""
    if error is None:
        return ("no error",)
    if isinstance(error, (WrongArrayShape, WrongArrayStrides)):
        return "WrongArrayShape", error.facts["function"]  # of sizes that go together any may be the wrong one
    if isinstance(error, ArgumentError):
        # compiled code has facts as text
        names = _OF_NUMBERS if isinstance(error, WrongScalar) else _FACTS
        facts = tuple(str(error.facts.get(name, "")) for name in names)
        return type(error).__name__, *facts, error.span is not None
    if isinstance(error, KernelAssertion):
        return type(error).__name__, error.text
    return type(error).__name__, str(error)


def chosen(
    func: PrimFunc, arrays: Sequence[Array], others: Sequence[Array], after: Sequence[Array]
) -> tuple[Array, ...]:
    """Return arrays with what was computed where that equals elements of others.

    The products in these may leave the range of float32, where a fused sum has them: such elements are not compared.
    """
    results: list[Array] = []
    for (_, dtype), mine, other, got in zip(arrays_of(func), arrays, others, after, strict=True):
        a, b = (each if dtype is None else as_numbers(each, dtype.element) for each in (other, got))
        is_meant = a == b
        if a.dtype.kind == "f":
            is_meant |= ~np.isfinite(a) | (np.abs(a) < _LEAST)
        results.append(np.where(is_meant, got, mine))
    return tuple(results)


def first_difference(before: Array, after: Array, dtype: DType | None, ulp: int = 0) -> tuple[int, ...] | None:
    """Find the first index where two arrays differ, floats by more than `ulp`."""
    if before.shape != after.shape or before.dtype != after.dtype:
        return ()
    element = None if dtype is None else dtype.element
    a, b = (each if element is None else as_numbers(each, element) for each in (before, after))
    differs = np.asarray(a != b)
    if a.dtype.kind == "f":
        differs &= ~(np.isnan(a) & np.isnan(b))
        if ulp and element not in FORMATS:
            differs &= ~(ulp_distance(b, a) <= ulp)
        elif not ulp:
            differs |= (np.signbit(a) != np.signbit(b)) & ~np.isnan(a)
    if not differs.any():
        return None
    return tuple(int(axis) for axis in np.unravel_index(int(np.flatnonzero(differs)[0]), differs.shape))
