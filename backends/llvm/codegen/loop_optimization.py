"""Loop optimization before code generation: fuse nested loops, peel first iterations, vectorize elementwise loops.

LLVM does most of this too, in up to half of its compile time: many of its passes visit every loop, and some take
time in proportion to the size of the function. It does not vectorize loops around reductions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from math import gcd
from typing import Final

from tvmscript.ir.arith.buffer_layout import index_add, index_mul
from tvmscript.ir.arith.fold import conjuncts, is_const, make
from tvmscript.ir.core import FLOAT32, FLOAT64, INT32, CallEffect, Op, Visitor, nodes, on, structural_equal
from tvmscript.ir.tir import Buffer, BufferLoad, Call, Expr, IntImm, PrimFunc, Stmt, Var, substitute, uses
from tvmscript.ir.tir.expr import EQ, LT, Add, And, BinaryOp, Cast, Div, FloatImm, FloorDiv, Max, Min, Mul, Ramp, Sub
from tvmscript.ir.tir.rewrite import TirRewriter, flatten_seq
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, BufferStore, For, ForKind, IfThenElse, SeqStmt
from tvmscript.ir.transform.loops.vectorize_loop.vectorizer import vectorize

#: Attributes that promise that no two buffers overlap.
_NOALIAS: Final = ("tir.noalias", "tirx.noalias")
#: Bytes of the vectors in a loop of cheap operations, and in one that calls mathematical functions. Several vector
#: registers hide the latency of operations; too many of them spill.
_LIGHT_BYTES: Final = 128
_HEAVY_BYTES: Final = 64
#: Largest vector of a length that is no power of two: sums of 17 to 31 floats in one vector are slower.
_SHORT_BYTES: Final = 64
#: Smallest vector that is faster than scalar code.
_LEAST_BYTES: Final = 16


def optimize_loops(func: PrimFunc, buffers: Iterable[Buffer]) -> PrimFunc:
    """Fuse, peel and vectorize the loops of a function; `buffers` are those of its arguments."""
    memory = dict.fromkeys([buffer.data for buffer in buffers], is_noalias(func))
    return func.with_body(
        _VectorizeLoops(memory).rewrite(_PeelFirstIteration().rewrite(_FuseLoops().rewrite(func.body)))
    )


def is_noalias(func: PrimFunc) -> bool:
    """Return whether the function promises that no two of its buffers overlap."""
    promises = (func.attrs.get(key) for key in _NOALIAS)
    return any(isinstance(promise, IntImm) and promise.value != 0 for promise in promises)


def slope(index: Expr, var: Var) -> int | None:
    """Return the coefficient of a variable in an index, None where it is no constant."""
    if isinstance(index, (Var, IntImm)):
        return int(index is var)
    if isinstance(index, Ramp) and var not in uses(index.stride):
        return slope(index.base, var)
    if isinstance(index, (Add, Sub)):
        a, b = slope(index.a, var), slope(index.b, var)
        if a is None or b is None:
            return None
        return a + b if isinstance(index, Add) else a - b
    if isinstance(index, Mul) and isinstance(index.b, IntImm):
        a = slope(index.a, var)
        return None if a is None else a * index.b.value
    return None if var in uses(index) else 0


def stores_to_new_elements(loop: For) -> bool:
    """Return whether every store in a loop writes another element in each iteration."""
    return all(
        any(slope(index, loop.loop_var) for index in part.indices)
        for part in nodes(loop.body)
        if isinstance(part, BufferStore)
    )


def accumulates_one_vector(loop: For) -> bool:
    """Return whether a loop's only store writes a vector to the same place: iterations depend on each other."""
    stores = [part for part in nodes(loop.body) if isinstance(part, BufferStore)]
    return len(stores) == 1 and stores[0].value.dtype.lanes > 1 and not stores_to_new_elements(loop)


def _counts_from_zero(loop: For) -> bool:
    """Return whether a loop is serial and counts from 0 in a signed dtype, whose indices do not wrap."""
    is_serial = loop.kind is ForKind.SERIAL and not loop.annotations
    return is_serial and is_const(loop.min, 0) and loop.extent.dtype.is_signed


def _trip_count(loop: For) -> int:
    """Return the constant trip count of a plain loop, 0 for any other loop."""
    extent = loop.extent
    return max(extent.value, 0) if isinstance(extent, IntImm) and _counts_from_zero(loop) else 0


