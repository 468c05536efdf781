"""Checks of arguments, compiled once per process: built functions call them with a description of each parameter.

They read tvm-ffi's calling convention (`TVMFFIAny`, `DLTensor`; see tvm_ffi/include) and raise the errors of
`tvmscript.backends.runtime`, whose message templates are the format strings here. Each function `_define_<check>`
writes one LLVM function.
"""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention import abi
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction
from tvmscript.backends.runtime import errors

#: Description of an array parameter, which `public_wrapper` writes:
#: function, name, dtype's name, shape (-1: any), accepted dtypes, rank, flags
ARRAY: Final = "{ ptr, ptr, ptr, ptr, [4 x i32], i32, i32 }"
#: flags of the description of an array
IS_COMPACT: Final = 1
ON_CUDA: Final = 2
#: Description of a number:
#: function, name, what is expected, smallest and largest value, whether the largest is 2 ** 64 - 1
SCALAR: Final = "{ ptr, ptr, ptr, i64, i64, i64 }"

#: name -> type, for declarations
SIGNATURES: Final = {
    "tvmscript_count": "i32 {}(ptr, i32, i32)",
    "tvmscript_array": "ptr {}(ptr, ptr)",
    "tvmscript_device": "i64 {}(ptr, i64, i64)",
    "tvmscript_shape": "i32 {}(ptr, i64, i64, i64)",
    "tvmscript_strides": "i32 {}(ptr, ptr, ptr)",
    "tvmscript_int": "i32 {}(ptr, ptr, ptr)",
    "tvmscript_float": "i32 {}(ptr, ptr, ptr)",
    "tvmscript_pointer": "i32 {}(ptr, ptr, ptr)",
}

#: `TVMFFIAny.type_index` -> what a user calls it; from 64 on they are objects.
_KINDS: Final = {
    0: "None", 1: "an int", 2: "a bool", 3: "a float", 4: "a pointer", 5: "a dtype", 6: "a device", 7: "an array",
    8: "a str", 9: "bytes", 11: "a str", 12: "bytes", 64: "an object", 65: "a str", 66: "bytes", 68: "a function",
    69: "a shape", 70: "an array", 71: "a list", 72: "a dict", 75: "a list", 76: "a dict", 78: "a large int",
}  # fmt: skip
_KIND_COUNT: Final = 79
_OBJECT: Final = 64
#: DLDataTypeCode -> name; from `_SIZED_CODES` on the width is part of the name.
_CODES: Final = [
    "int", "uint", "float", "handle", "bfloat", "complex", "bool", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz",
    "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn",
    "float6_e3m2fn", "float4_e2m1fn", "unknown",
]  # fmt: skip
_SIZED_CODES: Final = 6
#: DLDeviceType of memory that both the CPU and CUDA devices reach.
_CUDA_HOST, _CUDA_MANAGED = 3, 13
#: Strides and dtype in a message: bytes, and how many strides are shown.
_LIST_BYTES, _SHOWN_STRIDES, _DTYPE_BYTES = 512, 16, 64

_NAMED: Final = {"function": "%s", "name": "%s"}
_COMPACT: Final = "must be compact (row-major, without gaps)"


def define_argument_checks(module: ModuleText) -> None:
    """Define the functions of `SIGNATURES`, and what they call."""
    _define_kind_name(module)
    _define_dtype_name(module)
    _define_wrong_count(module)
    _define_wrong_shape(module)
    _define_wrong_strides(module)
    _define_device_check(module)
    _define_array_check(module)
    _define_wrong_scalar(module)
    _define_int_check(module)
    _define_float_check(module)
    _define_pointer_check(module)


# -- names in messages


def _name_table(module: ModuleText, names: list[str]) -> str:
    pointers = ", ".join(f"ptr {module.string(name)}" for name in names)
    return module.constant("names", f"[{len(names)} x ptr] [{pointers}]", 8)


