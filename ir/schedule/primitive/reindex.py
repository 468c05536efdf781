"""Copy a buffer into one that is indexed by the axes of a block: reindex."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import Node, Visitor, WrongType, on
from tvmscript.ir.schedule.analysis.access_checks import accesses_unconditionally, in_bounds_condition
from tvmscript.ir.schedule.analysis.bindings import domain_of
from tvmscript.ir.schedule.analysis.block_properties import pipeline_scope
from tvmscript.ir.schedule.analysis.region_cover import covers_axis_domains
from tvmscript.ir.schedule.analysis.regions import first_region
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.primitive.split_fuse import NotOnlyChildError
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite import cache_blocks
from tvmscript.ir.schedule.rewrite.block_rewriter import check_not_beside_blocks
from tvmscript.ir.schedule.rewrite.replace_buffer import Side, buffer_at, own_offset
from tvmscript.ir.schedule.tree import StmtRef, blocks_below, loops_above, realize_of
from tvmscript.ir.tir import Block, BlockRealize, Buffer, BufferStore, Expr, SeqStmt, Stmt, Var, substitute, uses
from tvmscript.ir.tir.expr import BufferLoad, IntImm, IterKind, IterVar, Range


class NotLeafBlockError(ScheduleError, code="TS4170"):
    """A block with nested blocks cannot be reindexed."""

    message = "block {block} is not a leaf: it contains block {inner}"


class InvalidBufferAccessError(ScheduleError, code="TS4171"):
    """The block must access the buffer at one element that its axes determine."""

    message = "{buffer} cannot be reindexed by the axes of block {block}: {why}"


class Reindex(Recorder):
    """Buffer copies."""

    # conditional reads are copied unconditionally
    @primitive("ReIndex", inputs=("block",), attrs=("buffer",))
    def reindex(self, block: BlockRV | str, buffer: tuple[Side, int] | str | Buffer) -> BlockRV:
        """Let a block access a new buffer with one dimension for each of its axes; a new block copies to or from it.

        `buffer` is ("read" or "write", index), a name, or the buffer. Returns the new block.
        Raises `BufferIndexOutOfRangeError`, `RootBlockError`, `NotStagePipelineError`, `NotLeafBlockError`,
        `InvalidBufferAccessError`, `NotOnlyChildError`, `UnwrittenCopyError`, `OpaqueAccessError`.
        """
        side, index = _require_side_and_index(buffer)
        return self.new_block(_reindex(self.block(block), index, side))


def _require_side_and_index(buffer: tuple[Side, int] | str | Buffer) -> tuple[Side, int]:
    """Return the side and index of a buffer; names and buffers were normalized before."""
    if isinstance(buffer, (str, Buffer)):
        raise WrongType(where="a buffer", expected='("read" or "write", a number)', got=repr(buffer))
    return buffer


def _reindex(ref: StmtRef, index: int, side: Side) -> StmtRef:
    buffer, block, tree = buffer_at(ref, index, side), ref.block, ref.tree
    check_not_beside_blocks(buffer, ref)
    scope = pipeline_scope(ref, "reindex")
    indices = _find_element(block, buffer)
    outside = {loop.loop.loop_var for loop in loops_above(ref)}
    if any(not outside.isdisjoint(uses(index)) for index in indices):
        why = "its indices use loop variables"
        raise InvalidBufferAccessError(block=block.name_hint, buffer=buffer.name, why=why, at=[block])
    if side == "read" and first_region(block.writes, buffer) is not None:
        why = "the block writes it as well"
        raise InvalidBufferAccessError(block=block.name_hint, buffer=buffer.name, why=why, at=[block])
    if side == "write":
        cache_blocks.check_element_written(block, buffer)
    axes = [axis for axis in block.iter_vars if any(axis.var in uses(index) for index in indices)]
    nest = _find_nest(ref, buffer, side)
    if side == "write" and not covers_axis_domains(ref, axes):
        raise cache_blocks.UnwrittenCopyError(
            buffer=buffer.name, block=block.name_hint, why="does not cover the domains of its axes", at=[block]
        )
    new_buffer = _make_axis_buffer(buffer, axes)
    guarded = not (accesses_unconditionally(block, buffer) and covers_axis_domains(ref, axes))
    new, stage = _make_copy_stage(buffer, new_buffer, axes, indices, is_read=side == "read", guarded=guarded)
    cache_blocks.redirect_accesses(
        ref, cache_blocks.ElementRedirection(buffer, new_buffer, [axis.var for axis in axes])
    )
    stmt = realize_of(nest) if nest.is_block else nest.loop
    tree.replace(nest, SeqStmt((stage, stmt) if side == "read" else (stmt, stage)))
    cache_blocks.allocate_buffer(scope, new_buffer)
    return cache_blocks.register_copy(tree, new)


def _find_element(block: Block, buffer: Buffer) -> tuple[Expr, ...]:
    """Return the indices of the only element of a buffer that a block accesses.

    Raises `NotLeafBlockError`, `InvalidBufferAccessError`.
    """
    accesses = _ElementAccess(block, buffer)
    accesses.visit(block.body)
    if block.init is not None:
        accesses.visit(block.init)
    if accesses.indices is None:
        raise accesses.error("the block does not access it")
    if any(not accesses.inside.isdisjoint(uses(index)) for index in accesses.indices):
        raise accesses.error("its indices use variables defined in the block")
    analyzer = Analyzer()
    for axis in block.iter_vars:
        if axis.dom is not None:
            analyzer.bind(axis.var, axis.dom)
    items = [analyzer.simplify(index) for index in accesses.indices]
    # a constant stays as it is written
    return tuple([old if isinstance(new, IntImm) else new for old, new in zip(accesses.indices, items, strict=True)])


class _ElementAccess(Visitor):
    """Find the indices of a buffer in a block; they must be the same at every access."""

    def __init__(self, block: Block, buffer: Buffer) -> None:
        self.block = block
        self.buffer = buffer
        self.indices: tuple[Expr, ...] | None = None
        #: variables defined inside of the block
        self.inside: set[Node] = set()

    def error(self, why: str) -> InvalidBufferAccessError:
        return InvalidBufferAccessError(block=self.block.name_hint, buffer=self.buffer.name, why=why, at=[self.block])

    def define(self, name: Node) -> None:
        self.inside.add(name)
        super().define(name)

    @on(BufferLoad, BufferStore)
    def access(self, node: BufferLoad | BufferStore) -> None:
        if node.buffer is self.buffer:
            if self.indices is not None and not all(map(expr_deep_equal, self.indices, node.indices)):
                raise self.error("the block accesses several elements")
            self.indices = node.indices
        self.walk(node)

    @on(Var)
    def variable(self, node: Var) -> None:
        if node is self.buffer.data:
            raise self.error("the block uses its address")

    @on(Block)
    def inner(self, node: Block) -> None:
        raise NotLeafBlockError(block=self.block.name_hint, inner=node.name_hint, at=[self.block, node])


def _find_nest(ref: StmtRef, buffer: Buffer, side: Side) -> StmtRef:
    """Return the outermost loop around a block, or the block. Raises `NotOnlyChildError`.

    Other blocks in the loop must not write a buffer that is read, nor access one that is written: the copy stands
    outside of the loop.
    """
    loops = loops_above(ref)
    if not loops:
        return ref
    others = [other.block for other in blocks_below(loops[0]) if other is not ref]
    if not any(_conflicts(other, buffer, side) for other in others):
        return loops[0]
    for outer, inner in pairwise([*loops, ref]):
        if outer.loop.body is not (realize_of(inner) if inner.is_block else inner.stmt):
            name = f"block {inner.block.name_hint}" if inner.is_block else f"loop {inner.loop.loop_var.name}"
            raise NotOnlyChildError(inner=name, outer=outer.loop.loop_var.name, at=[outer.loop])
    return loops[0]


def _conflicts(block: Block, buffer: Buffer, side: Side) -> bool:
    """Whether a block writes a buffer that is copied before a loop, or accesses one that is copied after it."""
    touched = block.writes if side == "read" else (*block.reads, *block.writes)
    return first_region(touched, buffer) is not None


def _make_axis_buffer(buffer: Buffer, axes: Sequence[IterVar]) -> Buffer:
    """Make a buffer with one dimension for each axis."""
    shape = [fold.add(axis.dom.min, axis.dom.extent) for axis in axes if axis.dom is not None]
    name = f"{buffer.name}_reindex"
    data = buffer.data.replace(name=f"{buffer.data.name}_reindex")
    offset = own_offset(buffer) if shape else IntImm("int32", 0)
    return buffer.replace(data=data, name=name, shape=tuple(shape), strides=(), elem_offset=offset)


def _make_copy_stage(
    buffer: Buffer, made: Buffer, axes: Sequence[IterVar], indices: Sequence[Expr], *, is_read: bool, guarded: bool
) -> tuple[Block, Stmt]:
    """Make a block that copies between a buffer and its reindexed copy, and the loops around it.

    With `guarded`, only elements inside of the buffer are copied.
    """
    analyzer = Analyzer()
    loops: list[tuple[Var, Range]] = []
    own: list[IterVar] = []
    values: dict[Var, Var] = {}
    for place, axis in enumerate(axes):
        domain, dtype = domain_of(axis), axis.var.dtype
        var = values[axis.var] = Var(f"v{place}", dtype)
        own.append(IterVar(domain, var, IterKind.DATA_PAR))
        loops.append((Var(f"ax{place}", dtype), domain))
        analyzer.bind(var, domain)
    there = buffer, [substitute(index, values) for index in indices]
    here = made, [axis.var for axis in own]
    source, target = (there, here) if is_read else (here, there)
    is_inside = in_bounds_condition(*there, analyzer) if guarded else fold.TRUE
    block = cache_blocks.make_copy_block(f"{target[0].name}_reindex", own, source, target, is_inside, is_read=is_read)
    return block, cache_blocks.wrap_in_loops(loops, BlockRealize(tuple([var for var, _ in loops]), fold.TRUE, block))
