"""Loop optimization before code generation: fuse nested loops, peel first iterations, vectorize elementwise loops.

LLVM does most of this too, in up to half of its compile time: many of its passes visit every loop, and some take
time in proportion to the size of the function. It does not vectorize loops around reductions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Final

from tvmscript.backends.llvm.codegen.aligned_copies import leave_out_aligned_copies
from tvmscript.backends.llvm.codegen.byte_products import AddBytes
from tvmscript.backends.llvm.codegen.divided_loops import split_by_divisor
from tvmscript.backends.llvm.codegen.excess_precision import keep_precision
from tvmscript.backends.llvm.codegen.guarded_loops import NarrowLoops
from tvmscript.backends.llvm.codegen.half_sums import RoundSumsOnce
from tvmscript.backends.llvm.codegen.joined_conditions import JoinConditions
from tvmscript.backends.llvm.codegen.memory_rewriter import MemoryRewriter
from tvmscript.backends.llvm.codegen.paired_products import PairProducts, paired_lanes
from tvmscript.backends.llvm.codegen.register_promotion import CarryElements, PromoteAccumulators
from tvmscript.backends.llvm.codegen.split_reductions import SplitReductions
from tvmscript.backends.llvm.codegen.split_vectors import SplitVectors
from tvmscript.backends.llvm.codegen.streaming_stores import StreamStores
from tvmscript.backends.llvm.codegen.transposes import TransposeTiles
from tvmscript.backends.llvm.codegen.vectorizable_loops import VectorizationCheck, slope, vectorize_at, vectorize_masked
from tvmscript.backends.llvm.target import Target
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.buffer_layout import index_add, index_mul
from tvmscript.ir.arith.fold import conjuncts, is_const, make
from tvmscript.ir.core import INT32, Visitor, nodes, on
from tvmscript.ir.tir import Buffer, BufferLoad, Call, Expr, IntImm, PrimFunc, Stmt, Var
from tvmscript.ir.tir.expr import EQ, LT, Add, And, BinaryOp, FloorDiv, Max, Mul, Sub
from tvmscript.ir.tir.rewrite import StatementRewriter, TirRewriter, flatten_seq
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind, IfThenElse, SeqStmt
from tvmscript.ir.transform.blocks.convert_blocks_to_opaque import REDUCTION
from tvmscript.ir.transform.function_attributes import is_noalias, is_scheduled, splits_reductions
from tvmscript.ir.transform.loops.unroll_loop.iteration import Iteration

#: terms of sums of vectors that are unrolled
_SHORT: Final = 8


def optimize_loops(func: PrimFunc, buffers: Iterable[Buffer], target: Target | None = None) -> PrimFunc:
    """Fuse, peel and vectorize the loops of a function; `buffers` are those of its arguments.

    Reductions of blocks and long vectors are split into vectors of the target, None: they are not. Buffers of scheduled
    functions count as apart: of two that are one array, each vector is loaded before it is stored.
    """
    model = None if target is None else target.split_model
    memory = dict.fromkeys([buffer.data for buffer in buffers], is_noalias(func) or is_scheduled(func))
    sizes = [extent for buffer in func.buffer_map.values() for extent in buffer.shape if isinstance(extent, Var)]
    body = _PeelFirstIteration().rewrite(
        _FuseLoops().rewrite(NarrowLoops(sizes).rewrite(leave_out_aligned_copies(func)))
    )
    body = JoinConditions().rewrite(body)
    if target is not None and target.model.has_streaming_stores:
        body = StreamStores({**memory}, target.model).rewrite(body)
    if model is not None and splits_reductions(func):
        body = RoundSumsOnce({**memory}).rewrite(body)
    body = _VectorizeLoops(memory, target is not None and target.model.has_masks).rewrite(body)
    if model is not None and model.vector_bytes and splits_reductions(func):
        body = SplitReductions(memory, model).rewrite(body)
    if target is not None and target.is_x86 and target.model.vector_bytes:
        body = AddBytes({**memory}, target.model.dot_features).rewrite(body)
        body = PairProducts(paired_lanes(target.model)).rewrite(body)
    if target is not None:
        body = keep_precision(func.with_body(body), buffers, target).body
    if target is not None and target.model.vector_bytes:
        body = CarryElements({**memory}).rewrite(body)
        body = PromoteAccumulators({**memory}).rewrite(body)
        body = TransposeTiles({**memory}, target.model, has_routines=target.is_x86).rewrite(body)
        body = SplitVectors(target.model, body).rewrite(body)
    return func.with_body(body)


def stores_to_new_elements(loop: For) -> bool:
    """Return whether every store in a loop writes another element in each iteration."""
    return all(
        any(slope(index, loop.loop_var) for index in part.indices)
        for part in statements(loop.body)
        if isinstance(part, BufferStore)
    )


def accumulates_one_vector(loop: For) -> bool:
    """Return whether a loop's only store writes a vector to the same place: iterations depend on each other."""
    parts = list(statements(loop.body))
    stores = [part for part in parts if isinstance(part, BufferStore)]
    is_one = len(stores) == 1 and stores[0].value.dtype.lanes > 1 and not any(isinstance(part, For) for part in parts)
    return is_one and not stores_to_new_elements(loop)


