"""Lower warp memory to local memory of the threads, read by shuffles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, is_const, make, mul
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.core import CallEffect, Op, PointerType, Visitor, nodes, on
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, TirRewriter, Var, effect_of, uses
from tvmscript.ir.tir.expr import BufferLoad, Call, Div, FloorDiv, FloorMod, IntImm, IterVar, Ramp, Range
from tvmscript.ir.tir.intrin.sync import tvm_warp_activemask, tvm_warp_shuffle
from tvmscript.ir.tir.stmt import LAUNCHES, Allocate, AttrStmt, BufferStore, For, LetStmt
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import InvalidWarpMemory
from tvmscript.ir.transform.function_attributes import target_of

#: operators on the data of warp memory -> positions of the data arguments; an index follows each
_TAKES_DATA: Final[dict[str, tuple[int, ...]]] = {
    "tir.ptx_mma": (6, 8, 10),
    "tir.ptx_ldmatrix": (3,),
    "tir.mma_store": (3,),
    "tir.mma_fill": (1,),
}
#: threads of a group of warps, which products of sm_90a take together
WARP_GROUP: Final = 128


@dataclass(frozen=True)
class LowerWarpMemory(PrimFuncPass):
    """Distribute each allocation of scope `warp` over the threads of the warp.

    Stores must be at `m * thread + (warp * m) * y + x` with x < m; a thread then holds m elements of each group y. A
    load of an element of another thread becomes a shuffle. A group of 128 threads, as in products of warp groups, has
    no shuffles. Functions for targets without warps are not changed. Raises `NoTarget`, `InvalidWarpMemory`.

    rewrite:
        W = T.allocate([32], "float32", "warp")        -->   W = T.allocate([1], "float32", "local")
        W1[tx] = A[tx]                                       W1[0] = A[tx]
        B[tx] = W1[(tx + 1) % 32]                            B[tx] = T.tvm_warp_shuffle(T.tvm_warp_activemask(),
                                                                 W1[0], (tx + 1) % 32, 32, 32)
    """

    name = "tir.LowerWarpMemory"
    is_idempotent = True
    looks_for = frozenset({"warp"})

    def transform(self, func: PrimFunc) -> PrimFunc:
        warp = int(target_of(func, self.name).options.get("thread_warp_size", 1))
        if warp == 1:
            return func
        return func.with_body(_WarpMemoryRewriter(warp, _bind_ranges(func.body)).rewrite(func.body))


def _bind_ranges(body: Stmt) -> Analyzer:
    """Return an analyzer with the ranges of all loops and threads, and what pure integers are called."""
    analyzer = Analyzer()
    for node in nodes(body):
        if isinstance(node, For):
            analyzer.bind(node.loop_var, Range.from_min_extent(node.min, node.extent), allow_override=True)
        elif isinstance(node, AttrStmt) and node.attr_key in LAUNCHES and isinstance(node.node, IterVar):
            var = node.node.var
            analyzer.bind(var, Range.from_extent(node.value), allow_override=True)
        elif isinstance(node, LetStmt) and node.var.dtype.is_integer and effect_of(node.value) is CallEffect.PURE:
            analyzer.bind(node.var, node.value, allow_override=True)
    return analyzer


@dataclass
class _Layout:
    """The distribution of an allocation over the threads of a warp."""

    #: the thread variable, and the number of threads
    thread: Var
    width: int
    #: contiguous elements of a group in a thread
    run: int
    groups: int
    analyzer: Analyzer

    def split(self, index: Expr) -> tuple[Expr, Expr]:
        """Return the index of an element in the memory of a thread, and the thread."""
        if isinstance(index, Ramp):
            local, thread = self.split(index.base)
            return Ramp(local, IntImm(local.dtype, 1), index.lanes), thread
        dtype = index.dtype
        run, group = IntImm(dtype, self.run), IntImm(dtype, self.run * self.width)
        simplify = self.analyzer.canonical_simplify
        offset = simplify(make(FloorMod, index, run))
        if self.groups == 1:
            return offset, simplify(make(FloorDiv, index, run))
        local = add(mul(make(Div, index, group), run), offset)
        return simplify(local), simplify(make(FloorDiv, make(FloorMod, index, group), run))


class _WarpMemoryRewriter(TirRewriter):
    """Rewrite warp allocations and their accesses."""

    def __init__(self, warp: int, analyzer: Analyzer) -> None:
        super().__init__()
        self.warp = warp
        self.analyzer = analyzer
        self.layouts: dict[Var, _Layout] = {}

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        data = node.buffer_var
        if data.storage_scope != "warp":
            return self.descend(node)
        sizes = [extent.value for extent in node.extents if isinstance(extent, IntImm)]
        size = math.prod(sizes) * node.dtype.lanes
        if len(sizes) != len(node.extents) or size <= 0:
            raise InvalidWarpMemory(name=data.name, reason="its size is not constant", span=node.span)
        finder = _LayoutFinder(data, self.warp)
        finder.visit(node.body)
        layout = finder.layout(size, self.analyzer)
        local = Var(data.name, PointerType(_pointee(data), "local"), span=data.span)
        self.layouts[data] = layout
        self.renamed[data] = local
        extents = (IntImm("int32", layout.groups * layout.run),)
        return node.replace(buffer_var=local, extents=extents, body=self.rewrite(node.body))

    @on(Buffer)
    def name_of_buffer(self, node: Buffer) -> Any:
        if node.data in self.layouts and node not in self.renamed:
            self.renamed[node] = node.replace(data=self.renamed[node.data])
        return self.renamed.get(node, node)

    @on(BufferStore)
    def element_set(self, node: BufferStore) -> Stmt:
        layout = self.layouts.get(node.buffer.data)
        new_store = self.store(node)
        if layout is None:
            return new_store
        assert isinstance(new_store, BufferStore)
        return new_store.replace(indices=(layout.split(new_store.indices[0])[0],))

    @on(BufferLoad)
    def element(self, node: BufferLoad) -> Expr:
        layout = self.layouts.get(node.buffer.data)
        new_load = self.load(node)
        if layout is None:
            return new_load
        assert isinstance(new_load, BufferLoad)
        local, thread = layout.split(new_load.indices[0])
        if layout.thread in uses(local):
            reason = f"the element {node.indices[0]} has a different local index in each thread"
            raise InvalidWarpMemory(name=node.buffer.name, reason=reason, span=node.span)
        new_load = new_load.replace(indices=(local,))
        if self.analyzer.can_prove_equal(thread, layout.thread):
            return new_load
        if layout.width > self.warp:
            reason = f"a thread of a group reads the element {node.indices[0]} of another one"
            raise InvalidWarpMemory(name=node.buffer.name, reason=reason, span=node.span)
        mask = tvm_warp_activemask()
        return tvm_warp_shuffle(mask, new_load, thread, layout.width, self.warp, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        positions = _TAKES_DATA.get(node.op.name, ()) if isinstance(node.op, Op) else ()
        used = [position for position, arg in enumerate(node.args) if isinstance(arg, Var) and arg in self.layouts]
        new_call = self.descend(node)
        if not used:
            return new_call
        if any(position not in positions for position in used):
            data = node.args[used[0]]
            assert isinstance(data, Var)
            reason = "its address is taken, but its elements are distributed over threads"
            raise InvalidWarpMemory(name=data.name, reason=reason, span=node.span)
        args = list(new_call.args)
        for position in used:
            data = node.args[position]
            assert isinstance(data, Var)
            args[position + 1] = self.layouts[data].split(args[position + 1])[0]
        return new_call.replace(args=tuple(args))


def _pointee(data: Var) -> Any:
    annotation = data.pointer_type
    assert isinstance(annotation, PointerType)
    return annotation.element_type


class _LayoutFinder(Visitor):
    """Find the thread axis of the warp and the stride of stores between threads."""

    def __init__(self, data: Var, warp: int) -> None:
        self.data = data
        self.warp = warp
        self.axis: IterVar | None = None
        self.width = 0
        self.run = 0
        self.stored: list[Expr] = []

    def layout(self, size: int, analyzer: Analyzer) -> _Layout:
        """Return the layout of an allocation of `size` elements. Raises `InvalidWarpMemory`."""
        if self.axis is None:
            raise self.error("it is used outside of a launch of threadIdx.x")
        for index in self.stored:
            self.step(index, self.axis.var, analyzer)
        if not self.run:
            raise self.error("nothing is stored to it")
        groups = -(-size // (self.run * self.width))
        return _Layout(self.axis.var, self.width, self.run, groups, analyzer)

    def error(self, reason: str, at: Any = None) -> InvalidWarpMemory:
        return InvalidWarpMemory(name=self.data.name, reason=reason, span=None if at is None else at.span)

    def step(self, index: Expr, thread: Var, analyzer: Analyzer) -> None:
        parts = detect_linear_equation(index, [thread])
        step = analyzer.canonical_simplify(parts[0]) if len(parts) == 2 else None
        if not isinstance(step, IntImm) or step.value <= 0:
            raise self.error(
                f"the index {index} of a store is not linear in {thread.name} with a positive coefficient", index
            )
        if self.run not in (0, step.value):
            raise self.error(f"stores have different strides of {thread.name}: {self.run} and {step.value}", index)
        self.run = step.value

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        axis = node.node
        if node.attr_key == "thread_extent" and isinstance(axis, IterVar) and axis.thread_tag == "threadIdx.x":
            extent = node.value.value if isinstance(node.value, IntImm) else 0
            if not extent or (self.warp % extent and extent != WARP_GROUP):
                reason = (
                    f"threadIdx.x has {node.value} threads: they neither divide a warp of {self.warp} nor are a group"
                )
                raise self.error(f"{reason} of {WARP_GROUP}", node)
            if self.axis is not None and self.axis.var is not axis.var:
                raise self.error("threadIdx.x is launched twice", node)
            self.axis, self.width = axis, extent
        self.walk(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        if node.buffer.data is self.data:
            index = node.indices[0]
            if len(node.indices) != 1:
                raise self.error("it has several dimensions; run tir.FlattenBuffer before", node)
            if index.dtype.lanes != 1 and not (isinstance(index, Ramp) and is_const(index.stride, 1)):
                raise self.error("a stored vector is not contiguous", node)
            self.stored.append(index.base if isinstance(index, Ramp) else index)
        self.walk(node)

    @on(Call)
    def call(self, node: Call) -> None:
        name = node.op.name if isinstance(node.op, Op) else ""
        if name == "tir.ptx_ldmatrix" and node.args[3] is self.data:
            self.stored.append(node.args[4])
        elif name == "tir.mma_fill" and node.args[1] is self.data and isinstance(node.args[0], IntImm):
            self.run = node.args[0].value
        self.walk(node)
