"""Sums of products of bytes, of which x86 adds four to each lane of 32 bits by one instruction (`vpdpbusd`).

The first factor of the instruction is unsigned. Of two signed ones, a * b = (a + 128) * b - 128 * b: the second
products are added up on their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

from tvmscript.backends.llvm.codegen.memory_rewriter import MemoryRewriter
from tvmscript.backends.llvm.codegen.reduction_patterns import Accumulation, match_reduction
from tvmscript.backends.llvm.codegen.split_reductions import MOST_REDUCTIONS, add_lanes
from tvmscript.backends.llvm.codegen.vectorizable_loops import slope
from tvmscript.ir.arith.buffer_layout import index_add
from tvmscript.ir.arith.fold import TRUE, is_const
from tvmscript.ir.core import INT32, on
from tvmscript.ir.schedule.intrinsics.builders import call
from tvmscript.ir.tir import Broadcast, Buffer, BufferLoad, Cast, Expr, IntImm, Ramp, Stmt, Var, make_buffer, substitute
from tvmscript.ir.tir.expr import LT, Add, Mul, Sub
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import Allocate, BufferStore, For, ForKind, stmt_list

#: bytes of a lane
_TERMS: Final = 4
#: features and the lanes of their instruction, widest first
_LANES: Final = {"avx512vnni": (16,), "avxvnni": (8, 4)}
_MOST_LANES: Final = 16
#: the feature of loads of bytes with masks, and terms from which on one vector takes less than scalars
_MASKS, _LEAST_MASKED = "avx512bw", 16
#: vectors of sums in an iteration: an instruction takes several cycles
_VECTORS: Final = 4
#: 128 in each byte
_BIAS: Final = IntImm("int32", -0x7F7F7F80)


class AddBytes(MemoryRewriter):
    """Add up products of consecutive bytes in vectors of lanes.

    rewrite, of uint8 and int8:
        for k in range(100):                            -->     C_words[0:16] = T.Broadcast(0, 16)
            C[0] = C[0] + T.int32(A[k]) * T.int32(B[k])         C_words[0:16] = dot(C_words[0:16], A[0:64], B[0:64])
                                                                C_words[0:8] = dot(C_words[0:8], A[64:96], B[64:96])
                                                                C_words[0:8] = C_words[0:8] + C_words[8:16]
                                                                C_words[0:4] = C_words[0:4] + C_words[4:8]
                                                                ...
                                                                C[0] = C[0] + C_words[0]
                                                                for k in range(4): ...

    Where loads of bytes have masks, the rest is one more vector. Lanes of several sums into consecutive elements are
    added by `add_lanes`.
    """

    def __init__(self, memory: dict[Var, bool], features: Sequence[str]) -> None:
        super().__init__(memory)
        #: lanes of instructions that there are, widest first
        self.lanes = [each for feature, lanes in _LANES.items() if feature in features for each in lanes]
        self.has_masks = _MASKS in features
        self.count = 0

    @on(For)
    def loop(self, node: For) -> Stmt:
        in_words = self._in_words(node) if self.lanes and self.count < MOST_REDUCTIONS else None
        return self.descend(node) if in_words is None else in_words

    def _in_words(self, loop: For) -> Stmt | None:
        """Return sums of products of bytes in lanes, None for other loops."""
        is_plain = loop.kind is ForKind.SERIAL and is_const(loop.min, 0)
        if not is_plain or not isinstance(loop.extent, IntImm):
            return None
        least = min(self.lanes) * _TERMS
        if loop.extent.value < (_LEAST_MASKED if self.has_masks else least):
            return None
        sums: list[_Sum] = []
        for number, stmt in enumerate(stmt_list(loop.body)):
            each = self._sum(loop, stmt, number)
            if each is None:
                return None
            sums.append(each)
        total, *others = {each.store.buffer for each in sums}
        if others or any(total in (each.a.buffer, each.b.buffer) for each in sums):
            return None
        self.count += len(sums)
        return _Words(loop, sums, self.lanes, self.has_masks).add()

    def _sum(self, loop: For, stmt: Stmt, number: int) -> _Sum | None:
        """Return the sum that a statement adds a product to; of several ones, into an element of this number."""
        reduction = match_reduction(loop.replace(body=stmt))
        if not isinstance(reduction, Accumulation) or reduction.op is not Add or reduction.condition is not None:
            return None
        (store,) = reduction.stores
        factors = self._factors(reduction.term, loop.loop_var)
        is_next = stmt is loop.body or is_const(store.indices[-1], number)
        if factors is None or not is_next or store.buffer.dtype is not INT32:
            return None
        return _Sum(store, *factors) if self.is_alone(store, loop.loop_var) else None

    def _factors(self, term: Expr, var: Var) -> tuple[BufferLoad, BufferLoad] | None:
        """Return the loads of bytes that are multiplied, one that may be unsigned first."""
        if not isinstance(term, Mul) or not isinstance(term.a, Cast) or not isinstance(term.b, Cast):
            return None
        a, b = sorted((term.a.value, term.b.value), key=lambda factor: factor.dtype.is_signed)
        if not isinstance(a, BufferLoad) or not isinstance(b, BufferLoad) or str(b.dtype) != "int8":
            return None
        is_read_along = all(
            each.buffer.data in self.memory
            and each.predicate is None
            and not each.buffer.strides
            and slope(each.indices[-1], var) == 1
            and all(slope(index, var) == 0 for index in each.indices[:-1])
            for each in (a, b)
        )
        return (a, b) if is_read_along and str(a.dtype) in ("uint8", "int8") else None


class _Sum(NamedTuple):
    """The store of a sum, and the loads of the bytes that are multiplied."""

    store: BufferStore
    a: BufferLoad
    b: BufferLoad

    @property
    def is_signed(self) -> bool:
        return self.a.dtype.is_signed


class _Words:
    """The vectors of sums of one loop."""

    def __init__(self, loop: For, sums: Sequence[_Sum], widths: Sequence[int], has_masks: bool) -> None:
        assert isinstance(loop.extent, IntImm)
        self.loop, self.sums, self.has_masks = loop, sums, has_masks
        self.terms, self.index = loop.extent.value, loop.loop_var.dtype
        #: lanes of instructions, widest first
        self.widths = widths[:1] if has_masks else [each for each in widths if each * _TERMS <= self.terms]
        self.lanes = self.widths[0]
        #: the buffers of each sum: products, and what is too much of signed ones
        self.buffers = [
            [self._buffer(each, name) for name in (("words", "excess") if each.is_signed else ("words",))]
            for each in sums
        ]
        vectors = _VECTORS // sum(map(len, self.buffers))
        #: vectors of each buffer in an iteration
        self.vectors = max(min(vectors, self.terms // (self.lanes * _TERMS)), 1)

    def _buffer(self, each: _Sum, name: str) -> Buffer:
        size = self._integer(_VECTORS * _MOST_LANES)
        return make_buffer((size,), INT32, f"{each.store.buffer.name}_{name}", scope="local")

    def _integer(self, value: int) -> IntImm:
        return IntImm(self.index, value)

    def _slice(self, buffer: Buffer, start: int, lanes: int) -> BufferLoad:
        first = self._integer(start)
        return BufferLoad(buffer, (first if lanes == 1 else Ramp(first, self._integer(1), lanes),))

    def _store(self, into: BufferLoad, value: Expr) -> Stmt:
        return BufferStore(into.buffer, value, into.indices, span=self.loop.span)

    def _bytes(self, load: BufferLoad, start: Expr, lanes: int, mask: Expr | None) -> Expr:
        """Read the bytes of so many lanes as integers of 32 bits."""
        *outer, last = load.indices
        last = Ramp(substitute(last, {self.loop.loop_var: start}), self._integer(1), _TERMS * lanes)
        return call("reinterpret", f"int32x{lanes}", BufferLoad(load.buffer, (*outer, last), mask))

    def _add(self, start: Expr, place: int, lanes: int, mask: Expr | None = None) -> list[Stmt]:
        """Add the products from a term on to the lanes at a place of each sum."""
        parts: list[Stmt] = []
        for each, buffers in zip(self.sums, self.buffers, strict=True):
            a, b = (self._bytes(load, start, lanes, mask) for load in (each.a, each.b))
            bias = Broadcast(_BIAS, lanes)
            firsts = [call("bitwise_xor", a, bias), bias] if each.is_signed else [a]
            for buffer, first in zip(buffers, firsts, strict=True):
                into = self._slice(buffer, place, lanes)
                name, count = f"llvm.x86.avx512.vpdpbusd.{32 * lanes}", IntImm("uint32", 3)
                added = call("call_llvm_pure_intrin", f"int32x{lanes}", name, count, into, first, b)
                parts.append(self._store(into, added))
        return parts

    def _fold(self, lanes: int, start: int) -> list[Stmt]:
        """Add lanes from a place on to the first ones."""
        into = [self._slice(buffer, 0, lanes) for buffers in self.buffers for buffer in buffers]
        return [self._store(each, Add(each, self._slice(each.buffer, start, lanes))) for each in into]

    def add(self) -> Stmt:
        """Return the sums in lanes, by instructions of the widest lanes first."""
        parts, done = self._whole_vectors()
        for lanes in self.widths:
            while self.terms - done >= lanes * _TERMS:
                parts += self._add(self._integer(done), 0, lanes)
                done += lanes * _TERMS
        if self.has_masks and done < self.terms:
            mask = _first_lanes(self.terms - done, self.lanes * _TERMS)
            parts += self._add(self._integer(done), 0, self.lanes, mask)
            done = self.terms
        parts += self._totals()
        if done < self.terms:
            var = Var(self.loop.loop_var.name, self.index)
            rest = substitute(self.loop.body, {self.loop.loop_var: index_add(var, self._integer(done))})
            parts.append(self.loop.replace(loop_var=var, extent=self._integer(self.terms - done), body=rest))
        stmt = flatten_seq(tuple(parts), self.loop)
        for buffer in chain.from_iterable(self.buffers):
            stmt = Allocate(buffer.data, INT32, buffer.shape, TRUE, stmt, span=self.loop.span)
        return stmt

    def _whole_vectors(self) -> tuple[list[Stmt], int]:
        """Return the loop over as many terms as an iteration adds, and how many terms it adds."""
        lanes, zero = self.lanes, Broadcast(IntImm("int32", 0), self.lanes)
        chunk = self.vectors * lanes * _TERMS
        parts = [
            self._store(self._slice(buffer, each * lanes, lanes), zero)
            for buffer in chain.from_iterable(self.buffers)
            for each in range(self.vectors)
        ]
        step = Var(self.loop.loop_var.name, self.index)
        starts = [
            index_add(Mul(step, self._integer(chunk)), self._integer(each * lanes * _TERMS))
            for each in range(self.vectors)
        ]
        steps = [stmt for each, start in enumerate(starts) for stmt in self._add(start, each * lanes, lanes)]
        trips, body = self._integer(self.terms // chunk), flatten_seq(tuple(steps), self.loop)
        parts.append(self.loop.replace(loop_var=step, extent=trips, body=body, annotations={}))
        for each in range(1, self.vectors):
            parts += self._fold(lanes, each * lanes)
        return parts, self.terms - self.terms % chunk

    def _totals(self) -> list[Stmt]:
        """Return what adds the lanes to the elements."""
        if len(self.sums) > 1:
            vectors = [self._difference(buffers, self.lanes) for buffers in self.buffers]
            return [add_lanes(self.sums[0].store.buffer, vectors, self.loop.span)]
        parts, lanes = list[Stmt](), self.lanes
        while lanes > 1:
            lanes //= 2
            parts += self._fold(lanes, lanes)
        (only,), (buffers,) = self.sums, self.buffers
        element = BufferLoad(only.store.buffer, only.store.indices)
        return [*parts, only.store.replace(value=Add(element, self._difference(buffers, 1)))]

    def _difference(self, buffers: Sequence[Buffer], lanes: int) -> Expr:
        """Return the first lanes of a sum, less what is too much."""
        words, *excess = [self._slice(buffer, 0, lanes) for buffer in buffers]
        return Sub(words, *excess) if excess else words


def _first_lanes(count: int, lanes: int) -> Expr:
    """Return a mask of the first lanes."""
    return LT(Ramp(IntImm("int32", 0), IntImm("int32", 1), lanes), Broadcast(IntImm("int32", count), lanes))
