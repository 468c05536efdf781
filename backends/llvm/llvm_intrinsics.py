"""Signatures of the LLVM intrinsics that programs may call by name.

LLVM ends the process on an intrinsic that it does not know, that the processor does not have, or that only makes sense
in code of its own front ends. So what `T.call_llvm_intrin` names has to be in this table. LLVM's own list:
https://llvm.org/docs/LangRef.html#intrinsic-functions
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from tvmscript.backends.llvm.types import lanes_suffix
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Expr, IntImm

#: signature -> names of the intrinsics that have it, without `llvm.`.
#:
#: F, G: a float of 16, 32 or 64 bits or a vector of them; I, J: an integer or a vector of them; a letter stands for one
#: type. Types in lower case are these: `i1`, `i32x16`. `elem F`: an element of the vector F; `lanes F`: a bool for each
#: lane of F; `p`: a pointer; `vec F`: F has to be a vector; `one I`: I must not be one; `!`: an immediate.
#: The types that letters and p stand for are part of the intrinsic's full name, in the order of their first use.
_SIGNATURES = {
    "F(F)": "sqrt fabs floor ceil trunc rint nearbyint round roundeven canonicalize sin cos tan asin acos atan sinh "
    "cosh tanh exp exp2 exp10 log log2 log10",
    "F(F, F)": "pow copysign minnum maxnum minimum maximum atan2",
    "F(F, F, F)": "fma fmuladd",
    "F(F, one I)": "powi",
    "I(I)": "ctpop bitreverse bswap",
    "I(I, i1!)": "ctlz cttz abs",
    "I(I, I)": "smax smin umax umin sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat",
    "I(I, I, I)": "fshl fshr",
    "one I(one F)": "lrint llrint lround llround",
    "elem I(vec I)": "vector.reduce.add vector.reduce.mul vector.reduce.and vector.reduce.or vector.reduce.xor "
    "vector.reduce.smax vector.reduce.smin vector.reduce.umax vector.reduce.umin",
    "elem F(vec F)": "vector.reduce.fmax vector.reduce.fmin vector.reduce.fmaximum vector.reduce.fminimum",
    "elem F(elem F, vec F)": "vector.reduce.fadd vector.reduce.fmul",
    "I(like F)": "fptosi.sat fptoui.sat",
    "lanes F(F, i32!)": "is.fpclass",
    "void(i1)": "assume",
    "void(p, p, one I, i1!)": "memcpy memmove",
    "void(p, i8, one I, i1!)": "memset",
    "void(p, i32!, i32!, i32!)": "prefetch",
    "i64()": "readcyclecounter",
}
#: name -> signature, and the feature of the processor that it needs
_OF_PROCESSORS = {
    "x86.avx2.pmadd.ub.sw": ("i16x16(i8x32, i8x32)", "avx2"),
    "x86.avx2.pmadd.wd": ("i32x8(i16x16, i16x16)", "avx2"),
    "x86.avx512.pmaddubs.w.512": ("i16x32(i8x64, i8x64)", "avx512bw"),
    "x86.avx512.pmaddw.d.512": ("i32x16(i16x32, i16x32)", "avx512bw"),
    "x86.avx512.vpdpbusd.512": ("i32x16(i32x16, i32x16, i32x16)", "avx512vnni"),
    "x86.avx512.vpdpbusd.256": ("i32x8(i32x8, i32x8, i32x8)", "avxvnni"),
    "x86.avx512.vpdpbusd.128": ("i32x4(i32x4, i32x4, i32x4)", "avxvnni"),
    "x86.avx512bf16.dpbf16ps.512": ("float32x16(float32x16, i32x16, i32x16)", "avx512bf16"),
    # the numbers of tile registers; every function has 8 of 16 rows of 64 bytes (`codegen/tile_registers.py`)
    "x86.tilezero": ("void(i8!)", "amx-tile"),
    "x86.tileloadd64": ("void(i8!, p, i64)", "amx-tile"),
    "x86.tilestored64": ("void(i8!, p, i64)", "amx-tile"),
    "x86.tdpbf16ps": ("void(i8!, i8!, i8!)", "amx-bf16"),
    "x86.tdpbssd": ("void(i8!, i8!, i8!)", "amx-int8"),
    "x86.tdpbsud": ("void(i8!, i8!, i8!)", "amx-int8"),
    "x86.tdpbusd": ("void(i8!, i8!, i8!)", "amx-int8"),
    "x86.tdpbuud": ("void(i8!, i8!, i8!)", "amx-int8"),
    "aarch64.neon.sdot": ("i32x4(i32x4, i8x16, i8x16)", "dotprod"),
    "aarch64.neon.udot": ("i32x4(i32x4, i8x16, i8x16)", "dotprod"),
    "aarch64.neon.smull": ("i16x8(i8x8, i8x8)", "neon"),
    "aarch64.neon.umull": ("i16x8(i8x8, i8x8)", "neon"),
    "aarch64.neon.saddlp": ("i32x4(i16x8)", "neon"),
    "aarch64.neon.uaddlp": ("i32x4(i16x8)", "neon"),
    "aarch64.neon.addp": ("i32x4(i32x4, i32x4)", "neon"),
}
#: What fills the names of intrinsics of one machine whose types LLVM takes for overloads.
_FULL_NAMES = {
    "aarch64.neon.sdot": "v4i32.v16i8",
    "aarch64.neon.udot": "v4i32.v16i8",
    "aarch64.neon.smull": "v8i16",
    "aarch64.neon.umull": "v8i16",
    "aarch64.neon.saddlp": "v4i32.v8i16",
    "aarch64.neon.uaddlp": "v4i32.v8i16",
    "aarch64.neon.addp": "v4i32",
}
#: tile registers of AMX
TILES: Final = 8
#: names that LLVM has for vectors of float16 on x86 only with a feature of the processor
VECTORS_OF_HALF_ON_X86 = {"llvm.canonicalize": "avx512fp16"}
#: C functions that LLVM calls where the processor has no such instruction, without `f` for float32
_LIBRARY = frozenset((
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "exp10", "log", "log2", "log10",
    "pow", "atan2", "fma", "fmin", "fmax", "round", "roundeven", "rint", "nearbyint", "floor", "ceil", "trunc", "lrint",
    "llrint", "lround", "llround",
))  # fmt: skip
#: bits that the integers of some intrinsics may have
_WIDTHS = {
    "bswap": (16, 32, 64),
    "powi": (32,),
    "memcpy": (32, 64),
    "memmove": (32, 64),
    "memset": (32, 64),
    "lrint": (32, 64),
    "lround": (32, 64),
    "llrint": (64,),
    "llround": (64,),
}


class WrongCall(ValueError):
    """A call that does not have its intrinsic's signature; the text tells what it has to be."""


