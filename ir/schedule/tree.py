"""The loops and blocks of a function that is being scheduled, followed through its changes.

Programs are persistent: a change makes new statements on the way from its place to the root, and nothing else.
A `StmtRef` is what stays the same: it names a loop or a block, whichever statement that is at the moment.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple, cast

from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP
from tvmscript.ir.tir.stmt import Block, BlockRealize, For, IfThenElse, SeqStmt
from tvmscript.ir.tir.var import Var


class StmtRef:
    """A loop or a block of a tree. `parent` is the loop or block around it; `stmt` is None once it is gone."""

    __slots__ = ("known", "origin", "parent", "stmt", "tree")

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.stmt: For | Block | None = None
        self.parent: StmtRef | None = None
        #: a block: what facts about it are found in, and what it was there; None for one that a primitive made
        self.origin: tuple[Snapshot, Block] | None = None
        #: facts about the block that were asked for
        self.known: dict[str, bool] = {}

    @property
    def loop(self) -> For:
        """The loop that this is; only for what is known to be one."""
        return cast(For, self.stmt)

    @property
    def block(self) -> Block:
        """The block that this is; only for what is known to be one."""
        return cast(Block, self.stmt)

    @property
    def is_block(self) -> bool:
        """Whether it is a block, not a loop."""
        return type(self.stmt) is Block

    def __repr__(self) -> str:
        stmt = self.stmt
        if stmt is None:
            return "<StmtRef: gone>"
        return f"<StmtRef: {f'block {stmt.name_hint}' if isinstance(stmt, Block) else f'loop {stmt.loop_var.name}'}>"


class Snapshot:
    """A function as it was once, which facts are found in; it is gone with the last block that refers to it."""

    __slots__ = ("_tree", "func", "name")

    def __init__(self, name: str, func: PrimFunc) -> None:
        self.name = name
        self.func = func
        self._tree: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The loops and blocks of the function; made when they are asked for."""
        if self._tree is None:
            self._tree = Tree(self.name, self.func)
        return self._tree


class _FactsEntry(NamedTuple):
    """What was known of a block before that changed."""

    ref: StmtRef
    origin: tuple[Snapshot, Block] | None
    known: dict[str, bool]


#: What a Ref was before it changed, or was known as; or the function before a change.
_JournalEntry = PrimFunc | _FactsEntry | tuple[StmtRef, "For | Block | None", "StmtRef | None"]


