"""Tensor cores: matrix products on fragments in the registers of a warp.

A wmma fragment is the whole matrix in row-major order in each thread: programs cannot observe which register holds
which element. For `mma` and `ldmatrix` the mapping is defined: threads of a warp synchronize and exchange elements.
Sums are computed in double precision and rounded once; hardware may round differently.
"""

from __future__ import annotations

import re
from typing import Any, Final

from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.cooperative_threads import current_member
from tvmscript.backends.interp.memory import Pointer, codec
from tvmscript.backends.interp.raw_memory import offset_pointer, pointee_dtype, read, write
from tvmscript.backends.interp.warp_fragments import (
    MATRIX_ELEMENT,
    exchange_matrices,
    fragment_places,
    multiply_fragments,
    rounded_to,
)
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Call, IntImm, StringImm, Var
from tvmscript.ir.transform.tensor_cores.common.fragments import Fragment

_WARP: Final = 32
#: PTX's names of dtypes
_DTYPES: Final = {
    "fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "tf32": "float32", "fp64": "float64",
    "int8": "int8", "uint8": "uint8", "int32": "int32", "e4m3": "e4m3_float8", "e5m2": "e5m2_float8",
}  # fmt: skip

# fragments


def _sized(fragment: Fragment) -> tuple[int, int]:
    sizes = {"wmma.matrix_a": (fragment.m, fragment.k), "wmma.matrix_b": (fragment.k, fragment.n)}
    return sizes.get(fragment.scope, (fragment.m, fragment.n))


def _fragment_of(compiler: Compiler, data: object) -> Fragment | None:
    return compiler.fragments.get(data) if isinstance(data, Var) else None


def _matrix(compiler: Compiler, data: Any, index: Any, fragment: Fragment) -> tuple[Code, DType]:
    """Return code for the address of a fragment in its memory, and its dtype."""
    dtype = pointee_dtype(data, DType("float32"))
    start, number, size = compiler.code(data), compiler.code(index), codec(dtype).size * fragment.size

    def address(frame: Frame) -> Pointer:
        memory, begin = start(frame)
        return Pointer(memory, begin + number(frame) * size)

    return address, dtype


def _fill(compiler: Compiler, node: Call) -> Code:
    data, *_, index, value = node.args
    fragment = _fragment_of(compiler, data)
    if fragment is None:
        return unavailable(node)
    address, dtype = _matrix(compiler, data, index, fragment)
    filled, count = compiler.code(value), fragment.size

    def fill(frame: Frame) -> int:
        write(compiler, address(frame), [filled(frame)] * count, dtype)
        return 0

    return fill


def _move(compiler: Compiler, node: Call) -> Code:
    """Load or store a fragment: rows, or columns, that are `stride` elements apart in memory."""
    data, _, _, _, index, pointer, stride, layout = node.args
    fragment = _fragment_of(compiler, data)
    if fragment is None or not isinstance(layout, StringImm):
        return unavailable(node)
    address, dtype = _matrix(compiler, data, index, fragment)
    outside, apart = compiler.code(pointer), compiler.code(stride)
    rows, columns = _sized(fragment)
    by_rows = layout.value == "row_major"
    is_load = getattr(node.op, "name", "") == "tir.tvm_load_matrix_sync"
    size = codec(dtype).size
    lines, length = (rows, columns) if by_rows else (columns, rows)

    def move(frame: Frame) -> int:
        step = apart(frame) * size
        memory, begin = outside(frame)
        places = [Pointer(memory, begin + line * step) for line in range(lines)]
        if is_load:
            _observe_rows(compiler, frame, places, length * size)
            rows_of_places = [read(compiler, place, length, dtype) for place in places]
            flat = [
                rows_of_places[row][column] if by_rows else rows_of_places[column][row]
                for row in range(rows)
                for column in range(columns)
            ]
            write(compiler, address(frame), flat, dtype)
            return 0
        whole = read(compiler, address(frame), rows * columns, dtype)
        for line, place in enumerate(places):
            part = whole[line * columns : (line + 1) * columns] if by_rows else whole[line::columns]
            write(compiler, place, part, dtype)
        return 0

    return move


def _observe_rows(compiler: Compiler, frame: Frame, places: list[Pointer], width: int) -> None:
    """Tell the monitor of the rows that a warp loads, eight rows of 16 bytes at a time."""
    monitor, member = compiler.monitor, frame[compiler.member]
    if monitor is None or member is None or member.number % _WARP:
        return
    for first in range(0, len(places), 8):
        for start in range(0, width, 16):
            rows = [range(place.offset + start, place.offset + start + 16) for place in places[first : first + 8]]
            monitor.request_rows(places[0].memory, rows)


