"""Numbers that are drawn at random, or given as decisions: sample_categorical, sample_perfect_tile, ..."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tvmscript.ir.core.node import Node
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_engine import RandomEngine
from tvmscript.ir.schedule.random_variables import ExprRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.stmt import For


class InvalidSampleError(ScheduleError):
    """Nothing can be drawn: the choices, or the decision that is given, are not possible."""

    code = "TS4157"
    message = "{why}"


#: more factors than these are taken for a mistake
_MAX_FACTORS = 4096


class Sampling(Recorder):
    """sample_categorical, sample_perfect_tile, sample_partitioned_tile, seed, fork_seed: seeds draw what TVM draws."""

    def seed(self, seed: int | None) -> None:
        """What is drawn from here on is repeatable; None and -1 are seeds that nobody knows.

        Seeds count modulo 2**31 - 1, and 0 is the same as 1, as in TVM. Raises `InvalidSampleError`.
        """
        if seed is not None and seed < -1:
            raise InvalidSampleError(why=f"the seed {seed} is negative")
        self.random = RandomEngine(None if seed == -1 else seed)

    def fork_seed(self) -> int:
        """A seed for another schedule, which draws other numbers."""
        return self.random.fork()

    @primitive("SampleCategorical", attrs=("candidates", "probs"), pure=True, decides=True)
    def sample_categorical(
        self, candidates: Sequence[int], probs: Sequence[float], decision: int | None = None
    ) -> ExprRV:
        """One of the candidates, drawn by probability; `decision` is the index of the one that is taken instead.

        Raises `InvalidSampleError`.
        """
        _require(len(candidates) == len(probs), f"{len(candidates)} candidates have {len(probs)} probabilities")
        _require(len(candidates) > 0, "there are no candidates")
        place = self.random.index(probs) if decision is None else int(decision)
        _require(0 <= place < len(candidates), f"there is no candidate {place}: there are {len(candidates)}")
        self.decision = place
        return self.new_number(int(candidates[place]))

    @primitive(
        "SamplePerfectTile", inputs=("loop",), attrs=("n", "max_innermost_factor"), pure=True, decides=True
    )  # fmt: skip
    def sample_perfect_tile(
        self, loop: LoopRV, n: int, max_innermost_factor: int = 16, decision: Sequence[int] | None = None
    ) -> list[ExprRV]:
        """Factors of the extent of a loop, the innermost of them no larger than this (-1: any).

        A decision whose factors do not divide the extent is changed from the outermost on until it does. Where the
        extent is not constant, the first factor is -1, the others are 1. Raises `InvalidSampleError`.
        """
        stmt = self.loop(loop).loop
        extent = _extent(stmt)
        _require(n <= _MAX_FACTORS, f"a loop cannot be tiled by {n} factors", [stmt])
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
            _require(n >= 1, f"a loop cannot be tiled by {n} factors", at)
            return self.random.tile(extent, n)
        _require(n >= 2, f"with a largest innermost factor, a loop cannot be tiled by {n} factor(s)", at)
        _require(limit >= 1, f"no innermost factor is at most {limit}", at)
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
        """Factors of the extent of a loop; the product of those from `partition_pos` on is a multiple of a factor.

        Where there are none, or the extent is not constant, the first is -1, the others are 1. A decision that does
        not fit is replaced. Raises `InvalidSampleError`.
        """
        stmt = self.loop(loop).loop
        extent = _extent(stmt)
        _require(1 <= n <= _MAX_FACTORS, f"a loop cannot be tiled by {n} factors", [stmt])
        _require(innerpart_factor >= 1, f"no product is a multiple of {innerpart_factor}", [stmt])
        is_possible = 0 <= partition_pos < n or innerpart_factor == 1
        _require(is_possible, f"there is no factor {partition_pos} of {n}", [stmt])
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
    _require(extent >= 1, f"the loop {loop.loop_var.name} has the extent {extent}: there is nothing to tile", [loop])


def _extent(loop: For) -> int | None:
    return loop.extent.value if isinstance(loop.extent, IntImm) else None


def _fit_decision(extent: int, decision: Sequence[int]) -> list[int]:
    """The factors that were decided on; where one does not divide what is left, all of that instead."""
    tile = [int(factor) for factor in decision]
    _require(len(tile) > 0 and min(tile) > 0, f"the factors {tile} are not positive")
    for place in range(len(tile) - 1, 0, -1):
        if extent % tile[place]:
            tile[place] = extent
        extent //= tile[place]
    tile[0] = extent
    return tile
