"""Matrices in the registers of a warp: which thread holds which elements, their products, and moves to shared memory.

Sources: PTX ISA, sections "mma" and "ldmatrix".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.backends.interp.compiler import Compiler
from tvmscript.backends.interp.memory import Pointer
from tvmscript.backends.interp.raw_memory import byte_range, read, write
from tvmscript.backends.interp.scalars import finisher
from tvmscript.backends.interp.teams import Meeting, Member
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Call

_WARP: Final = 32
#: what `exchange_matrices` moves, whatever it stands for
MATRIX_ELEMENT: Final = DType("uint16")

#: row, column
Place = tuple[int, int]


def rounded_to(dtype: DType) -> Callable[[Any], Any]:
    """Return the function that rounds to a dtype."""
    return finisher(dtype) or (lambda value: value)


def fragment_places(rows: int, lane: int, count: int, packed: int) -> list[Place]:
    """Return the positions in a matrix of the elements that a thread holds, `packed` of them in a register."""
    group, place = divmod(lane, 4)
    above = rows // 8
    return [
        (
            group + 8 * (index // packed % above),
            place * packed + index % packed + 4 * packed * (index // packed // above),
        )
        for index in range(count)
    ]


def multiply_fragments(shape: tuple[int, int, int], packed: int, result: DType) -> Meeting:
    """Return the meeting of a warp that computes a * b + c for a shape (m, n, k) and answers with its elements.

    Threads give their elements of a, b and c; a register has `packed` elements of a or b.
    """
    m, n, k = shape
    rounded = rounded_to(result)
    counts = [m * k // _WARP, n * k // _WARP, m * n // _WARP]

    def multiply(group: list[Member]) -> None:
        a, b, c = [dict[Place, Any]() for _ in range(3)]
        for member in group:
            lane = member.number % _WARP
            own_a, own_b, own_c = member.given
            a.update(zip(fragment_places(m, lane, counts[0], packed), own_a, strict=True))
            # the second operand is given by columns: as rows of its transpose
            b.update(zip(fragment_places(n, lane, counts[1], packed), own_b, strict=True))
            c.update(zip(fragment_places(m, lane, counts[2], 2), own_c, strict=True))
        for member in group:
            member.answer = [
                rounded(c[i, j] + sum([a[i, r] * b[j, r] for r in range(k)]))
                for i, j in fragment_places(m, member.number % _WARP, counts[2], 2)
            ]

    return multiply


def exchange_matrices(compiler: Compiler, node: Call, count: int, *, is_transposed: bool, is_load: bool) -> Meeting:
    """Return the meeting of a warp that loads or stores 8 x 8 matrices.

    A thread gives the address of a row and, to store, its two elements of each matrix.
    """

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
                        loaded += read(compiler, place, 1, MATRIX_ELEMENT)
                    else:
                        write(compiler, place, [member.given[1][matrix * 2 + part]], MATRIX_ELEMENT)
            member.answer = loaded

    return exchange
