"""Calls of packed functions by tvm-ffi's calling convention, and of functions of the module.

Arguments are stored to an array of `TVMFFIAny`. A function that is called by name is looked up once per module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tvmscript.backends.llvm.assembly import quoted
from tvmscript.backends.llvm.calling_convention import abi
from tvmscript.backends.llvm.calling_convention.match_arguments import match_arguments
from tvmscript.backends.llvm.calling_convention.signature import DEVICE_ID, PREFIX, hidden_variables, is_packed
from tvmscript.backends.llvm.codegen.codegen import NOTHING, Codegen, call_rule
from tvmscript.backends.llvm.context import Callee
from tvmscript.backends.llvm.errors import NotSupportedByLLVM, UnknownPackedFunction
from tvmscript.backends.llvm.types import value_type
from tvmscript.ir.core import FLOAT64, INT64, DType, GlobalVar
from tvmscript.ir.tir import Buffer, Expr
from tvmscript.ir.tir import expr as tir

_GET_GLOBAL = "i32 {}(ptr, ptr)"
#: type of functions with tvm-ffi's calling convention
CHECKED_SIGNATURE: Final = "i32 {}(ptr, ptr, i32, ptr)"


def box(cg: Codegen, node: Expr) -> tuple[int, str, str]:
    """Write an argument of a packed call and return its type index, LLVM type and value."""
    if isinstance(node, tir.StringImm):
        return abi.TEXT, "ptr", cg.expr(node)
    dtype = node.dtype
    if dtype.is_handle:
        operand = cg.expr(node)
        is_array = isinstance(node, tir.Call) and getattr(node.op, "name", "") == "tir.tvm_stack_make_array"
        return (abi.ARRAY if is_array or node in cg.program.arrays else abi.POINTER), "ptr", operand
    if dtype.is_integer:
        return (abi.BOOL if dtype.is_bool else abi.INT), "i64", cg.convert.cast(cg.expr(node), dtype, INT64)
    return abi.FLOAT, "double", cg.convert.cast(cg.expr(node), dtype, FLOAT64)


@call_rule("tvm_call_packed")
def emit_call_packed(cg: Codegen, node: tir.Call) -> str:
    name, *args = node.args
    if not isinstance(name, tir.StringImm):
        raise NotSupportedByLLVM(what="a packed call of a name that is no constant", span=node.span)
    function = load_global_function(cg, name.value)
    call = cg.program.text.declare("TVMFFIFunctionCall", CHECKED_SIGNATURE)
    return _call_with_array(cg, f"{call}(ptr {function}", args, node.dtype, objects=True)


@call_rule("tvm_call_cpacked")
def emit_call_cpacked(cg: Codegen, node: tir.Call) -> str:
    name, *args = node.args
    if not isinstance(name, tir.StringImm):
        raise NotSupportedByLLVM(what="a packed call of a name that is no constant", span=node.span)
    symbol, count = find_c_function(cg, name.value, len(args))
    return _call_with_array(cg, f"{symbol}(ptr null", args[:count], node.dtype)


def find_c_function(cg: Codegen, name: str, given: int) -> tuple[str, int]:
    """Return the symbol of a function with tvm-ffi's calling convention, and how many of the arguments it is given.

    Calls between packed functions end with a handle, for which tvm-ffi has no place.
    """
    packed = cg.program.packed
    symbol = name if name in packed or f"{PREFIX}{name}" not in packed else f"{PREFIX}{name}"
    place = f"@{quoted(symbol)}"
    if place not in cg.program.checked.values():
        cg.program.text.declare(symbol, CHECKED_SIGNATURE)
    taken = packed.get(symbol)
    return place, given - 1 if taken == given - 1 else given


def _call_with_array(
    cg: Codegen,
    call: str,
    args: list[Expr],
    dtype: DType,
    buffers: Sequence[Buffer | None] = (),
    objects: bool = False,
) -> str:
    """Store the arguments to an array, call, check the status and convert the result.

    A pointer for one of the `buffers` of the callee is given as an array if its shape is constant. Where `objects`,
    arrays are handed over as tensor objects that do not own their memory: Python cannot look into a bare DLTensor.
    """
    text = cg.text
    count = len(args)
    owned: list[str] = []
    values = text.slot(f"[{max(count, 1)} x {{ i64, i64 }}], align 8")
    result = text.slot("{ i64, i64 }, align 8")
    for index, arg in enumerate(args):
        kind, form, operand = box(cg, arg)
        buffer = buffers[index] if index < len(buffers) else None
        if (
            kind == abi.POINTER
            and buffer is not None
            and all(isinstance(extent, tir.IntImm) for extent in buffer.shape)
        ):
            kind, operand = abi.ARRAY, _write_compact_array(cg, operand, buffer)
        if objects and kind == abi.ARRAY:
            kind, operand = abi.TENSOR, _view_as_tensor(cg, operand)
            owned.append(operand)
        place = text.value(f"getelementptr i8, ptr {values}, i64 {16 * index}")
        text.do(f"store i64 {kind}, ptr {place}, align 8")
        cell = text.value(f"getelementptr i8, ptr {place}, i64 8")
        text.do(f"store {form} {operand}, ptr {cell}, align 8")
    text.do(f"store i64 {abi.NONE}, ptr {result}, align 8")
    status = text.value(f"call i32 {call}, ptr {values}, i32 {count}, ptr {result})")
    for tensor in owned:
        _release_object(cg, tensor)
    cg.check(status)
    return unbox(cg, result, dtype)


def unbox(cg: Codegen, result: str, dtype: DType) -> str:
    """Return the result of a packed call as a value of the call's dtype; objects are released."""
    text = cg.text
    cell = text.value(f"getelementptr i8, ptr {result}, i64 8")
    if dtype.is_floating:
        value = cg.convert.cast(text.value(f"load double, ptr {cell}, align 8"), FLOAT64, dtype)
    elif dtype.is_integer:
        value = cg.convert.cast(text.value(f"load i64, ptr {cell}, align 8"), INT64, dtype)
    elif dtype.is_handle:
        return text.value(f"load ptr, ptr {cell}, align 8")
    else:
        value = NOTHING
    kind = text.value(f"load i32, ptr {result}, align 8")
    drop, done = text.label("drop"), text.label("result")
    text.branch(text.value(f"icmp sge i32 {kind}, 64"), drop, done)
    text.place(drop)
    _release_object(cg, text.value(f"load ptr, ptr {cell}, align 8"))
    text.jump(done)
    text.place(done)
    return value