def _define_kind_name(module: ModuleText) -> None:
    """`kind_name(type index)`: what a user calls a kind of argument."""
    check = RuntimeFunction(module)
    names = _name_table(module, [_KINDS.get(index, _KINDS[_OBJECT]) for index in range(_KIND_COUNT)])
    is_listed = check.value(f"icmp ult i32 %kind, {_KIND_COUNT}")
    index = check.value(f"select i1 {is_listed}, i32 %kind, i32 {_OBJECT}")
    check.do(f"ret ptr {check.load('ptr', check.element('ptr', names, index))}")
    check.define("internal ptr @kind_name(i32 %kind)")


def _define_dtype_name(module: ModuleText) -> None:
    """`dtype_name(DLDataType, out)`: write the name of a dtype."""
    check = RuntimeFunction(module)
    code = check.value("and i32 %dtype, 255")
    bits = check.value(f"and i32 {check.value('lshr i32 %dtype, 8')}, 255")
    lanes = check.value("lshr i32 %dtype, 16")
    minimum = module.declare("llvm.umin.i32", "i32 {}(i32, i32)")
    index = check.value(f"call i32 {minimum}(i32 {code}, i32 {len(_CODES) - 1})")
    name = check.load("ptr", check.element("ptr", _name_table(module, _CODES), index))
    scalar, vector, plain = (module.string(form) for form in ("%s%u", "%s%ux%u", "%s"))
    is_vector = check.value(f"icmp ugt i32 {lanes}, 1")
    sized = check.value(f"select i1 {is_vector}, ptr {vector}, ptr {scalar}")
    is_sized = check.value(f"icmp ult i32 {code}, {_SIZED_CODES}")
    form = check.value(f"select i1 {is_sized}, ptr {sized}, ptr {plain}")
    check.print_to("%out", _DTYPE_BYTES, form, f"ptr {name}, i32 {bits}, i32 {lanes}")
    check.do("ret void")
    check.define("internal void @dtype_name(i32 %dtype, ptr %out)")


def _description(check: RuntimeFunction, struct: str, index: int, kind: str) -> str:
    """Load a field of the description `%spec` of a parameter."""
    return check.load(kind, check.value(f"getelementptr {struct}, ptr %spec, i32 0, i32 {index}"))


def _function_and_name(check: RuntimeFunction) -> str:
    """Return the first two arguments of a message about a parameter; both descriptions begin with them."""
    return f"ptr {_description(check, ARRAY, 0, 'ptr')}, ptr {_description(check, ARRAY, 1, 'ptr')}"


# -- errors that wrappers raise themselves


def _define_wrong_count(module: ModuleText) -> None:
    """`tvmscript_count(function, expected, got)`: raise `WrongNumberOfArguments`."""
    check = RuntimeFunction(module)
    arguments = "ptr %function, i32 %expected, i32 %got"
    check.fail(errors.WrongNumberOfArguments, arguments, function="%s", expected="%d", got="%d")
    check.define("i32 @tvmscript_count(ptr %function, i32 %expected, i32 %got) cold")


def _define_wrong_shape(module: ModuleText) -> None:
    """`tvmscript_shape(spec, axis, expected, got)`: raise `WrongArrayShape`."""
    check = RuntimeFunction(module)
    arguments = f"{_function_and_name(check)}, i64 %expected, i64 %axis, i64 %got"
    check.fail(errors.WrongArrayShape, arguments, **_NAMED, expected="%lld", axis="%lld", got="%lld")
    check.define("i32 @tvmscript_shape(ptr %spec, i64 %axis, i64 %expected, i64 %got) cold")


