"""Check what blocks state about themselves: kinds of axes, read and write regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tvmscript.ir.analysis.blocks.block_access import access_regions
from tvmscript.ir.analysis.errors import RegionTooSmall, SpatialAxisRepeats
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import IRError, Visitor, nodes, on
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, Var, uses
from tvmscript.ir.tir.expr import GT, LT, BufferLoad, BufferRegion, IterKind, IterVar, Range
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, DeclBuffer, For, IfThenElse, LetStmt


def check_blocks(func: PrimFunc) -> list[IRError]:
    """Return the proven contradictions between the statements of blocks and their bodies.

    A spatial axis must not store to one element in several iterations; T.reads and T.writes must contain the accesses.
    """
    walk = _Blocks(func)
    walk.visit(func.body)
    return walk.errors


class _Blocks(Visitor):
    def __init__(self, func: PrimFunc) -> None:
        self.errors: list[IRError] = []
        self.analyzer = Analyzer()
        #: data variable -> the buffer that accesses of its memory are counted for
        self.visible: dict[Var, Buffer] = {buffer.data: buffer for buffer in func.buffer_map.values()}
        #: buffers that all iterations of the loops around a block share
        self.shared = set(func.buffer_map.values())
        self.root = func.body.block if isinstance(func.body, BlockRealize) else None

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> None:
        self.visible.setdefault(node.buffer.data, node.buffer)
        self.walk(node)

    @on(For)
    def loop(self, node: For) -> None:
        self.analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent))
        self.visit(node.body)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        block = node.block
        for axis in block.iter_vars:
            if axis.dom is not None:
                self.analyzer.bind(axis.var, axis.dom)
        if block is self.root:
            self.shared.update(buffer for buffer in block.alloc_buffers if buffer.storage_scope in ("", "global"))
        if not any(isinstance(inner, Block) for inner in nodes(block.body)):
            self.errors += self.repeated_stores(node)
            # regions of blocks around others are derived from those inside; a matched buffer may be laid out otherwise
            if block is not self.root and not block.match_buffers:
                self.errors += self.small_regions(block)
        for buffer in block.alloc_buffers:
            self.visible[buffer.data] = buffer
        for match in block.match_buffers:
            self.visible[match.buffer.data] = match.buffer
        self.visit(block.body)

    # -- axes

    def repeated_stores(self, realize: BlockRealize) -> Iterator[IRError]:
        """Yield an error for each spatial axis whose iterations store different values to one element."""
        block = realize.block
        guards = uses(realize.predicate)
        for axis, value in zip(block.iter_vars, realize.iter_values, strict=True):
            if axis.iter_type is IterKind.DATA_PAR and not _is_single(axis) and guards.isdisjoint(uses(value)):
                store = next(_stores_without(block.body, axis.var), None)
                if store is not None and store.buffer in self.shared:
                    yield SpatialAxisRepeats(
                        axis=axis.var.name, block=block.name_hint, buffer=store.buffer.name, span=store.span
                    )

    # -- regions

    def small_regions(self, block: Block) -> Iterator[IRError]:
        """Yield an error for each access that is proven to be outside of the stated regions."""
        reads, writes, opaque = access_regions(block, self.visible)
        hidden = {region.buffer for region in opaque}
        stated_reads = (*block.reads, *block.writes)  # a block that updates an element states what it writes
        for verb, regions, stated in (("reads", reads, stated_reads), ("writes", writes, block.writes)):
            for region in regions:
                if region.buffer not in hidden and not self.may_contain(stated, region):
                    yield RegionTooSmall(block=block.name_hint, verb=verb, region=_text(region), span=block.span)

    def may_contain(self, stated: Sequence[BufferRegion], region: BufferRegion) -> bool:
        """Whether a stated region may contain another one: no end is proven to be outside."""
        return any(
            each.buffer is region.buffer
            and not any(self.is_outside(part, whole) for part, whole in zip(region.region, each.region, strict=True))
            for each in stated
        )

    def is_outside(self, part: Range, whole: Range) -> bool:
        """Whether an end of a range is proven to be outside of another one."""
        ends = fold.add(part.min, part.extent), fold.add(whole.min, whole.extent)
        same = part.min.dtype is whole.min.dtype and ends[0].dtype is ends[1].dtype
        return same and (
            self.analyzer.can_prove(LT(part.min, whole.min)) or self.analyzer.can_prove(GT(ends[0], ends[1]))
        )


def _is_single(axis: IterVar) -> bool:
    return axis.dom is not None and fold.is_const(axis.dom.extent, 1)


def _stores_without(body: Stmt, var: Var) -> Iterator[BufferStore]:
    """Yield the stores whose element does not depend on a variable while their value does, or updates the element.

    Statements under a condition on the variable are left out.
    """
    dependent = {var}
    skipped: set[int] = set()
    for node in nodes(body):  # pre-order
        if isinstance(node, LetStmt) and not dependent.isdisjoint(uses(node.value)):
            dependent.add(node.var)
        elif isinstance(node, For) and not dependent.isdisjoint(uses((node.min, node.extent))):
            dependent.add(node.loop_var)
        elif isinstance(node, IfThenElse) and not dependent.isdisjoint(uses(node.condition)):
            skipped.update(id(inner) for inner in nodes(node) if isinstance(inner, BufferStore))
        elif isinstance(node, BufferStore) and id(node) not in skipped and node.predicate is None:
            if not dependent.isdisjoint(uses(node.indices)):
                continue
            if not dependent.isdisjoint(uses(node.value)) or _loads(node.value, node.buffer):
                yield node


def _loads(value: Expr, buffer: Buffer) -> bool:
    return any(isinstance(node, BufferLoad) and node.buffer is buffer for node in nodes(value))


def _text(region: BufferRegion) -> str:
    return str(region).rpartition("\n")[2]
