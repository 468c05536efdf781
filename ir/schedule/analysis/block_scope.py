"""Which blocks of a scope depend on which: by what they say that they read and write.

A tree keeps the readers and writers of every buffer up to date; a question looks at those of the buffers it is about.
A scope is a block, or a loop: the blocks in it that are in no other block of it count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from tvmscript.ir.schedule.tree import (
    StmtRef,
    blocks_below,
    child_containing,
    child_stmts,
    common_ancestor,
    path_to,
    scope_root,
)
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion
from tvmscript.ir.tir.stmt import For, SeqStmt


def writers(scope: StmtRef, buffer: Buffer) -> list[StmtRef]:
    """The blocks of a scope that write a buffer, in the order of the text."""
    return in_order(scope, _in_scope(scope, scope.tree.writers.get(buffer, ())))


def readers(scope: StmtRef, buffer: Buffer) -> list[StmtRef]:
    """The blocks of a scope that read a buffer, in the order of the text."""
    return in_order(scope, _in_scope(scope, scope.tree.readers.get(buffer, ())))


def producers(block: StmtRef) -> list[StmtRef]:
    """The blocks before a block, in its scope, that write what it reads or writes; in the order of its regions."""
    scope = scope_root(block)
    return [] if scope is None else _unique(_before(scope, block))


def consumers(block: StmtRef) -> list[StmtRef]:
    """The blocks behind a block, in its scope, that read or write what it writes, in the order of the text."""
    scope = scope_root(block)
    if scope is None:
        return []
    tree = block.tree
    found: dict[StmtRef, None] = {}
    for buffer in buffers_of(block.block.writes):
        for known in (tree.readers, tree.writers):
            found.update(dict.fromkeys(_in_scope(scope, known.get(buffer, ()))))
    ordered = in_order(scope, [*found, *(() if block in found else (block,))])
    return ordered[ordered.index(block) + 1 :]


def read_producers(block: StmtRef) -> list[StmtRef]:
    """The blocks before a block, in its scope, that write what it reads."""
    scope = scope_root(block)
    if scope is None:
        return []
    return _unique(
        ref for buffer in buffers_of(block.block.reads) for ref in _only_before(writers(scope, buffer), block)
    )


def outermost_users(buffer: Buffer, apart: StmtRef) -> list[StmtRef]:
    """The blocks that read or write a buffer and are in no other one that does, without one of them."""
    tree = apart.tree
    found = {**tree.readers.get(buffer, {}), **tree.writers.get(buffer, {})}
    found.pop(apart, None)
    return [ref for ref in found if found.keys().isdisjoint(path_to(ref)[:-1])]


def find_write_after_read(scope: StmtRef) -> StmtRef | None:
    """The first block of a scope that writes a buffer which a block before it reads; None where there is none."""
    read: set[Buffer] = set()
    for ref in blocks_below(scope):
        if any(region.buffer in read for region in ref.block.writes):
            return ref
        read.update(region.buffer for region in ref.block.reads)
    return None


def buffers_of(regions: Iterable[BufferRegion]) -> list[Buffer]:
    """The buffers of regions, each once."""
    return [*dict.fromkeys(region.buffer for region in regions)]


def _before(scope: StmtRef, block: StmtRef) -> Iterator[StmtRef]:
    for regions in (block.block.reads, block.block.writes):
        for buffer in buffers_of(regions):
            yield from _only_before(writers(scope, buffer), block)


def _only_before(refs: list[StmtRef], block: StmtRef) -> list[StmtRef]:
    return [ref for ref in refs if ref is not block and is_before(ref, block)]


def _in_scope(scope: StmtRef, refs: Iterable[StmtRef]) -> list[StmtRef]:
    """Those that are in a scope and in no other block of it."""
    return [ref for ref in refs if is_member(scope, ref)]


def is_member(scope: StmtRef, ref: StmtRef) -> bool:
    """Whether a loop or block is in a scope and in no block of it."""
    at = ref.parent
    while at is not None and at is not scope and not at.is_block:
        at = at.parent
    return at is scope


def _unique(refs: Iterable[StmtRef]) -> list[StmtRef]:
    return [*dict.fromkeys(refs)]


# the order of the text


def is_before(first: StmtRef, second: StmtRef) -> bool:
    """Whether a loop or block stands before another one, neither of them in the other."""
    around = common_ancestor([first, second])
    place = child_positions(around)
    return place[child_containing(around, first).stmt] < place[child_containing(around, second).stmt]


def in_order(scope: StmtRef, refs: list[StmtRef]) -> list[StmtRef]:
    """Loops and blocks that are in a scope, in the order of the text."""
    return refs if len(refs) < 2 else sorted(refs, key=lambda ref: _position(scope, ref))


def _position(scope: StmtRef, ref: StmtRef) -> tuple[int, ...]:
    position: list[int] = []
    while ref is not scope and ref.parent is not None:
        position.append(child_positions(ref.parent)[ref.stmt])
        ref = ref.parent
    position.reverse()
    return tuple(position)


def child_positions(around: StmtRef) -> dict[Stmt | None, int]:
    """The loops and blocks directly in a loop or block: which one each of them is."""
    stmt = around.stmt
    assert stmt is not None, "a loop or block that is there"
    made = around.tree.places.get(stmt)
    if made is None:
        if len(around.tree.places) > _MAX_CACHED_POSITIONS:
            around.tree.places.clear()
        parts = stmt.body.seq if isinstance(stmt.body, SeqStmt) else ()
        # long rows of loops are the rule
        items = parts if set(map(type, parts)) == {For} else child_stmts(stmt.body)
        made = around.tree.places[stmt] = dict(zip(items, count(), strict=False))
    return made


#: so many loops and blocks remember where the ones in them are
_MAX_CACHED_POSITIONS = 64
