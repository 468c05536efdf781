"""Matrices in the registers of a warp by the instructions of TVM 0.27: ldmatrix, stmatrix, mma."""

from __future__ import annotations

import re
from typing import Any, Final

from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.cooperative_threads import Member
from tvmscript.backends.interp.memory import Pointer
from tvmscript.backends.interp.ptx_operands import Registers, current_member, guarded, parse_call, shared_address
from tvmscript.backends.interp.raw_memory import byte_range, read, write
from tvmscript.backends.interp.tensor_cores import Place, fragment_places, rounded_to
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Call

_WARP: Final = 32
_HALF: Final = DType("uint16")
#: PTX's name of an element -> dtype
DTYPES: Final = {
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "tf32": "float32", "f64": "float64", "s8": "int8",
    "u8": "uint8", "s32": "int32", "e4m3": "e4m3_float8", "e5m2": "e5m2_float8",
}  # fmt: skip


def _move_matrices(compiler: Compiler, node: Call) -> Code:
    """Load or store matrices of 8 x 8 16-bit elements: a thread gives the address of a row, and has two elements."""
    is_load = getattr(node.op, "name", "") == "tir.ptx.ldmatrix"
    instruction = parse_call(node, "ldmatrix" if is_load else "stmatrix")
    if instruction is None or "m8n8" not in instruction.words:
        return unavailable(node)
    count = int(instruction.modifiers["num"][1:])
    is_transposed = "trans" in instruction.words
    registers = Registers(compiler, instruction.operands["r"])
    address, slot = shared_address(compiler, instruction.operands["p"][0], node), compiler.member

    def exchange(group: list[Member]) -> None:
        rows: dict[int, Pointer] = {member.number % _WARP: member.given[0] for member in group}
        if compiler.monitor is not None:
            compiler.monitor.enter_call(node)
            for first in range(0, count * 8, 8):
                ranges = [byte_range(rows[lane], 16) for lane in range(first, first + 8)]
                compiler.monitor.request_rows(rows[first].memory, ranges)
        for member in group:
            line, pair = divmod(member.number % _WARP, 4)
            loaded: list[int] = []
            for matrix in range(count):
                for part in range(2):
                    row, column = (pair * 2 + part, line) if is_transposed else (line, pair * 2 + part)
                    memory, begin = rows[matrix * 8 + row]
                    place = Pointer(memory, begin + column * 2)
                    if is_load:
                        loaded += read(compiler, place, 1, _HALF)
                    else:
                        write(compiler, place, [member.given[1][matrix * 2 + part]], _HALF)
            member.answer = loaded

    def run(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        given = [] if is_load else registers.read_bits(frame, _HALF, 2)
        loaded = member.meet("warp", (node, member.number // _WARP), exchange, (address(frame), given))
        if is_load:
            registers.write_bits(frame, loaded, _HALF, 2)
        return 0

    return guarded(compiler, instruction, run)


def _mma(compiler: Compiler, node: Call) -> Code:
    """Compute d = a * b + c on matrices in the registers of the warp."""
    instruction = parse_call(node, "mma")
    words = () if instruction is None else instruction.words
    shape = next((match for word in words if (match := re.fullmatch(r"m(8|16)n8k(\d+)", word))), None)
    names = [DTYPES[word] for word in words if word in DTYPES]
    if instruction is None or shape is None or len(names) != 4 or "sp" in words or "e" in instruction.operands:
        return unavailable(node)
    m, n, k = int(shape[1]), 8, int(shape[2])
    result, left, right, _ = [DType(name) for name in names]
    packed = max(32 // left.bits, 1)
    parts = {name: Registers(compiler, instruction.operands[name]) for name in "dabc"}
    counts = [m * k // _WARP, n * k // _WARP, m * n // _WARP]
    slot, rounded = compiler.member, rounded_to(result)
    wide = max(32 // result.bits, 1)

    def multiply(group: list[Member]) -> None:
        a, b, c = [dict[Place, Any]() for _ in range(3)]
        for member in group:
            lane = member.number % _WARP
            own_a, own_b, own_c = member.given
            a.update(zip(fragment_places(m, lane, counts[0], packed), own_a, strict=True))
            b.update(zip(fragment_places(n, lane, counts[1], packed), own_b, strict=True))
            c.update(zip(fragment_places(m, lane, counts[2], 2), own_c, strict=True))
        for member in group:
            member.answer = [
                rounded(c[i, j] + sum([a[i, r] * b[j, r] for r in range(k)]))
                for i, j in fragment_places(m, member.number % _WARP, counts[2], 2)
            ]

    def run(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        given = [
            parts["a"].read_bits(frame, left, packed),
            parts["b"].read_bits(frame, right, packed),
            parts["c"].read_bits(frame, result, wide),
        ]
        product = member.meet("warp", (node, member.number // _WARP), multiply, given)
        parts["d"].write_bits(frame, product, result, wide)
        return 0

    return guarded(compiler, instruction, run)


SPECIAL["tir.ptx.ldmatrix"] = _move_matrices
SPECIAL["tir.ptx.stmatrix"] = _move_matrices
SPECIAL["tir.ptx.mma"] = _mma