class Tree:
    """The loops and blocks of one function; `func` is the function as it is now, `root` its outermost block."""

    def __init__(self, name: str, func: PrimFunc) -> None:
        self.name = name
        self.func = func
        #: whether primitives check what can only be seen by looking at a whole scope
        self.enable_check = True
        #: statement -> the loop or block that it is
        self.refs: dict[Stmt, StmtRef] = {}
        #: block name -> the blocks of this name, in no order; none once they are gone
        self.named: dict[str, dict[StmtRef, None]] = {}
        #: buffer -> the blocks that say that they read it; that they write it; in no order
        self.readers: dict[Buffer, dict[StmtRef, None]] = {}
        self.writers: dict[Buffer, dict[StmtRef, None]] = {}
        #: loops and blocks -> what stands directly in them, and as which one; remembered by `scope`
        self.places: dict[Stmt, dict[Stmt | None, int]] = {}
        #: statement -> the variables and buffers in it; remembered by `mentions`
        self.mentions: dict[Stmt, frozenset[Any]] = {}
        #: what `rollback` needs, oldest first
        self.journal: list[_JournalEntry] = []
        for stmt, around in _walk(cast(BlockRealize, func.body).block):
            self._set(StmtRef(self), stmt, self.refs[around] if around is not None else None)
        self.root = self.refs[cast(BlockRealize, func.body).block]
        now = Snapshot(name, func)
        for block, ref in self.refs.items():
            if isinstance(block, Block):
                ref.origin = now, block
        self.journal.clear()

    # changes

    def replace(self, target: StmtRef, made: Stmt, blocks: Mapping[Block, Block] | None = None) -> None:
        """Put a statement in the place of a loop, or of a block: of its realization, if the statement is no Block.

        Loops with the same variable are the same loops as before; so are blocks that `blocks` maps to the old ones;
        what is the same object stays as it is. The empty statement (`NOOP`) removes.
        """
        old = target.stmt
        if old is None:
            raise ValueError("the loop or block is gone")
        if made is old:
            return
        parent = target.parent
        kept: dict[For | Block, For | Block | None] = {}
        same = _unchanged_children(old, made, blocks)
        fresh = [*_walk(made, kept, self.refs, same)]
        loops: dict[Var, StmtRef] = {}
        old_blocks: dict[Block, StmtRef] = {}
        for stmt, _ in _walk(old, None, kept, same):
            if isinstance(stmt, For):
                loops[stmt.loop_var] = self.refs[stmt]
            else:
                old_blocks[stmt] = self.refs[stmt]
        self.journal.append(self.func)
        for stmt, around in fresh:
            ref: StmtRef | None
            if isinstance(stmt, For):
                ref = loops.pop(stmt.loop_var, None)
            else:
                ref = old_blocks.pop(blocks[stmt], None) if blocks and stmt in blocks else None
            self._set(ref or StmtRef(self), stmt, parent if around is None else self.refs[around])
        for stmt, around in kept.items():
            above = parent if around is None else self.refs[around]
            if self.refs[stmt].parent is not above:
                self._set(self.refs[stmt], stmt, above)
        for gone in (*loops.values(), *old_blocks.values()):
            self._set(gone, None, None)
        self._rebuild(parent, old, made)

    def change_function(self, func: PrimFunc) -> None:
        """Put another function in the place of this one: the same body, other parameters, buffers or attributes."""
        self.journal.append(self.func)
        self.func = func

    def learn(self, ref: StmtRef, origin: tuple[Snapshot, Block] | None, known: dict[str, bool]) -> None:
        """Other facts about a block hold from here on: what is known, and where the rest is found; see `facts`."""
        self.journal.append(_FactsEntry(ref, ref.origin, ref.known))
        ref.origin, ref.known = origin, known

    def _rebuild(self, parent: StmtRef | None, old: For | Block, made: Stmt) -> None:
        """New statements from the place of a change up to the root."""
        while parent is not None:
            around = cast("For | Block", parent.stmt)
            rebuilt = around.replace(body=replace_child(around.body, old, made))
            self._set(parent, rebuilt, parent.parent)
            old, made, parent = around, rebuilt, parent.parent
        self.func = self.func.with_body(replace_child(self.func.body, old, made))

    def _set(self, ref: StmtRef, stmt: For | Block | None, parent: StmtRef | None) -> None:
        """Every change of a StmtRef goes through here."""
        before = ref.stmt
        self.journal.append((ref, before, ref.parent))
        if before is not stmt:
            if before is not None and self.refs.get(before) is ref:
                del self.refs[before]
            if stmt is not None:
                self.refs[stmt] = ref
            if type(before) is Block or type(stmt) is Block:
                self._index(ref, cast("Block | None", before), cast("Block | None", stmt))
        ref.stmt = stmt
        ref.parent = parent

    def _index(self, ref: StmtRef, before: Block | None, block: Block | None) -> None:
        """Keep up to date which blocks have a name, and which read and write a buffer."""
        before_name = None if before is None else before.name_hint
        name = None if block is None else block.name_hint
        if before_name != name:
            if before_name is not None:
                del self.named[before_name][ref]
            if name is not None:
                self.named.setdefault(name, {})[ref] = None
        for kept, old, made in (
            (self.readers, before and before.reads, block and block.reads),
            (self.writers, before and before.writes, block and block.writes),
        ):
            if old is made:
                continue
            for region in old or ():
                kept[region.buffer].pop(ref, None)
            for region in made or ():
                kept.setdefault(region.buffer, {})[ref] = None

    def rollback(self, mark: int) -> None:
        """Undo everything since the journal had this length."""
        undone = self.journal[mark:]
        for entry in reversed(undone):
            if isinstance(entry, PrimFunc):
                self.func = entry
            elif isinstance(entry, _FactsEntry):
                entry.ref.origin, entry.ref.known = entry.origin, entry.known
            else:
                self._set(*entry)
        del self.journal[mark:]

    def copy(self) -> tuple[Tree, dict[StmtRef, StmtRef]]:
        """A tree that changes on its own, and what its loops and blocks are for those of this one."""
        made = Tree(self.name, self.func)
        matching = {ref: made.refs[stmt] for stmt, ref in self.refs.items()}
        for ref, other in matching.items():
            other.origin, other.known = ref.origin, dict(ref.known)
        return made, matching


#: What `sample_compute_location` may give instead of a loop: "inline it", and "leave it where it is".
MARKS = INLINE_MARK, ROOT_MARK = StmtRef(cast(Tree, None)), StmtRef(cast(Tree, None))


