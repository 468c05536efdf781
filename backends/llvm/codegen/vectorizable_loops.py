"""Loops whose iterations can run as vectors: check, and vectorize a part of the iterations."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd
from typing import Final

from tvmscript.backends.llvm.codegen.division import divides_vectors_by
from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import index_add
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, INT32, CallEffect, DType, Op, nodes, structural_equal
from tvmscript.ir.tir import BufferLoad, Call, Expr, IntImm, Stmt, Var, match_types, substitute, uses
from tvmscript.ir.tir.expr import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    Cast,
    Div,
    FloatImm,
    FloorDiv,
    FloorMod,
    Max,
    Min,
    Mod,
    Mul,
    Ramp,
    Select,
    Sub,
)
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind, IfThenElse, SeqStmt
from tvmscript.ir.transform.loops.vectorize_loop.predication import vectorize_predicated
from tvmscript.ir.transform.loops.vectorize_loop.vectorizer import vectorize

#: annotation of loops that are not unrolled: copies of long bodies take time to compile
ROLLED: Final = "tir.rolled"
#: Bytes of the vectors in a loop of cheap operations, and in one that calls mathematical functions. Several vector
#: registers hide the latency of operations; too many of them spill.
_LIGHT_BYTES: Final = 128
_HEAVY_BYTES: Final = 64
#: Largest vector of a length that is no power of two: sums of 17 to 31 floats in one vector are slower.
_SHORT_BYTES: Final = 64
#: Smallest vector that is faster than scalar code.
_LEAST_BYTES: Final = 16
#: Rows side by side from which on scans have a vector for a power of two of them, and others for the rest.
_FEWEST_DIVIDED: Final = 8
#: How many times such a loop runs before its remainder, of some short vectors, takes no time to speak of.
_LEAST_ROUNDS: Final = 4
#: Iterations up to which LLVM unrolls a loop rather than vectorize it, and gathers vectors along the loop around it.
_MOST_UNROLLED: Final = 15


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


@dataclass
class VectorizationCheck:
    """Find the number of iterations of a loop that can run as one vector."""

    var: Var
    memory: dict[Var, bool]
    #: whether floats of 16 bits may be read
    takes_halves: bool = False
    #: whether integers may be read and computed
    takes_integers: bool = False
    stores: list[BufferStore] = field(default_factory=list)
    loads: list[BufferLoad] = field(default_factory=list)
    #: variables of loops inside of the loop
    inner: set[Var] = field(default_factory=set)
    is_heavy: bool = False
    element_bytes: int = 0
    #: whether iterations can run as vectors, however long
    is_independent: bool = False
    #: whether inner loops store to other elements in each iteration
    is_scan: bool = False

    def lanes(self, body: Stmt, count: int) -> int:
        """Return the lanes for `count` iterations, 0 where they depend on each other or vectors are not faster."""
        if not self.is_vectorizable_body(body):
            return 0
        accesses: list[BufferStore | BufferLoad] = [*self.stores, *self.loads]
        self.is_scan = any(self.inner & uses(address_terms(store)) for store in self.stores)
        if self.is_scan:
            power = 1 << max(count, 1).bit_length() - 1
            lanes = count if count < _FEWEST_DIVIDED else min(_LIGHT_BYTES // self.element_bytes, power)
            pairs = ((store, other) for store in self.stores for other in accesses)
            is_apart = not self.is_heavy and all(self.keeps_apart(*pair, lanes) for pair in pairs)
            return lanes if is_apart and lanes > 1 else 0
        if not all(self.same_or_disjoint(store, other) for store in self.stores for other in accesses):
            return 0
        self.is_independent = True
        most = (_HEAVY_BYTES if self.is_heavy else _LIGHT_BYTES) // self.element_bytes
        if not self.inner:
            # LLVM handles the remainder of a short innermost loop better
            lanes = gcd(count, most)
            is_even = lanes * self.element_bytes >= _LEAST_BYTES
            if count >= _LEAST_ROUNDS * most:
                return most if is_even or not self.is_heavy else 0  # masked: a call for the rest takes as long as one
            return lanes if is_even and lanes in (count, most) else 0
        # LLVM does not vectorize outer loops
        short = _SHORT_BYTES // self.element_bytes
        lanes = most if count >= most else min(count, short)
        return lanes if lanes * self.element_bytes >= _LEAST_BYTES else 0

    def keeps_apart(self, a: BufferStore, b: BufferStore | BufferLoad, lanes: int) -> bool:
        """Return whether two accesses never are to the same element in different lanes, whatever inner iterations run.

        Their distance is a multiple of the greatest common divisor of the steps of inner loops, and a constant.
        """
        if a.buffer.data is not b.buffer.data:
            return self.are_disjoint(a.buffer.data, b.buffer.data)
        (x,), (y,) = a.indices, b.indices
        is_same_buffer = structural_equal(address_terms(a)[:-1], address_terms(b)[:-1])
        steps = [slope(index, inner) for index in (x, y) for inner in self.inner]
        if not is_same_buffer or a.buffer.dtype is not b.buffer.dtype or slope(y, self.var) != 1 or None in steps:
            return False
        start: dict[Var, Expr] = {var: IntImm(var.dtype, 0) for var in (self.var, *self.inner)}
        distance = Analyzer().simplify(Sub(*match_types(substitute(x, start), substitute(y, start))))
        if not isinstance(distance, IntImm):
            return False
        period = gcd(*[step for step in steps if step is not None])
        nearest = {abs(distance.value)} if not period else {distance.value % period, -distance.value % period}
        return all(each >= lanes for each in (nearest - {0}) | ({period} if period else set[int]()))

    def same_or_disjoint(self, a: BufferStore, b: BufferStore | BufferLoad) -> bool:
        """Return whether two accesses are always or never to the same element."""
        if a.buffer.data is not b.buffer.data:
            return self.are_disjoint(a.buffer.data, b.buffer.data)
        own, others = address_terms(a), address_terms(b)
        return a.buffer.dtype is b.buffer.dtype and len(own) == len(others) and all(map(expr_deep_equal, own, others))

    def are_disjoint(self, a: Var, b: Var) -> bool:
        """Return whether two pointers never lead to the same memory, which one of them has for itself."""
        return self.memory[a] or self.memory[b]

    def masked_lanes(self, count: int | None) -> int:
        """Return the lanes of vectors of which the last one is masked; 0 where single iterations cost little.

        `count` is the number of iterations, None where it is unknown.
        """
        if not self.is_independent or self.inner:
            return 0
        most = _HEAVY_BYTES // self.element_bytes
        if self.is_heavy:
            return most
        if count is None or not _LEAST_BYTES // self.element_bytes <= count <= max(most, _MOST_UNROLLED):
            return 0
        return min(1 << (count - 1).bit_length(), most)

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
        return self.step(store) == 1 and self.is_elementwise(store.value)

    def step(self, access: BufferStore | BufferLoad) -> int | None:
        """Return the distance in memory between the elements of two iterations, None where it is no constant."""
        buffer = access.buffer
        if (
            buffer.data not in self.memory
            or not (self.is_taken(buffer.dtype) or (self.takes_integers and buffer.dtype.is_bool))
            or buffer.strides
            or access.predicate is not None
        ):
            return None
        *outer, last = access.indices or (_NO_INDEX,)
        if any(isinstance(part, BufferLoad) for index in access.indices for part in nodes(index)):
            return None
        return slope(last, self.var) if all(slope(index, self.var) == 0 for index in outer) else None

    def is_taken(self, dtype: DType) -> bool:
        """Return whether elements of a dtype may be computed with."""
        is_other = (self.takes_halves and dtype in HALVES) or (self.takes_integers and dtype in _INTEGERS)
        return dtype in _DTYPES or is_other

    def is_elementwise(self, value: Expr) -> bool:
        """Return whether a value is computed from floats by elementwise operations."""
        if isinstance(value, _COMPARISONS):
            return self.takes_integers and self.is_elementwise(value.a) and self.is_elementwise(value.b)
        if not self.is_taken(value.dtype):
            return False
        # floats of 16 bits are computed in float32
        computed = FLOAT32 if value.dtype in HALVES else value.dtype
        self.element_bytes = max(self.element_bytes, computed.bits // 8)
        if isinstance(value, BufferLoad):
            self.loads.append(value)
            return self.step(value) in (0, 1)
        if isinstance(value, (Mod, FloorMod)) or (isinstance(value, (Div, FloorDiv)) and value.dtype.is_integer):
            divisor = value.b.value if isinstance(value.b, IntImm) else 0
            if value.dtype.is_integer and not divides_vectors_by(value.dtype.with_lanes(2), divisor):
                return False
            self.is_heavy = True
            return self.is_elementwise(value.a) and self.is_elementwise(value.b)
        if isinstance(value, _ARITHMETIC):
            return self.is_elementwise(value.a) and self.is_elementwise(value.b)
        if isinstance(value, Cast):
            return self.is_elementwise(value.value)
        if isinstance(value, Select):
            return self.takes_integers and all(
                map(self.is_elementwise, (value.condition, value.true_value, value.false_value))
            )
        if isinstance(value, Call):
            return self.is_elementwise_call(value)
        return isinstance(value, (FloatImm, IntImm, Var))

    def is_elementwise_call(self, call: Call) -> bool:
        op = call.op
        if not isinstance(op, Op):
            return False
        if op.name == "tir.if_then_else":
            condition, *values = call.args
            return self.is_uniform(condition) and all(map(self.is_elementwise, values))
        self.is_heavy = self.is_heavy or op.name not in LIGHT_CALLS
        return op.effect is CallEffect.PURE and all(map(self.is_elementwise, call.args))


def address_terms(access: BufferStore | BufferLoad) -> tuple[Expr, ...]:
    """Return the expressions that determine an access's distance from the data pointer."""
    return (access.buffer.elem_offset, *access.buffer.shape[1:], *access.indices)


