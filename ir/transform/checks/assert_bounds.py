"""Accesses of which it is not proven that they stay in their buffers are checked when the program runs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.analysis.access_walk import Guard, Value
from tvmscript.ir.analysis.out_of_bounds import Finding, Verdict, check_bounds
from tvmscript.ir.arith import fold
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import GE, LT, Or, StringImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import match_types
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import AssertStmt, BlockRealize, BufferStore, Evaluate, For, IfThenElse, LetStmt
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class AssertBounds(PrimFuncPass):
    """Put an assertion before every statement with an access that is not proven to stay inside of its buffer.

    What is proven costs nothing. The message names the line of the script, the buffer with its shape, and the index.
    The condition of a `while` is left to the interpreter, which checks all accesses.
    """

    name: ClassVar[str] = "tir.AssertBounds"
    # what depends on data is checked again
    is_idempotent: ClassVar[bool] = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        doubtful: defaultdict[Stmt, list[Finding]] = defaultdict(list)
        for finding in check_bounds(func):
            if finding.verdict is not Verdict.PROVEN and finding.indices:
                doubtful[finding.stmt].append(finding)
        if not doubtful:
            return func
        return func.with_body(_Assertions(doubtful).rewrite(func.body))


class _Assertions(TirRewriter):
    def __init__(self, doubtful: dict[Stmt, list[Finding]]) -> None:
        super().__init__()
        self.doubtful = doubtful

    @on(BufferStore, Evaluate, LetStmt, IfThenElse, For, BlockRealize)
    def statement(self, node: Stmt) -> Stmt:
        made: Stmt = self.descend(node)
        seen: set[tuple[Node, int]] = set()
        for finding in reversed(self.doubtful.get(node, [])):
            if (finding.node, finding.dimension) not in seen:
                seen.add((finding.node, finding.dimension))
                made = AssertStmt(_condition(finding), StringImm(_message(finding)), made, span=node.span)
        return made


def _condition(finding: Finding) -> Expr:
    """What has to hold before the statement."""
    values: dict[Var, Expr] = {}
    made: Expr = fold.TRUE
    skipped: Expr = fold.FALSE
    for step in finding.inner:
        if isinstance(step, Value):
            values[step.var] = substitute(step.value, values)
        elif isinstance(step, Guard) and step.is_lazy and step.written is not None:
            reached = fold.logical_not(substitute(step.written, values))
            skipped = reached if skipped is fold.FALSE else Or(skipped, reached)
    extent = substitute(finding.extent, values)
    for index in finding.indices:
        place = substitute(index, values)
        inside = fold.logical_and(GE(*match_types(place, 0)), LT(*match_types(place, extent)))
        made = inside if made is fold.TRUE else fold.logical_and(made, inside)
    return made if skipped is fold.FALSE else Or(skipped, made)


def _message(finding: Finding) -> str:
    span = finding.span
    place = "" if span is None else f"{span.source.name}:{span.line}: "
    if finding.buffer is None:
        return f"{place}an axis leaves its domain: {finding.index} is not in [0, {finding.extent})"
    shape = ", ".join(map(str, finding.buffer.shape))
    return (
        f"{place}buffer {finding.buffer.name} of shape ({shape}) has no element at index {finding.index}"
        f" of dimension {finding.dimension}"
    )
