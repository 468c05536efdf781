"""Precomputation of index expressions into buffers: cache_index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.value_numbering import structural_key
from tvmscript.ir.core import CallEffect, Node, Visitor, on
from tvmscript.ir.schedule.analysis.block_properties import enclosing_scope
from tvmscript.ir.schedule.analysis.regions import point_region
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.cache_blocks import allocate_buffer, register_copy, wrap_in_loops
from tvmscript.ir.schedule.rewrite.replace_buffer import check_storage_scope
from tvmscript.ir.schedule.tree import StmtRef, child_containing, realize_of
from tvmscript.ir.tir import Buffer, Expr, Stmt, TirRewriter, Var, effect_of, make_buffer, substitute, uses
from tvmscript.ir.tir.expr import BinaryOp, BufferLoad, Call, Cast, IntImm, IterKind, IterVar, Not, Range, Select
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, SeqStmt


class CacheIndex(Recorder):
    """Buffer copies."""

    @primitive("CacheIndex", inputs=("block",), attrs=("storage_scope", "cse_thresh"))
    def cache_index(self, block: BlockRV | str, storage_scope: str, cse_thresh: int = 0) -> list[BlockRV]:
        """Precompute expressions that depend on the axes of a block only, such as indices, into buffers.

        The largest such expressions in stored values are cached; with `cse_thresh`, those that occur at least that
        often. Returns the new blocks. The block gets read regions of the new buffers (not so in TVM). Raises
        `RootBlockError`, `InvalidStorageScopeError`.
        """
        return self.new_blocks(_cache_indices(self.block(block), storage_scope, cse_thresh))


def _cache_indices(ref: StmtRef, storage_scope: str, threshold: int) -> list[StmtRef]:
    scope, tree, stmt = enclosing_scope(ref, "cache_index"), ref.tree, ref.block
    check_storage_scope(storage_scope, ref)
    collector = _CandidateCollector(stmt, threshold)
    collector.visit(stmt.body)
    chosen = sorted(collector.chosen.values(), key=_expr_size, reverse=True)
    caches = [_CachedExpr(stmt.iter_vars, expr, number, storage_scope) for number, expr in enumerate(chosen)]
    rewriting = _CacheLookup({structural_key(cache.expr): cache.value for cache in caches})
    looked_up = [point_region(cache.buffer, cache.value.indices) for cache in caches]
    new_block = stmt.replace(reads=(*stmt.reads, *looked_up), body=rewriting.rewrite(stmt.body))
    tree.replace(ref, new_block, {**rewriting.blocks, new_block: stmt})
    nest = child_containing(scope, ref)
    old = realize_of(nest) if nest.is_block else nest.loop
    stages = [cache.stage() for cache in caches]
    if caches:
        tree.replace(nest, SeqStmt((*(stage for _, stage in stages), old)))
    for cache in caches:
        allocate_buffer(scope, cache.buffer)
    return [register_copy(tree, block) for block, _ in stages]


class _CachedExpr:
    """An expression over the axes of a block, and the buffer for its values."""

    def __init__(self, axes: Sequence[IterVar], expr: Expr, number: int, scope: str) -> None:
        by_name = {axis.var: axis for axis in axes}
        names = dict.fromkeys(part for part in _subexpressions(expr) if isinstance(part, Var))
        self.axes = [by_name[name] for name in names if name in by_name]
        self.expr = expr
        self.number = number
        shape = tuple([fold.add(axis.dom.min, axis.dom.extent) for axis in self.axes if axis.dom is not None])
        strides = (IntImm("int32", 1),) if len(shape) == 1 else ()
        self.buffer: Buffer = make_buffer(shape, expr.dtype, f"index_var_{number}", strides=strides, scope=scope)

    @property
    def value(self) -> BufferLoad:
        """The load that replaces the expression."""
        return BufferLoad(self.buffer, tuple([axis.var for axis in self.axes]))

    def stage(self) -> tuple[Block, Stmt]:
        """Make the block that computes the values, and the loop nest around it."""
        loops: list[tuple[Var, Range]] = []
        own: list[IterVar] = []
        for place, (axis, size) in enumerate(zip(self.axes, self.buffer.shape, strict=True)):
            domain = Range.from_min_extent(IntImm(size.dtype, 0), size)
            loops.append((Var(f"ax{place}", axis.var.dtype), domain))
            own.append(IterVar(domain, Var(f"v{place}", axis.var.dtype), IterKind.DATA_PAR))
        here = [axis.var for axis in own]
        values = {axis.var: var for axis, var in zip(self.axes, here, strict=True)}
        body = BufferStore(self.buffer, substitute(self.expr, values), tuple(here))
        block = Block(tuple(own), (), (point_region(self.buffer, here),), f"index_{self.number}", body)
        return block, wrap_in_loops(loops, BlockRealize(tuple([var for var, _ in loops]), fold.TRUE, block))


class _CandidateCollector(Visitor):
    """Collect the largest cacheable expressions in the stored values of a block, in program order."""

    def __init__(self, block: Block, threshold: int) -> None:
        self.axes = {axis.var for axis in block.iter_vars}
        #: variables defined inside of the block
        self.inside: set[Node] = set()
        self.threshold = threshold
        self.chosen: dict[Hashable, Expr] = {}

    def define(self, name: Node) -> None:
        self.inside.add(name)
        super().define(name)

    @on(Block)
    def inner(self, node: Block) -> None:
        """Skip nested blocks: they have axes of their own."""

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        counts = Counter(structural_key(part) for part in _subexpressions(node.value) if self.is_eligible(part))
        self.choose(node.value, counts)

    def choose(self, expr: Expr, counts: Counter[object]) -> None:
        key = structural_key(expr)
        if counts[key] >= max(self.threshold, 1):
            self.chosen.setdefault(key, expr)
            return
        for part in _operands(expr):
            self.choose(part, counts)

    def is_eligible(self, expr: Expr) -> bool:
        """Whether an expression is pure and depends on the axes only."""
        if not isinstance(expr, (BinaryOp, Call, Cast, Select, Not)) or effect_of(expr) > CallEffect.PURE:
            return False
        names = uses(expr)
        return not names.isdisjoint(self.axes) and names.isdisjoint(self.inside)


class _CacheLookup(TirRewriter):
    """Replace cached expressions by loads."""

    def __init__(self, values: dict[Hashable, BufferLoad]) -> None:
        super().__init__()
        self.values = values
        self.blocks: dict[Block, Block] = {}

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        value = self.values.get(structural_key(node))
        return super().binary(node) if value is None else value

    @on(Call, Cast, Select, Not)
    def other(self, node: Expr) -> Expr:
        value = self.values.get(structural_key(node))
        return self.descend(node) if value is None else value

    @on(Block)
    def inner(self, node: Block) -> Block:
        return node


def _operands(expr: Expr) -> Iterator[Expr]:
    """Yield the operands of an expression."""
    stack: list[Any] = [getattr(expr, name) for name in expr.schema.children][::-1]
    while stack:
        item = stack.pop()
        if isinstance(item, Expr):
            yield item
        elif isinstance(item, (tuple, list)):
            stack += reversed(item)


def _subexpressions(expr: Expr) -> Iterator[Expr]:
    """Yield an expression and all its subexpressions in pre-order."""
    yield expr
    for part in _operands(expr):
        yield from _subexpressions(part)


def _expr_size(expr: Expr) -> int:
    return sum(1 for _ in _subexpressions(expr))
