"""C functions as Python callables."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from tvmscript.backends.c.compiler import Library
from tvmscript.backends.c.function import Function
from tvmscript.backends.runtime.arguments import (
    array_argument,
    check_strides,
    describe_value,
    is_array,
    matching_order,
    number_argument,
    written_data,
)
from tvmscript.backends.runtime.array import asarray, storage_dtype
from tvmscript.backends.runtime.error_places import locate
from tvmscript.backends.runtime.errors import (
    ExecutionError,
    KernelAssertion,
    KernelOutOfMemory,
    UndecidedShape,
    WrongArrayShape,
    WrongArrayStrides,
    WrongScalar,
)
from tvmscript.backends.runtime.python_function import PythonFunction
from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Buffer, Expr, Var


class CFunction(PythonFunction):
    """A function of a C text, compiled at the first call of one of its functions."""

    def __init__(self, name: str, function: Function, library: Library, out_of_memory: Mapping[str, str]) -> None:
        super().__init__(name, function.signature.func)
        self._function = function
        self._library = library
        self._out_of_memory = out_of_memory
        self._written = written_data(self.func)
        self._order = matching_order(self.func)

    @cached_property
    def _entry(self) -> Any:
        return self._library.entry(self._function.entry, self.name)

    def run(self, args: tuple[Any, ...]) -> Any:
        """Call the function. Raises errors of `backends.runtime.errors` and of the compiler."""
        try:
            return self._call(args)
        except ExecutionError as error:
            locate(error, self.func)
            raise

    def _call(self, args: tuple[Any, ...]) -> Any:
        self.check_count(args)
        values = _Binding(self.name, self._written)
        for position, param in self._order:
            values.bind(param, self.func.buffer_map.get(param), args[position])
        cells = [values.cell(param.var) for param in self._function.params]
        returned = self._function.signature.returned
        if returned is not None:
            cells.append(np.zeros(1, _cell_dtype(returned)))
        places = [cell if isinstance(cell, int) else cell.ctypes.data for cell in cells]
        message = self._entry((ctypes.c_void_p * max(len(places), 1))(*places))
        if message is not None:
            text = message.decode()
            if text in self._out_of_memory:
                raise KernelOutOfMemory(function=self.name, name=self._out_of_memory[text])
            raise KernelAssertion(text=text)
        return cells[-1][0].item() if returned is not None else None


class _Binding:
    """Values of the variables of one call."""

    def __init__(self, function: str, written: set[Var]) -> None:
        self._function = function
        self._written = written
        self._sizes: dict[Var, int] = {}
        #: what the C function gets: an address, or an array that holds a number
        self._cells: dict[Var, Any] = {}
        self._addresses: dict[Var, int] = {}
        self._alive: list[object] = []

    def cell(self, var: Var) -> Any:
        """Return what the C function gets for a parameter."""
        if var not in self._cells:
            self._cells[var] = np.array([self._sizes[var]], storage_dtype(var.dtype))
        return self._cells[var]

    def bind(self, param: Var, buffer: Buffer | None, value: object) -> None:
        """Check an argument and bind the variables of its parameter."""
        if buffer is not None:
            self._bind_array(param, buffer, value)
        elif param.dtype.is_handle:
            self._cells[param] = self._address(param, value)
        else:
            number = number_argument(param, value, self._function)
            if isinstance(number, int):
                self._sizes[param] = number
            with np.errstate(over="ignore"):
                self._cells[param] = np.array([number], storage_dtype(param.dtype))

    def _address(self, param: Var, value: object) -> int:
        if value is None or isinstance(value, int):
            return value or 0
        if isinstance(value, ctypes.c_void_p):
            return value.value or 0
        if is_array(value):
            array = asarray(value)
            self._alive.append(array)
            return int(array.storage.ctypes.data)
        got = describe_value(value)
        raise WrongScalar(
            function=self._function, name=param.name, expected="a pointer or an array", got=got, span=param.span
        )

    def _bind_array(self, param: Var, buffer: Buffer, value: object) -> None:
        name, span = buffer.name, param.span or buffer.span
        array, shape, strides = array_argument(param, buffer, value, self._function, buffer.data in self._written)
        order = sorted(range(len(shape)), key=lambda axis: not isinstance(buffer.shape[axis], Var))
        for axis in order:
            expected = self._match(buffer.shape[axis], shape[axis])
            if expected != shape[axis]:
                raise WrongArrayShape(
                    function=self._function, name=name, axis=axis, expected=expected, got=shape[axis], span=span
                )
        wanted = tuple(map(self._match, buffer.strides, strides)) if buffer.strides else None
        check_strides(self._function, name, shape, strides, wanted, span)
        offset = self._match(buffer.elem_offset, 0)
        address = int(array.storage.ctypes.data)
        if offset != 0 or self._addresses.setdefault(buffer.data, address) != address:
            problem = f"must begin at element {offset}" if offset else "must lie where another array of its memory does"
            raise WrongArrayStrides(function=self._function, name=name, expected=problem, got=strides, span=span)
        self._alive.append(array)
        self._cells[param] = address

    def _match(self, expr: Expr, actual: int) -> int:
        """Return the value that an expression must have: a variable that has none yet takes the actual one."""
        if isinstance(expr, Var):
            if expr not in self._sizes and expr.dtype.min_value <= actual <= expr.dtype.max_value:
                self._sizes[expr] = actual
            return self._sizes.get(expr, expr.dtype.max_value)
        value = evaluate_size(expr, self._sizes)
        if value is None:
            raise UndecidedShape(function=self._function, name=str(expr), span=expr.span)
        return value


def _cell_dtype(dtype: DType) -> np.dtype[Any]:
    return np.dtype(np.uint64) if dtype.is_handle else storage_dtype(dtype)
