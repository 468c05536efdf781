"""Building blocks of caches: copy blocks, their insertion, and the redirection of accesses to the copy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal, NamedTuple, cast

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.region_bound import estimate_region_upper_bound
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import nodes, on
from tvmscript.ir.schedule.analysis.access_checks import (
    accesses_unconditionally,
    in_bounds_condition,
    reads_before_write,
    reads_other_elements,
)
from tvmscript.ir.schedule.analysis.bindings import bind_path
from tvmscript.ir.schedule.analysis.block_properties import recompute_affine_binding
from tvmscript.ir.schedule.analysis.block_scope import buffers_of, in_order, is_before, readers, writers
from tvmscript.ir.schedule.analysis.region_cover import bind_region, loop_ranges_below, writes_whole_buffer
from tvmscript.ir.schedule.analysis.regions import Region, first_region, full_region, point_region
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.rewrite.replace_buffer import BufferReplacer, new_memory
from tvmscript.ir.schedule.tree import (
    StmtRef,
    Tree,
    blocks_below,
    child_containing,
    child_stmts,
    common_ancestor,
    is_inside,
    realize_of,
)
from tvmscript.ir.tir import Buffer, Expr, Stmt, Var, const, match_types
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, IterKind, IterVar, Range
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, For, ForKind, IfThenElse, SeqStmt, seq


class NotSingleWriteBlock(ScheduleError, code="TS4168"):
    """A cached buffer must have at most one writer in the scope."""

    message = "buffer {buffer} has several writers: {blocks}"


class UnwrittenCopyError(ScheduleError, code="TS4178"):
    """A write cache must be fully written before it is copied back: the block must not read the buffer before it writes
    it, nor write it conditionally.
    """

    message = "a cache of {buffer} would hold undefined values: block {block} {why}"
    advice = "copy in both directions by cache_inplace"


def check_written(block: Block, buffer: Buffer) -> None:
    """Raise `UnwrittenCopyError` if a block reads a buffer before it writes it."""
    if reads_before_write(block, buffer):
        why = f"reads {buffer.name} before it writes it"
        raise UnwrittenCopyError(buffer=buffer.name, block=block.name_hint, why=why, at=[block])
    if reads_other_elements(block, buffer):
        why = f"reads other elements of {buffer.name} than it writes"
        raise UnwrittenCopyError(buffer=buffer.name, block=block.name_hint, why=why, at=[block])


def check_element_written(block: Block, buffer: Buffer) -> None:
    """Raise `UnwrittenCopyError` unless a block writes an element of a buffer unconditionally, before any read."""
    check_written(block, buffer)
    if not accesses_unconditionally(block, buffer):
        why = f"writes {buffer.name} only under a condition"
        raise UnwrittenCopyError(buffer=buffer.name, block=block.name_hint, why=why, at=[block])


# insertion points


class CopySite(NamedTuple):
    """The insertion point of a copy in `around`: before the second of two loops or blocks, first, or last."""

    around: StmtRef
    at: tuple[StmtRef, StmtRef] | Literal["first", "last"]


def only_writer(scope: StmtRef, buffer: Buffer) -> StmtRef | None:
    """Return the only writer of a buffer in a scope; None if there is none. Raises `NotSingleWriteBlock`."""
    blocks = writers(scope, buffer)
    if len(blocks) > 1:
        names = [ref.block.name_hint for ref in blocks]
        raise NotSingleWriteBlock(buffer=buffer.name, blocks=listed(names), at=[ref.block for ref in blocks])
    return blocks[0] if blocks else None


def readers_after(scope: StmtRef, block: StmtRef) -> list[StmtRef]:
    """Return the later blocks of a scope that read what a block writes."""
    stmt = (ref for buffer in buffers_of(block.block.writes) for ref in readers(scope, buffer))
    return [ref for ref in dict.fromkeys(stmt) if ref is not block and is_before(block, ref)]


def find_copy_site(scope: StmtRef, block: StmtRef, users: Sequence[StmtRef]) -> CopySite:
    """Return the insertion point for a copy of a block's output: before a user, in the deepest common ancestor."""
    items = [(common_ancestor([block, user]), user) for user in users]
    depth = max((_depth(around) for around, _ in items), default=0)
    items = [(around, user) for around, user in items if _depth(around) == depth and is_inside(around, scope)]
    if not items:
        return CopySite(scope, "last")
    around = items[0][0]
    first = in_order(around, [user for _, user in items])[0]
    return CopySite(around, (child_containing(around, block), child_containing(around, first)))


