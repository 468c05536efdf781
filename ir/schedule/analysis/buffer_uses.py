"""Which parts of a block mention a buffer, so that a change of it leaves the others alone without looking into them."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.stmt import SeqStmt
from tvmscript.ir.tir.substitute import uses


def stmts_without_buffer(scope: StmtRef, buffer: Buffer) -> Container[Stmt]:
    """The statements directly in the body of a block that use neither a buffer nor its data.

    What the blocks in them say that they access would not do: an access can be hidden. What statements use is
    remembered for the block that was asked about last.
    """
    body, tree = scope.block.body, scope.tree
    parts: tuple[Stmt, ...] = body.seq if isinstance(body, SeqStmt) else (body,)
    known = tree.mentions
    made: dict[Stmt, frozenset[Any]] = {part: known.get(part) or frozenset(uses(part)) for part in parts}
    tree.mentions = made
    return {part for part, names in made.items() if buffer not in names and buffer.data not in names}
