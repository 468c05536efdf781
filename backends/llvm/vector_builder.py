"""Builder for arithmetic on LLVM values of any number of lanes, with Python operators.

Bodies of mathematical functions and conversions are written once, for scalars and all vector widths. They are
straight-line code with selects, so that LLVM's loop vectorizer can widen the scalar form, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Final

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.types import float_constant, integer_constant, lanes_suffix, vector_type
from tvmscript.ir.core import DType

#: scalar type -> how it is written in the names of overloaded intrinsics
SUFFIX = {
    "half": "f16",
    "float": "f32",
    "double": "f64",
    "i1": "i1",
    "i8": "i8",
    "i16": "i16",
    "i32": "i32",
    "i64": "i64",
}
#: instructions of AVX-512 that look up numbers in one register or two, and that scale by powers of two
_LOOKUPS = {("float", 16): "llvm.x86.avx512.permvar.sf.512", ("double", 8): "llvm.x86.avx512.vpermi2var.pd.512"}
_SCALINGS = {
    ("float", 16): "llvm.x86.avx512.mask.scalef.ps.512",
    ("double", 8): "llvm.x86.avx512.mask.scalef.pd.512",
}
#: instructions of AVX-512 that split numbers into exponents and mantissas
_EXPONENTS = {
    ("float", 16): "llvm.x86.avx512.mask.getexp.ps.512",
    ("double", 8): "llvm.x86.avx512.mask.getexp.pd.512",
}
_MANTISSAS = {
    ("float", 16): "llvm.x86.avx512.mask.getmant.ps.512",
    ("double", 8): "llvm.x86.avx512.mask.getmant.pd.512",
}
_FLOATS_OF_AVX512: Final = 16
#: mantissas from 3/4 to 3/2, nan for negative numbers
_FROM_3_4: Final = 0b10_11
#: instructions that round float32 to bfloat16, and that say which lanes are nan (0x81) or subnormal (0x20)
_TO_BFLOAT: Final = "llvm.x86.avx512bf16.cvtneps2bf16.512"
_CLASSES: Final = "llvm.x86.avx512.fpclass.ps.512"
_NAN_OR_SUBNORMAL: Final = 0x81 | 0x20
_RSQRT = {("float", 16): "llvm.x86.avx512.rsqrt14.ps.512", ("double", 8): "llvm.x86.avx512.rsqrt14.pd.512"}
_FLOATS = {"half": DType("float16"), "float": DType("float32"), "double": DType("float64")}
_INTEGERS = {f"i{bits}": DType(f"int{bits}") for bits in (8, 16, 32, 64)} | {"i1": DType("bool")}

Operand = Any  # a Value or a Python number


class Value:
    """A value of one scalar type in each lane. Comparisons of floats are false for nan, `ne` excepted."""

    __slots__ = ("lanes", "operand", "type")

    def __init__(self, lanes: Lanes, kind: str, operand: str) -> None:
        self.lanes = lanes
        self.type = kind
        self.operand = operand

    def of(self, number: float) -> Value:
        """Return a constant of the same type and lanes."""
        return self.lanes.of(self.type, number)

    @property
    def is_float(self) -> bool:
        return self.type in _FLOATS

    def _binary(self, floats: str, integers: str, a: Operand, b: Operand) -> Value:
        lanes, kind = self.lanes, self.type
        op = floats if kind in _FLOATS else integers
        left, right = lanes.of(kind, a), lanes.of(kind, b)
        return Value(lanes, kind, lanes.text.value(f"{op} {lanes.full(kind)} {left.operand}, {right.operand}"))

    def __add__(self, other: Operand) -> Value:
        return self._binary("fadd", "add", self, other)

    __radd__ = __add__

    def __sub__(self, other: Operand) -> Value:
        return self._binary("fsub", "sub", self, other)

    def __rsub__(self, other: Operand) -> Value:
        return self._binary("fsub", "sub", other, self)

    def __mul__(self, other: Operand) -> Value:
        return self._binary("fmul", "mul", self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> Value:
        return self._binary("fdiv", "udiv", self, other)

    def remainder(self, other: Operand) -> Value:
        """Return the C library's fmod, lane by lane."""
        return self._binary("frem", "", self, other)

    def __rtruediv__(self, other: Operand) -> Value:
        return self._binary("fdiv", "udiv", other, self)

    def __and__(self, other: Operand) -> Value:
        return self._binary("and", "and", self, other)

    def __or__(self, other: Operand) -> Value:
        return self._binary("or", "or", self, other)

    def __xor__(self, other: Operand) -> Value:
        return self._binary("xor", "xor", self, other)

    def __lshift__(self, other: Operand) -> Value:
        return self._binary("shl", "shl", self, other)

    def __rshift__(self, other: Operand) -> Value:
        """Return the unsigned shift."""
        return self._binary("lshr", "lshr", self, other)

    def sar(self, other: Operand) -> Value:
        """Return the signed shift."""
        return self._binary("ashr", "ashr", self, other)

    def __neg__(self) -> Value:
        if self.is_float:
            return Value(
                self.lanes, self.type, self.lanes.text.value(f"fneg {self.lanes.full(self.type)} {self.operand}")
            )
        return 0 - self

    def __invert__(self) -> Value:
        return self ^ (True if self.type == "i1" else -1)

    def _compare(self, floats: str, integers: str, other: Operand) -> Value:
        lanes, kind = self.lanes, self.type
        op = f"fcmp {floats}" if kind in _FLOATS else f"icmp {integers}"
        text = f"{op} {lanes.full(kind)} {self.operand}, {lanes.of(kind, other).operand}"
        return Value(lanes, "i1", lanes.text.value(text))

    def __lt__(self, other: Operand) -> Value:
        return self._compare("olt", "slt", other)

    def __le__(self, other: Operand) -> Value:
        return self._compare("ole", "sle", other)

    def __gt__(self, other: Operand) -> Value:
        return self._compare("ogt", "sgt", other)

    def __ge__(self, other: Operand) -> Value:
        return self._compare("oge", "sge", other)

    def below(self, other: Operand) -> Value:
        """Return the unsigned comparison."""
        return self._compare("olt", "ult", other)

    def eq(self, other: Operand) -> Value:
        return self._compare("oeq", "eq", other)

    def ne(self, other: Operand) -> Value:
        return self._compare("une", "ne", other)

    def unordered(self, other: Operand) -> Value:
        """Return where this or the other is nan."""
        return self._compare("uno", "ne", other)

    def is_nan(self) -> Value:
        return self.unordered(self)

    def choose(self, yes: Operand, no: Operand) -> Value:
        """`yes` in lanes where this i1 is true, else `no`; one of them is a Value."""
        lanes = self.lanes
        kind = yes.type if isinstance(yes, Value) else no.type
        a, b = lanes.of(kind, yes), lanes.of(kind, no)
        full = lanes.full(kind)
        return Value(
            lanes,
            kind,
            lanes.text.value(f"select {lanes.full('i1')} {self.operand}, {full} {a.operand}, {full} {b.operand}"),
        )

    def _convert(self, op: str, kind: str) -> Value:
        if kind == self.type:
            return self
        lanes = self.lanes
        text = f"{op} {lanes.full(self.type)} {self.operand} to {lanes.full(kind)}"
        return Value(lanes, kind, lanes.text.value(text))

    def bits(self) -> Value:
        """Return the bit pattern of a float as an integer."""
        return self._convert("bitcast", {"half": "i16", "float": "i32", "double": "i64"}[self.type])

    def as_float(self) -> Value:
        """Return the float of a bit pattern."""
        return self._convert("bitcast", {"i16": "half", "i32": "float", "i64": "double"}[self.type])

    def widen(self, kind: str) -> Value:
        """Return a wider float."""
        return self._convert("fpext", kind)

    def narrow(self, kind: str) -> Value:
        """Return a narrower float, rounded to nearest even."""
        return self._convert("fptrunc", kind)

    def zext(self, kind: str) -> Value:
        return self._convert("zext", kind)

    def sext(self, kind: str) -> Value:
        return self._convert("sext", kind)

    def trunc(self, kind: str) -> Value:
        return self._convert("trunc", kind)

    def to_float(self, kind: str) -> Value:
        """Return a signed integer as a float."""
        return self._convert("sitofp", kind)

    def to_integer(self, kind: str, *, is_signed: bool) -> Value:
        """Return a float towards zero; what does not fit has no value."""
        return self._convert("fptosi" if is_signed else "fptoui", kind)

    def abs(self) -> Value:
        return self.lanes.call("llvm.fabs", self)

    def floor(self) -> Value:
        return self.lanes.call("llvm.floor", self)

    def sqrt(self) -> Value:
        return self.lanes.call("llvm.sqrt", self)

    def with_sign_of(self, other: Value) -> Value:
        return self.lanes.call("llvm.copysign", self, other)

    def negated_where(self, mask: Value) -> Value:
        return mask.choose(-self, self)