def _depth(ref: StmtRef) -> int:
    depth = 0
    while ref.parent is not None:
        depth, ref = depth + 1, ref.parent
    return depth


def region_at_site(block: StmtRef, region: BufferRegion, around: StmtRef) -> Region:
    """Return the region that a block accesses in one iteration of `around`."""
    if writes_whole_buffer(block, region, around):
        return full_region(region.buffer)
    realize, analyzer = realize_of(block), Analyzer()
    domains = loop_ranges_below(block, around, region.buffer.storage_scope)
    box = estimate_region_upper_bound(bind_region(region, realize), domains, realize.predicate, analyzer=analyzer)
    items = [part.cover_range(whole) for part, whole in zip(box, full_region(region.buffer), strict=True)]
    return tuple(cast(list[Range], items))


# copies


class BufferCopy:
    """A cache of a region of a buffer; its shape is that of the region, or of the buffer if `is_full`."""

    def __init__(
        self, buffer: Buffer, region: Region, scope: str, *, is_full: bool, cache: Buffer | None = None
    ) -> None:
        self.buffer = buffer
        self.region = region
        self.is_full = is_full
        cache = cache or new_memory(buffer, scope)
        self.cache = cache if is_full else cache.replace(shape=tuple([part.extent for part in region]))

    @property
    def start(self) -> tuple[Expr, ...] | None:
        """The buffer indices of the first element of the copy; None if indices are the same in both."""
        return None if self.is_full else tuple([part.min for part in self.region])

    def stage(self, around: StmtRef, *, is_read: bool, predicate: Expr = fold.TRUE) -> tuple[Block, Stmt]:
        """Make the block that copies the region from the buffer (or to it), and the loops around it.

        It is built for an insertion into `around`. Elements that are not provably in bounds are guarded.
        """
        analyzer = Analyzer()
        bind_path(analyzer, around)
        loops: list[tuple[Var, Range]] = []
        axes: list[IterVar] = []
        values: list[Expr] = []
        there: list[Expr] = []
        for place, (part, size) in enumerate(zip(self.region, self.buffer.shape, strict=True)):
            dtype = part.extent.dtype
            loop, var = Var(f"ax{place}", dtype), Var(f"v{place}", dtype)
            loops.append((loop, Range.from_min_extent(IntImm(dtype, 0), part.extent)))
            analyzer.bind(loop, loops[-1][1])
            values.append(add_offset(part.min, loop) if self.is_full else loop)
            end = size if self.is_full else part.extent
            axes.append(IterVar(Range.from_min_extent(IntImm(end.dtype, 0), end), var, IterKind.DATA_PAR))
            analyzer.bind(var, cast(Range, axes[-1].dom))
            there.append(var if self.is_full else add_offset(part.min, var))
        here: list[Expr] = [axis.var for axis in axes]
        source, target = (self.buffer, there), (self.cache, here)
        if not is_read:
            source, target = target, source
        is_inside = in_bounds_condition(self.buffer, there, analyzer)
        if self.is_full:
            with analyzer.constraint(predicate):
                predicate = fold.logical_and(predicate, in_bounds_condition(self.buffer, values, analyzer))
        block = make_copy_block(self.cache.name, axes, source, target, is_inside, is_read=is_read)
        return block, wrap_in_loops(loops, BlockRealize(tuple(values), predicate, block))


def wrap_in_loops(loops: Sequence[tuple[Var, Range]], body: Stmt) -> Stmt:
    """Wrap a statement in serial loops."""
    for var, domain in reversed(loops):
        body = For(var, domain.min, domain.extent, ForKind.SERIAL, body)
    return body


