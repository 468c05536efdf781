"""Instructions of PTX by their forms (`ir/tir/intrin/ptx_forms.txt`), for any kind of inline assembly."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, NoReturn

from tvmscript.ir.core import DType
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS
from tvmscript.ir.tir.intrin.ptx import Form, Operand, form_of
from tvmscript.ir.tir.intrin.ptx_calls import parts_of

#: bits of a register -> letter of its constraint, for integers and for floats
_LETTERS: Final = {8: "h", 16: "h", 32: "r", 64: "l"}
_FLOAT_LETTERS: Final = {16: "h", 32: "f", 64: "d"}
#: families whose operands are lists of registers, also of one
_LISTS: Final = ("mma", "wmma", "wgmma", "ldmatrix", "stmatrix", "movmatrix", "tcgen05")
#: a modifier that older versions of PTX do not have, and that says what holds without it
_DEFAULT_REPORT: Final = "mbarrier::report::disabled"
#: operands that are always the same, and that forms do not have: sizes, the value that is stored
_LAST_OPERANDS: Final = {"applypriority": "128", "discard": "128", "fence": "128", "st_bulk": "0"}
#: instructions of mbarrier whose result is a state
_WITH_STATE: Final = (("arrive",), ("arrive_drop",))
#: parts of names in which PTX has an underscore too
_WHOLE_NAMES: Final = ("ld_reduce", "cp_fenceproxy")


class Assembly(ABC):
    """A statement of inline assembly under construction. Methods return the marks of operands."""

    #: the character in front of the number of an operand
    sigil: str

    def __init__(self) -> None:
        #: instructions in front of the instruction, and behind it
        self.before: list[str] = []
        self.after: list[str] = []
        self._num_predicates = 0

    @abstractmethod
    def refuse(self, what: str) -> NoReturn:
        """Raise the backend's error for what it has no code for."""
        raise NotImplementedError

    @abstractmethod
    def output(self, target: tir.BufferLoad, *, is_read: bool) -> str:
        """Add a register that the instruction sets, and reads before if `is_read`."""

    @abstractmethod
    def input(self, value: Expr) -> str:
        """Add a register that the instruction reads."""

    @abstractmethod
    def immediate(self, value: Expr) -> str:
        """Add a constant that is no literal."""

    @abstractmethod
    def address(self, value: Expr) -> str:
        """Add an address, a pointer or the number of one in shared memory."""

    @abstractmethod
    def predicate(self, value: Expr) -> str:
        """Add a predicate that the instruction reads."""

    @abstractmethod
    def predicate_output(self, target: tir.BufferLoad) -> str:
        """Add a predicate that the instruction sets."""

    @abstractmethod
    def write(self, instruction: str) -> None:
        """Write the statement."""

    def letter(self, value: Expr) -> str:
        """Return the letter of the constraint of a register. Raises the backend's error where there is none."""
        letter = letter_of(value.dtype)
        if letter is None:
            self.refuse(f"a register of {value.dtype}")
        return letter

    def new_predicate(self) -> str:
        """Return the name of a new predicate."""
        self._num_predicates += 1
        return f"p{self._num_predicates - 1}"

    def format_statement(self, instruction: str, num_outputs: int, num_inputs: int, *, separator: str = " ") -> str:
        """Return the text of the statement, with numbers instead of the marks of inputs."""
        predicates = ", ".join(f"p{number}" for number in range(self._num_predicates))
        declared = [f".reg .pred {predicates};"] if predicates else []
        lines = [*declared, *self.before, instruction, *self.after]
        text = lines[0] if len(lines) == 1 else separator.join(["{", *lines, "}"])
        for number in range(num_inputs):
            text = text.replace(mark_input(number), f"{self.sigil}{num_outputs + number}")
        return text


def mark_input(number: int) -> str:
    """Return a mark for an input, whose number is known when there are no more outputs."""
    return f"\0{number}\0"


def shift_inputs(text: str, count: int) -> str:
    """Return a text with marks of inputs that stand behind others."""
    return re.sub(r"\0(\d+)\0", lambda mark: mark_input(int(mark[1]) + count), text)


