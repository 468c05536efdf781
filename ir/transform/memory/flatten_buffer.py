"""Flatten buffer accesses to one index, or to one index for each group of axes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import is_
from typing import Any, TypeVar

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import (
    flat_extent,
    flat_index,
    index_add,
    index_mul,
    offset_dtype,
    offset_of,
    product,
    widen,
)
from tvmscript.ir.arith.fold import cast, is_const, logical_and
from tvmscript.ir.arith.iter_map.simplify import iter_map_simplify
from tvmscript.ir.core import Op, PointerType, PrimType, nodes, on
from tvmscript.ir.core.dtype import BOOL, INT8, DType
from tvmscript.ir.core.values.constant_data import Data
from tvmscript.ir.tir import Block, Buffer, BufferRealize, Expr, For, Prefetch, PrimFunc, Stmt, Var, uses
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, Call, FloorDiv, FloorMod, IntImm, IterVar, Range
from tvmscript.ir.tir.stmt import LAUNCHES, Allocate, AllocateConst, AttrStmt, BufferStore, DeclBuffer, IfThenElse
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import MatchNotLowered, TensorLevelLeft, TileLevelLeft
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter

AllocationT = TypeVar("AllocationT", Allocate, AllocateConst)


def storage_dtype(dtype: DType) -> DType:
    """Return the dtype in memory: bool is stored as int8."""
    return INT8.with_lanes(dtype.lanes) if dtype.element is BOOL else dtype


def _groups(buffer: Buffer) -> list[slice]:
    """Return the axes that are merged, for each axis of the flat buffer."""
    ends = [int(end) for end in buffer.axis_separators]
    return [slice(first, last) for first, last in pairwise([0, *ends, len(buffer.shape)])]


def is_flat(buffer: Buffer) -> bool:
    """Return whether a buffer is flat: one index per axis of memory, no strides, no offset, not bool."""
    return (
        len(buffer.shape) == len(buffer.axis_separators) + 1
        and not buffer.strides
        and is_const(buffer.elem_offset, 0)
        and buffer.dtype.element is not BOOL
    )


class BufferFlattener(AnalyzedRewriter):
    """Rewrite accesses to flat buffers."""

    def __init__(self, func: PrimFunc) -> None:
        super().__init__()
        self.enter(func)
        self.parameters = set(func.buffer_map.values())
        self.without_facts = Analyzer()
        #: enclosing loops and threads, and the conditions on them
        self.iterators: dict[Var, Range] = {}
        self.conditions: list[Expr] = []

    # -- flat buffers

    @on(Buffer)
    def name(self, node: Any) -> Any:
        flat = self.renamed.get(node)
        if flat is None:
            # the buffer of a parameter declares the argument: the body uses another one over the same data
            flat = node if is_flat(node) and node not in self.parameters else self.flat(node)
            self.renamed[node] = flat
        return flat

    def flat(self, buffer: Buffer) -> Buffer:
        if buffer.layout is not None or buffer.allocated_addr:
            what = "a layout" if buffer.layout is not None else "a fixed address"
            raise TileLevelLeft(name="tir.FlattenBuffer", buffer=buffer.name, what=what, span=buffer.span)
        groups = _groups(buffer)
        shape = [self.analyzer.simplify(extent) for extent in self.extents(buffer, groups)]
        data: Any = self.rewrite(buffer.data)
        return Buffer(
            data,
            storage_dtype(buffer.dtype),
            tuple(shape),
            (),
            IntImm(shape[0].dtype, 0),
            buffer.name,
            buffer.data_alignment,
            1 if not is_const(buffer.elem_offset, 0) else buffer.offset_factor,
            buffer.buffer_type,
            tuple(range(1, len(groups))),
            span=buffer.span,
        )

    def extents(self, buffer: Buffer, groups: Sequence[slice]) -> list[Expr]:
        """Return the extents of the flat buffer."""
        if len(groups) == 1:
            extent = flat_extent(buffer)
            # the rest of the row after the last element of an argument may not be allocated
            if not buffer.strides or not is_const(buffer.elem_offset, 0) or buffer in self.parameters:
                return [extent]
            # all of the last row, unless the axes are permuted in memory
            whole = self.analyzer.simplify(index_mul(buffer.strides[0], buffer.shape[0]))
            return [whole if self.analyzer.can_prove_greater_equal(whole, extent) else extent]
        return [
            index_mul(buffer.strides[group.start], buffer.shape[group.start])
            if buffer.strides and group.start < group.stop
            else product(buffer.shape[group])
            for group in groups
        ]

    def flat_indices(self, buffer: Buffer, indices: Sequence[Expr]) -> tuple[Expr, ...]:
        """Return the indices into the flat buffer."""
        groups = _groups(buffer)
        if len(groups) == 1:
            offsets = [flat_index(buffer, indices)]
        else:
            values = widen(indices, offset_dtype(buffer))
            offsets = [offset_of(buffer.shape[g], buffer.strides[g], values[g]) for g in groups]
        return tuple([self.simplify_index(index) for index in offsets])

    def simplify_index(self, index: Expr) -> Expr:
        """Simplify an index, as an iteration map of the enclosing loops if it is one."""
        if index.dtype.lanes != 1:
            return self.analyzer.simplify_index(index)
        simple = self.without_facts.simplify_index(index)
        if self.is_simple(simple):
            return simple
        predicate = reduce(logical_and, self.conditions) if self.conditions else True
        return iter_map_simplify([simple], self.iterators, predicate, analyzer=self.analyzer)[0]

    def is_simple(self, index: Expr) -> bool:
        """Return whether an index has no divisions, and only unconditional iterators that start from 0."""
        for part in nodes(index):
            if isinstance(part, (FloorDiv, FloorMod)):
                return False
            domain = self.iterators.get(part) if isinstance(part, Var) else None
            if domain is not None and (not is_const(domain.min, 0) or is_const(domain.extent, 1)):
                return False
        return not self.conditions or uses(index).isdisjoint(uses(self.conditions))

    # -- accesses

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        buffer = node.buffer
        flat = self.name(buffer)
        index = self.flat_indices(buffer, self.indices(node.indices))
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        if flat is buffer and predicate is node.predicate and _are_same(index, node.indices):
            return node
        return cast(node.dtype, BufferLoad(flat, index, predicate, span=node.span))

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        buffer = node.buffer
        flat = self.name(buffer)
        value: Expr = self.rewrite(node.value)
        index = self.flat_indices(buffer, self.indices(node.indices))
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        if flat is buffer and value is node.value and predicate is node.predicate and _are_same(index, node.indices):
            return node
        return BufferStore(flat, cast(storage_dtype(value.dtype), value), index, predicate, span=node.span)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        """Return the region from the first element to the last one."""
        buffer = node.buffer
        flat = self.name(buffer)
        if flat is buffer:
            return self.descend(node)
        axis_ranges = [self.rewrite(axis_range) for axis_range in node.region]
        first = self.flat_indices(buffer, [axis_range.min for axis_range in axis_ranges])
        ends = [part.extent - IntImm(part.extent.dtype, 1) for part in axis_ranges]
        last = self.flat_indices(
            buffer, [index_add(part.min, end) for part, end in zip(axis_ranges, ends, strict=True)]
        )
        ranges = [
            Range.from_min_extent(low, index_add(high, IntImm(high.dtype, 1)) - low)
            for low, high in zip(first, last, strict=True)
        ]
        return BufferRegion(flat, tuple(ranges), span=node.span)

    # -- memory

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> Stmt:
        # a declaration without uses has no effect
        return self.rewrite(node.body)

    @on(Allocate)
    def allocate(self, node: Allocate) -> Allocate:
        extents = self.flat_extents(node)
        new_allocate = self.rewrite_dtype(node)
        return new_allocate if len(new_allocate.extents) == len(extents) else new_allocate.replace(extents=extents)

    def flat_extents(self, node: Allocate) -> tuple[Expr, ...]:
        """Return the extents of the flat allocation: one for each group of axes of the declared buffer."""
        if len(node.extents) == 1:
            return node.extents
        declared = node.body.buffer if isinstance(node.body, DeclBuffer) else None
        if declared is not None and declared.data is node.buffer_var and declared.axis_separators:
            return tuple([product(node.extents[group]) for group in _groups(declared)])
        return (self.analyzer.simplify(product(node.extents)),)

    @on(AllocateConst)
    def allocate_const(self, node: AllocateConst) -> AllocateConst:
        new_allocate = self.rewrite_dtype(node)
        if new_allocate.dtype is node.dtype:
            return new_allocate
        return new_allocate.replace(data=Data(str(new_allocate.dtype), tuple(node.data.shape), node.data.tobytes()))

    def rewrite_dtype(self, node: AllocationT) -> AllocationT:
        """Return the allocation with the dtype in memory."""
        var, dtype = node.buffer_var, storage_dtype(node.dtype)
        if dtype is node.dtype:
            return self.descend(node)
        new_var = Var(var.name, PointerType(PrimType(dtype), var.storage_scope), span=var.span)
        self.renamed[var] = new_var
        return self.descend(node.replace(buffer_var=new_var)).replace(dtype=dtype)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        if node.match_buffers:
            raise MatchNotLowered(block=node.name_hint, span=node.span)
        return super().block(node)

    def define(self, name: object) -> Any:
        return self.name(name) if isinstance(name, Buffer) else name

    @on(BufferRealize, Prefetch)
    def refuse(self, node: BufferRealize | Prefetch) -> Stmt:
        raise TensorLevelLeft(name="tir.FlattenBuffer", what=f"a {type(node).__name__}", span=node.span)

    # -- enclosing loops and conditions

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.iterators[node.loop_var] = Range.from_min_extent(node.min, node.extent)
        new_loop = super().loop(node)
        del self.iterators[node.loop_var]
        return new_loop

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if isinstance(node.node, IterVar) and node.attr_key in LAUNCHES:
            self.iterators[node.node.var] = Range.from_extent(node.value)
        return super().attribute(node)

    def branches(self, node: IfThenElse, condition: Expr) -> Stmt:
        inside = _remove_likely(condition)
        with self.analyzer.constraint(inside), self.assume_for_indices(inside):
            then_case = self.rewrite(node.then_case)
        else_case = node.else_case
        if else_case is not None:
            with self.analyzer.constraint(inside, False):
                else_case = self.rewrite(else_case)
        return node.rebuild(condition=condition, then_case=then_case, else_case=else_case)

    @on(Call)
    def call(self, node: Call) -> Expr:
        if not isinstance(node.op, Op) or node.op.name != "tir.if_then_else":
            return self.descend(node)
        condition: Expr = self.rewrite(node.args[0])
        with self.analyzer.constraint(condition), self.assume_for_indices(condition):
            true_value: Expr = self.rewrite(node.args[1])
        with self.analyzer.constraint(condition, False):
            false_value: Expr = self.rewrite(node.args[2])
        args = (condition, true_value, false_value)
        return node if _are_same(args, node.args) else node.replace(args=args)

    @contextmanager
    def assume_for_indices(self, condition: Expr) -> Generator[None, None, None]:
        """Use a condition on enclosing loops as predicate of iteration maps."""
        is_relevant = not uses(condition).isdisjoint(self.iterators)
        if is_relevant:
            self.conditions.append(condition)
        yield
        if is_relevant:
            self.conditions.pop()


def _are_same(new: Sequence[Expr], old: Sequence[Expr]) -> bool:
    return len(new) == len(old) and all(map(is_, new, old))


def _remove_likely(condition: Expr) -> Expr:
    """Return a condition without `T.likely`."""
    if isinstance(condition, Call) and isinstance(condition.op, Op) and condition.op.name == "tir.likely":
        return condition.args[0]
    return condition


@dataclass(frozen=True)
class FlattenBuffer(PrimFuncPass):
    """Flatten buffers, so that an access has one index: the element offset from the data, with strides and offset.

    Axis separators divide the axes of a buffer into groups, with one index for each. Indices are simplified. Parameters
    keep their buffers; the body accesses flat buffers over the same data, which are not declared. Bool buffers become
    int8 buffers with casts at each access. An allocation has as many extents as an access has indices; constant data
    keeps its shape. Raises `MatchNotLowered`, `TensorLevelLeft`.

    rewrite:
        def f(A: T.Buffer((4, 8))):             def f(A: T.Buffer((4, 8))):
            for i, j in T.grid(4, 8):   -->         A_1 = T.Buffer((32,), data=A.data)
                A[i, j] = 0.0                       for i, j in T.grid(4, 8):
                                                        A_1[i * 8 + j] = 0.0
    """

    name = "tir.FlattenBuffer"
    skips_te = True
    #: a second run may simplify indices further, as in TVM
    is_idempotent = False
    takes = Form.LOOPS

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(BufferFlattener(func).rewrite(func.body))