def make_copy_block(
    name: str,
    axes: Sequence[IterVar],
    source: tuple[Buffer, Sequence[Expr]],
    target: tuple[Buffer, Sequence[Expr]],
    is_inside: Expr = fold.TRUE,
    *,
    is_read: bool = True,
) -> Block:
    """Make a block that copies one element between buffers.

    `is_inside` guards the access of the original buffer: the load (a read cache gets 0 instead) or the store. It is not
    a block predicate, since that would restrict the domain of the axes.
    """
    value: Expr = BufferLoad(source[0], tuple(source[1]))
    if is_read and is_inside is not fold.TRUE:
        value = if_then_else(is_inside, value, const(0, value.dtype))
    body: Stmt = BufferStore(target[0], value, tuple(target[1]))
    if not is_read and is_inside is not fold.TRUE:
        body = IfThenElse(is_inside, body)
    reads = (point_region(*source), *_index_reads((*source[1], *target[1])))
    return Block(tuple(axes), reads, (point_region(*target),), name, body)


def _index_reads(indices: Sequence[Expr]) -> list[BufferRegion]:
    """Return the regions that indices read (missing in TVM): one element of each buffer, or the whole buffer."""
    loads: dict[Buffer, list[BufferLoad]] = {}
    for node in (node for index in indices for node in nodes(index) if isinstance(node, BufferLoad)):
        loads.setdefault(node.buffer, []).append(node)
    return [
        point_region(buffer, result[0].indices)
        if all(
            map(expr_deep_equal, result[0].indices * len(result), (index for load in result for index in load.indices))
        )
        else BufferRegion(buffer, full_region(buffer))
        for buffer, result in loads.items()
    ]


def add_offset(first: Expr, by: Expr) -> Expr:
    """Return a sum in the wider dtype."""
    return fold.add(*match_types(first, by))


def insert_copy(scope: StmtRef, place: CopySite, stage: Stmt, block: Block, buffer: Buffer | None) -> StmtRef:
    """Insert a copy block with its loops, and allocate its buffer in the scope; return the block."""
    tree = scope.tree
    around, at = place
    stmt = cast("For | Block", around.stmt)
    if isinstance(at, tuple):
        first, second = (cast("For | Block", ref.stmt) for ref in at)
        body = _insert_before(stmt.body, first, second, stage)
    else:
        body = seq(stage, stmt.body) if at == "first" else seq(stmt.body, stage)
    new_stmt = stmt.replace(body=body)
    tree.replace(
        around, new_stmt, {new_stmt: stmt} if isinstance(new_stmt, Block) and isinstance(stmt, Block) else None
    )
    if buffer is not None:
        allocate_buffer(scope, buffer)
    return register_copy(tree, block)


def allocate_buffer(scope: StmtRef, buffer: Buffer) -> None:
    """Add a buffer to the allocations of a block."""
    old = scope.block
    new_block = old.replace(alloc_buffers=(*old.alloc_buffers, buffer))
    scope.tree.replace(scope, new_block, {new_block: old})


def register_copy(tree: Tree, block: Block) -> StmtRef:
    """Return the reference of an inserted block, with its binding facts computed."""
    ref = tree.refs[block]
    recompute_affine_binding(ref)
    return ref


def _insert_before(stmt: Stmt, first: For | Block, second: For | Block, new_stmt: Stmt) -> Stmt:
    """Insert a statement before the item of the sequence that contains `second` but not `first`."""
    if not isinstance(stmt, SeqStmt):
        for name in ("body", "then_case", "else_case"):
            part = getattr(stmt, name, None)
            if part is not None and first in child_stmts(part):
                return stmt.replace(**{name: _insert_before(part, first, second, new_stmt)})
    assert isinstance(stmt, SeqStmt), "two siblings are in a sequence"
    place = next(index for index, part in enumerate(stmt.seq) if second in child_stmts(part))
    if first in child_stmts(stmt.seq[place]):
        parts = [*stmt.seq]
        parts[place] = _insert_before(parts[place], first, second, new_stmt)
        return seq(*parts)
    return seq(*stmt.seq[:place], new_stmt, *stmt.seq[place:])


# redirection of accesses