@dataclass(frozen=True)
class _Type:
    """A type of a signature: a letter or an exact type, what it has to do with the letter, whether an immediate."""

    name: str
    role: str
    is_immediate: bool


@dataclass(frozen=True)
class Signature:
    """Parameter and result types of an intrinsic."""

    name: str
    text: str
    result: _Type
    params: tuple[_Type, ...]
    #: feature of the processor; empty: any processor
    feature: str = ""

    @property
    def library_function(self) -> str:
        """The C function of doubles that LLVM may call instead; empty: none."""
        name = {"minnum": "fmin", "maxnum": "fmax", "fmuladd": "fma", "powi": "pow"}.get(self.name, self.name)
        return name if name in _LIBRARY else ""

    def resolve(self, result: DType, args: Sequence[Expr]) -> str:
        """Return the full name of the intrinsic for a call with these types. Raises `WrongCall`."""
        if len(args) != len(self.params):
            raise WrongCall(f"it takes {len(self.params)} arguments, not {len(args)}")
        bound: dict[str, DType] = {}
        suffixes: list[str] = []
        pairs = [("result", self.result, result)]
        given = zip(self.params, args, strict=True)
        pairs += [(f"argument {number}", param, arg.dtype) for number, (param, arg) in enumerate(given, 1)]
        # letters are bound where they stand alone, so elements and lanes of them are checked afterwards
        for where, kind, dtype in pairs:
            if kind.role in ("", "vec", "one", "like") and kind.name.isupper() and kind.name not in bound:
                bound[kind.name] = self._bind(where, kind, dtype)
                suffixes.append(_mangled(dtype))
            elif kind.name == "p":
                suffixes.append("p0")
        for where, kind, dtype in pairs:
            _check(where, kind, dtype, bound)
        for number, (param, arg) in enumerate(zip(self.params, args, strict=True), 1):
            if param.is_immediate and not isinstance(arg, IntImm):
                raise WrongCall(f"argument {number} has to be a constant")
        self._check_values(args, bound)
        if self.feature:
            suffixes = [_FULL_NAMES[self.name]] if self.name in _FULL_NAMES else []
        return ".".join(["llvm", self.name, *suffixes])

    @property
    def uses_tiles(self) -> bool:
        """Whether it reads or writes tile registers."""
        return self.feature.startswith("amx")

    def _bind(self, where: str, kind: _Type, dtype: DType) -> DType:
        wants_float = kind.name in "FG"
        if wants_float and not (dtype.code == "float" and dtype.bits in (16, 32, 64)):
            raise WrongCall(f"{where} has to be a float of 16, 32 or 64 bits, not {dtype}")
        if not wants_float and not dtype.is_integer:
            raise WrongCall(f"{where} has to be an integer, not {dtype}")
        if dtype.is_scalable:
            raise WrongCall(f"{where} has to have a known number of lanes, not {dtype}")
        if kind.role == "vec" and dtype.lanes == 1:
            raise WrongCall(f"{where} has to be a vector, not {dtype}")
        if kind.role == "one" and dtype.lanes > 1:
            raise WrongCall(f"{where} has to be a scalar, not {dtype}")
        return dtype

    def _check_values(self, args: Sequence[Expr], bound: dict[str, DType]) -> None:
        """Check what LLVM asks for beyond types."""
        widths = _WIDTHS.get(self.name)
        if widths is not None and bound["I"].bits not in widths:
            allowed = " or ".join(map(str, widths))
            raise WrongCall(f"integers have to have {allowed} bits, not {bound['I'].bits}")
        if self.name.endswith((".sat", "fshl", "fshr")) and bound["I"].is_bool:
            raise WrongCall("integers have to have several bits")
        immediates = [arg for param, arg in zip(self.params, args, strict=True) if param.is_immediate]
        numbers = [arg.value for arg in immediates if isinstance(arg, IntImm)] if self.uses_tiles else []
        if any(not 0 <= number < TILES for number in numbers) or len({*numbers}) < len(numbers):
            raise WrongCall(f"the numbers of tile registers are different ones from 0 to {TILES - 1}, not {numbers}")
        limits = {"prefetch": (1, 3, 1), "is.fpclass": (1023,)}.get(self.name)
        if limits is not None:
            given = [arg.value for arg in args if isinstance(arg, IntImm)]
            for value, limit in zip(given[-len(limits) :], limits, strict=True):
                if not 0 <= value <= limit:
                    raise WrongCall(f"{value} is not between 0 and {limit}")
            if self.name == "prefetch" and given[-1] == 0 and (given[-3] == 1 or given[-2] < 2):
                # x86 with PREFETCHI has no instruction for the others, and LLVM ends the process
                raise WrongCall("the instruction cache is prefetched for reading, with locality 2 or 3")


