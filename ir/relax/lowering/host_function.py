"""Lower a graph function to a host function: a PrimFunc that calls its kernels in order, over planned memory.

    @R.function                                         @T.prim_func
    def main(x: R.Tensor((4,), "float32")):             def main(x: T.handle, output_0: T.handle, workspace: T.handle):
        y = R.call_tir(cls.exp, (x,), ...)       -->        ...
        z = R.call_tir(cls.exp, (y,), ...)                  cls.exp(<x>, <workspace + 0>)
        return z                                            cls.exp(<workspace + 0>, <output_0>)

Sizes that are known at compile time make the addresses of temporary storage constant. For others the function
`main.sizes` computes the bytes of each storage and the extents of the results; its caller plans the memory once for
each shape of the arguments, and hands the offsets over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmscript.ir import tir
from tvmscript.ir.core import HANDLE, INT64, VOID, DType, PointerType, PrimType, structural_equal
from tvmscript.ir.relax.expr import ExternFunc
from tvmscript.ir.relax.expr import Var as RelaxVar
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.lowering.graph_values import (
    KernelCall,
    NotLowered,
    Place,
    ShapeValue,
    Storage,
    TensorValue,
    Value,
)
from tvmscript.ir.relax.lowering.kernel_calls import KernelCalls
from tvmscript.ir.relax.lowering.memory_plan import Lifetime, MemoryPlan, plan_memory
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import (
    AssertStmt,
    Buffer,
    BufferLoad,
    BufferStore,
    DeclBuffer,
    Evaluate,
    Expr,
    IntImm,
    PrimFunc,
    Stmt,
)
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.function import DISPLAY_NAME
from tvmscript.ir.tir.intrin.memory import tvm_stack_make_array, tvm_stack_make_shape
from tvmscript.ir.tir.intrin.packed import tvm_call_packed
from tvmscript.ir.tir.intrin.v0_27 import handle_add_byte_offset

#: what the name of the function that computes sizes ends with
SIZES: Final = ".sizes"

#: a size: a constant, or -1 - the number of a size that depends on the arguments
Size = int


@dataclass(frozen=True)
class TensorForm:
    """A tensor of the result: an argument, a result tensor or a constant, under some shape."""

    place: Place
    #: number of the argument or of the result tensor, offset of the constant
    index: int
    shape: tuple[Size, ...]
    dtype: DType


@dataclass(frozen=True)
class ShapeForm:
    """A shape of the result."""

    extents: tuple[Size, ...]


@dataclass(frozen=True)
class ScalarForm:
    """A scalar of the result."""

    value: Size
    dtype: DType


#: form of a result
ResultForm = TensorForm | ShapeForm | ScalarForm | tuple["ResultForm", ...]
#: form of an argument: None for a tensor or a scalar, the rank of a shape, or the forms of a tuple
ArgumentForm = None | int | tuple["ArgumentForm", ...]


@dataclass(frozen=True)
class HostFunction:
    """A lowered graph function, and what its caller needs to know."""

    name: str
    #: parameters of the graph function
    params: tuple[RelaxVar, ...]
    num_calls: int
    func: PrimFunc
    #: computes the sizes that depend on the arguments; None where there are none
    sizes: PrimFunc | None
    num_sizes: int
    arguments: tuple[ArgumentForm, ...]
    result: ResultForm
    #: shape and dtype of each result tensor
    outputs: tuple[tuple[tuple[Size, ...], DType], ...]
    #: bytes and lifetime of each temporary storage
    temporaries: tuple[tuple[Size, Lifetime], ...]
    #: the plan of the temporary storage, None where its sizes depend on the arguments
    plan: MemoryPlan | None
    constants: npt.NDArray[np.uint8] = field(repr=False, compare=False)


def lower_graph_function(name: str, func: Function) -> HostFunction:
    """Lower a graph function whose calls are calls of kernels.

    Raises `NotLowered` where a host function cannot express it.
    """
    return _Lowering(name, KernelCalls(name, func)).run()


class _Lowering:
    """The lowering of one function."""

    def __init__(self, name: str, calls: KernelCalls) -> None:
        self.name = name
        self.calls = calls
        self.sizes: list[Expr] = []
        storages = [arg.storage for call in calls.calls for arg in call.args if isinstance(arg, TensorValue)]
        self.temporaries = _in_place(storages, Place.TEMPORARY)
        self.results = _in_place(storages, Place.RESULT)
        for number, storage in enumerate(self.temporaries):
            storage.position = number
        for number, storage in enumerate(self.results):
            storage.buffer = make_buffer(storage.shape, storage.dtype, f"output_{number}")
        self.workspace, self.constants = tir.Var("workspace", HANDLE), tir.Var("constants", HANDLE)
        self.offsets = _host_array("offsets", len(self.temporaries))
        self.plan: MemoryPlan | None = None

    def run(self) -> HostFunction:
        """Return the lowered function."""
        calls = self.calls
        result = self._result_form(calls.result)
        outputs = tuple([(self._shape(storage.shape), storage.dtype) for storage in self.results])
        temporaries = tuple([(self._size(storage.size), storage.lifetime) for storage in self.temporaries])
        if all(size >= 0 for size, _ in temporaries):
            self.plan = plan_memory([size for size, _ in temporaries], [life for _, life in temporaries])
        host = self._host_function()
        return HostFunction(
            self.name,
            calls.graph_params,
            len(calls.calls),
            host,
            self._sizes_function() if self.sizes else None,
            len(self.sizes),
            tuple([_argument_form(value) for value in calls.arguments]),
            result,
            outputs,
            temporaries,
            self.plan,
            calls.constants.data(),
        )

    # ---- sizes

    def _size(self, size: Expr) -> Size:
        """Return a constant size, or -1 - the number of another."""
        size = simplify_size(size)
        if isinstance(size, IntImm):
            return size.value
        for number, other in enumerate(self.sizes):
            if structural_equal(other, size):
                return -1 - number
        self.sizes.append(size)
        return -len(self.sizes)

    def _shape(self, shape: Sequence[Expr]) -> tuple[Size, ...]:
        return tuple([self._size(extent) for extent in shape])

    def _result_form(self, value: Value) -> ResultForm:
        if isinstance(value, TensorValue):
            return self._tensor_form(value)
        if isinstance(value, ShapeValue):
            return ShapeForm(self._shape(value.extents))
        if isinstance(value, tuple):
            return tuple([self._result_form(part) for part in value])
        if not value.dtype.is_integer:
            raise NotLowered(f"the result {value}, a scalar of {value.dtype}")
        return ScalarForm(self._size(value), value.dtype)

    def _tensor_form(self, value: TensorValue) -> TensorForm:
        storage = value.storage
        if not (isinstance(value.offset, IntImm) and value.offset.value == 0):
            raise NotLowered("a result that is a part of another tensor")
        if storage.place is Place.CONSTANT:
            index = storage.position
        elif storage.place is Place.RESULT:
            index = self.results.index(storage)
        else:
            buffers = self.calls.buffers
            places = [number for number, param in enumerate(self.calls.params) if buffers.get(param) is storage.buffer]
            index = places[0]
        return TensorForm(storage.place, index, self._shape(value.shape), value.dtype)

    # ---- functions

    def _host_function(self) -> PrimFunc:
        params, buffers = list(self.calls.params), dict(self.calls.buffers)

        def add(buffer: Buffer) -> None:
            handle = tir.Var(buffer.name, HANDLE)
            params.append(handle)
            buffers[handle] = buffer

        for storage in self.results:
            assert storage.buffer is not None
            add(storage.buffer)
        if self.temporaries:
            params.append(self.workspace)
            if self.plan is None:
                params.append(self.offsets.data)
        if self.calls.constants.size:
            params.append(self.constants)
        body: Stmt = tir.seq(*[Evaluate(self._call(call)) for call in self.calls.calls])
        for condition in reversed(self.calls.conditions):
            body = AssertStmt(condition.expr, tir.StringImm(condition.message), body)
        if self.offsets.data in params:
            body = DeclBuffer(self.offsets, body)
        return PrimFunc(tuple(params), body, buffer_map=buffers, attrs=_attrs(self.name))

    def _sizes_function(self) -> PrimFunc:
        sizes = _host_array("sizes", len(self.sizes))
        stores = [
            BufferStore(sizes, tir.cast(INT64, size), (IntImm(INT64, number),))
            for number, size in enumerate(self.sizes)
        ]
        params, body = (*self.calls.params, sizes.data), DeclBuffer(sizes, tir.seq(*stores))
        return PrimFunc(params, body, buffer_map=self.calls.buffers, attrs=_attrs(self.name + SIZES, self.name))

    def _call(self, call: KernelCall) -> Expr:
        args = [self._array(arg) if isinstance(arg, TensorValue) else arg for arg in call.args]
        if isinstance(call.callee, ExternFunc):
            return tvm_call_packed(tir.StringImm(call.callee.global_symbol), *args)
        return tir.Call(VOID, call.callee, tuple(args))

    def _array(self, value: TensorValue) -> Expr:
        shape = tvm_stack_make_shape(*value.shape)
        return tvm_stack_make_array(self._address(value), shape, 0, len(value.shape), tir.const(0, value.dtype), 0)

    def _address(self, value: TensorValue) -> Expr:
        storage = value.storage
        if storage.buffer is not None:
            base, offset = storage.buffer.data, value.offset
        elif storage.place is Place.CONSTANT:
            base, offset = self.constants, value.offset + storage.position
        else:
            number = storage.position
            start: Expr = (
                IntImm(INT64, self.plan.offsets[number])
                if self.plan is not None
                else BufferLoad(self.offsets, (IntImm(INT64, number),))
            )
            base, offset = self.workspace, start + value.offset
        return base if isinstance(offset, IntImm) and offset.value == 0 else handle_add_byte_offset(base, offset)


def _in_place(storages: Sequence[Storage], place: Place) -> list[Storage]:
    return list(dict.fromkeys(storage for storage in storages if storage.place is place))


def _host_array(name: str, size: int) -> Buffer:
    """Return numbers in memory of the host, where the arrays of the function may be on a device: a parameter that is
    their address.
    """
    return make_buffer((max(size, 1),), INT64, name, data=tir.Var(name, PointerType(PrimType(INT64))))


def _argument_form(value: Value) -> ArgumentForm:
    if isinstance(value, ShapeValue):
        return len(value.extents)
    return tuple([_argument_form(part) for part in value]) if isinstance(value, tuple) else None


def _attrs(symbol: str, name: str | None = None) -> dict[str, object]:
    """Return the attributes of a function whose errors name it `name`."""
    return {"global_symbol": symbol, "tir.is_scheduled": True, **({DISPLAY_NAME: name} if name else {})}
