"""Calls with arguments that lie on a stack already, and views of tensors: compiled once, part of `support`."""

from __future__ import annotations

from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention.abi import ARRAY, SHAPE, STRIDES, TENSOR

_ANY = "{ i64, i64 }"
_DLTENSOR = "{ ptr, i32, i32, i32, i32, ptr, ptr, i64 }"


def add_calls(text: ModuleText) -> None:
    """Add `tvmscript_call(function, args, count, result)` and, as tvm-ffi calls it, `tvmscript_view(tensor, dtype)`.

    The first gives the status of the call. Arrays among the arguments are handed over as tensor objects that do not
    own their memory, with strides: Python cannot look into a bare DLTensor.
    The second is the same memory as a tensor of another dtype (a DLDataType in one word) of the same size.
    """
    text.declare("TVMFFIFunctionCall", "i32 {}(ptr, ptr, i32, ptr)")
    text.declare("TVMFFITensorCreateUnsafeView", "i32 {}(ptr, ptr, ptr)")
    text.declare("TVMFFIObjectDecRef", "i32 {}(ptr)")
    text.add(f"""
define internal i32 @tensor_view(ptr %array, ptr %out) {{
entry:
  %full = alloca {_DLTENSOR}, align 8
  %rank_cell = getelementptr i8, ptr %array, i64 16
  %rank = load i32, ptr %rank_cell
  %space = alloca i64, i32 %rank, align 8
  %tensor = load {_DLTENSOR}, ptr %array, align 8
  store {_DLTENSOR} %tensor, ptr %full, align 8
  %shape_cell = getelementptr i8, ptr %array, i64 {SHAPE}
  %shape = load ptr, ptr %shape_cell
  %strides_cell = getelementptr i8, ptr %full, i64 {STRIDES}
  %strides = load ptr, ptr %strides_cell
  %given = icmp ne ptr %strides, null
  br i1 %given, label %make, label %compact
compact:
  store ptr %space, ptr %strides_cell
  br label %axis
axis:
  %left = phi i32 [ %rank, %compact ], [ %i, %one ]
  %size = phi i64 [ 1, %compact ], [ %size1, %one ]
  %more = icmp sgt i32 %left, 0
  br i1 %more, label %one, label %make
one:
  %i = add i32 %left, -1
  %place = getelementptr i64, ptr %space, i32 %i
  store i64 %size, ptr %place
  %extent_cell = getelementptr i64, ptr %shape, i32 %i
  %extent = load i64, ptr %extent_cell
  %size1 = mul i64 %size, %extent
  br label %axis
make:
  %status = call i32 @TVMFFITensorCreateUnsafeView(ptr null, ptr %full, ptr %out)
  ret i32 %status
}}

define i32 @tvmscript_call(ptr %function, ptr %args, i32 %count, ptr %result) {{
entry:
  %values = alloca {_ANY}, i32 %count, align 8
  %view = alloca ptr, align 8
  br label %test
test:
  %i = phi i32 [ 0, %entry ], [ %next, %stored ]
  %more = icmp slt i32 %i, %count
  br i1 %more, label %one, label %call
one:
  %from = getelementptr {_ANY}, ptr %args, i32 %i
  %to = getelementptr {_ANY}, ptr %values, i32 %i
  %from_cell = getelementptr i8, ptr %from, i64 8
  %to_cell = getelementptr i8, ptr %to, i64 8
  %index = load i32, ptr %from
  %word = load i64, ptr %from
  %value = load i64, ptr %from_cell
  %is_array = icmp eq i32 %index, {ARRAY}
  br i1 %is_array, label %array, label %stored
array:
  %pointer = inttoptr i64 %value to ptr
  %made = call i32 @tensor_view(ptr %pointer, ptr %view)
  %good = icmp eq i32 %made, 0
  br i1 %good, label %viewed, label %release
viewed:
  %object = load i64, ptr %view
  br label %stored
stored:
  %word1 = phi i64 [ %word, %one ], [ {TENSOR}, %viewed ]
  %value1 = phi i64 [ %value, %one ], [ %object, %viewed ]
  store i64 %word1, ptr %to
  store i64 %value1, ptr %to_cell
  %next = add i32 %i, 1
  br label %test
call:
  %called = call i32 @TVMFFIFunctionCall(ptr %function, ptr %values, i32 %count, ptr %result)
  br label %release
release:
  %status = phi i32 [ %called, %call ], [ -1, %array ]
  br label %test_release
test_release:
  %j = phi i32 [ 0, %release ], [ %after, %released ]
  %held = icmp slt i32 %j, %i
  br i1 %held, label %look, label %done
look:
  %kind_cell = getelementptr {_ANY}, ptr %args, i32 %j
  %kind = load i32, ptr %kind_cell
  %owned = icmp eq i32 %kind, {ARRAY}
  br i1 %owned, label %drop, label %released
drop:
  %item_cell = getelementptr {_ANY}, ptr %values, i32 %j, i32 1
  %item = load ptr, ptr %item_cell
  %dropped = call i32 @TVMFFIObjectDecRef(ptr %item)
  br label %released
released:
  %after = add i32 %j, 1
  br label %test_release
done:
  ret i32 %status
}}

define i32 @tvmscript_view(ptr %self, ptr %args, i32 %count, ptr %result) {{
  %made = alloca {_DLTENSOR}, align 8
  %view = alloca ptr, align 8
  %object_cell = getelementptr i8, ptr %args, i64 8
  %object = load ptr, ptr %object_cell
  %array = getelementptr i8, ptr %object, i64 24
  %tensor = load {_DLTENSOR}, ptr %array, align 8
  store {_DLTENSOR} %tensor, ptr %made, align 8
  %dtype_cell = getelementptr i8, ptr %args, i64 24
  %dtype = load i32, ptr %dtype_cell
  %place = getelementptr i8, ptr %made, i64 20
  store i32 %dtype, ptr %place
  %status = call i32 @TVMFFITensorCreateUnsafeView(ptr %object, ptr %made, ptr %view)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %viewed, label %failed
viewed:
  %value = load ptr, ptr %view
  store i64 {TENSOR}, ptr %result
  %result_cell = getelementptr i8, ptr %result, i64 8
  store ptr %value, ptr %result_cell
  ret i32 0
failed:
  ret i32 -1
}}
""")