def _check(where: str, kind: _Type, dtype: DType, bound: dict[str, DType]) -> None:
    """Raise `WrongCall` unless a dtype is what the signature has there."""
    if kind.name == "p":
        if not dtype.is_handle:
            raise WrongCall(f"{where} has to be a pointer, not {dtype}")
        return
    if kind.name == "void":
        if dtype.code != "void":
            raise WrongCall(f"the result has to be void, not {dtype}")
        return
    if kind.name.isupper():
        expected = bound[kind.name]
        if kind.role == "elem":
            expected = expected.element
        elif kind.role == "lanes":
            expected = DType("bool").with_lanes(expected.lanes)
        elif kind.role == "like":
            if dtype.lanes != bound["I"].lanes:
                raise WrongCall(f"{where} has to have as many lanes as the result")
            return
    else:
        expected = DType(kind.name.replace("i", "int", 1))
    if _machine_type(dtype) != _machine_type(expected):
        raise WrongCall(f"{where} has to be {expected}, not {dtype}")


def _machine_type(dtype: DType) -> tuple[bool, str, int, int]:
    """Return what LLVM knows of a dtype: integers have no sign there."""
    return dtype.is_integer, "" if dtype.is_integer else dtype.code, dtype.bits, dtype.lanes


def _mangled(dtype: DType) -> str:
    lanes = lanes_suffix(dtype.lanes)
    return f"{lanes}{'i' if dtype.is_integer else 'f'}{dtype.bits}"


@cache
def signatures() -> dict[str, Signature]:
    """Return the signatures of all intrinsics that are known, by their names with `llvm.`."""
    texts = [(name, text, "") for text, names in _SIGNATURES.items() for name in names.split()]
    texts += [(name, text, feature) for name, (text, feature) in _OF_PROCESSORS.items()]
    return {f"llvm.{name}": _parse(name, text, feature) for name, text, feature in texts}


def _parse(name: str, text: str, feature: str) -> Signature:
    match = re.fullmatch(r"([^(]*)\((.*)\)", text)
    assert match is not None, text
    result, params = match.groups()
    types = tuple(_parse_type(part) for part in params.split(", ") if part)
    return Signature(name, text, _parse_type(result), types, feature)


def _parse_type(text: str) -> _Type:
    words = text.removesuffix("!").split(" ")
    return _Type(words[-1], "" if len(words) == 1 else words[0], text.endswith("!"))
