"""Instructions of PTX as inline assembly, by their forms (`ir/tir/intrin/ptx_forms.txt`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvmscript.backends.c.expressions import element
from tvmscript.backends.c.types import PRIMARY, UNARY, Value
from tvmscript.backends.cuda.codegen import CudaCodegen
from tvmscript.ir.core import INT32, DType, Span
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS
from tvmscript.ir.tir.intrin.ptx import Form, Operand, form_of

#: bits of a register -> letter of its constraint, for integers and for floats
_LETTERS: Final = {8: "h", 16: "h", 32: "r", 64: "l"}
_FLOAT_LETTERS: Final = {16: "h", 32: "f", 64: "d"}
#: families whose operands are lists of registers, also of one
_LISTS: Final = ("mma", "wmma", "wgmma", "ldmatrix", "stmatrix", "movmatrix", "tcgen05")


class _Assembly:
    """A statement of inline assembly under construction."""

    def __init__(self, cg: CudaCodegen, span: Span | None) -> None:
        self.cg, self.span = cg, span
        self.outputs: list[str] = []
        self.inputs: list[tuple[str, str]] = []
        self.before: list[str] = []
        self.after: list[str] = []
        self.predicates = 0

    def output(self, letter: str, place: str, *, is_read: bool) -> str:
        self.outputs.append(f'"{"+" if is_read else "="}{letter}"({place})')
        return f"%{len(self.outputs) - 1}"

    def input(self, letter: str, text: str) -> str:
        """Return a mark for an input, whose number is known when there are no more outputs."""
        self.inputs.append((letter, text))
        return f"\0{len(self.inputs) - 1}\0"

    def predicate(self, value: Expr) -> str:
        name = f"p{self.predicates}"
        self.predicates += 1
        text = self.cg.expr(value)
        as_int = text.text if value.dtype.bits == 32 else f"(int){text.inside(UNARY)}"
        self.before.append(f"setp.ne.b32 {name}, {self.input('r', as_int)}, 0;")
        return name

    def predicate_output(self, place: str) -> str:
        name = f"p{self.predicates}"
        self.predicates += 1
        self.after.append(f"selp.b32 {self.output('r', place, is_read=False)}, 1, 0, {name};")
        return name

    def write(self, instruction: str) -> None:
        """Write the statement."""
        declared = [f".reg .pred {', '.join(f'p{number}' for number in range(self.predicates))};"]
        lines = [*(declared if self.predicates else []), *self.before, instruction, *self.after]
        text = lines[0] if len(lines) == 1 else f"{{ {' '.join(lines)} }}"
        for number in range(len(self.inputs)):
            text = text.replace(f"\0{number}\0", f"%{len(self.outputs) + number}")
        inputs = ", ".join(f'"{letter}"({value})' for letter, value in self.inputs)
        operands = f"{', '.join(self.outputs)} : {inputs} : ".strip()
        self.cg.line(f'asm volatile("{text}" : {operands} "memory");'.replace(":  :", "::").replace(": :", "::"))


def letter_of(dtype: DType) -> str | None:
    """Return the letter of the constraint of a register; None where there is none."""
    return (_FLOAT_LETTERS if dtype.is_floating else _LETTERS).get(dtype.bits)


def write_ptx(cg: CudaCodegen, node: tir.Call, path: str) -> Value:
    """Write a call of `T.ptx`."""
    if path == "ptx.addr":
        base, offset = node.args
        pointer = cg.expr(base)
        if base.dtype.is_handle:
            return Value(f"(char *){pointer.inside(UNARY)} + {cg.expr(offset).inside(UNARY)}", UNARY - 2, node.dtype)
        return cg.expr(tir.Add(base, tir.Cast(base.dtype, offset)))
    family = path.removeprefix("ptx.").removesuffix("_")
    strings = [arg.value for arg in node.args if isinstance(arg, tir.StringImm)]
    operands = [arg for arg in node.args if not isinstance(arg, tir.StringImm)]
    words, flags = tuple(strings[:-1]), frozenset(strings[-1].split(",")) if strings else frozenset[str]()
    predicate = operands.pop() if "pred" in flags else None
    asm = _Assembly(cg, node.span)
    sinks = {int(flag[1:]) for flag in flags if flag[:1] == "s"}
    form = form_of(family, words, len(operands) + len(sinks))
    if form is None:
        raise cg.refusal(f"the instruction {family} with these operands", node.span)
    texts = _operands(asm, family, form, words, operands, sinks, is_kept="keep" in flags)
    name = ".".join([_mnemonic(family), *(word for word in words if word)])
    if (family == "atom" or words[:1] in _WITH_STATE) and form.operands[0].kind == "address":
        texts.insert(0, "_")  # the result is not wanted
    if texts and family in _LAST_OPERANDS:
        texts.append(_LAST_OPERANDS[family])
    guard = "" if predicate is None else f"@{asm.predicate(predicate)} "
    asm.write(f"{guard}{name} {', '.join(texts)}".rstrip() + ";")
    return Value("0", PRIMARY, INT32)


#: operands that are always the same, and that forms do not have: sizes, the value that is stored
_LAST_OPERANDS: Final = {"applypriority": "128", "discard": "128", "fence": "128", "st_bulk": "0"}
#: instructions of mbarrier whose result is a state
_WITH_STATE: Final = (("arrive",), ("arrive_drop",))
#: parts of names in which PTX has an underscore too
_WHOLE_NAMES: Final = ("ld_reduce", "cp_fenceproxy")


def _mnemonic(family: str) -> str:
    """Return PTX's name of a family: `cvt.pack` of `cvt_pack`."""
    name = family.replace("_", ".")
    for whole in _WHOLE_NAMES:
        name = name.replace(whole.replace("_", "."), whole)
    return name


def _operands(
    asm: _Assembly,
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


def _operand(asm: _Assembly, operand: Operand, modifiers: dict[str, str], value: Expr, *, is_kept: bool) -> str:
    cg = asm.cg
    is_predicate = operand.kind == "register" and operand.resolved_type(modifiers) == "pred"
    if operand.kind == "immediate":
        return str(value.value) if isinstance(value, tir.IntImm) else asm.input("n", cg.expr(value).text)
    if operand.kind in ("address", "pointer"):
        text = _address(asm, value)
        return f"[{text}]" if operand.kind == "address" else text
    if operand.access != "r" and isinstance(value, tir.BufferLoad):
        place = element(cg, value.buffer, value.indices)
        if is_predicate:
            return asm.predicate_output(place)
        place = f"{place}.bits" if value.dtype.is_floating and value.dtype.bits == 16 else place
        return asm.output(_letter(asm, value), place, is_read=operand.access == "rw" or is_kept)
    if is_predicate:
        return asm.predicate(value)
    given = cg.expr(value)
    bits = f"{given.inside(PRIMARY)}.bits" if value.dtype.is_floating and value.dtype.bits == 16 else None
    return asm.input(_letter(asm, value), bits or given.as_type(value.dtype).text)


def _letter(asm: _Assembly, value: Expr) -> str:
    letter = letter_of(value.dtype)
    if letter is None:
        raise asm.cg.refusal(f"a register of {value.dtype}", asm.span)
    return letter


def _address(asm: _Assembly, value: Expr) -> str:
    """Write an address; a constant offset is part of the operand."""
    if isinstance(value, tir.Call) and value.op is INSTRUCTIONS["ptx.addr"] and isinstance(value.args[1], tir.IntImm):
        return f"{_address(asm, value.args[0])}+{value.args[1].value}"
    return asm.input("r" if value.dtype.bits == 32 and not value.dtype.is_handle else "l", asm.cg.expr(value).text)