class _FuseLoops(TirRewriter):
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
        self.access(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.access(node)
        self.visit(node.value)

    def access(self, node: BufferLoad | BufferStore) -> None:
        for index in node.indices:
            step = slope(index, self.inner)
            self.is_linear = self.is_linear and step is not None and slope(index, self.outer) == step * self.extent
        if node.predicate is not None:
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


class _PeelFirstIteration(TirRewriter):
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


class _VectorizeLoops(TirRewriter):
    """Vectorize loops whose iterations are independent, with or without inner loops.

    rewrite:
        for j in range(4096):                     -->     for j_o in range(128):
            B[j] = A[j] * T.float32(2)                        B[j_o * 32 : j_o * 32 + 32] = ...
    """

    def __init__(self, memory: dict[Var, bool]) -> None:
        super().__init__()
        #: data variables of whole allocations or arguments, and whether no other pointer overlaps them
        self.memory = memory

    @on(Allocate, AllocateConst)
    def allocation(self, node: Allocate | AllocateConst) -> Stmt:
        self.memory[node.buffer_var] = True
        stmt: Stmt = self.descend(node)
        return stmt

    @on(For)
    def loop(self, node: For) -> Stmt:
        if not _counts_from_zero(node):
            return self.descend(node)
        body = _VectorizationCheck(node.loop_var, self.memory)
        if isinstance(node.extent, IntImm):
            lanes = body.lanes(node.body, node.extent.value)
            vectorized_loops = _split(node, node.extent.value, lanes) if lanes else None
        else:
            lanes = body.outer_lanes(node.body) if body.is_uniform(node.extent) else 0
            vectorized_loops = _split_symbolic(node, lanes) if lanes else None
        return self.descend(node) if vectorized_loops is None else vectorized_loops


def _split(node: For, count: int, lanes: int) -> Stmt | None:
    """Return a serial loop over vectors, with one or two shorter vectors for the remainder.

    None where a part has no vector form.
    """
    dtype = node.loop_var.dtype
    step = Var(node.loop_var.name, dtype)
    steps, rest = divmod(count, lanes)
    sizes = [size for size in (min(rest, lanes // 2), rest - lanes // 2) if size > 0]
    parts = [_vectorize_at(node, index_mul(step, IntImm(dtype, lanes)), lanes)]
    for size in sizes:
        parts.append(_vectorize_at(node, IntImm(dtype, count - rest), size))
        rest -= size
    vectors = [part for part in parts if part is not None]
    if len(vectors) < len(parts):
        return None
    body, *left_over = vectors
    return flatten_seq((node.replace(loop_var=step, extent=IntImm(dtype, steps), body=body), *left_over), node)


def _split_symbolic(node: For, lanes: int) -> Stmt | None:
    """Return loops over vectors, over shorter vectors and over single elements; None where one has no vector form."""
    dtype = node.loop_var.dtype
    total = Max(node.extent, _zero(node))
    done: Expr = _zero(node)
    loops: list[Stmt] = []
    for size in (lanes, lanes // 4):
        step, width = Var(node.loop_var.name, dtype), IntImm(dtype, size)
        body = _vectorize_at(node, index_add(done, index_mul(step, width)), size)
        if body is None:
            return None
        loops.append(node.replace(loop_var=step, extent=FloorDiv(make(Sub, total, done), width), body=body))
        done = Mul(FloorDiv(total, width), width)
    return SeqStmt((*loops, node.replace(min=done, extent=Sub(total, done))))


def _vectorize_at(node: For, start: Expr, lanes: int) -> Stmt | None:
    """Return `lanes` iterations of a loop from `start` on as vector code, None where a part has no vector form."""
    dtype = node.loop_var.dtype
    if lanes == 1:
        return substitute(node.body, {node.loop_var: start})
    lane = Var(f"{node.loop_var.name}_lane", dtype)
    body = substitute(node.body, {node.loop_var: index_add(start, lane)})
    vector = vectorize(For(lane, IntImm(dtype, 0), IntImm(dtype, lanes), ForKind.VECTORIZED, body), lanes, True)
    return None if _loops_in(vector) > _loops_in(body) else vector


def _loops_in(stmt: Stmt) -> int:
    return sum(isinstance(part, For) for part in nodes(stmt))


@dataclass
class _VectorizationCheck:
    """Find the number of iterations of a loop that can run as one vector."""

    var: Var
    memory: dict[Var, bool]
    stores: list[BufferStore] = field(default_factory=list)
    loads: list[BufferLoad] = field(default_factory=list)
    #: variables of loops inside of the loop
    inner: set[Var] = field(default_factory=set)
    is_heavy: bool = False
    element_bytes: int = 0

    def lanes(self, body: Stmt, count: int) -> int:
        """Return the lanes for `count` iterations, 0 where they depend on each other or vectors are not faster."""
        if not self.is_vectorizable_body(body):
            return 0
        if any(self.inner & uses(_address_terms(store)) for store in self.stores):
            return 0
        accesses: list[BufferStore | BufferLoad] = [*self.stores, *self.loads]
        if not all(_same_or_disjoint(store, other) for store in self.stores for other in accesses):
            return 0
        most = (_HEAVY_BYTES if self.is_heavy else _LIGHT_BYTES) // self.element_bytes
        if not self.inner:
            # LLVM handles the remainder of an innermost loop better
            lanes = gcd(count, most)
            return lanes if lanes in (count, most) and lanes * self.element_bytes >= _LEAST_BYTES else 0
        # LLVM does not vectorize outer loops
        short = _SHORT_BYTES // self.element_bytes
        lanes = most if count >= most else min(count, short)
        return lanes if lanes * self.element_bytes >= _LEAST_BYTES else 0

    def outer_lanes(self, body: Stmt) -> int:
        """Return the lanes for an outer loop of unknown trip count, 0 where vectors are not faster."""
        lanes = self.lanes(body, _LIGHT_BYTES)
        return lanes if self.inner else 0

    def is_vectorizable_body(self, stmt: Stmt) -> bool:
        """Return whether a statement consists of stores under loops and branches that are uniform."""
        if isinstance(stmt, SeqStmt):
            return all(self.is_vectorizable_body(part) for part in stmt.seq)
        if isinstance(stmt, For):
            self.inner.add(stmt.loop_var)
            is_uniform = stmt.kind is ForKind.SERIAL and self.is_uniform(stmt.min) and self.is_uniform(stmt.extent)
            return is_uniform and self.is_vectorizable_body(stmt.body)
        if isinstance(stmt, IfThenElse):
            cases = [stmt.then_case] if stmt.else_case is None else [stmt.then_case, stmt.else_case]
            return self.is_uniform(stmt.condition) and all(self.is_vectorizable_body(case) for case in cases)
        return isinstance(stmt, BufferStore) and self.is_vectorizable_store(stmt)

    def is_uniform(self, value: Expr) -> bool:
        """Return whether a value is uniform: the same in all iterations, whatever they store."""
        return not any(part is self.var or isinstance(part, (BufferLoad, Call)) for part in (value, *nodes(value)))

    def is_vectorizable_store(self, store: BufferStore) -> bool:
        self.stores.append(store)
        return self.memory.get(store.buffer.data, False) and self.step(store) == 1 and self.is_elementwise(store.value)

    def step(self, access: BufferStore | BufferLoad) -> int | None:
        """Return the distance in memory between the elements of two iterations, None where it is no constant."""
        buffer = access.buffer
        if (
            buffer.data not in self.memory
            or buffer.dtype not in _DTYPES
            or buffer.strides
            or access.predicate is not None
        ):
            return None
        *outer, last = access.indices or (_NO_INDEX,)
        if any(isinstance(part, BufferLoad) for index in access.indices for part in nodes(index)):
            return None
        return slope(last, self.var) if all(slope(index, self.var) == 0 for index in outer) else None

    def is_elementwise(self, value: Expr) -> bool:
        """Return whether a value is computed from floats by elementwise operations."""
        if value.dtype not in _DTYPES:
            return False
        self.element_bytes = max(self.element_bytes, value.dtype.bits // 8)
        if isinstance(value, BufferLoad):
            self.loads.append(value)
            return self.step(value) in (0, 1)
        if isinstance(value, _ARITHMETIC):
            return self.is_elementwise(value.a) and self.is_elementwise(value.b)
        if isinstance(value, Cast):
            return self.is_elementwise(value.value)
        if isinstance(value, Call):
            return self.is_elementwise_call(value)
        return isinstance(value, (FloatImm, Var))

    def is_elementwise_call(self, call: Call) -> bool:
        op = call.op
        if not isinstance(op, Op):
            return False
        if op.name == "tir.if_then_else":
            condition, *values = call.args
            return self.is_uniform(condition) and all(map(self.is_elementwise, values))
        self.is_heavy = True
        return op.effect is CallEffect.PURE and all(map(self.is_elementwise, call.args))


def _same_or_disjoint(a: BufferStore, b: BufferStore | BufferLoad) -> bool:
    """Return whether two accesses, one to exclusive memory, are always or never to the same element."""
    if a.buffer.data is not b.buffer.data:
        return True
    return a.buffer.dtype is b.buffer.dtype and structural_equal(_address_terms(a), _address_terms(b))


def _address_terms(access: BufferStore | BufferLoad) -> tuple[Expr, ...]:
    """Return the expressions that determine an access's distance from the data pointer."""
    return (access.buffer.elem_offset, *access.buffer.shape[1:], *access.indices)


#: Where the element of a buffer without dimensions is.
_NO_INDEX: Final = IntImm(INT32, 0)
_DTYPES: Final = frozenset({FLOAT32, FLOAT64})
_ARITHMETIC: Final = (Add, Sub, Mul, Div, Min, Max)