class BufferRedirection(BufferReplacer):
    """Redirect accesses of a buffer to a copy.

    With `only`, just those directly in these blocks; blocks that write the buffer are skipped unless `with_writers`.
    """

    def __init__(
        self,
        old: Buffer,
        new: Buffer,
        start: Sequence[Expr] | None = None,
        only: Collection[Block] | None = None,
        *,
        with_writers: bool = False,
    ) -> None:
        super().__init__({old: new})
        self.old = old
        self.start = start
        self.only = only
        self.with_writers = with_writers
        self.is_active = only is None
        self.analyzer = Analyzer()

    def map_indices(self, indices: Sequence[Expr]) -> tuple[Expr, ...]:
        """Return the indices of the copy for those of the buffer."""
        if self.start is None:
            return tuple(indices)
        pairs = zip(indices, self.start, strict=True)
        return tuple([self.analyzer.simplify(fold.sub(*match_types(index, first))) for index, first in pairs])

    def map_region(self, region: Region) -> Region:
        """Return the region of the copy for one of the buffer."""
        firsts = self.map_indices([part.min for part in region])
        return tuple([Range.from_min_extent(first, part.extent) for first, part in zip(firsts, region, strict=True)])

    @on(Var, Buffer)
    def name(self, node: Any) -> Any:
        return self.renamed.get(node, node) if self.is_active else node

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        if node.buffer is not self.old or not self.is_active:
            return super().load(node)
        indices = self.map_indices(self.indices(node.indices))
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        return BufferLoad(self.rewrite(node.buffer), indices, predicate, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if node.buffer is not self.old or not self.is_active:
            return super().store(node)
        buffer, value = self.rewrite(node.buffer), self.rewrite(node.value)
        indices = self.map_indices(self.indices(node.indices))
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        return BufferStore(buffer, value, indices, predicate, span=node.span)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        if node.buffer is not self.old or not self.is_active:
            return self.descend(node)
        parts = self.map_region(self._tuple(node.region, self.rewrite))
        return BufferRegion(self.rewrite(node.buffer), parts, span=node.span)

    @on(Block)
    def block(self, node: Block) -> Block:
        if not self.with_writers and first_region(node.writes, self.old) is not None:
            return node
        before, self.is_active = self.is_active, self.only is None or node in self.only
        new_block: Block = super().block(node)
        self.is_active = before
        return new_block


class ElementRedirection(BufferRedirection):
    """Redirect accesses of a buffer to one element of a copy."""

    def __init__(self, old: Buffer, new: Buffer, element: Sequence[Expr], *, with_writers: bool = True) -> None:
        super().__init__(old, new, with_writers=with_writers)
        self.element = tuple(element)

    def map_indices(self, indices: Sequence[Expr]) -> tuple[Expr, ...]:
        return self.element

    def map_region(self, region: Region) -> Region:
        return tuple([Range.from_min_extent(index, IntImm(index.dtype, 1)) for index in self.element])


def redirect_accesses(ref: StmtRef, redirection: BufferRedirection) -> None:
    """Apply a redirection to a block and its nested blocks."""
    old = ref.block
    new_block = redirection.block(old)
    ref.tree.replace(ref, new_block, redirection.blocks)


def add_nested_blocks(blocks: Iterable[StmtRef]) -> list[StmtRef]:
    """Return blocks and all blocks inside of them; TVM takes only the direct ones."""
    result: dict[StmtRef, None] = {}
    stack = [*blocks][::-1]
    while stack:
        ref = stack.pop()
        if ref not in result:
            result[ref] = None
            stack += blocks_below(ref)[::-1]
    return [*result]


def outermost_in_scope(refs: Collection[StmtRef], scope: StmtRef, apart: Collection[StmtRef] = ()) -> list[StmtRef]:
    """Return the outermost of these blocks in a scope that are neither in `apart` nor inside of such a block."""
    members = {scope, *refs, *apart}
    return [ref for ref in refs if ref is not scope and ref not in apart and _first_above(ref, members) is scope]


def _first_above(ref: StmtRef, members: Collection[StmtRef]) -> StmtRef | None:
    at = ref.parent
    while at is not None and at not in members:
        at = at.parent
    return at
