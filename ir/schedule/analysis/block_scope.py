"""Dependences between the blocks of a scope, by their read and write regions.

A tree indexes the readers and writers of every buffer. A scope is a block or a loop; its members are the blocks in it
that are in no other block of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from tvmscript.ir.core import Visitor, on
from tvmscript.ir.schedule.tree import (
    StmtRef,
    blocks_below,
    child_containing,
    child_stmts,
    common_ancestor,
    path_to,
    scope_root,
)
from tvmscript.ir.tir import Block, Buffer, BufferLoad, BufferRegion, BufferStore, For, SeqStmt, Stmt


def writers(scope: StmtRef, buffer: Buffer) -> list[StmtRef]:
    """Return the blocks of a scope that write a buffer, in program order."""
    return in_order(scope, _in_scope(scope, scope.tree.writers.get(buffer, ())))


def readers(scope: StmtRef, buffer: Buffer) -> list[StmtRef]:
    """Return the blocks of a scope that read a buffer, in program order."""
    return in_order(scope, _in_scope(scope, scope.tree.readers.get(buffer, ())))


def producers(block: StmtRef) -> list[StmtRef]:
    """Return the earlier blocks of the scope that write what a block reads or writes, in the order of its regions."""
    scope = scope_root(block)
    return [] if scope is None else _unique(_before(scope, block))


def consumers(block: StmtRef) -> list[StmtRef]:
    """Return the later blocks of the scope that read or write what a block writes, in program order."""
    scope = scope_root(block)
    if scope is None:
        return []
    tree = block.tree
    stmt: dict[StmtRef, None] = {}
    for buffer in buffers_of(block.block.writes):
        for known in (tree.readers, tree.writers):
            stmt.update(dict.fromkeys(_in_scope(scope, known.get(buffer, ()))))
    ordered = in_order(scope, [*stmt, *(() if block in stmt else (block,))])
    return ordered[ordered.index(block) + 1 :]


def read_producers(block: StmtRef) -> list[StmtRef]:
    """Return the earlier blocks of the scope that write what a block reads."""
    scope = scope_root(block)
    if scope is None:
        return []
    return _unique(
        ref for buffer in buffers_of(block.block.reads) for ref in _only_before(writers(scope, buffer), block)
    )


def outermost_users(buffer: Buffer, apart: StmtRef) -> list[StmtRef]:
    """Return the outermost blocks that access a buffer, except the block `apart`."""
    tree = apart.tree
    stmt = {**tree.readers.get(buffer, {}), **tree.writers.get(buffer, {})}
    stmt.pop(apart, None)
    return [ref for ref in stmt if stmt.keys().isdisjoint(path_to(ref)[:-1])]


def accesses_beside_blocks(buffer: Buffer, ref: StmtRef) -> StmtRef | None:
    """Return a block around `ref` whose own statements access a buffer, outside of its nested blocks; None if none."""
    plain = ref.tree.plain_statements
    for around in path_to(ref)[:-1]:
        if not around.is_block:
            continue
        body = around.block.body
        parts = body.seq if isinstance(body, SeqStmt) else (body,)
        if plain.issuperset(parts):
            continue
        for part in parts:
            if part not in plain:
                visitor = _OwnAccesses()
                visitor.visit(part)
                if not visitor.buffers:
                    plain.add(part)
                elif buffer in visitor.buffers:
                    return around
    return None


class _OwnAccesses(Visitor):
    """Collect the buffers that are accessed outside of blocks."""

    def __init__(self) -> None:
        self.buffers: set[Buffer] = set()

    @on(BufferLoad, BufferStore)
    def access(self, node: BufferLoad | BufferStore) -> None:
        self.buffers.add(node.buffer)
        self.walk(node)

    @on(Block)
    def block(self, node: Block) -> None:
        """Leave out what nested blocks access."""


def find_write_after_read(scope: StmtRef) -> StmtRef | None:
    """Return the first block of a scope that writes a buffer which an earlier block reads; None if there is none."""
    read: set[Buffer] = set()
    for ref in blocks_below(scope):
        if any(region.buffer in read for region in ref.block.writes):
            return ref
        read.update(region.buffer for region in ref.block.reads)
    return None


def buffers_of(regions: Iterable[BufferRegion]) -> list[Buffer]:
    """Return the distinct buffers of regions."""
    return [*dict.fromkeys(region.buffer for region in regions)]


def _before(scope: StmtRef, block: StmtRef) -> Iterator[StmtRef]:
    for regions in (block.block.reads, block.block.writes):
        for buffer in buffers_of(regions):
            yield from _only_before(writers(scope, buffer), block)


def _only_before(refs: list[StmtRef], block: StmtRef) -> list[StmtRef]:
    return [ref for ref in refs if ref is not block and is_before(ref, block)]


def _in_scope(scope: StmtRef, refs: Iterable[StmtRef]) -> list[StmtRef]:
    """Filter the members of a scope."""
    return [ref for ref in refs if is_member(scope, ref)]


def is_member(scope: StmtRef, ref: StmtRef) -> bool:
    """Whether a loop or block is in a scope but in no block of it."""
    at = ref.parent
    while at is not None and at is not scope and not at.is_block:
        at = at.parent
    return at is scope


def _unique(refs: Iterable[StmtRef]) -> list[StmtRef]:
    return [*dict.fromkeys(refs)]


# program order


def is_before(first: StmtRef, second: StmtRef) -> bool:
    """Whether a loop or block precedes another one; neither contains the other."""
    around = common_ancestor([first, second])
    place = child_positions(around)
    return place[child_containing(around, first).stmt] < place[child_containing(around, second).stmt]


def in_order(scope: StmtRef, refs: list[StmtRef]) -> list[StmtRef]:
    """Sort loops and blocks of a scope by program order."""
    return refs if len(refs) < 2 else sorted(refs, key=lambda ref: _position(scope, ref))


def _position(scope: StmtRef, ref: StmtRef) -> tuple[int, ...]:
    position: list[int] = []
    while ref is not scope and ref.parent is not None:
        position.append(child_positions(ref.parent)[ref.stmt])
        ref = ref.parent
    position.reverse()
    return tuple(position)


def child_positions(around: StmtRef) -> dict[Stmt | None, int]:
    """Return the positions of the loops and blocks directly in a loop or block."""
    stmt = around.stmt
    assert stmt is not None, "the loop or block exists"
    value = around.tree.positions.get(stmt)
    if value is None:
        if len(around.tree.positions) > _MAX_CACHED_POSITIONS:
            around.tree.positions.clear()
        parts = stmt.body.seq if isinstance(stmt.body, SeqStmt) else ()
        # fast path for sequences of loops
        items = parts if set(map(type, parts)) == {For} else child_stmts(stmt.body)
        value = around.tree.positions[stmt] = dict(zip(items, count(), strict=False))
    return value


#: limit of `Tree.positions`
_MAX_CACHED_POSITIONS = 64