# statements


def child_stmts(stmt: Stmt, left_out: Container[Stmt] = ()) -> Iterator[For | Block]:
    """The loops and blocks of a statement that stand in no other loop or block of it, in the order of the text.

    Parts of the statement, or of the sequence that it is, can be left out.
    """
    if left_out:
        parts = stmt.seq if isinstance(stmt, SeqStmt) else (stmt,)
        stack = [part for part in reversed(parts) if part not in left_out]
    else:
        stack = [stmt]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is For or kind is Block:
            yield cast("For | Block", item)
        elif kind is BlockRealize:
            yield cast(BlockRealize, item).block
        elif kind is SeqStmt:
            stack += reversed(cast(SeqStmt, item).seq)
        elif kind is IfThenElse:
            choice = cast(IfThenElse, item)
            if choice.else_case is not None:
                stack.append(choice.else_case)
            stack.append(choice.then_case)
        else:
            body = getattr(item, "body", None)
            if body is not None:
                stack.append(body)


def _unchanged_children(old: For | Block, made: Stmt, blocks: Mapping[Block, Block] | None) -> Container[Stmt]:
    """What stands directly in a loop or block both before and after a change of it; most of it, in large programs."""
    if isinstance(made, For):
        is_same = isinstance(old, For) and made.loop_var is old.loop_var
    else:
        is_same = isinstance(made, Block) and blocks is not None and blocks.get(made) is old
    if not is_same:
        return ()
    bodies = old.body, cast("For | Block", made).body
    before, after = (body.seq if isinstance(body, SeqStmt) else (body,) for body in bodies)
    return frozenset(before).intersection(after)


def _walk(
    stmt: Stmt,
    stopped: dict[For | Block, For | Block | None] | None = None,
    stops: Container[Stmt] = (),
    left_out: Container[Stmt] = (),
) -> Iterator[tuple[For | Block, For | Block | None]]:
    """Each loop and block of a statement with the one around it, outer ones first; those in `stops` go to `stopped`.

    What stands directly in the statement and is `left_out` is not looked into.
    """
    stack: list[tuple[For | Block, For | Block | None]] = [(item, None) for item in child_stmts(stmt)]
    stack.reverse()
    while stack:
        item, around = stack.pop()
        if item in stops:
            if stopped is not None:
                stopped[item] = around
            continue
        yield item, around
        below = [(part, item) for part in child_stmts(item.body, left_out if item is stmt else ())]
        below.reverse()
        stack += below


def replace_child(body: Stmt, old: For | Block, made: Stmt) -> Stmt:
    """The body of a loop or block with another statement in the place of a loop or block directly in it.

    In the place of a block stands a block, with the values of its axes as they are, or what replaces its realization.
    """
    changed = _replace_in(body, old, made)
    if changed is None:
        raise ValueError("the loop or block does not stand there")
    return changed


def replace_below(target: StmtRef, made: Stmt, around: StmtRef) -> tuple[For | Block, Stmt]:
    """What stands directly in `around` and has the target in it: as it is, and with the target replaced."""
    old = cast("For | Block", target.stmt)
    at = cast(StmtRef, target.parent)
    while at is not around:
        stmt = cast("For | Block", at.stmt)
        old, made, at = stmt, stmt.replace(body=replace_child(stmt.body, old, made)), cast(StmtRef, at.parent)
    return old, made


def _replace_in(stmt: Stmt, old: For | Block, made: Stmt) -> Stmt | None:
    """The statement with another one in the place of a loop or block directly in it; None where it is not in it."""
    if stmt is old:
        return made
    kind = type(stmt)
    if kind is For or kind is Block:
        return None
    if kind is BlockRealize:
        realize = cast(BlockRealize, stmt)
        if realize.block is not old:
            return None
        return realize.replace(block=made) if isinstance(made, Block) else made
    if kind is SeqStmt:
        return _replace_in_sequence(cast(SeqStmt, stmt), old, made)
    for name in ("body", "then_case", "else_case"):
        part = getattr(stmt, name, None)
        other = None if part is None else _replace_in(part, old, made)
        if other is not None:
            return stmt.replace(**{name: other})
    return None


