"""Stacks of packed calls: arguments, arrays and shapes.

There are two conventions. `tvm-ffi`: an argument is a structure of type index, padding and value. `tvm-0.17`: values
and type codes are on separate stacks, as in TVM before tvm-ffi.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final

from tvmscript.ir.core.dtype import HANDLE, INT32, INT64, UINT64, DType
from tvmscript.ir.tir import Buffer, BufferLoad, Expr, IntImm, Stmt, StringImm, Var, make_buffer
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.tir.intrin.memory import address_of, isnullptr, tvm_stack_alloca
from tvmscript.ir.tir.stmt import BufferStore, DeclBuffer, IfThenElse, LetStmt
from tvmscript.ir.transform.calling_convention.runtime_fields import (
    AnyType,
    ArgCode,
    Field,
    ffi_type_of,
    is_array,
    packed,
    set_field,
    tvm_type_of,
)


@dataclass
class Sizes:
    """Sizes of the stacks that the calls of a scope need."""

    arguments: int = 0
    arrays: int = 0
    shapes: int = 0


class Stacks(ABC):
    """The stacks of one scope: a function, or the body of a parallel loop."""

    #: whether the last argument of a call of a C function is a resource handle
    has_resource: ClassVar[bool] = False

    def __init__(self, sizes: Sizes) -> None:
        self.sizes = sizes
        self.array = Var("stack_array", HANDLE)
        self.shape = make_buffer((IntImm(INT64, max(sizes.shapes, 1)),), INT64, "stack_shape")

    @staticmethod
    @abstractmethod
    def type_of(dtype: DType) -> tuple[int, int, int]:
        """Return DLPack's code, bits and lanes of a dtype."""

    def wrap(self, body: Stmt) -> Stmt:
        """Wrap the body in the allocations of the stacks."""
        if self.sizes.shapes:
            body = DeclBuffer(self.shape, body)
            body = LetStmt(self.shape.data, tvm_stack_alloca(StringImm("shape"), self.sizes.shapes), body)
        if self.sizes.arrays:
            body = LetStmt(self.array, tvm_stack_alloca(StringImm("array"), self.sizes.arrays), body)
        return self.wrap_arguments(body) if self.sizes.arguments else body

    def set_shape(self, place: int, value: Expr) -> Stmt:
        """Return the store of an extent to the shape stack."""
        return BufferStore(self.shape, value, (IntImm(INT32, place),))

    @abstractmethod
    def shape_at(self, place: int) -> Expr:
        """Return the address of the shape stack from an index on."""

    @abstractmethod
    def wrap_arguments(self, body: Stmt) -> Stmt:
        """Wrap the body in the allocation of the argument stack."""

    @abstractmethod
    def set_argument(self, place: int, value: Expr) -> list[Stmt]:
        """Return the statements that store an argument."""

    @abstractmethod
    def call_operands(self) -> tuple[Expr, ...]:
        """Return the stack operands of a call."""

    def end(self, place: int) -> list[Stmt]:
        """Return the statements that terminate the arguments."""
        return []


def unless_null(value: Expr, null: Stmt, other: Stmt) -> Stmt:
    """Return `null` for a null handle, `other` for any other."""
    return IfThenElse(isnullptr(value), null, other)


class FFIStacks(Stacks):
    """Argument stacks of tvm-ffi."""

    @staticmethod
    def type_of(dtype: DType) -> tuple[int, int, int]:
        return ffi_type_of(dtype)

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.values = Var("stack_ffi_any", HANDLE)

    def shape_at(self, place: int) -> Expr:
        return address_of(BufferLoad(self.shape, (IntImm(INT32, place),)))

    def wrap_arguments(self, body: Stmt) -> Stmt:
        return LetStmt(self.values, tvm_stack_alloca(StringImm("tvm_ffi_any"), self.sizes.arguments), body)

    def set_argument(self, place: int, value: Expr) -> list[Stmt]:
        if isinstance(value, StringImm):
            stmts = [self.type_index(place, AnyType.TEXT)]
            value = reinterpret_(value, dtype=HANDLE)
        elif not value.dtype.is_handle:
            stmts = [self.type_index(place, AnyType.INT if value.dtype.is_integer else AnyType.FLOAT)]
        elif is_array(value):
            stmts = [self.type_index(place, AnyType.DLTENSOR)]
        else:
            null, other = self.type_index(place, AnyType.NONE), self.type_index(place, AnyType.POINTER)
            stmts = [unless_null(value, null, other)]
        return [*stmts, *self.contents(place, packed(value))]

    def type_index(self, place: int, index: AnyType) -> Stmt:
        return set_field(self.values, place, Field.ANY_TYPE_INDEX, IntImm(INT32, index))

    def contents(self, place: int, value: Expr) -> list[Stmt]:
        padding = set_field(self.values, place, Field.ANY_PADDING, IntImm(INT32, 0))
        return [padding, set_field(self.values, place, Field.ANY_VALUE, value)]

    def end(self, place: int) -> list[Stmt]:
        return [self.type_index(place, AnyType.NONE), *self.contents(place, IntImm(INT64, 0))]

    def call_operands(self) -> tuple[Expr, ...]:
        return (self.values,)


class TVMStacks(Stacks):
    """Argument stacks of TVM before tvm-ffi."""

    @staticmethod
    def type_of(dtype: DType) -> tuple[int, int, int]:
        return tvm_type_of(dtype)

    has_resource: ClassVar[bool] = True

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.values = Var("stack_value", HANDLE)
        self.codes = make_buffer((IntImm(UINT64, max(sizes.arguments, 1)),), INT32, "stack_tcode")

    def shape_at(self, place: int) -> Expr:
        # a separate buffer that ends after the element
        pointer = Buffer(
            self.shape.data, INT64, (IntImm(INT32, place + 1),), (), IntImm(INT32, 0), self.shape.data.name
        )
        return address_of(BufferLoad(pointer, (IntImm(INT32, place),)))

    def wrap_arguments(self, body: Stmt) -> Stmt:
        count = self.sizes.arguments
        body = LetStmt(self.values, tvm_stack_alloca(StringImm("arg_value"), count), body)
        body = DeclBuffer(self.codes, body)
        return LetStmt(self.codes.data, tvm_stack_alloca(StringImm("arg_tcode"), count), body)

    def set_argument(self, place: int, value: Expr) -> list[Stmt]:
        value = packed(value)
        store = set_field(self.values, place, Field.VALUE, value)
        if isinstance(value, StringImm):
            return [store, self.code(place, ArgCode.TEXT)]
        if not value.dtype.is_handle:
            return [store, self.code(place, ArgCode.INT if value.dtype.is_integer else ArgCode.FLOAT)]
        if is_array(value):
            return [store, self.code(place, ArgCode.DLTENSOR)]
        return [store, unless_null(value, self.code(place, ArgCode.NULL), self.code(place, ArgCode.HANDLE))]

    def code(self, place: int, code: ArgCode) -> Stmt:
        return BufferStore(self.codes, IntImm(INT32, code), (IntImm(INT32, place),))

    def call_operands(self) -> tuple[Expr, ...]:
        return self.values, self.codes.data


#: convention -> stacks
CONVENTIONS: Final[dict[str, type[Stacks]]] = {"tvm-ffi": FFIStacks, "tvm-0.17": TVMStacks}
