"""Sampling of numbers, with recorded decisions: sample_categorical, sample_perfect_tile, sample_partitioned_tile."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tvmscript.ir.core import Node
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_engine import RandomEngine
from tvmscript.ir.schedule.random_variables import ExprRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.tir import For, IntImm


class InvalidSampleError(ScheduleError, code="TS4157"):
    """The arguments of a sampling primitive, or a given decision, are invalid."""

    message = "{why}"


#: limit of the number of factors
_MAX_FACTORS = 4096


class Sampling(Recorder):
    """Sampling."""

    def seed(self, seed: int | None) -> None:
        """Seed the random generator; None and -1 choose a random seed.

        Seeds are reduced modulo 2**31 - 1, and 0 becomes 1, as in TVM. Raises `InvalidSampleError`.
        """
        if seed is not None and seed < -1:
            raise InvalidSampleError(why=f"the seed {seed} is negative")
        self.random = RandomEngine(None if seed == -1 else seed)

    def fork_seed(self) -> int:
        """Return a seed for another schedule with independent samples."""
        return self.random.fork()

    @primitive("SampleCategorical", attrs=("candidates", "probs"), pure=True, decides=True)
    def sample_categorical(
        self, candidates: Sequence[int], probs: Sequence[float], decision: int | None = None
    ) -> ExprRV:
        """Sample one of the candidates; `decision` is the index of a given choice.

        Raises `InvalidSampleError`.
        """
        _require(
            len(candidates) == len(probs),
            f"probs must have one entry for each of the {len(candidates)} candidates, but has {len(probs)}",
        )
        _require(len(candidates) > 0, "candidates must not be empty")
        place = self.random.index(probs) if decision is None else int(decision)
        _require(0 <= place < len(candidates), f"decision {place} is out of range for {len(candidates)} candidates")
        self.decision = place
        return self.new_number(int(candidates[place]))

    @primitive(
        "SamplePerfectTile", inputs=("loop",), attrs=("n", "max_innermost_factor"), pure=True, decides=True
    )  # fmt: skip
    def sample_perfect_tile(
        self, loop: LoopRV, n: int, max_innermost_factor: int = 16, decision: Sequence[int] | None = None
    ) -> list[ExprRV]:
        """Sample `n` factors of the extent of a loop; the innermost is at most `max_innermost_factor` (-1: unlimited).

        A given decision is adjusted to divide the extent. For a symbolic extent the first factor is -1, the others are
        1. Raises `InvalidSampleError`.
        """
        stmt = self.loop(loop).loop
        extent = _extent(stmt)
        _require(n <= _MAX_FACTORS, f"the number of factors must be from 1 to {_MAX_FACTORS}, not {n}", [stmt])
        if extent is None:
            tile = [-1, *[1] * (n - 1)]
        elif decision is not None:
            tile = _fit_decision(extent, decision)
        else:
            _require_iterations(stmt, extent)
            tile = self._perfect_tile(stmt, extent, n, max_innermost_factor)
        self.decision = tile
        return [self.new_number(factor) for factor in tile]

    def _perfect_tile(self, loop: For, extent: int, n: int, limit: int) -> list[int]:
        at = [loop]
        if limit == -1:
            _require(n >= 1, f"the number of factors must be from 1 to {_MAX_FACTORS}, not {n}", at)
            return self.random.tile(extent, n)
        _require(n >= 2, f"n must be at least 2 with max_innermost_factor, not {n}", at)
        _require(limit >= 1, f"max_innermost_factor must be positive or -1, not {limit}", at)
        while (tile := self.random.tile(extent, n))[-1] > limit:
            pass
        return tile

    @primitive(
        "SamplePartitionedTile",
        inputs=("loop",),
        attrs=("n", "partition_pos", "innerpart_factor"),
        pure=True,
        decides=True,
    )
    def sample_partitioned_tile(
        self,
        loop: LoopRV,
        n: int,
        partition_pos: int = 0,
        innerpart_factor: int = 1,
        decision: Sequence[int] | None = None,
    ) -> list[ExprRV]:
        """Sample `n` factors of the extent of a loop; the product of those from `partition_pos` on is a multiple of
        `innerpart_factor`.

        If there are none, or the extent is symbolic, the first factor is -1, the others are 1. An invalid decision is
        replaced. Raises `InvalidSampleError`.
        """
        stmt = self.loop(loop).loop
        extent = _extent(stmt)
        _require(1 <= n <= _MAX_FACTORS, f"the number of factors must be from 1 to {_MAX_FACTORS}, not {n}", [stmt])
        _require(innerpart_factor >= 1, f"innerpart_factor must be positive, not {innerpart_factor}", [stmt])
        is_possible = 0 <= partition_pos < n or innerpart_factor == 1
        _require(is_possible, f"partition_pos {partition_pos} is out of range for {n} factors", [stmt])
        if extent is None or extent % innerpart_factor:
            tile = [-1, *[1] * (n - 1)]
        elif decision is None:
            _require_iterations(stmt, extent)
            tile = self.random.tile(extent, n)
            while math.prod(tile[partition_pos:]) % innerpart_factor:
                tile = self.random.tile(extent, n)
        elif math.prod(decision[partition_pos:]) % innerpart_factor == 0:
            tile = _fit_decision(extent, decision)
        else:
            tile = [1] * n
            tile[0] = extent // innerpart_factor
            tile[partition_pos] *= innerpart_factor
        self.decision = tile
        return [self.new_number(factor) for factor in tile]


def _require(holds: bool, why: str, at: Sequence[Node] = ()) -> None:
    if not holds:
        raise InvalidSampleError(why=why, at=at)


def _require_iterations(loop: For, extent: int) -> None:
    _require(extent >= 1, f"loop {loop.loop_var.name} with extent {extent} cannot be tiled", [loop])


def _extent(loop: For) -> int | None:
    return loop.extent.value if isinstance(loop.extent, IntImm) else None


def _fit_decision(extent: int, decision: Sequence[int]) -> list[int]:
    """Adjust a decision to divide the extent: a factor that does not divide the rest becomes the rest."""
    tile = [int(factor) for factor in decision]
    _require(len(tile) > 0 and min(tile) > 0, f"the factors of the decision must be positive: {tile}")
    for place in range(len(tile) - 1, 0, -1):
        if extent % tile[place]:
            tile[place] = extent
        extent //= tile[place]
    tile[0] = extent
    return tile
