"""Matrices in the registers of a warp by the instructions of TVM 0.27: ldmatrix, stmatrix, mma."""

from __future__ import annotations

import re
from typing import Final

from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.cooperative_threads import current_member
from tvmscript.backends.interp.ptx_operands import Registers, guarded, parse_call, shared_address
from tvmscript.backends.interp.warp_fragments import MATRIX_ELEMENT, exchange_matrices, multiply_fragments
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Call

_WARP: Final = 32
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
    exchange = exchange_matrices(compiler, node, count, is_transposed=is_transposed, is_load=is_load)

    def run(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        given = [] if is_load else registers.read_bits(frame, MATRIX_ELEMENT, 2)
        loaded = member.meet("warp", (node, member.number // _WARP), exchange, (address(frame), given))
        if is_load:
            registers.write_bits(frame, loaded, MATRIX_ELEMENT, 2)
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
    result, left, right, _ = [DType(name) for name in names]
    packed = max(32 // left.bits, 1)
    parts = {name: Registers(compiler, instruction.operands[name]) for name in "dabc"}
    slot, multiply = compiler.member, multiply_fragments((int(shape[1]), 8, int(shape[2])), packed, result)
    wide = max(32 // result.bits, 1)

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
