"""Checks of arguments, compiled once per process: built functions call them with a description of each parameter.

They read tvm-ffi's calling convention (`TVMFFIAny`, `DLTensor`; see tvm_ffi/include) and raise the errors of
`tvmscript.backends.runtime`, whose message templates are the format strings here.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention.call_stubs import add_calls
from tvmscript.backends.llvm.errors import kind_of
from tvmscript.backends.runtime.errors import (
    NotAnArray,
    WrongArrayDType,
    WrongArrayRank,
    WrongArrayShape,
    WrongArrayStrides,
    WrongDevice,
    WrongNumberOfArguments,
    WrongScalar,
)
from tvmscript.ir.core.errors import TVMScriptError

#: What is known of an array parameter; see `wrapper.Wrapper` for who fills it.
#: function, name, dtype's name, shape (-1: any), accepted dtypes, rank, whether it must be compact
ARRAY: Final = "{ ptr, ptr, ptr, ptr, [4 x i32], i32, i32 }"
#: function, name, what is expected, smallest and largest value, whether the largest is 2 ** 64 - 1
SCALAR: Final = "{ ptr, ptr, ptr, i64, i64, i64 }"

#: name -> type, for declarations
SIGNATURES: Final = {
    "tvmscript_count": "i32 {}(ptr, i32, i32)",
    "tvmscript_array": "ptr {}(ptr, ptr)",
    "tvmscript_shape": "i32 {}(ptr, i64, i64, i64)",
    "tvmscript_strides": "i32 {}(ptr, ptr, ptr)",
    "tvmscript_int": "i32 {}(ptr, ptr, ptr)",
    "tvmscript_float": "i32 {}(ptr, ptr, ptr)",
    "tvmscript_pointer": "i32 {}(ptr, ptr, ptr)",
    "tvmscript_call": "i32 {}(ptr, ptr, i32, ptr)",
    "tvmscript_view": "i32 {}(ptr, ptr, i32, ptr)",
}

#: `TVMFFIAny.type_index` -> what a user calls it; from 64 on they are objects.
_KINDS = {
    0: "None", 1: "an int", 2: "a bool", 3: "a float", 4: "a pointer", 5: "a dtype", 6: "a device", 7: "an array",
    8: "a str", 9: "bytes", 11: "a str", 12: "bytes", 64: "an object", 65: "a str", 66: "bytes", 68: "a function",
    69: "a shape", 70: "an array", 71: "a list", 72: "a dict", 75: "a list", 76: "a dict", 78: "a large int",
}  # fmt: skip
#: DLDataTypeCode -> name; from 6 on the width is part of the name.
_CODES = [
    "int", "uint", "float", "handle", "bfloat", "complex", "bool", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz",
    "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn",
    "float6_e3m2fn", "float4_e2m1fn", "unknown",
]  # fmt: skip


def _format(text: ModuleText, error: type[TVMScriptError], **parts: str) -> str:
    return text.string(error.message.format(**parts))


@cache
def support_text() -> str:
    """The checks as LLVM assembly."""
    text = ModuleText()
    text.declare("snprintf", "i32 {}(ptr, i64, ptr, ...)")
    text.declare("TVMFFIErrorSetRaisedFromCStr", "void {}(ptr, ptr)")
    names = [_KINDS.get(index, "an object") for index in range(79)]
    kinds = text.constant("kinds", f"[79 x ptr] [{', '.join(f'ptr {text.string(name)}' for name in names)}]", 8)
    codes = text.constant(
        "codes", f"[{len(_CODES)} x ptr] [{', '.join(f'ptr {text.string(name)}' for name in _CODES)}]", 8
    )

    def error(cls: type[TVMScriptError], arguments: str, **parts: str) -> str:
        """Lines that raise an error, formatted from these typed arguments."""
        form = _format(text, cls, **parts)
        return f"""  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %message, i64 1024, ptr {form}, {arguments})
  call void @TVMFFIErrorSetRaisedFromCStr(ptr {text.string(kind_of(cls))}, ptr %message)"""

    add_calls(text)
    named = {"function": "%s", "name": "%s"}
    spec = f"""  %s0 = getelementptr {ARRAY}, ptr %spec, i32 0, i32 0
  %function = load ptr, ptr %s0
  %s1 = getelementptr {ARRAY}, ptr %spec, i32 0, i32 1
  %name = load ptr, ptr %s1
"""
    text.add(f"""
define internal ptr @kind_name(i32 %kind) {{
  %small = icmp ult i32 %kind, 79
  %index = select i1 %small, i32 %kind, i32 64
  %cell = getelementptr ptr, ptr {kinds}, i32 %index
  %name = load ptr, ptr %cell
  ret ptr %name
}}

