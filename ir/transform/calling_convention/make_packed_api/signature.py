"""Signatures of packed functions: how arguments are passed and results returned."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import reduce
from typing import ClassVar, Final

from tvmscript.ir.core import FLOAT64, HANDLE, INT32, INT64, DType, PointerType, PrimType
from tvmscript.ir.tir import Buffer, BufferStore, Expr, Stmt, Var, make_buffer, seq
from tvmscript.ir.tir.expr import EQ, GE, BufferLoad, Cast, IntImm, Or, Select
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.intrin.v0_27 import handle_add_byte_offset
from tvmscript.ir.transform.calling_convention.make_packed_api.argument_binder import (
    Opening,
    check,
    declare,
    let,
    not_null,
)
from tvmscript.ir.transform.calling_convention.runtime_fields import (
    AnyType,
    ArgCode,
    Field,
    ffi_type_of,
    get_field,
    packed,
    packed_dtype,
    set_field,
    tvm_type_of,
)

#: size of the header of a tvm-ffi object in bytes; the DLTensor of a tensor follows it
_OBJECT_HEADER: Final = 24


def _describe_kind(dtype: DType) -> str:
    """Return the kind of an argument in words, for messages."""
    if dtype.is_handle:
        return "a pointer or an array"
    if dtype.is_bool:
        return "a bool"
    return "an integer" if dtype.is_integer else "a number"


class Signature(ABC):
    """Parameters of a packed function, access of arguments, store of the result."""

    #: prefix of the symbol
    prefix: ClassVar[str] = ""

    def __init__(self, count: int) -> None:
        self.count = count
        self.args, self.num_args = Var("args", HANDLE), Var("num_args", INT32)

    @staticmethod
    @abstractmethod
    def type_of(dtype: DType) -> tuple[int, int, int]:
        """Return DLPack's code, bits and lanes of a dtype."""

    @property
    @abstractmethod
    def params(self) -> tuple[Var, ...]:
        """The parameters of the function."""

    def begin(self, name: str) -> list[Opening]:
        """Return checks of the number of arguments."""
        checks = [check(EQ(self.num_args, IntImm(INT32, self.count)), f"{name} takes {self.count} arguments")]
        return [*checks, not_null(self.args, f"{name} is called without arguments")] if self.count else checks

    @abstractmethod
    def argument(self, place: int, param: Var, name: str) -> tuple[list[Opening], Expr]:
        """Return checks of the type of an argument, and its value."""

    @abstractmethod
    def store_result(self, value: Expr) -> Stmt:
        """Return the statement that stores the result."""


class FFISignature(Signature):
    """tvm-ffi's safe call: `int f(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result)`."""

    prefix: ClassVar[str] = "__tvm_ffi_"

    @staticmethod
    def type_of(dtype: DType) -> tuple[int, int, int]:
        return ffi_type_of(dtype)

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.self_handle = Var("self_handle", HANDLE)
        self.result = Var("result", PointerType(PrimType(DType("void"))))

    @property
    def params(self) -> tuple[Var, ...]:
        return self.self_handle, self.args, self.num_args, self.result

    def argument(self, place: int, param: Var, name: str) -> tuple[list[Opening], Expr]:
        dtype = param.dtype
        kind = Var(f"{param.name}_type_index", INT32)
        accepted = self.accepted_types(dtype)
        conditions: list[Expr] = [EQ(kind, IntImm(INT32, index)) for index in accepted]
        if dtype.is_handle:
            conditions.append(GE(kind, IntImm(INT32, AnyType.OBJECT)))
        message = f"{name}: argument {place} ({param.name}) must be {_describe_kind(dtype)}"
        openings = [
            let(kind, get_field(self.args, place, Field.ANY_TYPE_INDEX)),
            check(reduce(Or, conditions), message),
        ]
        return openings, self.value(place, kind, dtype)

    def accepted_types(self, dtype: DType) -> tuple[AnyType, ...]:
        """Return the type indices that an argument may have."""
        if dtype.is_handle:
            return AnyType.NONE, AnyType.POINTER, AnyType.DLTENSOR
        if dtype.is_bool:
            return AnyType.BOOL, AnyType.INT
        return (AnyType.INT, AnyType.BOOL) if dtype.is_integer else (AnyType.FLOAT, AnyType.INT, AnyType.BOOL)

    def value(self, place: int, kind: Var, dtype: DType) -> Expr:
        """Return an argument as a value of the dtype."""
        if dtype.is_handle:
            pointer = get_field(self.args, place, Field.ANY_VALUE, HANDLE)
            tensor = handle_add_byte_offset(pointer, _OBJECT_HEADER)
            return if_then_else_(EQ(kind, IntImm(INT32, AnyType.TENSOR)), tensor, pointer)
        integer = get_field(self.args, place, Field.ANY_VALUE, INT64)
        if dtype.is_integer:
            return _cast_to(integer, dtype)
        number = get_field(self.args, place, Field.ANY_VALUE, FLOAT64)
        is_float = EQ(kind, IntImm(INT32, AnyType.FLOAT))
        return Select(is_float, _cast_to(number, dtype), _cast_to(integer, dtype))

    def store_result(self, value: Expr) -> Stmt:
        dtype = value.dtype
        return seq(
            set_field(self.result, 0, Field.ANY_TYPE_INDEX, IntImm(INT32, _type_index(dtype))),
            set_field(self.result, 0, Field.ANY_PADDING, IntImm(INT32, 0)),
            set_field(self.result, 0, Field.ANY_VALUE, packed(value)),
        )