#: Where the element of a buffer without dimensions is.
_NO_INDEX: Final = IntImm(INT32, 0)
_DTYPES: Final = frozenset({FLOAT32, FLOAT64})
#: floats of 16 bits
HALVES: Final = frozenset({FLOAT16, BFLOAT16})
#: calls that are an instruction or two
LIGHT_CALLS: Final = frozenset(
    f"tir.{name}"
    for name in (
        *("fabs", "floor", "ceil", "trunc", "nearbyint", "round", "fma", "reinterpret", "if_then_else"),
        *("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "shift_left", "shift_right"),
    )
)
_INTEGERS: Final = frozenset([DType(f"{sign}{bits}") for sign in ("int", "uint") for bits in (8, 16, 32, 64)])
_COMPARISONS: Final = (LT, LE, GT, GE, EQ, NE)
_ARITHMETIC: Final = (Add, Sub, Mul, Div, Min, Max)


def vectorize_at(node: For, start: Expr, lanes: int) -> Stmt | None:
    """Return `lanes` iterations of a loop from `start` on as vector code, None where a part has no vector form."""
    dtype = node.loop_var.dtype
    if lanes == 1:
        return substitute(node.body, {node.loop_var: start})
    lane = Var(f"{node.loop_var.name}_lane", dtype)
    body = substitute(node.body, {node.loop_var: index_add(start, lane)})
    vector = vectorize(For(lane, IntImm(dtype, 0), IntImm(dtype, lanes), ForKind.VECTORIZED, body), lanes, True)
    return None if loops_in(vector) > loops_in(body) else vector


def vectorize_masked(node: For, start: Expr, limit: Expr, lanes: int) -> Stmt | None:
    """Return the iterations of a loop from `start` on and before `limit`, at most `lanes`, as masked vector code."""
    dtype = node.loop_var.dtype
    lane = Var(f"{node.loop_var.name}_lane", dtype)
    place = index_add(start, lane)
    body = IfThenElse(LT(place, limit), substitute(node.body, {node.loop_var: place}), span=node.span)
    loop = For(lane, IntImm(dtype, 0), IntImm(dtype, lanes), ForKind.VECTORIZED, body)
    vector = vectorize_predicated(loop, lanes)
    return None if loops_in(vector) else vector


def loops_in(stmt: Stmt) -> int:
    return sum(isinstance(part, For) for part in statements(stmt))
