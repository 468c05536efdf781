"""What a launch of a kernel does: arithmetic operations, and bytes of global memory that it loads and stores."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final, NamedTuple

from tvmscript.backends.cuda.kernel import constant_extents
from tvmscript.backends.cuda.resources import KernelReport
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import DType, IRModule, Visitor, nodes, on
from tvmscript.ir.tir import (
    AttrStmt,
    BufferLoad,
    BufferStore,
    Evaluate,
    Expr,
    For,
    IfThenElse,
    IntImm,
    LetStmt,
    PrimFunc,
    Range,
    StringImm,
    Var,
    substitute,
    uses,
)
from tvmscript.ir.tir.expr import BinaryOp, Call, CompareOp, IterVar, LogicalOp
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS
from tvmscript.ir.tir.intrin.memory import address_of

#: instruction -> threads that execute it together
_PRODUCTS: Final = {"tir.ptx_mma": 32, "tir.ptx.mma": 32, "tir.ptx.wgmma": 128}
_SHAPE: Final = re.compile(r"m(\d+)n(\d+)k(\d+)")
#: products of fragments, whose calls do not say how large they are
_UNKNOWN: Final = frozenset({"tir.tvm_mma_sync", "tir.tvm_bmma_sync"})
#: blocks and threads of which the extent of a loop is the mean, at most
_MOST_PLACES: Final = 1024
_SMALL_COPY: Final = "tir.ptx_cp_async"
_COPY: Final = "tir.ptx.cp"
_ENCODE: Final = INSTRUCTIONS["tensormap_encode_tiled"]


class KernelWork(NamedTuple):
    """What a launch does; caches are not known: an element counts each time."""

    flops: int
    global_bytes: int


class _UnknownWork(Exception):
    """Signal that the size of a launch is no constant, or that an instruction does not say what it does."""


def add_launch(report: KernelReport, mod: IRModule, kernel: PrimFunc) -> KernelReport:
    """Return a report with what is known of the launches of a kernel of a lowered module."""
    threads, dynamic = constant_extents(kernel)
    work = work_of_launch(mod, kernel)
    flops, global_bytes = (None, None) if work is None else work
    return replace(report, threads=threads, dynamic_shared_bytes=dynamic, flops=flops, global_bytes=global_bytes)


def work_of_launch(mod: IRModule, kernel: PrimFunc) -> KernelWork | None:
    """Return what a launch of a kernel of a lowered module does, None where that is not known.

    Operations are those of stored values and of tensor cores. Loops count by their largest extents, or by the mean of
    those of few blocks, threads and iterations of loops around. Conditions on indices of threads count by the threads
    for which they hold, others as true.
    """
    counter = _Counter(_box_bytes(mod, kernel))
    try:
        counter.visit(kernel.body)
    except _UnknownWork:
        return None
    return KernelWork(round(counter.flops), round(counter.global_bytes))


def _box_bytes(mod: IRModule, kernel: PrimFunc) -> dict[Var, int]:
    """Return the bytes that a bulk copy by each tensor map of a kernel copies."""
    symbol = kernel.attrs.get("global_symbol")
    calls = [node for func in mod.values() for node in nodes(func) if isinstance(node, Call)]
    of_host = {call.args[0]: _bytes_of_box(call) for call in calls if call.op is _ENCODE}
    return {
        param: of_host[arg]
        for call in calls
        if call.args and isinstance(call.args[0], StringImm) and call.args[0].value == symbol
        for param, arg in zip(kernel.params, call.args[1:], strict=False)
        if arg in of_host
    }


def _bytes_of_box(encode: Call) -> int:
    """Return the bytes of a box: a map and an array, sizes, strides but one, the box, steps, a dtype and the rank."""
    place = next(place for place, arg in enumerate(encode.args) if isinstance(arg, StringImm))
    dtype, rank = encode.args[place : place + 2]
    assert isinstance(dtype, StringImm)
    assert isinstance(rank, IntImm)
    first = 2 * rank.value + 1
    box = [arg.value for arg in encode.args[first : first + rank.value] if isinstance(arg, IntImm)]
    return prod(box) * DType(dtype.value).itemsize


class _Counter(Visitor):
    """Accumulate the work of a launch."""

    def __init__(self, box_bytes: Mapping[Var, int]) -> None:
        self.box_bytes = box_bytes
        self.analyzer = Analyzer()
        self.flops = 0.0
        self.global_bytes = 0.0
        #: executions of the statement at hand, by all threads
        self.times = 1.0
        #: variable of a thread axis -> extent
        self.threads: dict[Var, int] = {}
        #: variable of an axis of blocks or threads, or of a loop -> extent
        self.axes: dict[Var, int] = {}
        self.tags: set[str] = set()

    @contextmanager
    def repeated(self, times: float) -> Generator[None]:
        """Count what is inside more often."""
        around, self.times = self.times, self.times * times
        yield
        self.times = around

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        axis = node.node
        if node.attr_key != "thread_extent" or not isinstance(axis, IterVar):
            self.visit(node.body)
            return
        if not isinstance(node.value, IntImm):
            raise _UnknownWork
        self.axes[axis.var] = node.value.value
        extent = Range.from_min_extent(IntImm(axis.var.dtype, 0), IntImm(axis.var.dtype, node.value.value))
        self.analyzer.bind(axis.var, extent, allow_override=True)
        if axis.thread_tag.startswith("threadIdx"):
            self.threads[axis.var] = node.value.value
        self.tags.add(axis.thread_tag)
        # blocks of clusters are among those of the grid, if there are others
        is_counted = axis.thread_tag.replace("clusterCtaIdx", "blockIdx") in self.tags - {axis.thread_tag}
        with self.repeated(1 if is_counted else node.value.value):
            self.visit(node.body)

    @on(For)
    def loop(self, node: For) -> None:
        self.analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent), allow_override=True)
        if isinstance(node.extent, IntImm) and fold.is_const(node.min, 0):
            self.axes[node.loop_var] = node.extent.value
        with self.repeated(max(self.iterations(node.extent), 0)):
            self.visit(node.body)

    def iterations(self, extent: Expr) -> float:
        """Return the mean of an extent in few blocks, threads and iterations of loops around, or the largest one."""
        axes = {axis: self.axes[axis] for axis in uses(extent) if axis in self.axes}
        if axes and prod(axes.values()) <= _MOST_PLACES:
            values = [each.value for each in self.values(extent, axes) if isinstance(each, IntImm)]
            if len(values) == prod(axes.values()):
                return sum(values) / len(values)
        most = self.analyzer.const_bounds(extent).high
        if most is None:
            raise _UnknownWork
        return most

    def values(self, value: Expr, axes: Mapping[Var, int]) -> list[Expr]:
        """Return a value in each of the blocks or threads."""
        places = product(*[range(extent) for extent in axes.values()])
        indices = [{axis: IntImm(axis.dtype, at) for axis, at in zip(axes, place, strict=True)} for place in places]
        return [self.analyzer.simplify(substitute(value, each)) for each in indices]

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> None:
        share = self.share_of_threads(node.condition)
        for case, part in ((node.then_case, share), (node.else_case, 1 - share)):
            if case is not None:
                with self.repeated(part):
                    self.visit(case)

    def share_of_threads(self, condition: Expr) -> float:
        """Return for how many of the threads a condition on their indices holds: 1 for another condition."""
        axes = [*uses(condition)]
        if not axes or any(axis not in self.threads for axis in axes):
            return 1
        held = [fold.is_const(each, 1) for each in self.values(condition, {axis: self.threads[axis] for axis in axes})]
        return sum(held) / len(held)

    @on(LetStmt)
    def let(self, node: LetStmt) -> None:
        self.visit(node.body)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.access(node.buffer.storage_scope, node.value.dtype)
        self.visit(node.value)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.access(node.buffer.storage_scope, node.dtype)

    def access(self, scope: str, dtype: DType) -> None:
        if scope == "global":
            self.global_bytes += self.times * dtype.itemsize * dtype.lanes

    @on(CompareOp, LogicalOp)
    def predicate(self, node: Expr) -> None:
        """Count no operations in predicates."""

    @on(BinaryOp)
    def operation(self, node: BinaryOp) -> None:
        self.flops += self.times * node.dtype.lanes
        self.walk(node)

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> None:
        if isinstance(node.value, Call):
            self.instruction(node.value)

    def instruction(self, call: Call) -> None:
        """Count what an instruction does; its operands are addresses and registers."""
        name = getattr(call.op, "name", "")
        if name in _UNKNOWN:
            raise _UnknownWork
        if name in _PRODUCTS:
            words = [arg.value for arg in call.args if isinstance(arg, StringImm)]
            shape = next((match for word in words if (match := _SHAPE.fullmatch(word))), None)
            if shape is not None:
                self.flops += self.times * 2 * prod(map(int, shape.groups())) / _PRODUCTS[name]
        if name == _SMALL_COPY and isinstance(call.args[4], IntImm):
            self.global_bytes += self.times * call.args[4].value
        if name == _COPY:
            copied = [self.box_bytes[arg] for arg in call.args if isinstance(arg, Var) and arg in self.box_bytes]
            self.global_bytes += self.times * sum(copied)

    @on(Call)
    def call(self, node: Call) -> None:
        if node.op is not address_of:
            self.walk(node)
