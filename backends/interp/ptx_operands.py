"""Operands of the instructions of `T.ptx`: addresses, registers that are read and written, predicates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tvmscript.backends.interp.calls import element_address
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.cooperative_threads import current_member
from tvmscript.backends.interp.memory import Pointer
from tvmscript.backends.interp.product_operands import MemoryRange, merge_adjacent
from tvmscript.backends.interp.raw_memory import byte_range, read, write
from tvmscript.backends.runtime.errors import Unsupported
from tvmscript.ir.core import DType
from tvmscript.ir.tir import BufferLoad, Call, Expr
from tvmscript.ir.tir.intrin.ptx import form_of
from tvmscript.ir.tir.intrin.ptx_calls import parts_of


class Instruction(NamedTuple):
    """The parts of a call."""

    #: modifiers, and those with a name
    words: tuple[str, ...]
    modifiers: dict[str, str]
    #: name of an operand -> its values
    operands: dict[str, list[Expr]]
    predicate: Expr | None


def parse_call(node: Call, family: str) -> Instruction | None:
    """Return the parts of a call of a family, None where no form has them, or where a result is left out."""
    values, words, flags = parts_of(node)
    predicate = values.pop() if "pred" in flags else None
    form = form_of(family, words, len(values))
    if form is None:
        return None
    operands: dict[str, list[Expr]] = {}
    for operand, lanes in form.layout(words):
        operands[operand.name], values = values[:lanes], values[lanes:]
    return Instruction(words, dict(zip(form.names, words, strict=True)), operands, predicate)


def shared_address(compiler: Compiler, value: Expr, node: Call) -> Callable[[Frame], Pointer]:
    """Return code for an address in shared memory, which may be a number. Raises `Unsupported`."""
    code, slot = compiler.code(value), compiler.member

    def address(frame: Frame) -> Pointer:
        number: int | Pointer = code(frame)
        if isinstance(number, Pointer):
            return number
        pointer = current_member(frame[slot], node).team.pointer_of(number)
        if pointer is None:
            what = f"the address {number}, at which no shared memory is"
            raise Unsupported(what=what, where="the interpreter", span=node.span)
        return pointer

    return address


class Registers:
    """Registers: elements of buffers."""

    def __init__(self, compiler: Compiler, values: Sequence[Expr]) -> None:
        self._compiler = compiler
        loads = [value for value in values if isinstance(value, BufferLoad)]
        self._places = [(element_address(compiler, load), load.dtype) for load in loads]

    def write(self, frame: Frame, values: Sequence[Any]) -> None:
        """Set the values."""
        for (address, dtype), value in zip(self._places, values, strict=True):
            write(self._compiler, address(frame), [value], dtype)

    def ranges(self, frame: Frame) -> list[MemoryRange]:
        """Return the bytes of the registers, adjacent ones together."""
        places = [(address(frame), dtype.itemsize) for address, dtype in self._places]
        return merge_adjacent(MemoryRange(pointer.memory, byte_range(pointer, size)) for pointer, size in places)

    def read_bits(self, frame: Frame, dtype: DType, count: int) -> list[Any]:
        """Return `count` elements of a dtype that are packed in each register."""
        return [
            element for address, _ in self._places for element in read(self._compiler, address(frame), count, dtype)
        ]

    def write_bits(self, frame: Frame, values: Sequence[Any], dtype: DType, count: int) -> None:
        """Set `count` elements of a dtype in each register."""
        for place, (address, _) in enumerate(self._places):
            write(self._compiler, address(frame), values[place * count : (place + 1) * count], dtype)


def guarded(compiler: Compiler, instruction: Instruction, run: Code) -> Code:
    """Return code that runs where the predicate holds."""
    if instruction.predicate is None:
        return run
    holds = compiler.code(instruction.predicate)
    return lambda frame: run(frame) if holds(frame) else 0