class TVMSignature(Signature):
    """The convention of TVM before tvm-ffi: separate arrays of values and type codes."""

    @staticmethod
    def type_of(dtype: DType) -> tuple[int, int, int]:
        return tvm_type_of(dtype)

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.codes = make_buffer((IntImm(INT32, count),), INT32, "arg_type_ids")
        self.result = Var("out_ret_value", PointerType(PrimType(DType("void"))))
        self.result_code = Var("out_ret_tcode", PointerType(PrimType(INT32)))
        self.resource = Var("resource_handle", HANDLE)
        #: (pointer, dtype) -> buffer of the result
        self.places: dict[tuple[Var, DType], Buffer] = {}

    @property
    def params(self) -> tuple[Var, ...]:
        return self.args, self.codes.data, self.num_args, self.result, self.result_code, self.resource

    def begin(self, name: str) -> list[Opening]:
        checks = super().begin(name)
        if self.count:
            checks.append(not_null(self.codes.data, f"{name} is called without type codes"))
        return [*checks, declare(self.codes)]

    def argument(self, place: int, param: Var, name: str) -> tuple[list[Opening], Expr]:
        dtype = param.dtype
        code = Var(f"{param.name}_code", INT32)
        if dtype.is_handle:
            accepted = [ArgCode.HANDLE, ArgCode.NDARRAY, ArgCode.DLTENSOR, ArgCode.NULL]
        else:
            accepted = [ArgCode.INT if dtype.is_integer else ArgCode.FLOAT]
        conditions: list[Expr] = [EQ(code, IntImm(INT32, accepted_code)) for accepted_code in accepted]
        openings = [
            let(code, BufferLoad(self.codes, (IntImm(INT32, place),))),
            check(reduce(Or, conditions), f"{name}: argument {place} ({param.name}) must be {_describe_kind(dtype)}"),
        ]
        return openings, _cast_to(get_field(self.args, place, Field.VALUE, packed_dtype(dtype)), dtype)

    def store_result(self, value: Expr) -> Stmt:
        value = packed(value)
        code = ArgCode.HANDLE if value.dtype.is_handle else ArgCode.INT if value.dtype.is_integer else ArgCode.FLOAT
        return seq(self.first(self.result, value), self.first(self.result_code, IntImm(INT32, code)))

    def first(self, data: Var, value: Expr) -> Stmt:
        """Return a store of the value to the first element."""
        one, zero = IntImm(INT32, 1), IntImm(INT32, 0)
        buffer = Buffer(data, value.dtype, (one,), (one,), zero, data.name)
        return BufferStore(self.places.setdefault((data, value.dtype), buffer), value, (zero,))


def _type_index(dtype: DType) -> AnyType:
    """Return the type index of a result."""
    if dtype.is_handle:
        return AnyType.POINTER
    if dtype.is_bool:
        return AnyType.BOOL
    return AnyType.INT if dtype.is_integer else AnyType.FLOAT


def _cast_to(value: Expr, dtype: DType) -> Expr:
    return value if value.dtype is dtype else Cast(dtype, value)


#: convention -> signature
SIGNATURES: Final[dict[str, type[Signature]]] = {"tvm-ffi": FFISignature, "tvm-0.17": TVMSignature}
