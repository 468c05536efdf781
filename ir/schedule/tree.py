"""The tree of loops and blocks of a function, with references that stay valid through replacements.

Programs are persistent: a replacement rebuilds the statements from its position up to the root, and nothing else. A
`StmtRef` identifies a loop or block; `stmt` is its current statement. It corresponds to TVM's `StmtSRef`.
"""

from __future__ import annotations

import weakref
from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple, cast

from tvmscript.ir.core import Node
from tvmscript.ir.schedule.errors import NoSchedule
from tvmscript.ir.tir import NOOP, Block, BlockRealize, Buffer, For, IfThenElse, PrimFunc, SeqStmt, Stmt, Var


class StmtRef:
    """A reference to a loop or block. `parent` is the enclosing loop or block; `stmt` is None after removal."""

    __slots__ = ("_tree", "facts", "origin", "parent", "stmt")

    def __init__(self, tree: Tree | None) -> None:
        #: which has the references: both together would be garbage that only the collector finds
        self._tree = None if tree is None else weakref.ref(tree)
        self.stmt: For | Block | None = None
        self.parent: StmtRef | None = None
        #: for a block: the snapshot that facts are computed on, and the block in it; None if a primitive inserted it
        self.origin: tuple[Snapshot, Block] | None = None
        #: cached facts of a block, see `analysis.block_properties`
        self.facts: dict[str, bool] = {}

    @property
    def tree(self) -> Tree:
        """The tree that the statement is in. Raises `NoSchedule` after the end of its schedule."""
        tree = None if self._tree is None else self._tree()
        if tree is None:
            raise NoSchedule
        return tree

    def same_as(self, other: object) -> bool:
        """Whether both refer to one statement."""
        return self.stmt is getattr(other, "stmt", None)

    @property
    def loop(self) -> For:
        """The current loop; the caller must know that this is one."""
        stmt: Any = self.stmt
        loop: For = stmt
        return loop

    @property
    def block(self) -> Block:
        """The current block; the caller must know that this is one."""
        stmt: Any = self.stmt
        block: Block = stmt
        return block

    @property
    def is_block(self) -> bool:
        """Whether this is a block."""
        return type(self.stmt) is Block

    @property
    def seq_index(self) -> int:
        """The place in the sequence of statements that the parent runs, -1 where it is alone."""
        outer = None if self.parent is None else self.parent.stmt
        parts = outer.body.seq if outer is not None and isinstance(outer.body, SeqStmt) else ()
        inner = [part.block if isinstance(part, BlockRealize) else part for part in parts]
        return next((place for place, part in enumerate(inner) if part is self.stmt), -1)

    def __repr__(self) -> str:
        stmt = self.stmt
        if stmt is None:
            return "<StmtRef: removed>"
        return f"<StmtRef: {f'block {stmt.name_hint}' if isinstance(stmt, Block) else f'loop {stmt.loop_var.name}'}>"


