"""Transposes of square tiles: rows are loaded as vectors and interleaved, instead of gathering columns."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import index_add
from tvmscript.ir.core import on
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.core.visit import leaves, on_every
from tvmscript.ir.tir import BufferLoad, Expr, IntImm, Stmt, TirRewriter, Var
from tvmscript.ir.tir.expr import Ramp, Shuffle
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, BufferStore, LetStmt, SeqStmt

#: lanes of the tiles
_LANES: Final = (4, 8, 16)


class TransposeTiles(TirRewriter):
    """Replace stores of the columns of a square tile by an exchange of lanes between its rows.

    rewrite, for j = 0, 1, 2, 3:
        B[j * 9:j * 9 + 4] = A[T.Ramp(j, 7, 4)]     -->     row: T.float32x4 = A[j * 7:j * 7 + 4]
                                                            ... = T.Shuffle([row, row], [0, 4, 1, 5])
                                                            B[j * 9:j * 9 + 4] = ...
    """

    def __init__(self, memory: dict[Var, bool], model: MachineModel) -> None:
        super().__init__()
        self.model = model
        #: data variables of whole allocations or arguments, and whether no other pointer overlaps them
        self.memory = memory

    @on_every(Expr)
    @leaves
    def expression(self, node: Expr) -> Expr:
        return node

    @on(Allocate, AllocateConst)
    def allocation(self, node: Allocate | AllocateConst) -> Stmt:
        self.memory[node.buffer_var] = True
        stmt: Stmt = self.descend(node)
        return stmt

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        parts: list[Stmt] = []
        place = 0
        while place < len(node.seq):
            lanes = self.tile(node.seq, place)
            if lanes:
                stores = [part for part in node.seq[place : place + lanes] if isinstance(part, BufferStore)]
                parts.append(_transpose(stores, lanes))
            else:
                parts.append(self.rewrite(node.seq[place]))
            place += lanes or 1
        return flatten_seq(tuple(parts), node)

    def tile(self, stmts: tuple[Stmt, ...], place: int) -> int:
        """Return the lanes of the tile whose columns statements store from a place on, 0 where they do not."""
        first = stmts[place]
        column = _column(first)
        if column is None or not isinstance(first, BufferStore):
            return 0
        lanes, buffer = column.dtype.lanes, column.buffer
        if lanes not in _LANES or place + lanes > len(stmts) or 0 < self.model.gathered_bits <= column.dtype.bits:
            return 0
        target = first.buffer.data
        if target is buffer.data or not self.memory.get(target, False):
            return 0
        start, analyzer = column.indices[0], Analyzer()
        assert isinstance(start, Ramp)
        for number, stmt in enumerate(stmts[place : place + lanes]):
            other = _column(stmt)
            if other is None or not isinstance(stmt, BufferStore) or stmt.buffer.data is not target:
                return 0
            index = other.indices[0]
            if other.buffer is not buffer or other.dtype is not column.dtype or not isinstance(index, Ramp):
                return 0
            if not analyzer.can_prove_equal(index.stride, start.stride):
                return 0
            if not analyzer.can_prove_equal(index.base, index_add(start.base, IntImm(start.base.dtype, number))):
                return 0
        return lanes


def _column(stmt: Stmt) -> BufferLoad | None:
    """Return the load of a statement that copies elements at equal distances into consecutive ones."""
    if not isinstance(stmt, BufferStore) or stmt.predicate is not None or len(stmt.indices) != 1:
        return None
    target, value = stmt.indices[0], stmt.value
    if not isinstance(target, Ramp) or not isinstance(target.stride, IntImm) or target.stride.value != 1:
        return None
    if not isinstance(value, BufferLoad) or value.predicate is not None or len(value.indices) != 1:
        return None
    source = value.indices[0]
    is_strided = isinstance(source, Ramp) and isinstance(source.stride, IntImm) and source.stride.value > 1
    is_plain = value.buffer.dtype.lanes == 1 and not value.buffer.strides and stmt.buffer.dtype is value.buffer.dtype
    return value if is_strided and is_plain else None


def _transpose(stores: list[BufferStore], lanes: int) -> Stmt:
    column = stores[0].value
    assert isinstance(column, BufferLoad)
    index = column.indices[0]
    assert isinstance(index, Ramp)
    assert isinstance(index.stride, IntImm)
    dtype, step = index.base.dtype, index.stride.value
    lets: list[tuple[Var, Expr]] = []

    def let(name: str, value: Expr) -> Var:
        lets.append((Var(name, value.dtype), value))
        return lets[-1][0]

    rows: list[Var] = []
    for number in range(lanes):
        base = index_add(index.base, IntImm(dtype, number * step))
        rows.append(let("row", BufferLoad(column.buffer, (Ramp(base, IntImm(dtype, 1), lanes),), span=column.span)))
    half = lanes // 2
    low = [lane // 2 + lane % 2 * lanes for lane in range(lanes)]
    # interleaving rows that are half of the tile apart, as many times as halving it takes, transposes it
    for _ in range(half.bit_length()):
        rows = [
            let("mixed", _shuffle(rows[number // 2], rows[number // 2 + half], low, number % 2 * half))
            for number in range(lanes)
        ]
    body: Stmt = flatten_seq(
        tuple([store.replace(value=row) for store, row in zip(stores, rows, strict=True)]), stores[0]
    )
    for var, value in reversed(lets):
        body = LetStmt(var, value, body, span=stores[0].span)
    return body


def _shuffle(a: Var, b: Var, lanes: list[int], shift: int) -> Expr:
    return Shuffle((a, b), tuple([IntImm("int32", lane + shift) for lane in lanes]))
