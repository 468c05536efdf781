"""The interface of the simplifier that the rules of the analyzer use."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias

from tvmscript.ir.arith.sums.canonical_sum import SumContext
from tvmscript.ir.arith.sums.linear_form import Linear
from tvmscript.ir.arith.sums.sum_to_expr import SumWriter
from tvmscript.ir.core import Node
from tvmscript.ir.tir import And, Expr, Or

#: A rule that simplifies a conjunction or disjunction.
ConnectiveRule: TypeAlias = "Callable[[Engine, And | Or], Expr]"


class Scopes(Protocol):
    """Conditions that are assumed for a while (`Assumptions`)."""

    def scope(self) -> AbstractContextManager[None]: ...

    def fresh(self) -> AbstractContextManager[None]: ...

    def assuming(self, condition: Expr, holds: bool = True) -> AbstractContextManager[None]: ...

    def add(self, condition: Expr, holds: bool = True) -> None: ...


class Engine(Protocol):
    """A simplifier, with the algebra that it works on."""

    sums: SumContext
    writer: SumWriter
    connectives: ConnectiveRule
    #: nodes and what replaces them
    renamed: dict[Node, Node]
    #: whether arithmetic of data may wrap around
    is_exact: bool

    @property
    def facts(self) -> Scopes: ...

    def linear(self, expr: Expr) -> Linear: ...

    def simplify(self, expr: Expr) -> Expr: ...

    def ramp(self, node: Expr) -> tuple[Linear, Linear] | None: ...
