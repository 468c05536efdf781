"""Analyzer with a limit on the number of steps."""

from __future__ import annotations

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.errors import TooManySteps
from tvmscript.ir.arith.simplification.assumptions import Assumptions
from tvmscript.ir.arith.simplification.simplify import Simplifier


class LimitedAnalyzer(Analyzer):
    """Analyzer that raises `TooManySteps` after `limit` simplifications and proofs."""

    def __init__(self, limit: int, *, is_exact: bool = False) -> None:
        super().__init__(is_exact=is_exact)
        self.limit = limit
        self.steps = 0

    @property
    def simplifier(self) -> Simplifier:
        self.steps += 1
        if self.steps > self.limit:
            raise TooManySteps(limit=self.limit)
        return super().simplifier

    @property
    def _facts(self) -> Assumptions:
        # binding and bounds are not steps
        return super().simplifier.facts
