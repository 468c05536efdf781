"""Checks of array arguments, and definitions of the variables in their shapes."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import cast, is_const, logical_and, logical_not, make, mul
from tvmscript.ir.core.dtype import INT32, INT64, UINT64
from tvmscript.ir.tir import NOOP, Buffer, Expr, Stmt, Var, make_buffer, match_types
from tvmscript.ir.tir.expr import EQ, LE, BufferLoad, Div, IntImm, Mod, Or, StringImm
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.intrin.memory import isnullptr
from tvmscript.ir.tir.stmt import AssertStmt, AttrStmt, DeclBuffer, IfThenElse, LetStmt, seq
from tvmscript.ir.transform.calling_convention.runtime_fields import DTYPES, Field, TypeOf, get_field
from tvmscript.ir.transform.errors import ContradictoryArgument

#: a statement that lacks its body
Opening = Callable[[Stmt], Stmt]

#: dtypes smaller than a byte: dtype and shape of the array are not checked
_NARROW: Final = frozenset({"int4", "uint4", "int1"})


def let(var: Var, value: Expr) -> Opening:
    """Bind a variable to a value."""
    return lambda body: LetStmt(var, value, body)


def check(condition: Expr, message: str) -> Opening:
    """Assert a condition."""
    return lambda body: AssertStmt(condition, StringImm(message), body)


def declare(buffer: Buffer) -> Opening:
    """Declare a buffer."""
    return lambda body: DeclBuffer(buffer, body)


def attribute(node: object, key: str, value: Expr) -> Opening:
    """Open an attribute."""
    return lambda body: AttrStmt(node, key, value, body)


def not_null(pointer: Expr, message: str) -> Opening:
    """Assert that a pointer is not null."""
    return check(logical_not(isnullptr(pointer)), message)


def nest(openings: list[Opening], body: Stmt) -> Stmt:
    """Nest the body in all openings, the first one outermost."""
    return reduce(lambda inside, opening: opening(inside), reversed(openings), body)


class ArgumentBinder:
    """Collect definitions of variables (`init`) and comparisons (`checks`)."""

    def __init__(self, type_of: TypeOf) -> None:
        self.type_of = type_of
        self.init: list[Opening] = []
        self.checks: list[Opening] = []
        self.defined: set[Var] = set()
        self.analyzer = Analyzer()

    def bind(self, pattern: Expr, value: Expr, name: str) -> bool:
        """Define `pattern` by the value if it is an undefined variable; otherwise require that both are equal.

        Return whether a variable was defined. Raises `ContradictoryArgument` if they are never equal.
        """
        if isinstance(pattern, Var) and pattern not in self.defined:
            self.defined.add(pattern)
            self.init.append(let(pattern, value))
            return True
        self.require(make(EQ, pattern, value), f"{name} must be {pattern}", name)
        return False

    def require(self, condition: Expr, message: str, name: str) -> None:
        """Add a check of the condition, unless it is always true."""
        condition = self.analyzer.simplify(condition)
        if is_const(condition, 0):
            raise ContradictoryArgument(name=name, message=message)
        if not is_const(condition, 1):
            self.checks.append(check(condition, message))

    def array(self, buffer: Buffer, handle: Var, name: str, device_type: Expr, device_id: Var) -> None:
        """Bind an array to a buffer: rank, dtype, shape, strides, offset, device and data."""
        self.init.append(not_null(handle, f"{name} must be an array, not nothing"))
        rank = IntImm(INT32, len(buffer.shape))
        self.init.append(check(EQ(rank, get_field(handle, 0, Field.NDIM)), f"{name} must have {rank} dimensions"))
        is_narrow = str(buffer.dtype) in _NARROW
        if not is_narrow:
            self.dtype(buffer, handle, name)
        shape = self.numbers(handle, Field.SHAPE, len(buffer.shape), f"{name}.shape")
        if not is_narrow:
            for axis, extent in enumerate(buffer.shape):
                self.bind(extent, cast(extent.dtype, _load_extent(shape, axis)), f"{name}.shape[{axis}]")
        self.strides(buffer, handle, name, shape)
        self.offset(buffer, handle, name)
        self.bind(device_type, get_field(handle, 0, Field.DEVICE_TYPE), f"{name}.device_type")
        self.bind(device_id, get_field(handle, 0, Field.DEVICE_ID), f"{name}.device_id")
        if self.bind(buffer.data, get_field(handle, 0, Field.DATA), f"{name}.data"):
            # an empty array may have a null pointer
            one: Expr = IntImm(buffer.index_dtype, 1)
            size = reduce(_multiply, buffer.shape, one)
            present = logical_not(isnullptr(buffer.data))
            is_empty = make(EQ, size, IntImm(size.dtype, 0))
            self.checks.append(check(make(Or, is_empty, present), f"{name} must have memory"))
            alignment = IntImm(INT32, buffer.data_alignment)
            self.init.append(attribute(buffer.data, "storage_alignment", alignment))

    def dtype(self, buffer: Buffer, handle: Var, name: str) -> None:
        conditions: list[Expr] = []
        fields = (Field.TYPE_CODE, Field.TYPE_BITS, Field.TYPE_LANES)
        for field, number in zip(fields, self.type_of(buffer.dtype), strict=True):
            conditions.append(EQ(get_field(handle, 0, field), IntImm(DTYPES[field], number)))
        self.checks.append(check(reduce(logical_and, conditions), f"{name} must have the dtype {buffer.dtype}"))

    def numbers(self, handle: Var, field: Field, count: int, name: str) -> Buffer:
        """Return the shape or strides of an array as a buffer."""
        buffer = make_buffer((IntImm(INT32, count),), INT64, name.replace(".", "_"))
        self.init += [let(buffer.data, get_field(handle, 0, field)), declare(buffer)]
        return buffer

    def strides(self, buffer: Buffer, handle: Var, name: str, shape: Buffer) -> None:
        strides = self.numbers(handle, Field.STRIDES, len(buffer.strides), f"{name}.strides")
        is_null = isnullptr(strides.data)
        dtype = buffer.index_dtype
        if not buffer.strides:
            self.compact(buffer, strides, name)
        elif buffer.buffer_type == "auto_broadcast":
            step: Expr = IntImm(dtype, 1)
            for axis, extent in reversed(list(enumerate(buffer.shape))):
                value = _choose(is_null, *match_types(step, cast(extent.dtype, _load_extent(strides, axis))))
                is_one = make(EQ, extent, IntImm(extent.dtype, 1))
                value = _choose(is_one, IntImm(value.dtype, 0), value)
                self.bind(buffer.strides[axis], cast(buffer.strides[axis].dtype, value), f"{name}.strides[{axis}]")
                step = self.analyzer.simplify(_multiply(step, extent))
        else:
            step = IntImm(dtype, 1)
            for axis, extent in reversed(list(enumerate(buffer.shape))):
                stride = cast(extent.dtype, _load_extent(strides, axis))
                value = _choose(is_null, *match_types(step, stride))
                self.stride(buffer, axis, cast(buffer.strides[axis].dtype, value), f"{name}.strides[{axis}]")
                step = _multiply(step, cast(extent.dtype, _load_extent(shape, axis)))

    def stride(self, buffer: Buffer, axis: int, value: Expr, name: str) -> None:
        """Bind a stride. One of a single element does not matter, nor do those of an empty array."""
        stride = buffer.strides[axis]
        if isinstance(stride, Var) and stride not in self.defined:
            self.bind(stride, value, name)
            return
        extent = buffer.shape[axis]
        one: Expr = IntImm(buffer.index_dtype, 1)
        size = reduce(_multiply, buffer.shape, one)
        exempt = make(Or, make(LE, extent, IntImm(extent.dtype, 1)), make(EQ, size, IntImm(size.dtype, 0)))
        self.require(make(Or, exempt, make(EQ, stride, value)), f"{name} must be {stride}", name)

    def compact(self, buffer: Buffer, strides: Buffer, name: str) -> None:
        """Check that strides, if present, are compact. Empty arrays may have any strides; NumPy's are 0."""
        conditions: list[Expr] = []
        step: Expr = IntImm(buffer.index_dtype, 1)
        for axis, extent in reversed(list(enumerate(buffer.shape))):
            is_one = make(EQ, extent, IntImm(extent.dtype, 1))
            stride = cast(buffer.index_dtype, _load_extent(strides, axis))
            conditions.append(make(Or, is_one, make(EQ, *match_types(step, stride))))
            step = _multiply(step, extent)
        if conditions:
            message = StringImm(f"{name} must be compact")
            is_empty = make(EQ, step, IntImm(step.dtype, 0))
            compact = AssertStmt(make(Or, is_empty, reduce(logical_and, conditions)), message, NOOP)
            guarded = IfThenElse(logical_not(isnullptr(strides.data)), compact)
            self.checks.append(lambda body: seq(guarded, body))

    def offset(self, buffer: Buffer, handle: Var, name: str) -> None:
        offset, size = buffer.elem_offset, buffer.dtype.itemsize * buffer.dtype.lanes
        byte_offset = get_field(handle, 0, Field.BYTE_OFFSET)
        if isinstance(offset, IntImm):
            self.bind(IntImm(UINT64, offset.value * size), byte_offset, f"{name}.byte_offset")
            return
        elements = cast(offset.dtype, make(Div, byte_offset, IntImm(UINT64, size)))
        if self.bind(offset, elements, f"{name}.elem_offset") and buffer.offset_factor > 1:
            factor = IntImm(offset.dtype, buffer.offset_factor)
            fits = make(EQ, make(Mod, offset, factor), IntImm(offset.dtype, 0))
            self.require(fits, f"{name}.elem_offset must be a multiple of {factor}", name)


def _multiply(a: Expr, b: Expr) -> Expr:
    """Return a * b in one dtype."""
    return mul(*match_types(a, b))


def _load_extent(buffer: Buffer, axis: int) -> Expr:
    return BufferLoad(buffer, (IntImm(INT32, axis),))


def _choose(condition: Expr, chosen: Expr, other: Expr) -> Expr:
    if isinstance(condition, IntImm):
        return chosen if condition.value else other
    return if_then_else_(condition, chosen, other)