define internal void @dtype_name(i32 %dtype, ptr %out) {{
  %code = and i32 %dtype, 255
  %high = lshr i32 %dtype, 8
  %bits = and i32 %high, 255
  %lanes = lshr i32 %dtype, 16
  %index = call i32 @llvm.umin.i32(i32 %code, i32 {len(_CODES) - 1})
  %cell = getelementptr ptr, ptr {codes}, i32 %index
  %name = load ptr, ptr %cell
  %sized = icmp ult i32 %code, 6
  %vector = icmp ugt i32 %lanes, 1
  %f0 = select i1 %vector, ptr {text.string("%s%ux%u")}, ptr {text.string("%s%u")}
  %f1 = select i1 %sized, ptr %f0, ptr {text.string("%s")}
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %out, i64 64, ptr %f1, ptr %name, i32 %bits, i32 %lanes)
  ret void
}}
declare i32 @llvm.umin.i32(i32, i32)

define i32 @tvmscript_count(ptr %function, i32 %expected, i32 %got) cold {{
  %message = alloca [1024 x i8]
{error(WrongNumberOfArguments, "ptr %function, i32 %expected, i32 %got", function="%s", expected="%d", got="%d")}
  ret i32 -1
}}

define i32 @tvmscript_shape(ptr %spec, i64 %axis, i64 %expected, i64 %got) cold {{
  %message = alloca [1024 x i8]
{spec}
{
        error(
            WrongArrayShape,
            "ptr %function, ptr %name, i64 %expected, i64 %axis, i64 %got",
            **named,
            expected="%lld",
            axis="%lld",
            got="%lld",
        )
    }
  ret i32 -1
}}

define i32 @tvmscript_strides(ptr %spec, ptr %array, ptr %expected) cold {{
  %message = alloca [1024 x i8]
  %list = alloca [512 x i8]
{spec}
  store i8 0, ptr %list
  %rank_cell = getelementptr i8, ptr %array, i64 16
  %rank = load i32, ptr %rank_cell
  %strides_cell = getelementptr i8, ptr %array, i64 32
  %strides = load ptr, ptr %strides_cell
  %unset = icmp eq ptr %strides, null
  %shown = call i32 @llvm.umin.i32(i32 %rank, i32 16)
  %none = icmp eq i32 %shown, 0
  %skip = or i1 %unset, %none
  br i1 %skip, label %done, label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = phi i32 [ 0, %0 ], [ %after, %loop ]
  %cell = getelementptr i64, ptr %strides, i32 %i
  %stride = load i64, ptr %cell
  %first = icmp eq i32 %i, 0
  %form = select i1 %first, ptr {text.string("%lld")}, ptr {text.string(", %lld")}
  %place = getelementptr i8, ptr %list, i32 %at
  %length = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %place, i64 24, ptr %form, i64 %stride)
  %after = add i32 %at, %length
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %shown
  br i1 %more, label %loop, label %done
done:
{error(WrongArrayStrides, "ptr %function, ptr %name, ptr %expected, ptr %list", **named, expected="%s", got="(%s)")}
  ret i32 -1
}}

