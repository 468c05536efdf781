"""Calls: intrinsics by their reference functions or own rules, and other functions of the module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

from tvmscript.backends.interp.accesses import element_place, ready
from tvmscript.backends.interp.compiler import Code, Compiler, Frame, rule
from tvmscript.backends.interp.layout import Layout, strided_of
from tvmscript.backends.interp.libcall_names import intrinsic_of_libcall
from tvmscript.backends.interp.libm import reference_of_extern
from tvmscript.backends.interp.memory import Pointer, allocate, codec
from tvmscript.backends.interp.scalars import caster, finisher, from_bits, to_bits, wrapper
from tvmscript.backends.runtime.errors import ShiftOutOfRange, Unsupported
from tvmscript.ir.core import FLOAT64, DType, GlobalVar, Op
from tvmscript.ir.tir import BufferLoad, Call, Expr, StringImm
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic


class Returned(Exception):
    """Signal that carries the value of `T.ret` out of the function."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class ArrayStruct(NamedTuple):
    """Result of `tvm_stack_make_array`, an array argument of another function; strides None: contiguous."""

    pointer: Pointer
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    dtype: DType
    elem_offset: int


#: calls that the interpreter executes where the name is that of a kernel of the module
_CALLS_BY_NAME = ("tir.tvm_call_packed",)
#: operator name -> function (compiler, call) -> code
SPECIAL: dict[str, Callable[[Compiler, Call], Code]] = {}


def _special(*names: str) -> Callable[[Callable[[Compiler, Call], Code]], Callable[[Compiler, Call], Code]]:
    def register(function: Callable[[Compiler, Call], Code]) -> Callable[[Compiler, Call], Code]:
        for name in names:
            SPECIAL[f"tir.{name}"] = function
        return function

    return register


@rule(Call)
def call(compiler: Compiler, node: Call) -> Code:
    op = node.op
    if isinstance(op, GlobalVar):
        return _call_function(compiler, node, op)
    if isinstance(op, Op):
        special = SPECIAL.get(op.name)
        if special is not None:
            return special(compiler, node)
        if isinstance(op, Intrinsic) and node.args:
            reference = op.lane(node.args[0].dtype)
            if reference is not None:
                return _by_reference(compiler, node, node.args, reference)
    return unavailable(node)


def is_available(node: Call) -> bool:
    """Return whether a call is of a function of the module, or of an operator that the interpreter knows.

    Other calls reach code outside of the program, or memory that is none of its buffers. Packed calls are among them:
    the runtime may have another function of a name.
    """
    op = node.op
    if isinstance(op, GlobalVar):
        return True
    if not isinstance(op, Op):
        return False
    rule = SPECIAL.get(op.name)
    if op.name in _CALLS_BY_NAME:
        return False
    if rule is foreign:
        return intrinsic_of_libcall(node) is not None or reference_of_extern(node) is not None
    if rule is extern:
        return reference_of_extern(node) is not None
    if rule is reinterpret:
        return not (node.dtype.is_handle or node.args[0].dtype.is_handle)
    if rule is not None:
        return True
    return isinstance(op, Intrinsic) and bool(node.args) and op.lane(node.args[0].dtype) is not None


def unavailable(node: Call) -> Code:
    """Return code that raises `Unsupported` when it is executed."""
    what, span = callee_text(node), node.span

    def fail(frame: Frame) -> NoReturn:
        raise Unsupported(what=what, where="the interpreter", span=span)

    return fail


def callee_text(node: Call) -> str:
    """Return the callee as the script writes it: `T.call_extern("sinf")`."""
    op = node.op
    name = op.script_name if isinstance(op, Intrinsic) and op.script_name else getattr(op, "name", repr(op))
    first = node.args[0] if node.args else None
    return f'T.{name}("{first.value}")' if isinstance(first, StringImm) else f"T.{name}"


def _by_reference(compiler: Compiler, node: Call, args: Sequence[Expr], reference: Callable[..., Any]) -> Code:
    """Apply the reference function to each lane and reduce its value to the result's dtype."""
    element = node.dtype.element
    finish = bool if element.is_bool else _integer_finisher(element) if element.is_integer else finisher(element)
    codes = [compiler.code(arg) for arg in args]
    if node.dtype.lanes != 1:
        return _lanes_by_reference(codes, [arg.dtype.lanes for arg in args], node.dtype.lanes, reference, finish)
    if len(codes) == 1:
        (only,) = codes
        if finish is None:
            return lambda frame: reference(only(frame))
        done = finish
        return lambda frame: done(reference(only(frame)))
    keep = finish or (lambda value: value)
    if len(codes) == 2:
        first, second = codes
        return lambda frame: keep(reference(first(frame), second(frame)))
    return lambda frame: keep(reference(*[code(frame) for code in codes]))


