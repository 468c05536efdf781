"""Instruction forms of PTX by family: the modifiers that go together, and the operands that they take.

`ptx_forms.txt` is the table. A family is read from it on first use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from math import ceil, prod
from types import MappingProxyType
from typing import NamedTuple


class Operand(NamedTuple):
    """An operand of a form."""

    name: str
    #: "register", "address", "pointer" or "immediate"
    kind: str
    #: "r", "w" or "rw"
    access: str = "r"
    #: type of a register or space of an address: its name, or that of the modifier that says it
    type: str = ""
    #: "~": registers that are wider are accepted, "%": those of equal width
    carrier: str = ""
    #: number of registers as an expression of modifiers
    lanes: str = ""
    is_sinkable: bool = False
    #: whether `T.ptx.addr` is accepted
    has_offset: bool = False
    choices: range | frozenset[int] | None = None

    def count(self, modifiers: dict[str, str]) -> int:
        """Return the number of registers."""
        if not self.lanes:
            return 1
        if self.lanes[0] == "?":
            return int(bool(modifiers[self.lanes[1:]]))
        factors, *divisors = self.lanes.split("/")
        numbers = [_number(factor, modifiers) for factor in factors.split("*")]
        return max(1, ceil(prod(numbers) / prod([_number(item, modifiers) for item in divisors])))

    def resolved_type(self, modifiers: dict[str, str]) -> str:
        """Return the type of a register, otherwise the space, under these modifiers: "" for one that is not said."""
        if self.kind != "register":
            return modifiers.get(self.type, "" if self.type == "space" else self.type)
        return modifiers.get(self.type, self.type) or modifiers["type"]


_TERM = re.compile(r"(\w+)(?:\.(\w))?(?:-(\d+))?")
#: numbers in a modifier, each after its letters: m16n8k16; those of sp::1:2 are n and d
_NUMBER = re.compile(r"([a-z]*)\D*?(\d+)")


def _number(term: str, modifiers: dict[str, str]) -> int:
    """Return the value of a term: a number, or a number in a modifier less a constant."""
    parsed = _TERM.fullmatch(term)
    assert parsed is not None, term
    name, part, less = parsed.groups()
    if name.isdigit():
        return int(name)
    modifier = modifiers[name]
    if part:
        numbers = _NUMBER.findall(modifier)
        by_letter = dict(numbers) if modifier[0] == "m" else dict(zip("nd", [item for _, item in numbers], strict=True))
        value = int(by_letter[part])
    else:
        value = _WIDTHS.get(modifier) or prod([int(item) for item in re.findall(r"\d+", modifier)])
    return value - int(less or 0)


#: width of a register with elements of these types
_WIDTHS = {"tf32": 32, "e4m3": 8, "e5m2": 8}


class Form(NamedTuple):
    """An instruction with a fixed list of operands."""

    operands: tuple[Operand, ...]
    #: names of the positions of modifiers
    names: tuple[str, ...]
    #: what each position accepts in some combination
    choices: tuple[frozenset[str], ...]
    #: combinations that are permitted; "": left out
    combinations: tuple[tuple[frozenset[str], ...], ...]

    def place(self, modifiers: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return the modifiers in their positions, "" for those left out, or None where one has no position.

        Each takes the first free position that accepts it.
        """
        placed = [""] * len(self.choices)
        for modifier in modifiers:
            for position, choices in enumerate(self.choices):
                if not placed[position] and modifier in choices:
                    placed[position] = modifier
                    break
            else:
                return None
        return tuple(placed)

    def permits(self, placed: tuple[str, ...]) -> bool:
        """Whether these modifiers go together."""
        return any(
            all(word in choices for word, choices in zip(placed, combination, strict=True))
            for combination in self.combinations
        )

    def layout(self, placed: tuple[str, ...]) -> Iterator[tuple[Operand, int]]:
        """Return the operands and how many registers each has."""
        modifiers = dict(zip(self.names, placed, strict=True))
        return ((operand, operand.count(modifiers)) for operand in self.operands)

    def has_destination(self) -> bool:
        """Whether it writes a register without reading it."""
        return any(operand.access == "w" for operand in self.operands)


_REGISTER = re.compile(r"([=+]?)(\w+):([~%]?)([\w|]+)((?:\*[a-z0-9_.*/-]*[a-z0-9]|\?\w+)?)(_?)")
_ADDRESS = re.compile(r"\[(\w+)(?::([\w:]+?))?(\+?)\]")
_IMMEDIATE = re.compile(r"#(\w+)(?:\{(.+)\})?((?:\?\w+)?)")
_ACCESS = {"": "r", "=": "w", "+": "rw"}


def _operand(text: str) -> Operand:
    if text[0] == "[":
        address = _ADDRESS.fullmatch(text)
        assert address is not None, text
        name, space, offset = address.groups()
        return Operand(name, "address", type=space or "space", has_offset=bool(offset))
    if text[0] == "*":
        return Operand(text[1:], "pointer")
    if text[0] == "#":
        immediate = _IMMEDIATE.fullmatch(text)
        assert immediate is not None, text
        name, choices, lanes = immediate.groups()
        return Operand(name, "immediate", lanes=lanes, choices=_numbers(choices) if choices else None)
    register = _REGISTER.fullmatch(text)
    assert register is not None, text
    access, name, carrier, kind, lanes, sink = register.groups()
    return Operand(name, "register", _ACCESS[access], kind, carrier, lanes.removeprefix("*"), bool(sink))


def _numbers(text: str) -> range | frozenset[int]:
    first, dots, last = text.partition("..")
    return range(int(first), int(last) + 1) if dots else frozenset([int(item) for item in text.split(",")])


