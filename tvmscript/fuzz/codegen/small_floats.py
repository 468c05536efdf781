"""Kernels of 16-bit floats in loops that become vectors, with subnormal numbers, casts, quotients and conditions."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from tvmscript.fuzz.codegen.writing import Kernel, Written, under

_EXTENTS = (128, 256, 192, 300, 64, 130, 96, 1)
_LANES = (32, 64, 16, 48, 8)
#: factors of float32: most lead to subnormal numbers
_SCALES = {
    "float16": ("2.0 ** -12", "2.0 ** -17", "3.0", "0.75", "2.0 ** 20"),
    "bfloat16": ("2.0 ** -126", "2.0 ** -131", "2.0 ** -120", "3.0", "0.75", "2.0 ** 20"),
}
#: some quotients by the large ones are subnormal float16
_DIVISORS = ("15360", "7168", "12288", "3", "-0.1", "1000", "0.0009765625")


@dataclass(frozen=True)
class _Value:
    """An expression of a 16-bit float, and the float32 that it is before it is rounded."""

    text: str
    wide: str


class _Values:
    """Expressions of the element `p` of the arrays: A and B of a 16-bit float, F of float32, M of int8."""

    def __init__(self, k: Kernel, dtype: str, p: str) -> None:
        self.k = k
        self.dtype = dtype
        self.p = p

    def leaf(self) -> _Value:
        k, p = self.k, self.p
        form = k.pick("A", "B", "cast", "cast", "cast", "number", "same")
        if form == "number":
            text = f"T.{self.dtype}({k.pick('2', '0.5', '-3', '0.0078125')})"
        elif form == "cast":
            text = f"T.{self.dtype}({self.single()})"
        else:
            text = f"{k.pick('A', 'B')}[0]" if form == "same" else f"{form}[{p}]"
        return _Value(text, f"T.float32({text})")

    def single(self) -> str:
        """Draw a float32, which may be a subnormal number."""
        k, p = self.k, self.p
        number = k.pick(f"F[{p}]", f"F[{p}]", f"T.float32(A[{p}])", f"T.float32(A[{p}]) + F[{p}]")
        return f"({number}) * T.float32({k.pick(*_SCALES[self.dtype])})" if k.chance(0.6) else number

    def quotient(self) -> _Value:
        """Draw a quotient by one number for all lanes."""
        k, dtype = self.k, self.dtype
        if k.chance(0.5):
            # halfway between two subnormal float16: products with the reciprocals of 7 and 15 are not
            odd = k.pick(7, 15)
            a, b, divisor = f"T.{dtype}(M[{self.p}])", f"T.{dtype}({odd * 2**-15})", f"T.{dtype}({odd << 10})"
            value = _Value(f"({a} * {b})", f"(T.float32({a}) * T.float32({b}))")
        else:
            value, divisor = self.leaf(), k.pick(f"T.{dtype}({k.pick(*_DIVISORS)})", "B[0]")
        return _Value(f"{value.text} / {divisor}", f"{value.wide} / T.float32({divisor})")

    def value(self, depth: int = 2) -> _Value:
        """Draw an expression. Products of leaves are exact in float32, so that sums of them are rounded once."""
        k = self.k
        form = k.pick("leaf", "product", "sum", "sum", "least", "chosen") if depth else "leaf"
        if form == "leaf":
            return self.leaf()
        if form == "product":
            a, b = self.leaf(), self.leaf()
            return _Value(f"({a.text} * {b.text})", f"({a.wide} * {b.wide})")
        a, b = self.value(depth - 1), self.value(depth - 1)
        if form == "sum":
            op = k.pick("+", "-")
            return _Value(f"({a.text} {op} {b.text})", f"({a.wide} {op} {b.wide})")
        if form == "least":
            # of nan and zeros either may be taken
            name = k.pick("T.min", "T.max")
            return _Value(f"{name}({a.text}, {b.text})", f"{name}({a.wide}, {b.wide})")
        condition = self.condition()
        name = k.pick("T.if_then_else", "T.Select")
        return _Value(f"{name}({condition}, {a.text}, {b.text})", f"{name}({condition}, {a.wide}, {b.wide})")

    def condition(self) -> str:
        """Draw a condition of exact numbers."""
        k, p = self.k, self.p
        joined = k.pick(" and ", " or ")
        parts = [
            k.pick(
                f"M[{p}] > T.int8({k.number(-9, 9)})",
                f"M[{p}] != T.int8(0)",
                f"A[{p}] {k.pick('<', '<=', '==', '!=', '>')} B[{p}]",
                f"A[{p}] > T.{self.dtype}(0)",
                f"T.float32(A[{p}]) < F[{p}]",
                f"{p} < few",
            )
            for _ in range(k.pick(1, 1, 2))
        ]
        return f"({joined.join(parts)})"


def small_floats(rng: random.Random) -> Written:
    """Draw loops over some hundred elements, which are serial or vectorized."""
    k = Kernel(rng)
    if not k.heads:
        k.heads.append('T.func_attr({"tir.noalias": T.bool(True)})')
    dtype, extent, lanes = k.pick("bfloat16", "float16"), k.pick(*_EXTENTS), k.pick(*_LANES)
    if k.chance(0.15):
        return _first_lanes(k, k.pick(dtype, "int8"), k.pick(64, 64, 32, 16))
    is_plain = k.chance(0.6)
    if is_plain:
        extent, lanes = k.pick(128, 256, 384), k.pick(16, 32, 64)
    form = k.pick("serial", "vectorized", "vectorized", "tail")
    for name, of in {"A": dtype, "B": dtype, "F": "float32", "M": "int8"}.items():
        k.array(name, f"({extent},)", of)
    k.scalar("few", "int32", k.number(-1, extent + 1))
    values = _Values(k, dtype, "i" if form == "serial" else f"i * {lanes} + j")
    told, wide = list[str](), list[str]()
    for place in range(k.pick(1, 1, *([] if is_plain else [2, 3]))):
        target = f"C{place}"
        kind = k.pick(dtype, dtype, dtype, dtype, "float32", "bool")
        k.array(target, f"({extent},)", kind)
        value = values.quotient() if kind == dtype and k.chance(0.5) else values.value(0 if is_plain else 2)
        stored = value if kind != "bool" else _Value(*[values.condition()] * 2)
        lines = [f"{target}[{values.p}] = {text}" for text in _stored(stored, kind, dtype)]
        guard = f"if {values.condition()}:" if k.chance(0 if is_plain else 0.3) else ""
        for lines_of, line in zip((told, wide), lines, strict=True):
            lines_of += under(guard, [line]) if guard else [line]
    texts = list[str]()
    for body in (told, wide):
        if form == "serial":
            k.lines = under(f"for i in range({extent}):", body)
        else:
            inner = under(f"if {values.p} < {extent}:", body) if form == "tail" or extent % lanes else body
            steps = -(-extent // lanes) + (form == "tail")
            k.lines = under(f"for i in range({steps}):", under(f"for j in T.vectorized({lanes}):", inner))
        texts.append(k.text())
    return replace(Written(texts[0], k.sizes), wide=texts[1])


def _first_lanes(k: Kernel, dtype: str, lanes: int) -> Written:
    """Write choices in the first lanes: none, some, all, perhaps with a bound of as many or one more."""
    rows = lanes + k.pick(1, 1, 2, 9)
    for name in "AB":
        k.array(name, f"({lanes},)", dtype)
    k.array("C", f"({rows}, {lanes})", dtype)
    k.scalar("few", "int32", k.number(-1, lanes + 1))
    first, end = k.pick(
        ("0", "i"), ("i", str(lanes)), ("i - 1", str(lanes)), ("i", "few"), ("0", f"i - {k.number(1, 9)}")
    )
    condition = f"T.Ramp({first}, 1, {lanes}) < T.Broadcast({end}, {lanes})"
    k.lines = under(
        f"for i in range({rows}):", [f"C[i, 0:{lanes}] = T.Select({condition}, A[0:{lanes}], B[0:{lanes}])"]
    )
    return Written(k.text(), k.sizes)


def _stored(value: _Value, kind: str, dtype: str) -> tuple[str, str]:
    if kind == "float32":
        return f"T.float32({value.text})", value.wide
    return (value.text, f"T.{dtype}({value.wide})") if kind == dtype else (value.text, value.wide)