def _replace_in_sequence(stmt: SeqStmt, old: For | Block, made: Stmt) -> Stmt | None:
    parts = stmt.seq
    found = (parts.index(old), made) if old in parts else _replace_in_one(parts, old, made)
    if found is None:
        return None
    place, other = found
    if other is NOOP or isinstance(other, SeqStmt):
        new_stmts = other.seq if isinstance(other, SeqStmt) else ()
        changed = (*parts[:place], *new_stmts, *parts[place + 1 :])
        return changed[0] if len(changed) == 1 else SeqStmt(changed, span=stmt.span)
    return SeqStmt((*parts[:place], other, *parts[place + 1 :]), span=stmt.span)


def _replace_in_one(parts: tuple[Stmt, ...], old: For | Block, made: Stmt) -> tuple[int, Stmt] | None:
    for place, part in enumerate(parts):
        kind = type(part)
        if kind is For or (kind is BlockRealize and cast(BlockRealize, part).block is not old):
            continue
        other = _replace_in(part, old, made)
        if other is not None:
            return place, other
    return None


def find_realize(stmt: Stmt, block: Block) -> BlockRealize | None:
    """The realization of a block that stands directly in a statement."""
    stack: list[Node] = [stmt]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is BlockRealize:
            if cast(BlockRealize, item).block is block:
                return cast(BlockRealize, item)
        elif kind is SeqStmt:
            stack += cast(SeqStmt, item).seq
        elif kind is not For:
            stack += [p for p in (getattr(item, n, None) for n in ("body", "then_case", "else_case")) if p is not None]
    return None


# what is above and below


def realize_of(block: StmtRef) -> BlockRealize:
    """The realization of a block: the values of its axes and its predicate."""
    if block.parent is None:
        return cast(BlockRealize, block.tree.func.body)
    found = find_realize(cast("For | Block", block.parent.stmt).body, block.block)
    assert found is not None, "a block stands in its parent"
    return found


def loops_above(ref: StmtRef) -> list[StmtRef]:
    """The loops around a loop or block up to the next block, outermost first."""
    found: list[StmtRef] = []
    at = ref.parent
    while at is not None and not at.is_block:
        found.append(at)
        at = at.parent
    found.reverse()
    return found


def visible_loops(ref: StmtRef) -> list[StmtRef]:
    """The loops around a loop or block whose variables it may use, outermost first: up to a block with axes."""
    found: list[StmtRef] = []
    at = ref.parent
    while at is not None and not (at.is_block and at.block.iter_vars):
        if not at.is_block:
            found.append(at)
        at = at.parent
    found.reverse()
    return found


def scope_root(ref: StmtRef) -> StmtRef | None:
    """The block around a loop or block; None for the root."""
    at = ref.parent
    while at is not None and not at.is_block:
        at = at.parent
    return at


def enclosing_blocks(ref: StmtRef) -> Iterator[Block]:
    """The blocks around a loop or block, the innermost first."""
    at = scope_root(ref)
    while at is not None:
        yield at.block
        at = scope_root(at)


def children(ref: StmtRef) -> list[StmtRef]:
    """The loops and blocks directly in a loop or block."""
    return [ref.tree.refs[stmt] for stmt in child_stmts(cast("For | Block", ref.stmt).body)]


def blocks_below(ref: StmtRef) -> list[StmtRef]:
    """The blocks in a loop or block that are in no other block of it, in the order of the text."""
    refs = ref.tree.refs
    found: list[StmtRef] = []
    stack = [*child_stmts(cast("For | Block", ref.stmt).body)][::-1]
    while stack:
        item = stack.pop()
        if type(item) is Block:
            found.append(refs[item])
        else:
            stack += [*child_stmts(item.body)][::-1]
    return found


def is_inside(ref: StmtRef, of: StmtRef) -> bool:
    """Whether a loop or block is in another one, or the same."""
    at: StmtRef | None = ref
    while at is not None:
        if at is of:
            return True
        at = at.parent
    return False


def child_containing(around: StmtRef, ref: StmtRef) -> StmtRef:
    """What stands directly in a loop or block and has another loop or block in it, or is it."""
    while ref.parent is not None and ref.parent is not around:
        ref = ref.parent
    return ref


def common_ancestor(refs: list[StmtRef]) -> StmtRef:
    """The innermost loop or block that all of them are in, or are."""
    paths = [path_to(ref) for ref in refs]
    shared = paths[0][0]
    for level in zip(*paths, strict=False):
        if any(item is not level[0] for item in level):
            break
        shared = level[0]
    return shared


def path_to(ref: StmtRef) -> list[StmtRef]:
    """From the root to a loop or block, both included."""
    path = [ref]
    while path[-1].parent is not None:
        path.append(path[-1].parent)
    path.reverse()
    return path