def _counts_from_zero(loop: For) -> bool:
    """Return whether a loop is serial and counts from 0 in a signed dtype, whose indices do not wrap."""
    is_serial = loop.kind is ForKind.SERIAL and loop.annotations.keys() <= {REDUCTION}
    return is_serial and is_const(loop.min, 0) and loop.extent.dtype.is_signed


def _trip_count(loop: For) -> int:
    """Return the constant trip count of a plain loop, 0 for any other loop."""
    extent = loop.extent
    return max(extent.value, 0) if isinstance(extent, IntImm) and _counts_from_zero(loop) else 0


class _FuseLoops(StatementRewriter):
    """Fuse two nested loops whose variables occur only as `outer * extent + inner`.

    rewrite:
        for i, j in T.grid(4, 8):                 -->     for j in range(32):
            B[i * 8 + j] = A[i * 8 + j + 1]                   B[j] = A[j + 1]
    """

    @on(For)
    def loop(self, node: For) -> Stmt:
        outer = self.descend(node)
        inner = outer.body
        if not isinstance(inner, For) or outer.loop_var.dtype is not inner.loop_var.dtype:
            return outer
        count = _trip_count(inner)
        total = _trip_count(outer) * count
        if not 0 < total <= INT32.max_value or not _LinearIndices(outer.loop_var, inner.loop_var, count).check(
            inner.body
        ):
            return outer
        if outer.annotations.keys() != inner.annotations.keys():
            return outer
        # the index is linear in both variables, so the inner one takes over the range of the outer one
        body = _SubstituteZero(outer.loop_var).rewrite(inner.body)
        return inner.replace(extent=IntImm(inner.extent.dtype, total), body=body)


