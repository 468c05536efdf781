"""Loads and stores of TVM 0.27 (`T.ptx.ld`, `st`), and addresses in the shared memory of other blocks of a cluster.

An address in shared memory may be a number (see `teams`). Source: PTX ISA, sections "ld", "st", "mapa".
"""

from __future__ import annotations

import re
from typing import Final

from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.cooperative_threads import current_member
from tvmscript.backends.interp.memory import Pointer
from tvmscript.backends.interp.ptx_operands import Registers, guarded, parse_call, shared_address
from tvmscript.backends.interp.raw_memory import read, write
from tvmscript.backends.interp.scalars import from_bits, to_bits
from tvmscript.backends.runtime.errors import NoSuchBlock
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Call

_TYPE: Final = re.compile(r"([bsuf])(8|16|32|64)")
_CODES: Final = {"b": "uint", "s": "int", "u": "uint", "f": "float"}


def _element(word: str) -> DType | None:
    """Return the dtype of a type of PTX; bits are unsigned integers.

    >>> _element("b32"), _element("b128")
    (DType('uint32'), None)
    """
    match = _TYPE.fullmatch(word)
    return DType(f"{_CODES[match[1]]}{match[2]}") if match else None


def _load(compiler: Compiler, node: Call) -> Code:
    """Load elements into registers; those that are as wide as an element take its bits."""
    instruction = parse_call(node, "ld")
    element = _element(instruction.words[-1]) if instruction is not None else None
    if instruction is None or element is None:
        return unavailable(node)
    address = shared_address(compiler, instruction.operands["addr"][0], node)
    targets = instruction.operands["d"]
    registers = Registers(compiler, targets)
    kinds = [target.dtype if target.dtype.bits == element.bits else element for target in targets]

    def load(frame: Frame) -> int:
        memory, begin = address(frame)
        places = [Pointer(memory, begin + number * element.itemsize) for number in range(len(kinds))]
        registers.write(frame, [read(compiler, place, 1, kind)[0] for place, kind in zip(places, kinds, strict=True)])
        return 0

    return guarded(compiler, instruction, load)


def _store(compiler: Compiler, node: Call) -> Code:
    """Store the low bits of registers."""
    instruction = parse_call(node, "st")
    element = _element(instruction.words[-1]) if instruction is not None and instruction.words[0] != "async" else None
    if instruction is None or element is None:
        return unavailable(node)
    address = shared_address(compiler, instruction.operands["addr"][0], node)
    codes = [(compiler.code(value), to_bits(value.dtype)) for value in instruction.operands["value"]]
    stored, mask = from_bits(element), (1 << element.bits) - 1

    def store(frame: Frame) -> int:
        values = [stored(bits(code(frame)) & mask) for code, bits in codes]
        write(compiler, address(frame), values, element)
        return 0

    return guarded(compiler, instruction, store)


def _map_address(compiler: Compiler, node: Call) -> Code:
    """Set a register to the address of the same place in the shared memory of another block of the cluster."""
    instruction = parse_call(node, "mapa")
    if instruction is None:
        return unavailable(node)
    address, slot = shared_address(compiler, instruction.operands["a"][0], node), compiler.member
    rank_of, result = compiler.code(instruction.operands["b"][0]), Registers(compiler, instruction.operands["d"])

    def map_address(frame: Frame) -> int:
        team, rank = current_member(frame[slot], node).team, rank_of(frame)
        place = team.place_in_block(address(frame), rank)
        if place is None:
            raise NoSuchBlock(rank=rank, size=len(team.cluster), span=node.span)
        result.write(frame, [team.number_of(place)])
        return 0

    return guarded(compiler, instruction, map_address)


def _offset(compiler: Compiler, node: Call) -> Code:
    """Return an address so many bytes behind another one."""
    base, offset = [compiler.code(arg) for arg in node.args]

    def address(frame: Frame) -> int | Pointer:
        start: int | Pointer = base(frame)
        count: int = offset(frame)
        return Pointer(start.memory, start.offset + count) if isinstance(start, Pointer) else start + count

    return address


SPECIAL["tir.ptx.ld"] = _load
SPECIAL["tir.ptx.st"] = _store
SPECIAL["tir.ptx.mapa"] = _map_address
SPECIAL["tir.ptx.addr"] = _offset
