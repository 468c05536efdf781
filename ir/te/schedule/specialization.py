"""Conditions that hold where operators are specialized."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tvmscript.ir.tir import Expr, as_expr


class SpecializedCondition:
    """A context in which conditions are taken to hold: `with te.SpecializedCondition([n >= 16]):`."""

    _current: ClassVar[list[SpecializedCondition]] = []

    def __init__(self, conditions: Expr | Sequence[Expr]) -> None:
        items = [conditions] if isinstance(conditions, Expr) else list(conditions)
        self.clauses: tuple[Expr, ...] = tuple([as_expr(item) for item in items])

    @staticmethod
    def current() -> SpecializedCondition | None:
        """Return the context around."""
        return SpecializedCondition._current[-1] if SpecializedCondition._current else None

    def __enter__(self) -> SpecializedCondition:
        SpecializedCondition._current.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        SpecializedCondition._current.pop()

    def __repr__(self) -> str:
        return f"SpecializedCondition({', '.join(map(str, self.clauses))})"
