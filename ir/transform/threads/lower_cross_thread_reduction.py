"""Lower reductions over threads to a reduction per thread and an allreduce."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tvmscript.ir.analysis.blocks.reducers import BlockReduction, NoReduction, reduction_of
from tvmscript.ir.analysis.statements import StatementVisitor
from tvmscript.ir.arith.fold import TRUE, conjuncts, is_const, logical_and
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.core import PointerType, PrimType, on
from tvmscript.ir.core.dtype import INT32, UINT64, DType
from tvmscript.ir.tir import NOOP, Buffer, CommReducer, Expr, PrimFunc, Stmt, TirRewriter, Var, substitute, uses
from tvmscript.ir.tir.expr import EQ, BufferLoad, BufferRegion, IntImm, IterKind, IterVar, Range
from tvmscript.ir.tir.intrin.bits import reinterpret
from tvmscript.ir.tir.intrin.sync import tvm_thread_allreduce
from tvmscript.ir.tir.stmt import AttrStmt, Block, BlockRealize, BufferStore, Evaluate, For, ForKind, SeqStmt, seq
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import CannotReduceAcrossThreads

#: the annotation of the block that reduces the values of one thread
APPLIED = "tir.cross_thread_reduction_applied"
#: axes of blocks that reduce together
_CLUSTER: Final = "clusterCtaIdx."
_ZERO = IntImm(INT32, 0)
_COUNT = DType("uint32")


@dataclass
class _ReductionPlan:
    """A reduction over threads."""

    realize: BlockRealize
    #: reduction loops, outermost first
    loops: list[For]
    reduction: BlockReduction
    #: whether a thread reduces several values or none
    is_partial: bool

    @property
    def threads(self) -> list[For]:
        return [loop for loop in self.loops if loop.kind is ForKind.THREAD_BINDING]


class _ReductionFinder(StatementVisitor):
    """Collect the reductions over threads by outermost reduction loop."""

    def __init__(self) -> None:
        self.plans: dict[For, _ReductionPlan] = {}
        self.loops: list[For] = []

    @on(For)
    def loop(self, node: For) -> None:
        self.loops.append(node)
        self.visit(node.body)
        self.loops.pop()

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        loops = self.reduced_loops(node)
        if any(loop.kind is ForKind.THREAD_BINDING for loop in loops):
            self.add(node, loops)
        outer, self.loops = self.loops, []
        self.visit(node.block.body)
        self.loops = outer

    def reduced_loops(self, node: BlockRealize) -> list[For]:
        """Return the loops that a block reduces over; empty if it is not a reduction."""
        block = node.block
        kinds = {axis.iter_type for axis in block.iter_vars}
        if IterKind.COMM_REDUCE not in kinds or kinds - {IterKind.COMM_REDUCE, IterKind.DATA_PAR}:
            return []
        if APPLIED in block.annotations or isinstance(block.body, AttrStmt):
            return []  # part of a lowered reduction
        pairs = list(zip(block.iter_vars, node.iter_values, strict=True))
        used = {var for axis, value in pairs if axis.iter_type is IterKind.COMM_REDUCE for var in uses(value)}
        loops = [loop for loop in self.loops if loop.loop_var in used]
        if not any(loop.kind is ForKind.THREAD_BINDING for loop in loops):
            return []
        domains = {loop.loop_var: Range.from_min_extent(loop.min, loop.extent) for loop in self.loops}
        affine = detect_iter_map(node.iter_values, domains, node.predicate, simplify_trivial_iterators=False)
        return loops if affine.indices else []

    def add(self, node: BlockRealize, loops: list[For]) -> None:
        block = node.block
        for loop in loops:
            binding = loop.thread_binding
            if binding is not None and not binding.thread_tag.startswith(("threadIdx.", _CLUSTER)):
                raise _error(block, f"loop {loop.loop_var.name} is bound to {binding.thread_tag}")
        inside = self.loops[self.loops.index(loops[0]) :]
        if any(loop not in loops and not is_const(loop.extent, 1) for loop in inside):
            raise _error(block, "a loop inside of the reduction loops is not one of them")
        if loops[0] in self.plans or not _ends_with(loops[0].body, node):
            raise _error(block, f"it is not the last block in loop {loops[0].loop_var.name}")
        try:
            reduction = reduction_of(block)
        except NoReduction as refused:
            raise _error(block, refused.why) from None
        is_partial = not is_const(node.predicate, 1) or any(loop.kind is not ForKind.THREAD_BINDING for loop in loops)
        self.plans[loops[0]] = _ReductionPlan(node, loops, reduction, is_partial)


def _error(block: Block, why: str) -> CannotReduceAcrossThreads:
    return CannotReduceAcrossThreads(block=block.name_hint, why=why, span=block.span)


def _ends_with(stmt: Stmt, last: BlockRealize) -> bool:
    """Return whether a block is the last statement of a loop body."""
    while stmt is not last:
        if isinstance(stmt, SeqStmt):
            stmt = stmt.seq[-1]
        elif isinstance(stmt, For):
            stmt = stmt.body
        else:
            return False
    return True


class _ReductionLowering(TirRewriter):
    def __init__(self, plans: dict[For, _ReductionPlan]) -> None:
        super().__init__()
        self.plans = plans
        #: thread loops that are moved outwards
        self.moved: set[For] = set()
        #: block -> its replacement
        self.partial: dict[Block, Stmt] = {}
        #: buffers to allocate in the enclosing block
        self.allocated: list[Buffer] = []
        #: tags of enclosing threads
        self.tags: list[str] = []
        #: result buffer -> thread loops that were reduced over
        self.reduced: dict[Buffer, list[For]] = {}

    @on(For)
    def loop(self, node: For) -> Stmt:
        tag = node.thread_binding.thread_tag if node.thread_binding is not None else ""
        if tag:
            self.tags.append(tag)
        plan = self.plans.get(node)
        if plan is not None:
            stmt = self.lower_reduction(plan, node)
        elif node in self.moved:
            stmt = self.rewrite(node.body)
        else:
            stmt = self.descend(node)
            if stmt is not node and stmt.body is NOOP:
                stmt = NOOP
        if tag:
            self.tags.pop()
            if not self.tags:
                self.reduced.clear()
        return stmt

    @on(Block)
    def block(self, node: Block) -> Block:
        outer, self.allocated = self.allocated, []
        new_block = self.descend(node)
        if self.allocated:
            new_block = new_block.replace(alloc_buffers=(*new_block.alloc_buffers, *self.allocated))
        self.allocated = outer
        return new_block

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        replacement = self.partial.get(node.block)
        return self.run_on_one_thread(node) if replacement is None else replacement

    # -- lowering of a reduction

    def lower_reduction(self, plan: _ReductionPlan, root: For) -> Stmt:
        updates = plan.reduction.updates
        block, threads = plan.realize.block, plan.threads
        totals = [_scalar_buffer(f"cross_thread_{store.buffer.name}", store.buffer.dtype) for store in updates]
        self.allocated += totals
        before: list[Stmt] = []
        if plan.is_partial:
            parts = [_scalar_buffer(f"in_thread_{store.buffer.name}", store.buffer.dtype) for store in updates]
            self.allocated += parts
            before.append(_init_block(plan, parts))
            self.partial[block] = _partial_block(plan, parts)
            cross = _allreduce_block(plan, (), parts, totals)
        else:
            self.partial[block] = NOOP
            cross = _allreduce_block(plan, block.iter_vars, None, totals)
        self.moved.update(threads)
        nest: Stmt = self.rewrite(root.body) if root in self.moved else self.descend(root)
        if isinstance(nest, For) and nest.body is NOOP:
            nest = NOOP
        if nest is not NOOP:
            before.append(nest)
        self.reduced.update({store.buffer: threads for store in updates})
        stmt = seq(*before, cross, _write_back_block(plan, totals))
        for loop in reversed(threads):
            stmt = loop.replace(body=stmt)
        return stmt

    # -- uses of results

    def run_on_one_thread(self, node: BlockRealize) -> Stmt:
        """Run a block that uses a result on one of the reduced threads, unless its writes are local."""
        missing: dict[str, For] = {}
        written = [region.buffer for region in node.block.writes]
        if any(buffer.storage_scope != "local" for buffer in written):
            for region in node.block.reads:
                for loop in _storing_loops(self.reduced.get(region.buffer, ()), written):
                    tag = _tag(loop)
                    if tag not in self.tags:
                        missing[tag] = loop
        self.tags += missing
        realize = self.descend(node)
        del self.tags[len(self.tags) - len(missing) :]
        loops: list[For] = []
        predicate = realize.predicate
        for tag, loop in reversed(missing.items()):
            var = Var(f"t{tag[-1]}", loop.loop_var.dtype)
            predicate = logical_and(EQ(var, loop.min), predicate)
            loops.append(_thread_loop(var, loop))
        if not loops:
            return realize
        stmt: Stmt = realize.replace(predicate=predicate)
        for loop in loops:
            stmt = loop.replace(body=stmt)
        return stmt


def _storing_loops(threads: Sequence[For], written: Sequence[Buffer]) -> list[For]:
    """Return the loops of which one thread stores a result: each block of a cluster has shared memory of its own."""
    is_shared = any(buffer.storage_scope.startswith("shared") for buffer in written)
    return [loop for loop in threads if not (is_shared and _tag(loop).startswith(_CLUSTER))]


def _tag(loop: For) -> str:
    return "" if loop.thread_binding is None else loop.thread_binding.thread_tag


def _thread_loop(var: Var, like: For) -> For:
    """Return an empty loop over the same threads."""
    binding = IterVar(None, Var("", var.dtype), IterKind.THREAD_INDEX, _tag(like))
    return For(var, like.min, like.extent, ForKind.THREAD_BINDING, NOOP, binding, span=like.span)


def _scalar_buffer(name: str, dtype: DType) -> Buffer:
    data = Var(name, PointerType(PrimType(dtype), "local"))
    one = IntImm(INT32, 1)
    return Buffer(data, dtype, (one,), (one,), _ZERO, name)


def _scalar_regions(buffers: Sequence[Buffer]) -> tuple[BufferRegion, ...]:
    return tuple([BufferRegion(buffer, (Range.from_min_extent(_ZERO, IntImm(INT32, 1)),)) for buffer in buffers])


def _init_block(plan: _ReductionPlan, parts: Sequence[Buffer]) -> Stmt:
    """Return the block in which each thread starts from the identity."""
    pairs = zip(parts, plan.reduction.identities, strict=True)
    body = seq(*[BufferStore(part, value, (_ZERO,)) for part, value in pairs])
    block = plan.realize.block
    init_block = Block((), (), _scalar_regions(parts), f"{block.name_hint}_in_thread_init", body, span=block.span)
    return BlockRealize((), TRUE, init_block, span=block.span)


def _partial_block(plan: _ReductionPlan, parts: Sequence[Buffer]) -> Stmt:
    """Return the block in which each thread reduces its own values."""
    block = plan.realize.block
    replacements = {store.buffer: part for store, part in zip(plan.reduction.updates, parts, strict=True)}
    new_block = block.replace(
        body=_PartialRedirect(replacements).rewrite(block.body),
        init=None,
        writes=_scalar_regions(parts),
        name_hint=f"{block.name_hint}_in_thread",
        annotations={APPLIED: TRUE, **block.annotations},
    )
    return plan.realize.replace(block=new_block)


class _PartialRedirect(TirRewriter):
    """Redirect accesses of results to the partial results of a thread."""

    def __init__(self, partials: dict[Buffer, Buffer]) -> None:
        super().__init__()
        self.partials = partials

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        part = self.partials.get(node.buffer)
        return super().load(node) if part is None else BufferLoad(part, (_ZERO,), span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        part = self.partials.get(node.buffer)
        if part is None:
            return super().store(node)
        value: Expr = self.rewrite(node.value)
        return BufferStore(part, value, (_ZERO,), span=node.span)


def _allreduce_block(
    plan: _ReductionPlan, axes: tuple[IterVar, ...], parts: Sequence[Buffer] | None, totals: Sequence[Buffer]
) -> Stmt:
    """Return the block with the allreduce of all threads."""
    block, combination = plan.realize.block, plan.reduction.combination
    values = combination.rhs if parts is None else [BufferLoad(part, (_ZERO,)) for part in parts]
    results = [BufferLoad(total, (_ZERO,)) for total in totals]
    threads = [loop.loop_var for loop in plan.threads]
    call = tvm_thread_allreduce(IntImm(_COUNT, len(totals)), *values, TRUE, *results, *threads)
    nothing = reinterpret("handle", IntImm(UINT64, 0))
    body = AttrStmt(_reducer(plan.reduction), "reduce_scope", nothing, Evaluate(call))
    reads = block.reads if parts is None else _scalar_regions(parts)
    allreduce = Block(axes, reads, _scalar_regions(totals), f"{block.name_hint}_cross_thread", body, span=block.span)
    return BlockRealize(plan.realize.iter_values if axes else (), TRUE, allreduce, span=block.span)


def _reducer(reduction: BlockReduction) -> CommReducer:
    dtypes = [store.value.dtype for store in reduction.updates]
    lhs, rhs = (tuple([Var(f"{name}{index}", dtype) for index, dtype in enumerate(dtypes)]) for name in "xy")
    return CommReducer(lhs, rhs, reduction.combination.reducer.combine(lhs, rhs), reduction.identities)


def _write_back_block(plan: _ReductionPlan, totals: Sequence[Buffer]) -> Stmt:
    """Return the block that stores the results: one thread stores them, or every thread if they are local."""
    block, updates = plan.realize.block, plan.reduction.updates
    pairs = zip(block.iter_vars, plan.realize.iter_values, strict=True)
    kept = [(axis, value) for axis, value in pairs if axis.iter_type is not IterKind.COMM_REDUCE]
    axes = [axis.replace(var=axis.var.replace()) for axis, _ in kept]
    renamed = {old.var: new.var for (old, _), new in zip(kept, axes, strict=True)}
    stores: list[Stmt] = []
    regions: list[BufferRegion] = []
    for store, total in zip(updates, totals, strict=True):
        indices = tuple([substitute(index, renamed) for index in store.indices])
        stores.append(BufferStore(store.buffer, BufferLoad(total, (_ZERO,)), indices))
        region = [Range.from_min_extent(index, IntImm(index.dtype, 1)) for index in indices]
        regions.append(BufferRegion(store.buffer, tuple(region)))
    # conditions on the other axes apply to the result too
    reduced = {loop.loop_var for loop in plan.loops}
    conditions = [condition for condition in conjuncts(plan.realize.predicate) if reduced.isdisjoint(uses(condition))]
    predicate: Expr = TRUE
    for condition in conditions:
        predicate = logical_and(predicate, condition)
    written = [store.buffer for store in updates]
    if any(buffer.storage_scope != "local" for buffer in written):
        for loop in _storing_loops(plan.threads, written):
            predicate = logical_and(predicate, EQ(loop.loop_var, loop.min))
    name = f"{block.name_hint}_write_back"
    new_block = Block(tuple(axes), _scalar_regions(totals), tuple(regions), name, seq(*stores), span=block.span)
    return BlockRealize(tuple([value for _, value in kept]), predicate, new_block, span=block.span)


@dataclass(frozen=True)
class LowerCrossThreadReduction(PrimFuncPass):
    """Split a block that reduces over thread loops into up to four blocks.

    Each thread starts from the identity and reduces its own values (unless it has exactly one). All threads combine
    their values by `tvm_thread_allreduce`. One thread stores the result, or every thread if the result is local. Later
    blocks of the kernel that use a result run on one thread, unless their writes are local.

    The reducer must be known (sum, product, min, max, argmin, argmax, two sums). The reduction loops must be innermost
    and bound to threadIdx.x, .y or .z, to the blocks of a cluster, or not bound, and the block must be the last one in
    them. Raises `CannotReduceAcrossThreads`.

    rewrite:
        for tx in T.thread_binding(32, "threadIdx.x"):        for tx in T.thread_binding(32, "threadIdx.x"):
            with T.block("B"):                                    with T.block("B_cross_thread"):
                vi, vk = T.axis.remap("SR", [i, tx])                  T.tvm_thread_allreduce(..., A[vi, vk], ...)
                with T.init():                          -->       with T.block("B_write_back"):
                    B[vi] = 0.0                                       T.where(tx == 0)
                B[vi] = B[vi] + A[vi, vk]                             B[vi] = cross_thread_B[0]
    """

    name = "tir.LowerCrossThreadReduction"
    is_idempotent = True
    looks_for = frozenset({ForKind.THREAD_BINDING})
    skips_te = True
    is_exact = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        finder = _ReductionFinder()
        finder.visit(func.body)
        return func.with_body(_ReductionLowering(finder.plans).rewrite(func.body)) if finder.plans else func