class _LinearIndices(Visitor):
    """Check that two variables occur only in indices, and there as outer * extent + inner."""

    def __init__(self, outer: Var, inner: Var, extent: int) -> None:
        self.outer, self.inner, self.extent = outer, inner, extent
        self.is_linear = True

    def check(self, body: Stmt) -> bool:
        """Return whether the condition holds in a statement."""
        self.visit(body)
        return self.is_linear

    @on(Var)
    def variable(self, node: Var) -> None:
        if node is self.outer or node is self.inner:
            self.is_linear = False

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        if self.is_linear:  # one other access decides
            self.access(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        if self.is_linear:
            self.access(node)
            self.visit(node.value)

    def access(self, node: BufferLoad | BufferStore) -> None:
        for index in node.indices:
            step = slope(index, self.inner)
            self.is_linear = self.is_linear and step is not None and slope(index, self.outer) == step * self.extent
        if self.is_linear and node.predicate is not None:
            self.visit(node.predicate)


class _SubstituteZero(TirRewriter):
    """Replace a variable by 0 and fold sums and products of constants."""

    def __init__(self, var: Var) -> None:
        super().__init__()
        self.renamed[var] = IntImm(var.dtype, 0)

    @on(Add, Sub, Mul)
    def arithmetic(self, node: BinaryOp) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        return node if a is node.a and b is node.b else make(type(node), a, b, node.span)


class _PeelFirstIteration(StatementRewriter):
    """Peel a statement that a loop executes in its first iteration only.

    rewrite:
        for j, k in T.grid(2, 8):                 -->     A[0] = T.float32(0)
            if j == 0 and k == 0:                         for j, k in T.grid(2, 8):
                A[0] = T.float32(0)                           A[0] = A[0] + B[j * 8 + k]
            A[0] = A[0] + B[j * 8 + k]
    """

    @on(For)
    def for_loop(self, node: For) -> Stmt:
        loop = self.descend(node)
        if not isinstance(loop.body, SeqStmt) or not _counts_from_zero(loop):
            return loop
        first, *rest = loop.body.seq
        if not isinstance(first, IfThenElse) or first.else_case is not None:
            return loop
        conditions = conjuncts(first.condition)
        remaining = [condition for condition in conditions if not _is_zero(condition, loop)]
        if len(remaining) == len(conditions):
            return loop
        if not isinstance(loop.extent, IntImm):
            if any(isinstance(part, (BufferLoad, Call)) for part in nodes(first.condition)):
                return loop  # memory that an empty loop does not read may not exist
            remaining.insert(0, LT(_zero(loop), loop.extent))
        elif loop.extent.value <= 0:
            return loop
        first_iteration = first.replace(condition=reduce(And, remaining)) if remaining else first.then_case
        first_iteration = _SubstituteZero(loop.loop_var).rewrite(first_iteration)
        return flatten_seq((first_iteration, loop.replace(body=flatten_seq(tuple(rest), loop.body))), loop)


def _zero(loop: For) -> IntImm:
    return IntImm(loop.loop_var.dtype, 0)


def _is_zero(condition: Expr, loop: For) -> bool:
    return isinstance(condition, EQ) and condition.a is loop.loop_var and is_const(condition.b, 0)


class _VectorizeLoops(MemoryRewriter):
    """Vectorize loops whose iterations are independent, with or without inner loops.

    rewrite:
        for j in range(4096):                     -->     for j_o in range(128):
            B[j] = A[j] * T.float32(2)                        B[j_o * 32 : j_o * 32 + 32] = ...
    """

    def __init__(self, memory: dict[Var, bool], has_masks: bool) -> None:
        super().__init__(memory)
        self.has_masks = has_masks

    @on(For)
    def loop(self, node: For) -> Stmt:
        is_parallel = node.kind is ForKind.PARALLEL and isinstance(node.extent, IntImm)
        if not _counts_from_zero(node.replace(kind=ForKind.SERIAL) if is_parallel else node):
            return self.descend(node)
        body = VectorizationCheck(node.loop_var, self.memory, takes_halves=True, takes_integers=True)
        if isinstance(node.extent, IntImm):
            lanes = body.lanes(node.body, node.extent.value)
            is_split = lanes > 0 and (body.is_scan or not is_parallel)
            vectorized_loops = _split(node, node.extent.value, lanes) if is_split else None
            nested = None if lanes else split_by_divisor(node)
            if nested is not None and self.is_scan(nested.body):
                return self.descend(nested)
        else:
            lanes = body.outer_lanes(node.body) if body.is_uniform(node.extent) else 0
            vectorized_loops = _split_symbolic(node, lanes) if lanes else None
        count = node.extent.value if isinstance(node.extent, IntImm) else None
        lanes = body.masked_lanes(count) if self.has_masks and not is_parallel else 0
        if vectorized_loops is None and lanes and body.is_uniform(node.extent):
            vectorized_loops = _split_masked(node, lanes)
        return self.descend(node) if vectorized_loops is None else vectorized_loops

    def is_scan(self, stmt: Stmt) -> bool:
        """Return whether a statement is a loop of which vectors run through inner loops that store."""
        if not isinstance(stmt, For) or not isinstance(stmt.extent, IntImm):
            return False
        body = VectorizationCheck(stmt.loop_var, self.memory, takes_halves=True, takes_integers=True)
        return body.lanes(stmt.body, stmt.extent.value) > 0 and body.is_scan


def _split(node: For, count: int, lanes: int) -> Stmt | None:
    """Return a serial loop over vectors, with one or two shorter vectors for the remainder.

    None where a part has no vector form.
    """
    dtype = node.loop_var.dtype
    step = Var(node.loop_var.name, dtype)
    steps, rest = divmod(count, lanes)
    sizes = [size for size in (min(rest, lanes // 2), rest - lanes // 2) if size > 0]
    parts = [vectorize_at(node, index_mul(step, IntImm(dtype, lanes)), lanes)]
    for size in sizes:
        parts.append(vectorize_at(node, IntImm(dtype, count - rest), size))
        rest -= size
    vectors = [_UnrollShortSums().rewrite(part) for part in parts if part is not None]
    if len(vectors) < len(parts):
        return None
    body, *left_over = vectors
    return flatten_seq((node.replace(loop_var=step, extent=IntImm(dtype, steps), body=body), *left_over), node)


class _UnrollShortSums(StatementRewriter):
    """Unroll the short loops that reduce into one place, which stays in registers then."""

    @on(For)
    def for_loop(self, node: For) -> Stmt:
        body, count = node.body, _trip_count(node)
        if not 0 < count <= _SHORT or not isinstance(body, BufferStore) or stores_to_new_elements(node):
            return self.descend(node)
        steps = [IntImm(node.loop_var.dtype, step) for step in range(count)]
        return flatten_seq(tuple([Iteration(node.loop_var, step).rewrite(body) for step in steps]), node)


def _split_masked(node: For, lanes: int) -> Stmt | None:
    """Return a loop over vectors and a masked vector for the remainder; None where one has no vector form."""
    dtype, extent = node.loop_var.dtype, node.extent
    step, width = Var(node.loop_var.name, dtype), IntImm(dtype, lanes)
    main = vectorize_at(node, index_mul(step, width), lanes)
    steps = IntImm(dtype, extent.value // lanes) if isinstance(extent, IntImm) else FloorDiv(extent, width)
    rest = vectorize_masked(node, index_mul(steps, width), extent, lanes)
    if main is None or rest is None:
        return None
    loop = node.replace(loop_var=step, extent=steps, body=main)
    return flatten_seq((rest,) if is_const(steps, 0) else (loop, rest), node)


def _split_symbolic(node: For, lanes: int) -> Stmt | None:
    """Return loops over vectors, over shorter vectors and over single elements; None where one has no vector form."""
    dtype = node.loop_var.dtype
    total = Max(node.extent, _zero(node))
    done: Expr = _zero(node)
    loops: list[Stmt] = []
    for size in (lanes, lanes // 4):
        step, width = Var(node.loop_var.name, dtype), IntImm(dtype, size)
        body = vectorize_at(node, index_add(done, index_mul(step, width)), size)
        if body is None:
            return None
        loops.append(node.replace(loop_var=step, extent=FloorDiv(make(Sub, total, done), width), body=body))
        done = Mul(FloorDiv(total, width), width)
    return SeqStmt((*loops, node.replace(min=done, extent=Sub(total, done))))
