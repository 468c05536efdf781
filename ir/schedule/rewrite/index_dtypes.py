"""Conversion of index dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from typing import cast as cast_type

from tvmscript.ir.arith import fold
from tvmscript.ir.core import INT32, INT64, DType, WrongType, on
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, TirRewriter, Var, cast, match_types, uses
from tvmscript.ir.tir.expr import BinaryOp, Cast, IntImm, IterVar, Ramp, Range
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.ir.tir.stmt import Block, BlockRealize, For


def index_dtype_of(block: Block) -> DType:
    """Return the dtype of a block's axes, or of its regions if it has no axes."""
    for axis in block.iter_vars:
        return axis.var.dtype
    for region in (*block.reads, *block.writes):
        for part in region.region:
            return part.min.dtype
    return INT64


def widen_indices(func: PrimFunc, block: Block) -> PrimFunc:
    """Widen the loops, axes, shapes and indices of a function to the dtype of a block's regions."""
    dtypes = [part.min.dtype for region in (*block.reads, *block.writes) for part in region.region]
    widest = max(dtypes, key=lambda dtype: dtype.bits, default=INT32)
    if widest is INT32:
        return func
    new_func: PrimFunc = _IndexWidener(func, widest).rewrite(func)
    return new_func


def cast_index_map(index_map: IndexMap, shape: Sequence[Expr]) -> IndexMap:
    """Cast an index map to the dtypes of a shape; constant results are unchanged, as in TVM.

    Raises `WrongType` for another number of dimensions.
    """
    variables = index_map.initial_indices
    if len(variables) != len(shape):
        raise WrongType(where="the index map", expected=f"{len(shape)} indices", got=len(variables))
    if all(var.dtype is size.dtype for var, size in zip(variables, shape, strict=True)):
        return index_map
    new_vars = tuple([Var(var.name, size.dtype) for var, size in zip(variables, shape, strict=True)])
    legal = _ConstantRetyper(new_vars[0].dtype)
    legal.renamed.update(zip(variables, new_vars, strict=True))
    results = tuple(
        [cast(new_vars[0].dtype, legal.rewrite(value)) if uses(value) else value for value in index_map.final_indices]
    )
    inverse = index_map.inverse_index_map
    return IndexMap(new_vars, results, None if inverse is None else cast_index_map(inverse, results))


class _OperandMatcher(TirRewriter):
    """Convert the operands of operations to the wider dtype."""

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        if a is node.a and b is node.b:
            return node
        return type(node)(*match_types(a, b), span=node.span)


class _ConstantRetyper(_OperandMatcher):
    """Convert integer constants to one dtype."""

    def __init__(self, dtype: DType) -> None:
        super().__init__()
        self.dtype = dtype

    @on(IntImm)
    def integer(self, node: IntImm) -> IntImm:
        return IntImm(self.dtype, node.value, span=node.span)


class _IndexWidener(_OperandMatcher):
    def __init__(self, func: PrimFunc, dtype: DType) -> None:
        super().__init__()
        self.dtype = dtype
        for buffer in func.buffer_map.values():
            for part in uses((buffer.shape, buffer.strides, buffer.elem_offset)):
                if isinstance(part, Var):
                    self.widen(part)

    def widen(self, var: Var) -> None:
        if var.dtype is INT32 and var not in self.renamed:
            self.renamed[var] = Var(var.name, self.dtype)

    def index(self, expr: Expr) -> Expr:
        """Convert an index, or the lanes of a vector index."""
        if isinstance(expr, Ramp):
            return Ramp(self.index(expr.base), self.index(expr.stride), expr.lanes)
        widened: Expr = self.rewrite(expr)
        wanted = self.dtype.with_lanes(widened.dtype.lanes)
        return widened if widened.dtype is wanted or not widened.dtype.is_integer else cast(wanted, widened)

    def indices(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(self.index(index) for index in indices)

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        value = self.rewrite(node.value)
        return value if value.dtype is node.dtype else fold.cast(node.dtype, value)

    @on(Range)
    def domain(self, node: Range) -> Range:
        return Range.from_min_extent(self.index(node.min), self.index(node.extent))

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.widen(node.loop_var)
        variable = self.rewrite(node.loop_var)
        return node.replace(
            loop_var=variable,
            min=self.index(node.min),
            extent=self.index(node.extent),
            body=self.rewrite(node.body),
            thread_binding=None if node.thread_binding is None else self.rewrite(node.thread_binding),
        )

    @on(IterVar)
    def axis(self, node: IterVar) -> IterVar:
        self.widen(node.var)
        return node.replace(var=self.rewrite(node.var), dom=None if node.dom is None else self.rewrite(node.dom))

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        values = self.indices(node.iter_values)
        return BlockRealize(values, self.rewrite(node.predicate), self.rewrite(node.block), span=node.span)

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        if node not in self.renamed:
            self.renamed[node] = node.replace(
                shape=self.indices(node.shape),
                strides=self.indices(node.strides),
                elem_offset=self.index(node.elem_offset),
            )
        return cast_type(Buffer, self.renamed[node])

    def define(self, name: Any) -> Any:
        return self.rewrite(name)
