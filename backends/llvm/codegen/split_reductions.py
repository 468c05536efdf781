"""Split reductions of blocks into lanes: partial results in vectors, which are combined after the loop.

Lane l of w lanes combines the terms l, l + w, l + 2 * w, ... in this order, beginning with the identity element of the
operation. Then lane l is combined with lane l + w / 2 for all l below w / 2, the same with w / 4, and so on; the last
lane is combined with the element that the loop reduces into. Terms after the last multiple of w belong to lanes
0, 1, ... too where the machine masks loads; elsewhere they are combined with the element one by one, at the end.
Partial results of float16 and bfloat16 are float32. So results depend on the number of terms, the dtype and the
target, not on the run. The place of an extreme is the one that the loop finds in its order.

A loop with several sums into consecutive elements, or several results in buffers of their own, has lanes for each; they
are combined in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvmscript.backends.llvm.codegen.memory_rewriter import MemoryRewriter, reads_memory
from tvmscript.backends.llvm.codegen.reduction_patterns import (
    Accumulation,
    Selection,
    match_reduction,
    match_reductions,
)
from tvmscript.backends.llvm.codegen.vectorizable_loops import (
    HALVES,
    ROLLED,
    VectorizationCheck,
    loops_in,
)
from tvmscript.ir.arith.buffer_layout import index_add, index_mul
from tvmscript.ir.arith.fold import TRUE, is_const
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import FLOAT32, Span, on
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.tir import Buffer, Expr, IntImm, Stmt, Var, substitute
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import LT, Add, BufferLoad, FloorDiv, Ramp, Shuffle, Sub
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import Allocate, BufferStore, For, ForKind, IfThenElse, LetStmt, SeqStmt
from tvmscript.ir.transform.blocks.convert_blocks_to_opaque import REDUCTION
from tvmscript.ir.transform.loops.vectorize_loop.predication import vectorize_predicated

#: vectors of lanes of a loop with one load, with several loads, and with calls of mathematical functions:
#: operations of some cycles run at the same time
_VECTORS_OF_ONE, _VECTORS_OF_SEVERAL, _VECTORS_OF_CALLS = 8, 4, 2
#: sums of vectors that run at the same time, of loops with several sums
_CHAINS: Final = 8
#: most reductions of a function: their lanes share its stack
MOST_REDUCTIONS: Final = 64


class SplitReductions(MemoryRewriter):
    """Split the innermost loops over reduction axes whose terms are read from consecutive elements.

    rewrite, for 16 lanes:
        for k in range(1000):                     -->     S_lanes[0:16] = T.Broadcast(T.float32(-0.0), 16)
            S[0] = S[0] + A[k]                            for k in range(62):
                                                              S_lanes[0:16] = S_lanes[0:16] + A[k * 16:k * 16 + 16]
                                                          S_lanes[0:8] = S_lanes[0:8] + A[992:1000]
                                                          S_lanes[0:8] = S_lanes[0:8] + S_lanes[8:16]
                                                          ...
                                                          S[0] = S[0] + S_lanes[0]
    """

    def __init__(self, memory: dict[Var, bool], model: MachineModel) -> None:
        super().__init__(memory)
        self.model = model
        self.count = 0

    @on(For)
    def loop(self, node: For) -> Stmt:
        split = self.split(node) if REDUCTION in node.annotations and self.count < MOST_REDUCTIONS else None
        return self.descend(node) if split is None else split

    def split(self, loop: For) -> Stmt | None:
        """Return the loop in lanes, None if it is no reduction, or lanes are not the same or not faster."""
        if loop.kind is not ForKind.SERIAL or not is_const(loop.min, 0) or not loop.extent.dtype.is_signed:
            return None
        if isinstance(loop.body, SeqStmt):
            return self.split_sums(loop, loop.body.seq)
        reductions = match_reductions(loop)
        stores = [store for reduction in reductions for store in reduction.stores]
        if not reductions or not all(self.is_alone(store, loop.loop_var) for store in stores):
            return None
        has_places = any(isinstance(reduction, Selection) for reduction in reductions)
        check = VectorizationCheck(loop.loop_var, self.memory, takes_halves=True, takes_integers=has_places)
        if not all(check.is_elementwise(reduction.term) for reduction in reductions):
            return None
        written = {store.buffer.data for store in stores}
        if any(load.buffer.data in written for load in check.loads):
            return None
        if all(check.step(load) != 1 for load in check.loads):
            return None
        if any(reduction.condition is not None and reads_memory(reduction.condition) for reduction in reductions):
            return None
        is_one = all(expr_deep_equal(load, check.loads[0]) for load in check.loads)
        several = _VECTORS_OF_ONE if is_one else _VECTORS_OF_SEVERAL
        vectors = _VECTORS_OF_CALLS if check.is_heavy else min(several, reductions[0].most_vectors)
        element_bytes = max(check.element_bytes, FLOAT32.bits // 8)
        lanes = self.lanes(loop.extent, element_bytes, max(vectors >> (len(reductions) - 1).bit_length(), 1))
        if not lanes or (reductions[0].begins_with_terms and not isinstance(loop.extent, IntImm)):
            return None
        return self.in_lanes(loop, reductions, lanes, {ROLLED: TRUE} if check.is_heavy else {})

    def split_sums(self, loop: For, stmts: tuple[Stmt, ...]) -> Stmt | None:
        """Return the loop with lanes for each of several sums into consecutive elements, None for other loops."""
        sums = [match_reduction(loop.replace(body=stmt)) for stmt in stmts]
        check = VectorizationCheck(loop.loop_var, self.memory, takes_halves=True)
        buffers = set[Buffer]()
        for number, each in enumerate(sums):
            if not isinstance(each, Accumulation) or each.op is not Add or each.condition is not None:
                return None
            (store,) = each.stores
            buffers.add(store.buffer)
            if not is_const(store.indices[-1], number) or not self.is_alone(store, loop.loop_var):
                return None
            if store.buffer.dtype in HALVES:
                return None
            if not check.is_elementwise(each.term) or all(check.step(load) not in (0, 1) for load in check.loads):
                return None
        accumulations = [each for each in sums if isinstance(each, Accumulation)]
        if len(buffers) != 1 or any(load.buffer in buffers for load in check.loads):
            return None
        native = self.model.lanes(check.element_bytes)
        # as many chains of sums as keep a core busy
        lanes = self.lanes(loop.extent, check.element_bytes, max(_CHAINS >> (len(sums) - 1).bit_length(), 1))
        if native < 2 or not lanes:
            return None
        groups = [(each, _partial_results(each, loop.loop_var, lanes)) for each in accumulations]
        loops = self.loops_in_lanes(loop, groups, lanes, {})
        if loops is None:
            return None
        parts, behind = loops
        partial = [buffer for _, each in groups for buffer in each]
        while lanes > native:
            lanes //= 2
            for each, own in groups:
                low, high = ([_slice(buffer, start, lanes) for buffer in own] for start in (0, lanes))
                parts.append(each.combine(low, high, low))
        self.count += 1
        (total,) = buffers
        parts.append(add_lanes(total, [_slice(buffer, 0, lanes) for buffer in partial], loop.span))
        return _allocate(partial, flatten_seq((*parts, *behind), loop))

    def lanes(self, extent: Expr, element_bytes: int, vectors: int) -> int:
        """Return the number of lanes for so many terms, 0 where they are too few."""
        native = self.model.lanes(element_bytes)
        if native < 2:
            return 0
        if isinstance(extent, IntImm):
            while vectors > 1 and extent.value < 2 * vectors * native:
                vectors //= 2
            return vectors * native if extent.value >= native else 0
        return min(vectors, 4) * native

    def in_lanes(
        self, loop: For, reductions: Sequence[Accumulation | Selection], lanes: int, annotations: dict[str, Expr]
    ) -> Stmt | None:
        """Return the reductions in so many lanes, None where a part has no vector form."""
        groups = [(each, _partial_results(each, loop.loop_var, lanes)) for each in reductions]
        loops = self.loops_in_lanes(loop, groups, lanes, annotations)
        if loops is None:
            return None
        parts, behind = loops
        while lanes > 1:
            lanes //= 2
            for reduction, partial in groups:
                low, high = ([_slice(buffer, start, lanes) for buffer in partial] for start in (0, lanes))
                parts.append(reduction.combine(low, high, low))
        for reduction, partial in groups:
            total = [BufferLoad(store.buffer, store.indices) for store in reduction.stores]
            parts.append(reduction.finish(total, [_slice(buffer, 0, 1) for buffer in partial]))
        self.count += 1
        return _allocate([buffer for _, partial in groups for buffer in partial], flatten_seq((*parts, *behind), loop))

    def loops_in_lanes(
        self,
        loop: For,
        reductions: Sequence[tuple[Accumulation | Selection, Sequence[Buffer]]],
        lanes: int,
        annotations: dict[str, Expr],
    ) -> tuple[list[Stmt], list[Stmt]] | None:
        """Return what computes the partial results, and what goes on behind them; None without a vector form."""
        index, extent = loop.loop_var.dtype, loop.extent
        lane, step = Var(f"{loop.loop_var.name}_lane", index), Var(loop.loop_var.name, index)
        width = IntImm(index, lanes)
        steps = IntImm(index, extent.value // lanes) if isinstance(extent, IntImm) else FloorDiv(extent, width)
        done = index_mul(steps, width)

        def terms(start: Expr, is_first: bool = False) -> Stmt:
            place = {loop.loop_var: index_add(start, lane)}
            bodies: list[Stmt] = []
            for reduction, partial in reductions:
                own = [BufferLoad(buffer, (lane,)) for buffer in partial]
                body = substitute(reduction.begin(own) if is_first else reduction.step(own), place)
                if not is_first and reduction.condition is not None:
                    body = IfThenElse(substitute(reduction.condition, place), body)
                bodies.append(body)
            return flatten_seq(tuple(bodies), loop)

        first = self.vector(terms(IntImm(index, 0), is_first=True), lane, lanes)
        main = self.vector(terms(index_mul(step, width)), lane, lanes)
        has_condition = any(reduction.condition is not None for reduction, _ in reductions)
        if first is None or main is None or (has_condition and not self.model.has_masks):
            return None
        begin = IntImm(index, int(reductions[0][0].begins_with_terms))
        trips = IntImm(index, steps.value - begin.value) if isinstance(steps, IntImm) else steps
        parts: list[Stmt] = [
            first,
            loop.replace(loop_var=step, min=begin, extent=trips, body=main, annotations=annotations),
        ]
        if isinstance(extent, IntImm) and extent.value % lanes == 0:
            return parts, []
        last = IfThenElse(LT(index_add(done, lane), extent), terms(done))
        tail = self.vector(last, lane, lanes) if self.model.has_masks else None
        if tail is not None:
            return [*parts, tail], []
        rest = IntImm(index, extent.value % lanes) if isinstance(extent, IntImm) else Sub(extent, done)
        return parts, [loop.replace(min=done, extent=rest, annotations={})]

    @staticmethod
    def vector(body: Stmt, lane: Var, lanes: int) -> Stmt | None:
        """Return all lanes of a statement as vector code, None where a part has no vector form."""
        dtype = lane.dtype
        stmt = vectorize_predicated(For(lane, IntImm(dtype, 0), IntImm(dtype, lanes), ForKind.VECTORIZED, body), lanes)
        return None if loops_in(stmt) else stmt


def _partial_results(reduction: Accumulation | Selection, var: Var, lanes: int) -> list[Buffer]:
    return [
        make_buffer((IntImm(var.dtype, lanes),), dtype, f"{store.buffer.name}_lanes", scope="local")
        for store, dtype in zip(reduction.stores, reduction.dtypes, strict=True)
    ]


def _allocate(buffers: Sequence[Buffer], body: Stmt) -> Stmt:
    for buffer in buffers:
        body = Allocate(buffer.data, buffer.dtype, buffer.shape, TRUE, body, span=body.span)
    return body


def add_lanes(total: Buffer, vectors: list[Expr], span: Span | None) -> Stmt:
    """Return the statement that adds the lanes of each vector, halves first, to consecutive elements of a buffer.

    Halves of two vectors are added at once: the sum has partial results of both, then of four vectors, and so on.
    """
    lets: list[tuple[Var, Expr]] = []

    def let(value: Expr) -> Var:
        lets.append((Var("lanes", value.dtype), value))
        return lets[-1][0]

    def halves(a: Var, b: Var, width: int) -> Expr:
        """Return the sums of the halves of groups of so many lanes."""
        sources = (a,) if a is b else (a, b)
        starts = range(0, sum(each.dtype.lanes for each in sources), width)
        low = [start + lane for start in starts for lane in range(width // 2)]
        return Add(
            *(Shuffle(sources, tuple([IntImm("int32", lane + shift) for lane in low])) for shift in (0, width // 2))
        )

    count, stores = len(vectors), list[Stmt]()
    index = total.shape[-1].dtype
    native = vectors[0].dtype.lanes
    for start in range(0, count, native):
        parts, width = [let(vector) for vector in vectors[start : start + native]], native
        while width > 1:
            parts += parts[-1:] * (len(parts) % 2 if len(parts) > 1 else 0)
            pairs = list(zip(parts[::2], parts[1::2], strict=True)) if len(parts) > 1 else [(parts[0], parts[0])]
            parts = [let(halves(a, b, width)) for a, b in pairs]
            width //= 2
        (sums,) = parts
        wanted = min(native, count - start)
        if sums.dtype.lanes > wanted:
            sums = let(Shuffle((sums,), tuple([IntImm("int32", lane) for lane in range(wanted)])))
        first = IntImm(index, start)
        place = first if wanted == 1 else Ramp(first, IntImm(index, 1), wanted)
        stores.append(BufferStore(total, Add(BufferLoad(total, (place,)), sums), (place,), span=span))
    body = stores[0] if len(stores) == 1 else SeqStmt(tuple(stores))
    for var, value in reversed(lets):
        body = LetStmt(var, value, body, span=span)
    return body


def _slice(buffer: Buffer, start: int, lanes: int) -> BufferLoad:
    first = IntImm(buffer.shape[0].dtype, start)
    return BufferLoad(buffer, (first if lanes == 1 else Ramp(first, IntImm(first.dtype, 1), lanes),))