define ptr @tvmscript_array(ptr %any, ptr %spec) {{
entry:
  %message = alloca [1024 x i8]
  %got = alloca [64 x i8]
  %kind = load i32, ptr %any
  %cell = getelementptr i8, ptr %any, i64 8
  %object = load ptr, ptr %cell
  switch i32 %kind, label %no_array [ i32 7, label %array
                                      i32 70, label %tensor ]
tensor:
  %inner = getelementptr i8, ptr %object, i64 24
  br label %array
array:
  %t = phi ptr [ %object, %entry ], [ %inner, %tensor ]
  %s0 = getelementptr {ARRAY}, ptr %spec, i32 0, i32 0
  %function = load ptr, ptr %s0
  %s1 = getelementptr {ARRAY}, ptr %spec, i32 0, i32 1
  %name = load ptr, ptr %s1
  %device_cell = getelementptr i8, ptr %t, i64 8
  %device = load i32, ptr %device_cell
  %cpu = icmp eq i32 %device, 1
  %pinned = icmp eq i32 %device, 3
  %reachable = or i1 %cpu, %pinned
  br i1 %reachable, label %rank_check, label %wrong_device
wrong_device:
{
        error(
            WrongDevice,
            "ptr %function, ptr %name, i32 %device",
            **named,
            got="a device of DLPack type %d",
            expected="the CPU",
        )
    }
  ret ptr null
rank_check:
  %rank_cell = getelementptr i8, ptr %t, i64 16
  %rank = load i32, ptr %rank_cell
  %s5 = getelementptr {ARRAY}, ptr %spec, i32 0, i32 5
  %want_rank = load i32, ptr %s5
  %same_rank = icmp eq i32 %rank, %want_rank
  br i1 %same_rank, label %dtype_check, label %wrong_rank
wrong_rank:
{error(WrongArrayRank, "ptr %function, ptr %name, i32 %want_rank, i32 %rank", **named, expected="%d", got="%d")}
  ret ptr null
dtype_check:
  %dtype_cell = getelementptr i8, ptr %t, i64 20
  %dtype = load i32, ptr %dtype_cell
  %s4 = getelementptr {ARRAY}, ptr %spec, i32 0, i32 4
  %wanted = load <4 x i32>, ptr %s4, align 4
  %one = insertelement <4 x i32> poison, i32 %dtype, i32 0
  %four = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %equal = icmp eq <4 x i32> %four, %wanted
  %mask = bitcast <4 x i1> %equal to i4
  %same_dtype = icmp ne i4 %mask, 0
  br i1 %same_dtype, label %shape_check, label %wrong_dtype
wrong_dtype:
  %s2 = getelementptr {ARRAY}, ptr %spec, i32 0, i32 2
  %dtype_name = load ptr, ptr %s2
  call void @dtype_name(i32 %dtype, ptr %got)
{error(WrongArrayDType, "ptr %function, ptr %name, ptr %dtype_name, ptr %got", **named, expected="%s", got="%s")}
  ret ptr null
shape_check:
  %s3 = getelementptr {ARRAY}, ptr %spec, i32 0, i32 3
  %want_shape = load ptr, ptr %s3
  %shape_cell = getelementptr i8, ptr %t, i64 24
  %shape = load ptr, ptr %shape_cell
  %strides_cell = getelementptr i8, ptr %t, i64 32
  %strides = load ptr, ptr %strides_cell
  %s6 = getelementptr {ARRAY}, ptr %spec, i32 0, i32 6
  %compact = load i32, ptr %s6
  %no_strides = icmp eq ptr %strides, null
  %any_strides = icmp eq i32 %compact, 0
  %free = or i1 %no_strides, %any_strides
  br label %axis
axis:
  %left = phi i32 [ %rank, %shape_check ], [ %i, %next_axis ]
  %size = phi i64 [ 1, %shape_check ], [ %size1, %next_axis ]
  %loose = phi i1 [ false, %shape_check ], [ %loose1, %next_axis ]
  %more = icmp sgt i32 %left, 0
  br i1 %more, label %one_axis, label %shape_done
one_axis:
  %i = add i32 %left, -1
  %extent_cell = getelementptr i64, ptr %shape, i32 %i
  %extent = load i64, ptr %extent_cell
  %want_cell = getelementptr i64, ptr %want_shape, i32 %i
  %want = load i64, ptr %want_cell
  %free_extent = icmp slt i64 %want, 0
  %same = icmp eq i64 %extent, %want
  %fits = or i1 %free_extent, %same
  br i1 %fits, label %stride_check, label %wrong_shape
wrong_shape:
  %axis64 = sext i32 %i to i64
  %status = call i32 @tvmscript_shape(ptr %spec, i64 %axis64, i64 %want, i64 %extent)
  ret ptr null
stride_check:
  br i1 %free, label %next_axis, label %stride
stride:
  %stride_cell = getelementptr i64, ptr %strides, i32 %i
  %distance = load i64, ptr %stride_cell
  %differs = icmp ne i64 %distance, %size
  %long = icmp ne i64 %extent, 1
  %gap = and i1 %differs, %long
  br label %next_axis
next_axis:
  %gap1 = phi i1 [ false, %stride_check ], [ %gap, %stride ]
  %loose1 = or i1 %loose, %gap1
  %size1 = mul i64 %size, %extent
  br label %axis
shape_done:
  %some = icmp ne i64 %size, 0
  %scattered = and i1 %loose, %some
  br i1 %scattered, label %wrong_strides, label %data_check
wrong_strides:
  %status2 = call i32 @tvmscript_strides(ptr %spec, ptr %t, ptr {
        text.string("must be compact (row-major, without gaps)")
    })
  ret ptr null
data_check:
  %data = load ptr, ptr %t
  %no_data = icmp eq ptr %data, null
  %missing = and i1 %no_data, %some
  br i1 %missing, label %null_data, label %good
null_data:
{error(NotAnArray, "ptr %function, ptr %name", **named, got="a null pointer")}
  ret ptr null
good:
  ret ptr %t
no_array:
  %n0 = load ptr, ptr %spec
  %n1c = getelementptr {ARRAY}, ptr %spec, i32 0, i32 1
  %n1 = load ptr, ptr %n1c
  %kind_text = call ptr @kind_name(i32 %kind)
{error(NotAnArray, "ptr %n0, ptr %n1, ptr %kind_text", **named, got="%s")}
  ret ptr null
}}

