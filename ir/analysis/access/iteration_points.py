"""Enumerate the points of an iteration domain: values of the variables on the path to an access."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tvmscript.ir.analysis.access.access_walk import Loop, Path, Step, Value
from tvmscript.ir.analysis.access.compile_index import Code, NoValue, code_of
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Expr, IntImm, Var, uses


@dataclass(frozen=True)
class Point:
    """Values of variables. `is_reached` states that every run of the program reaches the point."""

    values: dict[Var, int]
    is_reached: bool


class TooMany(Exception):
    """The domain has more points than the budget."""


def variables(*exprs: Expr) -> set[Var]:
    """Return the variables of expressions, without those of buffers."""
    return {var for var in uses(exprs) if isinstance(var, Var) and not var.dtype.is_handle}


class Points:
    """The points of a path, restricted to the variables that given expressions use.

    A point whose guards cannot be evaluated is given, and is not known to be reached.
    """

    def __init__(self, path: Path, about: Iterable[Expr]) -> None:
        about = tuple(about)
        self.needed = variables(*about)
        #: nodes that are evaluated at a point
        self.effort = sum(1 for part in about for _ in nodes(part)) + 1
        self.steps: list[tuple[Step, tuple[Code | None, ...]]] = []
        for step in reversed(path):
            self._add(step)
        self.steps.reverse()

    def _add(self, step: Step) -> None:
        """A step with its expressions as code; what it needs of the steps before it is needed."""
        if isinstance(step, Value) and step.var not in self.needed:
            return
        if isinstance(step, Loop) and step.var not in self.needed:
            extent = step.domain.extent
            if isinstance(extent, IntImm) and extent.value > 0:
                return
        parts = _parts(step)
        self.effort += sum(1 for part in parts for _ in nodes(part))
        codes = tuple(code_of(part) for part in parts)
        if isinstance(step, Value) and codes[0] is None:
            return
        self.needed |= variables(*[part for part, code in zip(parts, codes, strict=True) if code is not None])
        self.steps.append((step, codes))

    def all(self, budget: int) -> Iterator[Point]:
        """Every point. Raises `TooMany` after so many; before the first one where that can be told."""
        loops = [step.domain.extent for step, _ in self.steps if isinstance(step, Loop) and step.var in self.needed]
        if math.prod(extent.value for extent in loops if isinstance(extent, IntImm)) > budget:
            raise TooMany
        self.left = budget
        yield from self._from(0, {}, True, False)

    def corners(self, budget: int) -> Iterator[Point]:
        """The points in the first two and the last two iterations of each loop; no more than so many."""
        self.left = budget
        try:
            yield from self._from(0, {}, True, True)
        except TooMany:
            return

    def _from(self, number: int, values: dict[Var, int], is_reached: bool, corners: bool) -> Iterator[Point]:
        if number == len(self.steps):
            self.left -= 1
            if self.left < 0:
                raise TooMany
            yield Point(values, is_reached)
            return
        step, codes = self.steps[number]
        if isinstance(step, Loop):
            yield from self._loop(step, codes, number, values, is_reached, corners)
            return
        value = _evaluate(codes[0], values) if codes else None
        if isinstance(step, Value):
            inner = values if value is None else {**values, step.var: value}
            yield from self._from(number + 1, inner, is_reached, corners)
        elif value is None:
            yield from self._from(number + 1, values, False, corners)
        elif value or not step.is_lazy:  # both values of T.Select are computed, whatever is chosen
            yield from self._from(number + 1, values, is_reached and bool(value), corners)

    def _loop(
        self,
        step: Loop,
        codes: tuple[Code | None, ...],
        number: int,
        values: dict[Var, int],
        is_reached: bool,
        corners: bool,
    ) -> Iterator[Point]:
        first, extent = _evaluate(codes[0], values), _evaluate(codes[1], values)
        if first is None or extent is None:
            yield from self._from(number + 1, values, False, corners)
            return
        if step.var not in self.needed:
            if extent > 0:
                yield from self._from(number + 1, values, is_reached, corners)
            return
        chosen: Iterable[int] = range(extent)
        if corners and extent > _FEW:
            chosen = (extent - 1, 0, 1, extent - 2)
        for at in chosen:
            yield from self._from(number + 1, {**values, step.var: first + at}, is_reached, corners)


def _parts(step: Step) -> tuple[Expr, ...]:
    if isinstance(step, Loop):
        return step.domain.min, step.domain.extent
    if isinstance(step, Value):
        return (step.value,)
    return () if step.condition is None else (step.condition,)


def _evaluate(code: Code | None, values: dict[Var, int]) -> int | None:
    if code is None:
        return None
    try:
        return code(values)
    except NoValue:
        return None


#: loops of so many iterations have no inner ones
_FEW = 4


def budget_of(points: Points, most: int, effort: float = math.inf) -> int:
    """Return the budget of points: fewer if the expressions are expensive, or little effort is left."""
    return max(_LEAST, min(most, int(min(_EFFORT, effort)) // points.effort))


#: nodes that are evaluated for an access
_EFFORT = 400_000
_LEAST = 64
