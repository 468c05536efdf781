"""Loops as LLVM takes them best, made before code is written: few, and over vectors where that is plain to see.

LLVM finds most of this by itself, in up to half of its whole time: it looks at every loop in many passes, some of which
take time in proportion to the size of the whole function. Vectors around sums it does not find.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from math import gcd
from typing import Final

from tvmscript.ir.arith.buffer_layout import index_add, index_mul
from tvmscript.ir.arith.fold import conjuncts, is_const, make
from tvmscript.ir.core.dtype import FLOAT32, FLOAT64, INT32
from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.core.visit import Visitor, nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import (
    EQ,
    LT,
    Add,
    And,
    BinaryOp,
    BufferLoad,
    Call,
    Cast,
    Div,
    FloatImm,
    FloorDiv,
    IntImm,
    Max,
    Min,
    Mul,
    Ramp,
    Sub,
)
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter, flattened
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, BufferStore, For, ForKind, IfThenElse, SeqStmt
from tvmscript.ir.tir.substitute import substitute, uses
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.loops.vectorize_loop.vectorize_loop import vectorize

#: Attributes that promise that no two buffers overlap.
_NOALIAS: Final = ("tir.noalias", "tirx.noalias")
#: Bytes of the vectors that a loop of cheap operations works on, and one that calls mathematical functions: some
#: vector registers at once hide the time that operations take, many of them would not fit.
_LIGHT_BYTES: Final = 128
_HEAVY_BYTES: Final = 64
#: A vector of another length than a power of two is a gain up to here, sums of 17 to 31 floats in one become slower.
_SHORT_BYTES: Final = 64
#: A vector of less than this is no gain.
_LEAST_BYTES: Final = 16


def arranged(func: PrimFunc, buffers: Iterable[Buffer]) -> PrimFunc:
    """The function with nests that walk memory in one direction as single loops, these over vectors where they can.

    `buffers` are those of its arguments.
    """
    memory = dict.fromkeys([buffer.data for buffer in buffers], is_noalias(func))
    return func.with_body(_Widening(memory).rewrite(_Starting().rewrite(_Joining().rewrite(func.body))))


def is_noalias(func: PrimFunc) -> bool:
    """Whether the function promises that no two of its buffers overlap."""
    promises = (func.attrs.get(key) for key in _NOALIAS)
    return any(isinstance(promise, IntImm) and promise.value != 0 for promise in promises)


def slope(index: Expr, var: Var) -> int | None:
    """How much an index grows from one value of the variable to the next; None where that is no constant."""
    if isinstance(index, Var | IntImm):
        return int(index is var)
    if isinstance(index, Ramp) and var not in uses(index.stride):
        return slope(index.base, var)
    if isinstance(index, Add | Sub):
        a, b = slope(index.a, var), slope(index.b, var)
        if a is None or b is None:
            return None
        return a + b if isinstance(index, Add) else a - b
    if isinstance(index, Mul) and isinstance(index.b, IntImm):
        a = slope(index.a, var)
        return None if a is None else a * index.b.value
    return None if var in uses(index) else 0


def walks(loop: For) -> bool:
    """Whether every store in a loop goes to another element each time around."""
    return all(
        any(slope(index, loop.loop_var) for index in part.indices)
        for part in nodes(loop.body)
        if isinstance(part, BufferStore)
    )


def adds_to_one_vector(loop: For) -> bool:
    """Whether a loop's only store is of a vector, always to the same place: each iteration waits for the one before."""
    stores = [part for part in nodes(loop.body) if isinstance(part, BufferStore)]
    return len(stores) == 1 and stores[0].value.dtype.lanes > 1 and not walks(loop)


def _is_plain(loop: For) -> bool:
    """Whether a loop just counts from 0, in a signed type: such indices do not wrap."""
    is_serial = loop.kind is ForKind.SERIAL and not loop.annotations
    return is_serial and is_const(loop.min, 0) and loop.extent.dtype.is_signed