class Snapshot:
    """An earlier version of a function, on which facts are computed."""

    __slots__ = ("_tree", "func", "name")

    def __init__(self, name: str, func: PrimFunc) -> None:
        self.name = name
        self.func = func
        self._tree: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The tree of the function, built on first access."""
        if self._tree is None:
            self._tree = Tree(self.name, self.func)
        return self._tree


class _FactsEntry(NamedTuple):
    """Journal entry: the facts of a block before a change."""

    ref: StmtRef
    origin: tuple[Snapshot, Block] | None
    facts: dict[str, bool]


#: The function, the facts of a block, or (reference, statement, parent) before a change.
_JournalEntry = PrimFunc | _FactsEntry | tuple[StmtRef, "For | Block | None", "StmtRef | None"]


class Tree:
    """The loops and blocks of a function; `func` is the current function, `root` its root block."""

    def __init__(self, name: str, func: PrimFunc) -> None:
        self.name = name
        self.func = func
        #: whether primitives run the checks that inspect a whole scope
        self.enable_check = True
        #: current statement -> reference
        self.refs: dict[Stmt, StmtRef] = {}
        #: block name -> blocks, unordered
        self.named: dict[str, dict[StmtRef, None]] = {}
        #: buffer -> blocks with a read (write) region of it, unordered
        self.readers: dict[Buffer, dict[StmtRef, None]] = {}
        self.writers: dict[Buffer, dict[StmtRef, None]] = {}
        #: statements in blocks without accesses outside of nested blocks; a cache of `analysis.block_scope`
        self.plain_statements: set[Stmt] = set()
        #: loop or block -> positions of its children; a cache of `analysis.block_scope`
        self.positions: dict[Stmt, dict[Stmt | None, int]] = {}
        #: statement -> the variables and buffers in it; a cache of `analysis.buffer_uses`
        self.names_in_stmts: dict[Stmt, frozenset[Node]] = {}
        #: the undo log, oldest first
        self.journal: list[_JournalEntry] = []
        for stmt, around in _walk(cast(BlockRealize, func.body).block):
            self._set(StmtRef(self), stmt, self.refs[around] if around is not None else None)
        self.root = self.refs[cast(BlockRealize, func.body).block]
        snapshot = Snapshot(name, func)
        for block, ref in self.refs.items():
            if isinstance(block, Block):
                ref.origin = snapshot, block
        self.journal.clear()

    # changes

    def replace(self, target: StmtRef, new_stmt: Stmt, blocks: Mapping[Block, Block] | None = None) -> None:
        """Replace a loop or block by a statement; a block by a block, or its realize by another statement.

        References are kept for loops with the same variable, blocks that `blocks` maps to old ones, and unchanged
        statements. The empty statement (`NOOP`) removes.
        """
        old = target.stmt
        if old is None:
            raise ValueError("the loop or block was removed")
        if new_stmt is old:
            return
        parent = target.parent
        kept: dict[For | Block, For | Block | None] = {}
        same = _unchanged_children(old, new_stmt, blocks)
        fresh = [*_walk(new_stmt, kept, self.refs, same)]
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
        self._rebuild(parent, old, new_stmt)

    def change_function(self, func: PrimFunc) -> None:
        """Replace the function by one with the same body, but other parameters, buffers or attributes."""
        self.journal.append(self.func)
        self.func = func

    def set_facts(self, ref: StmtRef, origin: tuple[Snapshot, Block] | None, facts: dict[str, bool]) -> None:
        """Set the cached facts of a block, and the snapshot that further ones are computed on."""
        self.journal.append(_FactsEntry(ref, ref.origin, ref.facts))
        ref.origin, ref.facts = origin, facts

    def _rebuild(self, parent: StmtRef | None, old: For | Block, new_stmt: Stmt) -> None:
        """Rebuild the statements from a replaced one up to the root."""
        while parent is not None:
            around = cast("For | Block", parent.stmt)
            rebuilt = around.replace(body=replace_child(around.body, old, new_stmt))
            self._set(parent, rebuilt, parent.parent)
            old, new_stmt, parent = around, rebuilt, parent.parent
        self.func = self.func.with_body(replace_child(self.func.body, old, new_stmt))

    def _set(self, ref: StmtRef, stmt: For | Block | None, parent: StmtRef | None) -> None:
        """Set the statement and parent of a reference; every change goes through here."""
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
        """Update the indices of blocks by name, read buffer and written buffer."""
        before_name = None if before is None else before.name_hint
        name = None if block is None else block.name_hint
        if before_name != name:
            if before_name is not None:
                del self.named[before_name][ref]
            if name is not None:
                self.named.setdefault(name, {})[ref] = None
        for blocks_of, old_regions, new_regions in (
            (self.readers, before and before.reads, block and block.reads),
            (self.writers, before and before.writes, block and block.writes),
        ):
            if old_regions is new_regions:
                continue
            for region in old_regions or ():
                blocks_of[region.buffer].pop(ref, None)
            for region in new_regions or ():
                blocks_of.setdefault(region.buffer, {})[ref] = None

    def rollback(self, mark: int) -> None:
        """Undo all changes since the journal had length `mark`."""
        undone = self.journal[mark:]
        for entry in reversed(undone):
            if isinstance(entry, PrimFunc):
                self.func = entry
            elif isinstance(entry, _FactsEntry):
                entry.ref.origin, entry.ref.facts = entry.origin, entry.facts
            else:
                self._set(*entry)
        del self.journal[mark:]

    def copy(self) -> tuple[Tree, dict[StmtRef, StmtRef]]:
        """Return an independent copy, and the reference in the copy for each reference of this tree."""
        tree = Tree(self.name, self.func)
        new_refs = {ref: tree.refs[stmt] for stmt, ref in self.refs.items()}
        for ref, new_ref in new_refs.items():
            new_ref.origin, new_ref.facts = ref.origin, dict(ref.facts)
        return tree, new_refs


#: Locations that `sample_compute_location` may return instead of a loop: inline the block, or keep it in place.
MARKS = INLINE_MARK, ROOT_MARK = StmtRef(None), StmtRef(None)


# statements


def child_stmts(stmt: Stmt, skipped: Container[Stmt] = ()) -> list[For | Block]:
    """Return the outermost loops and blocks of a statement in program order; skip sequence items in `skipped`."""
    stack: list[Any] = [stmt]
    if skipped:
        stmts = stmt.seq if isinstance(stmt, SeqStmt) else (stmt,)
        stack = [child for child in reversed(stmts) if child not in skipped]
    children: list[For | Block] = []
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is For or kind is Block:
            children.append(item)
        elif kind is BlockRealize:
            children.append(item.block)
        elif kind is SeqStmt:
            stack += item.seq[::-1]
        elif kind is IfThenElse:
            if item.else_case is not None:
                stack.append(item.else_case)
            stack.append(item.then_case)
        else:
            body = getattr(item, "body", None)
            if body is not None:
                stack.append(body)
    return children


def _unchanged_children(old: For | Block, new_stmt: Stmt, blocks: Mapping[Block, Block] | None) -> Container[Stmt]:
    """Return the children of a loop or block that are unchanged by its replacement."""
    if isinstance(new_stmt, For):
        is_same = isinstance(old, For) and new_stmt.loop_var is old.loop_var
    else:
        is_same = isinstance(new_stmt, Block) and blocks is not None and blocks.get(new_stmt) is old
    if not is_same:
        return ()
    bodies = old.body, cast("For | Block", new_stmt).body
    before, after = (body.seq if isinstance(body, SeqStmt) else (body,) for body in bodies)
    return frozenset(before).intersection(after)


def _walk(
    stmt: Stmt,
    stopped: dict[For | Block, For | Block | None] | None = None,
    stops: Container[Stmt] = (),
    skipped: Container[Stmt] = (),
) -> Iterator[tuple[For | Block, For | Block | None]]:
    """Yield each loop and block with its parent in pre-order; those in `stops` are put into `stopped` instead.

    Children of the statement in `skipped` are not entered.
    """
    stack: list[tuple[For | Block, For | Block | None]] = [(item, None) for item in child_stmts(stmt)[::-1]]
    while stack:
        item, around = stack.pop()
        if item in stops:
            if stopped is not None:
                stopped[item] = around
            continue
        yield item, around
        stack += [(child, item) for child in child_stmts(item.body, skipped if item is stmt else ())[::-1]]


def replace_child(body: Stmt, old: For | Block, new_stmt: Stmt) -> Stmt:
    """Replace a loop or block directly in the body of a loop or block.

    A block is replaced by a block with the same bindings; its realize by any other statement.
    """
    new_body = _replace_in(body, old, new_stmt)
    if new_body is None:
        raise ValueError("the body does not contain the loop or block")
    return new_body


def replace_below(target: StmtRef, new_stmt: Stmt, around: StmtRef) -> tuple[For | Block, Stmt]:
    """Return the child of `around` that contains the target, and the same with the target replaced."""
    old = cast("For | Block", target.stmt)
    at = cast(StmtRef, target.parent)
    while at is not around:
        stmt = cast("For | Block", at.stmt)
        old, new_stmt, at = stmt, stmt.replace(body=replace_child(stmt.body, old, new_stmt)), cast(StmtRef, at.parent)
    return old, new_stmt


def _replace_in(stmt: Stmt, old: For | Block, new_stmt: Stmt) -> Stmt | None:
    """Replace a loop or block directly in a statement; None if it is not there."""
    if stmt is old:
        return new_stmt
    kind = type(stmt)
    if kind is For or kind is Block:
        return None
    if kind is BlockRealize:
        realize = cast(BlockRealize, stmt)
        if realize.block is not old:
            return None
        return realize.replace(block=new_stmt) if isinstance(new_stmt, Block) else new_stmt
    if kind is SeqStmt:
        return _replace_in_sequence(cast(SeqStmt, stmt), old, new_stmt)
    for name in ("body", "then_case", "else_case"):
        part = getattr(stmt, name, None)
        other = None if part is None else _replace_in(part, old, new_stmt)
        if other is not None:
            return stmt.replace(**{name: other})
    return None


def _replace_in_sequence(stmt: SeqStmt, old: For | Block, new_stmt: Stmt) -> Stmt | None:
    parts = stmt.seq
    replacement = (parts.index(old), new_stmt) if old in parts else _replace_in_one(parts, old, new_stmt)
    if replacement is None:
        return None
    place, other = replacement
    if other is NOOP or isinstance(other, SeqStmt):
        new_stmts = other.seq if isinstance(other, SeqStmt) else ()
        new_parts = (*parts[:place], *new_stmts, *parts[place + 1 :])
        return new_parts[0] if len(new_parts) == 1 else SeqStmt(new_parts, span=stmt.span)
    return SeqStmt((*parts[:place], other, *parts[place + 1 :]), span=stmt.span)


def _replace_in_one(parts: tuple[Stmt, ...], old: For | Block, new_stmt: Stmt) -> tuple[int, Stmt] | None:
    for place, part in enumerate(parts):
        kind = type(part)
        if kind is For or (kind is BlockRealize and cast(BlockRealize, part).block is not old):
            continue
        other = _replace_in(part, old, new_stmt)
        if other is not None:
            return place, other
    return None


def find_realize(stmt: Stmt, block: Block) -> BlockRealize | None:
    """Return the realize of a block directly in a statement; None if it is not there."""
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


# navigation


def realize_of(block: StmtRef) -> BlockRealize:
    """Return the realize of a block: its bindings and predicate."""
    if block.parent is None:
        return cast(BlockRealize, block.tree.func.body)
    realize = find_realize(cast("For | Block", block.parent.stmt).body, block.block)
    assert realize is not None, "a block is in its parent"
    return realize


def loops_above(ref: StmtRef) -> list[StmtRef]:
    """Return the loops around a loop or block up to the next block, outermost first."""
    refs: list[StmtRef] = []
    at = ref.parent
    while at is not None and type(at.stmt) is not Block:
        refs.append(at)
        at = at.parent
    refs.reverse()
    return refs


def visible_loops(ref: StmtRef) -> list[StmtRef]:
    """Return the loops around a loop or block up to a block with axes, outermost first: those whose variables it may
    use.
    """
    refs: list[StmtRef] = []
    at = ref.parent
    while at is not None and not (at.is_block and at.block.iter_vars):
        if not at.is_block:
            refs.append(at)
        at = at.parent
    refs.reverse()
    return refs


def scope_root(ref: StmtRef) -> StmtRef | None:
    """Return the block around a loop or block; None for the root."""
    at = ref.parent
    while at is not None and type(at.stmt) is not Block:
        at = at.parent
    return at


def enclosing_blocks(ref: StmtRef) -> Iterator[Block]:
    """Yield the blocks around a loop or block, innermost first."""
    at = scope_root(ref)
    while at is not None:
        yield at.block
        at = scope_root(at)


def children(ref: StmtRef) -> list[StmtRef]:
    """Return the loops and blocks directly in a loop or block."""
    return [ref.tree.refs[stmt] for stmt in child_stmts(cast("For | Block", ref.stmt).body)]


def blocks_below(ref: StmtRef) -> list[StmtRef]:
    """Return the blocks in a loop or block that are in no other block of it, in program order."""
    refs = ref.tree.refs
    items: list[StmtRef] = []
    stack = child_stmts(cast("For | Block", ref.stmt).body)[::-1]
    while stack:
        item = stack.pop()
        if type(item) is Block:
            items.append(refs[item])
        else:
            stack += child_stmts(item.body)[::-1]
    return items


def is_inside(ref: StmtRef, of: StmtRef) -> bool:
    """Whether a loop or block is inside another one, or the same."""
    at: StmtRef | None = ref
    while at is not None:
        if at is of:
            return True
        at = at.parent
    return False


def child_containing(around: StmtRef, ref: StmtRef) -> StmtRef:
    """Return the child of `around` that contains `ref` or is it."""
    while ref.parent is not None and ref.parent is not around:
        ref = ref.parent
    return ref


def common_ancestor(refs: list[StmtRef]) -> StmtRef:
    """Return the lowest common ancestor; it may be one of `refs`."""
    paths = [path_to(ref) for ref in refs]
    shared = paths[0][0]
    for level in zip(*paths, strict=False):
        if any(item is not level[0] for item in level):
            break
        shared = level[0]
    return shared


def path_to(ref: StmtRef) -> list[StmtRef]:
    """Return the path from the root to a loop or block, both included."""
    path = [ref]
    while path[-1].parent is not None:
        path.append(path[-1].parent)
    path.reverse()
    return path
