"""Tile registers of AMX: sums of 32 x 32, 16 x 64 or 64 x 16 elements stay in them while terms are added.

The registers 0 to 3 are the buffer of the scope "amx.tmm" that these intrinsics fill, add to and store; 4 to 7 have
parts of A and B. So a function has one such buffer at a time. All registers have 16 rows of 64 bytes
(`backends/llvm/codegen/tile_registers.py`). Rows in memory that cross a cache line take five times as long to load.

Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter 18 (Programming with Intel AMX).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Final

from tvmscript.ir.schedule.intrinsics.builders import (
    Maker,
    buffer,
    call,
    call_stmt,
    copy,
    function,
    load,
    nest,
)
from tvmscript.ir.tir import Buffer, BufferLoad, Cast, Expr, IntImm, Stmt, as_expr
from tvmscript.ir.tir.expr import FloatImm
from tvmscript.ir.tir.stmt import seq
from tvmscript.ir.tir.tensor_intrin import TensorIntrin

#: the scope of sums
SCOPE: Final = "amx.tmm"
#: rows of a register, and their groups of 32 bits
ROWS: Final = 16
#: rows and columns of sums in four registers
SHAPES: Final = ((32, 32), (16, 64), (64, 16))
#: dtypes of A and B -> the instruction that multiplies them
INSTRUCTIONS: Final = {
    ("int8", "int8"): "tdpbssd",
    ("int8", "uint8"): "tdpbsud",
    ("uint8", "int8"): "tdpbusd",
    ("uint8", "uint8"): "tdpbuud",
    ("bfloat16", "bfloat16"): "tdpbf16ps",
}


def _act(name: str, *args: Expr | int) -> Stmt:
    """Construct an instruction; numbers are those of registers."""
    operands = [IntImm("int8", arg) if isinstance(arg, int) else arg for arg in args]
    return call_stmt("call_llvm_intrin", "void", f"llvm.x86.{name}", IntImm("uint32", len(operands)), *operands)


def _move(name: str, register: int, first: BufferLoad, stride: Expr | int) -> Stmt:
    """Load or store a register; `stride` is that of rows, in elements."""
    row_bytes = Cast("int64", as_expr(stride) * (first.dtype.bits // 8))
    return _act(name, register, call("address_of", first), row_bytes)


def _registers(rows: int, lanes: int) -> list[tuple[int, int]]:
    """Return the first row and column of each register of sums."""
    return [*product(range(0, rows, ROWS), range(0, lanes, ROWS))]


def multiply_tiles(rows: int, lanes: int, terms: int, instruction: str, a: Buffer, b: Buffer, _: Buffer) -> Stmt:
    """Add the product of A[rows, 16 * terms] and B[16, lanes, terms] to the sums."""
    stmts: list[Stmt] = []
    for register, (row, lane) in enumerate(_registers(rows, lanes)):
        left, right = 4 + row // ROWS % 2, 6 + lane // ROWS % 2
        if lane == 0:
            stmts.append(_move("tileloadd64", left, load(a, row, 0), a.strides[0]))
        if row == 0:
            stmts.append(_move("tileloadd64", right, load(b, 0, lane, 0), lanes * terms))
        stmts.append(_act(instruction, register, left, right))
    return seq(*stmts)


def fill_tiles(rows: int, lanes: int, dtype: str) -> TensorIntrin:
    """Set sums to 0."""
    c = buffer("C", (rows, lanes), dtype, SCOPE)
    zero = (IntImm if dtype == "int32" else FloatImm)(dtype, 0)
    desc = function((c,), (), (c,), nest((rows, lanes), "SS", "C", lambda i, j: (load(c, i, j), zero)))
    c = buffer("C", (rows, lanes), dtype, SCOPE)
    registers = range(len(_registers(rows, lanes)))
    return TensorIntrin(desc, function((c,), (), (c,), seq(*[_act("tilezero", number) for number in registers])))


def store_tiles(rows: int, lanes: int, dtype: str, memory: str) -> TensorIntrin:
    """Store sums."""

    def buffers() -> tuple[Buffer, Buffer]:
        return buffer("C", (rows, lanes), dtype, SCOPE), buffer("D", (rows, lanes), dtype, memory, 1, is_strided=True)

    c, d = buffers()
    loops = copy((rows, lanes), "D", lambda i, j: (load(d, i, j), load(c, i, j)))
    desc = function((c, d), (c,), (d,), loops)
    c, d = buffers()
    places = enumerate(_registers(rows, lanes))
    stores = [_move("tilestored64", number, load(d, row, lane), d.strides[0]) for number, (row, lane) in places]
    return TensorIntrin(desc, function((c, d), (c,), (d,), seq(*stores)))


def _makers() -> Iterator[tuple[str, Maker]]:
    for (rows, lanes), dtype in product(SHAPES, ("float32", "int32")):
        yield f"amx_fill_{rows}x{lanes}_{dtype}", partial(fill_tiles, rows, lanes, dtype)
        for memory in ("global", "local"):
            yield f"amx_store_{rows}x{lanes}_{dtype}_{memory}", partial(store_tiles, rows, lanes, dtype, memory)


MAKERS: dict[str, Maker] = dict(_makers())
