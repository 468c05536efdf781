"""Public wrappers of kernels: tvm-ffi's calling convention, with every argument checked.

    int name(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result)

Functions of `argument_checks` check kinds, ranks, dtypes, constant extents and layout. Size variables are bound at
their first occurrence; all other extents, strides and offsets are compared afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.calling_convention import abi
from tvmscript.backends.llvm.calling_convention.argument_checks import (
    ARRAY,
    IS_COMPACT,
    ON_CUDA,
    SCALAR,
    SIGNATURES,
)
from tvmscript.backends.llvm.calling_convention.kernel_function import Kernel
from tvmscript.backends.llvm.calling_convention.signature import DEVICE_ID, is_on_cuda
from tvmscript.backends.llvm.codegen.codegen import Codegen
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.types import element_bytes, value_type
from tvmscript.ir.core import FLOAT64, INT64, DType
from tvmscript.ir.tir import Buffer, Expr
from tvmscript.ir.tir import expr as tir


class Wrapper:
    """The public function around a kernel."""

    def __init__(self, program: Program, name: str, kernel: Kernel, symbol: str) -> None:
        self.program = program
        self.text = FunctionText(program.text)
        self.cg = Codegen(program, self.text, name)
        #: operands of parameters, sizes and data pointers
        self.env = self.cg.env
        self.convert = self.cg.convert
        self.symbol = symbol
        self.name = name
        self.kernel = kernel
        #: the device of the arrays so far, as a word of type and number
        self._device = ""
        #: comparisons that wait until every variable is bound: array description, axis, what is said, what came
        self._pending: list[tuple[str, int, Expr, str]] = []

    def compile(self) -> None:
        """Write the function."""
        text, func = self.text, self.kernel.func
        count = text.value(f"icmp eq i32 %count, {len(func.params)}")
        self._require(count, "tvmscript_count", f"ptr {self._string(self.name)}, i32 {len(func.params)}, i32 %count")
        places: dict[tir.Var, str] = {}
        for index, param in enumerate(func.params):
            place = f"getelementptr i8, ptr %args, i64 {16 * index}"
            places[param] = text.value(place) if index else "%args"
        # numbers first: a shape may speak of a parameter that comes later
        for param, place in places.items():
            if param not in func.buffer_map:
                self._scalar(param, place)
        for param, buffer in func.buffer_map.items():
            self._array(param, buffer, places[param])
        if is_on_cuda(func):
            self._bind_device()
        for spec, axis, expected, got in self._pending:
            self._equal(spec, axis, self.convert.cast(self.cg.expr(expected), expected.dtype, INT64), got)
        self._call_kernel()
        text.place("failed")
        text.do("ret i32 -1")
        # Optimizing this function takes longer than it ever saves.
        head = f"{self.symbol}(ptr %self, ptr %args, i32 %count, ptr %result) nounwind noinline optnone"
        text.define(head)

    def _string(self, text: str) -> str:
        return self.program.text.string(text)

    def _support(self, name: str) -> str:
        return self.program.text.declare(name, SIGNATURES[name])

    def _require(self, condition: str, check: str, args: str) -> None:
        """Continue if the condition holds; otherwise call the check, which raises its error."""
        good, bad = self.text.label("ok"), self.text.label("bad")
        self.text.branch_likely(condition, good, bad)
        self.text.place(bad)
        self.text.value(f"call i32 {self._support(check)}({args})")
        self.text.jump("failed")
        self.text.place(good)

    def _good(self, condition: str) -> None:
        good = self.text.label("ok")
        self.text.branch_likely(condition, good, "failed")
        self.text.place(good)

    def _equal(self, spec: str, axis: int, expected: str, got: str) -> None:
        same = self.text.value(f"icmp eq i64 {expected}, {got}")
        self._require(same, "tvmscript_shape", f"ptr {spec}, i64 {axis}, i64 {expected}, i64 {got}")

    def _array(self, param: tir.Var, buffer: Buffer, any_value: str) -> None:
        text = self.text
        spec = self._describe(buffer)
        array = text.value(f"call ptr {self._support('tvmscript_array')}(ptr {any_value}, ptr {spec})")
        self._good(text.value(f"icmp ne ptr {array}, null"))
        self.env[param] = array
        if any(not isinstance(extent, tir.IntImm) for extent in buffer.shape):
            shape = self._field("ptr", array, abi.SHAPE)
            for axis, extent in enumerate(buffer.shape):
                if not isinstance(extent, tir.IntImm):
                    self._bind(spec, axis, extent, self._field("i64", shape, 8 * axis))
        if buffer.strides:
            self._strides(spec, buffer, array)
        self._data(spec, buffer, array)
        if is_on_cuda(self.kernel.func):
            self._compare_device(spec, self._field("i64", array, abi.DEVICE_TYPE))

    def _compare_device(self, spec: str, word: str) -> None:
        """Compare the device of an array, a word of type and number, with that of the arrays before it."""
        text, before = self.text, self._device
        if not before:
            self._device = word
            return
        start, other, done = text.block, text.label("device"), text.label("placed")
        text.branch_likely(text.value(f"icmp eq i64 {word}, {before}"), done, other)
        text.place(other)
        checked = text.value(f"call i64 {self._support('tvmscript_device')}(ptr {spec}, i64 {before}, i64 {word})")
        self._good(text.value(f"icmp ne i64 {checked}, 0"))
        end = text.block
        text.jump(done)
        text.place(done)
        self._device = text.value(f"phi i64 [ {word}, %{start} ], [ {checked}, %{end} ]")

    def _bind_device(self) -> None:
        """Bind the number of the device: 0 where no array is on one."""
        word = self._device or "0"
        on_cuda = self.text.value(f"icmp eq i32 {self.text.value(f'trunc i64 {word} to i32')}, {abi.CUDA}")
        number = self.text.value(f"trunc i64 {self.text.value(f'lshr i64 {word}, 32')} to i32")
        self.env[DEVICE_ID] = self.text.value(f"select i1 {on_cuda}, i32 {number}, i32 0")

    def _field(self, kind: str, base: str, offset: int) -> str:
        place = self.text.value(f"getelementptr i8, ptr {base}, i64 {offset}") if offset else base
        return self.text.value(f"load {kind}, ptr {place}, align 8")

    def _bind(self, spec: str, axis: int, expr: Expr, got: str) -> None:
        """Bind a variable at its first occurrence to the value; compare any other expression with it."""
        if isinstance(expr, tir.Var) and expr not in self.env:
            self.env[expr] = self.convert.cast(got, INT64, expr.dtype)
            if expr.dtype.bits < 64:
                back = self.convert.cast(self.env[expr], expr.dtype, INT64)
                fits = self.text.value(f"icmp eq i64 {back}, {got}")
                largest = expr.dtype.max_value
                self._require(fits, "tvmscript_shape", f"ptr {spec}, i64 {axis}, i64 {largest}, i64 {got}")
            return
        self._pending.append((spec, axis, expr, got))

    def _strides(self, spec: str, buffer: Buffer, array: str) -> None:
        text = self.text
        strides, shape = self._field("ptr", array, abi.STRIDES), self._field("ptr", array, abi.SHAPE)
        extents = [self._field("i64", shape, 8 * axis) for axis in range(len(buffer.shape))]
        is_empty = "false"
        for extent in extents:
            is_empty = text.value(f"or i1 {is_empty}, {text.value(f'icmp eq i64 {extent}, 0')}")
        given, compact, done = (text.label(hint) for hint in ("given", "compact", "strides"))
        # Arrays without strides are compact: compute them from the shape.
        text.branch(text.value(f"icmp eq ptr {strides}, null"), compact, given)
        text.place(given)
        loaded = [self._field("i64", strides, 8 * axis) for axis in range(len(buffer.strides))]
        if buffer.dtype.is_vector:
            lane = self._field("i64", strides, 8 * len(loaded))
            loaded = self._strides_of_vectors(spec, buffer, array, [*zip(extents, loaded, strict=True)], lane, is_empty)
            given = text.block
        text.jump(done)
        text.place(compact)
        computed = ["1"]
        for extent in extents[:0:-1]:
            computed.append(text.value(f"mul i64 {computed[-1]}, {extent}"))
        computed.reverse()
        text.jump(done)
        text.place(done)
        values = [
            text.value(f"phi i64 [ {a}, %{given} ], [ {b}, %{compact} ]") for a, b in zip(loaded, computed, strict=True)
        ]
        for axis, (stride, got) in enumerate(zip(buffer.strides, values, strict=True)):
            if isinstance(stride, tir.Var) and stride not in self.env:
                self.env[stride] = self.convert.cast(got, INT64, stride.dtype)
                continue
            expected = self.convert.cast(self.cg.expr(stride), stride.dtype, INT64)
            # The distance between elements of an axis of extent 1, or of an empty array, does not matter.
            short = text.value(f"or i1 {is_empty}, {text.value(f'icmp eq i64 {extents[axis]}, 1')}")
            same = text.value(f"icmp eq i64 {expected}, {got}")
            wanted = self._string(f"must have the stride {_show(stride)} in dimension {axis}")
            self._require(
                text.value(f"or i1 {short}, {same}"), "tvmscript_strides", f"ptr {spec}, ptr {array}, ptr {wanted}"
            )

    def _strides_of_vectors(
        self, spec: str, buffer: Buffer, array: str, axes: list[tuple[str, str]], lane: str, is_empty: str
    ) -> list[str]:
        """Return strides in vectors of an array whose lanes are neighbours, from those in elements.

        `axes` are the extents and strides, `lane` is the stride of lanes.
        """
        text, lanes = self.text, buffer.dtype.lanes
        are_vectors = text.value(f"icmp eq i64 {lane}, 1")
        for extent, stride in axes:
            is_whole = text.value(f"icmp eq i64 {text.value(f'srem i64 {stride}, {lanes}')}, 0")
            is_whole = text.value(f"or i1 {is_whole}, {text.value(f'icmp eq i64 {extent}, 1')}")
            are_vectors = text.value(f"and i1 {are_vectors}, {is_whole}")
        wanted = self._string(f"must have vectors of {lanes} neighbouring elements")
        condition = text.value(f"or i1 {are_vectors}, {is_empty}")
        self._require(condition, "tvmscript_strides", f"ptr {spec}, ptr {array}, ptr {wanted}")
        return [text.value(f"sdiv i64 {stride}, {lanes}") for _, stride in axes]

    def _data(self, spec: str, buffer: Buffer, array: str) -> None:
        text = self.text
        data = self._field("ptr", array, 0)
        offset = self._field("i64", array, abi.BYTE_OFFSET)
        first = buffer.elem_offset
        if isinstance(first, tir.IntImm) and first.value == 0:
            data = text.value(f"getelementptr i8, ptr {data}, i64 {offset}")
        else:
            elements = text.value(f"sdiv i64 {offset}, {element_bytes(buffer.dtype) * buffer.dtype.lanes}")
            if isinstance(first, tir.Var) and first not in self.env:
                self.env[first] = self.convert.cast(elements, INT64, first.dtype)
            else:
                self._pending.append((spec, 0, first, elements))
        if buffer.data not in self.env:
            self.env[buffer.data] = data
            return
        same = text.value(f"icmp eq ptr {data}, {self.env[buffer.data]}")
        wanted = self._string("must lie where another array of the same memory does")
        self._require(same, "tvmscript_strides", f"ptr {spec}, ptr {array}, ptr {wanted}")

    def _describe(self, buffer: Buffer) -> str:
        """Return the description of an array parameter for `argument_checks`."""
        module = self.program.text
        dtypes = abi.accepted_dtypes(buffer.dtype.element)
        dtypes += [dtypes[0]] * (4 - len(dtypes))
        extents = [extent.value if isinstance(extent, tir.IntImm) else -1 for extent in buffer.shape]
        if buffer.dtype.is_vector:
            extents.append(buffer.dtype.lanes)  # arrays have the lanes as a last dimension
        listed = ", ".join(f"i64 {extent}" for extent in extents)
        shape = module.constant("shape", f"[{len(extents)} x i64] [{listed}]", 8) if extents else "null"
        words = ", ".join(f"i32 {dtype}" for dtype in dtypes)
        return module.constant(
            "array",
            f"{ARRAY} {{ ptr {self._string(self.name)}, ptr {self._string(buffer.name)}, "
            f"ptr {self._string(str(buffer.dtype.element))}, ptr {shape}, [4 x i32] [{words}], "
            f"i32 {len(extents)}, i32 {self._flags(buffer)} }}",
            8,
        )

    def _flags(self, buffer: Buffer) -> int:
        return (IS_COMPACT if not buffer.strides else 0) | (ON_CUDA if is_on_cuda(self.kernel.func) else 0)

    def _scalar(self, param: tir.Var, any_value: str) -> None:
        dtype = param.dtype
        if dtype.lanes != 1:
            raise NotSupportedByLLVM(what=f"the vector parameter {param.name}", span=param.span)
        check, slot_type, slot_dtype, expected = _SCALARS["handle" if dtype.is_handle else dtype.is_integer]
        low, high = (dtype.min_value, min(dtype.max_value, INT64.max_value)) if dtype.is_integer else (0, 0)
        if dtype.is_bool:
            expected = "a bool"
        elif dtype.is_integer:
            expected = f"an {dtype} ({dtype.min_value} to {dtype.max_value})"
        large = int(dtype.is_integer and dtype.max_value > INT64.max_value)
        spec = self.program.text.constant(
            "scalar",
            f"{SCALAR} {{ ptr {self._string(self.name)}, ptr {self._string(param.name)}, "
            f"ptr {self._string(expected)}, i64 {low}, i64 {high}, i64 {large} }}",
            8,
        )
        slot = self.text.slot(slot_type)
        status = self.text.value(f"call i32 {self._support(check)}(ptr {any_value}, ptr {spec}, ptr {slot})")
        self._good(self.text.value(f"icmp eq i32 {status}, 0"))
        value = self.text.value(f"load {slot_type}, ptr {slot}")
        self.env[param] = self.convert.cast(value, slot_dtype, dtype) if slot_dtype is not None else value

    def _call_kernel(self) -> None:
        text, kernel = self.text, self.kernel
        returned = kernel.returned
        slot = text.slot(value_type(returned)) if returned is not None else "null"
        args = ", ".join([f"ptr {slot}", *self._arguments()])
        status = text.value(f"call i32 {kernel.symbol}({args})")
        if returned is None:
            text.do(f"ret i32 {status}")
            return
        self._good(text.value(f"icmp eq i32 {status}, 0"))
        # a bool is a byte in the slot's memory, a register of one bit as a value
        value = text.value(f"load {value_type(returned)}, ptr {slot}")
        self._box(value, returned)
        text.do("ret i32 0")

    def _arguments(self) -> Iterator[str]:
        for var in self.kernel.params:
            yield f"{value_type(var.dtype)} {self.cg.lookup(var)}"

    def _box(self, value: str, dtype: DType) -> None:
        """Set the result of the call."""
        text = self.text
        if dtype.is_handle:
            index, kind = abi.POINTER, "ptr"
        elif dtype.is_integer:
            index, kind = (abi.BOOL if dtype.is_bool else abi.INT), "i64"
            value = self.convert.cast(value, dtype, INT64)
        else:
            index, kind = abi.FLOAT, "double"
            value = self.convert.cast(value, dtype, FLOAT64)
        text.do(f"store i64 {index}, ptr %result, align 8")
        place = text.value("getelementptr i8, ptr %result, i64 8")
        text.do(f"store {kind} {value}, ptr {place}, align 8")


#: kind of parameter -> the check, the type of what it gives, its dtype, what a user has to hand over
_SCALARS: dict[object, tuple[str, str, DType | None, str]] = {
    "handle": ("tvmscript_pointer", "ptr", None, "a pointer or an array"),
    True: ("tvmscript_int", "i64", INT64, ""),
    False: ("tvmscript_float", "double", FLOAT64, "a float"),
}


def _show(expr: Expr) -> str:
    return str(expr.value) if isinstance(expr, tir.IntImm) else getattr(expr, "name", "of its shape")
