"""Transposes of tiles: rows are loaded as vectors and interleaved, instead of gathering columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tvmscript.backends.llvm.codegen.memory_rewriter import MemoryRewriter
from tvmscript.backends.llvm.codegen.square_transposes import COLUMN, TRANSPOSE, exchanges
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import index_add
from tvmscript.ir.core import nodes, on, structural_equal
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.tir import BufferLoad, Expr, IntImm, Stmt, Var
from tvmscript.ir.tir.expr import LT, Broadcast, Call, Ramp, Shuffle
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import BufferStore, IfThenElse, LetStmt, SeqStmt

#: lanes of square tiles, and the fewest rows and columns of others
_LANES: Final = (4, 8, 16)
_LEAST: Final = 4
#: lanes of the least squares that a routine transposes, a few shuffles are written in place
_LEAST_CALLED: Final = 8
#: bytes of the elements that processors with masks load and store in part, those with mask registers any
_MASKED_BYTES: Final = (4, 8)


@dataclass(frozen=True)
class _Tile:
    """Statements that store columns of a tile: as many as `columns`, of `rows` elements each."""

    stores: tuple[BufferStore, ...]
    rows: int

    @property
    def columns(self) -> int:
        return len(self.stores)

    @property
    def lanes(self) -> int:
        """The size of the least square of a power of two around the tile."""
        return 1 << (max(self.rows, self.columns) - 1).bit_length()

    def repaired_stores(self) -> list[bool]:
        """Return for each store whether the next one replaces what it writes behind its rows without a mask."""
        if self.lanes > 2 * self.rows:
            return [False] * self.columns
        bases = [index.base for store in self.stores for index in store.indices if isinstance(index, Ramp)]
        rows, analyzer = IntImm(bases[0].dtype, self.rows), Analyzer()
        pairs = pairwise(bases)
        return [*(analyzer.can_prove_equal(index_add(base, rows), following) for base, following in pairs), False]


class TransposeTiles(MemoryRewriter):
    """Replace stores of the columns of a tile by an exchange of lanes between its rows.

    Tiles that are not square are completed to squares by masks, where the processor has them. Where columns are stored
    under one condition, and other values otherwise, the condition is tested once.

    rewrite, for j = 0, 1, 2, 3:
        B[j * 9:j * 9 + 4] = A[T.Ramp(j, 7, 4)]     -->     row: T.float32x4 = A[j * 7:j * 7 + 4]
                                                            ... = T.Shuffle([row, row], [0, 4, 1, 5])
                                                            B[j * 9:j * 9 + 4] = ...
    """

    def __init__(self, memory: dict[Var, bool], model: MachineModel, *, has_routines: bool) -> None:
        super().__init__(memory)
        self.model = model
        #: whether registers pass the rows of a square to a function, and its columns back
        self.has_routines = has_routines

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        parts: list[Stmt] = []
        place = 0
        while place < len(node.seq):
            tile, choices = self.tile(node.seq, place), _choices(node.seq, place)
            if tile is not None:
                parts.append(self.transpose(tile))
                place += tile.columns
            elif choices is not None and self.tile(choices.chosen, 0) is not None:
                chosen = self.rewrite(flatten_seq(choices.chosen, node))
                parts.append(IfThenElse(choices.condition, chosen, flatten_seq(choices.others, node), span=node.span))
                place += len(choices.chosen)
            else:
                parts.append(self.rewrite(node.seq[place]))
                place += 1
        return flatten_seq(tuple(parts), node)

    def tile(self, stmts: tuple[Stmt, ...], place: int) -> _Tile | None:
        """Return the tile whose columns statements store from a place on, None where they do not."""
        column = _column(stmts[place])
        if column is None:
            return None
        rows, size = column.dtype.lanes, column.dtype.bits // 8
        widest = min(self.model.lanes(max(size, 1)), _LANES[-1])
        has_masks = (self.model.has_mask_registers and size > 0) or (self.model.has_masks and size in _MASKED_BYTES)
        has_masks = has_masks and _LEAST <= rows <= widest
        if rows not in _LANES and not has_masks:
            return None
        most = rows if rows in _LANES else widest
        tile = _Tile(tuple(self.columns(stmts[place : place + most], column)), rows)
        is_square = rows in _LANES and tile.columns == rows
        return tile if is_square or (has_masks and tile.columns >= _LEAST) else None

    def columns(self, stmts: tuple[Stmt, ...], first: BufferLoad) -> list[BufferStore]:
        """Return the first statements that store consecutive columns."""
        stores: list[BufferStore] = []
        start, buffer, analyzer = first.indices[0], first.buffer, Analyzer()
        assert isinstance(start, Ramp)
        for number, stmt in enumerate(stmts):
            column = _column(stmt)
            if column is None or not isinstance(stmt, BufferStore):
                break
            index, target = column.indices[0], stmt.buffer.data
            if target is buffer.data or not self.memory.get(target, False):
                break
            if column.buffer is not buffer or (stores and target is not stores[0].buffer.data):
                break
            if column.dtype is not first.dtype or not isinstance(index, Ramp):
                break
            if not analyzer.can_prove_equal(index.stride, start.stride):
                break
            if not analyzer.can_prove_equal(index.base, index_add(start.base, IntImm(start.base.dtype, number))):
                break
            stores.append(stmt)
        return stores

    def transpose(self, tile: _Tile) -> Stmt:
        """Return the statements that store a tile."""
        column = tile.stores[0].value
        assert isinstance(column, BufferLoad)
        index, lanes = column.indices[0], tile.lanes
        assert isinstance(index, Ramp)
        assert isinstance(index.stride, IntImm)
        dtype, step = index.base.dtype, index.stride.value
        lets: list[tuple[Var, Expr]] = []

        def let(name: str, value: Expr) -> Var:
            lets.append((Var(name, value.dtype), value))
            return lets[-1][0]

        def consecutive(start: Expr) -> Ramp:
            return Ramp(start, IntImm(dtype, 1), lanes)

        mask = _mask(tile.columns, lanes)
        rows: list[Var] = []
        for number in range(tile.rows):
            place = consecutive(index_add(index.base, IntImm(dtype, number * step)))
            rows.append(let("row", BufferLoad(column.buffer, (place,), mask, span=column.span)))
        columns: Sequence[Expr]
        if self.has_routines and lanes >= _LEAST_CALLED and not column.dtype.is_bool:
            columns = _call_routine(rows, let)
        else:
            columns = _shuffle_rows(rows + [rows[-1]] * (lanes - tile.rows), let)
        mask = _mask(tile.rows, lanes)
        stores: list[Stmt] = []
        for store, value, is_repaired in zip(tile.stores, columns, tile.repaired_stores(), strict=False):
            (target,) = store.indices
            assert isinstance(target, Ramp)
            predicate = None if is_repaired else mask
            stores.append(store.replace(value=value, indices=(consecutive(target.base),), predicate=predicate))
        body: Stmt = flatten_seq(tuple(stores), tile.stores[0])
        for var, value in reversed(lets):
            body = LetStmt(var, value, body, span=tile.stores[0].span)
        return body


@dataclass(frozen=True)
class _Choices:
    """Statements that store one of two values, all under the same condition: those that store either of them."""

    condition: Expr
    chosen: tuple[Stmt, ...]
    others: tuple[Stmt, ...]


def _choices(stmts: tuple[Stmt, ...], place: int) -> _Choices | None:
    """Return the statements from a place on that choose what they store under one condition, None if there are none."""
    chosen: list[Stmt] = []
    others: list[Stmt] = []
    condition: Expr | None = None
    for stmt in stmts[place:]:
        value = stmt.value if isinstance(stmt, BufferStore) else None
        if not isinstance(value, Call) or value.op is not if_then_else_:
            break
        test, *values = value.args
        if (
            condition is None
            and not test.dtype.is_vector
            and not any(isinstance(p, (BufferLoad, Call)) for p in nodes(test))
        ):
            condition = test
        if condition is None or not structural_equal(test, condition):
            break
        for stores, each in zip((chosen, others), values, strict=True):
            stores.append(stmt.replace(value=each))
    return None if condition is None else _Choices(condition, tuple(chosen), tuple(others))


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


def _shuffle_rows(rows: list[Var], let: Callable[[str, Expr], Var]) -> list[Var]:
    """Return the columns of a square as shuffles of its rows."""
    dtype = rows[0].dtype
    for distance, low, high in exchanges(dtype):
        rows = [
            let(
                "mixed", _shuffle(rows[number & ~distance], rows[number | distance], high if number & distance else low)
            )
            for number in range(dtype.lanes)
        ]
    return rows


def _call_routine(rows: list[Var], let: Callable[[str, Expr], Var]) -> list[Call]:
    """Return the columns of a square as results of a routine."""
    dtype = rows[0].dtype
    square = let("square", Call("handle", TRANSPOSE, tuple(rows)))
    return [Call(dtype, COLUMN, (square, IntImm("int32", number))) for number in range(dtype.lanes)]


def _mask(count: int, lanes: int) -> Expr | None:
    """Return the mask of the first lanes, None for all."""
    zero, one = IntImm("int32", 0), IntImm("int32", 1)
    return None if count == lanes else LT(Ramp(zero, one, lanes), Broadcast(IntImm("int32", count), lanes))


def _shuffle(a: Var, b: Var, lanes: list[int]) -> Expr:
    return Shuffle((a, b), tuple([IntImm("int32", lane) for lane in lanes]))
