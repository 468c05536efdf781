"""Conversions between dtypes, lane by lane."""

from __future__ import annotations

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen.small_floats import decode, encode, narrow_to_odd
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.types import is_encoded, lanes_suffix, value_type
from tvmscript.backends.llvm.vector_builder import Lanes, Value
from tvmscript.ir.core import FLOAT32, FLOAT64, INT32, INT64, DType

#: Integers of up to this many bits are exact in float32.
_EXACT_IN_FLOAT = 24
#: Bits of integers that arithmetic has instructions for.
_BITS = (8, 16, 32, 64)
#: Bits of the significands of floats.
_MANTISSAS = {"float": 24, "double": 53}


class Converter:
    """Writes conversions into a function."""

    def __init__(self, program: Program, text: FunctionText) -> None:
        self.program = program
        self.text = text

    def cast(self, operand: str, source: DType, target: DType) -> str:
        """Convert an operand: integers wrap, floats round to nearest even, floats to integers towards zero."""
        if source is target:
            return operand
        if source.is_handle or target.is_handle:
            return self._pointer(operand, source, target)
        if source.is_integer:
            if target.is_integer:
                return self._integer(operand, source, target)
            return self._from_integer(operand, source, target)
        if target.is_bool:
            return self._to_bool(operand, source)
        if is_encoded(source):
            return self.cast(self.decode(operand, source), FLOAT32.with_lanes(source.lanes), target)
        if target.is_integer:
            return self._to_integer(operand, source, target)
        return self._float(operand, source, target)

    def decode(self, operand: str, dtype: DType) -> str:
        """Return the float32 of an encoded float."""
        name = f"decode.{dtype.element}"
        kind = value_type(dtype.element)
        return self.program.call(
            self.text, name, lambda lanes, x: decode(lanes, x, dtype), dtype.lanes, [(kind, operand)]
        ).operand

    def encode(self, operand: str, dtype: DType) -> str:
        """Return the encoded float of a float32."""
        name = f"encode.{dtype.element}"
        return self.program.call(
            self.text, name, lambda lanes, x: encode(lanes, x, dtype), dtype.lanes, [("float", operand)]
        ).operand

    def _convert(self, op: str, operand: str, source: DType, target: DType) -> str:
        return self.text.value(f"{op} {value_type(source)} {operand} to {value_type(target)}")

    def _pointer(self, operand: str, source: DType, target: DType) -> str:
        if source.is_integer:
            wide = self.cast(operand, source, INT64.with_lanes(source.lanes))
            return self._convert("inttoptr", wide, INT64.with_lanes(source.lanes), target)
        if target.is_integer:
            wide_type = INT64.with_lanes(source.lanes)
            return self.cast(self._convert("ptrtoint", operand, source, wide_type), wide_type, target)
        raise NotSupportedByLLVM(what=f"a cast from {source} to {target}")

    def _integer(self, operand: str, source: DType, target: DType) -> str:
        if target.is_bool:
            zero = "0" if source.lanes == 1 else "zeroinitializer"
            return self.text.value(f"icmp ne {value_type(source)} {operand}, {zero}")
        if target.bits == source.bits:
            return operand
        if target.bits < source.bits:
            return self._convert("trunc", operand, source, target)
        return self._convert("sext" if source.is_signed else "zext", operand, source, target)

    def _to_bool(self, operand: str, source: DType) -> str:
        if is_encoded(source):
            operand, source = self.decode(operand, source), FLOAT32.with_lanes(source.lanes)
        zero = "0.0" if source.lanes == 1 else "zeroinitializer"
        return self.text.value(f"fcmp une {value_type(source)} {operand}, {zero}")

    def _from_integer(self, operand: str, source: DType, target: DType) -> str:
        op = "sitofp" if source.is_signed else "uitofp"
        if target.code == "float" and target.bits >= 32:
            return self._convert(op, operand, source, target)
        exact = FLOAT32 if source.bits <= _EXACT_IN_FLOAT else FLOAT64
        if source.bits > 53:
            operand, source = self._sticky(operand, source), DType(f"{source.code}64").with_lanes(source.lanes)
        middle = exact.with_lanes(source.lanes)
        return self._float(self._convert(op, operand, source, middle), middle, target)

    def _sticky(self, operand: str, dtype: DType) -> str:
        """Round an integer to odd, so that a double holds it and it rounds to narrow floats as before."""
        body = sticky_signed if dtype.is_signed else sticky_unsigned
        wide = self.cast(operand, dtype, DType(f"{dtype.code}64").with_lanes(dtype.lanes))
        lanes = self.program.call(self.text, body.__name__, body, dtype.lanes, [("i64", wide)])
        return lanes.operand

    def _to_integer(self, operand: str, source: DType, target: DType) -> str:
        """Towards zero; what does not fit becomes the nearest number that does, nan becomes 0."""
        if source.bits < FLOAT32.bits:
            # LLVM 22 makes nan of half the smallest int16 where the processor has AVX512-FP16.
            middle = FLOAT32.with_lanes(source.lanes)
            operand, source = self._convert("fpext", operand, source, middle), middle
        if target.bits in _BITS and self.program.target.has_feature("avx2"):
            return self._saturated(operand, source, target)
        name = "llvm.fptosi.sat" if target.is_signed else "llvm.fptoui.sat"
        result, given = value_type(target), value_type(source)
        lanes = lanes_suffix(target.lanes)
        symbol = self.text.module.declare(
            f"{name}.{lanes}i{target.bits}.{lanes}f{source.bits}", f"{result} {{}}({given})"
        )
        return self.text.pure_value(f"call {result} {symbol}({given} {operand})")

    def _saturated(self, operand: str, source: DType, target: DType) -> str:
        """Convert as LLVM's intrinsics do, of which x86 has no vectors: vectors of conversions and selects."""
        name, kind = f"saturate.{target.element}.{source.element}", value_type(source.element)
        return self.program.call(
            self.text, name, lambda lanes, x: saturate(x, target.element), source.lanes, [(kind, operand)]
        ).operand

    def _float(self, operand: str, source: DType, target: DType) -> str:
        if source is target:
            return operand
        if source.bits == 64 and target.bits < 32:
            operand = self._odd(operand, source.lanes)
            source = FLOAT32.with_lanes(source.lanes)
        if is_encoded(target):
            wide = FLOAT32.with_lanes(source.lanes)
            return self.encode(self._float(operand, source, wide), target)
        if source.bits == target.bits:
            return operand
        return self._convert("fptrunc" if target.bits < source.bits else "fpext", operand, source, target)

    def _odd(self, operand: str, lanes: int) -> str:
        return self.program.call(self.text, "narrow.odd", narrow_to_odd, lanes, [("double", operand)]).operand


