"""Reductions over threads are shuffles within warps, or steps through shared memory with barriers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core.dtype import BOOL, INT32
from tvmscript.ir.core.target import Target
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, Call, Cast, IntImm, IterVar, Select
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.sync import tvm_thread_allreduce
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, DeclBuffer, Evaluate, seq
from tvmscript.ir.tir.te_nodes import CommReducer
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import InvalidAllreduce
from tvmscript.ir.transform.function_attributes import target_of
from tvmscript.ir.transform.threads.lower_thread_allreduce.allreduce import ZERO, Allreduce, Group, plus, times


class _Thread(NamedTuple):
    """A thread axis of the block."""

    dimension: int
    extent: int
    var: Var
    is_reduced: bool


@dataclass(frozen=True)
class LowerThreadAllreduce(PrimFuncPass):
    """Replaces `tvm_thread_allreduce` by code for the function's target; results are read from where it leaves them.

    On cuda, metal and rocm, threads that follow each other reduce with shuffles: one warp or part of it, or as many as
    the target's block has, whose results one more warp reduces. All else goes through shared memory, which becomes
    volatile. Raises `NoTarget`, `InvalidAllreduce`.

        T.tvm_thread_allreduce(T.uint32(1), A[tx],        ->    red_buf0[0] = A[tx]
            T.bool(True), r[0], tx)                             t0[0] = T.tvm_warp_shuffle_down(...)
                                                                red_buf0[0] = red_buf0[0] + t0[0]
    """

    name: ClassVar[str] = "tir.LowerThreadAllreduce"
    is_exact: ClassVar[bool] = False
    looks_for_in_values: ClassVar[frozenset[Hashable] | None] = frozenset({"tir.tvm_thread_allreduce"})

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Builder(target_of(func, self.name)).rewrite(func.body))


class _Builder(TirRewriter):
    def __init__(self, target: Target) -> None:
        super().__init__()
        self.target = target
        self.launches: list[AttrStmt] = []
        self.combiners: list[CommReducer] = []
        #: data of the buffer that a reduction wrote -> what it reads as now
        self.results: dict[Var, BufferLoad] = {}
        #: the same -> the memory of all reductions that wrote it
        self.memory: dict[Var, list[Buffer]] = {}

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key == "thread_extent":
            return self.inside(self.launches, node, node)
        if node.attr_key == "reduce_scope" and isinstance(node.node, CommReducer):
            return self.inside(self.combiners, node.node, node)
        return self.descend(node)

    def inside(self, stack: list[Any], item: Any, node: AttrStmt) -> Stmt:
        stack.append(item)
        body = self.rewrite(node.body)
        stack.pop()
        return node if body is node.body else node.replace(body=body)

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        """Memory of a result is that of the reduction that made it."""
        body: Stmt = self.rewrite(node.body)
        memory = self.memory.get(node.buffer_var)
        if memory is None:
            return node if body is node.body else node.replace(body=body)
        for made in memory:
            if made.storage_scope == "shared":
                body = AttrStmt(made.data, "volatile_scope", IntImm(INT32, 1), body)
            body = Allocate(made.data, made.dtype, made.shape, IntImm(BOOL, 1), body, node.annotations, span=node.span)
        return body

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> Stmt:
        body = self.rewrite(node.body)
        buffer = self.rewrite(node.buffer)
        return node if buffer is node.buffer and body is node.body else DeclBuffer(buffer, body, span=node.span)

    @on(Buffer)
    def name_of_buffer(self, node: Buffer) -> Any:
        result = self.results.get(node.data)
        if result is not None and node not in self.renamed:
            self.renamed[node] = node.replace(data=result.buffer.data)
        return self.renamed.get(node, node)

    @on(BufferLoad)
    def element(self, node: BufferLoad) -> Expr:
        result = self.results.get(node.buffer.data)
        return self.load(node) if result is None else result

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        made = self.descend(node)
        if isinstance(node.value, Call) and isinstance(made.value, Call) and made.value.op is tvm_thread_allreduce:
            return self.reduction(made.value, node.value)
        return made

    def reduction(self, call: Call, written: Call) -> Stmt:
        """The statements for a reduction; its result buffers are replaced from here on."""
        if not self.combiners:
            raise InvalidAllreduce(reason="no reduce_scope is around it", span=call.span)
        combiner = self.combiners[-1]
        size = len(combiner.result)
        count, condition = call.args[0], call.args[1 + size]
        values: list[Expr] = list(call.args[1 : 1 + size])
        if not is_const(count, size):
            raise InvalidAllreduce(reason=f"its reducer has {size} results, it reduces {count}", span=call.span)
        if not is_const(condition, 1):
            initial = combiner.identity_element
            values = [Select(condition, value, first) for value, first in zip(values, initial, strict=True)]
        # an earlier reduction may have written the same
        buffers = [_written(arg, call) for arg in written.args[2 + size : 2 + 2 * size]]
        group = self.group(call, call.args[2 + 2 * size :])
        made = Allreduce(combiner, values, [value.dtype for value in values], group, self.target)
        if group.fits_warps(made.dtypes, self.target):
            is_one = group.extent <= int(self.target.options.get("thread_warp_size", 1))
            results = made.in_one_warp() if is_one else made.in_several_warps()
        elif group.extent == 1:
            stores = zip(buffers, values, strict=True)
            return seq(*[BufferStore(buffer, value, (ZERO,)) for buffer, value in stores])
        else:
            results = made.in_shared_memory()
        for buffer, result in zip(buffers, results, strict=True):
            assert isinstance(result, BufferLoad)
            self.results[buffer.data] = result
            self.memory.setdefault(buffer.data, []).append(result.buffer)
            self.renamed[buffer] = result.buffer
        body = seq(*made.statements)
        for buffer in made.buffers:
            body = Allocate(buffer.data, buffer.dtype, buffer.shape, IntImm(BOOL, 1), DeclBuffer(buffer, body))
        return body

    def group(self, call: Call, given: tuple[Expr, ...]) -> Group:
        """The threads that reduce, of those launched around the call."""
        reduced = {var for var in given if isinstance(var, Var)}
        if any(not isinstance(item, Var) and not is_const(item, 0) for item in given):
            raise InvalidAllreduce(reason="it reduces over something that is no thread", span=call.span)
        threads: dict[tuple[bool, int], _Thread] = {}
        for launch in self.launches:
            axis: IterVar = launch.node
            kind, _, letter = axis.thread_tag.partition(".")
            if kind == "blockIdx":
                continue
            if kind != "threadIdx":
                raise InvalidAllreduce(reason=f"it is inside of {axis.thread_tag}", span=call.span)
            if not isinstance(launch.value, IntImm):
                raise InvalidAllreduce(reason=f"the extent of {axis.thread_tag} is not constant", span=call.span)
            thread = _Thread("xyz".index(letter), launch.value.value, axis.var, axis.var in reduced)
            if thread.extent != 1:
                threads.setdefault((thread.is_reduced, thread.dimension), thread)
        ordered = sorted(threads.values(), key=lambda thread: thread.dimension)
        if sum(thread.is_reduced for thread in ordered) != len(reduced):
            raise InvalidAllreduce(reason="a thread that it reduces over is not launched", span=call.span)
        contiguous = 1
        for thread in ordered:
            if not thread.is_reduced:
                break
            contiguous *= thread.extent
        index, extent = _flat([thread for thread in ordered if thread.is_reduced])
        group_index, group_extent = _flat([thread for thread in ordered if not thread.is_reduced])
        return Group(index, extent, group_index, group_extent, contiguous)


def _flat(threads: list[_Thread]) -> tuple[Expr, int]:
    """The number of a thread among those of these axes, and how many there are."""
    number: Expr | None = None
    count = 1
    for thread in threads:
        number = thread.var if number is None else plus(number, times(thread.var, count))
        count *= thread.extent
    return (ZERO if number is None else number), count


def _written(arg: Expr, call: Call) -> Buffer:
    """The buffer that a result goes to; buffers of bools may be read through a conversion."""
    inner = arg.value if isinstance(arg, Cast) else arg
    if not isinstance(inner, BufferLoad):
        raise InvalidAllreduce(reason="a result is no element of a buffer", span=call.span)
    return inner.buffer