def _release_object(cg: Codegen, item: str) -> None:
    drop = cg.program.text.declare("TVMFFIObjectDecRef", "i32 {}(ptr)")
    cg.text.value(f"call i32 {drop}(ptr {item})")


def _view_as_tensor(cg: Codegen, array: str) -> str:
    """Return a tensor object over the memory of a DLTensor, with copies of its shape and strides."""
    text = cg.text
    out = text.slot("ptr, align 8")
    make = cg.program.text.declare("TVMFFITensorCreateUnsafeView", "i32 {}(ptr, ptr, ptr)")
    cg.check(text.value(f"call i32 {make}(ptr null, ptr {array}, ptr {out})"))
    return text.value(f"load ptr, ptr {out}, align 8")


def load_global_function(cg: Codegen, name: str) -> str:
    """Return the handle of a registered function, which is looked up once per module."""
    text, module = cg.text, cg.program.text
    slot = cg.program.once(f"function {name}", lambda: module.variable("function", "ptr null"))
    cached = text.value(f"load atomic ptr, ptr {slot} acquire, align 8")
    lookup, ready = text.label("look"), text.label("function")
    before = text.block
    text.branch_likely(text.value(f"icmp ne ptr {cached}, null"), ready, lookup)
    text.place(lookup)
    key = cg.program.once(f"key {name}", lambda: _name_constant(cg, name))
    out = text.slot("ptr, align 8")
    text.do(f"store ptr null, ptr {out}, align 8")
    find = module.declare("TVMFFIFunctionGetGlobal", _GET_GLOBAL)
    cg.check(text.value(f"call i32 {find}(ptr {key}, ptr {out})"))
    loaded = text.value(f"load ptr, ptr {out}, align 8")
    good, missing = text.label("registered"), text.label("missing")
    text.branch_likely(text.value(f"icmp ne ptr {loaded}, null"), good, missing)
    text.place(missing)
    cg.fail(UnknownPackedFunction, name=name)
    text.place(good)
    text.do(f"store atomic ptr {loaded}, ptr {slot} release, align 8")
    end = text.block
    text.jump(ready)
    text.place(ready)
    return text.value(f"phi ptr [ {cached}, %{before} ], [ {loaded}, %{end} ]")