def _define_wrong_strides(module: ModuleText) -> None:
    """`tvmscript_strides(spec, array, expected)`: raise `WrongArrayStrides`, with the strides that the array has."""
    check = RuntimeFunction(module)
    text = check.slot(f"[{_LIST_BYTES} x i8]")
    check.store("i8", "0", text)
    length = check.slot("i32")
    check.store("i32", "0", length)
    strides = check.load("ptr", "%array", abi.STRIDES)
    rank = check.load("i32", "%array", abi.NDIM)
    minimum = module.declare("llvm.umin.i32", "i32 {}(i32, i32)")
    limit = check.value(f"call i32 {minimum}(i32 {rank}, i32 {_SHOWN_STRIDES})")
    is_unset = check.value(f"icmp eq ptr {strides}, null")
    count = check.value(f"select i1 {is_unset}, i32 0, i32 {limit}")
    with check.count_up(count) as axis:
        stride = check.load("i64", check.element("i64", strides, axis))
        is_first = check.value(f"icmp eq i32 {axis}, 0")
        form = check.value(f"select i1 {is_first}, ptr {module.string('%lld')}, ptr {module.string(', %lld')}")
        before = check.load("i32", length)
        written = check.print_to(check.element("i8", text, before), 24, form, f"i64 {stride}")
        check.store("i32", check.value(f"add i32 {before}, {written}"), length)
    arguments = f"{_function_and_name(check)}, ptr %expected, ptr {text}"
    check.fail(errors.WrongArrayStrides, arguments, **_NAMED, expected="%s", got="(%s)")
    check.define("i32 @tvmscript_strides(ptr %spec, ptr %array, ptr %expected) cold")


def _define_device_check(module: ModuleText) -> None:
    """`tvmscript_device(spec, before, got)`: the CUDA device of two arrays, as words of type and number.

    Memory of the host that a device reaches is on none. The result is 0 with an error where they are on two.
    """
    check = RuntimeFunction(module, failure="i64 0")
    on_cuda = [
        check.value(f"icmp eq i32 {check.value(f'trunc i64 {word} to i32')}, {abi.CUDA}")
        for word in ("%before", "%got")
    ]
    numbers = [check.value(f"trunc i64 {check.value(f'lshr i64 {word}, 32')} to i32") for word in ("%got", "%before")]
    are_both = check.value(f"and i1 {on_cuda[0]}, {on_cuda[1]}")
    with check.unless(f"xor i1 {are_both}, true"):
        arguments = f"{_function_and_name(check)}, i32 {numbers[0]}, i32 {numbers[1]}"
        expected = "cuda(%d) as the arrays before it"
        check.fail(errors.WrongDevice, arguments, **_NAMED, got="cuda(%d)", expected=expected)
    check.do(f"ret i64 {check.value(f'select i1 {on_cuda[1]}, i64 %got, i64 %before')}")
    check.define("i64 @tvmscript_device(ptr %spec, i64 %before, i64 %got) cold")


# -- arrays


def _define_array_check(module: ModuleText) -> None:
    """`tvmscript_array(any, spec)`: the DLTensor of an argument, null with an error where it is not as described."""
    check = RuntimeFunction(module, failure="ptr null")
    tensor = _check_kind(check)
    _check_device(check, tensor)
    _check_rank(check, tensor)
    _check_dtype(check, tensor)
    has_elements = _check_shape(check, tensor)
    _check_data(check, tensor, has_elements)
    check.do(f"ret ptr {tensor}")
    check.define("ptr @tvmscript_array(ptr %any, ptr %spec)")


def _check_kind(check: RuntimeFunction) -> str:
    """Return the address of the DLTensor: the argument's value, or inside of a tensor object."""
    kind = check.load("i32", "%any")
    value = check.load("ptr", "%any", abi.ANY_VALUE)
    entry, other, tensor, array = check.block, check.label("other"), check.label("tensor"), check.label("array")
    check.switch(kind, {abi.ARRAY: array, abi.TENSOR: tensor}, other)
    check.place(other)
    name = check.value(f"call ptr @kind_name(i32 {kind})")
    check.fail(errors.NotAnArray, f"{_function_and_name(check)}, ptr {name}", **_NAMED, got="%s")
    check.place(tensor)
    return _merge_arrays(check, value, entry, tensor, array)


def _merge_arrays(check: RuntimeFunction, value: str, entry: str, tensor: str, array: str) -> str:
    """Write the rest of the block `tensor`, begin the block `array`; return the DLTensor of a value of either kind."""
    inner = check.address(value, abi.TENSOR_HEADER_BYTES)
    check.jump(array)
    check.place(array)
    return check.value(f"phi ptr [ {value}, %{entry} ], [ {inner}, %{tensor} ]")


