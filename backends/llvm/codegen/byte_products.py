"""Sums of products of bytes, of which x86 adds four to each lane of 32 bits by one instruction (`vpdpbusd`).

The first factor of the instruction is unsigned. Of two signed ones, a * b = (a + 128) * b - 128 * b: the second
products are added up on their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvmscript.backends.llvm.codegen.memory_rewriter import MemoryRewriter
from tvmscript.backends.llvm.codegen.reduction_patterns import Accumulation, match_reduction
from tvmscript.backends.llvm.codegen.split_reductions import MOST_REDUCTIONS
from tvmscript.backends.llvm.codegen.vectorizable_loops import slope
from tvmscript.ir.arith.buffer_layout import index_add
from tvmscript.ir.arith.fold import TRUE, is_const
from tvmscript.ir.core import INT32, DType, on
from tvmscript.ir.schedule.intrinsics.builders import call
from tvmscript.ir.tir import Broadcast, Buffer, BufferLoad, Cast, Expr, IntImm, Ramp, Stmt, Var, make_buffer, substitute
from tvmscript.ir.tir.expr import Add, Mul, Sub
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import Allocate, BufferStore, For, ForKind

#: bytes of a lane
_TERMS: Final = 4
#: features and the lanes of their instruction, widest first
_LANES: Final = {"avx512vnni": (16,), "avxvnni": (8, 4)}
_MOST_LANES: Final = 16
#: vectors of sums in an iteration: an instruction takes several cycles
_VECTORS: Final = 4
#: 128 in each byte
_BIAS: Final = IntImm("int32", -0x7F7F7F80)


class AddBytes(MemoryRewriter):
    """Add up products of consecutive bytes in vectors of lanes.

    rewrite, of uint8 and int8:
        for k in range(100):                            -->     C_words[0:16] = T.Broadcast(0, 16)
            C[0] = C[0] + T.int32(A[k]) * T.int32(B[k])         C_words[0:16] = dot(C_words[0:16], A[0:64], B[0:64])
                                                                C_words[0:8] = C_words[0:8] + C_words[8:16]
                                                                C_words[0:8] = dot(C_words[0:8], A[64:96], B[64:96])
                                                                C_words[0:4] = C_words[0:4] + C_words[4:8]
                                                                ...
                                                                C[0] = C[0] + C_words[0]
                                                                for k in range(4): ...
    """

    def __init__(self, memory: dict[Var, bool], features: Sequence[str]) -> None:
        super().__init__(memory)
        #: lanes of instructions that there are, widest first
        self.lanes = [each for feature, lanes in _LANES.items() if feature in features for each in lanes]
        self.count = 0

    @on(For)
    def loop(self, node: For) -> Stmt:
        sum_in_words = self._in_words(node) if self.count < MOST_REDUCTIONS else None
        if sum_in_words is None:
            return self.descend(node)
        self.count += 1
        return sum_in_words

    def _in_words(self, loop: For) -> Stmt | None:
        """Return a sum of products of bytes in lanes, None for other loops."""
        reduction = match_reduction(loop)
        if not isinstance(reduction, Accumulation) or reduction.op is not Add or reduction.condition is not None:
            return None
        (store,) = reduction.stores
        factors = self._factors(reduction.term, loop.loop_var)
        is_plain = loop.kind is ForKind.SERIAL and is_const(loop.min, 0) and isinstance(loop.extent, IntImm)
        if factors is None or not is_plain or store.buffer.dtype is not INT32:
            return None
        assert isinstance(loop.extent, IntImm)
        fitting = [lanes for lanes in self.lanes if lanes * _TERMS <= loop.extent.value]
        if not fitting or not self.is_alone(store, loop.loop_var) or store.buffer in {each.buffer for each in factors}:
            return None
        return _Words(loop, store, *factors).sum(loop.extent.value, fitting)

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


class _Words:
    """The vectors of sums of one loop."""

    def __init__(self, loop: For, store: BufferStore, a: BufferLoad, b: BufferLoad) -> None:
        self.loop, self.store, self.a, self.b = loop, store, a, b
        self.index: DType = loop.extent.dtype
        self.is_signed = a.dtype.is_signed
        self.words, self.excess = self._buffer("words"), self._buffer("excess")
        #: vectors of each buffer in an iteration
        self.most = _VECTORS // 2 if self.is_signed else _VECTORS

    @property
    def sums(self) -> list[Buffer]:
        return [self.words, self.excess] if self.is_signed else [self.words]

    def _buffer(self, name: str) -> Buffer:
        size = _VECTORS * _MOST_LANES
        return make_buffer((self._integer(size),), INT32, f"{self.store.buffer.name}_{name}", scope="local")

    def _integer(self, value: int) -> IntImm:
        return IntImm(self.index, value)

    def _slice(self, buffer: Buffer, start: int, lanes: int) -> BufferLoad:
        first = self._integer(start)
        return BufferLoad(buffer, (first if lanes == 1 else Ramp(first, self._integer(1), lanes),))

    def _store(self, into: BufferLoad, value: Expr) -> Stmt:
        return BufferStore(into.buffer, value, into.indices, span=self.store.span)

    def _bytes(self, load: BufferLoad, start: Expr, lanes: int) -> Expr:
        """Read the bytes of so many lanes as integers of 32 bits."""
        *outer, last = load.indices
        last = Ramp(substitute(last, {self.loop.loop_var: start}), self._integer(1), _TERMS * lanes)
        return call("reinterpret", f"int32x{lanes}", BufferLoad(load.buffer, (*outer, last)))

    def _add(self, start: Expr, place: int, lanes: int) -> list[Stmt]:
        """Add the products from a term on to the lanes at a place."""
        a, b = self._bytes(self.a, start, lanes), self._bytes(self.b, start, lanes)
        firsts = [a]
        if self.is_signed:
            bias = Broadcast(_BIAS, lanes)
            firsts = [call("bitwise_xor", a, bias), bias]
        parts: list[Stmt] = []
        for buffer, first in zip(self.sums, firsts, strict=True):
            into = self._slice(buffer, place, lanes)
            name, count = f"llvm.x86.avx512.vpdpbusd.{32 * lanes}", IntImm("uint32", 3)
            added = call("call_llvm_pure_intrin", f"int32x{lanes}", name, count, into, first, b)
            parts.append(self._store(into, added))
        return parts

    def _fold(self, lanes: int, start: int) -> list[Stmt]:
        """Add lanes from a place on to the first ones."""
        into = [self._slice(buffer, 0, lanes) for buffer in self.sums]
        return [self._store(each, Add(each, self._slice(each.buffer, start, lanes))) for each in into]

    def sum(self, terms: int, widths: Sequence[int]) -> Stmt:
        """Return the sum of so many terms, by instructions of so many lanes, widest first."""
        lanes = widths[0]
        vectors = max(min(self.most, terms // (lanes * _TERMS)), 1)
        chunk = vectors * lanes * _TERMS
        zero = Broadcast(IntImm("int32", 0), lanes)
        parts = [
            self._store(self._slice(buffer, each * lanes, lanes), zero)
            for buffer in self.sums
            for each in range(vectors)
        ]
        step = Var(self.loop.loop_var.name, self.index)
        steps = [
            stmt
            for each in range(vectors)
            for stmt in self._add(
                index_add(Mul(step, self._integer(chunk)), self._integer(each * lanes * _TERMS)), each * lanes, lanes
            )
        ]
        body = flatten_seq(tuple(steps), self.loop)
        parts.append(self.loop.replace(loop_var=step, extent=self._integer(terms // chunk), body=body, annotations={}))
        done = terms - terms % chunk
        for each in range(1, vectors):
            parts += self._fold(lanes, each * lanes)
        while terms - done >= lanes * _TERMS:
            parts += self._add(self._integer(done), 0, lanes)
            done += lanes * _TERMS
        while lanes > 1:
            lanes //= 2
            parts += self._fold(lanes, lanes)
            if lanes in widths and terms - done >= lanes * _TERMS:
                parts += self._add(self._integer(done), 0, lanes)
                done += lanes * _TERMS
        total: Expr = self._slice(self.words, 0, 1)
        if self.is_signed:
            total = Sub(total, self._slice(self.excess, 0, 1))
        parts.append(self.store.replace(value=Add(BufferLoad(self.store.buffer, self.store.indices), total)))
        if done < terms:
            var = Var(self.loop.loop_var.name, self.index)
            rest = substitute(self.loop.body, {self.loop.loop_var: index_add(var, self._integer(done))})
            parts.append(self.loop.replace(loop_var=var, extent=self._integer(terms - done), body=rest))
        stmt = flatten_seq(tuple(parts), self.loop)
        for buffer in self.sums:
            stmt = Allocate(buffer.data, INT32, buffer.shape, TRUE, stmt, span=self.loop.span)
        return stmt
