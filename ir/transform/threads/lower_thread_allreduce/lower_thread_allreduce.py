"""Lower reductions over threads to warp shuffles or shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import BOOL, INT32, Target, on
from tvmscript.ir.tir import Buffer, CommReducer, Expr, PrimFunc, Stmt, TirRewriter, Var
from tvmscript.ir.tir.expr import BufferLoad, Call, Cast, IntImm, IterVar, Select
from tvmscript.ir.tir.intrin.sync import allreduce_arguments, tvm_thread_allreduce
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, DeclBuffer, Evaluate, is_block_axis, seq
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import InvalidAllreduce
from tvmscript.ir.transform.function_attributes import target_of
from tvmscript.ir.transform.threads.lower_thread_allreduce.allreduce import ZERO, Allreduce, Group, plus, times
from tvmscript.ir.transform.threads.lower_thread_allreduce.clusters import Cluster, reduce_over_cluster


class _Thread(NamedTuple):
    """A thread axis of the block."""

    dimension: int
    extent: int
    var: Var
    is_reduced: bool


@dataclass(frozen=True)
class LowerThreadAllreduce(PrimFuncPass):
    """Replace `tvm_thread_allreduce` by code for the target of the function, and read the results from its buffers.

    For cuda, metal and rocm, contiguous threads are reduced by shuffles: within a warp, or within several warps and
    then over their results. Other reductions use shared memory, which is marked volatile. Blocks of a cluster give each
    other their results by distributed shared memory.

    avoids_conflicts: values of neighbouring threads are neighbours there where these are in different groups, unlike in
    TVM: they are in different banks. Steps of reductions of several values read before a barrier and write behind it.

    Raises `NoTarget`, `InvalidAllreduce`.

    rewrite:
        T.tvm_thread_allreduce(T.uint32(1), A[tx],        -->   red_buf0[0] = A[tx]
            T.bool(True), r[0], tx)                             t0[0] = T.tvm_warp_shuffle_down(...)
                                                                red_buf0[0] = red_buf0[0] + t0[0]
    """

    name = "tir.LowerThreadAllreduce"
    is_idempotent = True
    is_exact = False
    looks_for_in_values = frozenset({"tir.tvm_thread_allreduce"})

    avoids_conflicts: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        lowering = _AllreduceLowering(target_of(func, self.name), self.avoids_conflicts)
        return func.with_body(lowering.rewrite(func.body))


class _AllreduceLowering(TirRewriter):
    def __init__(self, target: Target, avoids_conflicts: bool) -> None:
        super().__init__()
        self.target = target
        self.avoids_conflicts = avoids_conflicts
        self.launches: list[AttrStmt] = []
        self.combiners: list[CommReducer] = []
        #: data of a result buffer -> load of the result
        self.results: dict[Var, BufferLoad] = {}
        #: data of a result buffer -> buffers of all reductions that wrote it
        self.memory: dict[Var, list[Buffer]] = {}

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key == "thread_extent":
            return self.rewrite_in_scope(self.launches, node, node)
        if node.attr_key == "reduce_scope" and isinstance(node.node, CommReducer):
            return self.rewrite_in_scope(self.combiners, node.node, node)
        return self.descend(node)

    def rewrite_in_scope(self, stack: list[Any], scope: object, node: AttrStmt) -> Stmt:
        stack.append(scope)
        body = self.rewrite(node.body)
        stack.pop()
        return node.rebuild(body=body)

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        """Replace the allocation of a result by the buffers of its reductions; keep one of several results."""
        body: Stmt = self.rewrite(node.body)
        if node.buffer_var not in self.results:
            body = node.rebuild(body=body)
        for buffer in self.memory.get(node.buffer_var, ()):
            if buffer.storage_scope == "shared":
                body = AttrStmt(buffer.data, "volatile_scope", IntImm(INT32, 1), body)
            body = Allocate(
                buffer.data, buffer.dtype, buffer.shape, IntImm(BOOL, 1), body, node.annotations, span=node.span
            )
        return body

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> Stmt:
        return node.rebuild(body=self.rewrite(node.body), buffer=self.rewrite(node.buffer))

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
        new_stmt = self.descend(node)
        if (
            isinstance(node.value, Call)
            and isinstance(new_stmt.value, Call)
            and new_stmt.value.op is tvm_thread_allreduce
        ):
            return self.lower_reduction(new_stmt.value, node.value)
        return new_stmt

    def lower_reduction(self, call: Call, original: Call) -> Stmt:
        """Return the statements of a reduction, and replace its result buffers from here on."""
        if not self.combiners:
            raise InvalidAllreduce(reason="no reduce_scope is around it", span=call.span)
        combiner = self.combiners[-1]
        size = len(combiner.result)
        if not is_const(call.args[0], size):
            reason = f"its reducer has {size} results, but it reduces {call.args[0]} values"
            raise InvalidAllreduce(reason=reason, span=call.span)
        arguments, given = allreduce_arguments(call, size), allreduce_arguments(original, size)
        if arguments is None or given is None:
            raise InvalidAllreduce(reason=f"{size} values, a condition and {size} results are needed", span=call.span)
        condition, axes = arguments.condition, arguments.threads
        values: list[Expr] = list(arguments.values)
        if not is_const(condition, 1):
            initial = combiner.identity_element
            values = [Select(condition, value, first) for value, first in zip(values, initial, strict=True)]
        # an earlier reduction may have written the same buffer
        elements = [_result_element(result, call) for result in given.results]
        cluster = self.cluster(call, axes)
        group = self.group(call, [axis for axis in axes if cluster is None or axis is not cluster.rank])
        dtypes = [value.dtype for value in values]
        allreduce = Allreduce(combiner, values, dtypes, group, self.target, self.avoids_conflicts)
        if group.fits_warps(allreduce.dtypes, self.target):
            is_one = group.extent <= int(self.target.options.get("thread_warp_size", 1))
            results = allreduce.in_one_warp() if is_one else allreduce.in_several_warps()
        elif group.extent == 1 and cluster is None:
            return seq(*map(_store, elements, values))
        else:
            results = allreduce.in_shared_memory()
        if cluster is not None:
            results = reduce_over_cluster(allreduce, results, cluster)
        stores: list[Stmt] = []
        for element, result in zip(elements, results, strict=True):
            assert isinstance(result, BufferLoad)
            buffer = element.buffer
            self.memory.setdefault(buffer.data, []).append(result.buffer)
            if all(is_const(extent, 1) for extent in buffer.shape):
                self.results[buffer.data] = result
                self.renamed[buffer] = result.buffer
            else:  # virtual threads have a result each
                stores.append(_store(element, result))
        body = seq(*allreduce.statements, *stores)
        for buffer in allreduce.buffers:
            body = Allocate(buffer.data, buffer.dtype, buffer.shape, IntImm(BOOL, 1), DeclBuffer(buffer, body))
        return body

    def cluster(self, call: Call, axes: Sequence[Expr]) -> Cluster | None:
        """Return the blocks of a cluster that reduce together, None where blocks are alone."""
        launched = [each for each in self.launches if each.node.thread_tag.startswith("clusterCtaIdx")]
        reduced = [each for each in launched if each.node.var in axes]
        if not reduced:
            return None
        (launch,) = launched if len(launched) == 1 else (None,)
        if launch is None or not isinstance(launch.value, IntImm):
            raise InvalidAllreduce(reason="clusters that reduce have one axis of constant extent", span=call.span)
        return Cluster(launch.node.var, launch.value.value)

    def group(self, call: Call, axes: Sequence[Expr]) -> Group:
        """Return the group of reducing threads among the enclosing launches."""
        reduced = {var for var in axes if isinstance(var, Var)}
        if any(not isinstance(arg, Var) and not is_const(arg, 0) for arg in axes):
            raise InvalidAllreduce(reason="an axis is not a thread variable", span=call.span)
        threads: dict[tuple[bool, int], _Thread] = {}
        for launch in self.launches:
            axis: IterVar = launch.node
            kind, _, letter = axis.thread_tag.partition(".")
            if is_block_axis(kind):
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
            raise InvalidAllreduce(reason="it reduces over a thread that is not launched", span=call.span)
        contiguous = 1
        for thread in ordered:
            if not thread.is_reduced:
                break
            contiguous *= thread.extent
        index, extent = _linear_index([thread for thread in ordered if thread.is_reduced])
        group_index, group_extent = _linear_index([thread for thread in ordered if not thread.is_reduced])
        has_groups_last = self.avoids_conflicts and contiguous == 1
        return Group(index, extent, group_index, group_extent, contiguous, has_groups_last)


def _linear_index(threads: list[_Thread]) -> tuple[Expr, int]:
    """Return the linear index of a thread over these axes, and the number of threads."""
    number: Expr | None = None
    count = 1
    for thread in threads:
        number = thread.var if number is None else plus(number, times(thread.var, count))
        count *= thread.extent
    return (ZERO if number is None else number), count


def _result_element(arg: Expr, call: Call) -> BufferLoad:
    """Return the element of a result; bool buffers may be read through a cast."""
    inner = arg.value if isinstance(arg, Cast) else arg
    if not isinstance(inner, BufferLoad):
        raise InvalidAllreduce(reason="a result is not an element of a buffer", span=call.span)
    return inner


def _store(element: BufferLoad, value: Expr) -> Stmt:
    return BufferStore(element.buffer, value, element.indices)
