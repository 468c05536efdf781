"""Loops whose iterations threads may run in any order: none stores to what another one accesses."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.analysis.access.races import check_races
from tvmscript.ir.analysis.undefined_vars import undefined_vars
from tvmscript.ir.arith import fold
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Buffer,
    BufferStore,
    Expr,
    For,
    ForKind,
    IntImm,
    PrimFunc,
    SeqStmt,
    Stmt,
    Var,
    can_drop,
    match_types,
    substitute,
    uses,
)
from tvmscript.ir.tir.expr import FloorDiv, FloorMod
from tvmscript.ir.tir.stmt import IfThenElse, LetStmt

#: the statements in loops that may be independent
_STATEMENTS: Final = (For, BufferStore, SeqStmt, IfThenElse, LetStmt, Block, BlockRealize)


def fuse_independent_loops(stmt: Stmt) -> For | None:
    """Return one loop for the outermost loops of a nest whose iterations are independent, None where there are none."""
    loops: list[For] = []
    body = stmt
    while isinstance(body, For) and _is_independent(body):
        if loops and not (fold.is_const(body.min, 0) and uses(body.extent).isdisjoint(loop.loop_var for loop in loops)):
            break
        loops.append(body)
        body = body.body
    if not loops:
        return None
    first, *others = loops
    if not others:
        return first
    fused = Var(f"{'_'.join(loop.loop_var.name for loop in loops)}_fused", first.loop_var.dtype)
    number: Expr = fused
    count = first.extent
    values: dict[Var, Expr] = {}
    for loop in reversed(others):
        count = fold.mul(*match_types(count, loop.extent))
        values[loop.loop_var] = fold.make(FloorMod, *match_types(number, loop.extent))
        number = fold.make(FloorDiv, *match_types(number, loop.extent))
    values[first.loop_var] = fold.add(*match_types(first.min, number))
    return first.replace(loop_var=fused, min=IntImm(fused.dtype, 0), extent=count, body=substitute(body, values))


def _is_shared(buffer: Buffer) -> bool:
    return buffer.storage_scope != "local"


def _is_independent(loop: For) -> bool:
    """Return whether no iteration of a serial loop stores to an element that another one accesses."""
    if loop.kind is not ForKind.SERIAL or loop.annotations:
        return False
    parts = list(nodes(loop.body))
    if any(isinstance(part, Stmt) and not isinstance(part, _STATEMENTS) for part in parts):
        return False
    blocks = [part for part in parts if isinstance(part, Block)]
    if any(block.match_buffers or any(map(_is_shared, block.alloc_buffers)) for block in blocks):
        return False
    if not all(can_drop(part) for part in parts if isinstance(part, Expr)):
        return False
    report = check_races(PrimFunc(tuple(undefined_vars(loop)), loop.replace(kind=ForKind.PARALLEL)))
    return report.loops == 1 and not report.races and not report.unknown
