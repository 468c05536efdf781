"""Instructions of PTX as inline assembly of CUDA."""

from __future__ import annotations

from typing import Final, NoReturn

from tvmscript.backends.c.expressions import element
from tvmscript.backends.c.types import PRIMARY, UNARY, Value
from tvmscript.backends.cuda.codegen import CudaCodegen, Products
from tvmscript.backends.cuda.ptx_writer import Assembly, mark_input, shift_inputs, write_instruction
from tvmscript.ir.core import INT32
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir

#: the start of instructions that are under way until they are waited for
_PRODUCT: Final = "wgmma.mma_async"


class _Assembly(Assembly):
    """A statement of CUDA's inline assembly under construction."""

    sigil = "%"

    def __init__(self, cg: CudaCodegen, node: tir.Call) -> None:
        super().__init__()
        self.cg, self.node = cg, node
        self.outputs: list[str] = []
        self.inputs: list[tuple[str, str]] = []

    def refuse(self, what: str) -> NoReturn:
        raise self.cg.refusal(what, self.node.span)

    def output(self, target: tir.BufferLoad, *, is_read: bool) -> str:
        place = element(self.cg, target.buffer, target.indices)
        is_half = target.dtype.is_floating and target.dtype.bits == 16
        return self._set(self.letter(target), f"{place}.bits" if is_half else place, is_read=is_read)

    def _set(self, letter: str, place: str, *, is_read: bool) -> str:
        self.outputs.append(f'"{"+" if is_read else "="}{letter}"({place})')
        return f"%{len(self.outputs) - 1}"

    def input(self, value: Expr) -> str:
        given = self.cg.expr(value)
        is_half = value.dtype.is_floating and value.dtype.bits == 16
        text = f"{given.inside(PRIMARY)}.bits" if is_half else given.as_type(value.dtype).text
        return self._read(self.letter(value), text)

    def _read(self, letter: str, text: str) -> str:
        self.inputs.append((letter, text))
        return mark_input(len(self.inputs) - 1)

    def immediate(self, value: Expr) -> str:
        return self._read("n", self.cg.expr(value).text)

    def address(self, value: Expr) -> str:
        return self._read(
            "r" if value.dtype.bits == 32 and not value.dtype.is_handle else "l", self.cg.expr(value).text
        )

    def predicate(self, value: Expr) -> str:
        name = self.new_predicate()
        text = self.cg.expr(value)
        as_int = text.text if value.dtype.bits == 32 else f"(int){text.inside(UNARY)}"
        self.before.append(f"setp.ne.b32 {name}, {self._read('r', as_int)}, 0;")
        return name

    def predicate_output(self, target: tir.BufferLoad) -> str:
        name = self.new_predicate()
        place = element(self.cg, target.buffer, target.indices)
        self.after.append(f"selp.b32 {self._set('r', place, is_read=False)}, 1, 0, {name};")
        return name

    def write(self, instruction: str) -> None:
        if instruction.startswith(_PRODUCT):
            self._write_products(instruction)
            return
        text = self.format_statement(instruction, len(self.outputs), len(self.inputs))
        inputs = ", ".join(f'"{letter}"({value})' for letter, value in self.inputs)
        operands = f"{', '.join(self.outputs)} : {inputs} : ".strip()
        self.cg.line(f'asm volatile("{text}" : {operands} "memory");'.replace(":  :", "::").replace(": :", "::"))

    def _write_products(self, instruction: str) -> None:
        """Write a product of a warp group, into the statement in front of it if that has products of the same sums.

        Most of NVRTC's time is its optimizer's for statements with a hundred registers, however many products they
        have. Operands may move to the front: neither they nor memory depend on sums that are under way.
        """
        instructions, lines = [*self.before, instruction], self.cg.lines
        earlier = self.cg.products
        if earlier and earlier.outputs == self.outputs and lines[-len(earlier.lines) :] == earlier.lines:
            del lines[-len(earlier.lines) :]
            instructions = [*earlier.instructions, *(shift_inputs(text, len(earlier.inputs)) for text in instructions)]
            self.inputs = [*earlier.inputs, *self.inputs]
        *self.before, last = instructions
        start = len(lines)
        text = self.format_statement(last, len(self.outputs), len(self.inputs), separator="\n")
        literals = [f'"{part}\\n"' for part in text.split("\n")]
        inputs = ", ".join(f'"{letter}"({value})' for letter, value in self.inputs)
        self.cg.line(f"asm volatile({literals[0]}")
        operands = [f": {', '.join(self.outputs)}", f': {inputs} : "memory");']
        for part in [*literals[1:], *operands]:
            self.cg.line(f"{' ' * 13}{part}")
        self.cg.products = Products(lines[start:], self.outputs, self.inputs, instructions)


def write_ptx(cg: CudaCodegen, node: tir.Call, path: str) -> Value:
    """Write a call of `T.ptx`."""
    if path == "ptx.addr":
        base, offset = node.args
        pointer = cg.expr(base)
        if base.dtype.is_handle:
            return Value(f"(char *){pointer.inside(UNARY)} + {cg.expr(offset).inside(UNARY)}", UNARY - 2, node.dtype)
        return cg.expr(tir.Add(base, tir.Cast(base.dtype, offset)))
    write_instruction(_Assembly(cg, node), node, path)
    return Value("0", PRIMARY, INT32)