def _count(loop: For) -> int:
    """How often a plain loop runs, where that is a constant; 0 for any other."""
    extent = loop.extent
    return max(extent.value, 0) if isinstance(extent, IntImm) and _is_plain(loop) else 0


class _Joining(TirRewriter):
    """Two loops become one where their variables only occur as `outer * extent + inner`.

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
        count = _count(inner)
        total = _count(outer) * count
        if not 0 < total <= INT32.max_value or not _Together(outer.loop_var, inner.loop_var, count).hold_in(inner.body):
            return outer
        # as the index is linear in them, the inner variable can count on where the outer one counted
        body = _Zero(outer.loop_var).rewrite(inner.body)
        return inner.replace(extent=IntImm(inner.extent.dtype, total), body=body)


class _Together(Visitor):
    """Whether two variables occur in indices only, and there as outer * extent + inner."""

    def __init__(self, outer: Var, inner: Var, extent: int) -> None:
        self.outer, self.inner, self.extent = outer, inner, extent
        self.found = True

    def hold_in(self, body: Stmt) -> bool:
        self.visit(body)
        return self.found

    @on(Var)
    def variable(self, node: Var) -> None:
        if node is self.outer or node is self.inner:
            self.found = False

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
            self.found = self.found and step is not None and slope(index, self.outer) == step * self.extent
        if node.predicate is not None:
            self.visit(node.predicate)


class _Zero(TirRewriter):
    """A variable is 0; sums and products of constants are folded."""

    def __init__(self, var: Var) -> None:
        super().__init__()
        self.renamed[var] = IntImm(var.dtype, 0)

    @on(Add, Sub, Mul)
    def arithmetic(self, node: BinaryOp) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        return node if a is node.a and b is node.b else make(type(node), a, b, node.span)


class _Starting(TirRewriter):
    """What a loop does in its first iteration only is done before it.

    rewrite:
        for j, k in T.grid(2, 8):                 -->     A[0] = T.float32(0)
            if j == 0 and k == 0:                         for j, k in T.grid(2, 8):
                A[0] = T.float32(0)                           A[0] = A[0] + B[j * 8 + k]
            A[0] = A[0] + B[j * 8 + k]
    """

    @on(For)
    def loop(self, node: For) -> Stmt:
        made = self.descend(node)
        if not isinstance(made.body, SeqStmt) or not _is_plain(made):
            return made
        first, *rest = made.body.seq
        if not isinstance(first, IfThenElse) or first.else_case is not None:
            return made
        conditions = conjuncts(first.condition)
        others = [condition for condition in conditions if not _is_zero(condition, made)]
        if len(others) == len(conditions):
            return made
        if not isinstance(made.extent, IntImm):
            if any(isinstance(part, BufferLoad | Call) for part in nodes(first.condition)):
                return made  # what a loop that does not run never looks at may not be there
            others.insert(0, LT(_zero(made), made.extent))
        elif made.extent.value <= 0:
            return made
        start = first.replace(condition=reduce(And, others)) if others else first.then_case
        start = _Zero(made.loop_var).rewrite(start)
        return flattened((start, made.replace(body=flattened(tuple(rest), made.body))), made)


def _zero(loop: For) -> IntImm:
    return IntImm(loop.loop_var.dtype, 0)


def _is_zero(condition: Expr, loop: For) -> bool:
    return isinstance(condition, EQ) and condition.a is loop.loop_var and is_const(condition.b, 0)


class _Widening(TirRewriter):
    """A loop whose iterations are independent of each other runs over vectors, be there other loops inside or not.

    rewrite:
        for j in range(4096):                     -->     for j_o in range(128):
            B[j] = A[j] * T.float32(2)                        B[j_o * 32 : j_o * 32 + 32] = ...
    """

    def __init__(self, memory: dict[Var, bool]) -> None:
        super().__init__()
        #: data variables that are no pointers into other memory, and whether no other pointer overlaps them
        self.memory = memory

    @on(Allocate, AllocateConst)
    def allocation(self, node: Allocate | AllocateConst) -> Stmt:
        self.memory[node.buffer_var] = True
        made: Stmt = self.descend(node)
        return made

    @on(For)
    def loop(self, node: For) -> Stmt:
        if not _is_plain(node):
            return self.descend(node)
        body = _Elementwise(node.loop_var, self.memory)
        if isinstance(node.extent, IntImm):
            lanes = body.lanes(node.body, node.extent.value)
            made = _split(node, node.extent.value, lanes) if lanes else None
        else:
            lanes = body.lanes_of_many(node.body) if body.is_alike(node.extent) else 0
            made = _split_symbolic(node, lanes) if lanes else None
        return self.descend(node) if made is None else made


def _split(node: For, count: int, lanes: int) -> Stmt | None:
    """A serial loop over vectors, and one or two shorter ones of what is left over; None where a part of it has no
    vector form.
    """
    dtype = node.loop_var.dtype
    step = Var(node.loop_var.name, dtype)
    steps, rest = divmod(count, lanes)
    sizes = [size for size in (min(rest, lanes // 2), rest - lanes // 2) if size > 0]
    parts = [_vector(node, index_mul(step, IntImm(dtype, lanes)), lanes)]
    for size in sizes:
        parts.append(_vector(node, IntImm(dtype, count - rest), size))
        rest -= size
    vectors = [part for part in parts if part is not None]
    if len(vectors) < len(parts):
        return None
    body, *left_over = vectors
    return flattened((node.replace(loop_var=step, extent=IntImm(dtype, steps), body=body), *left_over), node)


def _split_symbolic(node: For, lanes: int) -> Stmt | None:
    """Loops over vectors, over shorter ones and over single elements; None where a part has no vector form."""
    dtype = node.loop_var.dtype
    total = Max(node.extent, _zero(node))
    done: Expr = _zero(node)
    loops: list[Stmt] = []
    for size in (lanes, lanes // 4):
        step, width = Var(node.loop_var.name, dtype), IntImm(dtype, size)
        body = _vector(node, index_add(done, index_mul(step, width)), size)
        if body is None:
            return None
        loops.append(node.replace(loop_var=step, extent=FloorDiv(make(Sub, total, done), width), body=body))
        done = Mul(FloorDiv(total, width), width)
    return SeqStmt((*loops, node.replace(min=done, extent=Sub(total, done))))


def _vector(node: For, start: Expr, lanes: int) -> Stmt | None:
    """So many iterations of a loop at once, the first of them this one; None where a part has no vector form."""
    dtype = node.loop_var.dtype
    if lanes == 1:
        return substitute(node.body, {node.loop_var: start})
    lane = Var(f"{node.loop_var.name}_lane", dtype)
    body = substitute(node.body, {node.loop_var: index_add(start, lane)})
    made = vectorize(For(lane, IntImm(dtype, 0), IntImm(dtype, lanes), ForKind.VECTORIZED, body), lanes, True)
    return None if _loops_in(made) > _loops_in(body) else made


def _loops_in(stmt: Stmt) -> int:
    return sum(isinstance(part, For) for part in nodes(stmt))


@dataclass
class _Elementwise:
    """Decides how many iterations of a loop can run at once, from what its body does."""

    var: Var
    memory: dict[Var, bool]
    stores: list[BufferStore] = field(default_factory=list)
    loads: list[BufferLoad] = field(default_factory=list)
    #: variables of loops inside of the loop
    inner: set[Var] = field(default_factory=set)
    is_heavy: bool = False
    element_bytes: int = 0

    def lanes(self, body: Stmt, count: int) -> int:
        """The number of lanes for so many iterations, 0 where these depend on each other or there is no gain."""
        if not self.is_simple_body(body):
            return 0
        if any(self.inner & uses(_place(store)) for store in self.stores):
            return 0
        accesses: list[BufferStore | BufferLoad] = [*self.stores, *self.loads]
        if not all(_same_or_apart(store, other) for store in self.stores for other in accesses):
            return 0
        most = (_HEAVY_BYTES if self.is_heavy else _LIGHT_BYTES) // self.element_bytes
        if not self.inner:
            # what is left over of an innermost loop LLVM does better
            lanes = gcd(count, most)
            return lanes if lanes in (count, most) and lanes * self.element_bytes >= _LEAST_BYTES else 0
        # loops around others LLVM does not make vectors of
        short = _SHORT_BYTES // self.element_bytes
        lanes = most if count >= most else min(count, short)
        return lanes if lanes * self.element_bytes >= _LEAST_BYTES else 0

    def lanes_of_many(self, body: Stmt) -> int:
        """The number of lanes for a loop around others that may run often; 0 where there is no gain."""
        lanes = self.lanes(body, _LIGHT_BYTES)
        return lanes if self.inner else 0

    def is_simple_body(self, stmt: Stmt) -> bool:
        """Whether a statement is made of stores, in loops and branches that all iterations go through alike."""
        if isinstance(stmt, SeqStmt):
            return all(self.is_simple_body(part) for part in stmt.seq)
        if isinstance(stmt, For):
            self.inner.add(stmt.loop_var)
            is_alike = stmt.kind is ForKind.SERIAL and self.is_alike(stmt.min) and self.is_alike(stmt.extent)
            return is_alike and self.is_simple_body(stmt.body)
        if isinstance(stmt, IfThenElse):
            cases = [stmt.then_case] if stmt.else_case is None else [stmt.then_case, stmt.else_case]
            return self.is_alike(stmt.condition) and all(self.is_simple_body(case) for case in cases)
        return isinstance(stmt, BufferStore) and self.is_simple_store(stmt)

    def is_alike(self, value: Expr) -> bool:
        """Whether a value is the same in all iterations, whatever they store."""
        return not any(part is self.var or isinstance(part, BufferLoad | Call) for part in (value, *nodes(value)))

    def is_simple_store(self, store: BufferStore) -> bool:
        self.stores.append(store)
        return self.memory.get(store.buffer.data, False) and self.step(store) == 1 and self.is_simple(store.value)

    def step(self, access: BufferStore | BufferLoad) -> int | None:
        """How far apart in memory the elements of two iterations are."""
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

    def is_simple(self, value: Expr) -> bool:
        """Whether a value is made of floats by operations that work on each lane alone."""
        if value.dtype not in _DTYPES:
            return False
        self.element_bytes = max(self.element_bytes, value.dtype.bits // 8)
        if isinstance(value, BufferLoad):
            self.loads.append(value)
            return self.step(value) in (0, 1)
        if isinstance(value, _ARITHMETIC):
            return self.is_simple(value.a) and self.is_simple(value.b)
        if isinstance(value, Cast):
            return self.is_simple(value.value)
        if isinstance(value, Call):
            return self.is_simple_call(value)
        return isinstance(value, FloatImm | Var)

    def is_simple_call(self, call: Call) -> bool:
        op = call.op
        if not isinstance(op, Op):
            return False
        if op.name == "tir.if_then_else":
            condition, *values = call.args
            return self.is_alike(condition) and all(map(self.is_simple, values))
        self.is_heavy = True
        return op.effect is CallEffect.PURE and all(map(self.is_simple, call.args))


def _same_or_apart(a: BufferStore, b: BufferStore | BufferLoad) -> bool:
    """Whether two accesses, one to memory of its own, are to the same element in each iteration or never meet."""
    if a.buffer.data is not b.buffer.data:
        return True
    return a.buffer.dtype is b.buffer.dtype and structural_equal(_place(a), _place(b))


def _place(access: BufferStore | BufferLoad) -> tuple[Expr, ...]:
    """What decides on an access's distance from the data pointer."""
    return (access.buffer.elem_offset, *access.buffer.shape[1:], *access.indices)


#: Where the element of a buffer without dimensions is.
_NO_INDEX: Final = IntImm(INT32, 0)
_DTYPES: Final = frozenset({FLOAT32, FLOAT64})
_ARITHMETIC: Final = (Add, Sub, Mul, Div, Min, Max)
