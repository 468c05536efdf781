"""Sorts of rows by a network of exchanges in vectors (K. E. Batcher, Sorting Networks and Their Applications, 1968).

Words are rows of as many lanes as a vector has; in order, each lane holds consecutive words, the first lane the least.
So exchanges of a lane are those of whole vectors, and only merges of lanes move words between them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from operator import add
from typing import Final, NamedTuple

from tvmscript.ir.core import Target
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir import EQ, Expr, IntImm, Max, Min, Var, const
from tvmscript.ir.tir.expr import Ramp, Shuffle
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import function
from tvmscript.ir.topi.kernels import scalar

#: bytes of a vector; narrower registers hold parts of it
_BYTES: Final = 64
#: words up to which comparing each with all others is faster than the network
_LEAST: Final = 16
#: words up to which the network, which takes n log(n)^2 exchanges, is faster than digits
_MOST: Final = 1 << 17
#: levels of exchanges between words that stay in registers
_LEVELS: Final = 2
#: levels of rows that stay in the first cache: 256 vectors, 16 KB
_CACHED: Final = 8
#: rows and columns of the greatest tile that is transposed in registers
_TILE: Final = 16


def has_network(bits: int, size: int | None) -> bool:
    """Return whether so many words of some bits are sorted in vectors: on CPUs, which have these."""
    target = Target.current()
    is_gpu = target is not None and "gpu" in target.keys
    return bits in (16, 32, 64) and not is_gpu and size is not None and _LEAST < size <= _MOST


def sort_words(ib: IRBuilder, dtype: DType, size: int, word: Callable[[Expr], Expr]) -> BufferVar:
    """Return words in order: `word(i)` for i below `size`, then words that are not less."""
    lanes = _BYTES // dtype.itemsize
    height = 1 << (-(-size // lanes) - 1).bit_length()
    words = ib.allocate(dtype, (height * lanes,), "words")
    with ib.for_range(0, size, "i") as i:
        words[i] = word(i)
    if size < height * lanes:
        with ib.for_range(size, height * lanes, "i") as i:
            words[i] = IntImm(dtype, dtype.max_value)
    network = _Network(ib, words, height, lanes)
    network.sort()
    return network.transposed()


class _Rows(NamedTuple):
    """Rows that stand one after the other: a part of so many rows."""

    part: Expr
    height: int


class _Network:
    """Exchanges between words in `height` rows of so many lanes, both powers of two."""

    def __init__(self, ib: IRBuilder, words: BufferVar, height: int, lanes: int) -> None:
        self.ib, self.words, self.height, self.lanes = ib, words, height, lanes

    def sort(self) -> None:
        """Merge sorted runs of each lane until these are sorted, then lanes."""
        height = self.height.bit_length() - 1
        cached = min(height, _CACHED)
        with self._parts(cached) as rows:
            self._sort_lanes(cached, rows)
        if cached < height:
            with self.ib.for_range(cached, height, "levels") as levels:
                self._merge_runs(levels + 1 - _LEVELS, _Rows(const(0), self.height))
                self._merge_halves(levels + 1 - _LEVELS)
        merges = self.lanes.bit_length() - 1
        with self.ib.for_range(0, merges, "merge") as merge:
            for number in range(merges):
                with self.ib.if_scope(EQ(merge, const(number))):
                    self._merge_lanes(2 << number)
            self._merge_halves(const(height))

    @contextmanager
    def _parts(self, levels: int) -> Generator[_Rows, None, None]:
        """Return the rows of each part of `1 << levels` rows, one after the other."""
        with self._loop(self.height >> levels, "part", "serial") as part:
            yield _Rows(part, 1 << levels)

    @contextmanager
    def _loop(self, count: int, name: str, kind: str) -> Generator[Expr, None, None]:
        """Return the variable of a loop, 0 where it has one iteration."""
        if count == 1:
            yield const(0)
            return
        with self.ib.for_range(0, count, name, kind=kind) as number:
            yield number

    def _sort_lanes(self, height: int, rows: _Rows) -> None:
        """Sort `1 << height` rows in each lane."""
        first = min(height, _LEVELS)
        with self._each(rows, first) as i:
            places = [(i * (1 << first) + row) * self.lanes for row in range(1 << first)]
            vectors = self._load(places)
            for level in range(first):
                vectors = self._exchange_mirrored(vectors, 1 << first, level)
                vectors = self._exchange_halves(vectors, 1 << first, level)
            self._store(vectors, places)
        if first < height:
            with self.ib.for_range(1, height - first + 1, "levels") as levels:
                self._merge_runs(levels, rows)
                self._merge_cached(levels, height - first, rows)

    def _each(self, rows: _Rows, levels: int) -> AbstractContextManager[Var]:
        """Return the scope of a loop over the numbers of parts of `1 << levels` rows."""
        count = rows.height >> levels
        begin = rows.part * count
        return self.ib.for_range(begin, begin + count, "i")

    def _merge_runs(self, shift: Expr, rows: _Rows) -> None:
        """Exchange the words of runs, from the end of every other one on, and rows at shorter distances."""
        half = 1 << (_LEVELS - 1)
        with self._each(rows, _LEVELS) as i:
            part, place, step = self._place(i, shift, _LEVELS)
            low = self._steps(part + place, step, half)
            high = self._steps(part + (2 * half * step - self.lanes) - place, -step, half)
            places = [*low, *reversed(high)]
            vectors = self._exchange_mirrored(self._load(places), 2 * half, _LEVELS - 1)
            self._store(self._exchange_halves(vectors, 2 * half, _LEVELS - 1), places)

    def _merge_halves(self, levels: Expr) -> None:
        """Exchange rows of all parts of `1 << levels` rows at half the distance each time: long distances first."""
        height = self.height.bit_length() - 1
        if height > _CACHED:
            most = function("max")
            rounds = self.ib.let("rounds", most(levels - (_CACHED - _LEVELS + 1), 0) // _LEVELS)
            self._merge_rounds(rounds, levels, _Rows(const(0), self.height))
            levels = self.ib.let("levels_left", levels - rounds * _LEVELS)
        with self._parts(min(height, _CACHED)) as rows:
            self._merge_cached(levels, min(height, _CACHED), rows)

    def _merge_cached(self, levels: Expr, most: int, rows: _Rows) -> None:
        """Exchange rows of all parts of `1 << levels` rows, at most `1 << most`."""
        if most >= _LEVELS:
            self._merge_rounds(levels // _LEVELS, levels, rows)
        for rest in range(1, min(_LEVELS, most + 1)):
            with self.ib.if_scope(EQ(levels % _LEVELS, const(rest))):
                self._exchange_at(rest, const(0), rows)

    def _merge_rounds(self, rounds: Expr, levels: Expr, rows: _Rows) -> None:
        """Exchange rows at distances of so many levels, but for the last ones that are fewer than stay in registers."""
        with self.ib.for_range(0, rounds, "round") as number:
            self._exchange_at(_LEVELS, levels - _LEVELS * (number + 1), rows)

    def _exchange_at(self, levels: int, shift: Expr, rows: _Rows) -> None:
        """Exchange rows of all parts of `1 << (shift + levels)` rows at half the distance each time."""
        with self._each(rows, levels) as i:
            part, place, step = self._place(i, shift, levels)
            places = self._steps(part + place, step, 1 << levels)
            self._store(self._exchange_halves(self._load(places), 1 << levels, levels), places)

    def _place(self, number: Expr, shift: Expr, levels: int) -> tuple[Expr, Expr, Expr]:
        """Return where the part of `1 << (shift + levels)` rows of a number begins, its place in it, and a step."""
        let, shift_left = self.ib.let, function("shift_left")
        part = let("part", function("shift_right")(number, shift))
        begin = shift_left(part, shift + (levels + self.lanes.bit_length() - 1))
        place = (number - shift_left(part, shift)) * self.lanes
        return begin, place, let("step", shift_left(const(self.lanes), shift))

    def _steps(self, first: Expr, step: Expr, count: int) -> list[Expr]:
        """Return so many places at a distance."""
        at = scalar(self.ib, "int32", "at", first)
        by = scalar(self.ib, "int32", "by", step)
        return [at[0] + number * by[0] for number in range(count)]

    def _rows(self, count: int) -> BufferVar:
        """Return memory for so many rows, which registers hold."""
        return self.ib.allocate(self.words.dtype, (count * self.lanes,), "rows", scope="local")

    def _load(self, places: Sequence[Expr]) -> BufferVar:
        rows = self._rows(len(places))
        for row, place in enumerate(places):
            rows[self._at(const(row * self.lanes))] = self.words[self._at(place)]
        return rows

    def _store(self, rows: BufferVar, places: Sequence[Expr]) -> None:
        for row, place in enumerate(places):
            self.words[self._at(place)] = rows[self._at(const(row * self.lanes))]

    def _at(self, place: Expr) -> Expr:
        return _consecutive(place, self.lanes)

    def _exchange_mirrored(self, rows: BufferVar, count: int, level: int) -> BufferVar:
        """Exchange rows of runs of `1 << level`, from the end of every other run on."""
        run = 1 << level
        return self._exchange(rows, count, 2 * run, lambda place: 2 * run - 1 - place)

    def _exchange_halves(self, rows: BufferVar, count: int, levels: int) -> BufferVar:
        """Exchange rows at the distance `1 << (levels - 1)`, half of it, and so on."""
        for level in reversed(range(levels)):
            rows = self._exchange(rows, count, 2 << level, partial(add, 1 << level))
        return rows

    def _exchange(self, rows: BufferVar, count: int, size: int, partner: Callable[[Expr], Expr]) -> BufferVar:
        """Return rows after exchanges of the first ones of each part of a size with their partners."""
        exchanged = self._rows(count)
        for is_low in (True, False):
            with (
                self._loop(count // size, "part", "unroll") as part,
                self._loop(size // 2, "row", "unroll") as row,
            ):
                low, high = (self._at((part * size + place) * self.lanes) for place in (row, partner(row)))
                op, place = (Min, low) if is_low else (Max, high)
                exchanged[place] = op(rows[low], rows[high])
        return exchanged

    def _merge_lanes(self, group: int) -> None:
        """Merge pairs of groups of sorted lanes: exchange lanes of rows, and of those from the end on."""
        with self.ib.for_range(0, max(self.height // 2, 1), "i") as i:
            places = [i * self.lanes, (self.height - 1 - i) * self.lanes][: self.height]
            others = range(len(places))
            mirrored = [lane ^ (group - 1) for lane in range(self.lanes)]
            rows = self._exchange_lanes(self._load(places), [*reversed(others)], mirrored)
            distance = group // 4
            while distance >= 1:
                rows = self._exchange_lanes(rows, others, [lane ^ distance for lane in range(self.lanes)])
                distance //= 2
            self._store(rows, places)

    def _exchange_lanes(self, rows: BufferVar, others: Sequence[int], partners: Sequence[int]) -> BufferVar:
        """Return rows after exchanges of each with lanes of another one: a lane is low before its partner."""
        exchanged = self._rows(len(others))
        chosen = [lane + self.lanes * (partner < lane) for lane, partner in enumerate(partners)]
        for row, other in enumerate(others):
            own = rows[self._at(const(row * self.lanes))]
            across = _shuffle((rows[self._at(const(other * self.lanes))],), partners)
            exchanged[self._at(const(row * self.lanes))] = _shuffle((Min(own, across), Max(own, across)), chosen)
        return exchanged

    def transposed(self) -> BufferVar:
        """Return the words of one lane after the other."""
        in_order = self.ib.allocate(self.words.dtype, (self.height * self.lanes,), "in_order")
        size = min(self.height, self.lanes, _TILE)
        with (
            self._loop(self.height // size, "part", "serial") as part,
            self._loop(self.lanes // size, "columns", "serial") as columns,
        ):
            for number in range(size):
                lane = columns * size + number
                first = part * (size * self.lanes) + lane
                places = first if size == 1 else Ramp(first, IntImm("int32", self.lanes), size)
                in_order[_consecutive(lane * self.height + part * size, size)] = self.words[places]
        return in_order


def _shuffle(vectors: tuple[Expr, ...], lanes: Sequence[int]) -> Shuffle:
    return Shuffle(vectors, tuple([IntImm("int32", lane) for lane in lanes]))


def _consecutive(start: Expr, count: int) -> Expr:
    return start if count == 1 else Ramp(start, IntImm("int32", 1), count)