_SHAPES = re.compile(r"(m64n)(\d+)\.\.(\d+)(k\d+)")


def _expanded(modifier: str) -> Iterator[str]:
    """Return the modifiers that a word stands for."""
    shapes = _SHAPES.fullmatch(modifier)
    if shapes is None:
        yield modifier
        return
    start, first, last, end = shapes.groups()
    for size in range(int(first), int(last) + 1, 8):
        yield f"{start}{size}{end}"


def _table() -> tuple[dict[str, frozenset[str]], dict[str, list[list[str]]]]:
    """Return the sets of modifiers by name, and the lines of each form by family."""
    sets: dict[str, frozenset[str]] = {}
    families: dict[str, list[list[str]]] = {}
    lines: list[str] = []
    for line in (files("tvmscript.ir.tir.intrin") / "ptx_forms.txt").read_text("utf-8").splitlines():
        if line.startswith("$"):
            name, _, words = line.partition(" ")
            sets[name] = frozenset([each for word in words.split("|") for each in _expanded(word)])
        elif line.startswith("    "):
            lines.append(line.strip())
        elif line and not line.startswith("#"):
            family, _, operands = line.partition(":")
            lines = [operands.strip()]
            families.setdefault(family, []).append(lines)
    return sets, families


_SETS, _LINES = _table()
PTX_FAMILIES = frozenset(_LINES)


@cache
def ptx_forms(family: str) -> tuple[Form, ...]:
    """Return the forms of a family, in the order of the table."""
    return tuple([_form(operands, combinations) for operands, *combinations in _LINES[family]])


def _form(operands: str, lines: list[str]) -> Form:
    names: list[str] = []
    combinations: list[tuple[frozenset[str], ...]] = []
    for line in lines or [""]:  # an instruction without modifiers
        words = [_choices(word) for word in line.split()]
        combinations.append(tuple([choices for _, choices in words]))
        names = [name or f"{position}" for position, (name, _) in enumerate(words)]
    unions = tuple([frozenset().union(*column) - {""} for column in zip(*combinations, strict=True)])
    return Form(tuple(map(_operand, operands.split())), tuple(names), unions, tuple(combinations))


def _choices(word: str) -> tuple[str, frozenset[str]]:
    """Return the name of a position, and what it accepts."""
    name, _, text = word.rpartition("=")
    body = text.removesuffix("?")
    choices = _SETS.get(body)
    if choices is None:
        choices = frozenset([each for item in body.split("|") for each in _expanded("" if item == "-" else item)])
    if body != text:
        choices |= {""}
    return name, choices


def form_of(family: str, words: tuple[str, ...], count: int) -> Form | None:
    """Return the form with these modifiers and so many operands."""
    for form in ptx_forms(family):
        fits = len(form.names) == len(words) and (not words or form.permits(words))
        if fits and sum(lanes for _, lanes in form.layout(words)) == count:
            return form
    return None


@cache
def ptx_modifiers(family: str) -> frozenset[str]:
    """Return all modifiers of a family."""
    return frozenset[str]().union(*[choices for form in ptx_forms(family) for choices in form.choices])


#: type of a register -> dtypes that it accepts, the one of literals first
REGISTER_DTYPES = MappingProxyType(
    {
        "b8": ("uint8", "int8"),
        "b16": ("uint16", "int16", "float16", "bfloat16"),
        "b32": ("uint32", "int32", "float32"),
        "b64": ("uint64", "int64", "float64"),
        "b128": ("uint128", "int128"),
        "b32i": ("uint32", "int32"),
        "b64i": ("uint64", "int64"),
        "u8": ("uint8",), "s8": ("int8",),
        "u16": ("uint16",), "s16": ("int16",),
        "u32": ("uint32",), "s32": ("int32",), "f32": ("float32",),
        "u64": ("uint64",), "s64": ("int64",), "f64": ("float64",),
        # packed elements are in registers of bits
        "f16": ("uint16",), "bf16": ("uint16",), "tf32": ("uint32",),
        "f16x2": ("uint32",), "bf16x2": ("uint32",), "f32x2": ("uint64",),
        "u16x2": ("uint32",), "s16x2": ("uint32",), "u8x4": ("uint32",), "s8x4": ("uint32",),
        "e2m1x2": ("uint8",), "e2m1x4": ("uint16",),
        "s2f6x2": ("uint16",), "ue8m0x2": ("uint16",), "ue5m3x2": ("uint16",),
        "e4m3x2": ("uint16",), "e5m2x2": ("uint16",), "e2m3x2": ("uint16",), "e3m2x2": ("uint16",),
        "e4m3x4": ("uint32",), "e5m2x4": ("uint32",), "e2m3x4": ("uint32",), "e3m2x4": ("uint32",),
    }
)  # fmt: skip


@cache
def register_dtypes(kind: str, carrier: str) -> tuple[str, ...]:
    """Return the dtypes that a register of this type accepts, the one of literals first.

    A carrier "~" may be wider than the type (PTX ISA, "Operand size exceeding instruction-type size"): bits of any
    type, integers of either sign; floats also in integers.
    """
    own = tuple([dtype for item in kind.split("|") for dtype in REGISTER_DTYPES[item]])
    if not carrier:
        return own
    width = int(re.sub(r"\D", "", kind))
    widths = [size for size in (8, 16, 32, 64, 128) if (size >= width if carrier == "~" else size == width)]
    other = [f"{sign}{size}" for size in widths for sign in ("uint", "int")]
    if carrier == "%" and width == 16:
        other += ["float16", "bfloat16"]
    if kind[0] == "b":
        other += [dtype for size in widths for dtype in REGISTER_DTYPES[f"b{size}"]]
    return tuple(dict.fromkeys([*own, *other]))
