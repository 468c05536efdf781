"""Propagate changed integer dtypes through a program."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import Any

from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import DType, Node, Op, on
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir import (
    Block,
    Buffer,
    BufferLoad,
    BufferStore,
    Cast,
    For,
    PrimFunc,
    TirRewriter,
    cast,
    match_types,
)
from tvmscript.ir.tir.base import OPERATORS, Expr, Stmt
from tvmscript.ir.tir.expr import BinaryOp, Call, CompareOp, IntImm, IterVar, Let, LogicalOp, Ramp, Range, Select, Var
from tvmscript.ir.tir.stmt import (
    LAUNCHES,
    Allocate,
    AllocateConst,
    AttrStmt,
    BlockRealize,
    DeclBuffer,
    IfThenElse,
    LetStmt,
)

#: operators of two integers of one dtype
_PAIRS = frozenset(["tir.bitwise_and", "tir.bitwise_or", "tir.bitwise_xor", "tir.shift_left", "tir.shift_right"])


class IndexDtypeRewriter(TirRewriter):
    """Base of passes that change the dtype of integer variables and constants; subclasses choose which.

    Operands of different widths are converted to the wider one. Only indices, sizes and ranges change (`is_index`); the
    values that a program computes keep their dtype.
    """

    def __init__(self) -> None:
        super().__init__()
        self.is_index = False
        self.is_condition = False
        self.axes: dict[IterVar, IterVar] = {}

    @contextmanager
    def inside(self, *, index: bool | None = None, condition: bool | None = None) -> Generator[None, None, None]:
        """Set whether the rewritten expression is an index or a condition."""
        before = self.is_index, self.is_condition
        self.is_index = before[0] if index is None else index
        self.is_condition = before[1] if condition is None else condition
        yield
        self.is_index, self.is_condition = before

    def index(self, value: Expr) -> Expr:
        """Rewrite a part of an index, a shape or a loop range."""
        before, self.is_index = self.is_index, True
        new_value: Expr = self.rewrite(value)
        self.is_index = before
        return new_value

    def index_var(self, var: Var) -> Var:
        """Rewrite the variable of a loop or an axis."""
        new_var = self.index(var)
        assert isinstance(new_var, Var)
        return new_var

    def condition(self, value: Expr) -> Expr:
        """Rewrite a condition."""
        before, self.is_condition = self.is_condition, True
        new_value: Expr = self.rewrite(value)
        self.is_condition = before
        return new_value

    def indices(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return self._tuple(indices, self.index)

    # -- expressions

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        return self.rebuild_binary(node, self.rewrite(node.a), self.rewrite(node.b))

    @on(CompareOp)
    def compare(self, node: CompareOp) -> Expr:
        is_index = self.is_condition and node.a.dtype.code == node.b.dtype.code == "int"
        with self.inside(index=is_index):
            return self.rebuild_binary(node, self.rewrite(node.a), self.rewrite(node.b))

    @on(LogicalOp)
    def logical(self, node: LogicalOp) -> Expr:
        return super().binary(node)

    def rebuild_binary(self, node: BinaryOp, a: Expr, b: Expr) -> Expr:
        """Return the operator on new operands, converted to the wider dtype of the two."""
        if a is node.a and b is node.b:
            return node
        return make(type(node), *match_types(a, b), node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        name = node.op.name if isinstance(node.op, Op) else ""
        if name == "tir.if_then_else":
            condition = self.condition(node.args[0])
            a, b = self.rewrite(node.args[1]), self.rewrite(node.args[2])
            if condition is node.args[0] and a is node.args[1] and b is node.args[2]:
                return node
            a, b = match_types(a, b)
            return Call(a.dtype, node.op, (condition, a, b), node.span)
        args = self._tuple(node.args, self.rewrite)
        if args is node.args:
            return node
        if name in _PAIRS:
            return OPERATORS[name.removeprefix("tir.")](*match_types(*args))
        return Call(node.dtype, node.op, args, node.span)

    @on(Select)
    def select(self, node: Select) -> Expr:
        condition = self.condition(node.condition)
        a, b = self.rewrite(node.true_value), self.rewrite(node.false_value)
        if condition is node.condition and a is node.true_value and b is node.false_value:
            return node
        return Select(condition, *match_types(a, b), span=node.span)

    @on(Ramp)
    def ramp(self, node: Ramp) -> Expr:
        base, stride = self.rewrite(node.base), self.rewrite(node.stride)
        if base is node.base and stride is node.stride:
            return node
        return Ramp(*match_types(base, stride), node.lanes, span=node.span)

    @on(Let, LetStmt)
    def let(self, node: Let | LetStmt) -> Expr | Stmt:
        value = self.rewrite(node.value)
        var, body = self.retype_var(node.var, value.dtype), self.rewrite(node.body)
        return node.rebuild(var=var, value=value, body=body)

    def retype_var(self, var: Var, dtype: DType) -> Var:
        """Return the variable with the dtype that it got first, at its definition."""
        new_var = self.renamed.get(var)
        if new_var is None:
            new_var = self.renamed[var] = var if dtype is var.dtype else Var(var.name, dtype, span=var.span)
        assert isinstance(new_var, Var)
        return new_var

    # -- buffers

    def define(self, name: Any) -> Any:
        return self.rewrite(name)

    @on(Buffer)
    def buffer(self, node: Buffer) -> Any:
        """Rewrite the sizes of a buffer."""
        new_buffer = self.renamed.get(node)
        if new_buffer is None:
            with self.inside(index=True, condition=False):
                new_buffer = self.descend(node)
            offset, dtype = new_buffer.elem_offset, new_buffer.index_dtype
            if isinstance(offset, IntImm) and offset.dtype is not dtype:
                # a constant offset has the dtype of the sizes
                new_buffer = new_buffer.replace(elem_offset=cast(dtype, offset))
            self.renamed[node] = new_buffer
        return new_buffer

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        buffer: Buffer = self.rewrite(node.buffer)
        value: Expr = self.rewrite(node.value)
        indices = self.indices(node.indices)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        dtype = buffer.dtype.with_lanes(value.dtype.lanes)
        if value.dtype is not dtype:
            value = cast(dtype, value)
        return node.rebuild(buffer=buffer, value=value, indices=indices, predicate=predicate)

    @on(Allocate, AllocateConst)
    def allocate(self, node: Allocate | AllocateConst) -> Stmt:
        extents = self.indices(node.extents)
        return self.descend(node.rebuild(extents=extents))

    # -- ranges

    def retype_range(self, domain: Range, dtype: DType) -> Range:
        """Rewrite a range and convert it to a dtype."""
        start, extent = cast(dtype, self.index(domain.min)), cast(dtype, self.index(domain.extent))
        is_same = start is domain.min and extent is domain.extent
        return domain if is_same else Range.from_min_extent(start, extent, span=domain.span)

    @on(Range)
    def range_(self, node: Range) -> Range:
        start, extent = self.index(node.min), self.index(node.extent)
        if start is node.min and extent is node.extent:
            return node
        return Range.from_min_extent(*match_types(start, extent), span=node.span)

    @on(IterVar)
    def axis(self, node: IterVar) -> IterVar:
        new_axis = self.axes.get(node)
        if new_axis is None:
            var = self.index_var(node.var)
            dom = None if node.dom is None else self.retype_range(node.dom, var.dtype)
            new_axis = self.axes[node] = node.rebuild(var=var, dom=dom)
        return new_axis

    @on(For)
    def loop(self, node: For) -> Stmt:
        var = self.index_var(node.loop_var)
        start, extent = cast(var.dtype, self.index(node.min)), cast(var.dtype, self.index(node.extent))
        thread = node.thread_binding
        if thread is not None and var.dtype is not node.loop_var.dtype:
            dom = None if thread.dom is None else self.retype_range(thread.dom, var.dtype)
            thread = thread.replace(var=Var(thread.var.name, var.dtype, span=thread.var.span), dom=dom)
        body = self.rewrite(node.body)
        return node.rebuild(loop_var=var, min=start, extent=extent, body=body, thread_binding=thread)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        target = node.node
        if node.attr_key in LAUNCHES and isinstance(target, IterVar):
            axis = self.axis(target)
            value = cast(axis.var.dtype, self.index(node.value))
            return node.rebuild(node=axis, value=value, body=self.rewrite(node.body))
        new_attr = self.descend(node)
        if isinstance(target, (Buffer, Var)) and (new_target := self.rewrite(target)) is not target:
            return new_attr.replace(node=new_target)
        return new_attr

    # -- statements

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        condition = self.condition(node.condition)
        then_case = self.rewrite(node.then_case)
        else_case = None if node.else_case is None else self.rewrite(node.else_case)
        return node.rebuild(condition=condition, then_case=then_case, else_case=else_case)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        predicate = self.condition(node.predicate)
        return node.rebuild(
            predicate=predicate, iter_values=self.indices(node.iter_values), block=self.rewrite(node.block)
        )


class IndexDtypeNormalizer(IndexDtypeRewriter):
    """Rewriter of all integer indices, sizes, ranges and loop variables to one dtype."""

    def __init__(self, dtype: DType, declared: set[Buffer]) -> None:
        super().__init__()
        self.dtype = dtype
        #: others are views of allocated memory: constant sizes of them keep their dtype, as in TVM
        self.declared = declared
        #: axes of blocks without indices and integers in conditions: they keep their dtype, as in TVM
        self.unused: set[IterVar] = set()

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        value: Expr = self.rewrite(node.value)
        is_size = self.is_index and node.dtype.code == "int" and node.dtype.lanes == 1
        return cast(self.dtype, value) if is_size else node.rebuild(value=value)

    @on(Range)
    def range_(self, node: Range) -> Range:
        start, extent = self.index(node.min), self.index(node.extent)
        if isinstance(start, BufferLoad) and isinstance(extent, IntImm):
            # an element as an index is not converted in a region
            return Range.from_min_extent(start, cast(start.dtype, extent), span=node.span)
        return super().range_(node)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        if not any(map(self._changes, nodes(node.body))):
            self.unused |= {*node.iter_vars}
        new_block: Stmt = self.descend(node)
        return new_block

    def _changes(self, node: Node) -> bool:
        """Whether a node has indices, or integers in its condition that are of another dtype."""
        if isinstance(node, Select):
            parts = [part for part in nodes(node.condition) if isinstance(part, Expr)]
            return any(part.dtype.code == "int" and part.dtype is not self.dtype for part in parts)
        return isinstance(node, (BufferLoad, BufferStore)) and bool(node.indices)

    @on(Buffer)
    def buffer(self, node: Buffer) -> Any:
        is_constant = all(isinstance(extent, IntImm) for extent in node.shape)
        return node if is_constant and node not in self.declared else super().buffer(node)

    @on(IterVar)
    def axis(self, node: IterVar) -> IterVar:
        return node if node in self.unused else super().axis(node)

    @on(Var)
    def name(self, node: Var) -> Var:
        return self.retype_var(node, self.dtype if self.is_index and node.dtype.code == "int" else node.dtype)

    @on(IntImm)
    def constant(self, node: IntImm) -> Expr:
        is_size = self.is_index and node.dtype.code == "int"
        return cast(self.dtype, node) if is_size and node.dtype is not self.dtype else node


def override_index_dtype(func: PrimFunc, dtype: DType) -> PrimFunc:
    """Return the function with sizes and indices of a dtype; variables that it takes as values keep theirs."""
    if all(map(partial(_has_index_dtype, dtype), nodes(func))):
        return func
    declared = set(func.buffer_map.values())
    for node in nodes(func.body):
        if isinstance(node, Block):
            declared |= {*node.alloc_buffers, *[match.buffer for match in node.match_buffers]}
        elif isinstance(node, DeclBuffer):
            declared.add(node.buffer)
    rewriter = IndexDtypeNormalizer(dtype, declared)
    buffers = {param: rewriter.rewrite(buffer) for param, buffer in func.buffer_map.items()}
    params = tuple([rewriter.rewrite(param) for param in func.params])
    return func.replace(params=params, buffer_map=buffers, body=rewriter.rewrite(func.body))


def _has_index_dtype(dtype: DType, node: Node) -> bool:
    """Return whether a node, or the shape of a buffer, has no integers of other dtypes."""
    values = (*node.shape, *node.strides, node.elem_offset) if isinstance(node, Buffer) else (node,)
    return all(not isinstance(value, Expr) or value.dtype is dtype or value.dtype.code != "int" for value in values)