def _integer_finisher(dtype: DType) -> Callable[[Any], int]:
    """Return a function that reduces a reference's value to an integer dtype; floats (exp of an int32) are cast."""
    wrap, convert = wrapper(dtype), caster(FLOAT64, dtype)
    return lambda value: convert(value) if isinstance(value, float) else wrap(value)


def _lanes_by_reference(
    codes: list[Code], counts: list[int], lanes: int, reference: Callable[..., Any], finish: Callable[[Any], Any] | None
) -> Code:
    keep = finish or (lambda value: value)

    def vector(frame: Frame) -> tuple[Any, ...]:
        columns = [
            code(frame) if count != 1 else (code(frame),) * lanes for code, count in zip(codes, counts, strict=True)
        ]
        return tuple([keep(reference(*row)) for row in zip(*columns, strict=True)])

    return vector


@_special("call_pure_extern", "call_llvm_intrin", "call_llvm_pure_intrin")
def foreign(compiler: Compiler, node: Call) -> Code:
    """Call a function of C, CUDA or LLVM that computes an intrinsic."""
    intrinsic = intrinsic_of_libcall(node)
    return extern(compiler, node) if intrinsic is None else call(compiler, intrinsic)


@_special("call_extern")
def extern(compiler: Compiler, node: Call) -> Code:
    """Call a function of C's math.h; other C functions are unavailable."""
    reference = reference_of_extern(node)
    return unavailable(node) if reference is None else _by_reference(compiler, node, node.args[1:], reference)


@_special("if_then_else")
def if_then_else(compiler: Compiler, node: Call) -> Code:
    condition, chosen, other = [compiler.code(arg) for arg in node.args]
    return lambda frame: chosen(frame) if condition(frame) else other(frame)


@_special("ret", "thread_return")
def ret(compiler: Compiler, node: Call) -> Code:
    """Leave the function, or in device code this thread of it."""
    value = compiler.code(node.args[0]) if node.args else lambda frame: 0

    def leave(frame: Frame) -> NoReturn:
        raise Returned(value(frame))

    return leave


@_special("shift_left", "shift_right")
def shift(compiler: Compiler, node: Call) -> Code:
    """Shift. Raises `ShiftOutOfRange` for amounts on which hardware differs."""
    element, span = node.args[0].dtype.element, node.span
    assert isinstance(node.op, Intrinsic)
    reference, name, bits = node.op.reference, f"T.{node.op.script_name}", element.bits
    finish = finisher(element)
    assert reference is not None
    assert finish is not None
    shifted, reduce = reference, finish

    def one(value: int, amount: int) -> int:
        if not 0 <= amount < bits:
            raise ShiftOutOfRange(operator=name, amount=amount, dtype=element, bits=bits, span=span)
        result: int = reduce(shifted(value, amount))
        return result

    a, b = [compiler.code(arg) for arg in node.args]
    if node.dtype.lanes != 1:
        return lambda frame: tuple(map(one, a(frame), b(frame)))
    return lambda frame: one(a(frame), b(frame))


@_special("reinterpret")
def reinterpret(compiler: Compiler, node: Call) -> Code:
    source, target = node.args[0].dtype, node.dtype
    if source.is_handle or target.is_handle:
        return unavailable(node)
    value = compiler.code(node.args[0])
    bits_of, lane_of = to_bits(source.element), from_bits(target.element)
    width, target_width = source.bits, target.bits
    mask = (1 << target_width) - 1

    def convert(frame: Frame) -> object:
        given = value(frame)
        lanes = given if source.lanes != 1 else (given,)
        whole = sum(bits_of(lane) << (width * k) for k, lane in enumerate(lanes))
        result = tuple([lane_of(whole >> (target_width * k) & mask) for k in range(target.lanes)])
        return result if target.lanes != 1 else result[0]

    return convert


@_special("vectorlow", "vectorhigh")
def half(compiler: Compiler, node: Call) -> Code:
    value = compiler.code(node.args[0])
    lanes = node.dtype.lanes
    assert isinstance(node.op, Intrinsic)
    start = 0 if node.op.name == "tir.vectorlow" else node.args[0].dtype.lanes - lanes
    if lanes == 1:
        return lambda frame: value(frame)[start]
    return lambda frame: value(frame)[start : start + lanes]


