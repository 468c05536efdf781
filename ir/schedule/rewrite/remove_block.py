"""Removal of a block together with its otherwise empty loops."""

from __future__ import annotations

from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.tree import StmtRef, replace_below, replace_child
from tvmscript.ir.tir import NOOP, BlockRealize, Buffer, For, IfThenElse, SeqStmt, Stmt


class OnlyLeafError(ScheduleError, code="TS4133"):
    """The only block of a scope cannot be removed."""

    message = "block {block} is the only block in scope {scope}"


def removable_nest(block: StmtRef) -> StmtRef:
    """Return the block, or the outermost loop that contains nothing else.

    Raises `OnlyLeafError` if the scope contains nothing else either.
    """
    stmt = block
    around = block.parent
    while around is not None and not _has_siblings(around):
        if around.is_block:
            scope = around.block
            raise OnlyLeafError(block=block.block.name_hint, scope=scope.name_hint, at=[block.block, scope])
        stmt, around = around, around.parent
    return stmt


def _has_siblings(around: StmtRef) -> bool:
    """Whether a loop or block contains several statements."""
    stmt = around.stmt
    body: Stmt | None = None if stmt is None else stmt.body
    while body is not None and not isinstance(body, (For, BlockRealize, SeqStmt)):
        if isinstance(body, IfThenElse):
            if body.else_case is not None:
                return True
            body = body.then_case
        else:
            body = getattr(body, "body", None)
    return isinstance(body, SeqStmt)


def remove_nest(removed: StmtRef, scope: StmtRef, buffer: Buffer) -> None:
    """Remove a loop or block, and the allocation of a buffer, from a scope."""
    block = scope.block
    new_block = block.replace(
        body=replace_child(block.body, *replace_below(removed, NOOP, scope)),
        alloc_buffers=tuple([item for item in block.alloc_buffers if item is not buffer]),
    )
    scope.tree.replace(scope, new_block, {new_block: block})