def _check_device(check: RuntimeFunction, tensor: str) -> None:
    """Compare the device with the CPU, or with CUDA's where the flags of the description say so."""
    device = check.load("i32", tensor, abi.DEVICE_TYPE)
    on_cuda = _has_flag(check, ON_CUDA)
    is_own = check.value(f"icmp eq i32 {device}, {check.value(f'select i1 {on_cuda}, i32 {abi.CUDA}, i32 {abi.CPU}')}")
    # both reach this memory: the CPU's, pinned for CUDA
    is_pinned = check.value(f"icmp eq i32 {device}, {_CUDA_HOST}")
    is_managed = check.value(f"and i1 {on_cuda}, {check.value(f'icmp eq i32 {device}, {_CUDA_MANAGED}')}")
    with check.unless(f"or i1 {check.value(f'or i1 {is_own}, {is_pinned}')}, {is_managed}"):
        names = (check.module.string(name) for name in ("a CUDA device", "the CPU"))
        expected = check.value(f"select i1 {on_cuda}, ptr {next(names)}, ptr {next(names)}")
        arguments = f"{_function_and_name(check)}, i32 {device}, ptr {expected}"
        check.fail(errors.WrongDevice, arguments, **_NAMED, got="a device of DLPack type %d", expected="%s")


def _has_flag(check: RuntimeFunction, flag: int) -> str:
    """Return whether the description of an array has a flag."""
    bits = check.value(f"and i32 {_description(check, ARRAY, 6, 'i32')}, {flag}")
    return check.value(f"icmp ne i32 {bits}, 0")


def _check_rank(check: RuntimeFunction, tensor: str) -> None:
    rank = check.load("i32", tensor, abi.NDIM)
    expected = _description(check, ARRAY, 5, "i32")
    with check.unless(f"icmp eq i32 {rank}, {expected}"):
        arguments = f"{_function_and_name(check)}, i32 {expected}, i32 {rank}"
        check.fail(errors.WrongArrayRank, arguments, **_NAMED, expected="%d", got="%d")


def _check_dtype(check: RuntimeFunction, tensor: str) -> None:
    """Compare the dtype with the four that are accepted, all at once."""
    dtype = check.load("i32", tensor, abi.DTYPE)
    cell = check.value(f"getelementptr {ARRAY}, ptr %spec, i32 0, i32 4")
    accepted = check.value(f"load <4 x i32>, ptr {cell}, align 4")
    first = check.value(f"insertelement <4 x i32> poison, i32 {dtype}, i32 0")
    splat = check.value(f"shufflevector <4 x i32> {first}, <4 x i32> poison, <4 x i32> zeroinitializer")
    matches = check.value(f"bitcast <4 x i1> {check.value(f'icmp eq <4 x i32> {splat}, {accepted}')} to i4")
    with check.unless(f"icmp ne i4 {matches}, 0"):
        expected = _description(check, ARRAY, 2, "ptr")
        name = check.slot(f"[{_DTYPE_BYTES} x i8]")
        check.do(f"call void @dtype_name(i32 {dtype}, ptr {name})")
        arguments = f"{_function_and_name(check)}, ptr {expected}, ptr {name}"
        check.fail(errors.WrongArrayDType, arguments, **_NAMED, expected="%s", got="%s")


def _check_shape(check: RuntimeFunction, tensor: str) -> str:
    """Compare extents, and strides with those of a compact array; return whether the array has elements."""
    shape, strides = check.load("ptr", tensor, abi.SHAPE), check.load("ptr", tensor, abi.STRIDES)
    expected_shape = _description(check, ARRAY, 3, "ptr")
    is_given = check.value(f"icmp ne ptr {strides}, null")
    is_compact = _has_flag(check, IS_COMPACT)
    has_strides = check.value(f"and i1 {is_given}, {is_compact}")
    size, has_gaps = check.slot("i64"), check.slot("i1")
    check.store("i64", "1", size)
    check.store("i1", "false", has_gaps)
    with check.count_down(check.load("i32", tensor, abi.NDIM)) as axis:
        extent = check.load("i64", check.element("i64", shape, axis))
        _check_extent(check, axis, extent, check.load("i64", check.element("i64", expected_shape, axis)))
        _compare_stride(check, has_strides, check.element("i64", strides, axis), extent, size, has_gaps)
        check.store("i64", check.value(f"mul i64 {check.load('i64', size)}, {extent}"), size)
    has_elements = check.value(f"icmp ne i64 {check.load('i64', size)}, 0")
    is_scattered = check.value(f"and i1 {check.load('i1', has_gaps)}, {has_elements}")
    with check.unless(f"xor i1 {is_scattered}, true"):
        expected = check.module.string(_COMPACT)
        check.value(f"call i32 @tvmscript_strides(ptr %spec, ptr {tensor}, ptr {expected})")
        check.do("ret ptr null")
    return has_elements


