"""A graph function as a list of calls in destination-passing style, over values in storage.

Everything else in its body - tuples, shapes, scalars, views - is evaluated here, at compile time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.ir import tir
from tvmscript.ir.core import HANDLE, INT64, VOID, DType, GlobalVar
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import (
    Call,
    Constant,
    DataTypeImm,
    ExternFunc,
    If,
    MatchCast,
    PrimValue,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.lowering.graph_values import (
    ZERO,
    KernelCall,
    NotLowered,
    Place,
    ShapeValue,
    Storage,
    TensorValue,
    Value,
)
from tvmscript.ir.relax.lowering.memory_plan import ALIGNMENT, align
from tvmscript.ir.relax.op.builtin import stop_lift_params
from tvmscript.ir.relax.op.call_tir import call_dps_packed, call_tir, call_tir_inplace, call_tir_with_grad, tuple_fields
from tvmscript.ir.relax.op.memory import ensure_zero_offset, view
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.op.value import shape_of
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    PrimStructInfo,
    ShapeExpr,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.symbolic_shape import provably_equal, size_vars
from tvmscript.ir.tir import EQ, Buffer, Expr, IntImm
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.substitute import substitute

#: what host functions cannot express
_KINDS: Final[dict[type, str]] = {
    If: "a conditional",
    Function: "a local function",
    StringImm: "a string",
    DataTypeImm: "a dtype",
    ExternFunc: "a packed function as a value",
    GlobalVar: "a function as a value",
}


@dataclass
class Condition:
    """A condition that has to hold when the function is called."""

    expr: Expr
    message: str


class KernelCalls:
    """The calls of a function, its parameters and its result. Raises `NotLowered`."""

    def __init__(self, name: str, func: Function) -> None:
        self.name = name
        self.graph_params = func.params
        #: parameters of the host function: scalars and buffers
        self.params: list[tir.Var] = []
        self.buffers: dict[tir.Var, Buffer] = {}
        self.conditions: list[Condition] = []
        self.calls: list[KernelCall] = []
        self.constants = Constants()
        self._env: dict[Var, Value] = {}
        #: size variables, with what they are in terms of the parameters
        self._sizes: dict[tir.Var, Expr] = {}
        self.arguments: tuple[Value, ...] = tuple(
            [self._parameter(param.name_hint, param.struct_info) for param in func.params]
        )
        self._env.update(zip(func.params, self.arguments, strict=True))
        for block in func.body.blocks:
            for binding in block.bindings:
                self._bind(binding)
        self.result = self._value(func.body.body)
        for leaf in tensors(self.result):
            if leaf.storage.place is Place.TEMPORARY:
                leaf.storage.place = Place.RESULT

    # ---- parameters

    def _parameter(self, name: str, info: StructInfo | None) -> Value:
        if isinstance(info, TensorStructInfo):
            return self._tensor_parameter(name, info)
        if isinstance(info, PrimStructInfo):
            return self._scalar_parameter(name, info.value, info.dtype)
        if isinstance(info, ShapeStructInfo) and info.ndim != UNKNOWN_NDIM:
            extents: Sequence[Expr | None] = info.values or (None,) * info.ndim
            return ShapeValue(
                tuple([self._scalar_parameter(f"{name}_{axis}", extent, INT64) for axis, extent in enumerate(extents)])
            )
        if isinstance(info, TupleStructInfo):
            return tuple([self._parameter(f"{name}_{index}", field) for index, field in enumerate(info.fields)])
        raise NotLowered(f"the parameter {name} of {info}")

    def _tensor_parameter(self, name: str, info: TensorStructInfo) -> TensorValue:
        if info.ndim == UNKNOWN_NDIM or info.dtype is VOID:
            raise NotLowered(f"the parameter {name} of unknown rank or dtype")
        shape = info.extents or tuple([tir.Var(f"{name}_{axis}", INT64) for axis in range(info.ndim)])
        for extent in shape:
            if isinstance(extent, tir.Var):
                self._sizes.setdefault(extent, extent)
        buffer = make_buffer(shape, info.dtype, name)
        handle = tir.Var(name, HANDLE)
        self.params.append(handle)
        self.buffers[handle] = buffer
        return TensorValue(Storage(Place.PARAMETER, shape, info.dtype, buffer), shape, info.dtype)

    def _scalar_parameter(self, name: str, value: Expr | None, dtype: DType) -> Expr:
        """Add a scalar parameter, which is its size variable where it is the first that has it."""
        if isinstance(value, tir.Var) and value not in self.params:
            self._sizes[value] = value
            self.params.append(value)
            return value
        param = tir.Var(name, dtype)
        self.params.append(param)
        if value is not None:
            self._require(param, value, f"{self.name}: the parameter {name} must be {value}")
        return param

    def _require(self, got: Expr, expected: Expr, message: str) -> None:
        if not provably_equal(got, expected):
            self.conditions.append(Condition(EQ(got, tir.cast(got.dtype, expected)), message))

    # ---- bindings

    def _bind(self, binding: object) -> None:
        if isinstance(binding, VarBinding):
            self._env[binding.var] = self._value(binding.value)
        elif isinstance(binding, MatchCast):
            value = self._value(binding.value)
            self._match(binding.var.name_hint, value, binding.struct_info)
            self._env[binding.var] = value

    def _match(self, name: str, value: Value, info: StructInfo) -> None:
        """Bind new size variables of struct info, and require its other extents."""
        if isinstance(info, TensorStructInfo) and isinstance(value, TensorValue):
            if info.dtype not in (VOID, value.dtype) or info.ndim not in (UNKNOWN_NDIM, len(value.shape)):
                raise NotLowered(f"the cast {name}, which never holds")
            self._match_extents(name, value.shape, info.extents)
        elif isinstance(info, ShapeStructInfo) and isinstance(value, ShapeValue):
            if info.ndim not in (UNKNOWN_NDIM, len(value.extents)):
                raise NotLowered(f"the cast {name}, which never holds")
            self._match_extents(name, value.extents, info.values)
        elif isinstance(info, TupleStructInfo) and isinstance(value, tuple) and len(value) == len(info.fields):
            for index, (part, field_info) in enumerate(zip(value, info.fields, strict=True)):
                self._match(f"{name}[{index}]", part, field_info)
        else:
            raise NotLowered(f"the cast {name} to {info}")

    def _match_extents(self, name: str, got: Sequence[Expr], expected: Sequence[Expr] | None) -> None:
        for axis, (extent, given) in enumerate(zip(expected or (), got, strict=False)):
            if isinstance(extent, tir.Var) and extent not in self._sizes:
                self._sizes[extent] = given
            else:
                text = extent.value if isinstance(extent, IntImm) else extent
                message = f"{self.name}: {name} must have the extent {text} in dimension {axis}"
                self._require(given, self._size(extent), message)

    def _size(self, size: Expr) -> Expr:
        """Return a size in terms of the parameters."""
        for var in size_vars(size):
            if var not in self._sizes:
                raise NotLowered(f"the size {var.name}, which is known only when the function runs")
        return substitute(size, self._sizes)

    def _shape(self, values: Sequence[Expr] | None) -> tuple[Expr, ...]:
        if values is None:
            raise NotLowered("a shape that is known only when the function runs")
        return tuple([self._size(value) for value in values])

    # ---- values

    def _value(self, expr: Any) -> Value:
        if isinstance(expr, Var):
            return self._env[expr]
        if isinstance(expr, Constant):
            return self.constants.add(expr)
        if isinstance(expr, ShapeExpr):
            return ShapeValue(self._shape(expr.values))
        if isinstance(expr, PrimValue):
            return self._size(expr.value)
        if isinstance(expr, Tuple):
            return tuple([self._value(part) for part in expr.fields])
        if isinstance(expr, TupleGetItem):
            items = self._value(expr.tuple_value)
            assert isinstance(items, tuple)
            return items[expr.index]
        if isinstance(expr, Call):
            rule = _RULES.get(expr.op)
            if rule is None:
                raise NotLowered(f"a call of {getattr(expr.op, 'script_name', None) or expr.op}")
            return rule(self, expr)
        raise NotLowered(_KINDS.get(type(expr), f"a {type(expr).__name__}"))

    def call_kernel(self, call: Call) -> Value:
        """Append the call of a kernel, and return its results: new tensors, or arguments that it writes into."""
        callee: Any = call.args[0]
        if not isinstance(callee, (ExternFunc, GlobalVar)):
            raise NotLowered("a call of a function value")
        given = self._value(call.args[1])
        args: list[Any] = list(given) if isinstance(given, tuple) else [given]
        infos = tuple_fields(call.sinfo_args[0])
        targets = call.attrs["inplace_indices"] if call.op is call_tir_inplace else (-1,) * len(infos)
        results = [
            args[place] if place != -1 else self._new_tensor(info) for info, place in zip(infos, targets, strict=True)
        ]
        args += [result for result, place in zip(results, targets, strict=True) if place == -1]
        if len(call.args) > 2:
            sizes = self._value(call.args[2])
            assert isinstance(sizes, ShapeValue)
            args.extend(sizes.extents)
        leaves = [leaf for arg in args for leaf in (arg.extents if isinstance(arg, ShapeValue) else [arg])]
        if any(isinstance(leaf, tuple) for leaf in leaves):
            name = callee.name_hint if isinstance(callee, GlobalVar) else callee.global_symbol
            raise NotLowered(f"a tuple as an argument of {name}")
        for leaf in leaves:
            if isinstance(leaf, TensorValue):
                leaf.storage.uses.append(len(self.calls))
        self.calls.append(KernelCall(callee, tuple(leaves)))
        is_tuple = isinstance(call.sinfo_args[0], TupleStructInfo)
        return tuple(results) if is_tuple else results[0]

    def _new_tensor(self, info: StructInfo) -> TensorValue:
        if not isinstance(info, TensorStructInfo):
            raise NotLowered(f"a result of {info}")
        shape = self._shape(info.extents)
        return TensorValue(Storage(Place.TEMPORARY, shape, info.dtype), shape, info.dtype)

    def tensor(self, expr: object) -> TensorValue:
        """Return the value of an argument that is a tensor."""
        value = self._value(expr)
        if not isinstance(value, TensorValue):
            raise NotLowered("an argument that is no tensor")
        return value

    def view(self, data: TensorValue, info: StructInfo | None, offset: Expr = ZERO) -> TensorValue:
        """Return the memory of a tensor under other struct info, so many bytes behind its beginning."""
        if not isinstance(info, TensorStructInfo) or info.dtype is VOID:
            raise NotLowered(f"a view of {info}")
        shift = data.offset + offset
        return TensorValue(data.storage, self._shape(info.extents), info.dtype, shift)


class Constants:
    """The constants of functions, in one block of bytes."""

    def __init__(self) -> None:
        self._parts: list[Constant] = []
        self._storages: dict[int, Storage] = {}
        self.size = 0

    def add(self, constant: Constant) -> TensorValue:
        """Return the tensor of a constant."""
        shape = tuple([IntImm(INT64, extent) for extent in constant.data.shape])
        storage = self._storages.get(id(constant))
        if storage is None:
            storage = Storage(Place.CONSTANT, shape, constant.dtype, position=self.size)
            self._storages[id(constant)] = storage
            self._parts.append(constant)
            self.size += align(np.asarray(constant.data).nbytes)
        return TensorValue(storage, shape, constant.dtype)

    def data(self) -> npt.NDArray[np.uint8]:
        """Return the block, at an aligned address."""
        memory = np.zeros(self.size + ALIGNMENT, np.uint8)
        block = memory[-memory.ctypes.data % ALIGNMENT :][: self.size]
        begin = 0
        for constant in self._parts:
            elements = np.ascontiguousarray(constant.data).reshape(-1).view(np.uint8)
            block[begin : begin + len(elements)] = elements
            begin += align(len(elements))
        return block


def tensors(value: Value) -> Iterator[TensorValue]:
    """Yield the tensors of a value."""
    if isinstance(value, TensorValue):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from tensors(part)


# ---- rules of operators


def _same(calls: KernelCalls, call: Call) -> Value:
    return calls.tensor(call.args[0])


def _reshape(calls: KernelCalls, call: Call) -> Value:
    return calls.view(calls.tensor(call.args[0]), call.struct_info)


def _view(calls: KernelCalls, call: Call) -> Value:
    data, given = calls.tensor(call.args[0]), call.args[3]
    offset = given.value if isinstance(given, PrimValue) else ZERO
    return calls.view(data, call.struct_info, offset)


def _shape_of(calls: KernelCalls, call: Call) -> Value:
    return ShapeValue(calls.tensor(call.args[0]).shape)


#: operator -> what gives the value of its call
_RULES: Final[dict[object, Callable[[KernelCalls, Call], Value]]] = {
    **dict.fromkeys((call_tir, call_tir_inplace, call_tir_with_grad, call_dps_packed), KernelCalls.call_kernel),
    reshape: _reshape,
    view: _view,
    ensure_zero_offset: _same,
    stop_lift_params: _same,
    shape_of: _shape_of,
}
