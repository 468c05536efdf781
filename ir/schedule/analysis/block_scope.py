"""Which blocks of a scope depend on which: by what they say that they read and write.

A tree keeps the readers and writers of every buffer up to date; a question looks at those of the buffers it is about.
A scope is a block, or a loop: the blocks in it that are in no other block of it count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from tvmscript.ir.schedule.tree import Ref, blocks_below, child_of, common_ancestor, inner, path_to, scope_root
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion
from tvmscript.ir.tir.stmt import For, SeqStmt


def writers(scope: Ref, buffer: Buffer) -> list[Ref]:
    """The blocks of a scope that write a buffer, in the order of the text."""
    return in_order(scope, _members(scope, scope.tree.writers.get(buffer, ())))


def readers(scope: Ref, buffer: Buffer) -> list[Ref]:
    """The blocks of a scope that read a buffer, in the order of the text."""
    return in_order(scope, _members(scope, scope.tree.readers.get(buffer, ())))


def producers(block: Ref) -> list[Ref]:
    """The blocks before a block, in its scope, that write what it reads or writes; in the order of its regions."""
    scope = scope_root(block)
    return [] if scope is None else _unique(_before(scope, block))


def consumers(block: Ref) -> list[Ref]:
    """The blocks behind a block, in its scope, that read or write what it writes, in the order of the text."""
    scope = scope_root(block)
    if scope is None:
        return []
    tree = block.tree
    found: dict[Ref, None] = {}
    for buffer in buffers(block.block.writes):
        for known in (tree.readers, tree.writers):
            found.update(dict.fromkeys(_members(scope, known.get(buffer, ()))))
    ordered = in_order(scope, [*found, *(() if block in found else (block,))])
    return ordered[ordered.index(block) + 1 :]


def sources(block: Ref) -> list[Ref]:
    """The blocks before a block, in its scope, that write what it reads."""
    scope = scope_root(block)
    if scope is None:
        return []
    return _unique(ref for buffer in buffers(block.block.reads) for ref in _earlier(writers(scope, buffer), block))


def outermost_users(buffer: Buffer, apart: Ref) -> list[Ref]:
    """The blocks that read or write a buffer and are in no other one that does, without one of them."""
    tree = apart.tree
    found = {**tree.readers.get(buffer, {}), **tree.writers.get(buffer, {})}
    found.pop(apart, None)
    return [ref for ref in found if found.keys().isdisjoint(path_to(ref)[:-1])]


def overwrites_what_was_read(scope: Ref) -> Ref | None:
    """The first block of a scope that writes a buffer which a block before it reads; None where there is none."""
    read: set[Buffer] = set()
    for ref in blocks_below(scope):
        if any(region.buffer in read for region in ref.block.writes):
            return ref
        read.update(region.buffer for region in ref.block.reads)
    return None


def buffers(regions: Iterable[BufferRegion]) -> list[Buffer]:
    """The buffers of regions, each once."""
    return [*dict.fromkeys(region.buffer for region in regions)]


def _before(scope: Ref, block: Ref) -> Iterator[Ref]:
    for regions in (block.block.reads, block.block.writes):
        for buffer in buffers(regions):
            yield from _earlier(writers(scope, buffer), block)


def _earlier(refs: list[Ref], block: Ref) -> list[Ref]:
    return [ref for ref in refs if ref is not block and is_before(ref, block)]


def _members(scope: Ref, refs: Iterable[Ref]) -> list[Ref]:
    """Those that are in a scope and in no other block of it."""
    return [ref for ref in refs if is_member(scope, ref)]


def is_member(scope: Ref, ref: Ref) -> bool:
    """Whether a loop or block is in a scope and in no block of it."""
    at = ref.parent
    while at is not None and at is not scope and not at.is_block:
        at = at.parent
    return at is scope


def _unique(refs: Iterable[Ref]) -> list[Ref]:
    return [*dict.fromkeys(refs)]


# the order of the text


def is_before(first: Ref, second: Ref) -> bool:
    """Whether a loop or block stands before another one, neither of them in the other."""
    around = common_ancestor([first, second])
    place = places(around)
    return place[child_of(around, first).stmt] < place[child_of(around, second).stmt]


def in_order(scope: Ref, refs: list[Ref]) -> list[Ref]:
    """Loops and blocks that are in a scope, in the order of the text."""
    return refs if len(refs) < 2 else sorted(refs, key=lambda ref: _position(scope, ref))


def _position(scope: Ref, ref: Ref) -> tuple[int, ...]:
    position: list[int] = []
    while ref is not scope and ref.parent is not None:
        position.append(places(ref.parent)[ref.stmt])
        ref = ref.parent
    position.reverse()
    return tuple(position)


def places(around: Ref) -> dict[Stmt | None, int]:
    """The loops and blocks directly in a loop or block: which one each of them is."""
    stmt = around.stmt
    assert stmt is not None, "a loop or block that is there"
    made = around.tree.places.get(stmt)
    if made is None:
        if len(around.tree.places) > _KEPT:
            around.tree.places.clear()
        parts = stmt.body.seq if isinstance(stmt.body, SeqStmt) else ()
        # long rows of loops are the rule
        items = parts if set(map(type, parts)) == {For} else inner(stmt.body)
        made = around.tree.places[stmt] = dict(zip(items, count(), strict=False))
    return made


#: so many loops and blocks remember where the ones in them are
_KEPT = 64