def _check_extent(check: RuntimeFunction, axis: str, extent: str, expected: str) -> None:
    """Compare an extent with the described one; -1 accepts every extent."""
    is_any = check.value(f"icmp slt i64 {expected}, 0")
    is_same = check.value(f"icmp eq i64 {extent}, {expected}")
    with check.unless(f"or i1 {is_any}, {is_same}"):
        number = check.value(f"sext i32 {axis} to i64")
        check.value(f"call i32 @tvmscript_shape(ptr %spec, i64 {number}, i64 {expected}, i64 {extent})")
        check.do("ret ptr null")


def _compare_stride(check: RuntimeFunction, has_strides: str, cell: str, extent: str, size: str, has_gaps: str) -> None:
    """Set `has_gaps` where a stride is not the product of the inner extents; that of an extent of 1 does not matter."""
    compare, done = check.label("stride"), check.label("strided")
    check.branch(has_strides, compare, done)
    check.place(compare)
    differs = check.value(f"icmp ne i64 {check.load('i64', cell)}, {check.load('i64', size)}")
    is_long = check.value(f"icmp ne i64 {extent}, 1")
    is_gap = check.value(f"and i1 {differs}, {is_long}")
    check.store("i1", check.value(f"or i1 {check.load('i1', has_gaps)}, {is_gap}"), has_gaps)
    check.jump(done)
    check.place(done)


def _check_data(check: RuntimeFunction, tensor: str, has_elements: str) -> None:
    is_null = check.value(f"icmp eq ptr {check.load('ptr', tensor)}, null")
    is_missing = check.value(f"and i1 {is_null}, {has_elements}")
    with check.unless(f"xor i1 {is_missing}, true"):
        check.fail(errors.NotAnArray, _function_and_name(check), **_NAMED, got="a null pointer")


# -- numbers and pointers


def _define_wrong_scalar(module: ModuleText) -> None:
    """`wrong_scalar(any, spec, is_number)`: raise `WrongScalar` with the number, or the kind of the argument."""
    check = RuntimeFunction(module)
    expected = f"{_function_and_name(check)}, ptr {_description(check, SCALAR, 2, 'ptr')}"
    with check.unless("xor i1 %is_number, true"):
        value = check.load("i64", "%any", abi.ANY_VALUE)
        check.fail(errors.WrongScalar, f"{expected}, i64 {value}", **_NAMED, expected="%s", got="%lld")
    name = check.value(f"call ptr @kind_name(i32 {check.load('i32', '%any')})")
    check.fail(errors.WrongScalar, f"{expected}, ptr {name}", **_NAMED, expected="%s", got="%s")
    check.define("internal i32 @wrong_scalar(ptr %any, ptr %spec, i1 %is_number) cold")


def _return_number(check: RuntimeFunction, kind: str, operand: str) -> None:
    check.store(kind, operand, "%out")
    check.do("ret i32 0")


def _refuse_scalar(check: RuntimeFunction, block: str, *, is_number: bool = False) -> None:
    """Write the block that raises `WrongScalar`."""
    check.place(block)
    status = check.value(f"call i32 @wrong_scalar(ptr %any, ptr %spec, i1 {str(is_number).lower()})")
    check.do(f"ret i32 {status}")


