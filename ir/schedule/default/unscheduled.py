"""Recognize functions that no schedule has touched."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.fold import is_const, is_true
from tvmscript.ir.tir import Block, BlockRealize, For, ForKind, PrimFunc, SeqStmt, Stmt, Var

#: attributes of blocks that say which operator they are of, and the beginning of those for TVM's automatic scheduler
_OF_OPERATORS: Final = frozenset({"axis", "FLOP", "layout", "layout_free_placeholders", "schedule_rule"})
_OF_SCHEDULER: Final = "auto_scheduler_"


def is_of_operator(attribute: str) -> bool:
    """Whether an operator gives its blocks an attribute, and not a schedule."""
    return attribute in _OF_OPERATORS or attribute.startswith(_OF_SCHEDULER)


def is_unscheduled(func: PrimFunc) -> bool:
    """Whether a function is as one writes it, or as an operator makes it.

    In its root block are nests of serial loops without annotations, one block in each, whose axes are the loops in
    order; in a block there may be such loops, but no blocks. Blocks may have the attributes of operators. A step of a
    schedule other than inlining leaves something else.
    """
    root = func.body
    if not isinstance(root, BlockRealize) or root.block.iter_vars or root.block.annotations or root.block.match_buffers:
        return False
    body = root.block.body
    return all(is_plain_nest(stmt) for stmt in (body.seq if isinstance(body, SeqStmt) else (body,)))


def is_plain_nest(stmt: Stmt) -> bool:
    """Whether a statement is a nest of serial loops as one writes it: around one block, whose axes are the loops."""
    loops: list[Var] = []
    while isinstance(stmt, For):
        if not _is_plain_loop(stmt):
            return False
        loops.append(stmt.loop_var)
        stmt = stmt.body
    if not isinstance(stmt, BlockRealize) or not is_true(stmt.predicate):
        return False
    is_scalar = not loops and all(is_const(value, 0) for value in stmt.iter_values)
    if [*stmt.iter_values] != loops and not is_scalar:
        return False
    block = stmt.block
    inside = statements(block.body)
    return not (
        not all(map(is_of_operator, block.annotations))
        or block.alloc_buffers
        or block.match_buffers
        or any(isinstance(part, Block) or (isinstance(part, For) and not _is_plain_loop(part)) for part in inside)
    )


def _is_plain_loop(loop: For) -> bool:
    return loop.kind is ForKind.SERIAL and not loop.annotations
