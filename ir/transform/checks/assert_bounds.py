"""Assert at run time that accesses stay in bounds, unless this is proven."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tvmscript.ir.analysis.access.access_walk import Guard, Value
from tvmscript.ir.analysis.access.out_of_bounds import Finding, Verdict, check_bounds
from tvmscript.ir.arith import fold
from tvmscript.ir.core import Node, on
from tvmscript.ir.tir import (
    GE,
    LT,
    Buffer,
    BufferLoad,
    Expr,
    IntImm,
    MatchBufferRegion,
    Or,
    PrimFunc,
    Stmt,
    StringImm,
    TirRewriter,
    Var,
    match_types,
)
from tvmscript.ir.tir.stmt import AssertStmt, BlockRealize, BufferStore, Evaluate, For, IfThenElse, LetStmt, While, seq
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.transform.base import PrimFuncPass


@dataclass(frozen=True)
class AssertBounds(PrimFuncPass):
    """Insert an assertion before every statement with an access that is not proven to be in bounds.

    A matched region may go beyond its buffer: its accesses are checked in the buffer.

    The message contains the line of the script, the buffer with its shape, and the index.
    """

    name = "tir.AssertBounds"
    # a second run repeats the assertions
    is_idempotent = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        findings = [finding for finding in check_bounds(func) if finding.indices]
        # only accesses leave memory, and those of a matched region may be guarded
        regions = {
            finding.node.buffer: finding.node
            for finding in findings
            if isinstance(finding.node, MatchBufferRegion) and finding.verdict is not Verdict.PROVEN
            if finding.node.buffer.shape
        }
        unproven: defaultdict[Stmt, list[Finding]] = defaultdict(list)
        for finding in findings:
            if finding.node in regions.values():
                continue
            if finding.verdict is not Verdict.PROVEN:
                unproven[finding.stmt].append(finding)
            if isinstance(finding.node, BufferLoad | BufferStore):
                unproven[finding.stmt] += _in_source(finding, regions)
        unproven = defaultdict(list, {stmt: checks for stmt, checks in unproven.items() if checks})
        if not unproven:
            return func
        return func.with_body(_AssertionRewriter(unproven).rewrite(func.body))


def _in_source(finding: Finding, regions: Mapping[Buffer, MatchBufferRegion]) -> list[Finding]:
    """The checks of an access to a matched buffer in the buffer that it stands for."""
    match = None if finding.buffer is None else regions.get(finding.buffer)
    if match is None:
        return []
    source, ones = match.source.buffer, len(match.source.region) - len(match.buffer.shape)
    checks: list[Finding] = []
    for dimension in (*range(ones if finding.dimension == 0 else 0), finding.dimension + ones):
        start, extent = match.source.region[dimension].min, source.shape[dimension]
        places = (start,) if dimension < ones else tuple([fold.add(*match_types(start, i)) for i in finding.indices])
        check = replace(finding, buffer=source, dimension=dimension, extent=extent, index=places[0], indices=places)
        checks += [check, *_in_source(check, regions)]
    return checks


class _AssertionRewriter(TirRewriter):
    def __init__(self, unproven: dict[Stmt, list[Finding]]) -> None:
        super().__init__()
        self.unproven = unproven

    @on(While)
    def loop(self, node: While) -> Stmt:
        """Assert before the first iteration and after each one: the condition is evaluated there."""
        stmt: Stmt = self.descend(node)
        if node in self.unproven and isinstance(stmt, While):
            stmt = stmt.replace(body=seq(stmt.body, self.asserted(node, Evaluate(IntImm("int32", 0)))))
        return self.asserted(node, stmt)

    @on(BufferStore, Evaluate, LetStmt, IfThenElse, For, BlockRealize)
    def statement(self, node: Stmt) -> Stmt:
        return self.asserted(node, self.descend(node))

    def asserted(self, node: Stmt, stmt: Stmt) -> Stmt:
        """Return a statement below the assertions of the accesses of `node`."""
        seen: set[tuple[Node, Buffer | None, int]] = set()
        for finding in reversed(self.unproven.get(node, [])):
            if (finding.node, finding.buffer, finding.dimension) not in seen:
                seen.add((finding.node, finding.buffer, finding.dimension))
                stmt = AssertStmt(_condition(finding), StringImm(_message(finding)), stmt, span=node.span)
        return stmt


def _condition(finding: Finding) -> Expr:
    """Return the condition that must hold before the statement."""
    values: dict[Var, Expr] = {}
    in_bounds: Expr = fold.TRUE
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
        check = fold.logical_and(GE(*match_types(place, 0)), LT(*match_types(place, extent)))
        in_bounds = check if in_bounds is fold.TRUE else fold.logical_and(in_bounds, check)
    return in_bounds if skipped is fold.FALSE else Or(skipped, in_bounds)


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