@_special("vectorcombine")
def combine(compiler: Compiler, node: Call) -> Code:
    operands = [(compiler.code(arg), arg.dtype.lanes) for arg in node.args]
    return lambda frame: tuple(
        [lane for code, lanes in operands for lane in (code(frame) if lanes != 1 else (code(frame),))]
    )


@_special("get_active_lane_mask")
def active_lanes(compiler: Compiler, node: Call) -> Code:
    base, limit = [compiler.code(arg) for arg in node.args]
    lanes = range(node.dtype.lanes)

    def mask(frame: Frame) -> tuple[bool, ...]:
        left = limit(frame) - base(frame)
        return tuple([lane < left for lane in lanes])

    return mask


@_special("undef")
def undef(compiler: Compiler, node: Call) -> Code:
    """Return a value with all bits set, as in memory before the first write."""
    lane = from_bits(node.dtype.element)((1 << node.dtype.bits) - 1)
    value = lane if node.dtype.lanes == 1 else (lane,) * node.dtype.lanes
    return lambda frame: value


@_special("assume", "start_profile_intrinsic", "end_profile_intrinsic", "prefetch")
def no_effect(compiler: Compiler, node: Call) -> Code:
    """Do nothing; the value of a call is 1."""
    return lambda frame: 1


@_special("type_annotation")
def type_annotation(compiler: Compiler, node: Call) -> Code:
    dtype = node.dtype
    return lambda frame: dtype


@_special("isnullptr")
def isnullptr(compiler: Compiler, node: Call) -> Code:
    value = compiler.code(node.args[0])
    return lambda frame: value(frame) is None


@_special("address_of")
def address_of(compiler: Compiler, node: Call) -> Code:
    load = node.args[0]
    if not isinstance(load, BufferLoad) or load.dtype.lanes != load.buffer.dtype.lanes:
        return unavailable(node)
    return element_address(compiler, load)


def element_address(compiler: Compiler, load: BufferLoad) -> Code:
    """Return code for the address of an element."""
    buffer = load.buffer
    place = element_place(compiler, buffer, load.indices, "taking the address of", load.span)
    slot, item = compiler.slot(buffer.data), codec(buffer.dtype.element).size
    bound = strided_of(compiler, buffer)
    plain = Layout(compiler, buffer).plain is not None

    def address(frame: Frame) -> Pointer:
        memory, offset = frame[slot]
        first = place(frame) + (bound(frame).base if plain else 0)
        return Pointer(memory, offset % item + first * item)

    return ready(compiler, buffer, address)


@_special("tvm_access_ptr")
def access_ptr(compiler: Compiler, node: Call) -> Code:
    kind, data, offset = node.args[:3]
    dtype = DType(kind.value) if isinstance(kind, StringImm) else kind.dtype
    size = codec(dtype.element).size * dtype.lanes
    pointer, elements = compiler.code(data), compiler.code(offset)

    def address(frame: Frame) -> Pointer:
        memory, start = pointer(frame)
        return Pointer(memory, start + elements(frame) * size)

    return address


@_special("tvm_stack_make_shape", "tvm_tuple")
def make_shape(compiler: Compiler, node: Call) -> Code:
    codes = [compiler.code(arg) for arg in node.args]
    return lambda frame: tuple([code(frame) for code in codes])


@_special("tvm_stack_make_array")
def make_array(compiler: Compiler, node: Call) -> Code:
    data, shape, strides, _, sample, offset = node.args
    codes = [compiler.code(arg) for arg in (data, shape, strides, offset)]
    dtype = sample.dtype

    def array(frame: Frame) -> ArrayStruct:
        pointer, extents, steps, start = [code(frame) for code in codes]
        return ArrayStruct(pointer, extents, steps if isinstance(steps, tuple) else None, dtype, start)

    return array


@_special("TVMBackendAllocWorkspace")
def workspace(compiler: Compiler, node: Call) -> Code:
    size = compiler.code(node.args[2])
    return lambda frame: Pointer(allocate(size(frame), "workspace"))


@_special("TVMBackendFreeWorkspace")
def free_workspace(compiler: Compiler, node: Call) -> Code:
    return lambda frame: 0


def _call_function(compiler: Compiler, node: Call, name: GlobalVar) -> Code:
    """Call another function of the module: scalars as they are, arrays as `ArrayStruct`."""
    codes = [compiler.code(arg) for arg in node.args]
    enter = compiler.linker.link(name)
    return lambda frame: enter(tuple([code(frame) for code in codes]))
