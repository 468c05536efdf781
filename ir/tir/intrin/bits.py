"""Integer intrinsics: bitwise operators, shifts, bit counts, fixed-point products, bit casts."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir.core import INT32, DType, Span
from tvmscript.ir.core.errors import ValueOutOfRange, WrongType
from tvmscript.ir.tir.base import OPERATORS, Expr, invert_bits
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, Reference, same_as_first, script_intrinsic, surface
from tvmscript.ir.tir.operators import as_expr, const, match_types


def _binary(name: str, symbol: str, reference: Reference, doc: str, *, shift: bool = False) -> Intrinsic:
    """An operator of two integers, offered in `T` and as Python's operator. Operands are converted to one dtype."""
    entry = Intrinsic(name, "x y", same_as_first, is_exact=True, vectorizable=True, reference=reference, doc=doc)

    def build(x: object, y: object, dtype: object = None, span: Span | None = None) -> Expr:
        # unlike in arithmetic, a Python number has the dtype of the other operand whatever its width
        if isinstance(x, Expr) and isinstance(y, int) and x.dtype.is_integer:
            y = const(y, x.dtype.element, span)
        elif isinstance(y, Expr) and isinstance(x, int) and y.dtype.is_integer:
            x = const(x, y.dtype.element, span)
        x, y = match_types(x, y, symbol, span)
        if not x.dtype.is_integer:
            raise WrongType(where=symbol, expected="integers", got=x.dtype, span=span)
        if shift and isinstance(y, IntImm) and not 0 <= y.value < x.dtype.bits:
            raise ValueOutOfRange(value=y.value, dtype=f"a shift of {x.dtype.bits} bits", span=span)
        return entry(x, y, span=span)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = doc
    surface(name)(build)
    OPERATORS[name].fill(build)
    return entry


bitwise_and = _binary("bitwise_and", "&", lambda x, y: x & y, "Bitwise and.")
bitwise_or = _binary("bitwise_or", "|", lambda x, y: x | y, "Bitwise or.")
bitwise_xor = _binary("bitwise_xor", "^", lambda x, y: x ^ y, "Bitwise exclusive or.")
shift_left = _binary("shift_left", "<<", lambda x, y: x << y, "x * 2 ** y, wrapped around; 0 <= y < bits.", shift=True)
shift_right = _binary(
    "shift_right",
    ">>",
    lambda x, y: x >> y,
    "x / 2 ** y rounded down (arithmetic for signed x); 0 <= y < bits.",
    shift=True,
)


def _complement(dtype: DType) -> Callable[[int], int]:
    """Bitwise complement in the range of the dtype, `not` for bool."""
    if dtype.is_signed:
        return lambda x: ~x
    mask = dtype.max_value
    return lambda x: x ^ mask


bitwise_not_ = Intrinsic(
    "bitwise_not",
    "x",
    same_as_first,
    is_exact=True,
    vectorizable=True,
    typed_reference=_complement,
    doc="Bitwise complement.",
)


@surface("bitwise_not")
def bitwise_not(x: object, dtype: object = None, span: Span | None = None) -> Expr:
    """Bitwise complement of an integer. Raises `WrongType` for floats."""
    x = as_expr(x, None, span)
    if not x.dtype.is_integer:
        raise WrongType(where="~", expected="an integer", got=x.dtype, span=span)
    return bitwise_not_(x, span=span)


invert_bits.fill(bitwise_not)


def _popcount(dtype: DType) -> Callable[[int], int]:
    mask = (1 << dtype.bits) - 1
    return lambda x: (x & mask).bit_count()


def _leading_zeros(dtype: DType) -> Callable[[int], int]:
    bits = dtype.bits
    mask = (1 << bits) - 1
    return lambda x: bits - (x & mask).bit_length()


popcount = script_intrinsic(
    "popcount",
    "x",
    same_as_first,
    vectorizable=True,
    typed_reference=_popcount,
    llvm="llvm.ctpop",
    functions={
        "cuda": {"uint32": "__popc", "uint64": "__popcll"},
        "llvm": {"": "llvm.ctpop"},
        "metal": {"": "popcount"},
        "opencl": {"": "popcount"},
    },
    doc="The number of bits that are set.",
)
ctpop = Intrinsic(
    "ctpop",
    "*args",
    same_as_first,
    script_name="",
    doc="Hexagon's name of popcount, in lowered code.",
)
clz = script_intrinsic(
    "clz",
    "x",
    INT32,
    typed_reference=_leading_zeros,
    llvm="llvm.ctlz",
    doc="The number of leading zero bits; `bits` for 0.",
)


def _multiply_shift(x: int, y: int, q: int, s: int) -> int:
    return _rounded_product(x << max(s, 0), y, q + max(-s, 0))


def _multiply_shift_per_axis(x: int, y: int, left: int, right: int, q: int, has_left: int, has_right: int) -> int:
    return _rounded_product(x << left if has_left else x, y, q + (right if has_right else 0))


def _rounded_product(x: int, y: int, shift: int) -> int:
    return (x * y + (1 << (shift - 1))) >> shift


q_multiply_shift = script_intrinsic(
    "q_multiply_shift",
    "x y q s",
    INT32,
    vectorizable=True,
    reference=_multiply_shift,
    doc="round(x * y * 2 ** (s - q)), halves up: a product of fixed-point numbers, with 64-bit intermediates.",
)
q_multiply_shift_per_axis = script_intrinsic(
    "q_multiply_shift_per_axis",
    "x y ls rs q is_lshift_required is_rshift_required",
    INT32,
    vectorizable=True,
    reference=_multiply_shift_per_axis,
    doc="As q_multiply_shift, with separate left and right shifts.",
)

reinterpret_ = Intrinsic(
    "reinterpret", "value", None, dtype_position="first", doc="The bit pattern as a value of another dtype."
)


@surface("reinterpret")
def reinterpret(*args: object, dtype: object = None, value: object = None, span: Span | None = None) -> Expr:
    """`T.reinterpret(dtype, value)`: the same bits as another dtype. Raises `WrongType` where the sizes differ."""
    operands = [arg for arg in (dtype, *args, value) if arg is not None]
    if len(operands) != 2 or not isinstance(operands[0], str):
        raise WrongType(where="T.reinterpret", expected="a dtype and a value", got=repr(operands), span=span)
    target, operand = DType(operands[0]), as_expr(operands[1], None, span)
    if operand.dtype is target:
        return operand
    if operand.dtype.bits * operand.dtype.lanes != target.bits * target.lanes:
        raise WrongType(where="T.reinterpret", expected=f"as many bits as {target}", got=operand.dtype, span=span)
    return reinterpret_(operand, dtype=target, span=span)


large_uint_imm = script_intrinsic(
    "large_uint_imm",
    "low high",
    DType("uint64"),
    reference=lambda low, high: (high << 32) | low,
    doc="The uint64 constant of two 32-bit halves.",
)
