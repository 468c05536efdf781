"""Apply the index maps of `layout_transform_map` to buffer shapes and accesses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import on
from tvmscript.ir.tir import AccessRewriter, AttrStmt, Buffer, BufferRealize, BufferStore, Expr, PrimFunc, Stmt
from tvmscript.ir.tir.expr import BufferLoad, Range, Var
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.dtypes.common.index_dtype_rewriter import IndexDtypeRewriter

#: the attribute: buffer -> its index maps, applied in order
LAYOUTS: Final = "layout_transform_map"


class _IndexSubstitution(IndexDtypeRewriter):
    """Substitute indices for the variables of an index map; their dtypes may differ."""

    @on(Var)
    def name(self, node: Var) -> Any:
        return self.renamed.get(node, node)


class _LayoutRewriter(AccessRewriter):
    def __init__(self, maps: dict[Buffer, tuple[IndexMap, ...]]) -> None:
        super().__init__()
        self.maps = maps
        self.analyzer = Analyzer()
        for buffer, index_maps in maps.items():
            shape = buffer.shape
            for index_map in index_maps:
                shape = index_map.map_shape(shape)
            self.renamed[buffer] = buffer.replace(shape=shape)

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        for index_map in self.maps.get(node.buffer, ()):
            substitution = _IndexSubstitution()
            substitution.renamed.update(zip(index_map.initial_indices, indices, strict=True))
            indices = tuple([self.analyzer.simplify(substitution.rewrite(index)) for index in index_map.final_indices])
        return indices

    @on(BufferRealize)
    def realize(self, node: BufferRealize) -> Stmt:
        if node.buffer not in self.maps:
            return self.descend(node)
        buffer: Any = self.renamed[node.buffer]
        bounds = tuple([Range.from_extent(extent) for extent in buffer.shape])
        condition, body = self.rewrite(node.condition), self.rewrite(node.body)
        return BufferRealize(buffer, bounds, condition, body, span=node.span)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        new_attr = self.descend(node)
        buffer = self.renamed.get(node.node) if isinstance(node.node, Buffer) else None
        return new_attr if buffer is None else new_attr.replace(node=buffer)


@dataclass(frozen=True)
class ApplyLayoutTransforms(PrimFuncPass):
    """Apply the index maps in `layout_transform_map` to the shapes and indices of buffers, and remove the attribute.

    Tensor expressions set the attribute for stages with a layout of their own. Parameters change their shape too.

    rewrite:
        T.func_attr({"layout_transform_map": {A: [T.index_map(lambda i, j: (j, i))]}})
        B[i, j] = A[i, j]   -->   B[i, j] = A[j, i]
    """

    name = "tir.ApplyLayoutTransforms"
    is_idempotent = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        maps = func.attrs.get(LAYOUTS)
        if not maps:
            return func
        rewriter = _LayoutRewriter(maps)
        buffers: dict[Any, object] = {
            var: rewriter.renamed.get(buffer, buffer) for var, buffer in func.buffer_map.items()
        }
        new_func = func.replace(buffer_map=buffers, body=rewriter.rewrite(func.body))
        return new_func.without_attr(LAYOUTS)
