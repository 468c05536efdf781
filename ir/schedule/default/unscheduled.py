"""Recognize functions that no schedule has touched."""

from __future__ import annotations

from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.core import Node, nodes
from tvmscript.ir.tir import Block, BlockRealize, For, ForKind, PrimFunc, SeqStmt, Stmt, Var


def is_unscheduled(func: PrimFunc) -> bool:
    """Whether a function is as one writes it, or as an operator makes it.

    In its root block are nests of serial loops without annotations, one block in each, whose axes are the loops in
    order. A step of a schedule other than inlining leaves something else.
    """
    root = func.body
    if not isinstance(root, BlockRealize) or root.block.iter_vars or root.block.annotations or root.block.match_buffers:
        return False
    return all(_is_plain_nest(stmt) for stmt in _statements(root.block.body))


def _statements(stmt: Stmt) -> tuple[Stmt, ...]:
    return stmt.seq if isinstance(stmt, SeqStmt) else (stmt,)


def _is_plain_nest(stmt: Stmt) -> bool:
    loops: list[Var] = []
    while isinstance(stmt, For):
        if stmt.kind is not ForKind.SERIAL or stmt.annotations:
            return False
        loops.append(stmt.loop_var)
        stmt = stmt.body
    if not isinstance(stmt, BlockRealize) or not is_true(stmt.predicate) or [*stmt.iter_values] != loops:
        return False
    block = stmt.block
    inside: tuple[Node, ...] = tuple(nodes(block.body))
    return not (
        block.annotations
        or block.alloc_buffers
        or block.match_buffers
        or any(isinstance(node, (Block, For)) for node in inside)
    )