def _multiply(compiler: Compiler, node: Call) -> Code:
    """Compute d = a * b + c on whole matrices."""
    candidates = [_fragment_of(compiler, node.args[position]) for position in (0, 2, 4, 6)]
    fragments = [fragment for fragment in candidates if fragment is not None]
    if len(fragments) != 4:
        return unavailable(node)
    parts = [
        _matrix(compiler, node.args[2 * number], node.args[2 * number + 1], fragment)
        for number, fragment in enumerate(fragments)
    ]
    m, n, k = fragments[0].shape
    (target, result), (left, left_dtype), (right, right_dtype), (added, added_dtype) = parts
    rounded = rounded_to(result)

    def multiply(frame: Frame) -> int:
        a, b = read(compiler, left(frame), m * k, left_dtype), read(compiler, right(frame), k * n, right_dtype)
        c = read(compiler, added(frame), m * n, added_dtype)
        product = [
            rounded(c[i * n + j] + sum([a[i * k + r] * b[r * n + j] for r in range(k)]))
            for i in range(m)
            for j in range(n)
        ]
        write(compiler, target(frame), product, result)
        return 0

    return multiply


# instructions of PTX


def _mma(compiler: Compiler, node: Call) -> Code:
    """Compute d = a * b + c, where d is c, on matrices in the registers of the warp."""
    words = [arg.value if isinstance(arg, StringImm) else "" for arg in node.args[:6]]
    shape = re.fullmatch(r"m(8|16)n8k(\d+)", words[0])
    names = [_DTYPES.get(word) for word in words[3:6]]
    is_special = words[0] == "m8n8k4" and words[3] != "fp64"
    if shape is None or None in names or words[1:3] != ["row", "col"] or is_special:
        return unavailable(node)
    m, n, k = int(shape[1]), 8, int(shape[2])
    left, right, result = [DType(str(name)) for name in names]
    packed = max(32 // left.bits, 1)
    counts = [m * k // _WARP, n * k // _WARP, m * n // _WARP]
    addresses = [
        offset_pointer(compiler, node.args[position], node.args[position + 1], dtype)
        for position, dtype in ((6, left), (8, right), (10, result))
    ]
    slot, multiply = compiler.member, multiply_fragments((m, n, k), packed, result)

    def run(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        pointers = [address(frame) for address in addresses]
        given = [
            read(compiler, pointer, count, dtype)
            for pointer, count, dtype in zip(pointers, counts, (left, right, result), strict=True)
        ]
        write(compiler, pointers[2], member.meet("warp", (node, member.number // _WARP), multiply, given), result)
        return 0

    return run


def _ldmatrix(compiler: Compiler, node: Call) -> Code:
    """Load matrices of 8 x 8 16-bit elements: a thread gives the address of a row, and gets two elements of each."""
    transposed, number, _, local, local_offset, shared, shared_offset = node.args[:7]
    if (
        not isinstance(transposed, IntImm)
        or not isinstance(number, IntImm)
        or (transposed.value and node.dtype.bits != 16)
    ):
        return unavailable(node)
    count, is_transposed, slot = number.value, bool(transposed.value), compiler.member
    target = offset_pointer(compiler, local, local_offset, node.dtype)
    source = offset_pointer(compiler, shared, shared_offset, node.dtype)
    exchange = exchange_matrices(compiler, node, count, is_transposed=is_transposed, is_load=True)

    def load(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        loaded = member.meet("warp", (node, member.number // _WARP), exchange, (source(frame), []))
        write(compiler, target(frame), loaded, MATRIX_ELEMENT)
        return 0

    return load


def _mma_fill(compiler: Compiler, node: Call) -> Code:
    size, local, offset = node.args
    target, count, dtype = offset_pointer(compiler, local, offset, node.dtype), compiler.code(size), node.dtype

    def fill(frame: Frame) -> int:
        write(compiler, target(frame), [0] * count(frame), dtype)
        return 0

    return fill


def _mma_store(compiler: Compiler, node: Call) -> Code:
    """Store a 16 x 16 accumulator, which consists of two of 16 x 8."""
    m, n, target, source, offset, stride = node.args
    sizes = [size.value for size in (m, n) if isinstance(size, IntImm)]
    if sizes != [16, 16]:
        return unavailable(node)
    outside, apart = compiler.code(target), compiler.code(stride)
    registers, slot, dtype = offset_pointer(compiler, source, offset, node.dtype), compiler.member, node.dtype
    size = codec(dtype).size

    def store(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        memory, begin = outside(frame)
        step = apart(frame)
        for number, value in enumerate(read(compiler, registers(frame), 8, dtype)):
            ((row, column),) = fragment_places(16, member.number % _WARP, number % 4 + 1, 2)[-1:]
            place = begin + (row * step + column + number // 4 * 8) * size
            write(compiler, Pointer(memory, place), [value], dtype)
        return 0

    return store


SPECIAL["tir.tvm_fill_fragment"] = _fill
SPECIAL["tir.tvm_load_matrix_sync"] = _move
SPECIAL["tir.tvm_store_matrix_sync"] = _move
SPECIAL["tir.tvm_mma_sync"] = _multiply
SPECIAL["tir.ptx_mma"] = _mma
SPECIAL["tir.ptx_ldmatrix"] = _ldmatrix
SPECIAL["tir.mma_fill"] = _mma_fill
SPECIAL["tir.mma_store"] = _mma_store
