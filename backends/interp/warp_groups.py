"""Products of warp groups (wgmma): matrices in shared memory, described by numbers, and sums in registers.

A product is computed when the warp group meets at it; fences, groups and waits concern the monitor alone, which looks
for accesses that come too early. Sums are computed in double precision and rounded once. Sources: PTX ISA, section
"Asynchronous warpgroup-level matrix instructions"; the canonical layouts of CUTLASS's descriptors.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.cooperative_threads import current_member
from tvmscript.backends.interp.memory import Pointer
from tvmscript.backends.interp.product_operands import ProductRegisters, SharedOperands
from tvmscript.backends.interp.ptx_matrices import DTYPES
from tvmscript.backends.interp.ptx_operands import Instruction, Registers, parse_call, shared_address
from tvmscript.backends.interp.raw_memory import byte_range, read, write
from tvmscript.backends.interp.teams import Member, Team
from tvmscript.backends.interp.warp_fragments import fragment_places, rounded_to
from tvmscript.backends.runtime.errors import OutOfMemoryRange
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Call, IntImm

_Matrix = npt.NDArray[np.float64]
_GROUP, _WARP, _ROWS = 128, 32, 64
#: what is read at a time, rows of a pattern
_CHUNK, _LINES = 16, 8
#: the two highest bits of a descriptor -> bytes of a row of the pattern; 16: not swizzled
_WIDTHS: Final = (16, 128, 64, 32)
_DESCRIPTOR: Final = DType("uint64")


class MatrixDescriptor(NamedTuple):
    """Where a matrix is in shared memory: addresses and distances in bytes."""

    start: int
    leading: int
    stride: int
    width: int

    @staticmethod
    def from_bits(bits: int) -> MatrixDescriptor:
        """Return what a number describes."""
        start, leading, stride = ((bits >> shift & 0x3FFF) << 4 for shift in (0, 16, 32))
        return MatrixDescriptor(start, leading, stride, _WIDTHS[bits >> 62 & 3])

    def to_bits(self) -> int:
        """Return the number of a descriptor.

        >>> MatrixDescriptor.from_bits(MatrixDescriptor(1024, 16, 1024, 128).to_bits())
        MatrixDescriptor(start=1024, leading=16, stride=1024, width=128)
        """
        fields = (self.start, self.leading, self.stride)
        bits = sum((value >> 4 & 0x3FFF) << shift for value, shift in zip(fields, (0, 16, 32), strict=True))
        return bits | _WIDTHS.index(self.width) << 62

    def address(self, line: int, byte: int, *, is_k_major: bool) -> int:
        """Return where a byte is: of a row if terms are neighbours, otherwise of the rows of a term.

        Rows of swizzled patterns exchange chunks of 16 bytes by the number of the row.

        >>> swizzled = MatrixDescriptor(0, 0, 1024, 128)
        >>> [swizzled.address(line, 0, is_k_major=True) // 16 % 8 for line in range(8)]
        [0, 1, 2, 3, 4, 5, 6, 7]
        """
        block, inner = divmod(line, _LINES)
        part, rest = divmod(byte, self.width)
        if is_k_major:
            place = block * self.stride + inner * self.width + part * self.leading + rest
        else:
            apart = (self.stride, self.leading) if self.width == _CHUNK else (self.leading, self.stride)
            place = part * apart[0] + block * apart[1] + inner * self.width + rest
        address = self.start + place
        return address ^ (address >> 7 & self.width // _CHUNK - 1) << 4


def _read_matrix(
    compiler: Compiler,
    team: Team,
    node: Call,
    bits: int,
    shape: tuple[int, int],
    dtype: DType,
    operands: SharedOperands,
    *,
    is_k_major: bool,
) -> _Matrix:
    """Return a matrix of rows and terms, whose bytes are added to the operands. Raises `OutOfMemoryRange`."""
    descriptor = MatrixDescriptor.from_bits(bits)
    rows, terms = shape
    lines, length = (rows, terms) if is_k_major else (terms, rows)
    count = _CHUNK // dtype.itemsize
    matrix = np.empty((lines, length))
    for column in range(0, length, count):
        for first in range(0, lines, _LINES):
            numbers = [
                descriptor.address(line, column * dtype.itemsize, is_k_major=is_k_major)
                for line in range(first, first + _LINES)
            ]
            pointers = [_locate(team, number, node) for number in numbers]
            for line, pointer in enumerate(pointers, first):
                matrix[line, column : column + count] = read(compiler, pointer, count, dtype)
            if compiler.monitor is not None:
                compiler.monitor.request_rows(pointers[0].memory, [byte_range(each, _CHUNK) for each in pointers])
                for pointer in pointers:
                    operands.add(pointer.memory, pointer.offset)
    return matrix if is_k_major else matrix.T


def _locate(team: Team, number: int, node: Call) -> Pointer:
    """Return the address of a number. Raises `OutOfMemoryRange` where no memory is."""
    pointer = team.pointer_of(number)
    if pointer is None:
        raise OutOfMemoryRange(buffer="shared memory", first=number, last=number + _CHUNK - 1, size=0, span=node.span)
    return pointer


def _encode(compiler: Compiler, node: Call) -> Code:
    """Write the descriptor of a matrix to memory."""
    target, leading, stride, swizzle = (compiler.code(node.args[place]) for place in (0, 2, 3, 4))
    address, slot = shared_address(compiler, node.args[1], node), compiler.member

    def encode(frame: Frame) -> int:
        team = current_member(frame[slot], node).team
        start, mode = team.number_of(address(frame)), swizzle(frame)
        width = _WIDTHS[0 if mode == 0 else 4 - mode]
        bits = MatrixDescriptor(start, leading(frame) << 4, stride(frame) << 4, width).to_bits()
        write(compiler, target(frame), [bits], _DESCRIPTOR)
        return 0

    return encode


def _wgmma(compiler: Compiler, node: Call) -> Code:
    instruction = parse_call(node, "wgmma")
    if instruction is None:
        return unavailable(node)
    if instruction.words[0] != "mma_async":
        return _order_products(compiler, instruction)
    shape = re.fullmatch(r"m64n(\d+)k(\d+)", instruction.modifiers.get("shape") or instruction.words[3])
    names = [DTYPES[word] for word in instruction.words if word in DTYPES]
    if shape is None or len(names) != 3:
        return unavailable(node)
    n, k = int(shape[1]), int(shape[2])
    result, left, right = (DType(name) for name in names)
    operands, slot, rounded = instruction.operands, compiler.member, rounded_to(result)
    sums = Registers(compiler, operands["d"])
    given_a = Registers(compiler, operands["a"]) if "a" in operands else None
    code_a = compiler.code(operands["a_desc"][0]) if given_a is None else None
    code_b, accumulates = compiler.code(operands["b_desc"][0]), compiler.code(operands["scale_d"][0])
    constants = {name: values[0].value for name, values in operands.items() if values and isinstance(values[0], IntImm)}
    exact = int if result.is_integer else float
    scale = constants.get("scale_a", 1) * constants.get("scale_b", 1)
    packed, wide = max(32 // left.bits, 1), max(32 // result.bits, 1)

    def matrix_a(group: list[Member], shared: SharedOperands) -> _Matrix:
        first = group[0]
        if given_a is None:
            is_k_major = not constants.get("trans_a", 0)
            bits: int = first.given[0]
            return _read_matrix(compiler, first.team, node, bits, (_ROWS, k), left, shared, is_k_major=is_k_major)
        matrix = np.empty((_ROWS, k))
        for member in group:
            warp, lane = divmod(member.number % _GROUP, _WARP)
            places = fragment_places(16, lane, 16 * k // _WARP, packed)
            for (row, column), value in zip(places, member.given[0], strict=True):
                matrix[16 * warp + row, column] = value
        return matrix

    def multiply(group: list[Member]) -> None:
        if compiler.monitor is not None:
            compiler.monitor.enter_call(node)
        first, shared = group[0], SharedOperands(_CHUNK)
        is_k_major = not constants.get("trans_b", 0)
        b = _read_matrix(compiler, first.team, node, first.given[1], (n, k), right, shared, is_k_major=is_k_major)
        product = scale * (matrix_a(group, shared) @ b.T)
        for member in group:
            warp, lane = divmod(member.number % _GROUP, _WARP)
            places = fragment_places(16, lane, 16 * n // _WARP, 2)
            rows, columns = np.transpose(places)
            own: list[float] = product[16 * warp + rows, columns].tolist()
            added = member.given[2] or [0] * len(own)
            totals = [rounded(value + exact(each)) for each, value in zip(own, added, strict=True)]
            member.answer = totals, shared

    def run(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        a = given_a.read_bits(frame, left, packed) if given_a is not None else code_a(frame) if code_a else 0
        added = sums.read_bits(frame, result, wide) if accumulates(frame) else None
        totals, shared = member.meet("warp", (node, member.number // _GROUP), multiply, (a, code_b(frame), added))
        if compiler.monitor is not None:
            compiler.monitor.enter_call(node)
            factors = given_a.ranges(frame) if given_a is not None else ()
            registers = ProductRegisters(shape[0], sums.ranges(frame), factors)
            compiler.monitor.start_product(node, registers, shared)
        sums.write_bits(frame, totals, result, wide)
        return 0

    return run


def _order_products(compiler: Compiler, instruction: Instruction) -> Code:
    """Tell the monitor of a fence, of the end of a group, or of waiting for groups."""
    monitor = compiler.monitor
    if monitor is None:
        return lambda frame: 0
    groups = instruction.operands.get("group")
    pending = compiler.code(groups[0]) if groups else lambda frame: 0

    def run(frame: Frame) -> int:
        match instruction.words[0]:
            case "fence":
                monitor.fence_registers()
            case "commit_group":
                monitor.commit_products()
            case _:
                monitor.wait_products(pending(frame))
        return 0

    return run


SPECIAL["tir.ptx.wgmma"] = _wgmma
SPECIAL["tir.cuda.wgmma_encode_matrix_descriptor"] = _encode