def saturate(number: Value, dtype: DType) -> Value:
    """Convert a float towards zero to the nearest integer of a dtype, nan to 0."""
    least, above = dtype.min_value, dtype.max_value + 1
    if dtype.bits <= _MANTISSAS[number.type]:
        # floats hold both limits: two instructions, the first of which makes nan the lower one
        low = (number >= least).choose(number, least)
        inside = (low <= above - 1).choose(low, above - 1)
        wide = dtype if dtype.bits == INT32.bits else INT32
        integer = inside.to_integer(value_type(wide), is_signed=wide.is_signed)
        ordered = number.is_nan().choose(0, integer) if dtype.is_signed else integer
        return ordered if wide is dtype else ordered.trunc(value_type(dtype))
    integer = number.to_integer(value_type(dtype), is_signed=dtype.is_signed)
    if not dtype.is_signed:
        return (number >= above).choose(above - 1, (number > 0).choose(integer, 0))
    ordered = (number >= above).choose(above - 1, (number >= least).choose(integer, least))
    return number.is_nan().choose(0, ordered)


def sticky_signed(lanes: Lanes, value: Value) -> Value:
    size = (value < 0).choose(-value, value)
    return size.below(1 << 53).choose(value, _odd(value))


def sticky_unsigned(lanes: Lanes, value: Value) -> Value:
    return value.below(1 << 53).choose(value, _odd(value))


def _odd(value: Value) -> Value:
    """Merge the bits below the 53rd into one sticky bit, in two's complement."""
    dropped = (value & 0x7FF).ne(0).choose(value.of(0x800), 0)
    return (value & ~0x7FF) | dropped
