"""Code for reductions over threads: warp shuffles, or a tree reduction in shared memory.

The threads that reduce together form a group: `index` is the number of a thread in its group, `group_index` the number
of the group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, is_const, make, mul
from tvmscript.ir.core import INT32, DType, Target
from tvmscript.ir.tir import Buffer, CommReducer, Expr, Stmt, Var, make_buffer, match_types, substitute
from tvmscript.ir.tir.expr import EQ, LT, BufferLoad, FloorDiv, FloorMod, IntImm
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.ir.tir.intrin.sync import tvm_warp_activemask, tvm_warp_shuffle, tvm_warp_shuffle_down
from tvmscript.ir.tir.stmt import BufferStore, IfThenElse, LetStmt, seq
from tvmscript.ir.transform.threads.common.barriers import barrier

UINT32: Final = DType("uint32")
ZERO: Final = IntImm(INT32, 0)


def constant(value: int, dtype: DType = INT32) -> IntImm:
    """Return an integer constant."""
    return IntImm(dtype, value)


@dataclass
class Group:
    """A group of threads of a block that reduce together."""

    index: Expr
    extent: int
    group_index: Expr
    group_extent: int
    #: number of contiguous reducing threads
    contiguous: int
    #: whether values of the same thread of all groups are neighbours in memory
    has_groups_last: bool = False

    def fits_warps(self, dtypes: Sequence[DType], target: Target) -> bool:
        """Return whether shuffles can reduce the group: in one warp, or in several and then over their results."""
        if target.kind not in ("cuda", "rocm", "metal") or self.contiguous != self.extent or self.extent == 1:
            return False
        if any(dtype.lanes * dtype.bits != 32 for dtype in dtypes) and target.kind == "rocm":
            return False
        if any(dtype.bits == 8 for dtype in dtypes) or any(dtype.lanes != 1 for dtype in dtypes):
            return False
        warp = warp_size(target)
        if target.kind == "rocm":
            return self.extent == warp
        threads = int(target.options.get("max_num_threads", -1))
        if warp % self.extent == 0 or (0 <= threads <= warp * warp and self.extent % warp == 0):
            return True
        return self.group_extent == 1 and self.extent <= warp

    def memory_index(self, index: Expr) -> Expr:
        """Return the index of the value of a thread of this group in memory for all groups."""
        if is_const(self.group_index, 0):
            return index
        if self.has_groups_last:
            return Analyzer().simplify(plus(times(index, self.group_extent), self.group_index))
        return Analyzer().simplify(plus(times(self.group_index, self.extent), index))


def warp_size(target: Target) -> int:
    """Return the warp size of the target."""
    return int(target.options.get("thread_warp_size", 1))


@dataclass
class Allreduce:
    """Builder of the statements of one reduction."""

    combiner: CommReducer
    values: list[Expr]
    dtypes: list[DType]
    group: Group
    target: Target
    #: whether a step of several values reads all of them before a barrier, and writes them behind it: a barrier between
    #: a read and a write under the condition of the step would be divergent
    splits_steps: bool = False
    statements: list[Stmt] = field(default_factory=list[Stmt])
    #: buffers that the statements use, innermost first
    buffers: list[Buffer] = field(default_factory=list[Buffer])

    def combine(self, left: Sequence[Expr], right: Sequence[Expr]) -> list[Expr]:
        """Return the combined values of both operands."""
        names = (*self.combiner.lhs, *self.combiner.rhs)
        bindings = dict(zip(names, (*left, *right), strict=True))
        return [substitute(result, bindings) for result in self.combiner.result]

    def memory(self, names: str, elements: int, scope: str, index: DType = INT32) -> list[Buffer]:
        """Return a buffer for each value; `{}` in `names` is the number of the value."""
        return [
            make_buffer((constant(elements, index),), dtype, names.format(number), scope=scope)
            for number, dtype in enumerate(self.dtypes)
        ]

    # inside of warps

    def in_warp(self, index: Expr, extent: int, condition: Expr | None = None) -> tuple[list[Buffer], list[Buffer]]:
        """Reduce over the first `extent` lanes that satisfy the condition.

        Return the buffers with the results of the first lane, and the temporary buffers (the last one is the mask, if
        the target has masks).
        """
        results, received = self.memory("red_buf{}", 1, "local"), self.memory("t{}", 1, "local")
        first = [store(buffer, value) for buffer, value in zip(results, self.values, strict=True)]
        self.statements.append(seq(*first) if condition is None else IfThenElse(condition, seq(*first)))
        needed = list(received)
        mask: Expr = ZERO
        if self.target.kind != "metal":
            masks = make_buffer((constant(1),), UINT32, "mask", scope="local")
            self.statements.append(store(masks, tvm_warp_activemask()))
            needed.append(masks)
            mask = load(masks)
        offset = 1
        while offset * 2 < extent:
            offset *= 2
        while offset > 0:
            # a shuffle is a statement of its own: all lanes must execute it
            for result, other in zip(results, received, strict=True):
                self.statements.append(
                    store(other, self.shuffle(tvm_warp_shuffle_down, mask, load(result), constant(offset)))
                )
            combined = self.combine([load(result) for result in results], [load(other) for other in received])
            stores = self.store_all(results, combined, ZERO)
            if offset * 2 > extent:
                # lanes outside of the extent have undefined values
                inside = less(plus(index, offset), extent)
                stores = IfThenElse(inside, stores)
            self.statements.append(stores)
            offset //= 2
        return results, needed

    def store_all(self, buffers: Sequence[Buffer], values: Sequence[Expr], place: Expr) -> Stmt:
        """Store values; several values are all computed before the first store."""
        if len(values) == 1:
            return store(buffers[0], values[0], place)
        kept = [Var(f"v_{number}", value.dtype) for number, value in enumerate(values)]
        body = seq(*[store(buffer, var, place) for buffer, var in zip(buffers, kept, strict=True)])
        for var, value in zip(reversed(kept), reversed(values), strict=True):
            body = LetStmt(var, value, body)
        return body

    def shuffle(self, operator: Intrinsic, mask: Expr, value: Expr, lane: Expr) -> Expr:
        """Return the value of another lane."""
        width = constant(warp_size(self.target))
        return operator(mask, value, lane, width, width)

    def in_one_warp(self) -> list[Expr]:
        """Reduce within warps and broadcast the results to every lane. Return loads of the results."""
        group = self.group
        results, needed = self.in_warp(group.index, group.extent)
        # Metal has no masks and ignores this argument
        mask = load(needed[-1])
        zero = constant(0, group.index.dtype)
        for result in results:
            lane = times(group.extent, group.group_index)
            value = self.shuffle(tvm_warp_shuffle, mask, load(result, zero), lane)
            self.statements.append(store(result, value, zero))
        self.buffers += needed
        return [load(result) for result in results]

    def in_several_warps(self) -> list[Expr]:
        """Reduce within warps, then over the results within the first warp. Return loads from shared memory."""
        group, warp = self.group, warp_size(self.target)
        count = group.extent // warp
        staging = self.memory("red_buf_staging", count * group.group_extent, "shared", group.index.dtype)
        self.buffers += staging
        results, needed = self.in_warp(group.index, warp)
        self.buffers += needed + results
        first = times(group.group_index, count)
        place = plus(first, make(FloorDiv, *match_types(group.index, warp)))
        stores = [store(buffer, load(result), place) for buffer, result in zip(staging, results, strict=True)]
        self.statements.append(IfThenElse(is_zero(make(FloorMod, *match_types(group.index, warp))), seq(*stores)))
        self.statements.append(barrier("shared"))
        self.values = [load(buffer, plus(first, group.index)) for buffer in staging]
        results, needed = self.in_warp(group.index, count, less(group.index, count))
        self.buffers += needed + results
        shared = self.memory("red_result", group.group_extent, "shared")
        stores = [
            store(buffer, load(result), group.group_index) for buffer, result in zip(shared, results, strict=True)
        ]
        self.statements.append(IfThenElse(is_zero(group.index), seq(*stores)))
        self.statements.append(barrier("shared"))
        return [load(buffer, group.group_index) for buffer in shared]

    # through shared memory

    def in_shared_memory(self) -> list[Expr]:
        """Reduce by a tree in shared memory of all groups; the first element of a group has the result."""
        group = self.group
        shared = self.memory("red_buf{}", group.extent * group.group_extent, "shared", group.group_index.dtype)
        # other threads may still read the results of an earlier reduction
        self.statements.append(barrier("shared"))
        own = group.memory_index(group.index)
        self.statements += [store(buffer, value, own) for buffer, value in zip(shared, self.values, strict=True)]
        self.statements.append(barrier("shared"))
        self.halve(shared, own)
        return [load(buffer, group.memory_index(constant(0, group.index.dtype))) for buffer in shared]

    def halve(self, shared: list[Buffer], own: Expr) -> None:
        """Add the steps of the tree; steps within a warp have no block barriers."""
        group, warp = self.group, warp_size(self.target)
        size = 1
        while size < group.extent:
            size *= 2
        if size > group.extent:
            size //= 2
            self.step(shared, own, size, group.extent - size)
        fills_warps = group.group_extent == 1 or group.contiguous % warp == 0
        while size > 1 and (size > group.contiguous or size > warp or not fills_warps):
            size //= 2
            self.step(shared, own, size, size)
        if size <= 1:
            return
        steps: list[Stmt] = []
        active = less(group.index, size // 2)
        while size > 1:
            size //= 2
            steps.append(self.step_in_warp(shared, own, size))
        self.statements += [IfThenElse(active, seq(*steps)), barrier("shared")]

    def step(self, shared: list[Buffer], own: Expr, offset: int, threads: int) -> None:
        """Combine the value at distance `offset` into each of the first `threads`."""
        active, combined = less(self.group.index, threads), self.combine_at(shared, own, offset)
        if self.splits_steps and len(shared) > 1:
            kept = self.memory("kept{}", 1, "local")
            self.buffers += kept
            reads = [store(buffer, value) for buffer, value in zip(kept, combined, strict=True)]
            self.statements += [IfThenElse(active, seq(*reads)), barrier("shared")]
            combined = [load(buffer) for buffer in kept]
        self.statements.append(IfThenElse(active, self.store_all(shared, combined, own)))
        self.statements.append(barrier("shared"))

    def step_in_warp(self, shared: list[Buffer], own: Expr, offset: int) -> Stmt:
        """Return a step for all lanes, with warp barriers between reads and writes."""
        combined = self.combine_at(shared, own, offset)
        kept = [Var(f"w_{offset}_{number}", value.dtype) for number, value in enumerate(combined)]
        stores = [store(buffer, var, own) for buffer, var in zip(shared, kept, strict=True)]
        body = seq(barrier("warp"), *stores, barrier("warp"))
        for var, value in zip(kept, combined, strict=True):
            body = LetStmt(var, value, body)
        return body

    def combine_at(self, shared: list[Buffer], own: Expr, offset: int) -> list[Expr]:
        other = self.group.memory_index(plus(self.group.index, offset))
        return self.combine([load(buffer, own) for buffer in shared], [load(buffer, other) for buffer in shared])


def plus(a: Expr, b: Expr | int) -> Expr:
    """Return a + b in one dtype."""
    return add(*match_types(a, b))


def times(a: Expr | int, b: Expr | int) -> Expr:
    """Return a * b in one dtype."""
    return mul(*match_types(a, b))


def less(a: Expr, b: int) -> Expr:
    """Return a < b."""
    return LT(a, constant(b, a.dtype))


def is_zero(a: Expr) -> Expr:
    """Return a == 0."""
    return EQ(a, constant(0, a.dtype))


def load(buffer: Buffer, index: Expr = ZERO) -> Expr:
    """Return a load of a flat buffer."""
    return BufferLoad(buffer, (index,))


def store(buffer: Buffer, value: Expr, index: Expr = ZERO) -> Stmt:
    """Return a store to a flat buffer."""
    return BufferStore(buffer, value, (index,))