class Lanes:
    """Makes values of `count` lanes in a function that is being written.

    `has_fma`: the machine multiplies and adds with one rounding; without it, `fma` rounds twice. `has_scaling`:
    instructions multiply vectors by powers of two of any size, and find these. `has_root_estimates`: two fused
    multiply-adds and more take less time than the square root of a vector. `has_bfloat`: an instruction rounds
    float32 to bfloat16.
    """

    def __init__(
        self,
        text: FunctionText,
        count: int,
        *,
        has_fma: bool,
        has_scaling: bool,
        has_root_estimates: bool,
        has_bfloat: bool,
    ) -> None:
        self.text = text
        self.count = count
        self.has_fma = has_fma
        self.has_scaling = has_scaling
        self.has_root_estimates = has_root_estimates
        self.has_bfloat = has_bfloat

    def full(self, kind: str) -> str:
        """Return the LLVM type of `count` lanes of a scalar type."""
        return vector_type(self.count, kind)

    def value(self, kind: str, operand: str) -> Value:
        return Value(self, kind, operand)

    def of(self, kind: str, value: Operand) -> Value:
        """Return a Python number as a constant in all lanes; a Value as it is."""
        if isinstance(value, Value):
            return value
        if kind in _FLOATS:
            return Value(self, kind, float_constant(_FLOATS[kind].with_lanes(self.count), float(value)))
        return Value(self, kind, integer_constant(_INTEGERS[kind].with_lanes(self.count), int(value)))

    def call(self, intrinsic: str, *args: Operand) -> Value:
        """Call an overloaded intrinsic of LLVM on values of one type."""
        kind = next(arg.type for arg in args if isinstance(arg, Value))
        full = self.full(kind)
        suffix = f"{lanes_suffix(self.count)}{SUFFIX[kind]}"
        name = self.text.module.declare(f"{intrinsic}.{suffix}", f"{full} {{}}({', '.join([full] * len(args))})")
        operands = ", ".join(f"{full} {self.of(kind, arg).operand}" for arg in args)
        return Value(self, kind, self.text.pure_value(f"call {full} {name}({operands})"))

    def lookup(self, kind: str, numbers: tuple[float, ...], index: Value) -> Value:
        """Return the number at this place of a constant table; `index` is an i32 within it."""
        module, count = self.text.module, self.count
        table = module.table(kind, tuple(self._constant(kind, number) for number in numbers))
        full, width = self.full(kind), 8 if kind == "double" else 4
        place = f"getelementptr inbounds {kind}, ptr {table}, {self.full('i32')} {index.operand}"
        if count == 1:
            return Value(self, kind, self.text.load_value(f"load {kind}, ptr {self.text.value(place)}, align {width}"))
        flags, pointers, suffix = self.full("i1"), self.full("ptr"), lanes_suffix(count)
        symbol = module.declare(
            f"llvm.masked.gather.{suffix}{SUFFIX[kind]}.{suffix}p0", f"{full} {{}}({pointers}, {flags}, {full})"
        )
        places = f"{pointers} align {width} {self.text.value(place)}"
        return Value(
            self, kind, self.text.pure_value(f"call {full} {symbol}({places}, {flags} splat (i1 true), {full} poison)")
        )

    def looks_up_lanes(self, kind: str) -> bool:
        """Return whether an instruction looks up numbers in registers."""
        return self.has_scaling and (kind, self.count) in _LOOKUPS

    def lookup_lane(self, kind: str, numbers: tuple[float, ...], index: Value) -> Value:
        """Return the number of a table of 16 at the place that the lowest four bits of an integer say."""
        if not self.looks_up_lanes(kind):
            place = index & 15
            return self.lookup(kind, numbers, place if place.type == "i32" else place.trunc("i32"))
        full, places = self.full(kind), self.full(index.type)
        parts = [
            f"{full} <{', '.join([self._constant(kind, number) for number in numbers[start : start + self.count]])}>"
            for start in range(0, len(numbers), self.count)
        ]
        operands = [parts[0], f"{places} {index.operand}", *parts[1:]]
        kinds = [full, places, *[full] * len(parts[1:])]
        symbol = self.text.module.declare(_LOOKUPS[kind, self.count], f"{full} {{}}({', '.join(kinds)})")
        return Value(self, kind, self.text.pure_value(f"call {full} {symbol}({', '.join(operands)})"))

    def estimate_rsqrt(self, x: Value) -> Value | None:
        """Return 1 / sqrt(x) to 14 bits, as Intel's processors do, None where there is no such instruction."""
        name = _RSQRT.get((x.type, self.count)) if self.has_root_estimates else None
        if name is None:
            return None
        full, mask = self.full(x.type), f"i{self.count}"
        symbol = self.text.module.declare(name, f"{full} {{}}({full}, {full}, {mask})")
        operands = f"{full} {x.operand}, {full} zeroinitializer, {mask} -1"
        return Value(self, x.type, self.text.pure_value(f"call {full} {symbol}({operands})"))

    @property
    def rounds_to_bfloat(self) -> bool:
        """Whether an instruction rounds vectors to bfloat16: whole ones, as many as a power of two."""
        return self.has_bfloat and self.count >= _FLOATS_OF_AVX512 and self.count & (self.count - 1) == 0

    def to_bfloat(self, x: Value, exact: Callable[[], Value], rare: Value | None = None) -> Value:
        """Return the bits of bfloat16 nearest to a float32.

        The instruction takes subnormal numbers for 0 and keeps what is in a nan: `exact` computes where there are such
        lanes, or `rare` ones, and where there is no instruction.
        """
        if not self.rounds_to_bfloat:
            return exact()
        module, part = self.text.module, self.of_lanes(_FLOATS_OF_AVX512)
        full, narrow = part.full("float"), part.full("bfloat")
        convert = module.declare(_TO_BFLOAT, f"{narrow} {{}}({full})")
        classify = module.declare(_CLASSES, f"{part.full('i1')} {{}}({full}, i32)")
        near, special = list[Value](), list[Value]()
        for each in self.split(x, part):
            rounded = self.text.pure_value(f"call {narrow} {convert}({full} {each.operand})")
            near.append(part.value("i16", self.text.value(f"bitcast {narrow} {rounded} to {part.full('i16')}")))
            arguments = f"{full} {each.operand}, i32 {_NAN_OR_SUBNORMAL}"
            special.append(part.value("i1", self.text.pure_value(f"call {part.full('i1')} {classify}({arguments})")))
        others = self.join(special) if rare is None else self.join(special) | rare
        (nearest,) = self.unless(others, (self.join(near),), lambda: (exact(),))
        return nearest

    def of_lanes(self, count: int) -> Lanes:
        """Return the maker of values of other lanes in the same function."""
        other = copy(self)
        other.count = count
        return other

    def repeat(self, scalar: Value) -> Value:
        """Return a scalar in all lanes."""
        full = self.full(scalar.type)
        first = self.text.value(f"insertelement {full} poison, {scalar.type} {scalar.operand}, i32 0")
        return self.value(scalar.type, self.shuffle(scalar.type, first, "poison", [0] * self.count))

    def split(self, whole: Value, part: Lanes) -> list[Value]:
        """Return a value in parts of fewer lanes."""
        return [
            part.value(whole.type, self.shuffle(whole.type, whole.operand, "poison", range(start, start + part.count)))
            for start in range(0, self.count, part.count)
        ]

    def join(self, parts: list[Value]) -> Value:
        """Return parts, as many as a power of two, as one value."""
        if len(parts) == 1:
            return self.value(parts[0].type, parts[0].operand)
        half, middle = self.of_lanes(self.count // 2), len(parts) // 2
        low, high = half.join(parts[:middle]), half.join(parts[middle:])
        return self.value(low.type, half.shuffle(low.type, low.operand, high.operand, range(self.count)))

    def shuffle(self, kind: str, a: str, b: str, lanes: Sequence[int]) -> str:
        """Return these lanes of two vectors."""
        full, order = self.full(kind), ", ".join([f"i32 {lane}" for lane in lanes])
        return self.text.value(f"shufflevector {full} {a}, {full} {b}, <{len(lanes)} x i32> <{order}>")

    def split_exponent(self, x: Value) -> tuple[Value, Value] | None:
        """Return k as a float and m from 3/4 to 3/2 of a positive x = 2 ** k * m, None where no instruction does.

        Of 0 and infinity k is an infinity and m is 1 or -1; m is nan where x is negative or nan.
        """
        key = x.type, self.count
        if not self.has_scaling or key not in _EXPONENTS:
            return None
        full, mask = self.full(x.type), f"i{self.count}"
        exponent = self.text.module.declare(_EXPONENTS[key], f"{full} {{}}({full}, {full}, {mask}, i32)")
        mantissa = self.text.module.declare(_MANTISSAS[key], f"{full} {{}}({full}, i32, {full}, {mask}, i32)")
        # all lanes, rounded as the processor is set up to
        rest = f"{full} zeroinitializer, {mask} -1, i32 4"

        def exponent_of(value: Value) -> Value:
            text = f"call {full} {exponent}({full} {value.operand}, {rest})"
            return Value(self, x.type, self.text.pure_value(text))

        text = f"call {full} {mantissa}({full} {x.operand}, i32 {_FROM_3_4}, {rest})"
        m = Value(self, x.type, self.text.pure_value(text))
        return exponent_of(x) - exponent_of(m), m

    @staticmethod
    def _constant(kind: str, number: float) -> str:
        return f"{kind} {float_constant(_FLOATS[kind], number)}"

    def unless(
        self, rare: Value, usual: tuple[Value, ...], other: Callable[[], tuple[Value, ...]]
    ) -> tuple[Value, ...]:
        """Return the usual values, or those of a branch that is taken where a lane of the mask is set.

        The branch computes the values of all lanes. A scalar has a select instead: loops over it become vectors.
        """
        if self.count == 1:
            return tuple(rare.choose(b, a) for a, b in zip(usual, other(), strict=True))
        text, flags = self.text, f"{self.full('i1')} {rare.operand}"
        symbol = text.module.declare(f"llvm.vector.reduce.or.v{self.count}i1", f"i1 {{}}({self.full('i1')})")
        flag = text.pure_value(f"call i1 {symbol}({flags})")
        before, far, done = text.block, text.label("rare"), text.label("done")
        text.branch_likely(text.value(f"xor i1 {flag}, true"), done, far)
        text.place(far)
        computed = other()
        after = text.block
        text.jump(done)
        text.place(done)
        return tuple(
            Value(
                self, a.type, text.value(f"phi {self.full(a.type)} [{a.operand}, %{before}], [{b.operand}, %{after}]")
            )
            for a, b in zip(usual, computed, strict=True)
        )

    def fma(self, a: Operand, b: Operand, c: Operand) -> Value:
        """a * b + c, rounded once where the machine can."""
        if self.has_fma:
            return self.call("llvm.fma", a, b, c)
        total: Value = a * b + c
        return total

    def two_product(self, a: Value, b: Operand) -> tuple[Value, Value]:
        """a * b as the sum of a rounded product and its exact error (Dekker 1971; by one fma where there is one)."""
        b = self.of(a.type, b)
        product = a * b
        if self.has_fma:
            return product, self.call("llvm.fma", a, b, -product)
        (a_high, a_low), (b_high, b_low) = self._split(a), self._split(b)
        error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
        return product, error

    def _split(self, a: Value) -> tuple[Value, Value]:
        scaled = a * (134217729.0 if a.type == "double" else 4097.0)
        high = scaled - (scaled - a)
        return high, a - high

    def two_sum(self, a: Value, b: Operand) -> tuple[Value, Value]:
        """a + b as the sum of a rounded sum and its exact error (Knuth, TAOCP 4.2.2)."""
        total = a + b
        back = total - a
        return total, (a - (total - back)) + (b - back)

    def fast_two_sum(self, a: Operand, b: Operand) -> tuple[Value, Value]:
        """As `two_sum` where |a| >= |b| (Dekker 1971)."""
        total: Value = a + b
        return total, b - (total - a)

    def horner(self, x: Value, coefficients: tuple[float, ...]) -> Value:
        """Return the polynomial with these coefficients, the one of the highest power first."""
        total = self.of(x.type, coefficients[0])
        for coefficient in coefficients[1:]:
            total = self.fma(total, x, coefficient)
        return total

    def odd_series(self, x: Value, coefficients: tuple[float, ...]) -> Value:
        """x + x ** 3 * p(x ** 2)."""
        square = x * x
        return self.fma(x * square, self.horner(square, coefficients), x)

    def nearest(self, x: Value) -> tuple[Value, Value]:
        """Return the nearest integer as float and integer, for |x| below 2 ** 51 (float64) or 2 ** 22 (float32).

        Adding 1.5 * 2 ** 52 (or 23) leaves the integer in the low bits; rounding is to nearest even.
        """
        anchor = self.of(x.type, 6755399441055744.0 if x.type == "double" else 12582912.0)
        shifted = x + anchor
        return shifted - anchor, shifted.bits() - anchor.bits()

    def scale(self, value: Value, exponent: Value) -> Value:
        """value * 2 ** exponent for exponents of up to twice the range, rounded once."""
        if self.has_scaling and self.count > 1:
            full, counts = self.full(value.type), self.full(exponent.type)
            suffix = lanes_suffix(self.count)
            symbol = self.text.module.declare(
                f"llvm.ldexp.{suffix}{SUFFIX[value.type]}.{suffix}{exponent.type}", f"{full} {{}}({full}, {counts})"
            )
            text = f"call {full} {symbol}({full} {value.operand}, {counts} {exponent.operand})"
            return Value(self, value.type, self.text.pure_value(text))
        half = exponent.sar(1)
        return value * self.power_of_two(value.type, half) * self.power_of_two(value.type, exponent - half)

    def scale_by_floor(self, value: Value, exponent: Value) -> Value | None:
        """value * 2 ** floor(exponent) for a float exponent, rounded once; None where there is no such instruction."""
        kind, name = value.type, _SCALINGS.get((value.type, self.count)) if self.has_scaling else None
        if name is None:
            return None
        full, mask = self.full(kind), f"i{self.count}"
        symbol = self.text.module.declare(name, f"{full} {{}}({full}, {full}, {full}, {mask}, i32)")
        operands = ", ".join(f"{full} {operand}" for operand in (value.operand, exponent.operand, "zeroinitializer"))
        # all lanes, rounded as the processor is set up to
        return Value(self, kind, self.text.pure_value(f"call {full} {symbol}({operands}, {mask} -1, i32 4)"))

    def power_of_two(self, kind: str, exponent: Value) -> Value:
        """2 ** exponent for an integer exponent in the range of normal numbers."""
        bias, shift, integer = (1023, 52, "i64") if kind == "double" else (127, 23, "i32")
        wide = exponent if exponent.type == integer else exponent.sext(integer)
        return ((wide + bias) << shift).as_float()