def letter_of(dtype: DType) -> str | None:
    """Return the letter of the constraint of a register; None where there is none."""
    return (_FLOAT_LETTERS if dtype.is_floating else _LETTERS).get(dtype.bits)


def write_instruction(asm: Assembly, node: tir.Call, path: str) -> None:
    """Write a call of `T.ptx` by the form that its modifiers and operands have."""
    family = path.removeprefix("ptx.").removesuffix("_")
    operands, words, flags = parts_of(node)
    predicate = operands.pop() if "pred" in flags else None
    sinks = {int(flag[1:]) for flag in flags if flag[:1] == "s"}
    form = form_of(family, words, len(operands) + len(sinks))
    if form is None:
        asm.refuse(f"the instruction {family} with these operands")
    texts = _operands(asm, family, form, words, operands, sinks, is_kept="keep" in flags)
    name = ".".join([_mnemonic(family), *(word for word in words if word and word != _DEFAULT_REPORT)])
    if (family == "atom" or words[:1] in _WITH_STATE) and form.operands[0].kind == "address":
        texts.insert(0, "_")  # the result is not wanted
    if texts and family in _LAST_OPERANDS:
        texts.append(_LAST_OPERANDS[family])
    guard = "" if predicate is None else f"@{asm.predicate(predicate)} "
    asm.write(f"{guard}{name} {', '.join(texts)}".rstrip() + ";")


def _mnemonic(family: str) -> str:
    """Return PTX's name of a family: `cvt.pack` of `cvt_pack`."""
    name = family.replace("_", ".")
    for whole in _WHOLE_NAMES:
        name = name.replace(whole.replace("_", "."), whole)
    return name


def _operands(
    asm: Assembly,
    family: str,
    form: Form,
    words: tuple[str, ...],
    operands: Sequence[Expr],
    sinks: set[int],
    *,
    is_kept: bool,
) -> list[str]:
    texts: list[str] = []
    rest = iter(operands)
    place = 0
    modifiers = dict(zip(form.names, words, strict=True))
    for operand, lanes in form.layout(words):
        registers = [
            "_" if place + lane in sinks else _operand(asm, operand, modifiers, next(rest), is_kept=is_kept)
            for lane in range(lanes)
        ]
        place += lanes
        if texts and lanes and operand.access == "w" and operand.resolved_type(modifiers) == "pred":
            texts[-1] += f"|{registers[0]}"
            continue
        if family == "lop3" and operand.name == "p":
            registers = [f"_|{registers[0]}"]
        if operand.name == "coords":  # of a tensor map, in one pair of brackets
            texts[-1] = f"{texts[-1][:-1]}, {{{', '.join(registers)}}}]"
            continue
        is_list = lanes > 1 or (bool(operand.lanes) and operand.kind == "register" and family.startswith(_LISTS))
        if lanes:
            texts.append(f"{{{', '.join(registers)}}}" if is_list else registers[0])
    return texts


def _operand(asm: Assembly, operand: Operand, modifiers: dict[str, str], value: Expr, *, is_kept: bool) -> str:
    is_predicate = operand.kind == "register" and operand.resolved_type(modifiers) == "pred"
    if operand.kind == "immediate":
        return str(value.value) if isinstance(value, tir.IntImm) else asm.immediate(value)
    if operand.kind in ("address", "pointer"):
        text = _address(asm, value)
        return f"[{text}]" if operand.kind == "address" else text
    if operand.access != "r" and isinstance(value, tir.BufferLoad):
        if is_predicate:
            return asm.predicate_output(value)
        return asm.output(value, is_read=operand.access == "rw" or is_kept)
    return asm.predicate(value) if is_predicate else asm.input(value)


def _address(asm: Assembly, value: Expr) -> str:
    """Write an address; a constant offset is part of the operand."""
    if isinstance(value, tir.Call) and value.op is INSTRUCTIONS["ptx.addr"] and isinstance(value.args[1], tir.IntImm):
        return f"{_address(asm, value.args[0])}+{value.args[1].value}"
    return asm.address(value)
