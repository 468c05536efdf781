"""Reducing values over threads: inside of warps by shuffles, or through shared memory in halving steps.

The threads that reduce with one another are a group; `index` numbers them in it, `group_index` numbers the groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, is_const, make, mul
from tvmscript.ir.core.dtype import INT32, DType
from tvmscript.ir.core.target import Target
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import EQ, LT, BufferLoad, FloorDiv, FloorMod, IntImm
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.ir.tir.intrin.sync import (
    tvm_warp_activemask,
    tvm_warp_shuffle,
    tvm_warp_shuffle_down,
)
from tvmscript.ir.tir.operators import match_types
from tvmscript.ir.tir.stmt import BufferStore, IfThenElse, LetStmt, seq
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.te_nodes import CommReducer
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.threads.common.barriers import barrier

UINT32: Final = DType("uint32")
ZERO: Final = IntImm(INT32, 0)


def constant(value: int, dtype: DType = INT32) -> IntImm:
    """An integer of the program."""
    return IntImm(dtype, value)


@dataclass
class Group:
    """The threads of one block that reduce, numbered."""

    index: Expr
    extent: int
    group_index: Expr
    group_extent: int
    #: how many of the reducing threads follow each other
    contiguous: int

    def fits_warps(self, dtypes: Sequence[DType], target: Target) -> bool:
        """Whether shuffles reduce it: in one warp, or in several and then their results in one."""
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

    def place(self, index: Expr) -> Expr:
        """Where the value of a thread of this group is, in memory for all groups."""
        if is_const(self.group_index, 0):
            return index
        return Analyzer().simplify(plus(times(self.group_index, self.extent), index))


def warp_size(target: Target) -> int:
    """The threads of a warp of the target."""
    return int(target.options.get("thread_warp_size", 1))


@dataclass
class Allreduce:
    """The statements of one reduction, collected in order."""

    combiner: CommReducer
    values: list[Expr]
    dtypes: list[DType]
    group: Group
    target: Target
    statements: list[Stmt] = field(default_factory=list[Stmt])
    #: memory that the statements use, innermost first
    buffers: list[Buffer] = field(default_factory=list[Buffer])

    def combined(self, left: Sequence[Expr], right: Sequence[Expr]) -> list[Expr]:
        """The values of both, reduced."""
        names = (*self.combiner.lhs, *self.combiner.rhs)
        given = dict(zip(names, (*left, *right), strict=True))
        return [substitute(result, given) for result in self.combiner.result]

    def memory(self, names: str, elements: int, scope: str, index: DType = INT32) -> list[Buffer]:
        """A buffer for each value; `names` has their number as `{}`."""
        return [
            make_buffer((constant(elements, index),), dtype, names.format(number), scope=scope)
            for number, dtype in enumerate(self.dtypes)
        ]

    # inside of warps

    def in_warp(self, index: Expr, extent: int, condition: Expr | None = None) -> tuple[list[Buffer], list[Buffer]]:
        """Reduce over `extent` lanes, of which those take part that meet the condition.

        Returns the buffers in which the first lane has the results, and those that were needed meanwhile (the last one
        is the mask, where the target has masks).
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
            # a shuffle stands alone: within another expression, not every lane might get to it
            for result, other in zip(results, received, strict=True):
                self.statements.append(
                    store(other, self.shuffle(tvm_warp_shuffle_down, mask, load(result), constant(offset)))
                )
            made = self.combined([load(result) for result in results], [load(other) for other in received])
            stores = self.stored(results, made, ZERO)
            if offset * 2 > extent:
                # what lanes outside of the extent have is undefined
                inside = less(plus(index, offset), extent)
                stores = IfThenElse(inside, stores)
            self.statements.append(stores)
            offset //= 2
        return results, needed

    def stored(self, buffers: Sequence[Buffer], values: Sequence[Expr], place: Expr) -> Stmt:
        """The values where they belong: of several, each is computed before the first of them is stored."""
        if len(values) == 1:
            return store(buffers[0], values[0], place)
        kept = [Var(f"v_{number}", value.dtype) for number, value in enumerate(values)]
        body = seq(*[store(buffer, var, place) for buffer, var in zip(buffers, kept, strict=True)])
        for var, value in zip(reversed(kept), reversed(values), strict=True):
            body = LetStmt(var, value, body)
        return body

    def shuffle(self, operator: Intrinsic, mask: Expr, value: Expr, lane: Expr) -> Expr:
        """The value that another lane has."""
        width = constant(warp_size(self.target))
        return operator(mask, value, lane, width, width)

    def in_one_warp(self) -> list[Expr]:
        """Reduce within warps; every lane gets the result. Returns where the results are."""
        group = self.group
        results, needed = self.in_warp(group.index, group.extent)
        # Metal has no masks: nobody looks at what stands there
        mask = load(needed[-1])
        zero = constant(0, group.index.dtype)
        for result in results:
            lane = times(group.extent, group.group_index)
            value = self.shuffle(tvm_warp_shuffle, mask, load(result, zero), lane)
            self.statements.append(store(result, value, zero))
        self.buffers += needed
        return [load(result) for result in results]

    def in_several_warps(self) -> list[Expr]:
        """Reduce within warps, then over their results within the first one; results are in shared memory."""
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
        """Reduce in halving steps through memory of all groups; the first place of a group has the result."""
        group = self.group
        shared = self.memory("red_buf{}", group.extent * group.group_extent, "shared", group.group_index.dtype)
        # others may still read the results of an earlier reduction
        self.statements.append(barrier("shared"))
        own = group.place(group.index)
        self.statements += [store(buffer, value, own) for buffer, value in zip(shared, self.values, strict=True)]
        self.statements.append(barrier("shared"))
        self.halve(shared, own)
        return [load(buffer, group.place(constant(0, group.index.dtype))) for buffer in shared]

    def halve(self, shared: list[Buffer], own: Expr) -> None:
        """The steps, those within a warp without barriers of the block."""
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
        """The first `threads` take the value `offset` further on in."""
        stores = self.stored(shared, self.reduced(shared, own, offset), own)
        self.statements.append(IfThenElse(less(self.group.index, threads), stores))
        self.statements.append(barrier("shared"))

    def step_in_warp(self, shared: list[Buffer], own: Expr, offset: int) -> Stmt:
        """As `step`, for all lanes: between reading and writing they wait, for what one writes another one reads."""
        made = self.reduced(shared, own, offset)
        kept = [Var(f"w_{offset}_{number}", value.dtype) for number, value in enumerate(made)]
        stores = [store(buffer, var, own) for buffer, var in zip(shared, kept, strict=True)]
        body = seq(barrier("warp"), *stores, barrier("warp"))
        for var, value in zip(kept, made, strict=True):
            body = LetStmt(var, value, body)
        return body

    def reduced(self, shared: list[Buffer], own: Expr, offset: int) -> list[Expr]:
        other = self.group.place(plus(self.group.index, offset))
        return self.combined([load(buffer, own) for buffer in shared], [load(buffer, other) for buffer in shared])


def plus(a: Expr, b: Expr | int) -> Expr:
    """a + b in one dtype."""
    return add(*match_types(a, b))


def times(a: Expr | int, b: Expr | int) -> Expr:
    """a * b in one dtype."""
    return mul(*match_types(a, b))


def less(a: Expr, b: int) -> Expr:
    """a < b."""
    return LT(a, constant(b, a.dtype))


def is_zero(a: Expr) -> Expr:
    """a == 0."""
    return EQ(a, constant(0, a.dtype))


def load(buffer: Buffer, index: Expr = ZERO) -> Expr:
    """An element of a flat buffer."""
    return BufferLoad(buffer, (index,))


def store(buffer: Buffer, value: Expr, index: Expr = ZERO) -> Stmt:
    """Setting an element of a flat buffer."""
    return BufferStore(buffer, value, (index,))