define internal i32 @wrong_scalar(ptr %any, ptr %spec, i32 %shown) cold {{
  %message = alloca [1024 x i8]
  %function = load ptr, ptr %spec
  %s1 = getelementptr {SCALAR}, ptr %spec, i32 0, i32 1
  %name = load ptr, ptr %s1
  %s2 = getelementptr {SCALAR}, ptr %spec, i32 0, i32 2
  %expected = load ptr, ptr %s2
  %cell = getelementptr i8, ptr %any, i64 8
  %value = load i64, ptr %cell
  %kind = load i32, ptr %any
  %number = icmp ne i32 %shown, 0
  br i1 %number, label %as_number, label %as_kind
as_number:
{error(WrongScalar, "ptr %function, ptr %name, ptr %expected, i64 %value", **named, expected="%s", got="%lld")}
  ret i32 -1
as_kind:
  %kind_text = call ptr @kind_name(i32 %kind)
{error(WrongScalar, "ptr %function, ptr %name, ptr %expected, ptr %kind_text", **named, expected="%s", got="%s")}
  ret i32 -1
}}

define i32 @tvmscript_int(ptr %any, ptr %spec, ptr %out) {{
  %kind = load i32, ptr %any
  %cell = getelementptr i8, ptr %any, i64 8
  %value = load i64, ptr %cell
  %large_cell = getelementptr {SCALAR}, ptr %spec, i32 0, i32 5
  %large = load i64, ptr %large_cell
  switch i32 %kind, label %wrong [ i32 1, label %int
                                   i32 2, label %int
                                   i32 78, label %big ]
int:
  %low_cell = getelementptr {SCALAR}, ptr %spec, i32 0, i32 3
  %low = load i64, ptr %low_cell
  %high_cell = getelementptr {SCALAR}, ptr %spec, i32 0, i32 4
  %high = load i64, ptr %high_cell
  %above = icmp sge i64 %value, %low
  %below = icmp sle i64 %value, %high
  %fits = and i1 %above, %below
  br i1 %fits, label %good, label %range
range:
  %status = call i32 @wrong_scalar(ptr %any, ptr %spec, i32 1)
  ret i32 %status
big:
  %takes = icmp ne i64 %large, 0
  br i1 %takes, label %words, label %wrong
words:
  %object = load ptr, ptr %cell
  %count_cell = getelementptr i8, ptr %object, i64 24
  %count = load i64, ptr %count_cell
  %two = icmp eq i64 %count, 2
  %w0_cell = getelementptr i8, ptr %object, i64 32
  %w0 = load i64, ptr %w0_cell
  br i1 %two, label %upper, label %wrong
upper:
  %w1_cell = getelementptr i8, ptr %object, i64 40
  %w1 = load i64, ptr %w1_cell
  %unsigned = icmp eq i64 %w1, 0
  br i1 %unsigned, label %good, label %wrong
good:
  %result = phi i64 [ %value, %int ], [ %w0, %upper ]
  store i64 %result, ptr %out
  ret i32 0
wrong:
  %status2 = call i32 @wrong_scalar(ptr %any, ptr %spec, i32 0)
  ret i32 %status2
}}

define i32 @tvmscript_float(ptr %any, ptr %spec, ptr %out) {{
  %kind = load i32, ptr %any
  %cell = getelementptr i8, ptr %any, i64 8
  %value = load i64, ptr %cell
  switch i32 %kind, label %wrong [ i32 3, label %float
                                   i32 1, label %int
                                   i32 2, label %int ]
float:
  store i64 %value, ptr %out
  ret i32 0
int:
  %converted = sitofp i64 %value to double
  store double %converted, ptr %out
  ret i32 0
wrong:
  %status = call i32 @wrong_scalar(ptr %any, ptr %spec, i32 0)
  ret i32 %status
}}

define i32 @tvmscript_pointer(ptr %any, ptr %spec, ptr %out) {{
entry:
  %kind = load i32, ptr %any
  %cell = getelementptr i8, ptr %any, i64 8
  %value = load ptr, ptr %cell
  switch i32 %kind, label %wrong [ i32 0, label %good
                                   i32 4, label %good
                                   i32 7, label %good
                                   i32 8, label %good
                                   i32 70, label %tensor ]
tensor:
  %inner = getelementptr i8, ptr %value, i64 24
  br label %good
good:
  %result = phi ptr [ %value, %entry ], [ %value, %entry ], [ %value, %entry ], [ %value, %entry ], [ %inner, %tensor ]
  %none = icmp eq i32 %kind, 0
  %pointer = select i1 %none, ptr null, ptr %result
  store ptr %pointer, ptr %out
  ret i32 0
wrong:
  %status = call i32 @wrong_scalar(ptr %any, ptr %spec, i32 0)
  ret i32 %status
}}
""")
    return str(text)