def _name_constant(cg: Codegen, name: str) -> str:
    """Return a name as a TVMFFIByteArray."""
    module = cg.program.text
    size = len(name.encode())
    return module.constant("key", f"{{ ptr, i64 }} {{ ptr {module.string(name)}, i64 {size} }}", 8)


@call_rule("tvm_stack_make_shape")
def emit_make_shape(cg: Codegen, node: tir.Call) -> str:
    text = cg.text
    slot = text.slot(f"[{max(len(node.args), 1)} x i64], align 8")
    for index, extent in enumerate(node.args):
        place = text.value(f"getelementptr i64, ptr {slot}, i64 {index}")
        text.do(f"store i64 {cg.convert.cast(cg.expr(extent), extent.dtype, INT64)}, ptr {place}, align 8")
    return slot


@call_rule("tvm_stack_make_array")
def emit_make_array(cg: Codegen, node: tir.Call) -> str:
    """Write a DLTensor on the stack: data, shape, strides (or 0), rank, a value of the dtype, offset in elements."""
    text = cg.text
    data, shape, strides, rank, sample, offset = node.args
    if not isinstance(rank, tir.IntImm):
        raise NotSupportedByLLVM(what="an array of a rank that is no constant", span=node.span)
    size = max(sample.dtype.bits * sample.dtype.lanes // 8, 1)
    first = cg.convert.cast(cg.expr(offset), offset.dtype, INT64)
    shape_value = cg.expr(shape)
    strides_value = cg.expr(strides) if strides.dtype.is_handle else _store_compact_strides(cg, shape_value, rank.value)
    start = text.value(f"getelementptr i8, ptr {cg.expr(data)}, i64 {text.value(f'mul i64 {first}, {size}')}")
    return _write_array(cg, start, rank.value, sample.dtype, shape_value, strides_value)


def _write_array(cg: Codegen, data: str, rank: int, dtype: DType, shape: str, strides: str) -> str:
    text = cg.text
    slot = text.slot(f"{abi.DLTENSOR}, align 8")
    fields = [
        ("ptr", data), ("i32", str(cg.program.device_type)),
        ("i32", cg.expr(DEVICE_ID) if cg.program.device_type == abi.CUDA else "0"), ("i32", str(rank)),
        ("i32", str(abi.dlpack_dtype(dtype))), ("ptr", shape), ("ptr", strides),
        ("i64", "0"),
    ]  # fmt: skip
    for index, (kind, operand) in enumerate(fields):
        place = text.value(f"getelementptr {abi.DLTENSOR}, ptr {slot}, i32 0, i32 {index}")
        text.do(f"store {kind} {operand}, ptr {place}")
    return slot


def _write_compact_array(cg: Codegen, data: str, buffer: Buffer) -> str:
    """Write a DLTensor over the memory of a pointer, as a compact array of a buffer's constant shape."""
    extents = [extent.value for extent in buffer.shape if isinstance(extent, tir.IntImm)]
    if buffer.dtype.is_vector:
        extents.append(buffer.dtype.lanes)  # arrays have the lanes as a last dimension
    text, rank = cg.text, len(extents)
    shape = text.slot(f"[{max(rank, 1)} x i64], align 8")
    for axis, extent in enumerate(extents):
        text.do(f"store i64 {extent}, ptr {text.value(f'getelementptr i64, ptr {shape}, i64 {axis}')}, align 8")
    strides = _store_compact_strides(cg, shape, rank)
    return _write_array(cg, data, rank, buffer.dtype.element, shape, strides)


def _store_compact_strides(cg: Codegen, shape: str, rank: int) -> str:
    """Strides of a compact array; receivers of tvm-ffi expect them to be there."""
    text = cg.text
    slot = text.slot(f"[{max(rank, 1)} x i64], align 8")
    size = "1"
    for axis in reversed(range(rank)):
        text.do(f"store i64 {size}, ptr {text.value(f'getelementptr i64, ptr {slot}, i64 {axis}')}, align 8")
        extent = text.value(f"load i64, ptr {text.value(f'getelementptr i64, ptr {shape}, i64 {axis}')}, align 8")
        size = text.value(f"mul i64 {size}, {extent}")
    return slot


@call_rule(GlobalVar)
def emit_function_call(cg: Codegen, node: tir.Call) -> str:
    """Write a call of a function of the module: directly, or through its checked form where it takes buffers."""
    name = node.op.name_hint if isinstance(node.op, GlobalVar) else None
    callee = cg.program.functions.get(name) if name is not None else None
    if callee is None or name is None:
        raise NotSupportedByLLVM(what=f"a call of {name or node.op}, which is not in the module", span=node.span)
    cg.program.compile(name)
    func = callee.func
    if func.buffer_map and callee.is_compiled:
        values = match_arguments(func, node)
        if values is not None:
            return _call_kernel(cg, callee, values, node.dtype)
    if func.buffer_map or is_packed(func):
        cg.program.called.add(name)
        buffers = [func.buffer_map.get(param) for param in func.params]
        return _call_with_array(cg, f"{cg.program.checked[name]}(ptr null", list(node.args), node.dtype, buffers)
    return _call_directly(cg, callee, node)


def _call_directly(cg: Codegen, callee: Callee, node: tir.Call) -> str:
    func = callee.func
    if len(func.params) != len(node.args):
        given, taken = len(node.args), len(func.params)
        cg.refuse(f"a call with {given} arguments of a function that takes {taken}", node)
    for param, arg in zip(func.params, node.args, strict=True):
        if param.dtype.is_integer and not arg.dtype.is_integer:
            cg.refuse(f"a call that gives {arg.dtype} for the {param.dtype} parameter {param.name}", node)
    return _call_kernel(cg, callee, dict(zip(func.params, node.args, strict=True)), node.dtype)


def _emit_operand(cg: Codegen, arg: Expr) -> str:
    """Write an argument of a kernel: of a parameter that stands for an array its memory."""
    operand = cg.expr(arg)
    if arg not in cg.program.arrays:
        return operand
    text = cg.text
    place = text.value(f"getelementptr i8, ptr {operand}, i64 {abi.BYTE_OFFSET}")
    offset = text.value(f"load i64, ptr {place}, align 8")
    return text.value(f"getelementptr i8, ptr {text.value(f'load ptr, ptr {operand}, align 8')}, i64 {offset}")


def _call_kernel(cg: Codegen, callee: Callee, values: Mapping[tir.Var, Expr], dtype: DType) -> str:
    """Call the kernel of a function with the values of its variables."""
    returns = dtype.code != "void"
    slot = cg.text.slot(f"{value_type(dtype)}, align 8") if returns else "null"
    hidden = hidden_variables(callee.func)
    params = callee.params if callee.func.buffer_map else (*callee.func.params, *hidden)
    values = {**dict(zip(hidden, hidden, strict=True)), **values}
    operands = [
        f"{value_type(param.dtype)} {cg.convert.cast(_emit_operand(cg, arg), arg.dtype, param.dtype)}"
        for param, arg in [(param, values[param]) for param in params]
    ]
    cg.check(cg.text.value(f"call i32 {callee.symbol}({', '.join([f'ptr {slot}', *operands])})"))
    return cg.text.value(f"load {value_type(dtype)}, ptr {slot}, align 8") if returns else NOTHING
