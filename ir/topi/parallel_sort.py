"""Sorts of long rows for GPUs: a kernel a step, in which each element finds its place by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from tvmscript.ir.core import Target
from tvmscript.ir.te.tensor import Extent
from tvmscript.ir.tir import Expr, Not, Select, as_expr, const
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import function, known_int
from tvmscript.ir.topi.kernels import scalar

#: elements up to which a row is sorted by one thread
_SHORT_ROW: Final = 64
#: elements of the runs in which each element is compared with all others
_RUN: Final = 32

#: row, position in it -> the key of an element
RowKey = Callable[[Expr, Expr], Expr]
#: whether an element must be before another
Precedes = Callable[[Expr, Expr], Expr]


class SortedRows(NamedTuple):
    """Rows that are sorted: keys and positions of all rows, one row after the other."""

    keys: BufferVar
    order: BufferVar


def sorts_in_parallel(extent: int | None) -> bool:
    """Return whether rows of a length are sorted by steps that all elements take at once: on GPUs, where they are long.

    Rows of unknown length are, too.
    """
    target = Target.current()
    return target is not None and "gpu" in target.keys and (extent is None or extent > _SHORT_ROW)


def sort_rows(
    ib: IRBuilder, rows: Extent, extent: Expr, count_of: Callable[[Expr], Expr], key: RowKey, precedes: Precedes
) -> SortedRows:
    """Emit the stable sort of the first `count_of(row)` elements of each row; others stay.

    An element of a run counts those that are before it. Then pairs of sorted runs are merged: an element finds its rank
    in the other run by bisection (D. E. Knuth, The Art of Computer Programming, 5.2 and 5.2.4). Of rows of unknown
    length, a loop merges twice in each iteration: from one array into another and back.
    """
    zero = const(0, "int32")
    length = known_int(extent)
    extent = extent.astype("int32")
    size = as_expr(rows).astype("int32") * extent
    kind = key(zero, zero).dtype
    source = SortedRows(ib.allocate(kind, (size,), "keys"), ib.allocate("int32", (size,), "order"))
    target = SortedRows(ib.allocate(kind, (size,), "merged_keys"), ib.allocate("int32", (size,), "merged"))
    steps = _Steps(ib, size, extent, count_of, precedes)
    with ib.for_range(0, size, "i", kind="parallel") as i:
        row = ib.let("row", i // extent)
        source.keys[i] = key(row, i - row * extent)
        source.order[i] = i - row * extent
    steps.sort_runs(source, target)
    source, target = target, source
    width = _RUN
    if length is None:
        most = function("max")
        # the bits of the last position, without those of positions in a run
        merges = most(32 - function("clz")(most(extent - 1, 1)) - (_RUN - 1).bit_length(), 0)
        with ib.for_range(0, (merges + 1) // 2, "step") as step:
            steps.merge(source, target, as_expr(_RUN) << (step * 2))
            steps.merge(target, source, as_expr(2 * _RUN) << (step * 2))
        return source
    while width < length:
        steps.merge(source, target, as_expr(width))
        source, target = target, source
        width *= 2
    return source


class _Steps(NamedTuple):
    """Emits the steps of a sort; `size` is the number of elements of all rows."""

    ib: IRBuilder
    size: Expr
    extent: Expr
    count_of: Callable[[Expr], Expr]
    precedes: Precedes

    def _places(self, i: Expr) -> tuple[Expr, Expr, Expr]:
        """Return where the row of an element begins, its place in the row, and how many elements are sorted."""
        row = self.ib.let("row", i // self.extent)
        begin = self.ib.let("begin", row * self.extent)
        return begin, self.ib.let("place", i - begin), self.ib.let("count", self.count_of(row).astype("int32"))

    def _move(self, source: SortedRows, target: SortedRows, i: Expr, moved: Expr, place: Expr) -> None:
        """Store an element at its new place; elements that are not sorted stay."""
        new_place = self.ib.let("new_place", Select(moved, place, i))
        for old, new in zip(source, target, strict=True):
            new[new_place] = old[i]

    def sort_runs(self, source: SortedRows, target: SortedRows) -> None:
        """Sort runs: the rank of an element is the number of those before it."""
        ib, least = self.ib, function("min")
        with ib.for_range(0, self.size, "i", kind="parallel") as i:
            begin, place, count = self._places(i)
            first = ib.let("first", place - place % _RUN)
            rank = scalar(ib, "int32", "rank", 0)
            own = ib.let("own", source.keys[i])
            with ib.for_range(0, function("max")(least(first + _RUN, count) - first, 0), "k") as k:
                other = ib.let("other", source.keys[begin + first + k])
                is_tie = function("all")(first + k < place, Not(self.precedes(own, other)))
                rank[0] = rank[0] + function("any")(self.precedes(other, own), is_tie).astype("int32")
            self._move(source, target, i, place < count, begin + first + rank[0])

    def merge(self, source: SortedRows, target: SortedRows, width: Expr) -> None:
        """Merge pairs of runs of a width."""
        ib, least = self.ib, function("min")
        with ib.for_range(0, self.size, "i", kind="parallel") as i:
            begin, place, count = self._places(i)
            first = ib.let("first", place - place % (2 * width))
            middle = ib.let("middle", least(first + width, count))
            is_left = ib.let("is_left", place < middle)
            low = scalar(ib, "int32", "low", Select(is_left, middle, first))
            high = scalar(ib, "int32", "high", Select(is_left, least(first + 2 * width, count), middle))
            other_first = ib.let("other_first", low[0])
            own = ib.let("own", source.keys[i])
            with ib.while_loop(low[0] < high[0]):
                half = ib.let("half", (low[0] + high[0]) >> 1)
                other = ib.let("other", source.keys[begin + half])
                # of equal elements those of the first run are first
                is_before = Select(is_left, self.precedes(other, own), Not(self.precedes(own, other)))
                with ib.if_scope(is_before):
                    low[0] = half + 1
                with ib.else_scope():
                    high[0] = half
            own_rank = place - Select(is_left, first, middle)
            self._move(source, target, i, place < count, begin + first + own_rank + low[0] - other_first)


def store_rows(
    ib: IRBuilder,
    rows: Extent,
    length: Extent,
    extent: Expr,
    store: Callable[[Expr, Expr, Expr], None],
    sorted_rows: SortedRows,
) -> None:
    """Emit the stores of the first elements of each row: `store(row, place, position)`."""
    wanted = as_expr(length).astype("int32")
    with ib.for_range(0, as_expr(rows).astype("int32") * wanted, "k", kind="parallel") as k:
        row = ib.let("row", k // wanted)
        place = ib.let("place", k - row * wanted)
        position = ib.let("position", sorted_rows.order[row * extent.astype("int32") + place])
        store(row, place, position)