def _define_int_check(module: ModuleText) -> None:
    """`tvmscript_int(any, spec, out)`: the value of an int or bool within the described limits."""
    check = RuntimeFunction(module)
    kind = check.load("i32", "%any")
    number, large, fits, outside, other = (
        check.label(hint) for hint in ("number", "large", "fits", "outside", "other")
    )
    check.switch(kind, {abi.INT: number, abi.BOOL: number, abi.LARGE_INT: large}, other)
    check.place(number)
    value = check.load("i64", "%any", abi.ANY_VALUE)
    is_above = check.value(f"icmp sge i64 {value}, {_description(check, SCALAR, 3, 'i64')}")
    is_below = check.value(f"icmp sle i64 {value}, {_description(check, SCALAR, 4, 'i64')}")
    check.branch(check.value(f"and i1 {is_above}, {is_below}"), fits, outside)
    check.place(fits)
    _return_number(check, "i64", value)
    check.place(large)
    _return_large_int(check, other)
    _refuse_scalar(check, outside, is_number=True)
    _refuse_scalar(check, other)
    check.define("i32 @tvmscript_int(ptr %any, ptr %spec, ptr %out)")


def _return_large_int(check: RuntimeFunction, other: str) -> None:
    """Return an integer of two words whose upper one is 0, where the description accepts it; else go to `other`."""
    takes, one, two = check.label("takes"), check.label("words"), check.label("unsigned")
    is_accepted = check.value(f"icmp ne i64 {_description(check, SCALAR, 5, 'i64')}, 0")
    check.branch(is_accepted, takes, other)
    check.place(takes)
    words = check.load("ptr", "%any", abi.ANY_VALUE)
    count = check.load("i64", words, abi.LARGE_INT_COUNT)
    check.branch(check.value(f"icmp eq i64 {count}, 2"), one, other)
    check.place(one)
    upper = check.load("i64", words, abi.LARGE_INT_WORDS + 8)
    check.branch(check.value(f"icmp eq i64 {upper}, 0"), two, other)
    check.place(two)
    _return_number(check, "i64", check.load("i64", words, abi.LARGE_INT_WORDS))


def _define_float_check(module: ModuleText) -> None:
    """`tvmscript_float(any, spec, out)`: the value of a float, an int or a bool as a double."""
    check = RuntimeFunction(module)
    kind = check.load("i32", "%any")
    value = check.load("i64", "%any", abi.ANY_VALUE)
    floating, integer, other = check.label("float"), check.label("int"), check.label("other")
    check.switch(kind, {abi.FLOAT: floating, abi.INT: integer, abi.BOOL: integer}, other)
    check.place(floating)
    _return_number(check, "i64", value)
    check.place(integer)
    _return_number(check, "double", check.value(f"sitofp i64 {value} to double"))
    _refuse_scalar(check, other)
    check.define("i32 @tvmscript_float(ptr %any, ptr %spec, ptr %out)")


def _define_pointer_check(module: ModuleText) -> None:
    """`tvmscript_pointer(any, spec, out)`: a pointer, a text, the memory of an array, or null for None."""
    check = RuntimeFunction(module)
    kind = check.load("i32", "%any")
    value = check.load("ptr", "%any", abi.ANY_VALUE)
    entry = check.block
    none, pointer, tensor, array, other = (
        check.label(hint) for hint in ("none", "pointer", "tensor", "array", "other")
    )
    cases = {abi.NONE: none, abi.POINTER: pointer, abi.TEXT: pointer, abi.TENSOR: tensor, abi.ARRAY: array}
    check.switch(kind, cases, other)
    check.place(none)
    _return_number(check, "ptr", "null")
    check.place(pointer)
    _return_number(check, "ptr", value)
    check.place(tensor)
    given = _merge_arrays(check, value, entry, tensor, array)
    offset = check.load("i64", given, abi.BYTE_OFFSET)
    _return_number(check, "ptr", check.value(f"getelementptr i8, ptr {check.load('ptr', given)}, i64 {offset}"))
    _refuse_scalar(check, other)
    check.define("i32 @tvmscript_pointer(ptr %any, ptr %spec, ptr %out)")
