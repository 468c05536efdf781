"""Statements of a block that do not use a buffer, so that rewriters can skip them."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir import Buffer, SeqStmt, Stmt, uses


def stmts_without_buffer(scope: StmtRef, buffer: Buffer) -> Container[Stmt]:
    """Return the statements directly in the body of a block that use neither a buffer nor its data.

    Regions of blocks are not enough, since accesses can be hidden. The names in the statements of the last block are
    cached in the tree.
    """
    body, tree = scope.block.body, scope.tree
    parts: tuple[Stmt, ...] = body.seq if isinstance(body, SeqStmt) else (body,)
    cached_names = tree.names_in_stmts
    stmt: dict[Stmt, frozenset[Any]] = {part: cached_names.get(part) or frozenset(uses(part)) for part in parts}
    tree.names_in_stmts = stmt
    return {part for part, names in stmt.items() if buffer not in names and buffer.data not in names}
